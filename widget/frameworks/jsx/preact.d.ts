import type {
  FinancingButton,
  FinancingButtonAttributes,
  FinancingButtonHandlers,
  FinancingButtonProperties,
} from '@fairterm/button';
import type { HTMLAttributes } from 'preact';

type Props = FinancingButtonAttributes & FinancingButtonProperties & FinancingButtonHandlers<'on'>;

declare module 'preact' {
  namespace JSX {
    interface IntrinsicElements {
      /** Offers financing for a product or a cart. */
      'financing-button': Props & Omit<HTMLAttributes<FinancingButton>, keyof Props>;
    }
  }
}
