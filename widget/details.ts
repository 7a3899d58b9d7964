import type { TemplateResult } from 'lit';
import { asLowAs } from '../shared/as-low-as.ts';
import { widgetDetails as english } from '../shared/languages/en/widget.ts';
import type { Installment } from '../shared/amortization.ts';
import { fill, formatApr } from '../shared/languages/texts.ts';
import { formatMinorUnits } from '../shared/money.ts';
import { installmentsOf, isAdvertised, paymentGroups, type Plan, plansFor } from '../shared/plans.ts';
import { keepClicksInDialog } from './dialog-clicks.ts';
import { type Terms, today } from './estimate.ts';
import { months } from './language.ts';
import type { ModuleContext } from './lazy-modules.ts';

type Texts = typeof english;
type Html = ModuleContext['html'];

/**
 * Shows the details in a modal dialog, which follow the programs and the language of the element. `html` and `render` are those of the script,
 * because a page must not load Lit twice.
 *
 * @returns A function that removes the dialog. The browser restores the focus.
 */
export function start({ element, html, render, language, terms, cents, closeDetails }: ModuleContext): () => void {
  const root = element.shadowRoot!;
  const dialog = document.createElement('dialog');
  let amountCents = cents();

  const changeAmount = ({ target }: InputEvent): void => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the listener of an input
    const { valueAsNumber } = target as HTMLInputElement;
    amountCents = Math.round(valueAsNumber * 10 ** terms()!.sheet.currency.digits) || 0;
    // An exception in `update` is reported by the element, not thrown into the page.
    element.requestUpdate();
  };

  const update = (): void => {
    const { locale, translation } = language();
    const texts = { ...english, ...translation?.widgetDetails };
    const current = terms();
    const digits = current?.sheet.currency.digits;
    const value = (cents() / 10 ** (digits ?? 0)).toFixed(digits);
    const button = root.querySelector<HTMLElement>('section :is(a, [part=button]:enabled)');
    const startCheckout = (): void => {
      dialog.close();
      button!.click();
    };
    dialog.lang = locale;
    render(
      html`
        <form method="dialog">
          <h2 id="title">${texts.title}</h2>
          <button aria-label=${texts.close}>×</button>
        </form>
        ${
          current &&
          html`
            <label
              >${texts.amount}
              <span><b aria-hidden="true">${symbolOf(current, locale)}</b><input type="number" min="0" step="any" value=${value} @input=${changeAmount} /></span>
            </label>
            ${details(html, current, amountCents, texts, locale, button && html`<button part="button details-start" @click=${startCheckout}>${texts.start}</button>`)}
          `
        }
      `,
      dialog,
    );
  };

  update();
  dialog.part.add('details');
  // All texts are written from left to right, also on a page that is not.
  dialog.dir = 'ltr';
  dialog.setAttribute('aria-labelledby', 'title');
  // Closes the details at once: browsers dispatch `close` with the next frame, and the buyer may open them again before it.
  for (const type of ['submit', 'cancel', 'close'])
    dialog.addEventListener(type, (event) => {
      event.preventDefault();
      dialog.close();
      if (dialog.isConnected) closeDetails();
    });
  keepClicksInDialog(dialog);
  if (!root.adoptedStyleSheets.includes(styles)) root.adoptedStyleSheets.push(styles);
  root.append(dialog);
  dialog.showModal();
  // Lit calls `hostUpdated` after every update of the element.
  const controller = { hostUpdated: update };
  element.addController(controller);
  return () => {
    element.removeController(controller);
    dialog.close();
    dialog.remove();
  };
}

/**
 * Renders the plans of the advertised tier with the lowest payment, the steps of an application, the complete example, and the
 * disclosure.
 *
 * @param button - Opens the checkout.
 * @see Regulation Z, 12 CFR 1026.24(d): an advertised payment triggers the down payment, the terms of repayment and the APR.
 */
