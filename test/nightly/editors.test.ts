/** Checks the generated metadata for editors with the language services of VS Code and the schemas of the formats. */
import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { getCSSLanguageService, newCSSDataProvider } from 'vscode-css-languageservice';
import { getLanguageService, newHTMLDataProvider, TextDocument } from 'vscode-html-languageservice';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildProject } from '../support/process.ts';

const read = (name: string) => JSON.parse(readFileSync(`widget/dist/${name}`, 'utf8'));

beforeAll(buildProject);

it('The manifest is valid, and the files that it names exist', () => {
  const manifest = read('custom-elements.json');
  const schema = JSON.parse(readFileSync('node_modules/custom-elements-manifest/schema.json', 'utf8'));
  const ajv = new Ajv({ strict: false, allErrors: true });

  ajv.validate(schema, manifest);
  expect(ajv.errors).toBeNull();
  const paths: string[] = manifest.modules.map(({ path }: { path: string }) => path);
  expect(paths.map((path) => readFileSync(`widget/${path}`, 'utf8').length > 0)).toEqual([true]);
  expect(read('../package.json').customElements).toBe('./dist/custom-elements.json');
});

describe('VS Code', () => {
  /** Returns the proposals at the position of `|` with their documentation. */
  function proposalsAt(text: string): Map<string, string> {
    const offset = text.indexOf('|');
    const html = getLanguageService({
      customDataProviders: [newHTMLDataProvider('fairterm', read('vscode.html-custom-data.json'))],
    });
    const document = TextDocument.create('file:///page.html', 'html', 1, text.replace('|', ''));
    const { items } = html.doComplete(document, document.positionAt(offset), html.parseHTMLDocument(document));
    return new Map(items.map(({ label, documentation }) => [label, JSON.stringify(documentation ?? '')]));
  }

  it('proposes the element with a description of its events and slots', () => {
    expect(proposalsAt('<fin|').get('financing-button')).toMatch(/financing-quote.*\*\*fallback/);
  });

  it('proposes its attributes with descriptions', () => {
    const proposals = proposalsAt('<financing-button |></financing-button>');
    expect([...proposals.keys()]).toEqual(expect.arrayContaining(['api-key', 'amount', 'cart-url']));
    expect(proposals.get('amount')).toContain('in cents');
  });

  it('proposes the values of an attribute', () => {
    expect([...proposalsAt('<financing-button show="|"></financing-button>').keys()]).toEqual(
      expect.arrayContaining(['estimate', 'button']),
    );
  });

  it.each([
    ['custom properties', 'financing-button { --fin| }', '--financing-accent'],
    ['parts', 'financing-button::pa| {}', '::part(disclosure)'],
  ])('proposes %s in a style sheet', (_kind, text, proposal) => {
    const offset = text.indexOf('|');
    const css = getCSSLanguageService({ customDataProviders: [newCSSDataProvider(read('vscode.css-custom-data.json'))] });
    const document = TextDocument.create('file:///page.css', 'css', 1, text.replace('|', ''));
    const { items } = css.doComplete(document, document.positionAt(offset), css.parseStylesheet(document));

    expect(items.map(({ label }) => label)).toContain(proposal);
  });
});

it('The web types for JetBrains have the attributes, properties, events, slots and parts of the manifest', () => {
  const [element] = read('custom-elements.json').modules[0].declarations;
  const webTypes = read('web-types.json');
  const { html, css } = webTypes.contributions;
  const [{ attributes, slots, js }] = html.elements;
  const names = (documented: { name: string }[]) => documented.map(({ name }) => name);

  expect({
    attributes: names(attributes),
    slots: names(slots),
    events: names(js.events),
    properties: names(css.properties),
    parts: names(css['pseudo-elements']),
  }).toEqual({
    attributes: names(element.attributes),
    slots: names(element.slots),
    events: names(element.events),
    properties: names(element.cssProperties),
    parts: names(element.cssParts).map((name) => `part(${name})`),
  });
  expect(attributes.find(({ name }: { name: string }) => name === 'show').value.type).toContain("'estimate'");
  expect(read('../package.json')).toMatchObject({ 'web-types': './dist/web-types.json', name: webTypes.name });
});
