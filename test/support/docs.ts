import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The guides whose code blocks tests execute. */
export const guides = [
  'README.md',
  ...readdirSync(join(root, 'server/docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `server/docs/${name}`),
  'shared/client/README.md',
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

/** Returns the fenced code blocks of a guide. */
export function codeBlocks(guide: string): CodeBlock[] {
  const blocks = readGuide(guide).matchAll(/^```(\w*) ?([\w-]*)\n([^]*?)^```$/gm);
  return Array.from(blocks, ([, language, name, code]) => ({ language: language!, name: name!, code: code! }));
}

/** Returns the code of the block with that name. @throws Error - the guide has no such block. */
export function codeBlock(guide: string, name: string): string {
  const block = codeBlocks(guide).find((candidate) => candidate.name === name);
  if (!block) throw new Error(`${guide}: expected a code block named "${name}", but found none`);
  return block.code;
}
