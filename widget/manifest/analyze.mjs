import { readFileSync } from 'node:fs';
import { create, ts } from '@custom-elements-manifest/analyzer';

const folder = new URL('../', import.meta.url);

/** The files that declare the element, its events and their types. */
const FILES = ['financing-button.ts', 'events.ts'];

/** Public members that are used only by the browser or Lit. */
const INTERNAL = /Callback$|^(constructor|properties|styles|observedAttributes|formAssociated)$/;

/** A member of LitElement that pages may rely on. */
const UPDATE_COMPLETE = {
  kind: 'field',
  name: 'updateComplete',
  type: { text: 'Promise<boolean>' },
  description: 'Resolves when all changes so far are rendered.',
};

/**
 * Returns the declaration of the element for a custom elements manifest, schema 2.1.0, from the documentation in its source code. It
 * contains only the public API.
 *
 * @returns {import('custom-elements-manifest').CustomElementDeclaration}
 */
export function analyzeElement() {
  const modules = FILES.map((name) =>
    ts.createSourceFile(name, readFileSync(new URL(name, folder), 'utf8'), ts.ScriptTarget.ES2022, true),
  );
  const types = readTypes(modules);
  const manifest = create({ modules, context: { dev: false } });
  const element = manifest.modules.flatMap(({ declarations }) => declarations).find(({ tagName }) => tagName);
  return publicDeclaration(element, types);
}

/** Reads data that the analyzer omits: the attributes of the reactive properties, the types of events, and type aliases. */
function readTypes(modules) {
  // `lang` is an attribute of every element. The other properties are declared in `static properties`.
  const types = { attributes: new Map([['lang', 'lang']]), events: new Map(), aliases: new Map() };
  const visit = (node) => {
    if (ts.isInterfaceDeclaration(node) && node.name.text === 'FinancingButtonEventMap') {
      for (const { name, type } of node.members) types.events.set(name.text, type.getText());
    } else if (ts.isPropertyDeclaration(node) && node.name.getText() === 'properties') {
      for (const { name, initializer } of node.initializer.properties) {
        types.attributes.set(name.text, attributeOf(name.text, initializer));
      }
    } else if (ts.isTypeAliasDeclaration(node)) {
      types.aliases.set(node.name.text, node.type.getText());
    }
    ts.forEachChild(node, visit);
  };
  modules.forEach(visit);
  return types;
}

/** Returns the attribute of a property with these options, or undefined if it has none. */
function attributeOf(name, options) {
  const attribute = options.properties.find((option) => option.name.text === 'attribute')?.initializer;
  if (!attribute) return name.toLowerCase();
  return ts.isStringLiteral(attribute) ? attribute.text : undefined;
}

function publicDeclaration(element, { attributes: attributeNames, events: eventTypes, aliases }) {
  const members = [...element.members, UPDATE_COMPLETE]
    .filter(({ name, privacy }) => !INTERNAL.test(name) && (privacy ?? 'public') === 'public')
    .map((member) => ({
      ...member,
      privacy: 'public',
      readonly: member.kind === 'field' ? !attributeNames.has(member.name) : undefined,
      type: member.type && { text: withoutAliases(member.type.text, aliases) },
      attribute: attributeNames.get(member.name),
    }));
  const attributesOfProperties = members
    .filter(({ attribute }) => attribute)
    .map(({ attribute, name, type, default: byDefault, description }) => ({
      name: attribute,
      fieldName: name,
      type,
      ...(byDefault && { default: byDefault }),
      description,
    }));
  // Attributes without a property are documented in the header of the class.
  const attributes = [...attributesOfProperties, ...element.attributes.filter(({ name }) => name !== 'lang')];
  const events = element.events.map(({ name, description }) => ({ name, type: { text: eventTypes.get(name) }, description }));
  const { slots, cssParts, cssProperties, cssStates, tagName, name, summary, description } = element;
  const documented = { summary, description, attributes, members, events, slots, cssParts, cssProperties, cssStates };
  return { kind: 'class', customElement: true, tagName, name, superclass: { name: 'LitElement', package: 'lit' }, ...documented };
}

/** Expands type aliases, which editors do not resolve, and removes the leading bar of a formatted union. */
function withoutAliases(type, aliases) {
  return type
    .replace(/\b[A-Z]\w+\b/g, (name) => aliases.get(name) ?? name)
    .replace(/^\| /, '')
    .replace(/\s+/g, ' ');
}
