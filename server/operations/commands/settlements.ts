import { createReadStream } from 'node:fs';
import { isUtf8 } from 'node:buffer';
import { requireMerchant } from '../../merchants/store.ts';
import { MAX_FILE_BYTES, parsePayoutFile } from '../../purchases/settlements/payout-file.ts';
import { presentSettlement } from '../../purchases/settlements/present.ts';
import { type Correction, paymentText, type PayoutDifference, reconcile } from '../../purchases/settlements/reconcile.ts';
import { lastEndedDay, runSettlements } from '../../purchases/settlements/run.ts';
import { listSettlements, type Settlement } from '../../purchases/settlements/store.ts';
import {
  type Column,
  command,
  type Command,
  type CommandContext,
  databaseCommand,
  option,
  printResult,
  tableLines,
  withDatabase,
} from './command.ts';
import { listCommand, MERCHANT_LIST_USAGE } from './list.ts';

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

/** Commands for settlements: what merchants are paid. */
export const settlementCommands: Record<string, Command> = {
  'settlements run': databaseCommand(
    '[--through DAY] [--merchant M] [--json]   (default: the last day that has ended in every US time zone)',
    { through: option.date, merchant: option.text },
    async ({ through: day, merchant: merchantId }, database, { config, now }) => {
      const ended = lastEndedDay(now);
      const through = day ?? ended;
      if (config.mode === 'live' && through > ended) {
        throw new Error(
          `--through: expected a day that has ended in every US time zone, ${ended} or earlier, but received ${through}`,
        );
      }
      if (merchantId !== undefined) await requireMerchant(database.query, merchantId);
      const settlements = [];
      for await (const settlement of runSettlements(database, { through, merchantId }, now)) {
        settlements.push(presentWithMerchant(settlement));
      }
      return { value: { settlements }, lines: tableLines(settlements, COLUMNS) };
    },
  ),

  'settlements list': listCommand(MERCHANT_LIST_USAGE, {
    name: 'settlements',
    filters: {},
    columns: COLUMNS,
    read: async (query, { merchantId, sinceDay, limit }) =>
      (await listSettlements(query, { merchantId, from: sinceDay, limit })).map(presentWithMerchant),
  }),

  'settlements import': command(
    'FILE [--replace] [--json]   (FILE - reads standard input; --replace corrects earlier files; exits with 1 if the file differs from the settlements)',
    { FILE: option.argument, replace: option.flag, json: option.flag },
    async ({ FILE: file, replace, json }, context) => {
      const rows = parsePayoutFile(await readFile(file, context));
      const now = context.clock.now();
      const { differences, payments, corrections } = await withDatabase(context, (database) => {
        context.progress.start('Comparing settlements');
        return reconcile(database, rows, { replace, now, progress: context.progress });
      });
      printResult(context, json, { rows: rows.length, settlements: payments, corrections, differences }, [
        ...corrections.map(correctionLine),
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

function correctionLine({ settlementId, before, after }: Correction): string {
  return `corrected: settlement ${settlementId}, ${paymentText(before)} before, ${paymentText(after)} now`;
}

function differenceLine(difference: PayoutDifference): string {
  const { what, settlementId, transactionId, revision, expectedCents, paidCents, row } = difference;
  const parts = [
    row !== null && `row ${row}`,
    transactionId !== null && `transaction ${transactionId} revision ${revision}`,
    settlementId !== null && `settlement ${settlementId}`,
    expectedCents !== null && `expected ${expectedCents} cents`,
    paidCents !== null && `paid ${paidCents} cents`,
  ];
  return `${what}: ${parts.filter((part) => part !== false).join(', ')}`;
}
