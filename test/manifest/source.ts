import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FinancingButtonEventMap } from '../../widget/events.ts';
import { FinancingButton } from '../../widget/financing-button.ts';

/** Files that are part of the element, not of what is made from it or around it. */
const files = readdirSync('widget', { recursive: true, encoding: 'utf8' }).filter(
  (name) => /\.(ts|css)$/.test(name) && !/^(build|manifest|recipes|debug)\b|^vite\.config/.test(name),
);
const texts = files.map((name) => readFileSync(join('widget', name), 'utf8'));
// Comments give examples.
const code = texts.join('\n').replace(/\/\*\*[^]*?\*\/|^\s*\/\/.*$/gm, '');

const found = (what: RegExp): string[] => [...new Set([...code.matchAll(what)].flatMap(([, name]) => name!.trim().split(/\s+/)))];

/** Text between the braces of a declaration. */
const bodyOf = (declaration: RegExp): string => declaration.exec(code)?.[1] ?? '';
const eventMap = bodyOf(/interface FinancingButtonEventMap \{([^]*?)\n\}/);

/** What the sources have, found without the analyzer that the manifest is made with. */
export const source = {
  /** Properties that a page sets, and the one of every element's that ours reads. */
  properties: [...Object.keys(FinancingButton.properties), 'lang'],
  /** Attributes that script, style sheets or forms read, without those that mean the same on every element. */
  attributes: [
    ...new Set([
      ...FinancingButton.observedAttributes,
      ...found(/(?::host\(|financing-button[^\s,{]*?)\[([\w-]+)/g).filter((name) => name !== 'hidden'),
      ...(FinancingButton.formAssociated ? ['name'] : []),
    ]),
  ],
  eventTypes: Object.fromEntries([...eventMap.matchAll(/'([\w-]+)': (.*);/g)].map(([, name, type]) => [name!, type!])),
  /** Names of events in the code, those that can be canceled apart. */
  eventsSent: found(/'(financing-[\w-]+)'/g).filter((name): name is keyof FinancingButtonEventMap => name !== 'financing-button'),
  eventsCancelable: found(/emit\((?:this|element), '(financing-[\w-]+)', [^)]*, true\)/g),
  /** A slot that is shown in the page alone, while the element is not defined, has a rule in the style sheet for that time. */
  slots: [
    ...new Set([...code.matchAll(/<slot(?: name="([\w-]+)")?[ >]|\[slot='([\w-]+)'\]/g)].map((slot) => slot[1] ?? slot[2] ?? '')),
  ],
  parts: found(/\bpart(?:="|\.add\(')([\w -]+)["']/g),
  customProperties: found(/(--financing-[\w-]+)/g),
  states: [
    ...[...bodyOf(/type FinancingState =([^;]*);/).matchAll(/'([\w-]+)'/g)].map(([, name]) => name!),
    ...found(/\bstates\[[^\]]*\]\('([\w-]+)'\)/g),
  ],
};
