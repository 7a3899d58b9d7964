import type { FirstPeriod } from '../apr.ts';
import type { CivilDate } from '../dates.ts';
import type { Fee, License } from '../programs/program.ts';
import type { Installment } from '../amortization.ts';

/**
 * The Truth in Lending disclosure that Regulation Z requires before a buyer is bound. Pages, messages and agreements show this
 * data, and it is stored with the signature.
 *
 * It is self-contained: it can be shown and verified without the program it was created from. Amounts are in the minor unit of
 * `currency`, called cents.
 *
 * @see 12 CFR 1026.18; model form H-2 of its Appendix H.
 */
export interface LoanDisclosure {
  /** `DISCLOSURE_VERSION`: version of this format and of the text around the numbers. */
  disclosureVersion: number;
  /** `CALCULATION_VERSION`: version of the calculations. */
  calculationVersion: number;
  /** The lender and its license in the buyer's state, as far as the program states them. NMLS: the licensing system of the states. 1026.18(a). */
  creditor: { name: string; nmlsId: string | null; license: License | null };
  /** The merchant, or null if not known yet. */
  merchantName: string | null;
  /** ISO 4217 code. */
  currency: string;
  programId: string;
  programVersion: number;
  offerId: string;
  tierId: string;
  /** The buyer's state, or null if not known yet. */
  state: string | null;
  date: CivilDate;

  /** Stated annual percentage rate, a fraction with four decimals: `0.0999`. 1026.18(e). */
  apr: number;
  /** Cost of the credit: the interest and the fees that are part of the finance charge. 1026.18(d). */
  financeChargeCents: number;
  /** 1026.18(b). */
  amountFinancedCents: number;
  /** 1026.18(h). */
  totalOfPaymentsCents: number;

  /** The financed part of the order. */
  purchaseCents: number;
  downPaymentCents: number;
  /** Amount paid to the seller by card in addition. Omitted if zero. */
  cardCents?: number;
  fees: DisclosedFee[];
  /** Initial balance: purchase minus down payment, plus the financed fees. */
  principalCents: number;
  /** Fees that are part of the finance charge, financed or not. */
  prepaidFinanceChargeCents: number;
  /** The down payment and the fees that are not financed. */
  dueTodayCents: number;
  /** Itemization of the amount financed, which is their sum. 1026.18(c). */
  itemization: AmountFinancedItem[];

  /** Annual interest rate of the note, in basis points. */
  noteRateBps: number;
  /** Time from `date` to the first payment. The others follow monthly. */
  firstPaymentAfter: FirstPeriod;
  /** First period as counted in the APR: one month if 1026.17(c)(4) allows its irregularity to be disregarded. */
  firstPeriod: FirstPeriod;
  /** Interest for the days beyond one month, which is paid with the first payment: none, or by the number of days per year. */
  oddDaysInterest: 'none' | '360' | '365';
  /**
   * Start of interest: the day on which the lender pays the merchant, or `date`, on which the figures are based in both cases. Absent before
   * version 4, which did not state it.
   */
  interestFrom?: 'settlement' | 'signature' | undefined;
  payments: DuePayment[];
  /** `payments` grouped for display: 1026.18(g). */
  paymentRows: PaymentRow[];

  /**
   * `refund`: whether a prepaid finance charge is refunded on early repayment. null without such a charge. 1026.18(k). `feeRefundDays`: days
   * after the loan is made in which a refund by the merchant also returns the fees in proportion. Absent without such days.
   */
  prepayment: { penalty: false; refund: false | null; feeRefundDays?: number | undefined };
  /**
   * Charge for a payment that is more than `graceDays` days late: `flatCents`, `percentBps` basis points of that payment, or if both are
   * above 0 their sum, the lesser or the greater of the two. 1026.18(l).
   */
  late: { flatCents: number; percentBps: number; graceDays: number; combine: 'sum' | 'lesser' | 'greater' };
  /** 1026.18(m). */
  security: 'none';
  /** The company and the addresses to which the buyer pays; null if the program does not state them. */
  servicing: { name: string; payUrl: string; address: string; phone: string } | null;
  /** Maximum rates in basis points per year: the APR in the buyer's state, and the military APR (10 USC 987), null without a cap. */
  caps: { aprBps: number; maprBps: number | null };
  /** Version of the lender's agreement; null if the program has none. */
  agreementVersion: string | null;
  /** True if the agreement contains the notice of the FTC Holder Rule: 16 CFR 433.2(b). */
  holderNotice: boolean;
  /**
   * For servicemembers and their dependents, with the toll-free number of the lender: 32 CFR 232.6. null for other buyers.
   */
  coveredBorrower: { phone: string | null } | null;
  /** The notices that the buyer's state requires in the agreement. Paragraphs are separated by line breaks. */
  stateNotices: string[];
  /** Those that it requires directly above the signature. Omitted without any. */
  signatureNotices?: string[];
}

/** A fee. `financeCharge`, `financed` and `mapr`: it is part of the finance charge, of the principal, and of the military APR. */
export interface DisclosedFee extends Pick<Fee, 'kind' | 'financeCharge' | 'financed' | 'mapr'> {
  cents: number;
}

/** A payment and its due date. */
export interface DuePayment extends Installment {
  dueOn: CivilDate;
}

/** Consecutive monthly payments of the same amount. */
export interface PaymentRow {
  count: number;
  paymentCents: number;
  firstDueOn: CivilDate;
}

/** An item of the amount financed. Negative amounts are subtracted. */
export type AmountFinancedItem =
  /** Paid to the merchant on the buyer's behalf. */
  | { kind: 'merchant'; cents: number }
  /** A financed fee, retained by the creditor. */
  | { kind: 'fee'; fee: DisclosedFee['kind']; cents: number }
  /** Subtracted because a fee that is part of the finance charge is not available to the buyer as credit. */
  | { kind: 'prepaidFinanceCharge'; cents: number };
