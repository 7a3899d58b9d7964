import type { LoanDisclosure } from '../../shared/disclosure/loan-disclosure.ts';
import { disclosureTexts, inLanguage } from '../../shared/languages/index.ts';
import { counted, fill } from '../../shared/languages/texts.ts';
import { type AgreementPlaceholder, agreementFor, type AgreementText } from '../../shared/programs/documents.ts';
import type { Program } from '../../shared/programs/program.ts';
import { namedFees } from '../purchases/transactions/loan-block.ts';
import { sampleDocuments } from '../lending/programs/sample-agreement.ts';
import type { Texts } from '../base/texts.ts';

/** The lender's agreement in one language, with the figures of a loan: the promise to pay, and the terms in sections. */
export interface FilledAgreement extends AgreementText {
  version: string;
}

/**
 * Returns the lender's agreement with the figures of a disclosure. In the sandbox, a program without one has the sample agreement.
 *
 * @param buyerName - Full name of the buyer.
 */
export function fillAgreement(
  { documents }: Pick<Program, 'documents'>,
  disclosure: LoanDisclosure,
  buyerName: string,
  t: Texts,
): FilledAgreement {
  const isCoveredBorrower = disclosure.coveredBorrower !== null;
  const agreement = agreementFor(documents, isCoveredBorrower) ?? agreementFor(sampleDocuments, isCoveredBorrower)!;
  const values = placeholderValues(disclosure, buyerName, t);
  const filled = (texts: readonly string[]) => texts.map((text) => fill(text, values));
  const { promise, sections } = inLanguage(agreement, t.language);
  return {
    version: agreement.version,
    promise: filled(promise),
    sections: sections.map(({ heading, paragraphs, items }) => ({
      heading: fill(heading, values),
      paragraphs: filled(paragraphs),
      ...(items && { items: filled(items) }),
    })),
  };
}

function placeholderValues(disclosure: LoanDisclosure, buyer: string, t: Texts): Record<AgreementPlaceholder, string> {
  const money = (cents: number) => t.money(cents, disclosure.currency);
  const first = disclosure.payments[0]!;
  const last = disclosure.payments.at(-1)!;
  // The most frequent amount: the first and the last payment may differ.
  const level = disclosure.paymentRows.toSorted((a, b) => b.count - a.count)[0]!;
  return {
    lender: disclosure.creditor.name,
    merchant: disclosure.merchantName ?? t.loan.theMerchant,
    buyer,
    date: t.date(disclosure.date),
    amountFinanced: money(disclosure.amountFinancedCents),
    principal: money(disclosure.principalCents),
    downPayment: money(disclosure.downPaymentCents),
    dueToday: money(disclosure.dueTodayCents),
    apr: t.apr(disclosure.apr),
    interestRate: t.percent(disclosure.noteRateBps, 2),
    financeCharge: money(disclosure.financeChargeCents),
    totalOfPayments: money(disclosure.totalOfPaymentsCents),
    paymentCount: String(disclosure.payments.length),
    payment: money(level.paymentCents),
    lastPayment: money(last.paymentCents),
    firstDue: t.date(first.dueOn),
    lastDue: t.date(last.dueOn),
    lateCharge: lateCharge(disclosure, t),
    fees: feesText(disclosure, t),
    firstPayment: money(first.paymentCents),
    oddDaysInterest: oddDaysInterest(disclosure, t),
    startOfInterest: startOfInterest(disclosure, t),
  };
}

/** Returns the sentences about the fees, and about what a cancellation or refund returns of them (shared/recast.ts). */
function feesText({ fees, currency, merchantName, coveredBorrower, prepayment }: LoanDisclosure, t: Texts): string {
  const { loan } = t;
  if (fees.length === 0) return loan.noFees;
  const { feeRefundDays } = prepayment;
  const credited = coveredBorrower ? loan.feesCredited : feeRefundDays && counted(loan.feesCreditedWithin, feeRefundDays);
  const sentences = [loan.withFees, loan.feesReduced, ...(credited ? [credited] : [])];
  return fill(sentences.join(' '), { fees: namedFees(fees, currency, t), merchant: merchantName ?? loan.theMerchant });
}

/**
 * Returns the sentence about interest for the time by which the first period is longer than a month. It accrues by days in a year of
 * `yearDays`: 360, 365, or `none` if there is no such interest.
 */
function oddDaysInterest({ firstPaymentAfter, oddDaysInterest: yearDays }: LoanDisclosure, { loan, language }: Texts): string {
  const { months, days } = firstPaymentAfter;
  if (yearDays === 'none' || (months === 1 && days === 0)) return loan.noOddDaysInterest;
  const words = disclosureTexts[language];
  const parts = [months > 1 && counted(words.months, months - 1), days > 0 && counted(words.days, days)].filter(
    (part) => part !== false,
  );
  return fill(loan.oddDaysInterest, { time: parts.join(words.and), year: yearDays });
}

/**
 * Returns the sentences about the start of interest, without which the buyer could not verify the first payment; empty for an earlier
 * disclosure, which did not state it.
 *
 * @see 12 CFR 1026.17(c)(1), (c)(2)(i)
 */
export function startOfInterest(
  { interestFrom, creditor, merchantName, date }: LoanDisclosure,
  { interestStart, loan, date: formatDate }: Texts,
): string {
  return interestFrom
    ? fill(interestStart[interestFrom], {
        lender: creditor.name,
        merchant: merchantName ?? loan.theMerchant,
        date: formatDate(date),
      })
    : '';
}

/** Returns the sentence about the late charge. */
export function lateCharge(
  { late, currency }: Pick<LoanDisclosure, 'late' | 'currency'>,
  { tila, money, percent }: Texts,
): string {
  const { flatCents, percentBps, graceDays, combine } = late;
  const values = {
    late: graceDays > 0 ? counted(tila.lateAfterDays, graceDays) : tila.lateAtOnce,
    amount: money(flatCents, currency),
    percent: percent(percentBps),
  };
  const both = { sum: tila.lateSum, lesser: tila.lateLesser, greater: tila.lateGreater };
  if (flatCents > 0) return fill(percentBps > 0 ? both[combine] : tila.lateFlat, values);
  return percentBps > 0 ? fill(tila.latePercent, values) : tila.lateNone;
}
