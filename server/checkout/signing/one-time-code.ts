import { createHmac, createSecretKey, hkdfSync, type KeyObject, timingSafeEqual } from 'node:crypto';
import { fill } from '../../../shared/languages/texts.ts';
import type { Notice } from '../../agreements/sent-notices.ts';
import { fullName } from '../../base/contact.ts';
import { referenceOf } from '../../lending/applications/reference.ts';
import type { CodePurpose, StoredCode } from '../../lending/applications/signature.ts';
import { type Application, type ApplicationRef, saveApplication } from '../../lending/applications/store.ts';
import type { Tx } from '../../db/database.ts';
import { lookupHash } from '../../db/sealed.ts';
import { newDigits, newId } from '../../base/ids.ts';
import { ATTEMPT_MS, countAttempt, type LimitedSubject } from '../../http/attempts.ts';
import { recipientOf } from '../../messages/addresses.ts';
import { buyerEmail } from '../../messages/buyer-email.ts';
import { recordOpened } from '../../messages/notice-delivery.ts';
import { enqueueMessage } from '../../messages/outbox.ts';
import { countedRecipient } from '../../messages/store.ts';
import { texts } from '../../base/texts.ts';
import { HOUR_MS, type Instant, plusMs } from '../../base/time.ts';
import type { CheckoutDeps, EmailOptions } from '../session/deps.ts';
import { lockSession, lockShownSession, type ShownApplication } from '../session/load.ts';
import type { StartedSession } from '../session/session.ts';
import { canSign } from '../session/state.ts';

const DIGITS = 6;
const CODE_MINUTES = 10;
const MINUTE_MS = 60_000;
/** Wrong codes, after which a new code must be sent. */
const MAX_ATTEMPTS = 5;

/** `expired`: too old, used, or never sent. `exhausted`: too many wrong codes were entered. */
export type CodeResult = 'correct' | 'wrong' | 'expired' | 'exhausted';

/** The result of a request for an e-mail or a text message. */
export type SendResult = 'sent' | 'too-many' | 'unavailable';

/** Thrown after the attempt was counted. */
export class WrongCodeError extends Error {
  override readonly name = 'WrongCodeError';
  readonly result: Exclude<CodeResult, 'correct'>;

  constructor(result: Exclude<CodeResult, 'correct'>) {
    super(`Expected the code that was sent to the buyer, but received one that is ${result}.`);
    this.result = result;
  }
}

/** Derives the key of the hashes of codes from the key of form tokens. RFC 5869. */
export function codeKeyOf(serviceKey: KeyObject): KeyObject {
  return createSecretKey(Buffer.from(hkdfSync('sha256', serviceKey, '', 'one-time codes', 32)));
}

/** The purposes of codes that a page of the checkout sends. */
type ShownPurpose = Exclude<CodePurpose, 'notice' | 'consent'>;

export type CodeDeps = Pick<CheckoutDeps, 'database' | 'codeKey' | 'mail' | 'attemptLimits' | 'wakeDelivery'>;

/**
 * Sends a new code to the buyer, which replaces an earlier one: by e-mail, or by text message if the program requires that.
 *
 * The limit of codes to one recipient also limits guesses: by default, at most 25 a day of one in a million.
 *
 * @returns `too-many` - the recipient was sent too many codes in the last 24 hours; `unavailable` - there is no sender for such messages.
 * @throws ServiceError `cart-closed` - the checkout is not at the agreement, or not completed.
 */
export function sendCode(deps: CodeDeps, shown: ShownApplication, purpose: ShownPurpose, now: Instant): Promise<SendResult> {
  const { attemptLimits } = deps;
  return send(deps, purpose, now, async (tx) => {
    const session = await lockShownSession(tx, shown, now, (each) => sendsCode(each, purpose));
    const { email, phone } = session.application.billingContact;
    const to = channelOf(session, purpose) === 'text' ? phone : email;
    const hash = await countedRecipient(tx, 'code-recipient', to);
    return { session, to, limited: { hash, limit: attemptLimits?.codesPerRecipient ?? 0, periodMs: ATTEMPT_MS } };
  });
}