function details(
  html: Html,
  { sheet, texts: disclosure }: Terms,
  amountCents: number,
  texts: Texts,
  locale: string,
  button: TemplateResult | null,
): TemplateResult {
  const on = today(sheet);
  const money = (cents: number): string => formatMinorUnits(cents, sheet.currency, locale);
  const apr = ({ aprBps }: Plan): string => formatApr(aprBps / 10_000, locale);
  const sold = plansFor(sheet, amountCents, on);
  const advertised = sold.filter((plan) => isAdvertised(sheet, plan));
  const [best] = advertised;
  const legalText = html`<p lang=${disclosure.language}>${asLowAs(sheet, amountCents, on, disclosure).asLowAsText}</p>`;
  if (!best) return legalText;

  const { downPaymentCents } = best.financing;
  const others = sold.filter(({ tierId }) => tierId !== best.tierId).toSorted((a, b) => a.aprBps - b.aprBps);
  const { inquiry } = sheet;
  // The document of another release may have another value.
  const label: unknown = sheet.tierLabels[best.tierId];
  const notes = [
    fill(texts.tier, { tier: typeof label === 'string' ? label : best.tierId }),
    others.length && fill(texts.otherTiers, { minApr: apr(others[0]!), maxApr: apr(others.at(-1)!) }),
    downPaymentCents && fill(texts.downPaymentToday, { amount: money(downPaymentCents) }),
  ];
  const effectOnScore = [
    inquiry && texts[inquiry.application],
    inquiry?.application === 'soft' && inquiry.acceptance === 'hard' && texts.hardLater,
  ];
  return html`
    <h3>${fill(texts.plans, { amount: money(amountCents) })}</h3>
    <ul>
      ${cheapestOfEachTerm(advertised.filter(({ tierId }) => tierId === best.tierId)).map(
        (plan) => html`<li>
          <div>
            <span><strong>${money(plan.schedule.levelPaymentCents)}</strong> ${texts.monthly}</span>
            <span>${months(plan.termLength, locale)}</span>
          </div>
          <div>
            <span>${texts.apr} <b>${apr(plan)}</b></span>
            <span>${texts.total} <b>${money(plan.schedule.totalOfPaymentsCents)}</b></span>
          </div>
        </li>`,
      )}
    </ul>
    <p>${joined(notes)}</p>
    <h3>${texts.steps}</h3>
    <ol>${[texts.apply, texts.choose, texts.sign].map((step) => html`<li>${step}</li>`)}</ol>
    <p>${joined(effectOnScore)}</p>
    ${button}
    <h3>${texts.example}</h3>
    ${picture(html, installmentsOf(sheet, best))}
    <p>${texts.picture}</p>
    <dl>${exampleRows(best, texts, money, apr(best), locale).map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>
    ${legalText}
  `;
}

const joined = (sentences: readonly (string | false | 0 | null | undefined)[]): string => sentences.filter(Boolean).join(' ');

/** Returns the sign of the currency, such as `$`. */
function symbolOf({ sheet }: Terms, locale: string): string {
  return formatMinorUnits(0, sheet.currency, locale).replaceAll(/[\d.,\s]/g, '');
}

/** Returns the plan with the lowest payment for each term. Like `plans`, they are sorted by monthly payment. */
function cheapestOfEachTerm(plans: readonly Plan[]): Plan[] {
  return plans.filter(({ termLength }, index) => plans.findIndex((plan) => plan.termLength === termLength) === index);
}

/** The payments over time: bars of interest, with the principal on top. Their figures are those of the example below. */
function picture(html: Html, payments: readonly Installment[]): TemplateResult {
  const highest = Math.max(...payments.map(({ paymentCents }) => paymentCents));
  const bar = (x: number, from: number, cents: number): string => `M${x} ${highest - from}v${-cents}h.7v${cents}z`;
  const interest = payments.map(({ interestCents }, x) => bar(x, 0, interestCents));
  const principal = payments.map(({ interestCents, principalCents }, x) => bar(x, interestCents, principalCents));
  return html`<svg viewBox="0 0 ${payments.length} ${highest}" preserveAspectRatio="none" aria-hidden="true">
    <path d=${interest.join('')} />
    <path d=${principal.join('')} />
  </svg>`;
}

