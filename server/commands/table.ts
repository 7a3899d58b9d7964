/** A column of a table: its heading and the text of a row's cell. Numbers are aligned to the right. */
export type Column<Row> = readonly [heading: string, cell: (row: Row) => string, kind?: 'number'];

/** Formats a table with headings. Columns are separated by two spaces. */
export function tableLines<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): string[] {
  const cells = columns.map(([heading, cell, kind]) => {
    const texts = [heading, ...rows.map(cell)];
    const width = Math.max(...texts.map(({ length }) => length));
    return texts.map((text) => (kind === 'number' ? text.padStart(width) : text.padEnd(width)));
  });
  return [{}, ...rows].map((_, index) =>
    cells
      .map((column) => column[index])
      .join('  ')
      .trimEnd(),
  );
}
