import type {
  FinancingButton,
  FinancingButtonAttributes,
  FinancingButtonHandlers,
  FinancingButtonProperties,
} from '@fairterm/button';
import type { HTMLAttributes } from 'svelte/elements';

// Svelte 4 has the prefix `on:`.
type Props = FinancingButtonAttributes & FinancingButtonProperties & FinancingButtonHandlers<'on' | 'on:'>;

declare module 'svelte/elements' {
  interface SvelteHTMLElements {
    /** Offers financing for a product or a cart. */
    'financing-button': Props & Omit<HTMLAttributes<FinancingButton>, keyof Props>;
  }
}
