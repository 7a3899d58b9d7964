import { RenderedElement } from './element.ts';

/** What a page can say to a `<financing-button>`. */
export abstract class FinancingOptions extends RenderedElement {
  static override properties = ['amount', 'apiKey', 'cartUrl', 'offer', 'program', 'service', 'show'];

  /** The public half of the merchant's key pair. Without it nothing is fetched. */
  declare apiKey: string | null | undefined;

  /** Price of the product or cart, in cents. 0 or empty for none yet; anything else but whole cents shows no estimate. */
  declare amount: number | string | null | undefined;

  /** Address the button leads to: the `url` of a cart, or one of the page's own. */
  declare cartUrl: string | null | undefined;

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
}
