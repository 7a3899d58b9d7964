/** A column of a table: its heading, and whether it holds numbers, which stand at its right. */
export interface Column {
  heading: string;
  isNumber?: boolean;
}

/** Lines of text with the cells of each column below its heading, two spaces between them. */
export function tableLines(columns: readonly Column[], rows: readonly (readonly string[])[]): string[] {
  return aligned(
    [columns.map(({ heading }) => heading), ...rows],
    columns.map(({ isNumber = false }) => isNumber),
  );
}

/** The same without headings: names, and the figure of each at the right. */
export function figureLines(figures: readonly [name: string, figure: string][]): string[] {
  return aligned(figures, [false, true]);
}

function aligned(rows: readonly (readonly string[])[], areNumbers: readonly boolean[]): string[] {
  const widths = areNumbers.map((_, index) => Math.max(...rows.map((row) => row[index]!.length)));
  return rows.map((cells) =>
    cells
      .map((cell, index) => (areNumbers[index] ? cell.padStart(widths[index]!) : cell.padEnd(widths[index]!)))
      .join('  ')
      .trimEnd(),
  );
}

/** Breaks a text at its spaces, so that no line is longer than a terminal is wide. */
export function wrapped(text: string, width = 80): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const line = lines.at(-1);
    if (line !== undefined && line.length + 1 + word.length <= width) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word);
  }
  return lines;
}
