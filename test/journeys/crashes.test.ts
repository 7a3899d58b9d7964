/**
 * Random histories of purchases over HTTP. The service is killed between and during actions, and its clock jumps. A merchant that
 * receives no response sends the request again with the same idempotency key. A model that is independent of the service's code
 * predicts every result: each action takes effect exactly once.
 */
import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Database } from '../../server/db/database.ts';
import { createMerchant } from '../../server/merchants/merchants.ts';
import { DAY_MS, systemClock } from '../../server/base/time.ts';
import { differencesOf } from '../support/audit.ts';
import type { TransactionStatus } from '../../shared/wire/transaction.ts';
import { buildProject, type ReachableService, startReachableProcess } from '../support/process.ts';
import { campaign, campaignTimeoutMs, isNightly } from '../support/campaign.ts';
import { createDatabaseUrl, defaultEngine, type Engine, openTestDatabase } from '../support/databases.ts';
import { type ApiResponse, fetchResponse } from '../support/service.ts';

const TOTAL = 109_997;
/** The card that pays $600.00 of each purchase: none, a valid one, or one whose first capture fails. */
const CARDS = ['', 'tok_visa', 'tok_capture_fails_once'];

/** The expected state of a transaction. */
interface Expected {
  status: TransactionStatus;
  remainingCents: number;
  /** Day of the model on which the status was reached. */
  since: number;
}

interface Model {
  day: number;
  transactions: Expected[];
}

interface Real {
  database: Database;
  databaseUrl: string;
  /** The running process. */
  service: ReachableService;
  authorization: string;
  ids: string[];
  startedAtMs: number;
  nextKey: number;
}

interface Action {
  type: 'authorize' | 'settle' | 'cancel' | 'refund';
  amount?: number;
}

/** The statuses that allow an action, and the status that each becomes. */
const TRANSITIONS: Record<Action['type'], Partial<Record<TransactionStatus, TransactionStatus>>> = {
  authorize: { PENDING: 'AUTHORIZED' },
  settle: { AUTHORIZED: 'SETTLED' },
  cancel: { PENDING: 'PENDING', AUTHORIZED: 'AUTHORIZED' },
  refund: { SETTLED: 'SETTLED' },
};

/** The status of a transaction whose whole amount was adjusted. */
const AT_ZERO: Partial<Record<Action['type'], TransactionStatus>> = { cancel: 'CANCELED', refund: 'REFUNDED' };

/** Returns the amount that an allowed action subtracts, or undefined if the action exceeds the rest. */
function adjustmentCents({ remainingCents }: Expected, { type, amount = remainingCents }: Action): number | undefined {
  if (type === 'authorize' || type === 'settle') return 0;
  return amount <= remainingCents ? amount : undefined;
}

/** Applies an action to the expected state. */
function apply(expected: Expected, { type }: Action, cents: number, day: number): void {
  expected.remainingCents -= cents;
  const status = (expected.remainingCents === 0 ? AT_ZERO[type] : undefined) ?? TRANSITIONS[type][expected.status]!;
  if (status !== expected.status) expected.since = day;
  expected.status = status;
}

/** Expires transactions that are past their lifetime. */
function expire(model: Model): void {
  for (const expected of model.transactions) {
    const days = { PENDING: 7, AUTHORIZED: 90 }[expected.status as string];
    if (days === undefined || model.day - expected.since < days) continue;
    Object.assign(expected, { status: 'EXPIRED', since: model.day });
  }
}

const send = (real: Real, method: string, path: string, body?: object, key?: string): Promise<ApiResponse> =>
  fetchResponse(real.service.url + path, {
    method,
    headers: { authorization: real.authorization, ...(key !== undefined && { 'idempotency-key': key }) },
    ...(body && { body: JSON.stringify(body) }),
  });

/** Sets the clock of the service, which a new process does not keep. */
const setClock = (real: Real, day: number) =>
  send(real, 'POST', '/sandbox/clock', { now: new Date(real.startedAtMs + day * DAY_MS).toISOString() });

async function restart(real: Real, day: number): Promise<void> {
  await real.service.kill();
  real.service = await startReachableProcess(real.databaseUrl);
  await setClock(real, day);
}

/** Retries a request that received no response until its idempotency key is no longer in use. */
async function retry(real: Real, path: string, action: Action, key: string): Promise<ApiResponse> {
  for (let tries = 1; ; tries++) {
    const response = await send(real, 'POST', path, action, key);
    if (response.status !== 409) return response;
    expect(tries).toBeLessThan(5);
    // The lease of the killed process lasts half a minute. The test ends it early.
    await real.database.write((tx) => sql`update idempotency_keys set leased_until = ''`.execute(tx));
  }
}

class ActionCommand implements fc.AsyncCommand<Model, Real> {
  readonly #index: number;
  readonly #action: Action;
  readonly #killedAfterMs: number | undefined;

  constructor(index: number, action: Action, killedAfterMs: number | undefined) {
    this.#index = index;
    this.#action = action;
    this.#killedAfterMs = killedAfterMs;
  }

  check = () => true;

