/** `node widget/manifest/reference.mjs`: updates the tables of `widget/README.md` from the documentation in the source code. */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { readElement } from './manifest.mjs';

const readme = fileURLToPath(new URL('../README.md', import.meta.url));
const BEGIN = '<!-- tables: from the sources, by widget/manifest/reference.mjs -->';
const END = '<!-- end of tables -->';

/**
 * Returns the document with the tables of the element between the two markers.
 *
 * @param {string} document
 * @param {import('custom-elements-manifest').CustomElementDeclaration} element
 */
export function withTables(document, element) {
  const [before, rest] = document.split(BEGIN);
  const [, after] = rest.split(END);
  return `${before}${BEGIN}\n\n${tables(element)}\n\n${END}${after}`;
}

function tables({ attributes, members, events, slots, cssParts, cssProperties, cssStates }) {
  const fields = members.filter(({ kind }) => kind === 'field');
  return [
    section(
      'Attributes and properties',
      ['Attribute', 'Property', 'Values', 'Default', 'Meaning'],
      [
        ...fields.filter(({ readonly }) => !readonly),
        ...attributes.filter(({ fieldName }) => !fieldName).map(({ name, ...rest }) => ({ ...rest, attribute: name })),
      ].map((entry) => [
        code(entry.attribute),
        code(entry.name),
        values(entry.type.text),
        code(entry.default),
        entry.description,
      ]),
    ),
    section(
      'Read-only properties and methods',
      ['Name', 'Type', 'Meaning'],
      members
        .filter(({ kind, readonly }) => readonly || kind === 'method')
        .map(({ name, kind, type, static: isStatic, description }) => [
          code(`${isStatic ? 'FinancingButton.' : ''}${name}${kind === 'method' ? '()' : ''}`),
          code(type?.text),
          description,
        ]),
    ),
    section(
      'Events',
      ['Event', '`detail`', 'Meaning'],
      events.map(({ name, type, description }) => [
        code(name),
        code(type.text.replace(/^CustomEvent<(.*)>$/, '$1')),
        description,
      ]),
    ),
    section(
      'Slots',
      ['Slot', 'Meaning'],
      slots.map(({ name, description }) => [name ? code(name) : 'default', description]),
    ),
    section(
      'Parts',
      ['`::part()`', 'Meaning'],
      cssParts.map(({ name, description }) => [code(name), description]),
    ),
    section(
      'Custom properties',
      ['Property', 'Default', 'Meaning'],
      cssProperties.map(({ name, default: byDefault, description }) => [code(name), code(byDefault), description]),
    ),
    section(
      'States',
      ['`:state()`', 'Meaning'],
      cssStates.map(({ name, description }) => [code(name), description]),
    ),
  ].join('\n\n');
}

function section(title, head, rows) {
  const row = (cells) => `| ${cells.map((cell) => cell.replace(/\s+/g, ' ').replaceAll('|', '\\|')).join(' | ')} |`;
  return [`### ${title}`, '', row(head), `|${head.map(() => '---|').join('')}`, ...rows.map(row)].join('\n');
}

const code = (text) => (text ? `\`${text}\`` : '');

/** Formats a type: string literals without quotes, and without `null` and `undefined`, which remove the attribute. */
function values(type) {
  // Bars in parentheses or angle brackets do not separate types.
  const parts = type.match(/(?:\((?:[^()]|\([^()]*\))*\)|<[^<>]*>|[^|(<])+/g).map((part) => part.trim());
  const names = { string: 'string', number: 'number', boolean: 'boolean' };
  return parts
    .filter((part) => !['null', 'undefined'].includes(part))
    .map((part) => names[part] ?? code(part.replace(/^'(.*)'$/, '$1').replace(/^\((.*)\)$/, '$1')))
    .join(', ');
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  writeFileSync(readme, withTables(readFileSync(readme, 'utf8'), await readElement()));
}
