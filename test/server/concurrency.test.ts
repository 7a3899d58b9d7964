/**
 * Invariants under concurrency (server/decisions/0033). On PostgreSQL, requests alternate between two processes of the service; on
 * SQLite, there is one.
 *
 * `CONCURRENCY_SEED` repeats the random actions of a failed run.
 */
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '../../server/db/database.ts';
import { createMerchant } from '../../server/merchants/merchants.ts';
import { systemClock } from '../../server/time.ts';
import { auditTransactions } from '../../server/transactions/audit.ts';
import { chair, fieldsOf, open, post as postForm, submit, typed } from '../support/checkout.ts';
import { buildProject, startReachableProcess } from '../support/process.ts';
import { onCleanup } from '../support/cleanup.ts';
import { createMigratedDatabaseUrl, type Engine } from '../support/databases.ts';
import { respondsWith, SECRET, startLender, type TestLender } from '../support/lenders.ts';
import { seededRandom } from '../support/random.ts';
import { type ApiResponse, fetchResponse } from '../support/service.ts';
import { until } from '../support/time.ts';
import { testKeys } from '../support/data-keys.ts';
import { storedCart, storedDeliveries } from '../support/stored.ts';

const CONCURRENCY = 64;
const seed = Number(process.env['CONCURRENCY_SEED'] ?? Math.trunc(Math.random() * 2 ** 31));

const engines: [Engine, number][] = [
  ['sqlite', 1],
  ['postgres', 2],
];

