import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Program } from '../../shared/programs/program.ts';
import { fullName } from '../base/contact.ts';
import { referenceOf } from '../lending/applications/reference.ts';
import { newId } from '../base/ids.ts';
import type { Tx } from '../db/database.ts';
import { renderHtml } from '../http/pages/html.ts';
import type { Brand } from '../merchants/brand.ts';
import type { Mode } from '../base/mode.ts';
import type { MailOptions } from '../messages/buyer-email.ts';
import { htmlHash } from '../messages/notices.ts';
import { enqueueBuyerEmail, subjectOf } from '../messages/notice-delivery.ts';
import { type Texts, texts } from '../base/texts.ts';
import type { Instant } from '../base/time.ts';
import type { CurrentLoan } from '../purchases/transactions/loan.ts';
import { type FinancedPurchase, partiesOf, signedAgreement, type Terms, termsOf } from './agreement.ts';
import { agreementConsents, consentsAt } from './consents.ts';
import { agreementDocument, englishContent, type SignedFacts } from './document-template.ts';
import { agreementEmail, type CardPayment } from './email.ts';
import type { StoredDocument } from './store.ts';
import type { NewAgreement, PaymentAgreement } from '../lending/applications/signature.ts';

/**
 * Styles of every document. They are part of its signed bytes, also their comments. In `document.css`, `.tila` is the box with the Truth in
 * Lending disclosures, `.prominent` its two figures that must be more conspicuous, `.keep` the advice to keep the document, which is not
 * printed, and `.english` the agreement in English after one in another language. Tables with a fifth column are payment schedules.
 */
const STYLES = ['../http/pages/page.css', './document.css']
  .map((file) => readFileSync(new URL(file, import.meta.url), 'utf8'))
  .join('\n');

/** Options of documents and of the e-mails with their links. */
export interface DocumentOptions extends MailOptions {
  mode: Mode;
  /** Days for which the link to a signed agreement shows it without asking for the ZIP code. */
  documentLinkDays: number;
}

/** The buyer's copy of a signed agreement: the whole page, with its styles, and its hash. */
type AgreementDocument = Pick<StoredDocument, 'language' | 'html' | 'sha256'>;

/** Returns true if a stored document is the one that was signed. Any other must not be shown. */
export function isAsSigned(
  { html, sha256 }: Pick<AgreementDocument, 'html' | 'sha256'>,
  signed: PaymentAgreement | undefined,
): boolean {
  return signed !== undefined && sha256 === signed.documentHash && htmlHash(html) === sha256;
}

/**
 * Returns the content security policy of a document. Its styles are inline, so that a saved copy and a copy that is opened years later
 * look the same; their hash allows them.
 */
