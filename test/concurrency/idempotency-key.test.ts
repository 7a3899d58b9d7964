import { sql } from 'kysely';
import { beforeAll, expect, it } from 'vitest';
import type { Database } from '../../server/db/database.ts';
import { chair } from '../support/checkout.ts';
import { describeOnEveryEngine } from '../support/databases.ts';
import type { ApiResponse } from '../support/service.ts';
import { storedCart } from '../support/stored.ts';
import { until } from '../support/time.ts';
import { codesOf, concurrently, journalOf, type Processes, SLOW, startProcesses, succeeded } from './processes.ts';

describeOnEveryEngine('Concurrent requests with one idempotency key', (engine) => {
  let processes: Processes;
  beforeAll(async () => {
    processes = await startProcesses(engine);
  });

  it('have one effect; all responses are the same or 409', SLOW, async () => {
    const { database, post, newTransaction } = processes;
    const id = await newTransaction([{ type: 'authorize' }, { type: 'settle' }]);
    const refund = () =>
      post(`/transactions/actions/${id}`, { type: 'refund', amount: 2_500 }, { 'idempotency-key': `refund-${id}` });

    const responses = await concurrently(refund);

    const rejected = responses.filter(({ status }) => status !== 200);
    for (const { status, body } of rejected) expect([status, body.code]).toEqual([409, 'idempotency-key-in-use']);
    expect(new Set(succeeded(responses).map(({ text }) => text)).size).toBe(1);
    expect(succeeded(responses).filter(({ headers }) => !headers.has('idempotency-replayed'))).toHaveLength(1);
    const again = await refund();
    expect([again.body.adjustedTotal, again.headers.get('idempotency-replayed')]).toEqual([72_500, 'true']);
    expect((await journalOf(database, id)).filter(({ type }) => type === 'refunded')).toHaveLength(1);
  });

  it('do not block requests with other keys', async () => {
    const cart = { options: { items: [chair] } };
    const responses = await concurrently((index) => processes.post('/carts', cart, { 'idempotency-key': `cart-${index}` }));
    expect(succeeded(responses)).toHaveLength(responses.length);
  });

  it('take over the key of a crashed request once', async () => {
    const { database, post } = processes;
    const request = { options: { items: [chair], orderRef: 'TAKEN-OVER' } };
    const headers = { 'idempotency-key': 'crashed-request' };
    await post('/carts', request, headers);
    await database.write(async (tx) => {
      await tx.deleteFrom('idempotency_responses').where('key', '=', headers['idempotency-key']).execute();
      await tx.deleteFrom('idempotency_writes').where('key', '=', headers['idempotency-key']).execute();
      await tx.updateTable('idempotency_keys').set({ leasedUntil: '' }).where('key', '=', headers['idempotency-key']).execute();
    });

    // The lock blocks the requests until all of them have read that the lease has expired.
    let pending: Promise<ApiResponse[]> | undefined;
    await database.write(async (tx) => {
      await tx.selectFrom('idempotency_keys').select('key').where('key', '=', headers['idempotency-key']).forUpdate().execute();
      pending = concurrently(() => post('/carts', request, headers), 8);
      if (engine === 'postgres') await until(async () => (await waitingForLocks(database)) === 8);
    });
    const responses = await pending!;

    expect(new Set(succeeded(responses).map(({ body }) => body.id)).size).toBe(1);
    expect(['', 'idempotency-key-in-use']).toEqual(expect.arrayContaining(codesOf(responses)));
    const carts = await database.query.selectFrom('carts').select('id').execute();
    const stored = await Promise.all(carts.map(({ id }) => storedCart(database, id)));
    expect(stored.filter(({ options }) => JSON.stringify(options).includes('TAKEN-OVER'))).toHaveLength(2);
  });
});

async function waitingForLocks({ query }: Database): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(query);
  return rows[0]!.count;
}
