import { readdirSync, readFileSync } from 'node:fs';
import { create, ts } from '@custom-elements-manifest/analyzer';

const room = new URL('../', import.meta.url);

/** The lists of properties in the base class, and what the attribute of each is. */
const LISTS = new Map([
  ['properties', (name) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)],
  ['data', () => ''],
]);

/** What is made around the element: its build, its wrapper, examples. */
const NOT_OF_THE_ELEMENT = /^(build|manifest|recipes|debug)\b|^vite\.config|^react\.ts/;

/** Public in the language, but called by the browser or by the base class alone. */
const HOOKS = /Callback$|^(constructor|properties|data|styles|observedAttributes|formAssociated|requestUpdate)$/;

/**
 * The element of widget/ as its sources document it: a declaration of a custom elements manifest, schema 2.1.0. It holds what a page
 * may rely on and nothing else.
 *
 * @returns {import('custom-elements-manifest').CustomElementDeclaration}
 */
export function analyzeElement() {
  const names = readdirSync(room, { recursive: true }).filter((name) => name.endsWith('.ts') && !NOT_OF_THE_ELEMENT.test(name));
  const modules = names.map((name) =>
    ts.createSourceFile(name, readFileSync(new URL(name, room), 'utf8'), ts.ScriptTarget.ES2022, true),
  );
  const facts = readFacts(modules);
  const manifest = create({ modules, context: { dev: false } });
  const element = manifest.modules.flatMap(({ declarations }) => declarations).find(({ tagName }) => tagName);
  return publicPart(element, facts);
}

/**
 * What the analyzer does not look for: the properties of our base class with their attributes (`''` for none), the types of the
 * events, types whose name nobody outside knows, and attributes that have no property.
 */
function readFacts(modules) {
  // Every element has a language; ours documents what it makes of it.
  const facts = { attributeOf: new Map([['lang', 'lang']]), eventTypes: new Map(), words: new Map(), withoutProperty: [] };
  const visit = (node) => {
    if (ts.isInterfaceDeclaration(node) && node.name.text === 'FinancingButtonEventMap') {
      for (const { name, type } of node.members) facts.eventTypes.set(name.text, type.getText());
    } else if (ts.isInterfaceDeclaration(node) && node.name.text === 'FinancingAttributes') {
      for (const { name, type, jsDoc } of node.members) {
        facts.withoutProperty.push({ name: name.getText(), type: { text: type.getText() }, description: jsDoc[0].comment });
      }
    } else if (ts.isPropertyDeclaration(node) && LISTS.has(node.name.getText()) && node.initializer) {
      const attributeOf = LISTS.get(node.name.getText());
      for (const { text } of node.initializer.elements) facts.attributeOf.set(text, attributeOf(text));
    } else if (ts.isPropertyDeclaration(node) && node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.DeclareKeyword)) {
      const name = node.name.getText();
      if (!facts.attributeOf.has(name)) facts.attributeOf.set(name, '');
    } else if (ts.isTypeAliasDeclaration(node) && (!isExported(node) || isListOfWords(node))) {
      facts.words.set(node.name.text, node.type.getText());
    }
    ts.forEachChild(node, visit);
  };
  modules.forEach(visit);
  return facts;
}

const isExported = ({ modifiers = [] }) => modifiers.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
const isListOfWords = ({ type }) => /^('[\w-]+'[\s|]*)+$/.test(type.getText());

function publicPart(element, { attributeOf, eventTypes, words, withoutProperty }) {
  const members = element.members
    .filter(({ name, privacy }) => !HOOKS.test(name) && (privacy ?? 'public') === 'public')
    .map((member) => ({
      ...member,
      // Which of our classes has it is nobody's business; what is undefined is not written.
      inheritedFrom: undefined,
      privacy: 'public',
      // Of the fields, a page sets those that it can set before the script arrives.
      readonly: member.kind === 'field' ? !attributeOf.has(member.name) : undefined,
      type: member.type && { text: inWords(member.type.text, words) },
      attribute: attributeOf.get(member.name) || undefined,
    }));
  const ofProperties = members
    .filter(({ attribute }) => attribute)
    .map(({ attribute, name, type, default: byDefault, description }) => ({
      name: attribute,
      fieldName: name,
      type,
      ...(byDefault && { default: byDefault }),
      description,
    }));
  const attributes = [...ofProperties, ...withoutProperty];
  // The event that is left out is one whose name the analyzer read from a variable.
  const events = element.events
    .filter(({ name }) => name.startsWith('financing-'))
    .map(({ name, description }) => ({ name, type: { text: eventTypes.get(name) }, description }));
  const { slots, cssParts, cssProperties, cssStates, tagName, name, summary, description } = element;
  const documented = { summary, description, attributes, members, events, slots, cssParts, cssProperties, cssStates };
  return { kind: 'class', customElement: true, tagName, name, superclass: { name: 'HTMLElement' }, ...documented };
}

/** An editor that completes values follows no names, and a reader none that are not exported. A formatter may have begun a list of types with a bar. */
function inWords(type, words) {
  return type
    .replace(/\b[A-Z]\w+\b/g, (name) => words.get(name) ?? name)
    .replace(/^\| /, '')
    .replace(/\s+/g, ' ');
}