/** Codes for the notices, or to withdraw the consent, of one application in an hour. */
const CODES_PER_HOUR = 5;

/**
 * Sends a new code to open a notice, to the address that the notice was sent to. The codes are counted for its application
 * alone, so that requests for other applications with the same address do not use them up. Limits guesses to 25 an hour.
 *
 * @returns See `sendCode`; `too-many` - in the last hour.
 */
export function sendNoticeCode(deps: CodeDeps, { email }: Notice, now: Instant): Promise<SendResult> {
  return send(deps, 'notice', now, async (tx) => {
    const session = await lockNoticed(tx, email, now);
    const hash = await lookupHash(tx, 'notice-code', email.applicationId);
    const limited = { hash, limit: CODES_PER_HOUR, periodMs: HOUR_MS };
    return { session, to: recipientOf(email.url), limited };
  });
}

/** Sends a new code to withdraw the consent to electronic documents. The codes are counted as those of notices. */
export function sendConsentCode(deps: CodeDeps, ref: ApplicationRef, now: Instant): Promise<SendResult> {
  return send(deps, 'consent', now, async (tx) => {
    const session = await lockSession(tx, ref, now);
    const hash = await lookupHash(tx, 'consent-code', ref.id);
    const limited = { hash, limit: CODES_PER_HOUR, periodMs: HOUR_MS };
    return { session, to: session.application.billingContact.email, limited };
  });
}

/** Sends a code, unless what is counted has reached its limit. */
async function send(
  { database, codeKey, mail, wakeDelivery }: CodeDeps,
  purpose: CodePurpose,
  now: Instant,
  prepare: (tx: Tx) => Promise<{ session: StartedSession; to: string; limited: LimitedSubject }>,
): Promise<SendResult> {
  const messageId = newId();
  const code = newDigits(DIGITS);
  const result = await database.write(async (tx) => {
    const { session, to, limited } = await prepare(tx);
    const channel = channelOf(session, purpose);
    const handling = channel === 'text' ? mail.textHandling : mail.handling;
    if (handling === 'unavailable') return 'unavailable';
    const { application } = session;
    if ((await countAttempt(tx, [limited], now)).length > 0) return 'too-many';
    await saveCode(tx, application, purpose, {
      hash: hashOf(codeKey, application.id, purpose, code),
      expiresAt: plusMs(now, CODE_MINUTES * MINUTE_MS),
      failedAttempts: 0,
    });
    const about = { merchantId: session.merchant.id, cartId: application.cartId, applicationId: application.id };
    const message = contentOf(session, purpose, channel, code, mail);
    await enqueueMessage(tx, { id: messageId, ...about, handling, createdAt: now, to, ...message });
    return 'sent';
  });
  wakeDelivery();
  return result;
}

/** Locks the checkout of an application that a notice is about. */
function lockNoticed(tx: Tx, { applicationId, cartId }: Notice['email'], now: Instant) {
  return lockSession(tx, { id: applicationId, cartId: cartId ?? '' }, now);
}

function sendsCode(session: StartedSession, purpose: ShownPurpose): boolean {
  if (purpose === 'copy') return session.state === 'completed';
  return canSign(session) && session.program.signature.code !== 'none';
}

function channelOf({ program }: StartedSession, purpose: CodePurpose): 'email' | 'text' {
  return purpose === 'signature' && program.signature.code === 'sms' ? 'text' : 'email';
}

function contentOf(
  { application, program, merchant }: StartedSession,
  purpose: CodePurpose,
  channel: 'email' | 'text',
  code: string,
  { operator, publicUrl }: Pick<EmailOptions, 'operator' | 'publicUrl'>,
) {
  const t = texts[application.language];
  const { label, validity, ignore, text, messages } = t.code;
  const values = { lender: program.lender.name, minutes: CODE_MINUTES, code };
  if (channel === 'text') return { channel, content: { text: fill(text, values) } } as const;
  const { subject, intro } = messages[purpose];
  const contacts = { operator, lender: program.lender, merchant, publicUrl, reference: referenceOf(application.id) };
  const blocks = [
    { paragraphs: [fill(intro, values)], rows: [[label, code]] as const },
    { paragraphs: [fill(validity, values), ignore] },
  ];
  // Before an approval, anyone may have typed the name with the address of another person.
  const name = purpose === 'notice' ? '' : fullName(application.billingContact);
  const content = buyerEmail({ language: t.language, name, subject: fill(subject, values), contacts, blocks });
  return { channel, content } as const;
}

