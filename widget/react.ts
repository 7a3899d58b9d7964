'use client';

import { createComponent } from '@lit/react';
import * as React from 'react';
import { FinancingButton as FinancingButtonElement, type FinancingButtonEventMap } from './index.ts';
import type { FinancingButtonPascalHandlers, FinancingButtonProperties, HandlerName, PlainAttributes } from './props.ts';

export type { FinancingButton as FinancingButtonElement, FinancingButtonEventMap } from './index.ts';

type Props = FinancingButtonProperties & PlainAttributes & FinancingButtonPascalHandlers;

/** The element's properties and events with their names in React, and the props of all HTML elements. */
export type FinancingButtonProps = Props & Omit<React.HTMLAttributes<FinancingButtonElement>, keyof Props>;

const events = {
  onFinancingQuote: 'financing-quote',
  onFinancingDetails: 'financing-details',
  onFinancingStart: 'financing-start',
  onFinancingComplete: 'financing-complete',
  onFinancingClose: 'financing-close',
  onFinancingError: 'financing-error',
} as const satisfies { [Type in keyof FinancingButtonEventMap as HandlerName<Type>]: Type };

const properties: Record<string, { attribute?: string | boolean }> = FinancingButtonElement.properties;

const Component = createComponent({
  react: React,
  tagName: 'financing-button',
  displayName: 'FinancingButton',
  // `createComponent` sets the properties of this prototype in the browser, and everything else as attributes, which servers also
  // render. So the prototype has only the properties without an attribute.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only these properties are used
  elementClass: {
    prototype: Object.fromEntries(Object.entries(properties).filter(([, { attribute }]) => attribute === false)),
  } as unknown as typeof FinancingButtonElement,
  events,
});

/**
 * `<financing-button>` as a component for React 18, which does not set properties and event listeners of custom elements. Also works
 * with React 19. Importing it registers the element. Servers render the element's attributes.
 *
 * `ref` is the element, with `quote` and `showDetails()`.
 */
export const FinancingButton: React.ForwardRefExoticComponent<
  FinancingButtonProps & React.RefAttributes<FinancingButtonElement>
> = React.forwardRef((props, ref) => React.createElement(Component, { ...withAttributes(props), ref }));
FinancingButton.displayName = 'FinancingButton';

/** Renames the props that are set as attributes: `apiKey` to `api-key`. */
function withAttributes(props: object): object {
  return Object.fromEntries(
    Object.entries(props).map(([name, value]: [string, unknown]) => [properties[name]?.attribute || name, value]),
  );
}
