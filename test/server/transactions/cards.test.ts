import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ActionRequest } from '../../../shared/wire/transaction.ts';
import { type CardGateway, cardSender } from '../../../server/cards/gateway.ts';
import { createStripeGateway } from '../../../server/cards/stripe-gateway.ts';
import type { Database } from '../../../server/db/database.ts';
import { once, type Run } from '../../../server/idempotency/once.ts';
import { startDelivery } from '../../../server/notifications/deliver.ts';
import { presentDelivery } from '../../../server/notifications/deliveries.ts';
import { listDeliveries, replayFailed } from '../../../server/notifications/store.ts';
import { AT_ONCE } from '../../../server/notifications/outbox.ts';
import { plusDays, systemClock } from '../../../server/time.ts';
import { act } from '../../../server/transactions/actions.ts';
import { auditTransactions } from '../../../server/transactions/audit.ts';
import { expireLapsed } from '../../../server/transactions/expire.ts';
import { getTransaction, type TransactionRow } from '../../../server/transactions/store.ts';
import { createDatabase } from '../../support/databases.ts';
import { givenBuying } from '../../support/purchases.ts';
import { givenStripe, type StripeServer } from '../../support/stripe.ts';
import { until } from '../../support/time.ts';

const now = '2026-11-21T09:30:00.000000Z';
const lifetimes = { pendingDays: 7, authorizedDays: 90 };
const authorize: ActionRequest = { type: 'authorize' };
const settle: ActionRequest = { type: 'settle' };
const cancel: ActionRequest = { type: 'cancel' };
const refund: ActionRequest = { type: 'refund' };
const onError = (thrown: unknown) => {
  throw thrown;
};

