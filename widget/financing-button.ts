import { html, LitElement, type PropertyValues } from 'lit';
import type { ProgramDocument } from '../shared/programs/rate-sheet.ts';
import type { AsLowAs } from '../shared/wire/as-low-as.ts';
import { httpUrl, toCents } from './attributes.ts';
import { type FinancingButtonEventMap, FinancingError } from './events.ts';
import { loadPrograms, quote } from './quote.ts';
import { reserveText } from './reserve.ts';
import { styles } from './styles.ts';

/**
 * What the element shows. `idle`: it has no amount or no key. `unavailable`: no offer covers the amount. `failed`: there
 * is no estimate, and the button leads to the cart all the same.
 */
export type FinancingState = 'idle' | 'loading' | 'quoted' | 'unavailable' | 'failed';

/** How long an amount must stand before it is read out, so that a held-down plus button is not. */
const SETTLED_MS = 800;

/**
 * A button that offers financing for an amount, with its "as low as" estimate and the disclosure that must stand
 * next to it.
 *
 * The button is a link, so it can be opened in a new tab and says where it leads. It is there when `cart-url` is, except
 * for an amount that no offer covers: then only a sentence is left, saying which amounts can be financed. The height
 * never changes on its own; a page that wants the space of an amount that cannot be financed back hides
 * `financing-button:state(unavailable)`.
 *
 * @summary Offers financing for a product or a cart.
 *
 * @slot - The button's label. Defaults to "Pay over time".
 *
 * @fires financing-quote - The estimate changed. `detail` is the `AsLowAs` object; its `monthly` is 0 when no offer
 *   covers the amount.
 * @fires financing-start - The buyer pressed the button. Cancelable: call `preventDefault()` to stay on the page and
 *   open the checkout yourself.
 * @fires financing-error - Something is missing from what the page or the service gave. `detail` is a `FinancingError`
 *   with a `code`; nothing is ever thrown into the page.
 *
 * @csspart estimate   - The line with the monthly amount.
 * @csspart button     - The button.
 * @csspart disclosure - The legal text. Restyle it freely; it is always shown.
 *
 * @cssprop [--financing-accent=#054] - Background of the button; lighter by default where `color-scheme` is dark.
 * @cssprop [--financing-accent-text=#fff] - Colour of the label on it.
 * @cssprop [--financing-radius=10px] - Rounding of the button's corners.
 * @cssprop [--financing-font=inherit] - Font family. Set it on the element or above, where `reserve.css` sees it too.
 *
 * @cssstate idle, loading, quoted, unavailable, failed - See `FinancingState`.
 *
 * @example
 * <financing-button api-key="KEY" amount="129900" cart-url="https://pay.example/c/3Jq"></financing-button>
 */
export class FinancingButton extends LitElement {
  static override styles = styles;

  static override properties = {
    apiKey: { attribute: 'api-key' },
    amount: {},
    cartUrl: { attribute: 'cart-url' },
    program: {},
    service: {},
    programs: { state: true },
    failure: { state: true },
    announcement: { state: true },
  };

  /** The public half of the merchant's key pair. Without it nothing is fetched. */
  declare apiKey: string | null | undefined;

  /** Price of the product or cart, in cents. 0 or empty for none yet; anything else but whole cents shows no estimate. */
  declare amount: number | string | null | undefined;

  /** Address the button leads to: the `url` of a cart, or one of the page's own. Without it there is no button. */
  declare cartUrl: string | null | undefined;

  /** Id of the financing program. Empty for the merchant's default. */
  declare program: string | null | undefined;

  /** Base address of the service. Empty for the one this script was loaded from. */
  declare service: string | null | undefined;

  declare private programs: ProgramDocument | undefined;
  declare private failure: FinancingError | undefined;
  declare private announcement: string | undefined;

  #quote: AsLowAs | undefined;
  #href: string | undefined;
  #state: FinancingState = 'idle';
  #settling: ReturnType<typeof setTimeout> | undefined;
  readonly #internals = this.attachInternals();

