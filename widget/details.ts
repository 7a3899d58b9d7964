import { html, type TemplateResult } from 'lit';
import { asLowAs } from '../shared/as-low-as.ts';
import { formatApr } from '../shared/languages/texts.ts';
import { formatMinorUnits } from '../shared/money.ts';
import { type Plan, isAdvertised, plansFor } from '../shared/plans.ts';
import { type Terms, today } from './estimate.ts';
import { type Language, months } from './language.ts';

/**
 * Renders the details of an amount: a table of the advertised terms, the example of the plan with the lowest payment, and the
 * disclosure.
 *
 * @see Regulation Z, 12 CFR 1026.24(d): an advertised payment triggers the down payment, the terms of repayment and the APR.
 */
export function details(terms: Terms, amountCents: number, { texts, locale }: Language): TemplateResult {
  const { sheet } = terms;
  const on = today(sheet);
  const money = (cents: number): string => formatMinorUnits(cents, sheet.currency, locale);
  const apr = ({ aprBps }: Plan): string => formatApr(aprBps / 10_000, locale);
  const plans = plansFor(sheet, amountCents, on).filter((plan) => isAdvertised(sheet, plan));

  return html`
    ${plans.slice(0, 1).map(
      (best) => html`
        <table>
          <caption>${texts.plans.replace('{amount}', money(amountCents))}</caption>
          <tr>${[texts.term, texts.monthly, texts.apr, texts.total].map((name) => html`<th scope="col">${name}</th>`)}</tr>
          ${cheapestOfEachTerm(plans).map(
            (plan) => html`<tr>
              <th scope="row">${months(plan.termLength, locale)}</th>
              <td>${money(plan.schedule.levelPaymentCents)}</td>
              <td>${apr(plan)}</td>
              <td>${money(plan.schedule.totalOfPaymentsCents)}</td>
            </tr>`,
          )}
        </table>
        <h3>${[texts.example, sheet.tierLabels[best.tierId]].join(': ')}</h3>
        <dl>${exampleRows(best, texts, money, apr(best), locale).map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>
      `,
    )}
    <p lang=${terms.texts.language}>${asLowAs(sheet, amountCents, on, terms.texts).asLowAsText}</p>
  `;
}

/** Returns the plan with the lowest payment for each term, sorted by term. `plans` are sorted by monthly payment. */
function cheapestOfEachTerm(plans: readonly Plan[]): Plan[] {
  const byTerm: Record<number, Plan> = {};
  for (const plan of plans) byTerm[plan.termLength] ??= plan;
  return Object.values(byTerm);
}

/** Returns the terms of a plan that 12 CFR 1026.24(d)(2) requires, without those that do not apply to it. */
function exampleRows(
  { financing, schedule, termLength, financeChargeCents }: Plan,
  texts: Language['texts'],
  money: (cents: number) => string,
  apr: string,
  locale: string,
): [name: string, value: string][] {
  const { purchaseCents, downPaymentCents, amountFinancedCents, fees } = financing;
  const { firstPaymentCents, levelPaymentCents, lastPaymentCents, totalOfPaymentsCents } = schedule;
  const feeCents = fees.reduce((sum, { cents }) => sum + cents, 0);
  const hasFirst = firstPaymentCents !== levelPaymentCents;
  const hasLast = lastPaymentCents !== levelPaymentCents;
  const rows: [string, string | number | boolean][] = [
    [texts.purchase, money(purchaseCents)],
    [texts.downPayment, downPaymentCents && money(downPaymentCents)],
    [texts.amountFinanced, money(amountFinancedCents)],
    [texts.apr, apr],
    [texts.term, months(termLength, locale)],
    [texts.first, hasFirst && money(firstPaymentCents)],
    [texts.monthly, `${termLength - +hasFirst - +hasLast} × ${money(levelPaymentCents)}`],
    [texts.last, hasLast && money(lastPaymentCents)],
    [texts.fees, feeCents && money(feeCents)],
    [texts.financeCharge, money(financeChargeCents)],
    [texts.total, money(totalOfPaymentsCents)],
  ];
  return rows.filter((row): row is [string, string] => !!row[1]);
}
