import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Marked, type Tokens } from 'marked';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The guides whose code blocks tests execute. */
export const guides = [
  'README.md',
  ...readdirSync(join(root, 'server/docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `server/docs/${name}`),
  'shared/client/README.md',
  'widget/README.md',
  'widget/recipes/README.md',
  'demo/README.md',
  'test/README.md',
];

export interface CodeBlock {
  language: string;
  /** The word after the language; empty for a block without a name. */
  name: string;
  code: string;
}

export function readGuide(guide: string): string {
  return readFileSync(join(root, guide), 'utf8');
}

/** Returns the code blocks of a guide. An indented block has neither a language nor a name. */
export function codeBlocks(guide: string): CodeBlock[] {
  const marked = new Marked();
  const blocks: CodeBlock[] = [];
  void marked.walkTokens(marked.lexer(readGuide(guide)), (token) => {
    if (token.type !== 'code') return;
    const { text, lang = '' } = token as Tokens.Code;
    const [language = '', name = ''] = lang.split(' ');
    blocks.push({ language, name, code: `${text}\n` });
  });
  return blocks;
}

/** Returns the code of the block with this name, in any language by default. @throws Error - the guide has no such block. */
export function codeBlock(guide: string, name: string, language?: string): string {
  const block = codeBlocks(guide).find(
    (candidate) => candidate.name === name && (language === undefined || candidate.language === language),
  );
  if (!block) throw new Error(`${guide}: expected a ${language ?? 'code'} block named "${name}", but found none`);
  return block.code;
}
