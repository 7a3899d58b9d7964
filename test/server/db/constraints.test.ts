/** Constraints and triggers that protect the data even from faulty code. */
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { addApplication } from '../../../server/lending/applications/store.ts';
import { addCart } from '../../../server/purchases/carts/store.ts';
import type { Database } from '../../../server/db/database.ts';
import { describeOnEveryEngine, createDatabase } from '../../support/databases.ts';
import { applicationRow, cartRow, createBuyer } from '../../support/purchases.ts';
import type { Instant } from '../../../server/base/time.ts';

const at: Instant = '2026-11-21T09:30:00.000000Z';
const ROLLED_BACK = 'rolled back by the test';

describeOnEveryEngine('The database', (engine) => {
  let database: Database;
  let pending: string;
  let references: { tenantId: string; merchantId: string; programId: string; at: Instant };
  beforeAll(async () => {
    database = await createDatabase(engine);
    const { merchantId, createPurchase } = await createBuyer(database, at);
    pending = await createPurchase();
    const { tenantId, programId } = await database.query
      .selectFrom('applications')
      .select(['tenantId', 'programId'])
      .executeTakeFirstOrThrow();
    references = { tenantId, merchantId, programId, at };
  });
  const change = (statement: string) => database.write((tx) => sql.raw(statement).execute(tx));
  /** Runs the statements and rolls them back. Throws `ROLLED_BACK` if the database accepted all of them. */
  const attempt = (...statements: string[]) =>
    database.write(async (tx) => {
      for (const statement of statements) await sql.raw(statement).execute(tx);
      throw new Error(ROLLED_BACK);
    });

  it.each([
    'adjusted_total_cents = 4999',
    'canceled_cents = 1',
    'refunded_cents = 1',
    'canceled_cents = 1, refunded_cents = -1',
    'canceled_cents = -1, adjusted_total_cents = 5001',
    'adjusted_total_cents = -1, refunded_cents = 5001',
    'line_items_cents = -1',
    "card_cents = -1, card_reference = 'tok'",
    "card_cents = 5001, card_reference = 'tok'",
    'card_cents = 1',
    "card_reference = 'tok'",
  ])('rejects a transaction whose amounts do not add up: %s', async (amounts) => {
    await expect(change(`update transactions set ${amounts}`)).rejects.toThrow(/check/i);
  });

  it('accepts a transaction whose amounts add up', async () => {
    const set = 'canceled_cents = 1000, refunded_cents = 4000, adjusted_total_cents = 0';
    await expect(attempt(`update transactions set ${set}`)).rejects.toThrow(ROLLED_BACK);
  });

  it.each([
    'update transaction_entries set amount_cents = 0',
    'update transaction_entries set at = at',
    'delete from transaction_entries',
    ...(engine === 'postgres' ? ['truncate transaction_entries', 'truncate transactions cascade'] : []),
  ])('rejects changes of the journal: %s', async (statement) => {
    await expect(change(statement)).rejects.toThrow('The journal of a transaction cannot be changed');
  });

  const insertion = (...sequences: (number | null)[]) => {
    const rows = sequences.map((sequence) => `('${pending}', ${sequence}, 'shipped', 0, 'system', '2026-11-24')`);
    return `into transaction_entries (transaction_id, sequence, type, amount_cents, actor, at) values ${rows.join(', ')}`;
  };

  it.each([
    ['a second row of the same sequence', 'insert', [1]],
    ['a row after a gap', 'insert', [3]],
    ['a row before the first', 'insert', [0]],
    ['the next row together with one after a gap', 'insert', [2, 4]],
    ...(engine === 'postgres'
      ? []
      : ([
          ['a row that replaces another', 'insert or replace', [1]],
          ['a row whose conflict is ignored', 'insert or ignore', [1]],
        ] as [string, string, number[]][])),
  ])('rejects in the journal %s', async (_title, insert, sequences) => {
    await expect(attempt(`${insert} ${insertion(...sequences)}`)).rejects.toThrow('next row of the journal');
  });

  it.each(["''", 'null', "'key'", "'admin'"])('rejects a row of the journal with the actor %s', async (actor) => {
    const columns = '(transaction_id, sequence, type, amount_cents, actor, at)';
    const insert = `insert into transaction_entries ${columns} values ('${pending}', 2, 'shipped', 0, ${actor}, '2026-11-24')`;
    await expect(attempt(insert)).rejects.toThrow(/check|null/i);
  });

  it('rejects an upsert of a row of the journal', async () => {
    const upsert = `insert ${insertion(1)} on conflict (transaction_id, sequence) do update set amount_cents = 9`;
    await expect(attempt(upsert)).rejects.toThrow('next row of the journal');
  });

  it('rejects a row of the journal without a sequence', async () => {
    await expect(attempt(`insert ${insertion(null)}`)).rejects.not.toThrow(ROLLED_BACK);
  });

  it('accepts the next rows of the journal', async () => {
    await expect(attempt(`insert ${insertion(2)}`, `insert ${insertion(3, 4)}`)).rejects.toThrow(ROLLED_BACK);
  });

  describe('protects security events and', () => {
    const columns = '(id, occurred_at, kind, actor, network, count, details_json)';
    const event = (id: string, count = 1) =>
      `insert into security_events ${columns} values ('${id}', '${at}', 'merchant-login-failed', 'unknown', '203.0.113.0/24', ${count}, '{}')`;

    it.each([
      'update security_events set count = count',
      'update security_events set count = count - 1',
      "update security_events set count = count + 1, actor = 'console'",
      "update security_events set count = count + 1, merchant_id = 'another'",
      "update security_events set details_json = '[]'",
      'delete from security_events',
      ...(engine === 'postgres' ? ['truncate security_events'] : []),
    ])('rejects changes: %s', async (statement) => {
      await expect(attempt(event('e_1', 5), statement)).rejects.toThrow('Security events cannot be changed');
    });

    it('accepts a larger count', async () => {
      await expect(attempt(event('e_1', 5), 'update security_events set count = count + 1')).rejects.toThrow(ROLLED_BACK);
    });

    it('rejects a second row of the same kind, network and minute', async () => {
      await expect(attempt(event('e_1'), event('e_2'))).rejects.toThrow(/unique/i);
    });
  });

  it.each([
    'update program_versions set status = status',
    'delete from program_versions',
    engine === 'sqlite' ? 'insert or replace into program_versions select * from program_versions' : 'truncate program_versions',
  ])('rejects changes of a version of a program: %s', async (statement) => {
    await expect(change(statement)).rejects.toThrow('A version of a program cannot be changed');
  });

  it('rejects a second program of the same code from a merchant', async () => {
    const { merchantId } = references;
    const second = { id: 'p_2', merchantId, code: 'standard', createdAt: at };
    const insert = database.write((tx) => tx.insertInto('programs').values(second).execute());
    await expect(insert).rejects.toThrow(/unique/i);
  });

  it('rejects a second application of a cart that is not superseded', async () => {
    await database.write((tx) => addCart(tx, cartRow({ id: 'cart', ...references })));
    const add = (id: string) =>
      database.write((tx) => addApplication(tx, { ...applicationRow({ id, ...references }), cartId: 'cart' }));
    const supersede = (id: string) =>
      database.write((tx) => tx.updateTable('applications').set({ supersededAt: at }).where('id', '=', id).execute());

    await add('first');
    await expect(add('second')).rejects.toThrow(/unique/i);
    await supersede('first');
    await add('second');
    await supersede('second');
    await add('third');
    await expect(add('fourth')).rejects.toThrow(/unique/i);
  });

  it('rejects a session hash that is not 64 characters long', async () => {
    await expect(change("update applications set session_hash = 'abc'")).rejects.toThrow(/check/i);
  });
});
