import type { LoanDisclosure } from '../../../shared/disclosure/loan-disclosure.ts';
import { counted, fill } from '../../../shared/languages/texts.ts';
import type { ScheduledPayment } from '../../lending/lenders/lender.ts';
import { type Block, merchantInEmail } from '../../messages/buyer-email.ts';
import type { Texts } from '../../base/texts.ts';
import type { CurrentLoan } from './loan.ts';

/** The companies and the currency of a loan. */
export interface LoanParties {
  lender: string;
  merchant: string;
  currency: string;
}

type LoanBlock = Block & { heading: string; paragraphs: readonly string[] };

export function loanPartiesOf({ creditor, merchantName, currency }: LoanDisclosure, t: Texts): LoanParties {
  return { lender: creditor.name, merchant: merchantName ?? t.loan.theMerchant, currency };
}

/** Returns the same as e-mails have it. */
export function emailPartiesOf(disclosure: LoanDisclosure, t: Texts): LoanParties {
  const parties = loanPartiesOf(disclosure, t);
  return { ...parties, merchant: merchantInEmail(parties.merchant, t) };
}

/** Returns the block of a page or an e-mail about a card that did not pay its portion; undefined if it may still pay. */
export function cardBlock({ state, unpaidCardCents }: CurrentLoan, parties: LoanParties, t: Texts): LoanBlock | undefined {
  if (unpaidCardCents === 0) return undefined;
  const { titles, declined, declinedWithoutLoan } = t.loanNow;
  const amount = t.money(unpaidCardCents, parties.currency);
  return { heading: titles.card, paragraphs: [fill(state === 'void' ? declinedWithoutLoan : declined, { ...parties, amount })] };
}

/** Returns the block of an e-mail about a card that paid its portion after it could not be charged; undefined if nothing of it is left. */
export function chargedBlock(cents: number, parties: LoanParties, { loanNow, money }: Texts): LoanBlock | undefined {
  if (cents === 0) return undefined;
  const amount = money(cents, parties.currency);
  return { heading: loanNow.titles.charged, paragraphs: [fill(loanNow.charged, { ...parties, amount })] };
}

/** Returns the block of a page or an e-mail about a loan after changes; undefined while it is as signed. */
export function loanBlock(loan: CurrentLoan, parties: LoanParties, t: Texts): LoanBlock | undefined {
  const { loanNow } = t;
  const { state, cause, payments, reducedCents, creditedCents, cardRefundedCents, startedOn } = loan;
  const date = startedOn ? t.date(startedOn) : '';
  const filled = (text: string, cents = 0) => fill(text, { ...parties, amount: t.money(cents, parties.currency), date });
  const stated = (text: string, cents: number) => (cents > 0 ? [filled(text, cents)] : []);
  const card = cardBlock(loan, parties, t);
  if (cause)
    return {
      heading: loanNow.titles[cause],
      paragraphs: [filled(loanNow.void[cause]), filled(loanNow.isVoid), ...(card?.paragraphs ?? [])],
    };
  if (state === 'signed' && !payments) return card;
  const what = {
    signed: [],
    void: [],
    reduced: [...stated(loanNow.reduced, reducedCents - creditedCents), ...stated(loanNow.credited, creditedCents)],
    refunded: [filled(loanNow.refunded)],
  }[state];
  const start = startedOn && payments?.length !== 0 ? [filled(loanNow.started)] : [];
  const figures = payments?.length === 0 ? [filled(loanNow.repaid)] : sourceOf(loan, t).map((text) => filled(text));
  return {
    heading: loanNow.titles[state === 'void' ? 'paid-by-card' : state],
    paragraphs: [
      ...start,
      ...what,
      ...stated(loanNow.cardRefunded, cardRefundedCents),
      ...figures,
      ...costOf(loan, parties, t),
      ...(card?.paragraphs ?? []),
    ],
    ...(payments && payments.length > 0 && { rows: paymentRows(loan, payments, parties, t) }),
  };
}

/** Returns fees with their amounts, such as "Origination fee of $19.00 and Service fee of $9.00". */
export function namedFees(fees: LoanDisclosure['fees'], currency: string, { loan, money, list }: Texts): string {
  return list(fees.map(({ kind, cents }) => fill(loan.feeOf, { fee: loan.feeNames[kind], amount: money(cents, currency) })));
}

/** Returns the sentences about the cost of a changed loan and its fees; none if neither a part of the loan nor a fee is left. */
function costOf({ cost }: CurrentLoan, { currency }: LoanParties, t: Texts): string[] {
  if (!cost) return [];
  const { loanNow } = t;
  const { amountFinancedCents, financeChargeCents, aprBps, fees, areFeesKept } = cost;
  const values = {
    amount: t.money(amountFinancedCents, currency),
    charge: t.money(financeChargeCents, currency),
    apr: t.apr(aprBps / 10_000),
    fees: namedFees(fees, currency, t),
  };
  return [
    ...(amountFinancedCents > 0 ? [fill(loanNow.cost, values)] : []),
    ...(fees.length > 0 ? [fill(areFeesKept ? loanNow.feesStay : loanNow.fees, values)] : []),
  ];
}

/** The source of the payments. Those of a smaller loan that is not made yet, and all payments of a loan that started later, are certain. */
function sourceOf({ state, payments, calculatedBy, isFunded }: CurrentLoan, { loanNow }: Texts): string[] {
  if (!payments) return [loanNow.unknown];
  if (calculatedBy === 'lender') return [loanNow.stated];
  return isFunded && state !== 'signed' ? [loanNow.assumed] : [];
}

function paymentRows(
  { state, startedOn }: CurrentLoan,
  payments: readonly ScheduledPayment[],
  { currency }: LoanParties,
  t: Texts,
): [string, string][] {
  const runs: { count: number; cents: number }[] = [];
  for (const { amountCents: cents } of payments) {
    const last = runs.at(-1);
    if (last?.cents === cents) last.count++;
    else runs.push({ count: 1, cents });
  }
  const words = t.agreementEmail;
  const counts = runs.map(({ count, cents }) => fill(counted(words.paymentsOf, count), { amount: t.money(cents, currency) }));
  const total = payments.reduce((sum, { amountCents }) => sum + amountCents, 0);
  return [
    [words.payments, t.list(counts)],
    ...payments
      .slice(0, 1)
      .map(({ dueOn }): [string, string] => [
        state === 'signed' && startedOn ? words.firstDue : t.loanNow.nextDue,
        t.date(dueOn),
      ]),
    [t.tila.totalOfPayments, t.money(total, currency)],
  ];
}
