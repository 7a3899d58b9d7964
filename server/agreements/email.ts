import { counted, fill } from '../../shared/languages/texts.ts';
import type { PaymentAgreement } from '../lending/applications/signature.ts';
import { buyerEmail } from '../messages/buyer-email.ts';
import type { EmailContacts } from '../messages/contacts.ts';
import type { EmailContent } from '../messages/outbox.ts';
import type { Texts } from '../base/texts.ts';
import { emailPartiesOf, loanBlock } from '../purchases/transactions/loan-block.ts';
import type { CurrentLoan } from '../purchases/transactions/loan.ts';

/** The card that pays a portion of a purchase. */
export interface CardPayment {
  amountCents: number;
  /** Label of the card, such as `Visa 4242`. */
  label: string;
}

/**
 * Returns the e-mail with the link to the signed agreement and its main figures, or the state of the loan if that has changed since.
 *
 * @param about.loan - Undefined when the agreement is signed.
 */
export function agreementEmail(
  signed: SignedFigures,
  about: {
    name: string;
    /** Of the document. */
    url: string;
    hasPdf: boolean;
    /** Days for which the link alone shows the document. */
    linkDays: number;
    card: CardPayment | undefined;
    loan?: CurrentLoan | undefined;
    contacts: EmailContacts;
  },
  t: Texts,
): EmailContent {
  const { disclosure } = signed;
  const { name, url, hasPdf, linkDays, card, loan, contacts } = about;
  const words = t.agreementEmail;
  const parties = emailPartiesOf(disclosure, t);
  const intro = fill(words.intro, { date: t.date(disclosure.date), ...parties });
  const changed = loan && loanBlock(loan, parties, t);
  // A loan that has ended has an empty list. Null means the payments of the agreement, or payments that are not known.
  const isPayable = loan?.payments?.length !== 0;
  return buyerEmail({
    language: t.language,
    name,
    subject: fill(words.subject, { ...parties }),
    contacts,
    blocks: [
      { paragraphs: [intro], button: { label: t.copy.open, url } },
      ...(changed ? [changed] : []),
      ...(loan?.payments ? [] : [{ rows: planFigures(signed, card, t) }]),
      ...(hasPdf ? [{ paragraphs: [words.asPdf], link: `${url}/agreement.pdf` }] : []),
      ...(isPayable && disclosure.servicing
        ? [{ heading: t.servicing.heading, paragraphs: [fill(t.servicing.how, disclosure.servicing)] }]
        : []),
      { paragraphs: [words.private, fill(words.linkEnds, { days: String(linkDays) })] },
      { paragraphs: [words.onPaper], link: `${url}/consent` },
    ],
  });
}

/** The signed disclosure, with the lender's number of the loan. */
type SignedFigures = Pick<PaymentAgreement, 'disclosure' | 'loanNumber'>;

/** Returns the signed plan and the card payment as labels and values. */
export function planFigures(
  { disclosure, loanNumber }: SignedFigures,
  card: CardPayment | undefined,
  t: Texts,
): [string, string][] {
  const words = t.agreementEmail;
  const money = (cents: number) => t.money(cents, disclosure.currency);
  const payments = disclosure.paymentRows.map(({ count, paymentCents }) =>
    fill(counted(words.paymentsOf, count), { amount: money(paymentCents) }),
  );
  const [first, ...later] = disclosure.payments;
  const byCard: [string, string][] = card ? [[words.byCard, `${money(card.amountCents)}, ${card.label}`]] : [];
  return [
    [t.tila.amountFinanced, money(disclosure.amountFinancedCents)],
    [t.tila.apr, t.apr(disclosure.apr)],
    [words.payments, t.list(payments)],
    [t.tila.totalOfPayments, money(disclosure.totalOfPaymentsCents)],
    [words.firstDue, t.date(first!.dueOn)],
    ...(later.length > 0 ? [[words.lastDue, t.date(later.at(-1)!.dueOn)] satisfies [string, string]] : []),
    ...byCard,
    ...(loanNumber === undefined ? [] : [[words.loanNumber, loanNumber] satisfies [string, string]]),
  ];
}
