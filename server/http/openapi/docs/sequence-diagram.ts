import { escapeHtml } from '../../pages/html.ts';

/** Messages between participants, from top to bottom. */
interface Sequence {
  title: string;
  participants: string[];
  messages: { from: number; to: number; text: string; isResponse: boolean }[];
}

/** Distances in pixels: between participants, between messages, and the size of the box of a participant. */
const COLUMN = 150;
const ROW = 38;
const BOX = { width: 126, height: 30 };

/**
 * Draws a sequence diagram in the syntax of Mermaid, of which it reads four lines: `accTitle: TITLE`, `participant ID as NAME`, `ID->>ID: TEXT`
 * and `ID-->>ID: TEXT`. Its messages are also a list.
 */
export function sequenceDiagram(code: string): string {
  const { title, participants, messages } = parse(code);
  const width = participants.length * COLUMN;
  const height = BOX.height + messages.length * ROW + 20;
  const xOf = (index: number) => (index + 0.5) * COLUMN;
  const columns = participants.map((name, index) => {
    const x = xOf(index);
    return `<path d="M${x} ${BOX.height}V${height}"/><rect x="${x - BOX.width / 2}" y="1" width="${BOX.width}" height="${BOX.height}" rx="6"/><text x="${x}" y="21">${escapeHtml(name)}</text>`;
  });
  const rows = messages.map(({ from, to, text, isResponse }, index) => {
    const [start, end] = [xOf(from), xOf(to)];
    const y = BOX.height + (index + 1) * ROW;
    const back = from < to ? -8 : 8;
    return `<g><title>${escapeHtml(text)}</title><path class="${isResponse ? 'response' : 'request'}" d="M${start} ${y}H${end + back}"/><path class="head" d="M${end} ${y}l${back}-4v8z"/><text x="${(start + end) / 2}" y="${y - 7}">${escapeHtml(text)}</text></g>`;
  });
  const list = messages.map(
    ({ from, to, text }) => `<li>${escapeHtml(`${participants[from]} to ${participants[to]}: ${text}`)}</li>`,
  );
  return `<figure class="sequence"><svg role="img" aria-label="${escapeHtml(title)}" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${columns.join('')}${rows.join('')}</svg><figcaption><details><summary>${escapeHtml(title)}, as a list</summary><ol>${list.join('')}</ol></details></figcaption></figure>\n`;
}

function parse(code: string): Sequence {
  const names = new Map<string, string>();
  const sequence: Sequence = { title: '', participants: [], messages: [] };
  for (const line of code.split('\n').map((each) => each.trim())) {
    const [, title] = /^accTitle: (.*)/.exec(line) ?? [];
    const [, id, name] = /^participant (\w+) as (.*)/.exec(line) ?? [];
    const [, from, arrow, to, text] = /^(\w+)(--?)>>(\w+): (.*)/.exec(line) ?? [];
    const indexOf = (participant: string | undefined) => [...names.keys()].indexOf(participant ?? '');
    if (title !== undefined) sequence.title = title;
    if (id !== undefined && name !== undefined) names.set(id, name);
    if (text !== undefined) sequence.messages.push({ from: indexOf(from), to: indexOf(to), text, isResponse: arrow === '--' });
  }
  return { ...sequence, participants: [...names.values()] };
}
