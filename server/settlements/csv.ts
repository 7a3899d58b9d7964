/** A column of a CSV file: its name and the value of a row. */
export type CsvColumn<Row> = readonly [name: string, valueOf: (row: Row) => string | number | null];

/** Returns the header of a CSV file, RFC 4180. */
export function csvHeader<Row>(columns: readonly CsvColumn<Row>[]): string {
  return `${columns.map(([name]) => name).join(',')}\r\n`;
}

export function csvRow<Row>(columns: readonly CsvColumn<Row>[], row: Row): string {
  return `${columns.map(([, valueOf]) => cellOf(valueOf(row))).join(',')}\r\n`;
}

/**
 * The beginning of a text that a spreadsheet would run as a formula, also after spaces.
 *
 * @see https://owasp.org/www-community/attacks/CSV_Injection
 */
const FORMULA = /^\s*[=+\-@\t\r\n＝＋－＠]/u;

function cellOf(value: string | number | null): string {
  if (typeof value === 'number') return String(value);
  const text = value ?? '';
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return safe === text && !/[",\r\n]/.test(text) ? text : `"${safe.replaceAll('"', '""')}"`;
}
