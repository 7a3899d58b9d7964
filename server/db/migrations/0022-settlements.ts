import { type Kysely, type RawBuilder, sql } from 'kysely';
import { dateIn } from '../../../shared/dates.ts';
import { merchantFeeCents } from '../../../shared/merchant-fee.ts';
import type { Connection, Engine } from '../engine.ts';

/** Adds settlements, and their lines for all purchases that were settled before. */
export async function up(database: Kysely<unknown>, { engine }: Connection): Promise<void> {
  for (const statement of tables(engine)) await sql.raw(statement).execute(database);
  await addEarlierLines(database);
  for (const statement of [...indexes, ...triggers[engine]]) await sql.raw(statement).execute(database);
}

function tables(engine: Engine): string[] {
  const amount = engine === 'sqlite' ? 'integer' : 'bigint';
  const created = [
    `create table settlements (
       id text primary key not null,
       merchant_id text not null references merchants (id),
       currency text not null,
       day text not null,
       line_count integer not null,
       gross_cents ${amount} not null,
       fee_cents ${amount} not null,
       carried_cents ${amount} not null check (carried_cents <= 0),
       bank_reference text,
       paid_on text,
       created_at text not null,
       check ((bank_reference is null) = (paid_on is null))
     )`,
    `create table settlement_lines (
       transaction_id text not null references transactions (id),
       sequence integer not null,
       type text not null check (type in ('settled', 'settled-by-card', 'refunded', 'refunded-to-card')),
       merchant_id text not null references merchants (id),
       currency text not null,
       gross_cents ${amount} not null,
       fee_cents ${amount} not null,
       day text not null,
       at text not null,
       settlement_id text references settlements (id),
       primary key (transaction_id, sequence, type),
       check (type in ('settled', 'refunded') or (gross_cents = 0 and fee_cents = 0))
     )`,
  ];
  return engine === 'sqlite' ? created.map((statement) => `${statement} strict`) : created;
}

const indexes = [
  'create unique index settlements_once on settlements (merchant_id, currency, day)',
  'create index settlements_of_merchant on settlements (merchant_id, day, id)',
  'create index settlements_by_day on settlements (day, id)',
  'create index settlement_lines_of_settlement on settlement_lines (settlement_id, transaction_id, sequence, type)',
  'create index settlement_lines_unassigned on settlement_lines (merchant_id, currency, day) where settlement_id is null',
];

const LINE_IS_FINAL = 'A settlement line cannot be changed';

/** A line is only assigned to a settlement, once. */
const triggers: Record<Engine, string[]> = {
  sqlite: [
    `create trigger settlement_lines_without_delete before delete on settlement_lines
       begin select raise(abort, '${LINE_IS_FINAL}'); end`,
    `create trigger settlement_lines_only_assigned before update on settlement_lines
       when old.settlement_id is not null or new.settlement_id is null or ${[
         'transaction_id',
         'sequence',
         'type',
         'merchant_id',
         'currency',
         'gross_cents',
         'fee_cents',
         'day',
         'at',
       ]
         .map((column) => `new.${column} is not old.${column}`)
         .join(' or ')}
       begin select raise(abort, '${LINE_IS_FINAL}'); end`,
  ],
  postgres: [
    `create function refuse_changed_settlement_line() returns trigger language plpgsql as $$
       begin
         if tg_op = 'UPDATE' then
           if old.settlement_id is null and new.settlement_id is not null
             and to_jsonb(new) - 'settlement_id' = to_jsonb(old) - 'settlement_id' then return new;
           end if;
         end if;
         raise exception '${LINE_IS_FINAL}';
       end $$`,
    `create trigger settlement_lines_are_final before update or delete on settlement_lines
       for each row execute function refuse_changed_settlement_line()`,
    `create trigger settlement_lines_stay before truncate on settlement_lines
       for each statement execute function refuse_changed_settlement_line()`,
  ],
};

/** Number of transactions whose journals are read at a time. */
const BATCH = 500;

interface SettledTransaction {
  id: string;
  merchant_id: string;
  currency: string;
  time_zone: string;
  card_cents: number;
  merchant_discount_bps: number;
  merchant_discount_cents: number;
}

