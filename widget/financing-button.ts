import { html, LitElement, nothing, render, type TemplateResult } from 'lit';
import { formatMinorUnits } from '../shared/money.ts';
import type { AsLowAs } from '../shared/wire/as-low-as.ts';
import type { CartOptions } from '../shared/wire/cart.ts';
import { httpUrl, routeOf, serviceUrl, toCents } from './attributes.ts';
import { type Estimate, estimateOf, sheetOf } from './estimate.ts';
import { emit, FinancingError } from './events.ts';
import { type Language, languageOf } from './language.ts';
import { LazyModules } from './lazy-modules.ts';
import { programSource, type ProgramSource } from './programs.ts';
import { styles } from './styles.ts';

export type { AsLowAs } from '../shared/wire/as-low-as.ts';
export type { CartOptions } from '../shared/wire/cart.ts';
export type { FinancingButtonEventMap, FinancingClose, FinancingComplete, FinancingError, FinancingErrorCode } from './events.ts';
export type {
  FinancingButtonAttributes,
  FinancingButtonHandlers,
  FinancingButtonPascalHandlers,
  FinancingButtonProperties,
} from './props.ts';

export type FinancingState = 'idle' | 'loading' | 'quoted' | 'unavailable' | 'failed';

/** Delay before a changed estimate is announced to screen readers, so that a held-down plus button does not flood them. */
const ANNOUNCE_DELAY_MS = 800;

/**
 * A button that offers financing for an amount, with its "as low as" estimate and the disclosure that is required next to it.
 *
 * With a `cart-url`, the button is a link, which can be opened in a new tab. With `items` or `customTotal`, it creates a cart when
 * it is pressed. If an amount cannot be financed, the element shows only the range of amounts that can be financed. Its height does
 * not change; a page can hide it with `financing-button:state(unavailable)`.
 *
 * @summary Offers financing for a product or a cart.
 * @tag financing-button
 *
 * @attr {'light' | 'dark' | null | undefined} theme - Colors for a light or a dark page. Defaults to the `color-scheme` of the page.
 *
 * @slot - Label of the button. Defaults to "Pay over time".
 * @slot fallback - A link that is shown until the script runs, or if it cannot run. Never shown together with the button.
 *
 * @fires {CustomEvent<AsLowAs>} financing-quote - The estimate changed. `detail` is the `AsLowAs` object; its `monthly` is 0 if no offer covers the amount.
 * @fires {CustomEvent<null>} financing-details - The buyer opens the details. Cancelable: call `preventDefault()` to show your own.
 * @fires {CustomEvent<null>} financing-start - The buyer pressed the button. Cancelable: call `preventDefault()` to open the checkout yourself.
 * @fires {CustomEvent<FinancingComplete>} financing-complete - The buyer completed a purchase in the window or dialog. Verify `transactionId` on your server.
 * @fires {CustomEvent<FinancingClose>} financing-close - The checkout closed without a purchase. The page navigates to `detail.errorUrl`, if any. Cancelable.
 * @fires {CustomEvent<FinancingError>} financing-error - The page or the service provided invalid data. `detail` is a `FinancingError` with a `code`.
 *
 * @csspart estimate - The line with the monthly payment.
 * @csspart button - The button, and the one in the details.
 * @csspart disclosure - The legal text.
 * @csspart details-button - Opens the details.
 * @csspart details - The dialog with the details.
 * @csspart details-start - The button in the details, which opens the checkout.
 * @csspart checkout - The dialog with the checkout.
 *
 * @cssprop [--financing-accent=#054] - Background of the button, and color of the picture in the details; lighter by default where `color-scheme` is dark.
 * @cssprop [--financing-accent-text=#fff] - Color of the button's label.
 * @cssprop [--financing-radius=10px] - Border radius of the button.
 * @cssprop [--financing-font=inherit] - Font family. Set it on the element or an ancestor, so that `reserve.css` uses it, too.
 * @cssprop [--financing-reserve] - A quoted string as long as the longest disclosure, to reserve its height. `reserve.css` sets it
 *   for programs without fees.
 *
 * @cssstate idle - No amount or no key.
 * @cssstate loading - The programs are loading.
 * @cssstate quoted - There is an estimate.
 * @cssstate unavailable - No offer covers the amount.
 * @cssstate busy - A cart is being created.
 * @cssstate failed - There is no estimate. The button works.
 *
 * @example
 * <financing-button api-key="KEY" amount="129900" cart-url="https://pay.example/c/3Jq"></financing-button>
 */
