/** Compiles code of shops in several frameworks with the types of the built package. */
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { buildProject } from '../support/process.ts';
import { createProject } from './project.ts';

const run = promisify(execFile);
const compiler = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url));

const item = "{ sku: 'A', price: 129900, quantity: 1, imageUrl: '', detailUrl: '' }";

/** The attributes of the element. */
const attributes = ['amount', 'amount-from', 'api-key', 'cart-url', 'lang', 'mode', 'program', 'service', 'show', 'theme'];

/** JSX of a framework. `handler` is its prefix of event handlers, `className` its attribute for CSS classes. */
const jsx = (framework: string, entry: string, handler: string, className: string) => `
/** @jsxImportSource ${framework} */
import type {} from '@fairterm/button/jsx/${entry}';

export const valid = (
  <financing-button
    api-key="K"
    amount={129900}
    cart-url="/c/1"
    show="estimate"
    ${className}="wide"
    aria-label="Financing"
    theme="dark"
    ${handler}financing-quote={({ detail }) => detail.amount.toUpperCase()}
    ${handler}financing-error={({ detail }) => detail.code satisfies 'amount' | string}
    ${handler}financing-start={(event) => event.preventDefault()}
    ${handler}financing-complete={({ detail }) => detail.transactionId.toUpperCase()}
    ${handler}financing-close={({ detail }) => detail.reason satisfies 'closed' | 'not-completed'}
  >
    Pay <b>later</b>
  </financing-button>
);
export const byProperty = <financing-button apiKey="K" amount="129900" cartUrl={undefined} program={null} />;
export const withAll = <financing-button ${attributes.map((name) => `${name}={undefined}`).join(' ')} />;
export const withCart = (
  <financing-button mode="popup" items={[${item}]} shippingContact={undefined} />
);
export const invalid = [
  // @ts-expect-error an amount that is neither a number nor a string
  <financing-button amount={new Date()} />,
  // @ts-expect-error an unknown value
  <financing-button show="all" />,
  // @ts-expect-error an item without a price
  <financing-button items={[{ sku: 'A', quantity: 1, imageUrl: '', detailUrl: '' }]} />,
  // @ts-expect-error an unknown property
  <financing-button price={5} />,
  // @ts-expect-error an unknown property of a quote
  <financing-button ${handler}financing-quote={({ detail }) => detail.price} />,
  // @ts-expect-error an unknown event
  <financing-button ${handler}financingQuote={() => {}} />,
  // @ts-expect-error an unknown element
  <financing-buton />,
];
`;

/** Props of the element in a template language. */
const template = (framework: string, props: string, handler: (event: string) => string, imports: string) => `
import type {} from '@fairterm/button/${framework}';
${imports}
type Props = ${props};

export const valid: Props[] = [
  { 'api-key': 'K', amount: 129900, 'cart-url': '/c/1', show: 'estimate', class: 'wide', 'aria-label': 'Financing', theme: 'dark' },
  { apiKey: 'K', amount: '129900', cartUrl: undefined, program: null, id: 'financing' },
  { mode: 'modal', items: [${item}] },
  { ${handler('quote')}: ({ detail }) => detail.amount.toUpperCase() },
  { ${handler('complete')}: ({ detail }) => detail.transactionId.toUpperCase() },
  { ${handler('start')}: (event) => event.preventDefault() },
];
export const invalid: Props[] = [
  // @ts-expect-error an amount that is neither a number nor a string
  { amount: new Date() },
  // @ts-expect-error an unknown value
  { show: 'all' },
  // @ts-expect-error an item without a price
  { items: [{ sku: 'A', quantity: 1, imageUrl: '', detailUrl: '' }] },
  // @ts-expect-error an unknown property
  { price: 5 },
  // @ts-expect-error an unknown property of a quote
  { ${handler('quote')}: ({ detail }) => detail.price },
  // @ts-expect-error an unknown event
  { ${handler('bought')}: () => {} },
];
`;