interface JournalRow {
  transaction_id: string;
  sequence: number;
  type: string;
  amount_cents: number;
  card_cents: number;
  at: string;
}

interface Line {
  type: string;
  grossCents: number;
  feeCents: number;
  sequence: number;
  at: string;
}

async function addEarlierLines(database: Kysely<unknown>): Promise<void> {
  let after = '';
  let batch: SettledTransaction[];
  do {
    const page: RawBuilder<SettledTransaction> = sql`
      select transactions.id, transactions.merchant_id, applications.currency, time_zone, card_cents, merchant_discount_bps,
        merchant_discount_cents
      from transactions join applications on applications.id = application_id
      where transactions.id > ${after} and transactions.status in ('SETTLED', 'REFUNDED')
      order by transactions.id limit ${BATCH}`;
    batch = (await page.execute(database)).rows;
    if (batch.length > 0) await addLinesOf(database, batch);
    after = batch.at(-1)?.id ?? after;
  } while (batch.length === BATCH);
}

/** Number of rows in one insert: SQLite accepts 32,766 values. */
const ROWS_PER_INSERT = 1_000;

async function addLinesOf(database: Kysely<unknown>, batch: readonly SettledTransaction[]): Promise<void> {
  const { rows: events } = await sql<JournalRow>`
    select transaction_id, sequence, type, amount_cents, card_cents, at from transaction_events
    where transaction_id in (${sql.join(batch.map(({ id }) => id))}) order by transaction_id, sequence`.execute(database);
  const journals = new Map(batch.map(({ id }): [string, JournalRow[]] => [id, []]));
  for (const event of events) journals.get(event.transaction_id)!.push(event);
  const rows = batch.flatMap((transaction) => {
    const { id, merchant_id: merchantId, currency, time_zone: timeZone } = transaction;
    return linesOf(transaction, journals.get(id)!).map(({ sequence, type, grossCents, feeCents, at }) => {
      const day = dateIn(at, timeZone);
      return sql`(${sql.join([id, sequence, type, merchantId, currency, grossCents, feeCents, day, at])})`;
    });
  });
  for (let start = 0; start < rows.length; start += ROWS_PER_INSERT) {
    await sql`insert into settlement_lines
      (transaction_id, sequence, type, merchant_id, currency, gross_cents, fee_cents, day, at)
      values ${sql.join(rows.slice(start, start + ROWS_PER_INSERT))}`.execute(database);
  }
}

/** Has the rules of the release that added settlements, because those of `accrualsOf` may change. */
function linesOf(transaction: SettledTransaction, journal: readonly JournalRow[]): Line[] {
  const discount = { bps: transaction.merchant_discount_bps, fixedCents: transaction.merchant_discount_cents };
  const feeOf = (cents: number) => merchantFeeCents(cents, discount);
  let leftCents = 0;
  let cardLimitCents = transaction.card_cents;
  let paid = { loanCents: 0, cardCents: 0 };
  let isSettled = false;
  return journal.flatMap(({ sequence, type, amount_cents: amountCents, card_cents: reducedCents, at }) => {
    if (type === 'created') leftCents = amountCents;
    if (type === 'canceled' || type === 'refunded') leftCents -= amountCents;
    cardLimitCents -= reducedCents;
    isSettled ||= type === 'settled';
    if (!isSettled) return [];
    const before = paid;
    const cardCents = Math.min(cardLimitCents, leftCents);
    paid = { loanCents: leftCents - cardCents, cardCents };
    const grossCents = paid.loanCents - before.loanCents;
    const feeCents = feeOf(paid.loanCents) - feeOf(before.loanCents);
    const [loanType, cardType] = type === 'settled' ? ['settled', 'settled-by-card'] : ['refunded', 'refunded-to-card'];
    const loan = { sequence, at, type: loanType, grossCents, feeCents };
    const card = { sequence, at, type: cardType, grossCents: 0, feeCents: 0 };
    return [...(type === 'settled' || grossCents !== 0 ? [loan] : []), ...(cardCents === before.cardCents ? [] : [card])];
  });
}
