import type { TemplateResult } from 'lit/html.js';
import { formatMinorUnits } from '../shared/money.ts';
import type { AsLowAs } from '../shared/wire/as-low-as.ts';
import type { Offer } from '../shared/wire/fragment.ts';
import { httpUrl, isLabel, toCents } from './attributes.ts';
import { emit, FinancingError } from './events.ts';
import { type Language, languageOf } from './language.ts';
import { markup } from './markup.ts';
import { readOffer } from './offer.ts';
import { FinancingOptions } from './options.ts';
import { partsInUse } from './parts-in-use.ts';
import { followPrograms, serviceUrl, type Source, unfollow } from './programs.ts';
import { type Estimate, estimateOf, today } from './quote.ts';
import { styles } from './styles.ts';

export type FinancingState = 'idle' | 'loading' | 'quoted' | 'unavailable' | 'failed';

/** How long an amount must stand before it is read out, so that a held-down plus button is not. */
const SETTLED_MS = 800;

/**
 * A button that offers financing for an amount, with its "as low as" estimate and the disclosure that must stand
 * next to it.
 *
 * With a `cart-url` the button is a link, so it can be opened in a new tab and says where it leads; with `items` or a `customTotal`
 * instead, it opens a cart of these. For an amount that no offer covers only a sentence is left, saying which amounts can be
 * financed. The height never changes on its own; a page that wants the space of an amount that cannot be financed back hides
 * `financing-button:state(unavailable)`.
 *
 * @summary Offers financing for a product or a cart.
 * @tag financing-button
 *
 * @slot - The button's label. Defaults to "Pay over time".
 * @slot logo - Stands before the estimate.
 * @slot fallback - A link for the time before the script, and for pages without. Never shown together with the button.
 *
 * @fires financing-quote - The estimate changed. `detail` is the `AsLowAs` object; its `monthly` is 0
 *   when no offer covers the amount.
 * @fires financing-details - The buyer asks for the details. Cancelable: call `preventDefault()` to show
 *   your own.
 * @fires financing-start - The buyer pressed the button. Cancelable: call `preventDefault()` to stay on the
 *   page and open the checkout yourself.
 * @fires financing-complete - Bought, in the window or dialog. `detail` has `transactionId`, `orderRef`: a hint, ask your server.
 * @fires financing-close - Closed without a purchase: `detail.reason`. The page goes to `detail.errorUrl` if there is one. Cancelable.
 * @fires financing-error - Something is missing from what the page or the service gave. `detail`
 *   is a `FinancingError` with a `code`; nothing is ever thrown into the page.
 *
 * @csspart estimate - The line with the monthly amount.
 * @csspart button - The button.
 * @csspart disclosure - The legal text. Restyle it freely; it is always shown.
 * @csspart details-button - Opens the details.
 * @csspart details - The dialog with the details.
 * @csspart checkout - The dialog with the checkout.
 *
 * @cssprop [--financing-accent=#054] - Background of the button; lighter by default where `color-scheme` is dark.
 * @cssprop [--financing-accent-text=#fff] - Colour of the label on it.
 * @cssprop [--financing-radius=10px] - Rounding of the button's corners.
 * @cssprop [--financing-font=inherit] - Font family. Set it on the element or above, where `reserve.css` sees it too.
 * @cssprop [--financing-reserve] - A sentence, quoted, as long as the longest disclosure: its height is kept. `reserve.css` has
 *   one for programs without fees.
 *
 * @cssstate idle - No amount or no key.
 * @cssstate loading - The programs are on their way.
 * @cssstate quoted - There is an estimate.
 * @cssstate unavailable - No offer covers the amount.
 * @cssstate busy - A cart is being opened.
 * @cssstate failed - There is no estimate; the button leads to the cart all the same.
 *
 * @example
 * <financing-button api-key="KEY" amount="129900" cart-url="https://pay.example/c/3Jq"></financing-button>
 */
export class FinancingButton extends FinancingOptions {
  static override styles = styles;
  static formAssociated = true;

