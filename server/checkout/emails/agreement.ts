import { counted, fill } from '../../../shared/disclosure/texts.ts';
import type { TilaBox } from '../../../shared/disclosure/tila-box.ts';
import type { Letter } from '../../notifications/outbox.ts';
import type { PaymentAgreement } from '../signing/agreement.ts';
import { buyerLetter } from './email.ts';
import type { Texts } from '../texts/texts.ts';
import type { CardShare } from '../signing/facts.ts';

/** The letter that brings a buyer the link to what they signed, and the figures they will look for. */
export function agreementLetter(
  { disclosure: box, signedAt }: PaymentAgreement,
  { name, url, card }: { name: string; url: string; card: CardShare | undefined },
  t: Texts,
): Letter {
  const words = t.agreementLetter;
  const lender = box.creditor.name;
  const intro = fill(words.intro, {
    date: t.date(signedAt.slice(0, 10)),
    lender,
    merchant: box.merchantName ?? t.loan.theMerchant,
  });
  return buyerLetter({
    language: t.language,
    name,
    subject: fill(words.subject, { lender }),
    greeting: fill(words.greeting, { name }),
    blocks: [{ paragraphs: [intro], link: url }, { rows: figures(box, card, t) }, { paragraphs: [words.private] }],
  });
}

function figures(box: TilaBox, card: CardShare | undefined, t: Texts): [string, string][] {
  const words = t.agreementLetter;
  const money = (cents: number) => t.money(cents, box.currency);
  const payments = box.paymentRows.map(({ count, paymentCents }) =>
    fill(counted(words.paymentsOf, count), { amount: money(paymentCents) }),
  );
  return [
    [t.tila.amountFinanced, money(box.amountFinancedCents)],
    [t.tila.apr, t.apr(box.apr)],
    [words.payments, t.list(payments)],
    [words.firstDue, t.date(box.payments[0]!.dueOn)],
    ...(card ? [[words.byCard, `${money(card.cents)}, ${card.label}`] as [string, string]] : []),
  ];
}
