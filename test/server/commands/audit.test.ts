import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '../../../server/db/database.ts';
import { plusDays } from '../../../server/time.ts';
import { act } from '../../../server/transactions/actions.ts';
import { setOrderId, ship } from '../../../server/transactions/details.ts';
import { auditTransactions } from '../../../server/transactions/audit.ts';
import { expireLapsed } from '../../../server/transactions/expire.ts';
import type { ActionRequest } from '../../../shared/wire/transaction.ts';
import { describeOnEveryEngine, givenDatabaseUrl } from '../../support/engines.ts';
import { givenBuying } from '../../support/purchase.ts';
import { fairterm, now } from './fairterm.ts';

const lifetimes = { pendingDays: 7, authorizedDays: 90 };
const onError = (thrown: unknown) => {
  throw thrown;
};

describeOnEveryEngine('fairterm audit', (engine) => {
  let databaseUrl: string;
  let database: Database;
  let buying: Awaited<ReturnType<typeof givenBuying>>;
  beforeAll(async () => {
    const { url, remove } = await givenDatabaseUrl(engine);
    databaseUrl = url;
    database = openDatabase(url);
    await database.migrate();
    return async () => {
      await database.close();
      await remove();
    };
  });
  const audit = (...args: string[]) => fairterm(['audit', ...args], { databaseUrl });
  const acted = async (id: string, ...requests: ActionRequest[]) => {
    for (const request of requests) await act(database, lifetimes, buying.merchantId, id, request, now);
    return id;
  };
  const change = (statement: ReturnType<typeof sql>) => database.write((tx) => statement.execute(tx));

  it('finds nothing where there is nothing', async () => {
    expect(await audit()).toEqual({ code: 0, answers: ['0 transactions, none differing from the journal.'], remarks: [] });
    expect(await audit('--json')).toMatchObject({ code: 0, answers: ['{"transactions":0,"differing":0,"differences":[]}'] });
  });

  it('agrees with whatever a transaction went through', async () => {
    buying = await givenBuying(database, now);
    const { givenPurchase, merchantId } = buying;
    const lines = [
      { id: '1', sku: 'A', price: 2_500, quantity: 2, product: { name: '', sku: 'A', imageUrl: '', detailUrl: '' } },
    ];
    await givenPurchase();
    await acted(
      await givenPurchase(),
      { type: 'authorize' },
      { type: 'settle' },
      { type: 'refund', amount: 1 },
      { type: 'refund' },
    );
    await acted(await givenPurchase(), { type: 'cancel', amount: 4_999 }, { type: 'authorize' });
    await acted(await givenPurchase(), { type: 'cancel' });
    const one = { lineItems: [{ sku: 'A', quantity: 1 }] };
    const withLines = await givenPurchase({ line_items_json: JSON.stringify(lines) });
    await acted(withLines, { type: 'cancel', ...one }, { type: 'authorize' }, { type: 'settle' }, { type: 'refund', ...one });
    const lapsed = await givenPurchase({ created_at: plusDays(now, -8) });
    await setOrderId(database, lifetimes, merchantId, lapsed, { merchantOrderId: 'M-1' }, now);
    await ship(database, lifetimes, merchantId, await givenPurchase(), { carrierName: 'Post', trackingNumber: undefined }, now);
    await givenPurchase({ created_at: plusDays(now, -8) });
    expect(await expireLapsed({ database, lifetimes, now, onError })).toBe(1);

    expect(await audit()).toEqual({ code: 0, answers: ['8 transactions, none differing from the journal.'], remarks: [] });
  });

  describe('finds, and ends with 1, what', () => {
    let id: string;
    beforeEach(async () => {
      buying ??= await givenBuying(database, now);
      id = await acted(await buying.givenPurchase(), { type: 'authorize' }, { type: 'cancel', amount: 1_000 });
      return async () => {
        // What was spoilt would be found in every example that follows; a journal that is final takes a way around.
        if (engine === 'sqlite') await change(sql`drop trigger if exists transaction_events_without_delete`);
        else await change(sql`alter table transaction_events disable trigger transaction_events_are_final`);
        await change(sql`delete from transaction_events where transaction_id = ${id}`);
        await change(sql`delete from transactions where id = ${id}`);
      };
    });
    const found = async () => {
      const { code, answers } = await audit();
      expect(code).toBe(1);
      const json = await audit('--json');
      expect(json.code).toBe(1);
      const report = JSON.parse(json.answers[0]!);
      expect(report).toMatchObject({
        differing: 1,
        differences: expect.arrayContaining([expect.objectContaining({ transactionId: id })]),
      });
      expect(answers.at(-1)).toBe(`${report.transactions} transactions, 1 differing from the journal.`);
      expect(answers.slice(0, -1)).toHaveLength(report.differences.length);
      return answers.slice(0, -1).map((line) => line.replace(`${id}  `, ''));
    };

    it.each<[string, ReturnType<typeof sql>, string[]]>([
      ['has another status', sql`status = 'SETTLED'`, ['status: "SETTLED", by the journal "AUTHORIZED"']],
      [
        'has another amount left',
        sql`adjusted_total_cents = 5000, canceled_cents = 0`,
        ['adjustedTotal: 5000, by the journal 4000', 'canceled: 0, by the journal 1000'],
      ],
      [
        'was refunded rather than canceled',
        sql`refunded_cents = 1000, canceled_cents = 0`,
        ['canceled: 0, by the journal 1000', 'refunded: 1000, by the journal 0'],
      ],
      [
        'has another total',
        sql`total_cents = 6000, adjusted_total_cents = 5000`,
        ['total: 6000, by the journal 5000', 'adjustedTotal: 5000, by the journal 4000'],
      ],
      [
        'counts pieces that never went',
        sql`gone_lines_json = '[{"sku":"A","quantity":1}]'`,
        ['gone: [{"sku":"A","quantity":1}], by the journal []'],
      ],
      [
        'is in its status since another day',
        sql`status_since = '2026-01-01T00:00:00.000000Z'`,
        [`statusSince: "2026-01-01T00:00:00.000000Z", by the journal "${now}"`],
      ],
      ['was saved more often than the journal says', sql`revision = 4`, ['revision: 4, by the journal 3']],
    ])('%s', async (_what, set, expected) => {
      await change(sql`update transactions set ${set} where id = ${id}`);
      expect(await found()).toEqual(expected);
    });

    it.each<[string, string, number, string]>([
      ['refunded', 'refunded', 1, 'journal: Cannot refund a transaction that is AUTHORIZED; it must be SETTLED.'],
      ['canceled', 'canceled', 4_001, 'journal: row 4 is "canceled" of 4001 cents, but 4000 were left'],
      ['vanished', 'vanished', 0, 'journal: row 4 is "vanished", which nothing makes of a transaction'],
      ['created', 'created', 5_000, 'journal: row 4 is "created", which nothing makes of a transaction'],
    ])('was %s by the journal, which cannot be', async (_what, type, cents, expected) => {
      await change(sql`
        insert into transaction_events (transaction_id, sequence, type, amount_cents, lines_json, at)
        values (${id}, 4, ${type}, ${cents}, '[]', ${now})`);
      await change(sql`update transactions set revision = 4 where id = ${id}`);
      expect(await found()).toEqual([expected]);
    });

    it('has no journal, or one with a hole', async () => {
      if (engine === 'sqlite') await change(sql`drop trigger if exists transaction_events_without_delete`);
      else await change(sql`alter table transaction_events disable trigger transaction_events_are_final`);
      await change(sql`delete from transaction_events where transaction_id = ${id} and sequence = 2`);
      expect(await found()).toEqual(['journal: expected row 2, but found 3']);
      await change(sql`delete from transaction_events where transaction_id = ${id} and sequence = 1`);
      expect(await found()).toEqual(['journal: expected row 1, but found 3']);
      await change(sql`delete from transaction_events where transaction_id = ${id}`);
      expect(await found()).toEqual(['journal: expected a journal, but found none']);
    });
  });

  it('goes through more than it holds at a time, and through journals that are longer', async () => {
    buying ??= await givenBuying(database, now);
    const before = JSON.parse((await audit('--json')).answers[0]!).transactions as number;
    const ids = await Promise.all(Array.from({ length: 450 }, () => buying.givenPurchase()));
    const [long] = ids;
    await acted(
      long!,
      ...Array.from({ length: 450 }, (): ActionRequest => ({ type: 'cancel', amount: 1, lineItems: undefined })),
    );
    await change(sql`update transactions set status = 'SETTLED' where id = ${ids.at(-1)!}`);

    const { code, answers } = await audit();
    expect([code, answers]).toEqual([
      1,
      [
        `${ids.at(-1)}  status: "SETTLED", by the journal "PENDING"`,
        `${before + 450} transactions, 1 differing from the journal.`,
      ],
    ]);
  }, 30_000);

  it('finds nothing in what others write at the same moment', async () => {
    buying ??= await givenBuying(database, now);
    const { givenPurchase, merchantId } = buying;
    const ids = await Promise.all(Array.from({ length: 20 }, () => givenPurchase()));
    const state = { isWatched: true };
    const writing = ids.map(async (id) => {
      const cent: ActionRequest = { type: 'cancel', amount: 1, lineItems: undefined };
      let times = 0;
      for (; state.isWatched; times++) await act(database, lifetimes, merchantId, id, cent, now);
      return times;
    });

    for (let audits = 0; audits < 3; audits++) {
      for await (const differences of auditTransactions(database.query)) {
        expect(differences.filter(({ transactionId }) => ids.includes(transactionId))).toEqual([]);
        // SQLite answers at once; the writers must get a turn.
        await setImmediate();
      }
    }
    state.isWatched = false;
    expect(Math.min(...(await Promise.all(writing)))).toBeGreaterThan(1);
  }, 30_000);

  it.each([['--jsno'], ['everything']])('is written wrong with %s', async (arg) => {
    expect(await audit(arg)).toMatchObject({ code: 2, answers: [] });
  });
});
