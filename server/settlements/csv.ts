import { stringify } from 'csv-stringify/sync';

/** A column of a CSV file: its name and the value of a row. */
export type CsvColumn<Row> = readonly [name: string, valueOf: (row: Row) => string | number | null];

/**
 * The beginning of a text that a spreadsheet would run as a formula, also after spaces.
 *
 * @see https://owasp.org/www-community/attacks/CSV_Injection
 */
const FORMULA = /^\s*[=+\-@\t\r\n＝＋－＠]/u;

/** Returns the header of a CSV file, RFC 4180. */
export function csvHeader<Row>(columns: readonly CsvColumn<Row>[]): string {
  return csvOf([columns.map(([name]) => name)]);
}

export function csvRows<Row>(columns: readonly CsvColumn<Row>[], rows: readonly Row[]): string {
  return csvOf(rows.map((row) => columns.map(([, valueOf]) => valueOf(row))));
}

function csvOf(records: readonly (readonly (string | number | null)[])[]): string {
  return stringify([...records], {
    record_delimiter: 'windows',
    quoted_match: /[\r\n]/,
    cast: { string: (text) => (FORMULA.test(text) ? { value: `'${text}`, quoted: true } : text) },
  });
}
