import { keysOf, propertyOf } from '../../../../shared/objects.ts';
import { Marked, Parser, Renderer, TextRenderer, type Token, type Tokens } from 'marked';
import { escapeHtml } from '../../pages/html.ts';
import type { ColorCode } from './colors.ts';
import { sequenceDiagram } from './sequence-diagram.ts';

/** Languages of samples and their labels, in the order of the selection. */
export const sampleLanguages = { sh: 'curl', ts: 'TypeScript', py: 'Python', php: 'PHP' } as const;
export type SampleLanguage = keyof typeof sampleLanguages;

export interface Heading {
  /** 1 to 6. */
  level: number;
  id: string;
  title: string;
}

export interface RenderedMarkdown {
  html: string;
  headings: Heading[];
  /** The text of each heading's section without its subsections, as plain text. */
  sectionTexts: string[];
  /** Languages of the samples that exist in several languages. */
  languages: SampleLanguage[];
}

/**
 * Renders Markdown. HTML in it is shown as text, except for comments, which are omitted, and pictures in two colors, of which the image is shown.
 *
 * A fenced code block has a language and a name: `sh create-cart`. Blocks with the same name are the same sample in several languages,
 * of which the reader selects one.
 *
 * @param resolveLink - Returns the URL of a link or image, or undefined if it is not served. Such a link becomes plain text.
 * @param color - Returns the HTML of code.
 */
export function renderMarkdown(
  markdown: string,
  resolveLink: (href: string) => string | undefined,
  color: ColorCode,
): RenderedMarkdown {
  const marked = new Marked();
  const tokens = marked.lexer(markdown);
  const renderer = new GuideRenderer(resolveLink, color, languagesByName(tokens));
  const html = marked.parser(tokens, { renderer });
  return {
    html,
    headings: renderer.headings,
    // Between the headings, each of which `heading` renders on one line.
    sectionTexts: html
      // A diagram repeats the text.
      .replace(/^<figure .*$/gm, '')
      .split(/<h\d id="[^"]*">.*<\/h\d>/)
      .slice(1)
      .map(textOfHtml),
    languages: keysOf(sampleLanguages).filter((language) => renderer.languages.has(language)),
  };
}

class GuideRenderer extends Renderer {
  readonly headings: Heading[] = [];
  /** Languages of the samples that exist in several languages. */
  readonly languages = new Set<string>();
  readonly #resolveLink: (href: string) => string | undefined;
  readonly #color: ColorCode;
  readonly #samples: ReadonlyMap<string, ReadonlySet<string>>;

  constructor(
    resolveLink: (href: string) => string | undefined,
    color: ColorCode,
    samples: ReadonlyMap<string, ReadonlySet<string>>,
  ) {
    super();
    this.#resolveLink = resolveLink;
    this.#color = color;
    this.#samples = samples;
  }

  override html({ text }: Tokens.HTML | Tokens.Tag): string {
    if (text.trimStart().startsWith('<!--')) return '';
    const [, src, alt] = /^<picture>[^]*<img src="([^"]+)" alt="([^"]+)"/.exec(text) ?? [];
    const href = src && this.#resolveLink(src);
    return href ? `<p><img src="${href}" alt="${escapeHtml(alt ?? '')}"></p>\n` : escapeHtml(text);
  }

  override heading({ tokens, depth: level }: Tokens.Heading): string {
    const title = plainText(tokens);
    const id = headingId(title);
    this.headings.push({ level, id, title });
    const content = this.parser.parseInline(tokens);
    return `<h${level} id="${id}">${level === 1 ? content : `<a href="#${id}">${content}</a>`}</h${level}>\n`;
  }

  override link(token: Tokens.Link): string {
    const href = this.#resolveLink(token.href);
    return href === undefined ? this.parser.parseInline(token.tokens) : super.link({ ...token, href });
  }

  override image(token: Tokens.Image): string {
    return super.image({ ...token, href: this.#resolveLink(token.href) ?? '' });
  }

  override table(token: Tokens.Table): string {
    return `<div class="scroll" role="group" aria-label="Table" tabindex="0">${super.table(token)}</div>\n`;
  }

  override code({ text, lang = '' }: Tokens.Code): string {
    const [language = '', name = ''] = lang.split(' ');
    if (language === 'mermaid') return sequenceDiagram(text);
    // Lines of a diagram must not wrap.
    if (language === 'text') return `<pre class="scroll" role="group" aria-label="Text" tabindex="0">${escapeHtml(text)}</pre>\n`;
    const code = `<code>${this.#color(text, language)}</code>`;
    if ((this.#samples.get(name)?.size ?? 0) < 2) return `<pre>${code}</pre>\n`;
    this.languages.add(language);
    const label = propertyOf(sampleLanguages, language);
    return `<div class="sample" data-language="${language}"><p>${String(label)}</p><pre>${code}</pre></div>\n`;
  }
}

/** Returns the languages of the code blocks by their names. */
function languagesByName(tokens: readonly Token[]): Map<string, Set<string>> {
  const byName = new Map<string, Set<string>>();
  for (const token of tokens) {
    const [language = '', name = ''] = token.type === 'code' ? String(token.lang).split(' ') : [];
    if (name !== '') byName.set(name, (byName.get(name) ?? new Set()).add(language));
  }
  return byName;
}

function plainText(tokens: Token[]): string {
  const renderer = new TextRenderer();
  const parser = new Parser();
  renderer.parser = parser;
  return parser.parseInline(tokens, renderer).replace(/\s+/g, ' ');
}

/** Returns the text of rendered Markdown. */
function textOfHtml(html: string): string {
  const characters: Readonly<Record<string, string>> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'", '&amp;': '&' };
  return html
    .replace(/<\/?(?:a|code|em|span|strong)\b[^>]*>/g, '')
    .replace(/<[^<>]*>/g, ' ')
    .replace(/&(?:lt|gt|quot|#39|amp);/g, (entity) => characters[entity]!)
    .replace(/\s+/g, ' ')
    .trim();
}

/** Returns the id that GitHub gives to a heading. */
function headingId(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_\- ]/gu, '')
    .replaceAll(' ', '-');
}