const component = `
import { FinancingButton } from '@fairterm/button/react';
import { createElement, createRef } from 'react';

const ref = createRef<HTMLElementTagNameMap['financing-button']>();
export const monthly = (): number | undefined => ref.current?.quote?.monthly;
export const valid = (
  <FinancingButton
    ref={ref}
    key="button"
    apiKey="K"
    amount={129900}
    cartUrl={undefined}
    show="estimate"
    className="wide"
    theme="dark"
    style={{ margin: 0 }}
    onClick={({ clientX }) => clientX.toFixed()}
    onFinancingQuote={({ detail }) => detail.amount.toUpperCase()}
    onFinancingStart={(event) => event.preventDefault()}
    onFinancingComplete={({ detail }) => detail.transactionId.toUpperCase()}
    items={[${item}]}
  >
    Pay <b>later</b>
  </FinancingButton>
);
export const plain = createElement(FinancingButton, { amount: '129900' });
export const invalid = [
  // @ts-expect-error an amount that is neither a number nor a string
  <FinancingButton amount={new Date()} />,
  // @ts-expect-error an unknown value
  <FinancingButton show="all" />,
  // @ts-expect-error an item without a price
  <FinancingButton items={[{ sku: 'A', quantity: 1, imageUrl: '', detailUrl: '' }]} />,
  // @ts-expect-error a read-only property
  <FinancingButton quote={undefined} />,
  // @ts-expect-error an attribute, which is not a property of the component
  createElement(FinancingButton, { 'api-key': 'K' }),
  // @ts-expect-error an unknown property of a quote
  <FinancingButton onFinancingQuote={({ detail }) => detail.price} />,
];
`;

const vueProps = "InstanceType<GlobalComponents['financing-button']>['$props']";
const pascal = (name: string) => name[0]!.toUpperCase() + name.slice(1);
const emits = `
type Button = InstanceType<GlobalComponents['financing-button']>;
export const emit = (button: Button, event: Parameters<typeof button.$emit>[1]) => button.$emit('financing-start', event as CustomEvent<null>);
`;

const react18 = {
  react: ['./node_modules/@types/react-18/index.d.ts'],
  'react/jsx-runtime': ['./node_modules/@types/react-18/jsx-runtime.d.ts'],
};

const projects: [code: string, file: string, text: string, paths?: Record<string, string[]>][] = [
  ['the JSX of React 19', 'react.tsx', jsx('react', 'react', 'on', 'className')],
  ['the JSX of Preact', 'preact.tsx', jsx('preact', 'preact', 'on', 'class')],
  ['the JSX of Solid', 'solid.tsx', jsx('solid-js', 'solid', 'on:', 'class')],
  [
    'templates of Vue',
    'vue.ts',
    template('vue', vueProps, (name) => `onFinancing${pascal(name)}`, "import type { GlobalComponents } from 'vue';") + emits,
  ],
  [
    'templates of Svelte 5',
    'svelte-5.ts',
    template(
      'svelte',
      "SvelteHTMLElements['financing-button']",
      (name) => `'onfinancing-${name}'`,
      "import type { SvelteHTMLElements } from 'svelte/elements';",
    ),
  ],
  [
    'templates of Svelte 4',
    'svelte-4.ts',
    template(
      'svelte',
      "SvelteHTMLElements['financing-button']",
      (name) => `'on:financing-${name}'`,
      "import type { SvelteHTMLElements } from 'svelte/elements';",
    ),
  ],
  ['the component, with React 19', 'component.tsx', `/** @jsxImportSource react */${component}`],
  ['the component, with React 18', 'component-18.tsx', `/** @jsxImportSource react */${component}`, react18],
];

await buildProject();
const folder = createProject();

describe('The types of the package accept valid code and reject invalid code', () => {
  it.each(projects)('in %s', async (_code, file, text, paths = {}) => {
    const checks = { strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, skipLibCheck: false };
    const web = {
      target: 'es2023',
      lib: ['es2023', 'dom', 'dom.iterable'],
      module: 'esnext',
      moduleResolution: 'bundler',
      types: [],
      preserveSymlinks: true,
    };
    const config = join(folder, `${file}.json`);
    writeFileSync(join(folder, file), text.trimStart());
    writeFileSync(
      config,
      JSON.stringify({ compilerOptions: { ...web, ...checks, jsx: 'preserve', noEmit: true, paths }, files: [file] }),
    );

    const { stdout } = await run(process.execPath, [compiler, '-p', config], { cwd: folder }).catch(
      (error: { stdout: string }) => error,
    );
    expect(stdout).toBe('');
  });
});
