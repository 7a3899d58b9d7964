import { html } from '@lit-labs/ssr';
import type { DuePayment } from '../../shared/disclosure/loan-disclosure.ts';
import { counted } from '../../shared/languages/texts.ts';
import type { Texts } from '../base/texts.ts';
import { chart, highestOf, type Plot, type Series, thumbnail, withoutCents } from '../http/pages/chart.ts';
import { table } from '../http/pages/elements.ts';
import type { Html } from '../http/pages/html.ts';

/** A payment, split into interest and principal unless the lender stated it. */
type ChartedPayment = Pick<DuePayment, 'dueOn' | 'paymentCents'> &
  Partial<Pick<DuePayment, 'interestCents' | 'principalCents' | 'balanceCents'>>;

/**
 * The payments of a loan over time as a picture, with their table. It assumes payments on their dates, and states it. It is neither a part
 * of the disclosures, which are segregated (12 CFR 1026.17(a)(1)), nor of the signed document.
 */
export function paymentChart(payments: readonly ChartedPayment[], currency: string, t: Texts): Html {
  const { due, payment, interest, principal, balance, onTime } = t.loan;
  const format = (cents: number) => t.money(cents, currency);
  const formatTick = (cents: number) => withoutCents(format(cents));
  const series = (name: string, valueOf: (each: ChartedPayment) => number | undefined): Series => ({
    name,
    values: payments.map((each) => valueOf(each) ?? 0),
    format,
  });
  const whole = series(payment, ({ paymentCents }) => paymentCents);
  const isSplit = payments.every(({ balanceCents }) => balanceCents !== undefined);
  const bars = { kind: 'bars', height: 110, formatTick } as const;
  const split: Plot[] = [
    { ...bars, series: [series(interest, (each) => each.interestCents), series(principal, (each) => each.principalCents)] },
    { kind: 'area', height: 64, formatTick, series: [series(balance, (each) => each.balanceCents)] },
  ];
  return html`${chart({
    caption: counted(t.loan.allPayments, payments.length),
    heading: due,
    points: payments.map(({ dueOn }) => t.date(dueOn)),
    first: isSplit ? [whole] : [],
    plots: isSplit ? split : [{ ...bars, series: [whole] }],
    shown: 0,
    tableSummary: t.loan.scheduleLabel,
  })}
    <p class="hint">${onTime}</p>`;
}

/** The table of the payments of a loan. */
export function paymentTable(payments: readonly DuePayment[], currency: string, t: Texts): Html {
  const { due, payment, interest, principal, balance } = t.loan;
  const rows = payments.map(({ dueOn, paymentCents, interestCents, principalCents, balanceCents }) => [
    t.date(dueOn),
    ...[paymentCents, interestCents, principalCents, balanceCents].map((cents) => t.money(cents, currency)),
  ]);
  return table([due, payment, interest, principal, balance], rows, counted(t.loan.allPayments, payments.length));
}

/** The interest and the principal of a plan's payments. */
export type PlanPayments = readonly Pick<DuePayment, 'interestCents' | 'principalCents'>[];

/** Returns a function that draws the payments of each plan on one scale of months and amounts, so that their costs can be compared. */
export function planPictures(plans: readonly PlanPayments[]): (payments: PlanPayments) => Html {
  const plotOf = (payments: PlanPayments): Plot => ({
    kind: 'bars',
    series: [
      { name: '', values: payments.map(({ interestCents }) => interestCents), format: String },
      { name: '', values: payments.map(({ principalCents }) => principalCents), format: String },
    ],
  });
  const max = Math.max(...plans.map((payments) => highestOf(plotOf(payments))));
  const count = Math.max(...plans.map((payments) => payments.length));
  return (payments) => thumbnail({ ...plotOf(payments), height: 40, max }, count);
}
