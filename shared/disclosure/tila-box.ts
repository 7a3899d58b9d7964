import type { FirstPeriod } from '../apr/monthly.ts';
import type { CivilDate } from '../dates.ts';
import type { Fee } from '../programs/program.ts';
import type { Installment } from '../repayment.ts';

/**
 * The disclosures of a loan, as Regulation Z wants them before a buyer is bound: the model of what every page, message and
 * agreement shows, and what is stored with the signature.
 *
 * Complete in itself: it can be shown, and every number in it proved again, when the program it came from is long gone. Amounts
 * are in the minor unit of `currency`, cents for short.
 *
 * @see 12 CFR 1026.18; model form H-2 of its Appendix H.
 */
export interface TilaBox {
  /** Of the wording around the numbers, and of this shape: `DISCLOSURE_VERSION`. */
  disclosureVersion: number;
  /** Of the mathematics: `CALCULATION_VERSION`. */
  calculationVersion: number;
  /** Who lends, and by what licence in the buyer's state; null when the program names none. 1026.18(a). */
  creditor: { name: string; licence: string | null };
  /** Who is paid by the loan; null while that is not known. */
  merchantName: string | null;
  creditType: 'loan' | 'creditSale';
  /** ISO 4217 code. */
  currency: string;
  programId: string;
  programVersion: number;
  offerId: string;
  tierId: string;
  /** The buyer's state; null while it is not known. */
  state: string | null;
  /** The day the loan is made. */
  date: CivilDate;

  /** The annual percentage rate as it is stated, a fraction of four decimals: `0.0999`. 1026.18(e). */
  apr: number;
  /** What the buyer pays for the credit: the interest, and the fees that are part of the finance charge. 1026.18(d). */
  financeChargeCents: number;
  /** 1026.18(b). */
  amountFinancedCents: number;
  /** 1026.18(h). */
  totalOfPaymentsCents: number;
  /** What the purchase costs on credit in all, the down payment included; null unless it is a credit sale. 1026.18(j). */
  totalSalePriceCents: number | null;

  /** The part of the order that this credit is about. */
  purchaseCents: number;
  downPaymentCents: number;
  /** What the buyer pays the seller by card besides; left out when nothing. In a credit sale a down payment: 1026.2(a)(18). */
  cardCents?: number;
  fees: BoxFee[];
  /** What the buyer owes at first: the purchase less the down payment, and the fees that are lent. */
  principalCents: number;
  /** The fees that are part of the finance charge, lent or not. */
  prepaidFinanceChargeCents: number;
  /** The down payment, and the fees that are not lent. */
  dueTodayCents: number;
  /** What the amount financed consists of: it is their sum. 1026.18(c). */
  itemization: AmountFinancedItem[];

  /** Yearly interest of the loan itself, in basis points. */
  noteRateBps: number;
  /** How long after `date` the first payment is due; the others follow a month apart. */
  firstPaymentAfter: FirstPeriod;
  /** The same as the APR counts it: a month where 1026.17(c)(4) lets a slightly longer first period count as one. */
  firstPeriod: FirstPeriod;
  /** Whether the time beyond a month bears interest, paid with the first payment, and how many days a year then has. */
  oddDaysInterest: 'none' | '360' | '365';
  payments: DuePayment[];
  /** `payments` as they are told: 1026.18(g). */
  paymentRows: PaymentRow[];

  /** `refund`: whether a prepaid finance charge is paid back when the loan is repaid early; null when there is none. 1026.18(k). */
  prepayment: { penalty: false; refund: false | null };
  /** What a late payment costs: the sum of both, `percentBps` being basis points of that payment. 1026.18(l). */
  late: { flatCents: number; percentBps: number };
  /** 1026.18(m). */
  security: 'none';
  /** What the loan may cost at most in the buyer's state, in basis points a year; null for no military cap. */
  caps: { aprBps: number; maprBps: number | null };
  /** What the residents of the buyer's state must be told, in English. */
  stateNotice: string | null;
}

/** A fee that is charged for this loan. */
export interface BoxFee extends Pick<Fee, 'kind' | 'financeCharge' | 'financed' | 'mapr'> {
  cents: number;
}

/** One payment and when it is due. */
export interface DuePayment extends Installment {
  dueOn: CivilDate;
}

/** Payments of one amount that follow each other, monthly from the first on. */
export interface PaymentRow {
  count: number;
  paymentCents: number;
  firstDueOn: CivilDate;
}

/** A part of the amount financed; below 0 is what is taken off. */
export type AmountFinancedItem =
  /** Paid to the merchant on the buyer's behalf. */
  | { kind: 'merchant'; cents: number }
  /** A fee that is lent, kept by the creditor. */
  | { kind: 'fee'; fee: BoxFee['kind']; cents: number }
  /** A fee that is part of the finance charge is not credit that the buyer has the use of. */
  | { kind: 'prepaidFinanceCharge'; cents: number };
