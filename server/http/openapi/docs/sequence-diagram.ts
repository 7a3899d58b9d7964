import { escapeHtml } from '../../pages/html.ts';

/** Distances in pixels: between participants, between messages, and the size of the box of a participant. */
const COLUMN = 150;
const ROW = 38;
const BOX = { width: 126, height: 30 };

/**
 * Draws a sequence diagram in the syntax of Mermaid, of which it reads four lines: `accTitle: TITLE`, `participant ID as NAME`, `ID->>ID: TEXT`
 * and `ID-->>ID: TEXT`. Its messages are also a list.
 */
export function sequenceDiagram(code: string): string {
  const [, title = ''] = /^ *accTitle: (.*)$/m.exec(code) ?? [];
  const participants = [...code.matchAll(/^ *participant (\w+) as (.*)$/gm)].map(([, id, name = '']) => ({ id, name }));
  const indexOf = (participant: string | undefined) => participants.findIndex(({ id }) => id === participant);
  const messages = [...code.matchAll(/^ *(\w+)(--?)>>(\w+): (.*)$/gm)].map(([, from, line, to, text = '']) => {
    return { from: indexOf(from), to: indexOf(to), text, isResponse: line === '--' };
  });
  const width = participants.length * COLUMN;
  const height = BOX.height + messages.length * ROW + 20;
  const xOf = (index: number) => (index + 0.5) * COLUMN;
  const columns = participants.map(({ name }, index) => {
    const x = xOf(index);
    return `<path d="M${x} ${BOX.height}V${height}"/><rect x="${x - BOX.width / 2}" y="1" width="${BOX.width}" height="${BOX.height}" rx="6"/><text x="${x}" y="21">${escapeHtml(name)}</text>`;
  });
  const rows = messages.map(({ from, to, text, isResponse }, index) => {
    const start = xOf(from);
    const end = xOf(to);
    const y = BOX.height + (index + 1) * ROW;
    const back = from < to ? -8 : 8;
    return `<g><title>${escapeHtml(text)}</title><path class="${isResponse ? 'response' : 'request'}" d="M${start} ${y}H${end + back}"/><path class="head" d="M${end} ${y}l${back}-4v8z"/><text x="${(start + end) / 2}" y="${y - 7}">${escapeHtml(text)}</text></g>`;
  });
  const list = messages.map(
    ({ from, to, text }) => `<li>${escapeHtml(`${participants[from]!.name} to ${participants[to]!.name}: ${text}`)}</li>`,
  );
  return `<figure class="sequence"><svg role="img" aria-label="${escapeHtml(title)}" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${columns.join('')}${rows.join('')}</svg><figcaption><details><summary>${escapeHtml(title)}, as a list</summary><ol>${list.join('')}</ol></details></figcaption></figure>\n`;
}
