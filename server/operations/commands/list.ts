import { requireMerchant } from '../../merchants/store.ts';
import type { CivilDate } from '../../../shared/dates.ts';
import type { Query } from '../../db/database.ts';
import { type Instant, startOfUtcDay } from '../../base/time.ts';
import { type Column, type Command, databaseCommand, option, type Options, tableLines, type Values } from './command.ts';

/** Options of lists of rows that have no merchant. */
export const LIST_OPTIONS = { since: option.date, limit: option.integer(1, 10_000) } as const;
export const LIST_USAGE = '[--since YYYY-MM-DD] [--limit N] [--json]';
export const DEFAULT_LIMIT = 100;

/** Options of `listCommand`, in addition to the filters of a list. */
const MERCHANT_LIST_OPTIONS = { merchant: option.text, ...LIST_OPTIONS } as const;
export const MERCHANT_LIST_USAGE = `[--merchant M] ${LIST_USAGE}`;

/** The rows that the options select. */
interface ListFilter {
  merchantId: string | undefined;
  /** The start of `sinceDay`. */
  since: Instant | undefined;
  sinceDay: CivilDate | undefined;
  limit: number;
}

interface List<Row, Filters extends Options> {
  /** Name of the list in JSON. */
  name: string;
  /** Options that only this list has. */
  filters: Filters;
  columns: readonly Column<Row>[];
  read(query: Query, filter: ListFilter, values: Values<Filters>): Promise<readonly Row[]>;
}

/** Creates a command that prints the rows that the options select, as a table or as JSON. */
export function listCommand<Row, Filters extends Options>(
  usage: string,
  { name, filters, columns, read }: List<Row, Filters>,
): Command {
  return databaseCommand(
    usage,
    { ...filters, ...MERCHANT_LIST_OPTIONS },
    async (values: Values<Filters> & Values<typeof MERCHANT_LIST_OPTIONS>, { query }) => {
      const { merchant: merchantId, since: sinceDay, limit = DEFAULT_LIMIT } = values;
      if (merchantId !== undefined) await requireMerchant(query, merchantId);
      const rows = await read(query, { merchantId, since: sinceDay && startOfUtcDay(sinceDay), sinceDay, limit }, values);
      return { value: { [name]: rows }, lines: tableLines(rows, columns) };
    },
  );
}
