import type {
  FinancingButton,
  FinancingButtonAttributes,
  FinancingButtonEventMap,
  FinancingButtonPascalHandlers,
  FinancingButtonProperties,
} from '@fairterm/button';
import type { EmitFn, HTMLAttributes, PublicProps } from 'vue';

type Props = FinancingButtonAttributes & FinancingButtonProperties & FinancingButtonPascalHandlers;
/** The types of the events in templates: `@financing-quote`. */
type Emits = { [Name in keyof FinancingButtonEventMap]: (event: FinancingButtonEventMap[Name]) => void };

declare module 'vue' {
  interface GlobalComponents {
    /** Offers financing for a product or a cart. */
    'financing-button': new () => FinancingButton & {
      $props: Props & Omit<HTMLAttributes, keyof Props> & PublicProps;
      $emit: EmitFn<Emits>;
    };
  }
}
