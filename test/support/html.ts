/** Parses a page as a browser without scripts does, with a parser that follows the HTML standard. */
import { type DefaultTreeAdapterTypes, parse } from 'parse5';

export interface FormField {
  name: string;
  /** The type of an input, or `select` or `textarea`. */
  type: string;
  value: string;
  /** Whether a browser submits the field: always true for text; for a choice, whether it is checked or selected. */
  isSubmitted: boolean;
}

export interface PageForm {
  method: 'GET' | 'POST';
  /** Absolute URL. */
  action: string;
  /** In the order of the page, with one entry for each option of a radio group or a select. */
  fields: FormField[];
  /** `<button>` elements and inputs of the type `submit`. */
  buttons: { name: string; value: string }[];
}

export interface ParsedPage {
  language: string;
  headings: string[];
  /** Absolute URLs of its links, except links within the page. */
  links: string[];
  forms: PageForm[];
  /** Invalid markup, inline code that the Content Security Policy blocks, and dangling references. */
  faults: string[];
}

type Element = DefaultTreeAdapterTypes.Element;
type Node = DefaultTreeAdapterTypes.Node;

export function parsePage(text: string, url: string): ParsedPage {
  const parseErrors: string[] = [];
  const elements = elementsIn(
    parse(text, { onParseError: ({ code, startLine }) => void parseErrors.push(`${code} on line ${startLine}`) }),
  );
  const named = (...names: string[]) => elements.filter(({ tagName }) => names.includes(tagName));
  const hrefs = named('a').flatMap((link) => attributeOf(link, 'href') ?? []);
  return {
    language: attributeOf(named('html')[0]!, 'lang') ?? '',
    headings: named('h1').map(textOf),
    links: hrefs.filter((href) => !href.startsWith('#')).map((href) => new URL(href, url).href),
    forms: named('form').map((form) => formOf(form, url)),
    faults: [...parseErrors, ...disallowedMarkup(elements), ...idErrors(elements, hrefs)],
  };
}

export function attributeOf({ attrs }: Element, name: string): string | undefined {
  return attrs.find((attribute) => attribute.name === name)?.value;
}

function elementsIn(node: Node): Element[] {
  const children = 'childNodes' in node ? node.childNodes.flatMap(elementsIn) : [];
  return 'tagName' in node ? [node, ...children] : children;
}

function textOf(node: Node): string {
  const whole = (inner: Node): string =>
    'value' in inner && inner.nodeName === '#text'
      ? inner.value
      : 'childNodes' in inner
        ? inner.childNodes.map(whole).join('')
        : '';
  return whole(node).replace(/\s+/g, ' ').trim();
}

function formOf(form: Element, url: string): PageForm {
  const controls = elementsIn(form).filter(({ tagName }) => ['input', 'select', 'textarea', 'button'].includes(tagName));
  const buttons = controls.filter((control) => control.tagName === 'button' || attributeOf(control, 'type') === 'submit');
  return {
    method: attributeOf(form, 'method')?.toUpperCase() === 'POST' ? 'POST' : 'GET',
    action: new URL(attributeOf(form, 'action') ?? url, url).href,
    fields: controls.filter((control) => !buttons.includes(control)).flatMap(fieldsOf),
    buttons: buttons.map((button) => ({ name: attributeOf(button, 'name') ?? '', value: attributeOf(button, 'value') ?? '' })),
  };
}

function fieldsOf(control: Element): FormField[] {
  const name = attributeOf(control, 'name');
  if (name === undefined || attributeOf(control, 'disabled') !== undefined) return [];
  if (control.tagName === 'textarea') return [{ name, type: 'textarea', value: textOf(control), isSubmitted: true }];
  if (control.tagName === 'select') {
    const options = elementsIn(control).filter(({ tagName }) => tagName === 'option');
    const selected = options.findLast((option) => attributeOf(option, 'selected') !== undefined) ?? options[0];
    return options.map((option) => ({
      name,
      type: 'select',
      value: attributeOf(option, 'value') ?? textOf(option),
      isSubmitted: option === selected,
    }));
  }
  const type = attributeOf(control, 'type') ?? 'text';
  const isChoice = type === 'radio' || type === 'checkbox';
  const value = attributeOf(control, 'value') ?? (isChoice ? 'on' : '');
  return [{ name, type, value, isSubmitted: !isChoice || attributeOf(control, 'checked') !== undefined }];
}

/** Returns elements and attributes that require `unsafe-inline`, or that the checkout never uses. */
function disallowedMarkup(elements: readonly Element[]): string[] {
  return elements.flatMap((element) => [
    ...(['script', 'style', 'iframe', 'object', 'base'].includes(element.tagName) &&
    attributeOf(element, 'src')?.startsWith('/') !== true
      ? [`<${element.tagName}>`]
      : []),
    ...element.attrs
      .filter(({ name, value }) => /^(on|style$|srcdoc$)/.test(name) || /^\s*javascript:/i.test(value))
      .map(({ name }) => `<${element.tagName} ${name}>`),
  ]);
}

/** Returns duplicate ids, and references to elements that do not exist. */
function idErrors(elements: readonly Element[], hrefs: readonly string[]): string[] {
  const ids = elements.flatMap((element) => attributeOf(element, 'id') ?? []);
  const known = new Set(ids);
  const references = elements.flatMap((element) =>
    ['for', 'aria-describedby', 'aria-labelledby', 'aria-controls'].flatMap(
      (name) => attributeOf(element, name)?.split(/\s+/) ?? [],
    ),
  );
  const targets = hrefs.filter((href) => href.startsWith('#')).map((href) => href.slice(1));
  return [
    ...ids.filter((id, index) => ids.indexOf(id) !== index).map((id) => `id="${id}" twice`),
    ...[...references, ...targets].filter((id) => !known.has(id)).map((id) => `a reference to the missing #${id}`),
  ];
}
