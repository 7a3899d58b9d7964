import type {
  FinancingButton,
  FinancingButtonAttributes,
  FinancingButtonHandlers,
  FinancingButtonProperties,
} from '@fairterm/button';
import type { JSX as Solid } from 'solid-js';

type Props = FinancingButtonAttributes & FinancingButtonProperties;
/** Solid's prefixes `attr:` and `prop:` set a value as an attribute or as a property. */
type Prefixed<Prefix extends string, T> = { [Name in keyof T & string as `${Prefix}:${Name}`]?: T[Name] };

declare module 'solid-js' {
  namespace JSX {
    interface IntrinsicElements {
      /** Offers financing for a product or a cart. */
      'financing-button': Props &
        Prefixed<'attr', FinancingButtonAttributes> &
        Prefixed<'prop', FinancingButtonProperties> &
        FinancingButtonHandlers<'on:'> &
        Omit<Solid.HTMLAttributes<FinancingButton>, keyof Props>;
    }
  }
}
