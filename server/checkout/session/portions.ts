import { computeFinancing } from '../../../shared/financing.ts';
import { fill } from '../../../shared/languages/texts.ts';
import type { Program } from '../../../shared/programs/program.ts';
import type { Application } from '../../lending/applications/store.ts';
import type { Purchase } from '../../purchases/carts/totals.ts';
import { rateSheetOf } from '../../lending/programs/programs.ts';
import type { Texts } from '../../base/texts.ts';

/** The division of the total into loan and card payment. Before a decision, as if the lender approved all of it. */
export interface Portions {
  /** The amount of the loan that is paid to the merchant: the amount financed. */
  financedCents: number;
  /** The card payment: the part of the total that the lender did not approve, and the down payment. */
  cardCents: number;
  /** Part of `cardCents`. */
  downPaymentCents: number;
}

/** Returns the portions that pages and e-mails state. */
export function portionsOf(
  { program, purchase }: { program: Program; purchase: Purchase },
  application: Pick<Application, 'billingContact' | 'financedCents'> | undefined,
): Portions {
  const { totalCents } = purchase.totals;
  const approvedCents = application?.financedCents ?? totalCents;
  const { downPaymentCents } = computeFinancing(rateSheetOf(program, application?.billingContact.state), approvedCents);
  const cardCents = totalCents - approvedCents + downPaymentCents;
  return { financedCents: totalCents - cardCents, cardCents, downPaymentCents };
}

/** States what is paid by card, and the down payment in it; empty if nothing is. */
export function restByCard(portions: Portions, currency: string, t: Texts): string {
  if (portions.cardCents === 0) return '';
  const part = fill(t.plans.part, { remainder: t.money(portions.cardCents, currency) });
  return [part, includedDownPayment(portions, currency, t)].filter(Boolean).join(' ');
}

/** States that a card payment includes the down payment; empty without one. */
export function includedDownPayment({ downPaymentCents }: Portions, currency: string, t: Texts): string {
  return downPaymentCents > 0 ? fill(t.loan.includesDownPayment, { amount: t.money(downPaymentCents, currency) }) : '';
}