describe('The card portion of a purchase', () => {
  let database: Database;
  let buying: Awaited<ReturnType<typeof givenBuying>>;
  let stripe: StripeServer;
  let gateway: CardGateway;
  beforeAll(async () => {
    database = await createDatabase();
    buying = await givenBuying(database, now);
  });
  beforeEach(async () => {
    stripe = await givenStripe();
    gateway = createStripeGateway({ key: 'sk_test_1', onFault: () => undefined, api: stripe.api });
  });

  /** A purchase of $1000.00, of which a card pays $400.00. */
  async function givenPart({ declines = false, ...purchase }: Partial<TransactionRow> & { declines?: boolean } = {}) {
    const part = { applicationId: 'application', amountCents: 40_000, currency: 'USD', language: 'en' } as const;
    const entry = await gateway.startEntry(part, 'http://localhost/');
    const method = stripe.enterCard(entry.entryId, { declines });
    const { reference, label } = (await gateway.finishEntry(part, entry.entryId))!;
    const card = { card_cents: 40_000, card_reference: reference, card_label: label };
    const id = await buying.givenPurchase({ total_cents: 100_000, ...card, ...purchase });
    return { id, reference, method, intent: stripe.intent(reference) };
  }
  const acting = (id: string, request: ActionRequest, at = now, own: Pick<Database, 'query' | 'write'> = database) =>
    act(
      { database: { ...database, ...own }, lifetimes, cards: gateway, actor: 'key:12345678' },
      { merchantId: buying.merchantId, id },
      request,
      at,
    );
  const statusOf = async (id: string) => (await getTransaction(database.query, buying.merchantId, id)).status;
  const ordersOf = async (id: string) => {
    const rows = await listDeliveries(database.query, { limit: 1_000 });
    return rows.filter(({ url }) => url === `card:${id}`).toReversed();
  };
  const logsOf = async (id: string) =>
    (await ordersOf(id)).map(({ body }) => {
      const { type, amountCents } = JSON.parse(body) as { type: string; amountCents: number };
      return `${type} ${amountCents}`;
    });
  /** Runs each pending card operation of a transaction once. */
  async function delivered(id: string) {
    const faults: unknown[] = [];
    const senders = { card: cardSender(gateway) };
    const delivery = startDelivery({ database, clock: systemClock, senders, onError: (fault) => faults.push(fault), pollMs: 5 });
    await until(async () => (await ordersOf(id)).every(({ attempts, due_at }) => attempts > 0 && due_at !== AT_ONCE));
    await delivery.stop();
    expect(faults).toEqual([]);
    return ordersOf(id);
  }
  async function differences() {
    const found: unknown[] = [];
    for await (const some of auditTransactions(database.query)) found.push(...some);
    return found;
  }

  it('is held on authorization, captured on settlement, and refunded last', async () => {
    const { id, intent } = await givenPart();
    await acting(id, authorize);
    expect(intent.status).toBe('requires_capture');
    await acting(id, { type: 'cancel', amount: 10_000 });
    expect(await logsOf(id)).toEqual([]);
    await acting(id, settle);
    await delivered(id);
    expect(intent).toMatchObject({ status: 'succeeded', amount_received: 40_000 });

    await acting(id, { type: 'refund', amount: 50_000 });
    await acting(id, { type: 'refund', amount: 15_000 });
    await acting(id, refund);
    expect(await logsOf(id)).toEqual(['capture 40000', 'refund 15000', 'refund 25000']);
    const rows = await delivered(id);
    expect(rows.map(({ delivered_at }) => delivered_at !== null)).toEqual([true, true, true]);
    expect(stripe.refunds.map(({ amount }) => amount).toSorted((one, other) => one - other)).toEqual([15_000, 25_000]);
    expect(await statusOf(id)).toBe('REFUNDED');
    expect(await differences()).toEqual([]);
  });

  it('is captured up to the remaining amount', async () => {
    const { id, intent } = await givenPart();
    await acting(id, authorize);
    await acting(id, { type: 'cancel', amount: 75_000 });
    await acting(id, settle);
    await delivered(id);
    expect(intent.amount_received).toBe(25_000);
  });

  it('is held up to the remaining amount', async () => {
    const { id, intent } = await givenPart();
    await acting(id, { type: 'cancel', amount: 75_000 });
    await acting(id, authorize);
    expect(intent).toMatchObject({ status: 'requires_capture', amount: 25_000 });
  });

  it('can be declined, retried or canceled while the transaction stays PENDING', async () => {
    const { id, intent, method } = await givenPart({ declines: true });
    const declined = { code: 'card-declined', message: expect.stringContaining('1-3 business days') };
    await expect(acting(id, authorize)).rejects.toMatchObject(declined);
    expect(await statusOf(id)).toBe('PENDING');
    stripe.setDeclines(method, false);
    expect((await acting(id, authorize)).status).toBe('AUTHORIZED');

    const other = await givenPart({ declines: true });
    await expect(acting(other.id, authorize)).rejects.toMatchObject(declined);
    expect((await acting(other.id, cancel)).status).toBe('CANCELED');
    await delivered(other.id);
    expect(other.intent.status).toBe('canceled');
    expect(intent.status).toBe('requires_capture');
  });

  it('can be retried after the gateway was unreachable, and nothing has changed', async () => {
    const { id } = await givenPart();
    stripe.intercept(() => 'close-before');
    await expect(acting(id, authorize)).rejects.toMatchObject({ code: 'card-unavailable' });
    expect(await statusOf(id)).toBe('PENDING');
    stripe.intercept(() => undefined);
    expect((await acting(id, authorize)).status).toBe('AUTHORIZED');
  });

  it('cannot be authorized without a gateway, but can be canceled', async () => {
    const { id } = await givenPart();
    const without = act({ database, lifetimes, actor: 'key:12345678' }, { merchantId: buying.merchantId, id }, authorize, now);
    await expect(without).rejects.toMatchObject({ code: 'card-unavailable' });
    expect(
      (await act({ database, lifetimes, actor: 'key:12345678' }, { merchantId: buying.merchantId, id }, cancel, now)).status,
    ).toBe('CANCELED');
  });

  it('is not held for a rejected authorization', async () => {
    const { id, intent } = await givenPart();
    await acting(id, cancel);
    await expect(acting(id, authorize)).rejects.toMatchObject({ code: 'wrong-state' });
    const lapsed = await givenPart({ created_at: plusDays(now, -8) });
    await expect(acting(lapsed.id, authorize)).rejects.toMatchObject({ code: 'wrong-state' });
    expect([intent.status, lapsed.intent.status]).toEqual(['requires_confirmation', 'requires_confirmation']);
  });

  it('is released when the transaction expires, whether held or not', async () => {
    const held = await givenPart();
    await acting(held.id, authorize);
    const entered = await givenPart();
    await expireLapsed({ database, lifetimes, now: plusDays(now, 91), onError });
    for (const { id, intent } of [held, entered]) {
      await delivered(id);
      expect(intent.status).toBe('canceled');
    }
    expect(await differences()).toEqual([]);
  });

  it('causes no gateway request when no card is used', async () => {
    const id = await buying.givenPurchase();
    for (const request of [authorize, settle, refund]) await acting(id, request);
    expect(stripe.requests).toEqual([]);
    expect(await ordersOf(id)).toEqual([]);
  });

  describe('during a gateway request', () => {
    /** Runs a function during the hold request to Stripe, before or after the hold is placed. */
    async function meanwhile(when: 'before' | 'after', work: (id: string) => Promise<unknown>) {
      const part = await givenPart();
      stripe.intercept(async ({ path }) => {
        if (!path.endsWith(when === 'before' ? '/confirm' : part.reference)) return undefined;
        stripe.intercept(() => undefined);
        await work(part.id);
        return undefined;
      });
      const response = await acting(part.id, authorize).catch((thrown: unknown) => thrown);
      return { ...part, response };
    }

    it.each([
      ['canceled', (id: string) => acting(id, cancel)],
      ['expired', () => expireLapsed({ database, lifetimes, now: plusDays(now, 8), onError })],
    ])('a %s transaction has its hold released', async (_what, end) => {
      for (const when of ['before', 'after'] as const) {
        const { id, intent, response } = await meanwhile(when, end);
        expect(response).toMatchObject({ code: 'wrong-state' });
        await delivered(id);
        expect(intent.status).toBe('canceled');
        expect(await logsOf(id)).toEqual(['release 0']);
      }
    });

    it('a transaction that is canceled and released at once has no hold', async () => {
      const { intent, response, id } = await meanwhile('before', async (canceled) => {
        await acting(canceled, cancel);
        await delivered(canceled);
      });
      expect(response).toMatchObject({ code: 'wrong-state' });
      expect(intent.status).toBe('canceled');
      expect(await statusOf(id)).toBe('CANCELED');
    });

    it('a partial cancel reduces the captured amount, not the hold', async () => {
      const { id, intent, response } = await meanwhile('before', (one) => acting(one, { type: 'cancel', amount: 70_000 }));
      expect(response).toMatchObject({ status: 'AUTHORIZED', adjusted_total_cents: 30_000 });
      await acting(id, settle);
      await delivered(id);
      expect(intent).toMatchObject({ amount: 40_000, amount_received: 30_000 });
    });
  });

  it('is held once by five concurrent authorizations, of which one succeeds', async () => {
    const { id, intent } = await givenPart();
    const responses = await Promise.allSettled(Array.from({ length: 5 }, () => acting(id, authorize)));
    expect(responses.filter(({ status }) => status === 'fulfilled').length).toBe(1);
    for (const response of responses) {
      if (response.status === 'rejected') {
        expect(['wrong-state', 'changed-meanwhile', 'card-unavailable']).toContain(response.reason.code);
      }
    }
    expect(intent.status).toBe('requires_capture');
    expect(await logsOf(id)).toEqual([]);
  });

  describe('when the process ends', () => {
    const failingDatabase = (): Pick<Database, 'query' | 'write'> => ({
      ...database,
      write: () => Promise.reject(new Error('Ended')),
    });

    it('between the hold and the write, is authorized by the next request', async () => {
      const { id, intent } = await givenPart();
      await expect(acting(id, authorize, now, failingDatabase())).rejects.toThrow('Ended');
      expect([intent.status, await statusOf(id)]).toEqual(['requires_capture', 'PENDING']);
      expect((await acting(id, authorize)).status).toBe('AUTHORIZED');
      expect(stripe.requests.filter(({ path }) => path.endsWith('/confirm')).length).toBe(1);
    });

    it('between the hold and the write, without a retry, releases the hold when the transaction expires', async () => {
      const { id, intent } = await givenPart();
      await expect(acting(id, authorize, now, failingDatabase())).rejects.toThrow('Ended');
      await expireLapsed({ database, lifetimes, now: plusDays(now, 8), onError });
      await delivered(id);
      expect(intent.status).toBe('canceled');
    });

    it('between the write and the response, returns the original response to a retry with the same key', async () => {
      const { id } = await givenPart();
      const request = { merchantId: buying.merchantId, key: id, fingerprint: 'f' };
      const first = (await once(database, systemClock, request)) as Run;
      const response = await act(
        { database: first.database, lifetimes, cards: gateway, actor: 'key:12345678' },
        { merchantId: buying.merchantId, id },
        authorize,
        now,
      );
      await first.release();

      await acting(id, cancel);
      await delivered(id);
      const second = (await once(database, systemClock, request)) as Run;
      expect(
        await act(
          { database: second.database, lifetimes, cards: gateway, actor: 'key:12345678' },
          { merchantId: buying.merchantId, id },
          authorize,
          now,
        ),
      ).toEqual(response);
      await second.saveResponse({ status: 200, headers: {}, body: '' });
      expect(await statusOf(id)).toBe('CANCELED');
    });
  });

  it('is captured after an outage of Stripe, and the operator sees why it was delayed', async () => {
    const { id, intent } = await givenPart();
    await acting(id, authorize);
    await acting(id, settle);
    stripe.intercept(() => ({ status: 503, body: { error: { type: 'api_error', message: 'Down' } } }));
    const [waiting] = (await delivered(id)).map(presentDelivery);
    expect(waiting).toMatchObject({ state: 'pending', channel: 'card', lastFailure: 'Stripe responded with 503: api_error' });
    expect(waiting!.to).toBe(`capture 400.00 of ${id}`);
    stripe.intercept(() => undefined);
    await database.write((tx) => sql`update outbox set due_at = ${AT_ONCE} where url = ${`card:${id}`}`.execute(tx));
    expect((await delivered(id)).map(presentDelivery)[0]!.state).toBe('delivered');
    expect(intent.amount_received).toBe(40_000);
  });

  it('that can no longer be captured is shown to the operator as failed, and can be retried', async () => {
    const { id, intent } = await givenPart();
    await acting(id, authorize);
    await acting(id, settle);
    intent.status = 'canceled';
    const shown = (await delivered(id)).map(presentDelivery)[0]!;
    expect(shown).toMatchObject({ state: 'failed', lastFailure: 'Stripe has nothing to capture: the intent is canceled' });
    intent.status = 'requires_capture';
    await database.write((tx) => replayFailed(tx, buying.merchantId, AT_ONCE));
    expect((await delivered(id)).map(presentDelivery)[0]!.state).toBe('delivered');
  });

  it('does not repeat a completed operation', async () => {
    const { id, intent } = await givenPart();
    for (const request of [authorize, settle, refund]) await acting(id, request);
    await delivered(id);
    const again = sql`update outbox set due_at = ${AT_ONCE}, delivered_at = null where url = ${`card:${id}`}`;
    for (let times = 0; times < 2; times++) {
      stripe.deleteKeys();
      await database.write((tx) => again.execute(tx));
      await delivered(id);
    }
    expect(intent.amount_received).toBe(40_000);
    expect(stripe.refunds.map(({ amount }) => amount)).toEqual([40_000]);
  });

  describe('is checked by the audit, which reports', () => {
    it.each([
      ['a missing card operation', (id: string) => sql`delete from outbox where url = ${`card:${id}`} and body like '%refund%'`],
      [
        'a card operation with another amount',
        (id: string) => sql`update outbox set body = replace(body, '40000', '39999') where url = ${`card:${id}`}`,
      ],
      ['another card amount', (id: string) => sql`update transactions set card_cents = 30000 where id = ${id}`],
      [
        'card operations without a card amount',
        (id: string) => sql`update transactions set card_cents = 0, card_reference = '', card_label = '' where id = ${id}`,
      ],
    ])('%s', async (_what, statement) => {
      const { id } = await givenPart();
      for (const request of [authorize, settle, refund]) await acting(id, request);
      expect(await differences()).toEqual([]);
      const undone = new Error('undone');
      const trial = database.write(async (tx) => {
        await statement(id).execute(tx);
        const found: unknown[] = [];
        for await (const some of auditTransactions(tx)) found.push(...some);
        expect(found).toMatchObject([{ transactionId: id, what: 'card' }]);
        throw undone;
      });
      await expect(trial).rejects.toBe(undone);
    });
  });

  it.each([
    'card_cents = -1',
    'card_cents = 100001',
    'card_cents = 0',
    "card_reference = ''",
    "card_cents = 0, card_reference = 'tok_visa', card_label = ''",
  ])('is never stored in an invalid state: %s', async (set) => {
    const { id } = await givenPart();
    const broken = database.write((tx) => sql.raw(`update transactions set ${set} where id = '${id}'`).execute(tx));
    await expect(broken).rejects.toThrow(/check/i);
  });
});
