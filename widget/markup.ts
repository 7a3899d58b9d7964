import { html, nothing, type TemplateResult } from 'lit/html.js';
import { details } from './details.ts';
import type { Language } from './language.ts';
import type { Terms } from './quote.ts';

/** What is to be seen. */
export interface View {
  /** `FinancingState`. */
  state: string;
  language: Language;
  /** The monthly price as it is read; empty when there is none. */
  price: string;
  disclosure: string;
  /** Of the disclosure, which the program writes. */
  disclosureLanguage: string | undefined;
  show: string | null | undefined;
  /** Where the button leads; empty when it opens a cart of what the page says, or is not there. */
  href: string;
  /** Anything when the page says what a cart is of, and the part that opens it is there. */
  hasCart: unknown;
  /** Whether the page gave the button a label. */
  hasLabel: boolean;
  announcement: string;
  terms: Terms | undefined;
  /** The amount that the details are about; undefined while they are closed. */
  detailCents: number | undefined;
  start: (press: MouseEvent) => void;
  openDetails: () => void;
  closeDetails: () => void;
  changeAmount: (input: InputEvent) => void;
}

/** The shadow root. The service writes the same into pages ahead of the script: `server/storefront/fragment/markup.ts`. */
export function markup(view: View): TemplateResult {
  const { language, state, show, price, href, hasCart, hasLabel } = view;
  const { texts, locale } = language;
  const label = html`<slot name=${hasLabel ? '' : 'none'}>${new Text(texts.label)}</slot>`;
  const [before, after] = texts.estimate.split('{amount}');
  const sections = html`
    <section>
      ${
        show === 'button'
          ? nothing
          : html`<p part="estimate" id="estimate"><slot name="logo"></slot>${price && html`${new Text(before)}<strong>${new Text(price)}</strong>${new Text(after)}`}</p>`
      }
      ${
        show === 'estimate'
          ? nothing
          : href
            ? html`<a part="button" href=${href} aria-describedby="estimate disclosure" @click=${view.start}>${label}</a>`
            : hasCart
              ? html`<button part="button" aria-describedby="estimate disclosure" @click=${view.start}>${label}</button>`
              : nothing
      }
      ${show === 'button' ? nothing : html`<button part="details-button" @click=${view.openDetails}>${texts.more}</button>`}
    </section>
    ${
      show === 'button'
        ? nothing
        : html`<p part="disclosure" id="disclosure" lang=${view.disclosureLanguage ?? nothing} dir="ltr"><span>${view.disclosure}</span></p>`
    }
  `;
  // What takes another place is made anew, as a node or as an item of a list: browsers count what moves as a shift of the layout.
  return html`
    <div class="${state} ${show}" lang=${locale} dir=${texts.dir}>
      ${state === 'unavailable' ? [sections] : sections}
      <span role="status">${show === 'button' ? nothing : view.announcement}</span>
      ${view.detailCents === undefined ? nothing : dialog(view, view.detailCents)}
    </div>
  `;
}

function dialog({ language, terms, closeDetails, changeAmount }: View, cents: number): TemplateResult {
  const { texts } = language;
  const digits = terms?.sheet.currency.digits;
  const written = (cents / 10 ** (digits ?? 0)).toFixed(digits);
  return html`
    <dialog part="details" aria-labelledby="title" @close=${closeDetails}>
      <form method="dialog">
        <h2 id="title">${texts.title}</h2>
        <button aria-label=${texts.close}>×</button>
      </form>
      ${
        terms &&
        html`<label>${texts.amount} <input type="number" min="0" step="any" value=${written} @input=${changeAmount} /></label>${details(terms, cents, language)}`
      }
    </dialog>
  `;
}