export class FinancingButton extends LitElement {
  static override properties = {
    amount: {},
    amountFrom: { attribute: 'amount-from' },
    apiKey: { attribute: 'api-key' },
    cartUrl: { attribute: 'cart-url' },
    mode: {},
    program: {},
    service: {},
    show: {},
    items: { attribute: false },
    discounts: { attribute: false },
    shippingOptions: { attribute: false },
    tax: { attribute: false },
    customTotal: { attribute: false },
    shippingContact: { attribute: false },
    billingContact: { attribute: false },
    orderRef: { attribute: false },
    completeUrl: { attribute: false },
    errorUrl: { attribute: false },
    callbackUrl: { attribute: false },
    disableEditShipping: { attribute: false },
  };
  static override styles = styles;

  /** The merchant's public key. Without it, the element sends no requests, and the button is disabled. */
  declare apiKey: string | null | undefined;

  /** Price of the product or cart, an integer in cents. There is no estimate if it is 0, empty or invalid. */
  declare amount: number | string | null | undefined;

  /**
   * CSS selector of the element that shows the price. Changes of the price are observed. The price is the first of: its
   * `data-amount-cents`, the offer in a JSON-LD script, its `content`, its `value`, its text. `amount` takes precedence.
   */
  declare amountFrom: string | null | undefined;

  /**
   * URL of the button's link: the `url` of a cart, or a URL of your shop that creates a cart and redirects to it. Such a redirect
   * must preserve the `display` query parameter, if any.
   */
  declare cartUrl: string | null | undefined;

  /**
   * Place of the checkout: the same tab, a window, or a dialog on the page. Falls back to `redirect` on phones, and where the browser
   * blocks the window.
   *
   * @default redirect
   */
  declare mode: 'redirect' | 'popup' | 'modal' | null | undefined;

  /**
   * Language of the button and its details, a BCP 47 tag. Defaults to the language of the surrounding page.
   *
   * @attr
   */
  declare lang: string;

  /** Id of the financing program. Empty for the merchant's default. */
  declare program: string | null | undefined;

  /** Base URL of the service. Defaults to the service that the script comes from. */
  declare service: string | null | undefined;

  /** `estimate` hides the button, `button` everything else. `both` reserves the button's space while there is no cart. */
  declare show: 'estimate' | 'button' | 'both' | null | undefined;

  /**
   * The items of the purchase, if there is no `cartUrl`: the button creates a cart. This and the following properties are those of
   * `POST /carts`, with amounts in cents. Visitors can edit them, so your server must verify the transaction before it authorizes it.
   */
  declare items: CartOptions['items'];

  /** Discounts on the items. */
  declare discounts: CartOptions['discounts'];

  /** Shipping options the buyer chooses from. */
  declare shippingOptions: CartOptions['shippingOptions'];

  /** Tax in cents. */
  declare tax: number | undefined;

  /** Total price in cents. It overrides the items and all other costs. */
  declare customTotal: number | undefined;

  /** Recipient and shipping address. */
  declare shippingContact: CartOptions['shippingContact'];

  /** Name and billing address of the buyer. */
  declare billingContact: CartOptions['billingContact'];

  /** Your order reference, at most 200 characters. */
  declare orderRef: string | undefined;

  /** Redirect URL after a purchase. Defaults to the shop's URL. Not used in a window or a dialog. */
  declare completeUrl: string | undefined;

  /** Redirect URL after a checkout without a purchase. Defaults to the shop's URL. */
  declare errorUrl: string | undefined;

  /** URL of your server that receives the callback after a purchase. In live mode it must be registered. */
  declare callbackUrl: string | undefined;

  /** Prevents changes to `shippingContact`, for which the page calculated shipping and tax. */
  declare disableEditShipping: boolean | undefined;

