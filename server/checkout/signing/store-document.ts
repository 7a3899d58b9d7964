import { buyerOf, fullName } from '../../applications/contact.ts';
import type { ApplicationRow } from '../../applications/store.ts';
import type { Tx } from '../../db/database.ts';
import { enqueueMessage } from '../../notifications/outbox.ts';
import { fill } from '../../../shared/disclosure/texts.ts';
import type { Instant } from '../../time.ts';
import { partiesOf, type PaymentAgreement, signedAgreement } from './agreement.ts';
import type { BuyerMail } from '../deps.ts';
import type { Session, StartedSession } from '../session/session.ts';
import { texts } from '../texts/texts.ts';
import type { CardShare } from './facts.ts';
import { agreementLetter } from '../emails/agreement.ts';
import { documentOf } from './render.ts';
import { addDocument, findDocumentCode } from './store.ts';

/** Where a buyer finds what they signed. */
function documentUrl(publicUrl: string, code: string): string {
  return `${publicUrl}/a/${code}`;
}

/**
 * Keeps what is signed as a page. Belongs into the database transaction of the signature.
 *
 * @returns The agreement with the hash of that page in it.
 */
export async function keepDocument(
  tx: Tx,
  session: StartedSession,
  signed: PaymentAgreement,
  { id, code }: { id: string; code: string },
  { mode }: Pick<BuyerMail, 'mode'>,
): Promise<PaymentAgreement> {
  const { cart, purchase, application } = session;
  const t = texts[application.language];
  const { html, language, sha256 } = documentOf(
    {
      agreement: signed,
      parties: partiesOf(session),
      orderRef: purchase.options.orderRef ?? '',
      totalCents: purchase.totals.totalCents,
      card: cardShare(session, application),
      consents: [t.agreement.electronic, fill(t.agreement.agree, { lender: signed.disclosure.creditor.name })],
      isSandbox: mode === 'sandbox',
    },
    t,
  );
  await addDocument(tx, {
    id,
    application_id: application.id,
    merchant_id: cart.merchant_id,
    code,
    language,
    html,
    sha256,
    created_at: signed.signedAt,
  });
  return { ...signed, documentHash: sha256 };
}

/**
 * Promises the buyer an e-mail with the link to what they signed. Belongs into the database transaction that completes the
 * checkout. Where nothing can send it, nothing is promised.
 */
export async function sendDocument(
  tx: Tx,
  session: Session,
  application: ApplicationRow,
  { publicUrl, outlet }: BuyerMail,
  id: string,
  now: Instant,
): Promise<void> {
  const signed = signedAgreement(application);
  const code = await findDocumentCode(tx, application.id);
  if (outlet === 'refused' || !signed || code === undefined) return;
  const buyer = buyerOf(application);
  const about = { name: fullName(buyer), url: documentUrl(publicUrl, code), card: cardShare(session, application) };
  await enqueueMessage(tx, {
    id,
    merchantId: session.merchant.id,
    outlet,
    createdAt: now,
    channel: 'email',
    to: buyer.email,
    content: agreementLetter(signed, about, texts[application.language]),
  });
}

function cardShare(
  { parts: { cardCents } }: Pick<Session, 'parts'>,
  { card_label: label }: ApplicationRow,
): CardShare | undefined {
  return cardCents > 0 ? { cents: cardCents, label } : undefined;
}