/**
 * Compares an entered code with the one that was sent, in the database transaction of what it allows. A correct code cannot be used
 * again; a wrong one is counted. The caller has locked the checkout, and must commit.
 */
export async function useCode(
  tx: Tx,
  codeKey: KeyObject,
  application: Application,
  purpose: CodePurpose,
  entered: string,
  now: Instant,
): Promise<{ result: CodeResult; application: Application }> {
  const stored = application.codes[purpose];
  if (!stored || stored.hash === '' || stored.expiresAt <= now) return { result: 'expired', application };
  if (stored.failedAttempts >= MAX_ATTEMPTS) return { result: 'exhausted', application };
  const hash = hashOf(codeKey, application.id, purpose, entered.replace(/\s/g, ''));
  const isCorrect = timingSafeEqual(Buffer.from(hash), Buffer.from(stored.hash));
  const change = isCorrect ? { hash: '' } : { failedAttempts: stored.failedAttempts + 1 };
  return {
    result: isCorrect ? 'correct' : 'wrong',
    application: await saveCode(tx, application, purpose, { ...stored, ...change }),
  };
}

/**
 * Uses the code that opens the signed copy.
 *
 * @throws ServiceError `cart-closed` - the checkout is not completed.
 */
export function useCopyCode(
  { database, codeKey }: Pick<CodeDeps, 'database' | 'codeKey'>,
  shown: ShownApplication,
  entered: string,
  now: Instant,
): Promise<CodeResult> {
  return database.write(async (tx) => {
    const { application } = await lockShownSession(tx, shown, now, (each) => sendsCode(each, 'copy'));
    return (await useCode(tx, codeKey, application, 'copy', entered, now)).result;
  });
}

/** Uses the code that opens a notice, and reports to the lender that it was opened. */
export function useNoticeCode(
  { database, codeKey }: Pick<CodeDeps, 'database' | 'codeKey'>,
  { email }: Notice,
  entered: string,
  now: Instant,
): Promise<CodeResult> {
  const eventId = newId();
  return database.write(async (tx) => {
    const { application } = await lockNoticed(tx, email, now);
    const { result } = await useCode(tx, codeKey, application, 'notice', entered, now);
    if (result === 'correct') await recordOpened(tx, email, eventId, now);
    return result;
  });
}

/** Uses the code that withdraws the consent to electronic documents, and calls `withdraw` in the same database transaction. */
export function useConsentCode(
  { database, codeKey }: Pick<CodeDeps, 'database' | 'codeKey'>,
  ref: ApplicationRef,
  entered: string,
  now: Instant,
  withdraw: (tx: Tx, session: StartedSession) => Promise<unknown>,
): Promise<CodeResult> {
  return database.write(async (tx) => {
    const session = await lockSession(tx, ref, now);
    const { result, application } = await useCode(tx, codeKey, session.application, 'consent', entered, now);
    if (result === 'correct') await withdraw(tx, { ...session, application });
    return result;
  });
}

/** Returns true if a code for this purpose was sent. */
export function hasCode(application: Pick<Application, 'codes'>, purpose: CodePurpose): boolean {
  return application.codes[purpose] !== undefined;
}

function saveCode(tx: Tx, application: Application, purpose: CodePurpose, code: StoredCode): Promise<Application> {
  return saveApplication(tx, application, { codes: { ...application.codes, [purpose]: code } });
}

function hashOf(key: KeyObject, applicationId: string, purpose: CodePurpose, code: string): string {
  return createHmac('sha256', key).update([applicationId, purpose, code].join('|')).digest('hex');
}
