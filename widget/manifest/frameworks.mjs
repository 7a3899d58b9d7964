/**
 * Returns type declarations of `<financing-button>` for the templates of frameworks, by file. Each augments the list of elements of
 * its framework. `props.d.ts` contains the common types, which refer to the class.
 *
 * @param {import('custom-elements-manifest').CustomElementDeclaration} element
 * @returns {Record<string, string>}
 */
export function frameworkTypes(element) {
  return {
    'props.d.ts': props(element),
    'jsx/react.d.ts': react(element),
    'jsx/preact.d.ts': preact(element),
    'jsx/solid.d.ts': solid(element),
    'vue.d.ts': vue(element),
    'svelte.d.ts': svelte(element),
    // Modules that are imported for their types are empty at run time.
    'types-only.js': 'export {};\n',
  };
}

/** Returns the writable properties. @param {import('custom-elements-manifest').CustomElementDeclaration} element */
export const propertiesOf = ({ members }) =>
  members.filter(({ kind, readonly, static: isStatic }) => kind === 'field' && !readonly && !isStatic);

function comment({ description, default: byDefault }, indent = '  ') {
  const lines = [...description.split('\n'), ...(byDefault ? ['', `@default ${byDefault}`] : [])];
  if (lines.length === 1) return `${indent}/** ${description} */`;
  return ['/**', ...lines.map((line) => ` * ${line}`.trimEnd()), ' */'].map((line) => indent + line).join('\n');
}

const key = (name) => (/^\w+$/.test(name) ? name : `'${name}'`);

function entries(documented, typeOf) {
  return documented.map((entry) => `${comment(entry)}\n  ${typeOf(entry)};`).join('\n');
}

function eventEntries(events, prefix) {
  return entries(
    events,
    ({ name }) => `${key(prefix + name)}?: ((event: FinancingButtonEventMap['${name}']) => void) | undefined`,
  );
}

function props(element) {
  return `import type { FinancingButton, FinancingButtonEventMap } from 'fairterm/financing-button';

/** The element's attributes. */
export interface FinancingButtonAttributes {
${entries(element.attributes, ({ name, fieldName, type }) => `${key(name)}?: ${fieldName ? `FinancingButton['${fieldName}']` : type.text} | undefined`)}
}

/** The element's properties. */
export interface FinancingButtonProperties {
${entries(propertiesOf(element), ({ name }) => `${key(name)}?: FinancingButton['${name}'] | undefined`)}
}

/** Event handlers for frameworks that prefix the event's name with "on". */
export interface FinancingButtonHandlers {
${eventEntries(element.events, 'on')}
}

export interface FinancingButtonProps extends FinancingButtonAttributes, FinancingButtonProperties, FinancingButtonHandlers {}
`;
}

function react({ tagName, description }) {
  return `import type { FinancingButton } from 'fairterm/financing-button';
import type { DetailedHTMLProps, HTMLAttributes } from 'react';
import type { FinancingButtonProps } from '../props.js';

/** For React 19 and newer. React 18 does not set properties of custom elements: use the component of \`fairterm/react\`. */
declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
${comment({ description }, '      ')}
      '${tagName}': FinancingButtonProps &
        Omit<DetailedHTMLProps<HTMLAttributes<FinancingButton>, FinancingButton>, keyof FinancingButtonProps>;
    }
  }
}
`;
}

function preact({ tagName, description }) {
  return `import type { FinancingButton } from 'fairterm/financing-button';
import type { HTMLAttributes } from 'preact';
import type { FinancingButtonProps } from '../props.js';

declare module 'preact' {
  namespace JSX {
    interface IntrinsicElements {
${comment({ description }, '      ')}
      '${tagName}': FinancingButtonProps & Omit<HTMLAttributes<FinancingButton>, keyof FinancingButtonProps>;
    }
  }
}
`;
}

function solid({ tagName, description, attributes, events, ...element }) {
  return `import type { FinancingButton, FinancingButtonEventMap } from 'fairterm/financing-button';
import type { JSX as Solid } from 'solid-js';
import type { FinancingButtonAttributes, FinancingButtonProperties } from '../props.js';

/** Attributes, properties and event handlers with the prefixes of Solid. */
export interface FinancingButtonSolidProps {
${entries(attributes, ({ name }) => `'attr:${name}'?: FinancingButtonAttributes['${name}']`)}
${entries(propertiesOf(element), ({ name }) => `'prop:${name}'?: FinancingButtonProperties['${name}']`)}
${eventEntries(events, 'on:')}
}

declare module 'solid-js' {
  namespace JSX {
    interface IntrinsicElements {
${comment({ description }, '      ')}
      '${tagName}': FinancingButtonAttributes &
        FinancingButtonProperties &
        FinancingButtonSolidProps &
        Omit<Solid.HTMLAttributes<FinancingButton>, keyof FinancingButtonAttributes | keyof FinancingButtonProperties>;
    }
  }
}
`;
}

function vue({ tagName, description, events }) {
  const handler = (name) => `on${name.replace(/(^|-)(\w)/g, (_, _dash, letter) => letter.toUpperCase())}`;
  return `import type { FinancingButton, FinancingButtonEventMap } from 'fairterm/financing-button';
import type { EmitFn, HTMLAttributes, PublicProps } from 'vue';
import type { FinancingButtonAttributes, FinancingButtonProperties } from './props.js';

export interface FinancingButtonVueProps extends FinancingButtonAttributes, FinancingButtonProperties {
${entries(events, ({ name }) => `${handler(name)}?: ((event: FinancingButtonEventMap['${name}']) => void) | undefined`)}
}

type Emits = { [Name in keyof FinancingButtonEventMap]: (event: FinancingButtonEventMap[Name]) => void };

declare module 'vue' {
  interface GlobalComponents {
${comment({ description }, '    ')}
    '${tagName}': new () => FinancingButton & {
      $props: FinancingButtonVueProps & Omit<HTMLAttributes, keyof FinancingButtonVueProps> & PublicProps;
      $emit: EmitFn<Emits>;
    };
  }
}
`;
}

function svelte({ tagName, description, events }) {
  return `import type { FinancingButton, FinancingButtonEventMap } from 'fairterm/financing-button';
import type { HTMLAttributes } from 'svelte/elements';
import type { FinancingButtonProps } from './props.js';

/** Event handlers in the syntax of Svelte 4. */
export interface FinancingButtonDirectives {
${eventEntries(events, 'on:')}
}

declare module 'svelte/elements' {
  interface SvelteHTMLElements {
${comment({ description }, '    ')}
    '${tagName}': FinancingButtonProps & FinancingButtonDirectives & Omit<HTMLAttributes<FinancingButton>, keyof FinancingButtonProps>;
  }
}
`;
}