export function documentPolicy(html: string): string {
  const styles = /<style>([^]*?)<\/style>/.exec(html)?.[1] ?? '';
  const hash = createHash('sha256').update(styles).digest('base64');
  return [
    "default-src 'none'",
    `style-src 'sha256-${hash}'`,
    'img-src data:',
    "form-action 'none'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ');
}

/**
 * Renders the document once, when it is signed. The stored document is shown unchanged, also after templates or programs change.
 *
 * @param english - The facts in English, if the agreement was signed in another language. Both are part of the document and its hash.
 */
export function documentOf(facts: SignedFacts, t: Texts, english?: SignedFacts): AgreementDocument {
  // Text of buyers and merchants follows the style element, and is escaped.
  const html = renderHtml(agreementDocument(facts, t, english && englishContent(english))).replace(
    '<style></style>',
    () => `<style>\n${STYLES}</style>`,
  );
  return { language: t.language, html, sha256: htmlHash(html) };
}

/** White space, and the characters that both fonts of `pdf.ts` have. A test compares them with the files: reading them would delay the start. */
const PRINTABLE = new RegExp(
  `^[\\s!-~\\u00A0-\\u024F\\u0259\\u02B0-\\u0377\\u037A-\\u037F\\u0384-\\u038A\\u038C\\u038E-\\u03A1\\u03A3-\\u03E1\\u03F0-\\u052F\\u1E00-\\u1EFF` +
    `\\u2000-\\u2027\\u202F-\\u205F\\u20A0-\\u20BE\\u2100\\u2101\\u2103\\u2105\\u2106\\u2109\\u2113\\u2116\\u2117\\u211E-\\u2123\\u2125\\u2126` +
    `\\u212A\\u212B\\u212E\\u2132\\u213B\\u214D\\u214F\\u2212]*$`,
  'u',
);

/**
 * Returns true if the fonts of the PDF have every character of a document. Others would be printed as empty boxes. The whole page is
 * checked, because its markup is ASCII.
 */
export function canBePdf(html: string): boolean {
  return PRINTABLE.test(html);
}

/** Returns the buyer's document to store with the signature, and the agreement with its hash. `code` is the random part of its link. */
export function signedDocument(
  financed: FinancedPurchase,
  { agreement: text }: Terms,
  signed: NewAgreement,
  { id, code }: { id: string; code: string },
  { mode, operator }: Pick<DocumentOptions, 'mode' | 'operator'>,
  now: Instant,
): { document: StoredDocument; agreement: PaymentAgreement } {
  const { merchant, purchase, application, program } = financed;
  const facts = {
    agreement: signed,
    text,
    parties: partiesOf(financed),
    orderRef: purchase.options.orderRef ?? '',
    totalCents: purchase.totals.totalCents,
    card: cardPaymentOf(financed),
    contacts: { operator, lender: program.lender },
    timeZone: program.timeZone,
    isSandbox: mode === 'sandbox',
  };
  const inEnglish = () => {
    const { disclosure, agreement } = termsOf(financed, 'en', now);
    const consents = consentsAt(agreementConsents(program, texts.en), now);
    return { ...facts, text: agreement, agreement: { ...signed, disclosure, consents } };
  };
  const english = application.language === 'en' ? undefined : inEnglish();
  const rendered = documentOf(facts, texts[application.language], english);
  const document = {
    ...rendered,
    id,
    applicationId: application.id,
    merchantId: merchant.id,
    createdAt: signed.signedAt,
  };
  const { html, sha256 } = rendered;
  return { document, agreement: { ...signed, documentHash: sha256, documentCode: code, hasPdf: canBePdf(html) } };
}

/**
 * Enqueues the e-mail with the link to the document, in the database transaction that completes the checkout, or again.
 *
 * @param messageId - Id of the new e-mail.
 */
export async function sendDocument(
  tx: Tx,
  financed: Pick<FinancedPurchase, 'application'> & {
    program: Pick<Program, 'lender'> | undefined;
    portions: Pick<FinancedPurchase['portions'], 'cardCents'>;
    merchant: { id: string; name: string } & Brand;
    /** Undefined when the agreement is signed. */
    loan?: CurrentLoan;
  },
  { publicUrl, handling, documentLinkDays, operator }: DocumentOptions,
  messageId: string,
  now: Instant,
): Promise<void> {
  const { application, merchant, program, loan } = financed;
  const signed = signedAgreement(application);
  if (handling === 'unavailable' || !signed?.documentCode) return;
  const buyer = application.billingContact;
  const about = {
    name: fullName(buyer),
    url: `${publicUrl}/a/${signed.documentCode}`,
    hasPdf: signed.hasPdf,
    linkDays: documentLinkDays,
    card: cardPaymentOf(financed),
    loan,
    contacts: { operator, lender: program?.lender, merchant, publicUrl, reference: referenceOf(application.id) },
  };
  const content = agreementEmail(signed, about, texts[application.language]);
  // Marks the e-mail as a notice, which is kept as it was sent.
  const notice = { kinds: ['agreement'], language: application.language, sha256: signed.documentHash } as const;
  const email = { id: messageId, handling, createdAt: now, content, notice };
  await enqueueBuyerEmail(tx, application, email, subjectOf(application, newId(), now));
}

function cardPaymentOf({
  portions: { cardCents },
  application,
}: Pick<FinancedPurchase, 'application'> & { portions: { cardCents: number } }): CardPayment | undefined {
  return cardCents > 0 ? { amountCents: cardCents, label: application.cardLabel } : undefined;
}