  readonly #internals = this.attachInternals();
  #language: Language | undefined;
  #source: ProgramSource | undefined;
  #estimate: Estimate = {};
  /** Values from which the estimate was calculated, to detect changes. */
  #estimateInputs: unknown[] = [];
  #isNewEstimate = false;
  #state: FinancingState = 'idle';
  #shownState = '';
  /** Amount to be financed, in cents; 0 for none. */
  #cents = 0;
  /** Amount that the page shows as its price, in cents; 0 for none. */
  #pageCents = 0;
  #href = '';
  #price = '';
  #details: 'closed' | 'open' | 'failed' = 'closed';
  #announcement = '';
  #announceTimer: ReturnType<typeof setTimeout> | undefined;
  #errors: FinancingError[] = [];
  /** Visible to the page's developer, in the sandbox. */
  #note = '';
  #reported = new Set<string>();
  #canCreateCart = false;
  readonly #refresh = (): void => this.requestUpdate();
  readonly #modules = new LazyModules({
    element: this,
    internals: this.#internals,
    html,
    render,
    language: () => this.#language!,
    terms: () => this.#estimate.terms,
    cents: () => this.#cents,
    enableCheckout: () => {
      this.#canCreateCart = true;
      this.requestUpdate();
    },
    setPagePrice: (price, text) => {
      this.#pageCents = +price || 0;
      this.requestUpdate();
      if (typeof price === 'string') emit(this, 'financing-error', new FinancingError('amount-from', text, price));
    },
    closeDetails: () => this.#setDetails('closed'),
    onFailure: (name) => {
      if (name === 'details') this.#setDetails('failed');
      emit(this, 'financing-error', new FinancingError('part', name));
    },
  });

  /** The estimate, or undefined. Its `monthly` is 0 if no offer covers the amount. */
  get quote(): AsLowAs | undefined {
    return this.#estimate.quote;
  }

  /** Opens the details: a field for the amount, the plans for it, how to apply, the complete example and the disclosure. */
  showDetails(): void {
    if (emit(this, 'financing-details', null, true)) this.#setDetails('open');
  }

  constructor() {
    super();
    // Clicks and typing are not those of an element around it, such as the card of a product.
    for (const type of ['click', 'keydown', 'keyup', 'input']) this.addEventListener(type, (event) => event.stopPropagation());
  }

  /** Also observes `lang`, a property of every element that reflects to its attribute. */
  static override get observedAttributes(): string[] {
    return [...super.observedAttributes, 'lang'];
  }

  override attributeChangedCallback(name: string, old: string | null, value: string | null): void {
    super.attributeChangedCallback(name, old, value);
    if (name === 'lang') this.requestUpdate();
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.requestUpdate();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.#announceTimer);
    this.#details = 'closed';
    this.#subscribe(undefined);
    this.#modules.stopAll();
  }

  /** Reports errors as events, because the element must not throw into the page. */
  protected override scheduleUpdate(): void {
    try {
      void super.scheduleUpdate();
    } catch (error) {
      emit(this, 'financing-error', new FinancingError('value', String(error)));
    }
  }

  /** Skips updates of a disconnected element, which would leave subscriptions behind. */
  protected override shouldUpdate(): boolean {
    return this.isConnected;
  }

  protected override willUpdate(): void {
    const { amount, amountFrom, apiKey, cartUrl, customTotal, items, mode, service } = this;
    const isFollowingPage = amountFrom && !amount;
    const cents = isFollowingPage ? this.#pageCents : toCents(amount);
    const base = serviceUrl(service);
    const href = cartUrl ? httpUrl(cartUrl) : '';
    this.#cents = cents;
    this.#href = href ?? '';
    this.#subscribe(base && apiKey ? programSource(base, apiKey) : undefined);
    const language = languageOf(this, this.#refresh, sheetOf(this.#source?.programs, this.program)?.languages);
    // The texts of the previous language stay until those of another one have loaded.
    if (!language.loading || !this.#language) this.#language = language;
    this.#updateEstimate(cents);

    // The shop has no such route: servers of single-page applications, as in development, respond with the page instead of 404.
    const isMissing = href && routeOf(href) === routeOf(location.href);
    const urlError =
      (isMissing || href === undefined) && new FinancingError('cart-url', isMissing ? `${cartUrl} is this page` : cartUrl);
    this.#note = urlError && apiKey?.startsWith('ft_sandbox') ? urlError.message : '';

    const { quote, failure, terms } = this.#estimate;
    const currency = terms?.sheet.currency;
    this.#modules.run('checkout', !!(mode || items || customTotal));
    this.#modules.run('details', this.#details === 'open');
    // Parsing a price requires the program's currency, which determines the number of decimals.
    this.#modules.run('amount-from', isFollowingPage && currency && `${amountFrom} ${currency.code}`);
    this.#errors = [
      !cents && Number(amount ?? 0) !== 0 && new FinancingError('amount', amount),
      apiKey && !base && new FinancingError('service', service),
      urlError,
      failure,
    ].filter((error) => !!error);

    if (!apiKey || !cents) this.#state = 'idle';
    else if (quote) this.#state = quote.monthly ? 'quoted' : 'unavailable';
    else this.#state = this.#language.loading || (this.#source && !this.#source.programs) ? 'loading' : 'failed';
  }

  protected override render(): TemplateResult {
    const { show } = this;
    const { texts, locale, loading } = this.#language!;
    const { quote, terms } = this.#estimate;
    const price = quote?.monthly && terms ? formatMinorUnits(quote.monthly, terms.sheet.currency, locale) : '';
    this.#price = price;
    const state = loading ? 'loading' : this.#state;
    // White space would replace the default label, so without a label the slot has a name that no node has.
    const label = html`<slot name=${[...this.childNodes].some(isLabel) ? '' : 'none'}>${new Text(texts.label)}</slot>`;
    const [before, after] = texts.estimate.split('{amount}');
    const sections = html`
      <section>
        ${
          show === 'button'
            ? nothing
            : html`<p part="estimate" id="estimate">${price && html`${new Text(before)}<strong>${new Text(price)}</strong>${new Text(after)}`}</p>`
        }
        ${show === 'estimate' ? nothing : this.#renderButton(label)}
        ${show === 'button' ? nothing : html`<button part="details-button" @pointerenter=${this.#preloadDetails} @focus=${this.#preloadDetails} @click=${this.#onDetailsClick}>${this.#details === 'failed' ? texts.retry : texts.more}</button>`}
      </section>
      ${
        show === 'button'
          ? nothing
          : html`<p part="disclosure" id="disclosure" lang=${terms?.texts.language ?? nothing}><span>${quote?.asLowAsText ?? ''}</span></p>`
      }
    `;
    // Content that moves is rendered as new nodes (a `Text` or a list item), because browsers count a moved node as a layout shift.
    return html`
      <div class="${state} ${show}" lang=${locale} dir="ltr">
        ${state === 'unavailable' ? [sections] : sections}${this.#note && html`<p>${this.#note}</p>`}
        <span role="status">${show === 'button' ? nothing : this.#announcement}</span>
      </div>
    `;
  }

  /** Renders the button if there is a cart. Without a key it looks disabled, because there is no disclosure next to it. */
  #renderButton(label: TemplateResult): TemplateResult | typeof nothing {
    const href = this.#href;
    if (href && this.apiKey)
      return html`<a part="button" href=${href} aria-describedby="estimate disclosure" @click=${this.#start}>${label}</a>`;
    return href || (this.#canCreateCart && (this.items ?? this.customTotal))
      ? html`<button part="button" aria-describedby="estimate disclosure" ?disabled=${!this.apiKey} @click=${this.#start}>${label}</button>`
      : nothing;
  }

  protected override updated(): void {
    const { states } = this.#internals;
    try {
      states.delete(this.#shownState);
      states.add((this.#shownState = this.#state));
    } catch {
      // Browsers before 2024 have no custom states, or require two dashes before their names.
    }
    for (const error of this.#errors) {
      if (!this.#reported.has(error.message)) emit(this, 'financing-error', error);
    }
    this.#reported = new Set(this.#errors.map(({ message }) => message));
    const { quote } = this.#estimate;
    if (this.#isNewEstimate && quote) emit(this, 'financing-quote', quote);
  }

  #subscribe(source: ProgramSource | undefined): void {
    if (source === this.#source) return;
    this.#source?.unsubscribe(this.#refresh);
    this.#source = source;
    source?.subscribe(this.#refresh);
  }

  #updateEstimate(cents: number): void {
    const { loading, locale } = this.#language!;
    const programs = this.#source?.programs;
    const inputs = [cents, this.program, locale, programs];
    this.#isNewEstimate = !loading && inputs.some((input, index) => input !== this.#estimateInputs[index]);
    if (!this.#isNewEstimate) return;

    const before = this.#estimate.quote;
    this.#estimateInputs = inputs;
    this.#estimate = estimateOf(programs, this.program, cents, locale);
    clearTimeout(this.#announceTimer);
    this.#announcement = '';
    if (before && this.#estimate.quote) this.#announceTimer = setTimeout(this.#announce, ANNOUNCE_DELAY_MS);
  }

  readonly #announce = (): void => {
    this.#announcement = this.#price
      ? this.#language!.texts.estimate.replace('{amount}', this.#price)
      : this.#estimate.quote!.asLowAsText;
    this.requestUpdate();
  };

  /** Prevents a click whose `financing-start` event the page cancels. The module `checkout` handles the others. */
  readonly #start = (click: MouseEvent): void => {
    if (!emit(this, 'financing-start', null, true)) click.preventDefault();
  };

  /** Browsers follow a link around the element. */
  readonly #onDetailsClick = (click: MouseEvent): void => {
    click.preventDefault();
    this.showDetails();
  };

  readonly #preloadDetails = (): void => this.#modules.preload('details');

  #setDetails(details: 'closed' | 'open' | 'failed'): void {
    this.#details = details;
    this.#announcement = details === 'failed' ? this.#language!.texts.retry : '';
    this.requestUpdate();
  }
}

/** Returns true for nodes of the default slot except white space, which may surround a fallback link. */
const isLabel = (node: ChildNode & Partial<Pick<Element, 'slot'>>): boolean => !node.slot && !!node.textContent?.trim();

declare global {
  interface HTMLElementTagNameMap {
    'financing-button': FinancingButton;
  }
}
