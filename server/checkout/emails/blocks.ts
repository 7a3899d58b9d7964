/** A part of a notice or a letter: what is said, whether as a page, an HTML letter or plain text. */
export interface Block {
  heading?: string;
  paragraphs?: readonly string[];
  items?: readonly string[];
  /** Figures with their labels. */
  rows?: readonly (readonly [label: string, value: string])[];
  /** An address of ours. */
  link?: string;
}

/** Blocks as plain text. */
export function textOf(blocks: readonly Block[]): string {
  return blocks.map(blockText).join('\n\n');
}

function blockText({ heading, paragraphs = [], items = [], rows = [], link }: Block): string {
  const lines = [...items.map((item) => `- ${item}`), ...rows.map(([label, value]) => `${label}: ${value}`)];
  const parts = [...paragraphs, ...(link === undefined ? [] : [link]), ...(lines.length > 0 ? [lines.join('\n')] : [])];
  return [...(heading === undefined ? [] : [heading]), parts.join('\n\n')].join('\n');
}
