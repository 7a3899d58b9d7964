import { createReadStream } from 'node:fs';
import { isUtf8 } from 'node:buffer';
import { requireMerchant } from '../../merchants/store.ts';
import { MAX_FILE_BYTES, parsePayoutFile } from '../../purchases/settlements/payout-file.ts';
import { presentSettlement } from '../../purchases/settlements/present.ts';
import { type PayoutDifference, reconcile } from '../../purchases/settlements/reconcile.ts';
import { lastEndedDay, runSettlements } from '../../purchases/settlements/run.ts';
import { listSettlements, type Settlement } from '../../purchases/settlements/store.ts';
import {
  type Column,
  command,
  type Command,
  type CommandContext,
  commandOn,
  dateOption,
  flag,
  printResult,
  tableLines,
  text,
  withDatabase,
} from './command.ts';
import { MERCHANT_LIST_OPTIONS, MERCHANT_LIST_USAGE, printList } from './list.ts';

/** Commands for settlements: what merchants are paid. */
export const settlementCommands: Record<string, Command> = {
  'settlements run': command(
    '[--through DAY] [--merchant M] [--json]   (default: the last day that has ended in every US time zone)',
    { through: text, merchant: text, json: flag },
    async (values, context) => {
      const now = context.clock.now();
      const ended = lastEndedDay(now);
      const through = dateOption('--through', values.through) ?? ended;
      const merchantId = values.merchant;
      const settlements = await withDatabase(context, async (database, { mode }) => {
        if (mode === 'live' && through > ended) {
          throw new Error(
            `--through: expected a day that has ended in every US time zone, ${ended} or earlier, but received ${through}`,
          );
        }
        if (merchantId !== undefined) await requireMerchant(database.query, merchantId);
        const created: Settlement[] = [];
        for await (const settlement of runSettlements(database, { through, merchantId }, now)) created.push(settlement);
        return created;
      });
      const presented = settlements.map(presentWithMerchant);
      printResult(context, values.json, { settlements: presented }, tableLines(presented, COLUMNS));
    },
  ),

  'settlements list': command(MERCHANT_LIST_USAGE, MERCHANT_LIST_OPTIONS, (values, context) =>
    printList(context, values, {
      name: 'settlements',
      columns: COLUMNS,
      read: async (query, { merchantId, sinceDay, limit }) =>
        (await listSettlements(query, { merchantId, from: sinceDay, limit })).map(presentWithMerchant),
    }),
  ),

  'settlements import': commandOn(
    'FILE [--json]   (FILE - reads standard input; exits with 1 if the file differs from the settlements)',
    'FILE',
    { json: flag },
    async (file, { json }, context) => {
      const rows = parsePayoutFile(await readFile(file, context));
      const { differences, payments } = await withDatabase(context, (database) => reconcile(database, rows));
      printResult(context, json, { rows: rows.length, settlements: payments, differences }, [
        ...differences.map(differenceLine),
        `Rows: ${rows.length}, settlements paid as expected: ${payments.length}, differences: ${differences.length}`,
      ]);
      return differences.length > 0 ? 1 : 0;
    },
  ),
};

/** @throws Error - the file is too large, or not in UTF-8. */
async function readFile(file: string, { stdin }: CommandContext): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of file === '-' ? stdin() : createReadStream(file)) {
    size += chunk.length;
    if (size > MAX_FILE_BYTES) throw new Error(`FILE: expected at most ${MAX_FILE_BYTES} bytes, but received more`);
    chunks.push(chunk);
  }
  const bytes = Buffer.concat(chunks);
  if (!isUtf8(bytes)) throw new Error('FILE: expected CSV in UTF-8, but received another encoding');
  return bytes.toString('utf8');
}

function presentWithMerchant(settlement: Settlement) {
  return { merchantId: settlement.merchantId, ...presentSettlement(settlement) };
}

const COLUMNS: readonly Column<ReturnType<typeof presentWithMerchant>>[] = [
  ['id', ({ id }) => id],
  ['merchant', ({ merchantId }) => merchantId],
  ['day', ({ day }) => day],
  ['lines', ({ lineCount }) => String(lineCount), 'number'],
  ['gross', ({ gross }) => String(gross), 'number'],
  ['fee', ({ fee }) => String(fee), 'number'],
  ['payout', ({ payout }) => String(payout), 'number'],
  ['balance', ({ balance }) => String(balance), 'number'],
  ['currency', ({ currency }) => currency],
  ['bank reference', ({ bankReference }) => bankReference ?? ''],
];

function differenceLine({
  what,
  settlementId,
  transactionId,
  revision,
  expectedCents,
  paidCents,
  row,
}: PayoutDifference): string {
  const parts = [
    row !== null && `row ${row}`,
    transactionId !== null && `transaction ${transactionId} revision ${revision}`,
    settlementId !== null && `settlement ${settlementId}`,
    expectedCents !== null && `expected ${expectedCents} cents`,
    paidCents !== null && `paid ${paidCents} cents`,
  ];
  return `${what}: ${parts.filter((part) => part !== false).join(', ')}`;
}
