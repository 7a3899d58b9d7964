import { Marked, type Token, type Tokens } from 'marked';

/** Languages of samples and their labels, in the order of the selection. */
export const sampleLanguages = { sh: 'curl', ts: 'TypeScript', py: 'Python', php: 'PHP' } as const;
export type SampleLanguage = keyof typeof sampleLanguages;

/** A heading and the text up to the next heading. */
export interface Section {
  /** 1 to 6. */
  level: number;
  id: string;
  title: string;
  text: string;
}

export interface RenderedMarkdown {
  html: string;
  /** Text of the first paragraph. */
  summary: string;
  sections: Section[];
  /** Languages of the samples that exist in several languages. */
  languages: SampleLanguage[];
}

/**
 * Renders Markdown. HTML in it is shown as text, except for comments, which are omitted.
 *
 * A fenced code block has a language and a name: `sh create-cart`. Blocks with the same name are the same sample in several languages,
 * of which the reader selects one.
 *
 * @param resolveLink - Returns the URL of a link or image, or undefined if it is not served. Such a link becomes plain text.
 */
export function renderMarkdown(markdown: string, resolveLink: (href: string) => string | undefined): RenderedMarkdown {
  const tokens = new Marked().lexer(markdown);
  const samples = samplesOf(tokens);
  const marked = new Marked({
    renderer: {
      html: ({ text }) => (text.trimStart().startsWith('<!--') ? '' : escapeHtml(text)),
      heading({ tokens: inline, depth, text }) {
        const id = headingId(plainText(text));
        const content = this.parser.parseInline(inline);
        return `<h${depth} id="${id}">${depth === 1 ? content : `<a href="#${id}">${content}</a>`}</h${depth}>\n`;
      },
      link({ href, tokens: inline }) {
        const url = resolveLink(href);
        const content = this.parser.parseInline(inline);
        return url === undefined ? content : `<a href="${escapeHtml(url)}">${content}</a>`;
      },
      image: ({ href, text }) => `<img src="${escapeHtml(resolveLink(href) ?? '')}" alt="${escapeHtml(text)}" loading="lazy">`,
      table(token) {
        const row = (cells: Tokens.TableCell[], name: string) =>
          `<tr>${cells
            .map(({ text, tokens: inline }) =>
              text === '' ? '<td></td>' : `<${name}>${this.parser.parseInline(inline)}</${name}>`,
            )
            .join('')}</tr>`;
        const body = token.rows.map((cells) => row(cells, 'td')).join('');
        return `<div class="scroll" role="group" aria-label="Table" tabindex="0"><table><thead>${row(token.header, 'th')}</thead><tbody>${body}</tbody></table></div>\n`;
      },
      code({ text, lang = '' }) {
        const [language = '', name = ''] = lang.split(' ');
        const code = `<code>${escapeHtml(text)}</code>`;
        // Lines of a diagram must not wrap.
        if (language === 'text') return `<pre class="scroll" role="group" aria-label="Text" tabindex="0">${code}</pre>\n`;
        const listing = `<pre data-copy="Copy">${code}</pre>\n`;
        const hasSelection = (samples.get(name)?.size ?? 0) > 1;
        return hasSelection
          ? `<div class="sample" data-language="${language}"><p>${sampleLanguages[language as SampleLanguage]}</p>${listing}</div>\n`
          : listing;
      },
    },
  });
  const choices = [...samples.values()].filter((languages) => languages.size > 1);
  return {
    html: marked.parser(tokens),
    summary: plainText(tokens.find(({ type }) => type === 'paragraph')?.raw ?? ''),
    sections: sectionsOf(tokens),
    languages: (Object.keys(sampleLanguages) as SampleLanguage[]).filter((language) =>
      choices.some((languages) => languages.has(language)),
    ),
  };
}

/** Returns the languages of each code block by its name. */
function samplesOf(tokens: readonly Token[]): Map<string, Set<string>> {
  const samples = new Map<string, Set<string>>();
  for (const { type, lang = '' } of tokens as Tokens.Code[]) {
    const [language = '', name = ''] = lang.split(' ');
    if (type === 'code' && name !== '') samples.set(name, (samples.get(name) ?? new Set()).add(language));
  }
  return samples;
}

function sectionsOf(tokens: readonly Token[]): Section[] {
  const sections: Section[] = [];
  for (const token of tokens) {
    if (token.type === 'heading') {
      const { depth, text } = token as Tokens.Heading;
      const title = plainText(text);
      sections.push({ level: depth, id: headingId(title), title, text: '' });
    } else if (sections.length > 0 && token.type !== 'html' && !isDiagram(token)) {
      const section = sections.at(-1)!;
      section.text = `${section.text} ${plainText(token.raw)}`.trim();
    }
  }
  return sections;
}

const isDiagram = (token: Token) => token.type === 'code' && /^text\b/.test((token as Tokens.Code).lang ?? '');

/** Returns Markdown without its punctuation. */
function plainText(markdown: string): string {
  return markdown
    .replace(/^```.*$/gm, ' ')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/\|?(\s*:?-{3,}:?\s*\|)+|\s\|\s|^\||\|$/gm, ' ')
    .replace(/[`*]|\\(?=\|)/g, '')
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

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