/** Returns the terms of a plan that 12 CFR 1026.24(d)(2) requires, without payments and fees that it does not have. */
function exampleRows(
  plan: Plan,
  texts: Texts,
  money: (cents: number) => string,
  apr: string,
  locale: string,
): [name: string, value: string][] {
  const { purchaseCents, downPaymentCents, amountFinancedCents, fees } = plan.financing;
  const feeCents = fees.reduce((sum, { cents }) => sum + cents, 0);
  const paymentNames = { first: texts.first, level: texts.monthly, last: texts.last };
  return [
    [texts.purchase, money(purchaseCents)],
    [texts.downPayment, money(downPaymentCents)],
    [texts.amountFinanced, money(amountFinancedCents)],
    [texts.apr, apr],
    [texts.term, months(plan.termLength, locale)],
    ...paymentGroups(plan).map(({ kind, count, cents }): [string, string] => [
      paymentNames[kind],
      kind === 'level' ? `${count} × ${money(cents)}` : money(cents),
    ]),
    ...(feeCents ? [[texts.fees, money(feeCents)] satisfies [string, string]] : []),
    [texts.financeCharge, money(plan.financeChargeCents)],
    [texts.total, money(plan.schedule.totalOfPaymentsCents)],
  ];
}

/** Styles of the dialog, in addition to those of the element. */
const styles = new CSSStyleSheet();
styles.replaceSync(/* css */ `
  [part='details'] {
    inline-size: 34rem;
    max-inline-size: calc(100% - 16px);
    white-space: normal;
    font-variant-numeric: tabular-nums;
    line-height: 1.5;
    text-align: start;
  }
  [part='details'],
  label span,
  ul li {
    box-sizing: border-box;
    border: 1px solid #888;
    border-radius: 10px;
  }
  [part='details']::backdrop {
    background: #0006;
  }
  form {
    position: sticky;
    inset-block-start: 0;
    display: flex;
    justify-content: space-between;
    align-items: center;
    background: inherit;
  }
  form button {
    inline-size: 44px;
    margin-inline-end: -8px;
    font-size: 28px;
    line-height: 44px;
    text-decoration: none;
  }
  h2,
  dl,
  dd {
    margin: 0;
  }
  h2 {
    font-size: 1.25em;
  }
  h3 {
    margin-block: 16px 8px;
    font-size: 1em;
    font-weight: 600;
    text-align: start;
  }
  label span {
    display: flex;
    padding-inline-start: 10px;
  }
  label b,
  input {
    padding-block: 10px;
    font-weight: 400;
  }
  label span:focus-within {
    outline: 2px solid;
  }
  input {
    flex: 1;
    min-inline-size: 0;
    border: 0;
    outline: 0;
    background: none;
    color: inherit;
    font: inherit;
  }
  ul,
  ol {
    padding: 0;
    margin: 0;
  }
  ol {
    padding-inline-start: 1.5em;
  }
  ul {
    display: grid;
    gap: 8px;
    list-style: none;
  }
  li div {
    display: flex;
    flex-wrap: wrap;
    justify-content: space-between;
    gap: 0 8px;
  }
  dl {
    display: grid;
    grid-template-columns: 1fr auto;
  }
  ul li {
    padding: 10px 14px;
  }
  ul li:first-child {
    border: 2px solid var(--financing-accent, light-dark(#054, #8dc));
  }
  svg {
    display: block;
    inline-size: 100%;
    block-size: 64px;
    fill: var(--financing-accent, light-dark(#054, #8dc));
  }
  path + path {
    opacity: 0.4;
  }
  dt,
  dd {
    padding: 6px 0;
    border-block-end: 1px solid #8884;
  }
  dd {
    text-align: end;
  }
  dt,
  dd,
  li,
  [part='details'] p {
    font-size: max(min(14px, 4vw), 0.8em);
  }
  [part='details'] p {
    margin-block-start: 12px;
  }
  p:empty {
    display: none;
  }
`);
