import { formatDate } from '../../shared/dates.ts';
import { formatApr } from '../../shared/languages/texts.ts';
import type { AmountFinancedItem, LoanDisclosure } from '../../shared/disclosure/loan-disclosure.ts';
import { formatMoney } from '../../shared/money.ts';
import { lateChargeText, licenseText } from './program-text.ts';
import type { QuoteReport } from './quote.ts';
import { figureLines, tableLines, wrapText } from './table.ts';

/** Formats a quote in 80 columns: the "as low as" example, all plans, and one plan in detail. */
export function quoteLines(report: QuoteReport): string[] {
  const { program, basis, asLowAs, offers, plan, currency, amountCents, state } = report;
  const where = state === null ? '' : `, ${state}`;
  return [
    `${formatMoney(amountCents, currency)}, program "${program}", version ${basis.programVersion}, ${basis.date}${where}`,
    '',
    ...(asLowAs.amount ? [`As low as ${asLowAs.amount} a month`] : []),
    ...wrapText(asLowAs.asLowAsText),
    ...(offers.length > 0 ? ['', ...offerLines(report)] : []),
    ...(plan ? ['', ...disclosureLines(plan), '', ...scheduleLines(plan)] : []),
  ];
}

function offerLines({ offers, currency }: QuoteReport): string[] {
  const money = (cents: number) => formatMoney(cents, currency);
  return tableLines(offers, [
    ['TIER', ({ tierId }) => tierId],
    ['MONTHS', ({ termLength }) => `${termLength}`, 'number'],
    ['MONTHLY', ({ monthlyCents }) => money(monthlyCents), 'number'],
    ['APR', ({ apr }) => formatApr(apr), 'number'],
    ['FINANCE CHARGE', ({ financeChargeCents }) => money(financeChargeCents), 'number'],
    ['TOTAL', ({ totalOfPaymentsCents }) => money(totalOfPaymentsCents), 'number'],
    ['DOWN', ({ dueTodayCents }) => money(dueTodayCents), 'number'],
  ]);
}

function scheduleLines({ payments, currency }: LoanDisclosure): string[] {
  const money = (cents: number) => formatMoney(cents, currency);
  return tableLines(payments, [
    ['NO.', ({ number }) => `${number}`, 'number'],
    ['DUE', ({ dueOn }) => dueOn],
    ['PAYMENT', ({ paymentCents }) => money(paymentCents), 'number'],
    ['INTEREST', ({ interestCents }) => money(interestCents), 'number'],
    ['PRINCIPAL', ({ principalCents }) => money(principalCents), 'number'],
    ['BALANCE', ({ balanceCents }) => money(balanceCents), 'number'],
  ]);
}

/** The Truth in Lending disclosures of a plan. */
function disclosureLines(disclosure: LoanDisclosure): string[] {
  const money = (cents: number) => formatMoney(cents, disclosure.currency);
  const figures: [string, string][] = [
    ['ANNUAL PERCENTAGE RATE', formatApr(disclosure.apr)],
    ['FINANCE CHARGE', money(disclosure.financeChargeCents)],
    ['Amount financed', money(disclosure.amountFinancedCents)],
    ['Total of payments', money(disclosure.totalOfPaymentsCents)],
    ...(disclosure.dueTodayCents === 0 ? [] : [['Down payment', money(disclosure.dueTodayCents)] as [string, string]]),
  ];
  const { name, nmlsId, license } = disclosure.creditor;
  const creditor = [name, nmlsId && `NMLS ID ${nmlsId}`, license && licenseText(license)].filter(Boolean).join(', ');
  return [
    `Tier ${disclosure.tierId}, ${disclosure.payments.length} months (${disclosure.offerId})`,
    ...figureLines(figures),
    ...wrapText(`Creditor: ${creditor}.`),
    ...wrapText(`Payments: ${disclosure.paymentRows.map((row) => paymentText(row, money)).join('; ')}.`),
    ...wrapText(`Amount financed: ${disclosure.itemization.map((item) => itemText(item, money)).join('; ')}.`),
    ...wrapText(
      `Prepayment: no penalty${disclosure.prepayment.refund === false ? '; a prepaid finance charge is not refunded' : ''}.`,
    ),
    ...wrapText(`Late payment: ${lateChargeText(disclosure.late, money)}. Security: none.`),
    ...disclosure.stateNotices.flatMap((notice) => notice.split('\n').flatMap((paragraph) => wrapText(paragraph))),
  ];
}

function paymentText(
  { count, paymentCents, firstDueOn }: LoanDisclosure['paymentRows'][number],
  money: (cents: number) => string,
): string {
  const due = formatDate(firstDueOn);
  return count === 1 ? `1 of ${money(paymentCents)} on ${due}` : `${count} of ${money(paymentCents)}, monthly from ${due}`;
}

function itemText(item: AmountFinancedItem, money: (cents: number) => string): string {
  const names = { merchant: 'to the merchant', prepaidFinanceCharge: 'prepaid finance charge' };
  return `${money(item.cents)} ${item.kind === 'fee' ? `${item.fee} fee` : names[item.kind]}`;
}
