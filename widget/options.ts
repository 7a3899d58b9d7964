import type { CartOptions } from '../shared/wire/cart.ts';
import { RenderedElement } from './element.ts';

type Contact = CartOptions['shippingContact'];

/** Attributes that style sheets and forms read. They have no property. */
export interface FinancingAttributes {
  /** Colours for a light or a dark page; by default those of the `color-scheme` around the element. */
  theme?: 'light' | 'dark' | null | undefined;

  /** Name that the id of the transaction has in the form around the element, once something is bought. */
  name?: string | null | undefined;
}

/** What a page can say to a `<financing-button>`. */
export abstract class FinancingOptions extends RenderedElement {
  static override properties = [
    'amount',
    'amountFrom',
    'apiKey',
    'autoSubmit',
    'cartUrl',
    'debug',
    'mode',
    'offer',
    'program',
    'service',
    'show',
  ];
  static override data = [
    'items',
    'discounts',
    'shippingOptions',
    'tax',
    'customTotal',
    'shippingContact',
    'billingContact',
    'orderRef',
    'completeUrl',
    'errorUrl',
    'callbackUrl',
    'disableEditShipping',
    'calculateShipping',
    'calculateTax',
  ];

  /** The public half of the merchant's key pair. Without it nothing is fetched. */
  declare apiKey: string | null | undefined;

  /** Price of the product or cart, in cents. 0 or empty for none yet; anything else but whole cents shows no estimate. */
  declare amount: number | string | null | undefined;

  /**
   * Selector of the element that shows the price, which is followed as it changes. Its price is, in this order, its `data-amount-cents`,
   * the offer of a script with JSON-LD, its `content`, its `value`, or what it says. `amount` counts more.
   */
  declare amountFrom: string | null | undefined;

  /** When it is there, a purchase submits the form around the button. The id of the transaction is the button's value. */
  declare autoSubmit: boolean | string | null | undefined;

  /**
   * Address the button leads to: the `url` of a cart, or one of the page's own that makes a cart and leads to it. The latter
   * hands on the `display` in its query, if there is one, to the `url`.
   */
  declare cartUrl: string | null | undefined;

  /**
   * Where the checkout opens: in place of the page, in a window of its own, or in a dialog on the page. A window that the
   * browser does not open, and any on a phone, is a `redirect` instead.
   *
   * @default redirect
   */
  declare mode: 'redirect' | 'popup' | 'modal' | null | undefined;

  /** When it is there, a panel tells who builds the page what the element is missing: the key, the reserved space, a policy. */
  declare debug: boolean | string | null | undefined;

  /** Language of the button and its details, a BCP 47 tag; by default that of what is around the element. */
  declare lang: string;

  /**
   * The estimate that came with the page, as `GET /widget/v1/fragment` writes it. It is shown without asking for the programs, as
   * long as the amount and the day are its own.
   */
  declare offer: string | null | undefined;

  /** Id of the financing program. Empty for the merchant's default. */
  declare program: string | null | undefined;

  /** Base address of the service. Empty for the one this script was loaded from. */
  declare service: string | null | undefined;

  /** `estimate` for no button, `button` for nothing else. `both` keeps the button's space also while nothing says where it leads. */
  declare show: 'estimate' | 'button' | 'both' | null | undefined;

  /**
   * What is bought, when there is no `cartUrl`: the button opens a cart of these. It and what follows is as in `POST /carts`, with amounts in
   * cents. Whoever sees a page can edit it: your server compares the transaction before it authorizes.
   */
  declare items: CartOptions['items'];

  /** Taken off the items. */
  declare discounts: CartOptions['discounts'];

  /** What the buyer picks from. */
  declare shippingOptions: CartOptions['shippingOptions'];

  /** What is to be paid in taxes, in cents. */
  declare tax: number | undefined;

  /** The price of everything, in cents: it wins over items and all other costs. */
  declare customTotal: number | undefined;

  /** The person it goes to, and where they live. */
  declare shippingContact: Contact;

  /** The person who pays, and where they live. */
  declare billingContact: Contact;

  /** Your name for the order: at most 200 characters. */
  declare orderRef: string | undefined;

  /** Where the buyer goes after the purchase; by default the shop's address. In a window or a dialog they stay on your page. */
  declare completeUrl: string | undefined;

  /** Where the buyer goes when nothing comes of it; by default the shop's address. */
  declare errorUrl: string | undefined;

  /** Where the service reports the purchase to your server. */
  declare callbackUrl: string | undefined;

  /** Whether the buyer must take `shippingContact` as it is. By default, when shipping or tax was worked out for it. */
  declare disableEditShipping: boolean | undefined;

  /** Works out `shippingOptions` when the button is pressed, at once or later. */
  declare calculateShipping:
    | ((to: Contact) => CartOptions['shippingOptions'] | Promise<CartOptions['shippingOptions']>)
    | undefined;

  /** Works out `tax` when the button is pressed, at once or later. */
  declare calculateTax: ((to: Contact, billed: Contact) => number | Promise<number>) | undefined;
}
