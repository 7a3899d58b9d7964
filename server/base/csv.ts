import { stringify } from 'csv-stringify/sync';

/** A column of a CSV file: its name and the value of a row. */
export type CsvColumn<Row> = readonly [name: string, valueOf: (row: Row) => string | number | null];

/** Returns columns with the names and the values of fields. */
export function fieldColumns<Name extends string>(...names: Name[]): CsvColumn<Record<Name, string | number | null>>[] {
  return names.map((name) => [name, (row) => row[name]]);
}

/**
 * The beginning of a text that a spreadsheet would run as a formula, also after spaces.
 *
 * @see https://owasp.org/www-community/attacks/CSV_Injection
 */
const FORMULA = /^\s*[=+\-@\t\r\n＝＋－＠]/u;

/** The characters before such a beginning within a text. Where decimals have a comma, spreadsheets begin a cell after a semicolon, also in quotes. */
const BEFORE_FORMULA = /(?<![\s;"])[\s;"]+(?=[=+\-@＝＋－＠])/gu;

/** Begins a file that people open, because spreadsheets would read its letters in another encoding. Programs read CSV without it. */
export const BYTE_ORDER_MARK = '\ufeff';

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
    // With these line ends, the library does not quote a field with a single CR or LF.
    quoted_match: /[\r\n]/,
    cast: { string: withoutFormulas },
  });
}

/** Puts an apostrophe before what a spreadsheet would run, also in cells that it splits at a semicolon, a tab or a line break, and quotes the cell. */
function withoutFormulas(text: string): string | { value: string; quoted: boolean } {
  const inner = text.replace(BEFORE_FORMULA, (before) => (/[;\t\r\n]/.test(before) ? `${before}'` : before));
  const value = FORMULA.test(text) ? `'${inner}` : inner;
  return value === text ? text : { value, quoted: true };
}