  async run(model: Model, real: Real): Promise<void> {
    const expected = model.transactions[this.#index]!;
    const path = `/transactions/actions/${real.ids[this.#index]!}`;
    const key = `key-${real.nextKey++}`;
    const isAllowed = TRANSITIONS[this.#action.type][expected.status] !== undefined;
    const cents = isAllowed ? adjustmentCents(expected, this.#action) : undefined;
    const isSuccessful = cents !== undefined;

    let response: ApiResponse | undefined;
    if (this.#killedAfterMs === undefined) response = await send(real, 'POST', path, this.#action, key);
    else {
      const pending = send(real, 'POST', path, this.#action, key).catch(() => undefined);
      await delay(this.#killedAfterMs);
      await real.service.kill();
      const before = await pending;
      await restart(real, model.day);
      response = await retry(real, path, this.#action, key);
      if (before) expect([before.status, before.text]).toEqual([response.status, response.text]);
    }

    expect([response.status, response.body?.code]).toEqual(isSuccessful ? [200, undefined] : [500, expect.any(String)]);
    if (isSuccessful) apply(expected, this.#action, cents, model.day);
    const again = await send(real, 'POST', path, this.#action, key);
    expect([again.status, again.text]).toEqual([response.status, response.text]);
    await requireModelState(model, real);
  }

  toString = () => `${this.#index}:${JSON.stringify(this.#action)}${this.#killedAfterMs === undefined ? '' : ` killed`}`;
}

class KillCommand implements fc.AsyncCommand<Model, Real> {
  check = () => true;
  async run(model: Model, real: Real): Promise<void> {
    await restart(real, model.day);
    await requireModelState(model, real);
  }
  toString = () => 'kill';
}

class WaitCommand implements fc.AsyncCommand<Model, Real> {
  readonly #days: number;
  constructor(days: number) {
    this.#days = days;
  }
  check = () => true;
  async run(model: Model, real: Real): Promise<void> {
    model.day += this.#days;
    await setClock(real, model.day);
    expire(model);
    await requireModelState(model, real);
  }
  toString = () => `wait ${this.#days} days`;
}

async function requireModelState(model: Model, real: Real): Promise<void> {
  for (const [index, { status, remainingCents }] of model.transactions.entries()) {
    const { body } = await send(real, 'GET', `/transactions/${real.ids[index]!}`);
    expect(body).toMatchObject({ status, adjustedTotal: remainingCents, total: TOTAL });
  }
}

const adjustment = (type: 'cancel' | 'refund'): fc.Arbitrary<Action> =>
  fc.oneof(
    fc.constant({ type }),
    fc.integer({ min: 1, max: TOTAL }).map((amount) => ({ type, amount: Math.ceil(amount / 4) })),
  );
const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 3, arbitrary: fc.constant<Action>({ type: 'authorize' }) },
  { weight: 2, arbitrary: fc.constant<Action>({ type: 'settle' }) },
  { weight: 2, arbitrary: adjustment('cancel') },
  { weight: 2, arbitrary: adjustment('refund') },
);
const index = fc.nat({ max: CARDS.length - 1 });
const engines: Engine[] = isNightly ? ['sqlite', 'postgres'] : [defaultEngine];
const commands = fc.commands(
  [
    fc.tuple(index, action).map(([at, act]) => new ActionCommand(at, act, undefined)),
    fc.tuple(index, action, fc.integer({ min: 0, max: 12 })).map(([at, act, ms]) => new ActionCommand(at, act, ms)),
    fc.constant(new KillCommand()),
    // No sum of these waits is close to the lifetime of a transaction.
    fc.constantFrom(2.3, 11.1, 43.7).map((days) => new WaitCommand(days)),
  ],
  { maxCommands: isNightly ? 18 : 10, size: 'max' },
);

describe.each(engines)('Transactions of a service that is killed at random moments (%s)', (engine) => {
  let databaseUrl: string;
  let database: Database;
  beforeAll(async () => {
    await buildProject();
    databaseUrl = await createDatabaseUrl(engine);
    database = openTestDatabase(databaseUrl);
    await database.migrate();
  }, 60_000);

  it(
    'have the expected state and a correct journal after retries with the same idempotency keys',
    async () => {
      const shop = { name: 'Acme Goods', storeUrl: 'https://shop.example/', origins: [] };
      const { apiKey, secret } = await createMerchant(database, 'sandbox', shop, systemClock.now());
      const authorization = `Basic ${Buffer.from(`${apiKey}:${secret}`).toString('base64')}`;
      let service = await startReachableProcess(databaseUrl);
      let nextKey = 0;

      const history = fc.asyncProperty(commands, async (steps) => {
        const startedAtMs = Date.now();
        const real: Real = { database, databaseUrl, service, authorization, ids: [], startedAtMs, nextKey };
        await setClock(real, 0);
        for (const card of CARDS) {
          const cart = await send(real, 'POST', '/carts', { options: { customTotal: TOTAL } });
          const purchase = await send(real, 'POST', '/sandbox/checkouts', { cartId: cart.body.id });
          const id = purchase.body.transactionId as string;
          real.ids.push(id);
          const payByCard = sql`update transactions set card_cents = 60000, card_reference = ${card} where id = ${id}`;
          if (card) await database.write((tx) => payByCard.execute(tx));
        }
        const transactions = real.ids.map((): Expected => ({ status: 'PENDING', remainingCents: TOTAL, since: 0 }));
        await fc.asyncModelRun(() => ({ model: { day: 0, transactions }, real }), steps);
        ({ nextKey, service } = real);
        expect(await differencesOf(database.query)).toEqual([]);
      });
      await fc.assert(history, { ...campaign(1), endOnFailure: true });
      await service.kill();
    },
    campaignTimeoutMs,
  );
});
