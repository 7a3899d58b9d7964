import { formatDate } from '../../shared/dates.ts';
import { formatApr } from '../../shared/disclosure/texts.ts';
import type { AmountFinancedItem, TilaBox } from '../../shared/disclosure/tila-box.ts';
import { formatMoney } from '../../shared/money.ts';
import { figureLines, wrapped } from './table.ts';

/** The Truth-in-Lending disclosures of a plan, as lines of text. */
export function boxLines(box: TilaBox): string[] {
  const money = (cents: number) => formatMoney(cents, box.currency);
  const figures: [string, string][] = [
    ['ANNUAL PERCENTAGE RATE', formatApr(box.apr)],
    ['FINANCE CHARGE', money(box.financeChargeCents)],
    ['Amount financed', money(box.amountFinancedCents)],
    ['Total of payments', money(box.totalOfPaymentsCents)],
    ...(box.totalSalePriceCents === null ? [] : [['Total sale price', money(box.totalSalePriceCents)] as [string, string]]),
    ...(box.dueTodayCents === 0 ? [] : [['Due today', money(box.dueTodayCents)] as [string, string]]),
  ];
  const licence = box.creditor.licence === null ? '' : `, ${box.creditor.licence}`;
  return [
    `Tier ${box.tierId}, ${box.payments.length} months (${box.offerId})`,
    ...figureLines(figures),
    ...wrapped(`Creditor: ${box.creditor.name}${licence}.`),
    ...wrapped(`Payments: ${box.paymentRows.map((row) => paymentRow(row, money)).join('; ')}.`),
    ...wrapped(`Amount financed: ${box.itemization.map((item) => itemOf(item, money)).join('; ')}.`),
    ...wrapped(`Prepayment: no penalty${box.prepayment.refund === false ? '; a prepaid finance charge is not refunded' : ''}.`),
    ...wrapped(`Late payment: ${late(box, money)}. Security: none.`),
    ...(box.stateNotice === null ? [] : wrapped(box.stateNotice)),
  ];
}

type Money = (cents: number) => string;

function paymentRow({ count, paymentCents, firstDueOn }: TilaBox['paymentRows'][number], money: Money): string {
  const due = formatDate(firstDueOn);
  return count === 1 ? `1 of ${money(paymentCents)} on ${due}` : `${count} of ${money(paymentCents)}, monthly from ${due}`;
}

function itemOf(item: AmountFinancedItem, money: Money): string {
  const named = { merchant: 'to the merchant', prepaidFinanceCharge: 'prepaid finance charge' };
  return `${money(item.cents)} ${item.kind === 'fee' ? `${item.fee} fee` : named[item.kind]}`;
}

function late({ late: { flatCents, percentBps } }: TilaBox, money: Money): string {
  const parts = [
    ...(flatCents > 0 ? [money(flatCents)] : []),
    ...(percentBps > 0 ? [`${formatApr(percentBps / 10_000)} of the payment`] : []),
  ];
  return parts.length === 0 ? 'no charge' : parts.join(' and ');
}
