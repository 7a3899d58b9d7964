import { propertiesOf } from './frameworks.mjs';

const schemas = {
  html: 'https://raw.githubusercontent.com/microsoft/vscode-html-languageservice/main/docs/customData.schema.json',
  css: 'https://raw.githubusercontent.com/microsoft/vscode-css-languageservice/main/docs/customData.schema.json',
  webTypes: 'https://raw.githubusercontent.com/JetBrains/web-types/master/schema/web-types.json',
};

/**
 * Returns the data that editors use for completion and hints, by file: VS Code's custom data for HTML and CSS, and JetBrains' web-types.
 *
 * @param {import('custom-elements-manifest').CustomElementDeclaration} element
 * @param {{ name: string, version: string }} packageJson
 * @returns {Record<string, object>}
 */
export function editorData(element, packageJson) {
  return {
    'vscode.html-custom-data.json': vscodeHtml(element),
    'vscode.css-custom-data.json': vscodeCss(element),
    'web-types.json': webTypes(element, packageJson),
  };
}

const markdown = (value) => ({ kind: 'markdown', value });
/** Returns the string literals of a union type. */
const literalsOf = ({ text }) => [...text.matchAll(/'([\w-]+)'/g)].map(([, name]) => ({ name }));
const withDefault = ({ description, default: byDefault }) =>
  byDefault ? `${description}\n\nDefault: \`${byDefault}\`` : description;

function vscodeHtml({ tagName, description, attributes, events, slots }) {
  const list = (title, documented) =>
    `**${title}**\n${documented.map(({ name, description: text }) => `- ${name ? `\`${name}\`` : 'default'}: ${text}`).join('\n')}`;
  return {
    $schema: schemas.html,
    version: 1.1,
    tags: [
      {
        name: tagName,
        description: markdown([description, list('Events', events), list('Slots', slots)].join('\n\n')),
        attributes: attributes.map((attribute) => ({
          name: attribute.name,
          description: markdown(withDefault(attribute)),
          ...(literalsOf(attribute.type).length > 0 && { values: literalsOf(attribute.type) }),
        })),
      },
    ],
  };
}

function vscodeCss({ cssProperties, cssParts, cssStates }) {
  const described = (name, documented) => ({ name, description: markdown(withDefault(documented)) });
  return {
    $schema: schemas.css,
    version: 1.1,
    properties: cssProperties.map((property) => described(property.name, property)),
    pseudoElements: cssParts.map((part) => described(`::part(${part.name})`, part)),
    pseudoClasses: cssStates.map((state) => described(`:state(${state.name})`, state)),
  };
}

function webTypes(element, { name, version }) {
  const { tagName, description, attributes, events, slots, cssProperties, cssParts, cssStates } = element;
  const described = ({ name: entry, description: text, default: byDefault }) => ({
    name: entry,
    description: text,
    ...(byDefault && { default: byDefault }),
  });
  const typed = (documented) => ({ ...described(documented), type: documented.type.text });
  return {
    $schema: schemas.webTypes,
    name,
    version,
    'js-types-syntax': 'typescript',
    'description-markup': 'markdown',
    contributions: {
      html: {
        elements: [
          {
            name: tagName,
            description,
            attributes: attributes.map((attribute) => ({
              ...described(attribute),
              value: { type: attribute.type.text },
              ...(literalsOf(attribute.type).length > 0 && { values: literalsOf(attribute.type) }),
            })),
            slots: slots.map(described),
            js: { properties: propertiesOf(element).map(typed), events: events.map(typed) },
            css: {
              properties: cssProperties.map(described),
              parts: cssParts.map(described),
              'pseudo-classes': cssStates.map((state) => described({ ...state, name: `state(${state.name})` })),
            },
          },
        ],
      },
    },
  };
}
