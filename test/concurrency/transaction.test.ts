/** `CONCURRENCY_SEED` repeats the random actions of a failed run. */
import { beforeAll, expect, it } from 'vitest';
import { differencesOf } from '../support/audit.ts';
import { describeOnEveryEngine } from '../support/databases.ts';
import { seededRandom } from '../support/random.ts';
import { codesOf, concurrently, journalOf, type Processes, SLOW, startProcesses, succeeded } from './processes.ts';

const seed = Number(process.env['CONCURRENCY_SEED'] ?? Math.trunc(Math.random() * 2 ** 31));

const authorize = { type: 'authorize' };
const settle = { type: 'settle' };
const cancel = { type: 'cancel' };
const refund = { type: 'refund' };

describeOnEveryEngine('Concurrent requests for one transaction', (engine) => {
  let processes: Processes;
  beforeAll(async () => {
    processes = await startProcesses(engine);
  });
  const act = (id: string, action: object) => processes.post(`/transactions/actions/${id}`, action);
  const stored = async (id: string) => (await processes.call('GET', `/transactions/${id}`)).body;
  const expectNoDifferences = async () => expect(await differencesOf(processes.database.query)).toEqual([]);

  it.each([
    ['cancel', [authorize], 'CANCELED'],
    ['refund', [authorize, settle], 'REFUNDED'],
  ])('%s at most its total [LIM-2] [LIM-3]', SLOW, async (type, before, status) => {
    const id = await processes.newTransaction(before);

    const responses = await concurrently(() => act(id, { type, amount: 1_500 }));

    // 50 × 1,500 cents is the total of 75,000 cents.
    expect(succeeded(responses)).toHaveLength(50);
    expect(codesOf(responses)).toEqual(['wrong-state']);
    const adjustedTotals = succeeded(responses).map(({ body }) => body.adjustedTotal as number);
    expect(adjustedTotals.toSorted((a, b) => b - a)).toEqual(
      Array.from({ length: 50 }, (_, index) => 75_000 - 1_500 * (index + 1)),
    );
    expect(await stored(id)).toMatchObject({ status, adjustedTotal: 0 });
    const journal = await journalOf(processes.database, id);
    expect(journal.map(({ sequence }) => sequence)).toEqual(Array.from({ length: 51 + before.length }, (_, index) => index + 1));
    await expectNoDifferences();
  });

  it.each([
    ['authorize', [authorize], []],
    ['settle', [settle], [authorize]],
    ['cancel', [cancel], [authorize]],
    ['refund', [refund], [authorize, settle]],
    ['settle or cancel', [settle, cancel], [authorize]],
  ])('%s it once [CHOICE-8]', SLOW, async (_title, actions, before) => {
    const id = await processes.newTransaction(before);

    const responses = await concurrently((index) => act(id, actions[index % actions.length]!));

    expect(succeeded(responses)).toHaveLength(1);
    expect(codesOf(responses)).toEqual(['wrong-state']);
    expect(await stored(id)).toEqual(succeeded(responses)[0]!.body);
    expect(await journalOf(processes.database, id)).toHaveLength(before.length + 2);
  });

  it('never refund more units than a line item has', async () => {
    const items = [{ sku: 'A', price: 10_000, quantity: 4, imageUrl: '', detailUrl: '' }];
    const shippingOptions = [{ type: 'Ground', typeId: 'ground', cost: 999 }];
    const id = await processes.newTransaction([authorize, settle], { items, shippingOptions });

    const responses = await concurrently(() => act(id, { type: 'refund', lineItems: [{ sku: 'A', quantity: 1 }] }), 10);

    expect(succeeded(responses)).toHaveLength(4);
    expect(['quantity-too-large', 'wrong-state']).toEqual(expect.arrayContaining(codesOf(responses)));
    expect(await stored(id)).toMatchObject({ status: 'REFUNDED', adjustedTotal: 0 });
  });

  it('store a shipment, an order id and a partial cancel', async () => {
    const id = await processes.newTransaction([authorize]);

    const responses = await Promise.all([
      processes.post(`/transactions/${id}/shipment`, { trackingNumber: 'T-1' }),
      processes.call('PUT', `/transactions/${id}`, { merchantOrderId: 'M-1' }),
      act(id, { type: 'cancel', amount: 1 }),
    ]);

    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await stored(id)).toMatchObject({ trackingNumber: 'T-1', merchantOrderId: 'M-1', adjustedTotal: 74_999 });
  });

  it(`have the same effect as the same actions in sequence (seed ${seed})`, SLOW, async () => {
    const random = seededRandom(seed);
    const randomBelow = (limit: number) => random.integer(0, limit - 1);
    const ids = await concurrently(() => processes.newTransaction(), 4);
    const histories = new Map<string, Call[]>(ids.map((id) => [id, []]));
    let amountCount = 1;

    const sendActions = async () => {
      for (let count = 0; count < 6; count++) {
        const id = ids[randomBelow(ids.length)]!;
        const type = (['authorize', 'cancel', 'cancel', 'settle', 'refund', 'refund', 'refund'] as const)[randomBelow(7)]!;
        // Unique, so that a journal row identifies its call.
        const amount = type === 'cancel' || type === 'refund' ? amountCount++ * 7 : undefined;
        const startedAt = performance.now();
        const response = await act(id, { type, ...(amount !== undefined && { amount }) });
        const { status, body } = response;
        histories.get(id)!.push({ type, amount, startedAt, endedAt: performance.now(), code: status === 200 ? 'ok' : body.code });
      }
    };
    await concurrently(sendActions);

    for (const [id, calls] of histories) expectSequential(calls, await journalOf(processes.database, id));
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
