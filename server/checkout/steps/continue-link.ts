import { fill } from '../../../shared/languages/texts.ts';
import { lastDayOf } from '../../lending/applications/expiry.ts';
import { referenceOf } from '../../lending/applications/reference.ts';
import { saveApplication } from '../../lending/applications/store.ts';
import type { Database } from '../../db/database.ts';
import { hashOfCode, newId, newToken } from '../../base/ids.ts';
import { buyerEmail, merchantInEmail } from '../../messages/buyer-email.ts';
import { type EmailContent, enqueueMessage } from '../../messages/outbox.ts';
import { texts } from '../../base/texts.ts';
import type { Instant } from '../../base/time.ts';
import { countContinueLink } from '../decision/limits.ts';
import type { CheckoutDeps, EmailOptions } from '../session/deps.ts';
import { findCurrentSession, lockSession, lockShownSession, type ShownApplication, isSecretOf } from '../session/load.ts';
import type { StartedSession } from '../session/session.ts';
import { isUnanswered } from '../session/state.ts';
import type { SendResult } from '../signing/one-time-code.ts';

/**
 * Sends the buyer a link to continue an application that the lender could not receive. Its token of 128 bits is stored as a hash. It
 * replaces the session secret, which is also stored as a hash and cannot be sent. It works until the lender has received an application
 * (decisions/0052).
 *
 * @returns `too-many` - the recipient was sent too many links in the last 24 hours; `unavailable` - there is no sender.
 * @throws ServiceError `cart-closed` - the application is in another state.
 */
export async function sendContinueLink(
  { database, mail, attemptLimits, wakeDelivery }: Pick<CheckoutDeps, 'database' | 'mail' | 'attemptLimits' | 'wakeDelivery'>,
  shown: ShownApplication,
  now: Instant,
): Promise<SendResult> {
  const { handling } = mail;
  if (handling === 'unavailable') return 'unavailable';
  const id = newId();
  const token = newToken(16);
  const result = await database.write(async (tx) => {
    const session = await lockShownSession(tx, shown, now, isUnanswered);
    const { application } = session;
    const { merchantId, cartId } = application;
    const to = application.billingContact.email;
    if (!(await countContinueLink(tx, attemptLimits, to, now))) return 'too-many';
    const code = { hash: hashOfCode(token), expiresAt: application.expiresAt, failedAttempts: 0 };
    await saveApplication(tx, application, { codes: { ...application.codes, continue: code } });
    const content = continueEmail(session, token, mail);
    await enqueueMessage(tx, {
      id,
      merchantId,
      cartId,
      applicationId: application.id,
      handling,
      createdAt: now,
      channel: 'email',
      to,
      content,
    });
    return 'sent';
  });
  wakeDelivery();
  return result;
}

/** Without the name, because anyone may have typed it with the address of another person. */
function continueEmail(
  { application, program, merchant, cart }: StartedSession,
  token: string,
  { operator, publicUrl }: Pick<EmailOptions, 'operator' | 'publicUrl'>,
): EmailContent {
  const t = texts[application.language];
  const { subject, intro, button, validity, ignore } = t.continueLink.email;
  const { lender } = program;
  const values = {
    lender: lender.name,
    merchant: merchantInEmail(merchant.name, t),
    date: t.date(lastDayOf(application, program)),
  };
  const url = `${publicUrl}/c/${cart.code}/continue/${token}?lang=${t.language}`;
  return buyerEmail({
    language: t.language,
    name: '',
    subject: fill(subject, values),
    contacts: { operator, lender, merchant, publicUrl, reference: referenceOf(application.id) },
    blocks: [
      { paragraphs: [fill(intro, values)], button: { label: button, url } },
      { paragraphs: [fill(validity, values), ignore] },
    ],
  });
}

/**
 * Returns true if a link continues the current application of a cart.
 *
 * @param token - Unknown input.
 */
export async function isContinueLink({ query }: Database, code: string, token: string, now: Instant): Promise<boolean> {
  const session = await findCurrentSession(query, code, now);
  return session !== undefined && opens(token, session);
}

/**
 * Continues the current application of a cart in the browser that followed a link. The pages of other browsers no longer show it.
 *
 * @param token - Unknown input.
 * @param nextSessionHash - Hash of the secret that the checkout continues under.
 * @returns False if the link does not work, or no longer does.
 */
export async function useContinueLink(
  database: Database,
  code: string,
  token: string,
  nextSessionHash: string,
  now: Instant,
): Promise<boolean> {
  const found = await findCurrentSession(database.query, code, now);
  if (!found) return false;
  return database.write(async (tx) => {
    const session = await lockSession(tx, found.application, now);
    if (!opens(token, session)) return false;
    await saveApplication(tx, session.application, { sessionHash: nextSessionHash });
    return true;
  });
}

function opens(token: string, session: StartedSession): boolean {
  return isUnanswered(session) && isSecretOf(token, session.application.codes.continue?.hash ?? '');
}
