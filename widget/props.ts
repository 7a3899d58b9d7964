import type { FinancingButton, FinancingButtonEventMap } from './financing-button.ts';

type Properties = Pick<FinancingButton, keyof typeof FinancingButton.properties | 'lang'>;

/** The properties that a template can set. */
export type FinancingButtonProperties = { [Name in keyof Properties]?: Properties[Name] | undefined };

/** Attributes that have no property. */
export interface PlainAttributes {
  /** Colors for a light or a dark page. Defaults to the `color-scheme` of the page. */
  theme?: 'light' | 'dark' | null | undefined;
}

/** The attributes. Those with the same name as their property have its type. */
export interface FinancingButtonAttributes
  extends PlainAttributes, Pick<FinancingButtonProperties, 'amount' | 'lang' | 'mode' | 'program' | 'service' | 'show'> {
  /** CSS selector of the element that shows the price. */
  'amount-from'?: FinancingButtonProperties['amountFrom'];
  /** The merchant's public key. */
  'api-key'?: FinancingButtonProperties['apiKey'];
  /** URL of the button's link. */
  'cart-url'?: FinancingButtonProperties['cartUrl'];
}

/** Event handlers in frameworks that prefix the name of the event, such as `onfinancing-quote`. */
export type FinancingButtonHandlers<Prefix extends string> = {
  [Type in keyof FinancingButtonEventMap as `${Prefix}${Type}`]?: ((event: FinancingButtonEventMap[Type]) => void) | undefined;
};

type Pascal<Type extends string> = Type extends `${infer Word}-${infer Words}`
  ? `${Capitalize<Word>}${Pascal<Words>}`
  : Capitalize<Type>;

/** Name of the handler of an event in React and Vue: `onFinancingQuote`. */
export type HandlerName<Type extends string> = `on${Pascal<Type>}`;

/** Event handlers in React and Vue. */
export type FinancingButtonPascalHandlers = {
  [Type in keyof FinancingButtonEventMap as HandlerName<Type>]?: ((event: FinancingButtonEventMap[Type]) => void) | undefined;
};
