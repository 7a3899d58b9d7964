import type { DetailedHTMLProps, HTMLAttributes } from 'react';
import type { FinancingButtonEventMap } from 'fairterm/define';

type Listeners = { [Name in keyof FinancingButtonEventMap as `on${Name}`]?: (event: FinancingButtonEventMap[Name]) => void };

interface Properties extends DetailedHTMLProps<HTMLAttributes<HTMLElement>, HTMLElement>, Listeners {
  service?: string;
  'api-key'?: string;
  amount?: number;
  'cart-url'?: string;
}

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      'financing-button': Properties;
    }
  }
}
