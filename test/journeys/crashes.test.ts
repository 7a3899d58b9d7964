/**
 * Random histories of purchases over HTTP, against a service that is killed between actions and in the middle of them, and whose
 * clock jumps. A merchant who hears nothing sends the same request with the same key again. A model that knows nothing of the
 * code says what must have come of it: what was sent counts once, and never a second time.
 */
import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '../../server/db/database.ts';
import { createMerchant } from '../../server/merchants/merchants.ts';
import { DAY_MS, systemClock } from '../../server/time.ts';
import { auditTransactions } from '../../server/transactions/audit.ts';
import type { TransactionStatus } from '../../shared/wire/transaction.ts';
import { buildService, type ReachableService, startReachableProcess } from '../support/process.ts';
import { campaign, campaignTimeoutMs, isNightly } from '../support/campaign.ts';
import { onCleanup } from '../support/cleanup.ts';
import { createDatabaseUrl, defaultEngine, type Engine } from '../support/databases.ts';
import { type ApiResponse, fetchResponse } from '../support/service.ts';

const LINES = [
  { name: 'Chair', sku: 'CHAIR', price: 40_000, quantity: 2, imageUrl: '', detailUrl: '' },
  { name: 'Lamp', sku: 'LAMP', price: 9_999, quantity: 3, imageUrl: '', detailUrl: '' },
];
const TOTAL = 109_997;
/** What pays $600.00 of each purchase: no card, one, or one whose capture is tried twice. */
const CARDS = ['', 'tok_visa', 'tok_capture_fails_once'];
const PURCHASES = CARDS.length;

/** What we know of a purchase without asking. */
interface Known {
  status: TransactionStatus;
  left: number;
  pieces: Record<string, number>;
  /** The day of the model on which it came into its status. */
  since: number;
}

interface Model {
  day: number;
  purchases: Known[];
}

interface Real {
  database: Database;
  databaseUrl: string;
  /** The process that runs last. */
  service: ReachableService;
  authorization: string;
  ids: string[];
  beganAtMs: number;
  nextKey: number;
}

interface Action {
  type: 'authorize' | 'settle' | 'cancel' | 'refund';
  amount?: number;
  lineItems?: { sku: string; quantity: number }[];
}

/** Which statuses take an action, and what they become. */
const TAKERS: Record<Action['type'], Partial<Record<TransactionStatus, TransactionStatus>>> = {
  authorize: { PENDING: 'AUTHORIZED' },
  settle: { AUTHORIZED: 'SETTLED' },
  cancel: { PENDING: 'PENDING', AUTHORIZED: 'AUTHORIZED' },
  refund: { SETTLED: 'SETTLED' },
};

const AT_ZERO: Partial<Record<Action['type'], TransactionStatus>> = { cancel: 'CANCELED', refund: 'REFUNDED' };

/** The cents that go with an action that the status allows; undefined when it asks for more than there is. */
function centsOf({ left, pieces }: Known, { type, amount = 0, lineItems = [] }: Action): number | undefined {
  if (type === 'authorize' || type === 'settle') return 0;
  if (amount > 0) return amount <= left ? amount : undefined;
  if (lineItems.some(({ sku, quantity }) => quantity > (pieces[sku] ?? 0))) return undefined;
  const requested = Object.fromEntries(lineItems.map(({ sku, quantity }) => [sku, quantity]));
  const isAll = Object.entries(pieces).every(([sku, count]) => count === (requested[sku] ?? 0));
  if (lineItems.length === 0 || isAll) return left;
  // Nothing but lines makes up the total, so that each piece is worth its price.
  const worth = LINES.reduce((sum, { sku, price }) => sum + price * (requested[sku] ?? 0), 0);
  return worth <= left ? worth : undefined;
}

