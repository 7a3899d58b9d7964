import type { RateSheet } from '../shared/programs/rate-sheet.ts';
import type { FinancingButton } from './financing-button.ts';
import type { Language } from './language.ts';

/** What the parts know of the element they work for, beside what any page knows. */
export interface Core {
  readonly element: FinancingButton;
  readonly internals: ElementInternals;
  /** That of the moment. */
  language(): Language;
  /** That of the program, once it is known. */
  currency(): RateSheet['currency'] | undefined;
  /** Carts can be opened from the page. */
  canOpen(): void;
  /** The amount that a page shows as its price, in cents; 0 for none. */
  take(amountCents: number): void;
}