  readonly #internals = this.attachInternals();
  #state: FinancingState = 'idle';
  #shownState = '';
  #language: Language | undefined;
  #source: Source | undefined;
  #sourceKey = '';
  #estimate: Estimate = {};
  /** What the estimate was worked out from. */
  #basis: unknown[] = [];
  #isRequoted = false;
  /** What is to be financed, in cents, and what the page shows as its price; 0 for nothing yet. */
  #cents = 0;
  #seenCents = 0;
  #href = '';
  /** The amount that the details are about; undefined while they are closed. */
  #detailCents: number | undefined;
  #price = '';
  #announcement = '';
  #settling: ReturnType<typeof setTimeout> | undefined;
  #problems: FinancingError[] = [];
  #reported = new Set<string>();
  #canOpen = false;
  readonly #changed = (): void => this.requestUpdate();
  readonly #use = partsInUse({
    element: this,
    internals: this.#internals,
    language: () => this.#language!,
    currency: () => this.#estimate.currency,
    canOpen: () => {
      this.#canOpen = true;
      this.requestUpdate();
    },
    take: (amountCents) => {
      this.#seenCents = amountCents;
      this.requestUpdate();
    },
  });

  /** The estimate that is shown; its `monthly` is 0 when no offer covers the amount. Undefined when there is none. */
  get quote(): AsLowAs | undefined {
    return this.#estimate.quote;
  }

  /** Opens the details: every plan for an amount of the buyer's own, the complete example and its disclosure. */
  showDetails(): void {
    if (emit(this, 'financing-details', null, true)) this.#detail(this.#cents);
  }

  disconnectedCallback(): void {
    clearTimeout(this.#settling);
    this.#detailCents = undefined;
    this.#follow('');
    for (const part of ['amount-from', 'debug', 'checkout'] as const) this.#use(part, '');
  }

  protected override willRender(): boolean {
    const { amount, amountFrom, apiKey, cartUrl, customTotal, debug, items, mode, service } = this;
    const isFollowing = amountFrom && !amount;
    this.#use('debug', (debug ?? false) !== false);
    this.#use('checkout', !!(mode || items || customTotal));
    const cents = isFollowing ? this.#seenCents : toCents(amount);
    this.#cents = cents;
    const base = serviceUrl(service);
    const href = cartUrl ? httpUrl(cartUrl) : '';
    const offer = readOffer(this.offer, cents, today(), this.program);
    const heard = languageOf(this, this.#changed);
    if (!heard.coming || !this.#language) this.#language = heard;
    const { coming } = this.#language;
    this.#follow(base && apiKey && (!offer || this.#detailCents !== undefined) ? base : '');
    if (!coming) this.#requote(cents, offer);

    const { quote, failure, currency } = this.#estimate;
    // A price is read in the currency of the program, which decides its digits.
    this.#use('amount-from', isFollowing && currency && `${amountFrom} ${currency.code}`);
    this.#href = href ?? '';
    this.#problems = [
      !cents && Number(amount ?? 0) !== 0 && new FinancingError('amount', amount),
      apiKey && !base && new FinancingError('service', service),
      href === undefined && new FinancingError('cart-url', cartUrl),
      failure,
    ].filter((problem) => problem instanceof FinancingError);

    if (!apiKey || !cents) this.#state = 'idle';
    else if (quote) this.#state = quote.monthly ? 'quoted' : 'unavailable';
    else this.#state = coming || (this.#source && !this.#source.answer) ? 'loading' : 'failed';
    return !coming || !offer;
  }

  protected override render(): TemplateResult {
    const language = this.#language!;
    const { quote, currency, terms, language: disclosureLanguage } = this.#estimate;
    this.#price = quote?.monthly && currency ? formatMinorUnits(quote.monthly, currency, language.locale) : '';
    return markup({
      state: language.coming ? 'loading' : this.#state,
      language,
      price: this.#price,
      disclosure: quote?.asLowAsText ?? '',
      disclosureLanguage,
      show: this.show,
      href: this.#href,
      hasCart: this.#canOpen && (this.items ?? this.customTotal),
      hasLabel: [...this.childNodes].some(isLabel),
      announcement: this.#announcement,
      terms,
      detailCents: this.#detailCents,
      start: this.#start,
      openDetails: () => this.showDetails(),
      closeDetails: () => this.#detail(undefined),
      changeAmount: this.#changeAmount,
    });
  }

  protected override rendered(): void {
    const { states } = this.#internals;
    try {
      states.delete(this.#shownState);
      states.add((this.#shownState = this.#state));
    } catch {
      // Browsers from before 2024 have no custom states, or insist on two dashes before their names.
    }
    const dialog = this.shadowRoot!.querySelector('dialog');
    if (dialog && !dialog.open) dialog.showModal();
    for (const problem of this.#problems) {
      if (!this.#reported.has(problem.message)) emit(this, 'financing-error', problem);
    }
    this.#reported = new Set(this.#problems.map(({ message }) => message));
    const { quote } = this.#estimate;
    if (this.#isRequoted && quote) emit(this, 'financing-quote', quote);
  }

  #follow(base: string): void {
    const key = base && `${base} ${this.apiKey}`;
    if (key === this.#sourceKey) return;
    if (this.#source) unfollow(this.#source, this.#changed);
    this.#sourceKey = key;
    this.#source = key ? followPrograms(base, this.apiKey!, this.#changed) : undefined;
  }

  #requote(cents: number, offer: Offer | undefined): void {
    const answer = this.#source?.answer;
    const { locale } = this.#language!;
    const basis = [cents, this.program, locale, answer, this.offer];
    this.#isRequoted = basis.some((part, at) => part !== this.#basis[at]);
    if (!this.#isRequoted) return;

    const before = this.#estimate.quote;
    this.#basis = basis;
    this.#estimate = estimateOf(answer, offer, this.program, cents, locale);
    clearTimeout(this.#settling);
    this.#announcement = '';
    if (before && this.#estimate.quote) this.#settling = setTimeout(this.#announce, SETTLED_MS);
  }

  readonly #announce = (): void => {
    this.#announcement = this.#price
      ? this.#language!.texts.estimate.replace('{amount}', this.#price)
      : this.#estimate.quote!.asLowAsText;
    this.requestUpdate();
  };

  readonly #start = (press: MouseEvent): void => {
    if (!emit(this, 'financing-start', null, true)) press.preventDefault();
  };

  readonly #changeAmount = ({ target }: InputEvent): void => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the only input there is
    this.#detail(Math.round((target as HTMLInputElement).valueAsNumber * 10 ** this.#estimate.terms!.sheet.currency.digits) || 0);
  };

  #detail(cents: number | undefined): void {
    this.#detailCents = cents;
    this.requestUpdate();
  }
}