/** What becomes of a purchase by an action that must be taken. */
function take(known: Known, action: Action, cents: number, day: number): void {
  const { type, amount, lineItems = [] } = action;
  const isEverything = cents === known.left && amount === undefined && cents > 0;
  for (const sku of Object.keys(known.pieces)) if (isEverything && lineItems.length === 0) known.pieces[sku] = 0;
  for (const { sku, quantity } of lineItems) known.pieces[sku]! -= quantity;
  known.left -= cents;
  const status = (known.left === 0 ? AT_ZERO[type] : undefined) ?? TAKERS[type][known.status]!;
  if (status !== known.status) known.since = day;
  known.status = status;
}

/** The status a purchase has by itself when its time is over. */
function age(model: Model): void {
  for (const known of model.purchases) {
    const days = { PENDING: 7, AUTHORIZED: 90 }[known.status as string];
    if (days === undefined || model.day - known.since < days) continue;
    Object.assign(known, { status: 'EXPIRED', since: model.day });
  }
}

const send = (real: Real, method: string, path: string, body?: object, key?: string): Promise<ApiResponse> =>
  fetchResponse(real.service.url + path, {
    method,
    headers: { authorization: real.authorization, ...(key !== undefined && { 'idempotency-key': key }) },
    ...(body && { body: JSON.stringify(body) }),
  });

/** The clock is one of the things a process that is killed forgets. */
const setClock = (real: Real, day: number) =>
  send(real, 'POST', '/sandbox/clock', { now: new Date(real.beganAtMs + day * DAY_MS).toISOString() });

async function restart(real: Real, day: number): Promise<void> {
  await real.service.kill();
  real.service = await startReachableProcess(real.databaseUrl);
  await setClock(real, day);
}

/** What a merchant does who heard nothing: the same again, until somebody answers who is not busy with it. */
async function sendAgain(real: Real, path: string, action: Action, key: string): Promise<ApiResponse> {
  for (let tries = 1; ; tries++) {
    const response = await send(real, 'POST', path, action, key);
    if (response.status !== 409) return response;
    expect(tries).toBeLessThan(5);
    // The dead process holds the key for half a minute more; the test does not wait for it.
    await real.database.write((tx) => sql`update idempotency_keys set leased_until = ''`.execute(tx));
  }
}