  /** The estimate that is shown; its `monthly` is 0 when no offer covers the amount. Undefined when there is none. */
  get quote(): AsLowAs | undefined {
    return this.#quote;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener('online', this.#retry);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener('online', this.#retry);
  }

  protected override willUpdate(changed: PropertyValues): void {
    const cents = toCents(this.amount);
    if (isResourced(changed)) this.programs = this.failure = undefined;
    if (isRequoted(changed)) this.#requote(cents);
    if (changed.has('amount') && !cents && Number(this.amount) !== 0) this.#report(new FinancingError('amount', this.amount));
    if (changed.has('cartUrl')) {
      this.#href = this.cartUrl ? httpUrl(this.cartUrl) : '';
      if (this.#href === undefined) this.#report(new FinancingError('cart-url', this.cartUrl));
    }

    if (!this.apiKey || !cents) this.#state = 'idle';
    else if (this.#quote) this.#state = this.#quote.monthly ? 'quoted' : 'unavailable';
    else this.#state = this.programs || this.failure ? 'failed' : 'loading';
  }

  protected override render() {
    const { amount, asLowAsText } = this.#quote ?? {};
    return html`
      <div class=${this.#state} lang="en" dir="ltr">
        <section>
          <p part="estimate" id="estimate">${amount && html`As low as <strong>${amount}</strong>/month`}</p>
          ${
            this.#href &&
            html`<a part="button" href=${this.#href} aria-describedby="estimate disclosure" @click=${this.#start}><slot>Pay over time</slot></a>`
          }
        </section>
        <p part="disclosure" id="disclosure" data-reserve=${reserveText}><span>${asLowAsText}</span></p>
        <span role="status">${this.announcement}</span>
      </div>
    `;
  }

  protected override updated(changed: PropertyValues): void {
    if (isResourced(changed)) void this.#load(false);
    try {
      this.#internals.states.clear();
      this.#internals.states.add(this.#state);
    } catch {
      // Browsers from before 2024 have no custom states, or insist on two dashes before their names.
    }
    if (isRequoted(changed) && this.#quote) this.#emit('financing-quote', this.#quote);
  }

  async #load(again: boolean): Promise<void> {
    const { apiKey, service } = this;
    if (!apiKey) return;
    const answer = await loadPrograms(service, apiKey, again);
    if (apiKey !== this.apiKey || service !== this.service) return;
    if (answer instanceof FinancingError) this.#report((this.failure = answer));
    else this.programs = answer;
  }

  readonly #retry = (): void => {
    if (this.failure) void this.#load(true);
  };

  #requote(cents: number): void {
    const isChange = this.#quote;
    clearTimeout(this.#settling);
    this.announcement = '';
    this.#quote = undefined;
    if (!this.programs || !cents) return;
    const answer = quote(this.programs, this.program, cents);
    if (answer instanceof FinancingError) return this.#report(answer);

    this.#quote = answer;
    const announce = () => (this.announcement = answer.amount ? `As low as ${answer.amount}/month` : answer.asLowAsText);
    if (isChange) this.#settling = setTimeout(announce, SETTLED_MS);
  }

  /** Tells the page once the element shows what there is to show. */
  #report(problem: FinancingError): void {
    void this.updateComplete.then(() => this.#emit('financing-error', problem));
  }

  readonly #start = (press: MouseEvent): void => {
    if (!this.#emit('financing-start', null, true)) press.preventDefault();
  };

  #emit<Type extends keyof FinancingButtonEventMap>(
    type: Type,
    detail: FinancingButtonEventMap[Type]['detail'],
    cancelable = false,
  ): boolean {
    return this.dispatchEvent(new CustomEvent(type, { detail, cancelable, bubbles: true, composed: true }));
  }
}

const isResourced = (changed: PropertyValues): boolean => changed.has('apiKey') || changed.has('service');

const isRequoted = (changed: PropertyValues): boolean =>
  changed.has('amount') || changed.has('program') || changed.has('programs');
