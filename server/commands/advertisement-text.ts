import type { Lint, ReadExample } from '../../shared/advertising/lint.ts';
import { statedPercent } from '../../shared/apr/percent.ts';
import { formatMoney } from '../../shared/money.ts';
import { figureLines, wrapped } from './table.ts';

/** What was read of an advertisement and what is wrong with it, as an operator reads it. Fits 80 columns, but for long words. */
export function lintLines({ examples, findings }: Lint, currency: string): string[] {
  const count = findings.length;
  return [
    ...(examples.length === 0 ? ['No example was read.', ''] : []),
    ...examples.flatMap((example) => [...wrapped(`"${example.text}"`), ...exampleLines(example, currency), '']),
    ...findings.flatMap(({ rule, message, excerpt }) => [
      rule,
      ...wrapped(excerpt === undefined ? message : `${message} ("${excerpt}")`, 76).map((line) => `    ${line}`),
    ]),
    count === 0 ? 'Nothing was found.' : `${count} ${count === 1 ? 'thing was' : 'things were'} found.`,
  ];
}

/** The figures that were read, then those that follow from them. */
function exampleLines(example: ReadExample, currency: string): string[] {
  const { follows, payments, fees, aprPercent } = example;
  const money = (cents: number | undefined) => cents !== undefined && formatMoney(cents, currency);
  const figures: [name: string, figure: string | false | undefined][] = [
    ['  Purchase', money(example.purchaseCents)],
    ['  Down payment', money(example.downPaymentCents)],
    ['  Loan', money(example.loanCents)],
    ['  Amount financed', money(example.amountFinancedCents)],
    ...fees.map(({ cents }): [string, string | false] => ['  Fee', money(cents)]),
    ...payments.map(({ count, cents }): [string, string] => ['  Payments', `${count} of ${money(cents)}`]),
    ['  Total', money(example.totalCents)],
    ['  APR', aprPercent !== undefined && `${aprPercent}%`],
    ['  Amount financed, computed', money(follows?.amountFinancedCents)],
    ['  Total of payments, computed', money(follows?.totalOfPaymentsCents)],
    ['  APR, computed', follows?.aprPercent !== undefined && `${statedPercent(follows.aprPercent / 100, 3)}%`],
  ];
  return figureLines(figures.filter((figure): figure is [string, string] => Boolean(figure[1])));
}
