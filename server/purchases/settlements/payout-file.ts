import { CsvError, parse } from 'csv-parse/sync';
import { refine } from 'superstruct';
import { type CivilDate } from '../../../shared/dates.ts';
import { CalendarDate, line } from '../../../shared/wire/fields.ts';
import { isId } from '../../base/ids.ts';

/** A row of a lender's payout file: what the lender has paid for a row of a transaction's journal. */
export interface PayoutRow {
  /** The line in the file, from 1. */
  number: number;
  transactionId: string;
  /** `revision` of the lender's event. */
  revision: number;
  /** Negative for a refund. */
  netCents: number;
  bankReference: string;
  paidOn: CivilDate;
}

const COLUMNS = ['transactionId', 'revision', 'netCents', 'bankReference', 'paidOn'] as const;
type Column = (typeof COLUMNS)[number];

export const MAX_FILE_BYTES = 20_000_000;
const MAX_ROWS = 200_000;
/** Errors that are reported at a time. */
const MAX_ERRORS = 20;

/** Without characters that change how the reference or the text next to it is shown. */
const BankReference = refine(line(140, 1), 'reference', (text) => !/[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u.test(text));

/**
 * Parses a lender's payout file: CSV in UTF-8 (RFC 4180) whose first row has the names of the columns. Other columns are ignored.
 *
 * @throws Error - lists the rows and fields that are invalid, with what was expected and received.
 */
export function parsePayoutFile(text: string): PayoutRow[] {
  const [header, ...records] = parseCsv(text);
  const names = header?.cells.map((cell) => cell.trim()) ?? [];
  const missing = COLUMNS.filter((column) => names.filter((name) => name === column).length !== 1);
  if (missing.length > 0)
    throw new Error(`row 1: expected the columns ${COLUMNS.join(', ')}, but ${missing.join(', ')} is not there once`);
  if (records.length > MAX_ROWS) throw new Error(`expected at most ${MAX_ROWS} rows, but received ${records.length}`);

  const errors: string[] = [];
  const seen = new Map<string, number>();
  const rows = records.map(({ number, cells }): PayoutRow => {
    if (cells.length !== names.length)
      errors.push(`row ${number}: expected ${names.length} fields, but received ${cells.length}`);
    const cellOf = (column: Column) => (cells[names.indexOf(column)] ?? '').trim();
    const check = (column: Column, expected: string, isValid: (cell: string) => boolean): string => {
      const cell = cellOf(column);
      if (!isValid(cell))
        errors.push(`row ${number}, ${column}: expected ${expected}, but received ${JSON.stringify(cell.slice(0, 60))}`);
      return cell;
    };
    const row = {
      number,
      transactionId: check('transactionId', 'the id of a transaction', isId),
      revision: Number(check('revision', 'the revision of an event, such as 3', (cell) => /^[1-9]\d{0,8}$/.test(cell))),
      netCents: Number(check('netCents', 'whole cents, such as 94642 or -1250', (cell) => /^(0|-?[1-9]\d{0,14})$/.test(cell))),
      bankReference: check('bankReference', 'a line of 1 to 140 characters without control and direction characters', (cell) =>
        BankReference.is(cell),
      ),
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- checked to be a date
      paidOn: check('paidOn', 'a date such as 2026-03-31', (cell) => CalendarDate.is(cell)) as CivilDate,
    };
    const key = `${row.transactionId} ${row.revision}`;
    const earlier = seen.get(key);
    if (earlier !== undefined)
      errors.push(`row ${number}: expected each transaction and revision once, but row ${earlier} has the same`);
    seen.set(key, number);
    return row;
  });
  if (errors.length === 0) return rows;
  const more = errors.length > MAX_ERRORS ? [`and ${errors.length - MAX_ERRORS} more`] : [];
  throw new Error([...errors.slice(0, MAX_ERRORS), ...more].join('\n'));
}

interface CsvRecord {
  /** The line at which it begins, from 1. */
  number: number;
  cells: string[];
}

/** Parses CSV, RFC 4180, with any line ends. Skips empty lines. @throws Error - a quoted field is not closed, or text follows it. */
function parseCsv(text: string): CsvRecord[] {
  const records: CsvRecord[] = [];
  try {
    parse(text, {
      bom: true,
      skip_empty_lines: true,
      relax_column_count: true,
      record_delimiter: ['\r\n', '\n', '\r'],
      on_record: (cells: string[], { lines }) => {
        records.push({ number: lines - lineBreaksIn(cells), cells });
        return null;
      },
    });
    return records;
  } catch (thrown) {
    if (!(thrown instanceof CsvError)) throw thrown;
    const expected = 'expected fields that are separated by commas, with quotes around whole fields only';
    throw new Error(`row ${String(thrown['lines'])}: ${expected}`, { cause: thrown });
  }
}

function lineBreaksIn(cells: readonly string[]): number {
  return cells.join('').match(/\r\n|\n|\r/g)?.length ?? 0;
}
