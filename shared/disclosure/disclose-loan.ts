import { aprFraction } from '../as-low-as.ts';
import { CALCULATION_VERSION, installmentsOf, type Plan } from '../plans.ts';
import { type CivilDate, dueDates } from '../dates.ts';
import type { Financing } from '../financing.ts';
import { agreementFor } from '../programs/documents.ts';
import type { Program } from '../programs/program.ts';
import { type RateSheet, rateSheet } from '../programs/rate-sheet.ts';
import { maxAprBpsIn, noticesOf } from '../programs/states.ts';
import { requireIdentities } from './disclosure-identities.ts';
import type { Language } from '../languages/index.ts';
import type { AmountFinancedItem, DisclosedFee, DuePayment, PaymentRow, LoanDisclosure } from './loan-disclosure.ts';

/** Raise with every change of the fields of a disclosure or of the text that pages show around them. */
export const DISCLOSURE_VERSION = 5;

/** Inputs of a disclosure other than the program and the plan. */
export interface DisclosureContext {
  /** The day the loan is made. */
  date: CivilDate;
  /** The buyer's state, if known. */
  state?: string | undefined;
  merchantName?: string | undefined;
  /** Language of the state notices. Default: English, which is also used for notices without a text in this language. */
  language?: Language | undefined;
  /** Part of the order that the buyer pays by card, in addition to the financed purchase. */
  cardCents?: number | undefined;
  /** True if the lender has identified the buyer as a covered borrower: 32 CFR 232.3(g). */
  isCoveredBorrower?: boolean | undefined;
  /** The rate sheet that the plan was computed from. Default: a new one, which takes up to 2 ms to create. */
  sheet?: RateSheet | undefined;
}

/**
 * Creates the disclosure of a plan that is signed on a date. `LoanDisclosure` describes its fields.
 *
 * @throws RangeError if its numbers are inconsistent or violate a limit, see `requireIdentities`. Such a disclosure must not be
 *   shown or signed.
 */
export function discloseLoan(
  program: Program,
  plan: Plan,
  {
    date,
    state,
    merchantName,
    language = 'en',
    cardCents = 0,
    isCoveredBorrower = false,
    sheet = rateSheet(program),
  }: DisclosureContext,
): LoanDisclosure {
  const { lender } = program;
  const { firstPaymentAfter, oddDaysInterest, interestFrom } = program.schedule;
  const { financeChargeCents, noteRateBps, firstPeriod } = plan;
  const financing: DisclosedFinancing = { ...plan.financing, fees: plan.financing.fees.map(feeOf) };
  const installments = installmentsOf(sheet, plan);
  const signatureNotices = state === undefined ? [] : noticesOf(program, state, 'signature', language);
  const dates = dueDates(date, firstPaymentAfter, installments.length);
  const payments = installments.map((installment, index) => ({ ...installment, dueOn: dates[index]! }));

  const disclosure: LoanDisclosure = {
    disclosureVersion: DISCLOSURE_VERSION,
    calculationVersion: CALCULATION_VERSION,
    creditor: { name: lender.name, nmlsId: lender.nmlsId ?? null, license: (state && lender.licenses[state]) || null },
    merchantName: merchantName ?? null,
    currency: program.currency,
    programId: program.id,
    programVersion: program.version,
    offerId: plan.offerId,
    tierId: plan.tierId,
    state: state ?? null,
    date,
    apr: aprFraction(plan.aprBps),
    financeChargeCents,
    totalOfPaymentsCents: plan.schedule.totalOfPaymentsCents,
    ...financing,
    ...(cardCents > 0 && { cardCents }),
    itemization: itemizationOf(financing),
    noteRateBps,
    firstPaymentAfter,
    firstPeriod,
    oddDaysInterest,
    interestFrom,
    payments,
    paymentRows: rowsOf(payments),
    prepayment: prepaymentOf(program, financing),
    late: lateChargeOf(program, state),
    security: 'none',
    servicing: program.servicing ? { ...program.servicing, name: program.servicing.name ?? lender.name } : null,
    caps: {
      aprBps: state === undefined ? program.caps.maxAprBps : maxAprBpsIn(program, state),
      maprBps: sheet.caps.maprCapBps,
    },
    agreementVersion: agreementFor(program.documents, isCoveredBorrower)?.version ?? null,
    // A loan without a finance charge is not a purchase money loan: 16 CFR 433.1(d).
    holderNotice: program.purchaseMoney && financeChargeCents > 0,
    coveredBorrower: isCoveredBorrower ? { phone: program.military.phone ?? null } : null,
    stateNotices: state === undefined ? [] : noticesOf(program, state, 'agreement', language),
    ...(signatureNotices.length > 0 && { signatureNotices }),
  };
  requireIdentities(disclosure);
  return disclosure;
}

/** `Financing` with only the fee fields that a disclosure contains. */
type DisclosedFinancing = Omit<Financing, 'fees'> & { fees: DisclosedFee[] };

function feeOf({ kind, cents, financeCharge, financed, mapr }: DisclosedFee): DisclosedFee {
  return { kind, cents, financeCharge, financed, mapr };
}

/** @see 12 CFR 1026.18(c)(1). */
function itemizationOf({
  purchaseCents,
  downPaymentCents,
  fees,
  prepaidFinanceChargeCents,
}: DisclosedFinancing): AmountFinancedItem[] {
  const items: AmountFinancedItem[] = [{ kind: 'merchant', cents: purchaseCents - downPaymentCents }];
  for (const { kind, cents, financed } of fees) if (financed) items.push({ kind: 'fee', fee: kind, cents });
  if (prepaidFinanceChargeCents > 0) items.push({ kind: 'prepaidFinanceCharge', cents: -prepaidFinanceChargeCents });
  return items;
}

function prepaymentOf(
  { prepayment: { penalty, feeRefundDays } }: Program,
  { prepaidFinanceChargeCents }: DisclosedFinancing,
): LoanDisclosure['prepayment'] {
  if (prepaidFinanceChargeCents === 0) return { penalty, refund: null };
  return { penalty, refund: false, ...(feeRefundDays > 0 && { feeRefundDays }) };
}

/** Groups consecutive payments of the same amount into rows. */
function rowsOf(payments: readonly DuePayment[]): PaymentRow[] {
  const rows: PaymentRow[] = [];
  for (const { paymentCents, dueOn } of payments) {
    const last = rows.at(-1);
    if (last?.paymentCents === paymentCents) last.count++;
    else rows.push({ count: 1, paymentCents, firstDueOn: dueOn });
  }
  return rows;
}

/** Returns the late charge of the buyer's state if the program has one for it, or else that of the program. */
function lateChargeOf({ late: { states, ...late } }: Program, state: string | undefined): LoanDisclosure['late'] {
  return (state !== undefined && states[state]) || late;
}
