import type {
  FinancingButton,
  FinancingButtonAttributes,
  FinancingButtonHandlers,
  FinancingButtonProperties,
} from '@fairterm/button';
import type { DetailedHTMLProps, HTMLAttributes } from 'react';

type Props = FinancingButtonAttributes & FinancingButtonProperties & FinancingButtonHandlers<'on'>;

/** For React 19 and newer. React 18 does not set properties of custom elements: use the component of `@fairterm/button/react`. */
declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      /** Offers financing for a product or a cart. */
      'financing-button': Props & Omit<DetailedHTMLProps<HTMLAttributes<FinancingButton>, FinancingButton>, keyof Props>;
    }
  }
}
