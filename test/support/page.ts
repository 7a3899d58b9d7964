/** Parses a page as a browser without scripts does, with a parser that follows the HTML standard. */
import { type DefaultTreeAdapterTypes, parse, type ParserError } from 'parse5';
import type { ApiResponse } from './service.ts';

export interface FormField {
  name: string;
  /** The type of an input, or `select` or `textarea`. */
  type: string;
  value: string;
  /** True if a browser submits the field: always for text, and for a choice if it is checked or selected. */
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

type Element = DefaultTreeAdapterTypes.Element;
type Node = DefaultTreeAdapterTypes.Node;

/** A page of the service without scripts, and the response that contained it. */
export class Page implements ApiResponse {
  readonly url: string;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: unknown;
  /** The step or the state that the page shows, such as `details` or `declined`. Empty for a signed agreement. */
  readonly step: string;
  /** Its first heading. */
  readonly heading: string;
  readonly #elements: Element[];
  readonly #parseErrors: string[] = [];

  constructor(url: string, { status = 0, headers = new Headers(), text, body }: Partial<ApiResponse> & { text: string }) {
    this.url = url;
    this.status = status;
    this.headers = headers;
    this.text = text;
    this.body = body;
    const onParseError = ({ code, startLine }: ParserError) => void this.#parseErrors.push(`${code} on line ${startLine}`);
    this.#elements = elementsIn(parse(text, { onParseError }));
    this.step = this.attribute('main', 'data-step') ?? '';
    this.heading = this.headings[0] ?? '';
  }

  /** Returns the elements with a tag name whose attributes have these values. A class has to be one of the element's. */
  elements(tag: string, attributes: Record<string, string> = {}): Element[] {
    const matches = (element: Element) =>
      Object.entries(attributes).every(([name, value]) => {
        const actual = attributeOf(element, name);
        return name === 'class' ? actual?.split(/\s+/).includes(value) : actual === value;
      });
    return this.#elements.filter((element) => element.tagName === tag && matches(element));
  }

  /** Returns the text of each of these elements. */
  texts(tag: string, attributes?: Record<string, string>): string[] {
    return this.elements(tag, attributes).map(textOf);
  }

  /** Returns an attribute of the first of these elements. */
  attribute(tag: string, name: string, attributes?: Record<string, string>): string | undefined {
    const [first] = this.elements(tag, attributes);
    return first && attributeOf(first, name);
  }

  get language(): string {
    return this.attribute('html', 'lang') ?? '';
  }

  get headings(): string[] {
    return this.texts('h1');
  }

  /** Absolute URLs of its links, except links within the page. */
  get links(): string[] {
    return this.#hrefs.filter((href) => !href.startsWith('#')).map((href) => new URL(href, this.url).href);
  }

  /** Absolute URLs of its links that look like buttons. */
  get buttonLinks(): string[] {
    return this.elements('a', { class: 'button' }).map((link) => new URL(attributeOf(link, 'href') ?? '', this.url).href);
  }

  get forms(): PageForm[] {
    return this.elements('form').map((form) => formOf(form, this.url));
  }

  /** The form for the page's own URL, or else the first. */
  get form(): PageForm | undefined {
    return this.formFor(new URL(this.url).pathname) ?? this.forms[0];
  }

  /** Returns the form whose URL ends with `path`. */
  formFor(path: string): PageForm | undefined {
    return this.forms.find(({ action }) => new URL(action).pathname.endsWith(path));
  }

  /** URL to which its form is submitted. */
  get action(): string {
    return this.form?.action ?? this.url;
  }

  /** The hidden fields and chosen options of its form. */
  get fields(): Record<string, string> {
    return this.form ? fixedFields(this.form) : {};
  }

  /** Values of the fields that a buyer types or selects, by name. */
  get values(): Record<string, string> {
    const typed = this.forms.flatMap(({ fields }) => fields).filter(({ type, isSubmitted }) => isSubmitted && type !== 'hidden');
    return Object.fromEntries(typed.map(({ name, value }) => [name, value]));
  }

  /** Invalid markup, inline code that the Content Security Policy blocks, and dangling references. */
  get faults(): string[] {
    return [...this.#parseErrors, ...disallowedMarkup(this.#elements), ...idErrors(this.#elements, this.#hrefs)];
  }

  get #hrefs(): string[] {
    return this.elements('a').flatMap((link) => attributeOf(link, 'href') ?? []);
  }
}

/** Returns the hidden fields and chosen options of a form. Plans are not preselected: the first of them is chosen. */
export function fixedFields({ fields }: PageForm): Record<string, string> {
  const fixed = fields.filter(({ type, isSubmitted }) => isSubmitted && (type === 'hidden' || type === 'radio'));
  const plan = fields.find(({ name }) => name === 'offerId');
  return Object.fromEntries([...(plan ? [plan] : []), ...fixed].map(({ name, value }) => [name, value]));
}

function attributeOf({ attrs }: Element, name: string): string | undefined {
  return attrs.find((attribute) => attribute.name === name)?.value;
}

function elementsIn(node: Node): Element[] {
  const children = 'childNodes' in node ? node.childNodes.flatMap(elementsIn) : [];
  return 'tagName' in node ? [node, ...children] : children;
}

/** Returns the words of HTML as they are read: without markup and styles, on one line. */
export function wordsOf(html: string): string {
  return html
    .replaceAll(/<(style|script)\b[^]*?<\/\1>|<\/?(?:a|bdi)\b[^>]*>/g, '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll('&#39;', "'")
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ ([.,:;])/g, '$1');
}

/** Returns the text of an element, with white space collapsed. */
export function textOf(node: Node): string {
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