// Hundreds of concurrent checkouts are slow on a busy machine.
describe.each(engines)('Concurrent requests (%s, %i processes)', { timeout: 180_000 }, (engine, processes) => {
  let origins: string[];
  let database: Database;
  let lender: TestLender;
  let authorization: string;
  let requestCount = 0;

  beforeAll(async () => {
    await buildProject();
    lender = await startLender(respondsWith({ outcome: 'approved', tierId: 'A', limitCents: null }), { isPlain: true });
    const { url, remove } = await createMigratedDatabaseUrl(engine);
    onCleanup(remove);
    database = openDatabase(url, testKeys);
    onCleanup(() => database.close());
    const merchant = { name: 'Acme Goods', storeUrl: 'https://shop.example/', origins: [] };
    const { apiKey, secret } = await createMerchant(database, 'sandbox', merchant, systemClock.now());
    authorization = `Basic ${Buffer.from(`${apiKey}:${secret}`).toString('base64')}`;
    const env = { LENDER_URL: lender.endpoint.url, LENDER_SECRET: SECRET };
    const services = await Promise.all(Array.from({ length: processes }, () => startReachableProcess(url, env)));
    origins = services.map((service) => service.url);
  });

  /** Returns the processes in turn. */
  const nextOrigin = () => origins[requestCount++ % origins.length]!;
  const call = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<ApiResponse> =>
    fetchResponse(nextOrigin() + path, {
      method,
      headers: { authorization, ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  const post = (path: string, body: unknown, headers = {}) => call('POST', path, body, headers);
  const newCart = async (options = {}) => (await post('/carts', { options: { items: [chair], ...options } })).body;
  const newTransaction = async (...actions: string[]): Promise<string> => {
    const { body } = await post('/sandbox/checkouts', { cartId: (await newCart()).id });
    for (const type of actions) await post(`/transactions/actions/${body.transactionId}`, { type });
    return body.transactionId;
  };
  const concurrently = <T>(work: (index: number) => Promise<T>, count = CONCURRENCY) =>
    Promise.all(Array.from({ length: count }, (_, i) => work(i)));
  const succeeded = (responses: ApiResponse[]) => responses.filter(({ status }) => status === 200);
  const codes = (responses: ApiResponse[]) => [...new Set(responses.flatMap(({ body }): string[] => body?.code ?? []))];
  const journalOf = (id: string) =>
    database.query
      .selectFrom('transaction_events')
      .select(['sequence', 'type', 'amountCents'])
      .where('transactionId', '=', id)
      .orderBy('sequence')
      .execute();
  const waitingForLocks = async () => {
    const { rows } = await sql<{ count: number }>`select count(*) as count from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(database.query);
    return rows[0]!.count;
  };
  const expectNoDifferences = async () => {
    for await (const differences of auditTransactions(database.query)) expect(differences).toEqual([]);
  };

  it('refund at most the settled total of one transaction', async () => {
    const id = await newTransaction('authorize', 'settle');

    const responses = await concurrently(() => post(`/transactions/actions/${id}`, { type: 'refund', amount: 1_500 }));

    // 50 × 1,500 cents is the total of 75,000 cents.
    expect(succeeded(responses)).toHaveLength(50);
    expect(codes(responses)).toEqual(['wrong-state']);
    const adjustedTotals = succeeded(responses).map(({ body }) => body.adjustedTotal as number);
    expect(adjustedTotals.toSorted((a, b) => b - a)).toEqual(
      Array.from({ length: 50 }, (_, index) => 75_000 - 1_500 * (index + 1)),
    );
    expect((await call('GET', `/transactions/${id}`)).body).toMatchObject({ status: 'REFUNDED', adjustedTotal: 0 });
    expect((await journalOf(id)).map(({ sequence }) => sequence)).toEqual(Array.from({ length: 53 }, (_, index) => index + 1));
    await expectNoDifferences();
  });

  it('settle or cancel one transaction once', async () => {
    const id = await newTransaction('authorize');

    const responses = await concurrently((index) =>
      post(`/transactions/actions/${id}`, { type: index % 2 ? 'settle' : 'cancel' }),
    );

    expect(succeeded(responses)).toHaveLength(1);
    expect(codes(responses)).toEqual(['wrong-state']);
    expect(await journalOf(id)).toHaveLength(3);
  });

  it('complete one cart once, with one transaction, one agreement document and one callback', async () => {
    const callbackUrl = 'http://127.0.0.1:65535/callback';
    const cart = await newCart({ callbackUrl });

    const responses = await concurrently(() => post('/sandbox/checkouts', { cartId: cart.id }));

    expect(codes(responses)).toEqual([]);
    expect(new Set(responses.map(({ body }) => body.transactionId)).size).toBe(1);
    const { transactionId } = responses[0]!.body;
    const transactions = await database.query.selectFrom('transactions').select('id').where('cartId', '=', cart.id).execute();
    expect(transactions).toEqual([{ id: transactionId }]);
    const callbacks = (await storedDeliveries(database)).filter(({ url }) => url === callbackUrl);
    expect(callbacks).toHaveLength(1);
    const documents = await database.query
      .selectFrom('agreement_documents')
      .innerJoin('applications', 'applications.id', 'agreement_documents.applicationId')
      .select('agreement_documents.id')
      .where('cartId', '=', cart.id)
      .execute();
    expect(documents).toHaveLength(1);
  });

  it('either expire or complete a cart', async () => {
    const carts = await concurrently(() => newCart(), 16);

    const outcomes = await Promise.all(
      carts.map((cart) =>
        Promise.all([
          post('/sandbox/checkouts', { cartId: cart.id }),
          post(`/carts/${cart.id}/expire`, undefined),
          post('/sandbox/checkouts', { cartId: cart.id }),
          post(`/carts/${cart.id}/expire`, undefined),
        ]),
      ),
    );

    for (const [index, responses] of outcomes.entries()) {
      expect(responses.map(({ status }) => status).filter((_, responseIndex) => responseIndex % 2 === 1)).toEqual([204, 204]);
      expect(codes(responses)).not.toContain('changed-meanwhile');
      const cart = await database.query
        .selectFrom('carts')
        .select(['status', 'transactionId'])
        .where('id', '=', carts[index].id)
        .executeTakeFirstOrThrow();
      const transactionIds = new Set(succeeded(responses).flatMap(({ body }) => body?.transactionId ?? []));
      expect(cart).toEqual(
        transactionIds.size === 1
          ? { status: 'COMPLETED', transactionId: [...transactionIds][0] }
          : { status: 'EXPIRED', transactionId: null },
      );
    }
  });

  it('request one decision for one application', async () => {
    const cart = await newCart();
    const page = await submit(await open(cart.url));
    const fields = { ...typed, ...fieldsOf(page) };
    const path = new URL(page.action, page.url).pathname;
    const requestsBefore = lender.requests.length;

    const responses = await concurrently(() => postForm(nextOrigin() + path, fields));

    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([303]));
    expect(lender.requests.slice(requestsBefore).map(({ method, path: requestedPath }) => `${method} ${requestedPath}`)).toEqual([
      'POST /fairterm/decisions',
    ]);
    const application = await database.query
      .selectFrom('applications')
      .select(['status', 'tierId', 'revision'])
      .where('cartId', '=', cart.id)
      .execute();
    expect(application).toEqual([{ status: 'APPROVED', tierId: 'A', revision: 3 }]);
  });

  it('process the request with one idempotency key once', async () => {
    const id = await newTransaction('authorize', 'settle');

    const responses = await concurrently(() =>
      post(`/transactions/actions/${id}`, { type: 'refund', amount: 2_500 }, { 'idempotency-key': `refund-${id}` }),
    );

    for (const { status, body } of responses) {
      if (status === 200) expect(body.adjustedTotal).toBe(72_500);
      else expect([status, body.code]).toEqual([409, 'idempotency-key-in-use']);
    }
    const again = await post(
      `/transactions/actions/${id}`,
      { type: 'refund', amount: 2_500 },
      { 'idempotency-key': `refund-${id}` },
    );
    expect([again.body.adjustedTotal, again.headers.get('idempotency-replayed')]).toEqual([72_500, 'true']);
    expect((await journalOf(id)).filter(({ type }) => type === 'refunded')).toHaveLength(1);
  });

  it('take over the idempotency key of a crashed request once', async () => {
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
      if (engine === 'postgres') await until(async () => (await waitingForLocks()) === 8);
    });
    const responses = await pending!;

    expect(new Set(succeeded(responses).map(({ body }) => body.id)).size).toBe(1);
    expect(['', 'idempotency-key-in-use']).toEqual(expect.arrayContaining(codes(responses)));
    const carts = await database.query.selectFrom('carts').select('id').execute();
    const stored = await Promise.all(carts.map(({ id }) => storedCart(database, id)));
    expect(stored.filter(({ options }) => JSON.stringify(options).includes('TAKEN-OVER'))).toHaveLength(2);
  });

  it(`have the same effect as the same actions in sequence (seed ${seed})`, async () => {
    const random = seededRandom(seed);
    const randomBelow = (limit: number) => random.integer(0, limit - 1);
    const ids = await concurrently(() => newTransaction(), 4);
    const histories = new Map<string, Call[]>(ids.map((id) => [id, []]));
    let amountCount = 1;

    const sendActions = async () => {
      for (let count = 0; count < 6; count++) {
        const id = ids[randomBelow(ids.length)]!;
        const type = (['authorize', 'cancel', 'cancel', 'settle', 'refund', 'refund', 'refund'] as const)[randomBelow(7)]!;
        // Unique, so that a journal row identifies its call.
        const amount = type === 'cancel' || type === 'refund' ? amountCount++ * 7 : undefined;
        const startedAt = performance.now();
        const response = await post(`/transactions/actions/${id}`, { type, ...(amount !== undefined && { amount }) });
        const { status, body } = response;
        histories.get(id)!.push({ type, amount, startedAt, endedAt: performance.now(), code: status === 200 ? 'ok' : body.code });
      }
    };
    await concurrently(sendActions);

    for (const [id, calls] of histories) expectSequential(calls, await journalOf(id));
    await expectNoDifferences();
  });
});

/** One action, the times of its request and its response, and the response's error code, or `ok`. */
interface Call {
  type: 'authorize' | 'cancel' | 'settle' | 'refund';
  amount: number | undefined;
  startedAt: number;
  endedAt: number;
  code: string;
}

interface Row {
  sequence: number;
  type: string;
  amountCents: number;
}

/** Sequential model of a transaction of 75,000 cents, written from the interface. */
interface Model {
  status: string;
  remainingCents: number;
}

const ROW_TYPES = { authorize: 'authorized', cancel: 'canceled', settle: 'settled', refund: 'refunded' } as const;

/** Returns the model after an action, or the error code. */
function applyAction({ status, remainingCents }: Model, { type, amount = 0 }: Call): Model | string {
  if (type === 'authorize') return status === 'PENDING' ? { status: 'AUTHORIZED', remainingCents } : 'wrong-state';
  if (type === 'settle') return status === 'AUTHORIZED' ? { status: 'SETTLED', remainingCents } : 'wrong-state';
  const isPossible = type === 'refund' ? status === 'SETTLED' : status === 'PENDING' || status === 'AUTHORIZED';
  if (!isPossible) return 'wrong-state';
  if (amount > remainingCents) return 'amount-too-large';
  if (amount < remainingCents) return { status, remainingCents: remainingCents - amount };
  return { status: type === 'refund' ? 'REFUNDED' : 'CANCELED', remainingCents: 0 };
}

/**
 * Expects that the calls are linearizable in the order of the journal: each successful call wrote one row, was possible at that point
 * of the sequence, and did not take effect before it started or after it ended. For each rejected call, the model rejects it with the
 * same code in one of the states between its start and its end.
 */
function expectSequential(calls: Call[], journal: Row[]): void {
  const rows = journal.slice(1);
  const order = rows.map((row) => {
    const wroteRow = (call: Call) =>
      call.code === 'ok' && ROW_TYPES[call.type] === row.type && (call.amount ?? row.amountCents) === row.amountCents;
    const writers = calls.filter(wroteRow);
    expect(writers, `calls of ${JSON.stringify(row)}`).toHaveLength(1);
    return writers[0]!;
  });
  expect(calls.filter(({ code }) => code === 'ok')).toHaveLength(order.length);

  const states: Model[] = [{ status: 'PENDING', remainingCents: 75_000 }];
  for (const call of order) {
    const next = applyAction(states.at(-1)!, call);
    expect(typeof next, `${JSON.stringify(call)} after ${JSON.stringify(states.at(-1))}`).toBe('object');
    states.push(next as Model);
  }
  for (const [index, call] of order.entries()) {
    const startedLater = order.slice(0, index).filter((earlier) => earlier.startedAt > call.endedAt);
    expect(startedLater, `calls that took effect before ${JSON.stringify(call)} and started after it`).toEqual([]);
  }
  for (const call of calls.filter(({ code }) => code !== 'ok')) {
    // The states between the start and the end of the call.
    const first = order.filter(({ endedAt }) => endedAt < call.startedAt).length;
    const last = order.filter(({ startedAt }) => startedAt < call.endedAt).length;
    const possible = states.slice(first, last + 1).map((state) => applyAction(state, call));
    expect({ call, possible }).toMatchObject({ possible: expect.arrayContaining([call.code]) });
  }
}