class Act implements fc.AsyncCommand<Model, Real> {
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
    const known = model.purchases[this.#index]!;
    const path = `/transactions/actions/${real.ids[this.#index]!}`;
    const key = `key-${real.nextKey++}`;
    const isAllowed = TAKERS[this.#action.type][known.status] !== undefined;
    const cents = isAllowed ? centsOf(known, this.#action) : undefined;
    const isTaken = cents !== undefined;

    let response: ApiResponse | undefined;
    if (this.#killedAfterMs === undefined) response = await send(real, 'POST', path, this.#action, key);
    else {
      const pending = send(real, 'POST', path, this.#action, key).catch(() => undefined);
      await delay(this.#killedAfterMs);
      await real.service.kill();
      const before = await pending;
      await restart(real, model.day);
      response = await sendAgain(real, path, this.#action, key);
      if (before) expect([before.status, before.text]).toEqual([response.status, response.text]);
    }

    expect([response.status, response.body?.code]).toEqual(isTaken ? [200, undefined] : [500, expect.any(String)]);
    if (isTaken) take(known, this.#action, cents, model.day);
    const again = await send(real, 'POST', path, this.#action, key);
    expect([again.status, again.text]).toEqual([response.status, response.text]);
    await requireModelState(model, real);
  }

  toString = () => `${this.#index}:${JSON.stringify(this.#action)}${this.#killedAfterMs === undefined ? '' : ` killed`}`;
}

class Kill implements fc.AsyncCommand<Model, Real> {
  check = () => true;
  async run(model: Model, real: Real): Promise<void> {
    await restart(real, model.day);
    await requireModelState(model, real);
  }
  toString = () => 'kill';
}

class Wait implements fc.AsyncCommand<Model, Real> {
  readonly #days: number;
  constructor(days: number) {
    this.#days = days;
  }
  check = () => true;
  async run(model: Model, real: Real): Promise<void> {
    model.day += this.#days;
    await setClock(real, model.day);
    age(model);
    await requireModelState(model, real);
  }
  toString = () => `wait ${this.#days} days`;
}

async function requireModelState(model: Model, real: Real): Promise<void> {
  for (const [index, { status, left }] of model.purchases.entries()) {
    const { body } = await send(real, 'GET', `/transactions/${real.ids[index]!}`);
    expect(body).toMatchObject({ status, adjustedTotal: left, total: TOTAL });
  }
}

const lineItems = fc.array(fc.record({ sku: fc.constantFrom('CHAIR', 'LAMP'), quantity: fc.integer({ min: 1, max: 3 }) }), {
  minLength: 1,
  maxLength: 1,
});
const adjustment = (type: 'cancel' | 'refund'): fc.Arbitrary<Action> =>
  fc.oneof(
    fc.constant({ type }),
    fc.integer({ min: 1, max: TOTAL }).map((amount) => ({ type, amount: Math.ceil(amount / 4) })),
    lineItems.map((lines) => ({ type, lineItems: lines })),
  );
const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 3, arbitrary: fc.constant<Action>({ type: 'authorize' }) },
  { weight: 2, arbitrary: fc.constant<Action>({ type: 'settle' }) },
  { weight: 2, arbitrary: adjustment('cancel') },
  { weight: 2, arbitrary: adjustment('refund') },
);
const index = fc.nat({ max: PURCHASES - 1 });
const engines: Engine[] = isNightly ? ['sqlite', 'postgres'] : [defaultEngine];
const commands = fc.commands(
  [
    fc.tuple(index, action).map(([at, what]) => new Act(at, what, undefined)),
    fc.tuple(index, action, fc.integer({ min: 0, max: 12 })).map(([at, what, ms]) => new Act(at, what, ms)),
    fc.constant(new Kill()),
    // No sum of these comes near the days after which a purchase expires.
    fc.constantFrom(2.3, 11.1, 43.7).map((days) => new Wait(days)),
  ],
  { maxCommands: isNightly ? 18 : 10, size: 'max' },
);

describe.each(engines)('A merchant whose service is killed at any moment (%s)', (engine) => {
  let databaseUrl: string;
  let database: Database;
  beforeAll(async () => {
    await buildService();
    const given = await createDatabaseUrl(engine);
    databaseUrl = given.url;
    database = openDatabase(databaseUrl);
    await database.migrate();
    onCleanup(async () => {
      await database.close();
      await given.remove();
    });
  }, 60_000);

  describe('and who repeats requests without a response', () => {
    it(
      'finds every purchase in the expected state, with a correct journal',
      async () => {
        const shop = { name: 'Acme Goods', storeUrl: 'https://shop.example/', origins: [] };
        const { apiKey, secret } = await createMerchant(database, 'sandbox', shop, systemClock.now());
        const authorization = `Basic ${Buffer.from(`${apiKey}:${secret}`).toString('base64')}`;
        let service = await startReachableProcess(databaseUrl);
        let nextKey = 0;

        const history = fc.asyncProperty(commands, async (steps) => {
          const beganAtMs = Date.now();
          const real: Real = { database, databaseUrl, service, authorization, ids: [], beganAtMs, nextKey };
          await setClock(real, 0);
          for (const card of CARDS) {
            const cart = await send(real, 'POST', '/carts', { options: { items: LINES } });
            const purchase = await send(real, 'POST', '/sandbox/checkouts', { cartId: cart.body.id });
            const id = purchase.body.transactionId as string;
            real.ids.push(id);
            const part = sql`update transactions set card_cents = 60000, card_reference = ${card} where id = ${id}`;
            if (card) await database.write((tx) => part.execute(tx));
          }
          const purchases = real.ids.map((): Known => ({
            status: 'PENDING',
            left: TOTAL,
            pieces: { CHAIR: 2, LAMP: 3 },
            since: 0,
          }));
          await fc.asyncModelRun(() => ({ model: { day: 0, purchases }, real }), steps);
          ({ nextKey, service } = real);
          for await (const differences of auditTransactions(database.query)) expect(differences).toEqual([]);
        });
        await fc.assert(history, { ...campaign(1), endOnFailure: true });
        await service.kill();
      },
      campaignTimeoutMs,
    );
  });
});
