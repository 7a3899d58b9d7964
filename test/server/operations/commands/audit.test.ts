import { closeSync, existsSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { Sqlite } from '../../../../server/db/driver.ts';
import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { plusDays } from '../../../../server/base/time.ts';
import { auditTransactions } from '../../../../server/purchases/transactions/audit.ts';
import { expireTransactions } from '../../../../server/purchases/transactions/expire.ts';
import type { ActionRequest } from '../../../../shared/wire/transaction.ts';
import {
  describeOnEveryEngine,
  type Engine,
  createDatabaseUrl,
  createMigratedDatabaseUrl,
  openTestDatabase,
} from '../../../support/databases.ts';
import { createBuyer, transactions } from '../../../support/purchases.ts';
import { fairterm, now } from './fairterm.ts';

const actor = 'key:12345678';
const onError = (thrown: unknown) => {
  throw thrown;
};

/** Creates an empty database with a merchant, and functions that act on it. */
async function startShop(engine: Engine) {
  const databaseUrl = await createDatabaseUrl(engine);
  const database = openTestDatabase(databaseUrl);
  await database.migrate();
  const { merchantId, createPurchase } = await createBuyer(database, now);
  const change = (...statements: ReturnType<typeof sql>[]) =>
    database.write(async (tx) => {
      for (const statement of statements) await statement.execute(tx);
    });

  return {
    database,
    merchantId,
    createPurchase,
    change,
    audit: (...args: string[]) => fairterm(['audit', ...args], { databaseUrl }),
    perform: async (id: string, ...requests: ActionRequest[]) => {
      for (const request of requests) await transactions.act({ database, actor }, { merchantId, id }, request, now);
      return id;
    },
    /** Disables the triggers that protect the journal. */
    disableTriggers: async () => {
      if (engine === 'postgres') return change(sql`alter table transaction_entries disable trigger user`);
      for (const name of ['without_delete', 'in_sequence']) {
        await change(sql`drop trigger if exists ${sql.ref(`transaction_entries_${name}`)}`);
      }
    },
    /** Deletes a transaction without foreign key checks. */
    removeTransaction: async (id: string) => {
      if (engine === 'postgres') {
        await change(sql`set local session_replication_role = replica`, sql`delete from transactions where id = ${id}`);
        return;
      }
      const file = new Sqlite(databaseUrl.slice('sqlite:'.length));
      file.pragma('foreign_keys = off');
      file.prepare('delete from transactions where id = ?').run(id);
      file.close();
    },
  };
}
type Shop = Awaited<ReturnType<typeof startShop>>;

const eventRow = (id: string, sequence: number, type = 'shipped', cents: number | bigint = 0, lines = '[]') => sql`
  insert into transaction_entries (transaction_id, sequence, type, amount_cents, lines_json, actor, at)
  values (${id}, ${sequence}, ${type}, ${sql.raw(String(cents))}, ${lines}, 'system', ${now})`;

describeOnEveryEngine('fairterm audit', (engine) => {
  it('finds no differences in an empty database', async () => {
    const { audit } = await startShop(engine);
    expect(await audit()).toEqual({
      code: 0,
      stdout: ['Transactions: 0, differing from their journal: 0. Settlements: 0, differing from their lines: 0'],
      stderr: [],
    });
    expect(await audit('--json')).toMatchObject({
      code: 0,
      stdout: ['{"transactions":0,"differing":0,"settlements":0,"differingSettlements":0,"differences":[]}'],
    });
  });

  it('finds no differences after any kind of change of a transaction', async () => {
    const { audit, perform, database, createPurchase, merchantId } = await startShop(engine);
    const lines = [
      { id: '1', sku: 'A', price: 2_500, quantity: 2, product: { name: '', sku: 'A', imageUrl: '', detailUrl: '' } },
    ];
    await createPurchase();
    await perform(
      await createPurchase(),
      { type: 'authorize' },
      { type: 'settle' },
      { type: 'refund', amount: 1 },
      { type: 'refund' },
    );
    await perform(await createPurchase(), { type: 'cancel', amount: 4_999 }, { type: 'authorize' });
    await perform(await createPurchase(), { type: 'cancel' });
    const unit = { lineItems: [{ sku: 'A', quantity: 1 }] };
    const withLines = await createPurchase({ lineItems: lines });
    await perform(withLines, { type: 'cancel', ...unit }, { type: 'authorize' }, { type: 'settle' }, { type: 'refund', ...unit });
    const overdue = await createPurchase({ createdAt: plusDays(now, -8) });
    await transactions.setOrderId({ database, actor }, { merchantId, id: overdue }, { merchantOrderId: 'M-1' }, now);
    await transactions.updateShipment(
      { database, actor },
      { merchantId, id: await createPurchase() },
      { carrierName: 'Post', trackingNumber: undefined },
      now,
    );
    await createPurchase({ createdAt: plusDays(now, -8) });
    expect(await expireTransactions({ database, transactions, now, onError })).toBe(1);

    expect(await audit()).toEqual({
      code: 0,
      stdout: ['Transactions: 8, differing from their journal: 0. Settlements: 0, differing from their lines: 0'],
      stderr: [],
    });
  });

  describe('exits with 1 and reports a transaction that', () => {
    let shop: Shop;
    let id: string;
    beforeAll(async () => {
      shop = await startShop(engine);
    });
    beforeEach(async () => {
      id = await shop.perform(await shop.createPurchase(), { type: 'authorize' }, { type: 'cancel', amount: 1_000 });
      return async () => {
        // The corrupted rows would otherwise be reported in every later test.
        await shop.disableTriggers();
        await shop.change(sql`delete from transaction_entries`, sql`delete from transactions`);
      };
    });
    const change = (...statements: ReturnType<typeof sql>[]) => shop.change(...statements);
    const findDifferences = async () => {
      const { code, stdout } = await shop.audit();
      expect(code).toBe(1);
      const json = await shop.audit('--json');
      expect(json.code).toBe(1);
      const report = JSON.parse(json.stdout[0]!);
      expect(report).toMatchObject({
        differing: 1,
        differences: expect.arrayContaining([expect.objectContaining({ transactionId: id })]),
      });
      expect(stdout.at(-1)).toBe(
        'Transactions: 1, differing from their journal: 1. Settlements: 0, differing from their lines: 0',
      );
      expect(stdout.slice(0, -1)).toHaveLength(report.differences.length);
      return stdout.slice(0, -1).map((line) => line.replace(`${id}  `, ''));
    };

    it.each(
      Object.entries({
        "status = 'SETTLED'": ['status: stored "SETTLED", recomputed "AUTHORIZED"'],
        'adjusted_total_cents = 5000, canceled_cents = 0': [
          'adjustedTotal: stored 5000, recomputed 4000',
          'canceled: stored 0, recomputed 1000',
        ],
        'refunded_cents = 1000, canceled_cents = 0': [
          'canceled: stored 0, recomputed 1000',
          'refunded: stored 1000, recomputed 0',
        ],
        'total_cents = 6000, adjusted_total_cents = 5000': [
          'total: stored 6000, recomputed 5000',
          'adjustedTotal: stored 5000, recomputed 4000',
        ],
        'total_cents = 9223372036854775807, adjusted_total_cents = 9223372036854774807': [
          'total: stored "9223372036854775807", recomputed 5000',
          'adjustedTotal: stored "9223372036854774807", recomputed 4000',
        ],
        "status_since = '2026-01-01T00:00:00.000000Z'": [
          `statusSince: stored "2026-01-01T00:00:00.000000Z", recomputed "${now}"`,
        ],
        [`adjusted_quantities_json = '[{"sku":"A","quantity":1}]'`]: [
          'adjusted: stored [{"sku":"A","quantity":1}], recomputed []',
        ],
        "adjusted_quantities_json = 'garbage'": ['adjusted: stored "garbage", recomputed []'],
        "adjusted_quantities_json = '{}'": ['adjusted: stored {}, recomputed []'],
        // Restored to an earlier revision.
        'revision = 2, adjusted_total_cents = 5000, canceled_cents = 0': ['revision: stored 2, recomputed 3'],
        'revision = 4': ['revision: stored 4, recomputed 3'],
      }),
    )('was changed to %s', async (set, expected) => {
      await change(sql`update transactions set ${sql.raw(set)} where id = ${id}`);
      expect(await findDifferences()).toEqual(expected);
    });

    it.each<[string, string, number, string]>([
      ['refunded', 'refunded', 1, 'journal: Cannot refund a transaction that is AUTHORIZED; it must be SETTLED.'],
      ['canceled', 'canceled', 4_001, 'journal: row 4 is "canceled" of 4001 cents, but 4000 were left'],
      ['vanished', 'vanished', 0, 'journal: row 4 has the unknown type "vanished"'],
      ['created', 'created', 5_000, 'journal: row 4 has the unknown type "created"'],
    ])('was %s according to the journal, which is impossible', async (_title, type, cents, expected) => {
      await change(eventRow(id, 4, type, cents));
      await change(sql`update transactions set revision = 4 where id = ${id}`);
      expect(await findDifferences()).toEqual([expected]);
    });

    it.each<[string, number | bigint, string, string]>([
      [
        'has an amount outside the safe integer range',
        9223372036854775807n,
        '[]',
        'journal: row 4 has 9223372036854776000 cents, which is not an amount',
      ],
      ['has a negative amount', -1, '[]', 'journal: row 4 has -1 cents, which is not an amount'],
      ['has quantities that are not JSON', 1, 'garbage', 'journal: row 4 has quantities that cannot be parsed'],
      ['has quantities of another format', 1, '[7]', 'journal: row 4 has quantities that cannot be parsed'],
    ])('has a journal row that %s', async (_title, cents, lines, expected) => {
      await change(eventRow(id, 4, 'canceled', cents, lines), sql`update transactions set revision = 4 where id = ${id}`);
      expect(await findDifferences()).toEqual([expected]);
    });

    it('has journal rows before its first row', async () => {
      await shop.disableTriggers();
      await change(eventRow(id, 0), eventRow(id, -5));
      expect(await findDifferences()).toEqual(['journal: expected row 1, but found -5']);
    });

    it.each([4, 99])('has an unexpected row %i in its journal', async (sequence) => {
      await shop.disableTriggers();
      await change(eventRow(id, sequence));
      expect(await findDifferences()).toEqual([`revision: stored 3, recomputed ${sequence}`]);
    });

    it('is deleted, although its journal exists', async () => {
      await shop.removeTransaction(id);
      expect(await findDifferences()).toEqual(['journal: expected its transaction, but found none']);
    });

    it('has no journal, or one with a gap', async () => {
      await shop.disableTriggers();
      await change(sql`delete from transaction_entries where transaction_id = ${id} and sequence = 2`);
      expect(await findDifferences()).toEqual(['journal: expected row 2, but found 3']);
      await change(sql`delete from transaction_entries where transaction_id = ${id} and sequence = 1`);
      expect(await findDifferences()).toEqual(['journal: expected row 1, but found 3']);
      await change(sql`delete from transaction_entries where transaction_id = ${id}`);
      expect(await findDifferences()).toEqual(['journal: expected a journal, but found none']);
    });
  });

  it('checks more transactions and longer journals than fit on one page', async () => {
    const { audit, perform, change, createPurchase, removeTransaction, disableTriggers } = await startShop(engine);
    const ids: string[] = [];
    // In batches, because each purchase waits for a connection, which fails after a time on a busy machine.
    while (ids.length < 450) ids.push(...(await Promise.all(Array.from({ length: 50 }, () => createPurchase()))));
    ids.sort();
    const cent: ActionRequest = { type: 'cancel', amount: 1, lineItems: undefined };
    await perform(ids[300]!, ...Array.from({ length: 450 }, () => cent));
    const first = ids[200]!;
    const deleted = ids[201]!;
    const last = ids.at(-1)!;
    // The first transaction of a page, one in the middle, and the last of all.
    await disableTriggers();
    await change(eventRow(first, 0), sql`update transactions set status = 'SETTLED' where id = ${last}`);
    await removeTransaction(deleted);

    const { code, stdout } = await audit();
    expect([code, stdout.toSorted()]).toEqual([
      1,
      [
        `${first}  journal: expected row 1, but found 0`,
        `${deleted}  journal: expected its transaction, but found none`,
        `${last}  status: stored "SETTLED", recomputed "PENDING"`,
        'Transactions: 450, differing from their journal: 3. Settlements: 0, differing from their lines: 0',
      ].toSorted(),
    ]);
  });

  it('finds no differences during concurrent writes', async () => {
    const { database, createPurchase, merchantId } = await startShop(engine);
    const ids = await Promise.all(Array.from({ length: 8 }, () => createPurchase({ totalCents: 90_000_000 })));
    const changeCounts = ids.map(() => 0);
    const state = { isAuditing: true };
    const writers = ids.map(async (id, writer) => {
      const cent: ActionRequest = { type: 'cancel', amount: 1, lineItems: undefined };
      for (; state.isAuditing; changeCounts[writer]! += 1) {
        await transactions.act({ database, actor }, { merchantId, id }, cent, now);
        if (changeCounts[writer]! < 10) await createPurchase();
      }
    });

    for (let audits = 0; audits < 3 || Math.min(...changeCounts) < 2; audits++) {
      for await (const differences of auditTransactions(database.query)) {
        expect(differences).toEqual([]);
        // SQLite responds synchronously, so the writers need a turn of the event loop.
        await setImmediate();
      }
    }
    state.isAuditing = false;
    await Promise.all(writers);
  });

  describe('exits with 2 and one line if the audit cannot run because', () => {
    const expectFailure = async (databaseUrl: string, message: RegExp) => {
      const { code, stdout, stderr } = await fairterm(['audit', '--json'], { databaseUrl });
      expect([code, stdout, stderr]).toEqual([2, [], [expect.stringMatching(message)]]);
    };

    it('the database does not exist, which it does not create', async () => {
      const url = await createDatabaseUrl(engine);
      const missing = engine === 'sqlite' ? url : `${url}_missing`;
      await expectFailure(missing, /^fairterm audit: audit failed: .*(but found none|does not exist)/);
      if (engine === 'sqlite') expect(existsSync(missing.slice('sqlite:'.length))).toBe(false);
    });

    it('the database is not migrated, which it does not migrate', async () => {
      const url = await createDatabaseUrl(engine);
      // An empty file is an empty SQLite database. A new PostgreSQL database is already empty.
      if (engine === 'sqlite') writeFileSync(url.slice('sqlite:'.length), '');
      for (let changeCounts = 0; changeCounts < 2; changeCounts++) {
        await expectFailure(
          url,
          /audit failed: .*expected a database that is up to date, but migrations are pending; run `fairterm migrate`$/,
        );
      }
    });

    it.runIf(engine === 'sqlite')('a page of the file is damaged, even if no transaction needs it', async () => {
      const url = await createMigratedDatabaseUrl('sqlite');
      const file = url.slice('sqlite:'.length);
      const opened = new Sqlite(file);
      const rootPage = "select rootpage from sqlite_schema where name = 'carts_expiry_due'";
      const page = opened.prepare<[], number>(rootPage).pluck().get()!;
      const pageBytes = Number(opened.pragma('page_size', { simple: true }));
      opened.close();
      const descriptor = openSync(file, 'r+');
      writeSync(descriptor, Buffer.alloc(pageBytes, 1), 0, pageBytes, (page - 1) * pageBytes);
      closeSync(descriptor);

      await expectFailure(url, /^fairterm audit: audit failed: The database is damaged: /);
    });

    it('the database is unreachable', async () => {
      await expectFailure(
        engine === 'sqlite' ? 'sqlite:/dev/null/none.db' : 'postgres://unknown@localhost:1/none',
        /audit failed: .+/,
      );
    });
  });
});
