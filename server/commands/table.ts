/** A column of a table: its heading and the text of a row's cell. Numbers are aligned to the right. */
export type Column<Row> = readonly [heading: string, cell: (row: Row) => string, kind?: 'number'];

/** Formats a table with headings. Columns are separated by two spaces. */
export function tableLines<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): string[] {
  return aligned(
    [columns.map(([heading]) => heading), ...rows.map((row) => columns.map(([, cell]) => cell(row)))],
    columns.map(([, , kind]) => kind === 'number'),
  );
}

/** Formats names and figures as a table without headings. */
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

/** Breaks a text at its spaces into lines of at most `width` characters. */
export function wrapText(text: string, width = 80): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const line = lines.at(-1);
    if (line !== undefined && line.length + 1 + word.length <= width) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word);
  }
  return lines;
}
