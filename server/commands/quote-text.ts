import { formatApr, fill } from '../../shared/disclosure/texts.ts';
import type { Language } from '../../shared/languages.ts';
import type { TilaBox } from '../../shared/disclosure/tila-box.ts';
import { formatMoney } from '../../shared/money.ts';
import { boxLines } from './box-text.ts';
import type { QuoteReport } from './quote-report.ts';
import { tableLines, wrapped } from './table.ts';

/** The price next to the disclosure. */
const AS_LOW_AS: Record<Language, string> = { en: 'As low as {amount} a month', es: 'Desde {amount} al mes' };

/** A quote as an operator reads it: the example, everything that is sold, and one plan in full. Fits 80 columns. */
export function quoteLines(report: QuoteReport): string[] {
  const { program, basis, asLowAs, offers, plan, currency, amountCents, state, language } = report;
  const where = state === null ? '' : `, ${state}`;
  return [
    `${formatMoney(amountCents, currency)} by "${program}", version ${basis.programVersion}, on ${basis.date}${where}`,
    '',
    ...(asLowAs.amount ? [fill(AS_LOW_AS[language], asLowAs)] : []),
    ...wrapped(asLowAs.asLowAsText),
    ...(offers.length > 0 ? ['', ...offerLines(report)] : []),
    ...(plan ? ['', ...boxLines(plan), '', ...scheduleLines(plan)] : []),
  ];
}

function offerLines({ offers, currency }: QuoteReport): string[] {
  const money = (cents: number) => formatMoney(cents, currency);
  return tableLines(
    [
      { heading: 'TIER' },
      { heading: 'MONTHS', isNumber: true },
      { heading: 'MONTHLY', isNumber: true },
      { heading: 'APR', isNumber: true },
      { heading: 'FINANCE CHARGE', isNumber: true },
      { heading: 'TOTAL', isNumber: true },
      { heading: 'DUE TODAY', isNumber: true },
    ],
    offers.map((offer) => [
      offer.tierId,
      `${offer.termLength}`,
      money(offer.monthlyCents),
      formatApr(offer.apr),
      money(offer.financeChargeCents),
      money(offer.totalOfPaymentsCents),
      money(offer.dueTodayCents),
    ]),
  );
}

function scheduleLines({ payments, currency }: TilaBox): string[] {
  const money = (cents: number) => formatMoney(cents, currency);
  return tableLines(
    [
      { heading: 'NO.', isNumber: true },
      { heading: 'DUE' },
      { heading: 'PAYMENT', isNumber: true },
      { heading: 'INTEREST', isNumber: true },
      { heading: 'PRINCIPAL', isNumber: true },
      { heading: 'BALANCE', isNumber: true },
    ],
    payments.map(({ number, dueOn, paymentCents, interestCents, principalCents, balanceCents }) => [
      `${number}`,
      dueOn,
      ...[paymentCents, interestCents, principalCents, balanceCents].map(money),
    ]),
  );
}
