import { readFileSync } from 'node:fs';
import type { CustomElementField, CustomElementDeclaration } from 'custom-elements-manifest';
import { describe, expect, it } from 'vitest';
import { readElement } from '../../widget/manifest/manifest.mjs';
import { withTables } from '../../widget/manifest/reference.mjs';
import { source } from './source.ts';

const element = (await readElement()) as Required<CustomElementDeclaration>;
const fields = element.members.filter((member): member is CustomElementField => member.kind === 'field');
const settable = fields.filter(({ readonly }) => !readonly);
const names = (documented: readonly { name: string }[]): string[] => documented.map(({ name }) => name).toSorted();

describe('The manifest of the element', () => {
  it.each([
    ['attributes', names(element.attributes as { name: string }[]), source.attributes],
    ['properties', names(settable), source.properties],
    ['events', names(element.events), Object.keys(source.eventTypes)],
    ['slots', names(element.slots), source.slots],
    ['parts', names(element.cssParts), source.parts],
    ['custom properties', names(element.cssProperties), source.customProperties],
    ['states', names(element.cssStates), source.states],
  ])('lists exactly the %s in the source code', (_kind, documented, present) => {
    expect(documented).toEqual(present.toSorted());
    expect(present.length).toBeGreaterThan(0);
  });

  it('has the same type, default and description for an attribute as for its property', () => {
    for (const { name, fieldName, ...attribute } of element.attributes.filter((candidate) => candidate.fieldName)) {
      expect(settable.find((field) => field.name === fieldName)).toMatchObject({ attribute: name, ...attribute });
    }
  });

  it('has the type of each event, lists only dispatched events, and describes the cancelable ones as such', () => {
    expect(Object.fromEntries(element.events.map(({ name, type }) => [name, type.text]))).toEqual(source.eventTypes);
    expect(source.eventsSent.toSorted()).toEqual(Object.keys(source.eventTypes).toSorted());
    const cancelable = element.events.filter(({ description }) => /\bCancelable\b/.test(description!));
    expect(names(cancelable)).toEqual(source.eventsCancelable.toSorted());
  });

  it('contains no lifecycle callbacks or private members', () => {
    expect(names(element.members.filter((member) => !settable.includes(member as CustomElementField)))).toEqual([
      'quote',
      'showDetails',
      'updateComplete',
    ]);
  });
});

describe('Every entry of the manifest', () => {
  const { attributes, members, events, slots, cssParts, cssProperties, cssStates } = element;
  const entries = Object.entries({ attributes, members, events, slots, cssParts, cssProperties, cssStates });

  it.each(entries)('in %s has a description of full sentences', (_kind, documented) => {
    expect(documented.filter(({ description = '' }) => !/^[A-Z`].{8,}\.$/s.test(description))).toEqual([]);
  });

  it('for a property that can be set has a type, which lists its values', () => {
    expect(settable.filter(({ type }) => !type?.text)).toEqual([]);
    expect(settable.filter(({ type }) => /^Financing\w+$/.test(type!.text))).toEqual([]);
    expect(settable.find(({ name }) => name === 'show')!.type!.text).toContain("'estimate'");
  });
});

describe('widget/README.md', () => {
  const readme = readFileSync('widget/README.md', 'utf8');

  it('has the tables of the manifest (if not, run "node widget/manifest/reference.mjs")', () => {
    expect(withTables(readme, element)).toBe(readme);
    expect(readme.length).toBeGreaterThan(3_000);
  });

  it('documents every module of the package, and only those', () => {
    const { exports } = JSON.parse(readFileSync('widget/package.json', 'utf8')) as { exports: Record<string, unknown> };
    const named = [...readme.matchAll(/`@fairterm\/button(?:\/([\w./-]+))?`/g)].map(([, entry]) => (entry ? `./${entry}` : '.'));
    const files = [...readme.matchAll(/node_modules\/@fairterm\/button\/([\w./-]+)/g)].map(([, file]) => `./${file}`);
    // Tools find it by another field of package.json.
    const undocumented = ['./web-types.json'];

    const published = Object.entries(exports).flatMap(([name, file]) => (files.includes(String(file)) ? [] : [name]));
    expect([...new Set([...named, ...undocumented])].toSorted()).toEqual(published.toSorted());
    expect(files.filter((file) => !Object.values(exports).includes(file))).toEqual([]);
  });
});
