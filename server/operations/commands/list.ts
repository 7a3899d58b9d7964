import { requireMerchant } from '../../merchants/store.ts';
import type { CivilDate } from '../../../shared/dates.ts';
import type { Query } from '../../db/database.ts';
import { type Instant, startOfUtcDay } from '../../base/time.ts';
import {
  type Column,
  type CommandContext,
  dateOption,
  flag,
  integerOption,
  printResult,
  tableLines,
  text,
  withDatabase,
} from './command.ts';

/** Options of lists of rows that have no merchant. */
export const LIST_OPTIONS = { since: text, limit: text, json: flag } as const;
export const LIST_USAGE = '[--since YYYY-MM-DD] [--limit N] [--json]';

/** Options of lists, in addition to their own filters. */
export const MERCHANT_LIST_OPTIONS = { merchant: text, ...LIST_OPTIONS } as const;
export const MERCHANT_LIST_USAGE = `[--merchant M] ${LIST_USAGE}`;

/** The rows that the options select. */
interface ListFilter {
  merchantId: string | undefined;
  /** The start of `sinceDay`. */
  since: Instant | undefined;
  sinceDay: CivilDate | undefined;
  limit: number;
}

interface List<Row> {
  /** Name of the list in JSON. */
  name: string;
  columns: readonly Column<Row>[];
  read(query: Query, filter: ListFilter): Promise<readonly Row[]>;
}

/** Prints the rows that the options select, as a table or as JSON. */
export async function printList<Row>(
  context: CommandContext,
  values: { merchant?: string | undefined; since: string | undefined; limit: string | undefined; json: boolean },
  { name, columns, read }: List<Row>,
): Promise<void> {
  const merchantId = values.merchant;
  const sinceDay = dateOption('--since', values.since);
  const since = sinceDay && startOfUtcDay(sinceDay);
  const limit = integerOption('--limit', values.limit, { min: 1, max: 10_000 }) ?? 100;
  const rows = await withDatabase(context, async ({ query }) => {
    if (merchantId !== undefined) await requireMerchant(query, merchantId);
    return read(query, { merchantId, since, sinceDay, limit });
  });
  printResult(context, values.json, { [name]: rows }, tableLines(rows, columns));
}
