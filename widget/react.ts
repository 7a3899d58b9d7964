'use client';

import { createComponent } from '@lit/react';
import * as React from 'react';
import { define } from './define.ts';
import type { RenderedElement } from './element.ts';
import type { FinancingButtonEventMap } from './exports.ts';
import { FinancingButton as FinancingButtonElement } from './financing-button.ts';
import type { FinancingAttributes, FinancingOptions } from './options.ts';

export type { FinancingButton as FinancingButtonElement, FinancingButtonEventMap } from './exports.ts';

type Pascal<Type extends string> = Type extends `${infer Word}-${infer Words}`
  ? `${Capitalize<Word>}${Pascal<Words>}`
  : Capitalize<Type>;
type HandlerName<Type extends string> = `on${Pascal<Type>}`;

type Options = Omit<FinancingOptions, keyof RenderedElement> & FinancingAttributes;
type Handlers = { [Type in keyof FinancingButtonEventMap as HandlerName<Type>]: (event: FinancingButtonEventMap[Type]) => void };

/** The element's properties and events by the names that React gives such things, and what every element takes in React. */
export type FinancingButtonProps = { [Name in keyof (Options & Handlers)]?: (Options & Handlers)[Name] | undefined } & Omit<
  React.HTMLAttributes<FinancingButtonElement>,
  keyof Options
>;

const events = {
  onFinancingQuote: 'financing-quote',
  onFinancingDetails: 'financing-details',
  onFinancingStart: 'financing-start',
  onFinancingComplete: 'financing-complete',
  onFinancingClose: 'financing-close',
  onFinancingError: 'financing-error',
} as const satisfies { [Type in keyof FinancingButtonEventMap as HandlerName<Type>]: Type };

const attributes = new Map(
  FinancingButtonElement.properties.map((name) => [name, name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)]),
);

const Component = createComponent({
  react: React,
  tagName: 'financing-button',
  displayName: 'FinancingButton',
  // What the prototype has is set as a property, and not before the page runs. So it is only what cannot be an attribute: the others
  // are in the page that a server renders.
  elementClass: {
    prototype: Object.fromEntries(FinancingButtonElement.data.map((name) => [name, undefined])),
  } as unknown as typeof FinancingButtonElement,
  events,
});

/**
 * `<financing-button>` as a component of React 18, which sets neither properties nor listeners of its own accord. Works with React 19
 * too. Importing it registers the element; on a server it renders the element's attributes.
 *
 * `ref` gives the element, with `quote` and `showDetails()`.
 */
export const FinancingButton: React.ForwardRefExoticComponent<
  FinancingButtonProps & React.RefAttributes<FinancingButtonElement>
> = React.forwardRef((props, ref) => React.createElement(Component, { ...asAttributes(props), ref }));
FinancingButton.displayName = 'FinancingButton';

define();

function asAttributes(props: object): object {
  return Object.fromEntries(
    Object.entries(props).map(([name, value]: [string, unknown]) => {
      const attribute = attributes.get(name);
      // React writes the words "true" and "false" into the attributes of elements it does not know.
      return attribute ? [attribute, value === true ? '' : value === false ? undefined : value] : [name, value];
    }),
  );
}
