import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FinancingButtonEventMap } from '../../widget/events.ts';
import { FinancingButton } from '../../widget/financing-button.ts';

/** Files of the element, without build scripts and recipes. */
const files = readdirSync('widget', { recursive: true, encoding: 'utf8' }).filter(
  (name) => /\.(ts|css)$/.test(name) && !/^(build|frameworks|manifest|recipes)\b|^vite\.config/.test(name),
);
const texts = files.map((name) => readFileSync(join('widget', name), 'utf8'));
// Without comments, because they contain examples.
const code = texts.join('\n').replace(/\/\*\*[^]*?\*\/|^\s*\/\/.*$/gm, '');

const namesIn = (pattern: RegExp): string[] => [
  ...new Set([...code.matchAll(pattern)].flatMap(([, name]) => name!.trim().split(/\s+/))),
];

/** Returns the text between the braces of a declaration. */
const bodyOf = (declaration: RegExp): string => declaration.exec(code)?.[1] ?? '';
const eventMap = bodyOf(/interface FinancingButtonEventMap \{([^]*?)\n\}/);

/** Public names in the source code, found without the analyzer that creates the manifest. */
export const source = {
  /** Properties that a page sets, and the global property `lang`, which the element reads. */
  properties: [...Object.keys(FinancingButton.properties), 'lang'],
  /** Attributes that the script, the style sheets or forms read, without global attributes. */
  attributes: [
    ...new Set([
      ...FinancingButton.observedAttributes,
      ...namesIn(/(?::host\(|financing-button[^\s,{]*?)\[([\w-]+)/g).filter((name) => name !== 'hidden'),
    ]),
  ],
  eventTypes: Object.fromEntries([...eventMap.matchAll(/'([\w-]+)': (.*);/g)].map(([, name, type]) => [name!, type!])),
  /** Names of all events in the code. */
  eventsSent: namesIn(/'(financing-[\w-]+)'/g).filter(
    (name): name is keyof FinancingButtonEventMap => name !== 'financing-button',
  ),
  /** Names of the cancelable events. */
  eventsCancelable: namesIn(/emit\((?:this|element), '(financing-[\w-]+)', [^)]*, true\)/g),
  /** Slots of the shadow root, and slots that the style sheet of the page shows until the element is defined. */
  slots: [
    ...new Set([...code.matchAll(/<slot(?: name="([\w-]+)")?[ >]|\[slot='([\w-]+)'\]/g)].map((slot) => slot[1] ?? slot[2] ?? '')),
  ],
  parts: namesIn(/\bpart(?:="|\.add\(')([\w -]+)["']/g),
  customProperties: namesIn(/(--financing-[\w-]+)/g),
  states: [
    ...[...bodyOf(/type FinancingState =([^;]*);/).matchAll(/'([\w-]+)'/g)].map(([, name]) => name!),
    ...namesIn(/\bstates\[[^\]]*\]\('([\w-]+)'\)/g),
  ],
};
