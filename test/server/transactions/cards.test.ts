import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ActionRequest } from '../../../shared/wire/transaction.ts';
import { type CardGateway, cardSender } from '../../../server/cards/gateway.ts';
import { createStripeGateway } from '../../../server/cards/stripe-gateway.ts';
import type { Database, Tx } from '../../../server/db/database.ts';
import { seal } from '../../../server/db/sealed.ts';
import { once, type Run } from '../../../server/idempotency/once.ts';
import { startDelivery } from '../../../server/notifications/deliver.ts';
import { presentDelivery } from '../../../server/notifications/deliveries.ts';
import { listDeliveries, type OutboxEntry, replayFailed } from '../../../server/notifications/store.ts';
import { DUE_NOW } from '../../../server/notifications/outbox.ts';
import { plusDays, systemClock, type Instant } from '../../../server/time.ts';
import { act, updateShipment } from '../../../server/transactions/actions.ts';
import { auditTransactions } from '../../../server/transactions/audit.ts';
import { expireTransactions } from '../../../server/transactions/expire.ts';
import { currenciesOf, getTransaction, type Transaction } from '../../../server/transactions/store.ts';
import { createDatabase } from '../../support/databases.ts';
import { createBuyer } from '../../support/purchases.ts';
import { startStripe, type StripeServer } from '../../support/stripe.ts';
import { until } from '../../support/time.ts';

const now: Instant = '2026-11-21T09:30:00.000000Z';
const lifetimes = { pendingDays: 7, authorizedDays: 90 };
const actor = 'key:12345678';
const authorize: ActionRequest = { type: 'authorize' };
const settle: ActionRequest = { type: 'settle' };
const cancel: ActionRequest = { type: 'cancel' };
const refund: ActionRequest = { type: 'refund' };
const onError = (thrown: unknown) => {
  throw thrown;
};

describe('The card portion of a purchase', () => {
  let database: Database;
  let purchases: Awaited<ReturnType<typeof createBuyer>>;
  let stripe: StripeServer;
  let gateway: CardGateway;
  beforeAll(async () => {
    database = await createDatabase();
    purchases = await createBuyer(database, now);
  });
  beforeEach(async () => {
    stripe = await startStripe();
    gateway = createStripeGateway({ key: 'sk_test_1', onFault: () => undefined, api: stripe.api });
  });

  /** Creates a purchase of $1,000.00, of which a card pays $400.00. */
  async function createCardPurchase({ declines = false, ...purchase }: Partial<Transaction> & { declines?: boolean } = {}) {
    const portion = { applicationId: 'application', amountCents: 40_000, currency: 'USD', language: 'en' } as const;
    const entry = await gateway.startEntry(portion, 'http://localhost/');
    const method = stripe.enterCard(entry.entryId, { declines });
    const { reference, label } = (await gateway.finishEntry(portion, entry.entryId))!;
    const card = { cardCents: 40_000, cardReference: reference, cardLabel: label };
    const id = await purchases.createPurchase({ totalCents: 100_000, ...card, ...purchase });
    return { id, reference, method, intent: stripe.intent(reference) };
  }
  const actOn = (id: string, request: ActionRequest, at = now, overrides: Pick<Database, 'query' | 'write'> = database) =>
    act(
      { database: { ...database, ...overrides }, lifetimes, cards: gateway, actor },
      { merchantId: purchases.merchantId, id },
      request,
      at,
    );
  const statusOf = async (id: string) => (await getTransaction(database.query, purchases.merchantId, id)).status;
  const cardRowsOf = async (id: string) => {
    const rows = await listDeliveries(database.query, { limit: 1_000 });
    return rows.filter(({ url }) => url === `card:${id}`).toReversed();
  };
  const cardOperationsOf = async (id: string) =>
    (await cardRowsOf(id)).map(({ body }) => {
      const { type, amountCents } = JSON.parse(body) as { type: string; amountCents: number };
      return `${type} ${amountCents}`;
    });
  /** Runs each pending card operation of a transaction once. */
  async function runCardOperations(id: string) {
    const errors: unknown[] = [];
    const senders = { card: cardSender(gateway) };
    const delivery = startDelivery({
      database,
      clock: systemClock,
      senders,
      onError: (thrown) => errors.push(thrown),
      pollMs: 5,
    });
    await until(async () => (await cardRowsOf(id)).every(({ attempts, dueAt }) => attempts > 0 && dueAt !== DUE_NOW));
    await delivery.stop();
    expect(errors).toEqual([]);
    return cardRowsOf(id);
  }
  async function auditDifferences() {
    const found: unknown[] = [];
    for await (const batch of auditTransactions(database.query)) found.push(...batch);
    return found;
  }

  it('is held on authorization, captured on settlement, and refunded after the loan', async () => {
    const { id, intent } = await createCardPurchase();
    await actOn(id, authorize);
    expect(intent.status).toBe('requires_capture');
    await actOn(id, { type: 'cancel', amount: 10_000 });
    expect(await cardOperationsOf(id)).toEqual([]);
    await actOn(id, settle);
    await runCardOperations(id);
    expect(intent).toMatchObject({ status: 'succeeded', amount_received: 40_000 });

    await actOn(id, { type: 'refund', amount: 50_000 });
    await actOn(id, { type: 'refund', amount: 15_000 });
    await actOn(id, refund);
    expect(await cardOperationsOf(id)).toEqual(['capture 40000', 'refund 15000', 'refund 25000']);
    const rows = await runCardOperations(id);
    expect(rows.map(({ deliveredAt }) => deliveredAt !== null)).toEqual([true, true, true]);
    expect(stripe.refunds.map(({ amount }) => amount).toSorted((one, other) => one - other)).toEqual([15_000, 25_000]);
    expect(await statusOf(id)).toBe('REFUNDED');
    const shipment = { trackingNumber: 'T-1', carrierName: undefined };
    await updateShipment({ database, lifetimes, actor }, { merchantId: purchases.merchantId, id }, shipment, now);
    expect(await cardOperationsOf(id)).toHaveLength(3);
    expect(await auditDifferences()).toEqual([]);
  });

  it('is captured up to the remaining amount', async () => {
    const { id, intent } = await createCardPurchase();
    await actOn(id, authorize);
    await actOn(id, { type: 'cancel', amount: 75_000 });
    await actOn(id, settle);
    await runCardOperations(id);
    expect(intent.amount_received).toBe(25_000);
  });

  it('is held up to the remaining amount', async () => {
    const { id, intent } = await createCardPurchase();
    await actOn(id, { type: 'cancel', amount: 75_000 });
    await actOn(id, authorize);
    expect(intent).toMatchObject({ status: 'requires_capture', amount: 25_000 });
  });

  it('can be declined, after which the transaction is PENDING and can be authorized again or canceled', async () => {
    const { id, intent, method } = await createCardPurchase({ declines: true });
    const declined = { code: 'card-declined', message: expect.stringContaining('1-3 business days') };
    await expect(actOn(id, authorize)).rejects.toMatchObject(declined);
    expect(await statusOf(id)).toBe('PENDING');
    stripe.setDeclines(method, false);
    expect((await actOn(id, authorize)).status).toBe('AUTHORIZED');

    const other = await createCardPurchase({ declines: true });
    await expect(actOn(other.id, authorize)).rejects.toMatchObject(declined);
    expect((await actOn(other.id, cancel)).status).toBe('CANCELED');
    await runCardOperations(other.id);
    expect(other.intent.status).toBe('canceled');
    expect(intent.status).toBe('requires_capture');
  });

  it('does not change the transaction if the gateway is unreachable, and authorization can be retried', async () => {
    const { id } = await createCardPurchase();
    stripe.intercept(() => 'close-before');
    await expect(actOn(id, authorize)).rejects.toMatchObject({ code: 'card-unavailable' });
    expect(await statusOf(id)).toBe('PENDING');
    stripe.intercept(() => undefined);
    expect((await actOn(id, authorize)).status).toBe('AUTHORIZED');
  });

  it('cannot be authorized without a gateway, but can be canceled', async () => {
    const { id } = await createCardPurchase();
    const withoutGateway = act({ database, lifetimes, actor }, { merchantId: purchases.merchantId, id }, authorize, now);
    await expect(withoutGateway).rejects.toMatchObject({ code: 'card-unavailable' });
    expect((await act({ database, lifetimes, actor }, { merchantId: purchases.merchantId, id }, cancel, now)).status).toBe(
      'CANCELED',
    );
  });

  it('is not held for a rejected authorization', async () => {
    const { id, intent } = await createCardPurchase();
    await actOn(id, cancel);
    await expect(actOn(id, authorize)).rejects.toMatchObject({ code: 'wrong-state' });
    const expired = await createCardPurchase({ createdAt: plusDays(now, -8) });
    await expect(actOn(expired.id, authorize)).rejects.toMatchObject({ code: 'wrong-state' });
    const mistaken = await createCardPurchase();
    await expect(actOn(mistaken.id, { ...authorize, amount: 99_999 })).rejects.toMatchObject({ code: 'amount-mismatch' });
    for (const { status } of [intent, expired.intent, mistaken.intent]) expect(status).toBe('requires_confirmation');
  });

  it('is released when the transaction expires, with or without a hold', async () => {
    const withHold = await createCardPurchase();
    await actOn(withHold.id, authorize);
    const withoutHold = await createCardPurchase();
    await expireTransactions({ database, lifetimes, now: plusDays(now, 91), onError });
    for (const { id, intent } of [withHold, withoutHold]) {
      await runCardOperations(id);
      expect(intent.status).toBe('canceled');
    }
    expect(await auditDifferences()).toEqual([]);
  });

  it('of zero causes no requests to the gateway', async () => {
    const id = await purchases.createPurchase();
    for (const request of [authorize, settle, refund]) await actOn(id, request);
    expect(stripe.requests).toEqual([]);
    expect(await cardRowsOf(id)).toEqual([]);
  });

  describe('during a gateway request', () => {
    /** Authorizes a purchase, and runs `work` during the request to Stripe, before or after the hold is placed. */
    async function authorizeWhile(when: 'before' | 'after', work: (id: string) => Promise<unknown>, request = authorize) {
      const purchase = await createCardPurchase();
      stripe.intercept(async ({ path }) => {
        if (!path.endsWith(when === 'before' ? '/confirm' : purchase.reference)) return undefined;
        stripe.intercept(() => undefined);
        await work(purchase.id);
        return undefined;
      });
      const response = await actOn(purchase.id, request).catch((thrown: unknown) => thrown);
      return { ...purchase, response };
    }

    it.each([
      ['canceled', (id: string) => actOn(id, cancel)],
      ['expired', () => expireTransactions({ database, lifetimes, now: plusDays(now, 8), onError })],
    ])('a transaction that is %s has its hold released', async (_title, end) => {
      for (const when of ['before', 'after'] as const) {
        const { id, intent, response } = await authorizeWhile(when, end);
        expect(response).toMatchObject({ code: 'wrong-state' });
        await runCardOperations(id);
        expect(intent.status).toBe('canceled');
        expect(await cardOperationsOf(id)).toEqual(['release 0']);
      }
    });

    it('a transaction that is canceled and released has no hold', async () => {
      const { intent, response, id } = await authorizeWhile('before', async (canceled) => {
        await actOn(canceled, cancel);
        await runCardOperations(canceled);
      });
      expect(response).toMatchObject({ code: 'wrong-state' });
      expect(intent.status).toBe('canceled');
      expect(await statusOf(id)).toBe('CANCELED');
    });

    it('a partial cancel reduces the captured amount, not the hold', async () => {
      const { id, intent, response } = await authorizeWhile('before', (canceled) =>
        actOn(canceled, { type: 'cancel', amount: 70_000 }),
      );
      expect(response).toMatchObject({ status: 'AUTHORIZED', adjustedTotalCents: 30_000 });
      await actOn(id, settle);
      await runCardOperations(id);
      expect(intent).toMatchObject({ amount: 40_000, amount_received: 30_000 });
    });

    it('a partial cancel rejects an authorization of the previous amount, which can be repeated with the new one', async () => {
      const partialCancel = (id: string) => actOn(id, { type: 'cancel', amount: 70_000 });
      const { id, intent, response } = await authorizeWhile('before', partialCancel, { ...authorize, amount: 100_000 });
      expect(response).toMatchObject({ code: 'amount-mismatch' });
      expect(await statusOf(id)).toBe('PENDING');
      expect((await actOn(id, { ...authorize, amount: 30_000 })).status).toBe('AUTHORIZED');
      await actOn(id, settle);
      await runCardOperations(id);
      expect(intent).toMatchObject({ amount: 40_000, amount_received: 30_000 });
    });
  });

  it('is held by one of five concurrent authorizations', async () => {
    const { id, intent } = await createCardPurchase();
    const responses = await Promise.allSettled(Array.from({ length: 5 }, () => actOn(id, authorize)));
    expect(responses.filter(({ status }) => status === 'fulfilled').length).toBe(1);
    for (const response of responses) {
      if (response.status === 'rejected') {
        expect(['wrong-state', 'changed-meanwhile', 'card-unavailable']).toContain(response.reason.code);
      }
    }
    expect(intent.status).toBe('requires_capture');
    expect(await cardOperationsOf(id)).toEqual([]);
  });

  describe('if the process ends', () => {
    /** Fails with the second write, which follows the hold. */
    const failingDatabase = (): Pick<Database, 'query' | 'write'> => {
      let writes = 0;
      return { ...database, write: (work) => (++writes > 1 ? Promise.reject(new Error('Ended')) : database.write(work)) };
    };

    it('between the hold and the write, can be authorized by the next request', async () => {
      const { id, intent } = await createCardPurchase();
      await expect(actOn(id, authorize, now, failingDatabase())).rejects.toThrow('Ended');
      expect([intent.status, await statusOf(id)]).toEqual(['requires_capture', 'PENDING']);
      expect((await actOn(id, authorize)).status).toBe('AUTHORIZED');
      expect(stripe.requests.filter(({ path }) => path.endsWith('/confirm')).length).toBe(1);
    });

    it('between the hold and the write, is released when the transaction expires', async () => {
      const { id, intent } = await createCardPurchase();
      await expect(actOn(id, authorize, now, failingDatabase())).rejects.toThrow('Ended');
      await expireTransactions({ database, lifetimes, now: plusDays(now, 8), onError });
      await runCardOperations(id);
      expect(intent.status).toBe('canceled');
    });

    it('between the write and the response, has the original response for a retry with the same idempotency key', async () => {
      const { id } = await createCardPurchase();
      const request = { merchantId: purchases.merchantId, key: id, fingerprint: 'f' };
      const first = (await once(database, systemClock, request)) as Run;
      const response = await actOn(id, authorize, now, first.database);
      await first.release();

      await actOn(id, cancel);
      await runCardOperations(id);
      const second = (await once(database, systemClock, request)) as Run;
      expect(await actOn(id, authorize, now, second.database)).toEqual(response);
      await second.saveResponse({ status: 200, headers: {}, body: '' });
      expect(await statusOf(id)).toBe('CANCELED');
    });
  });

  const presentedOf = async (id: string) => {
    const currencies = await currenciesOf(database.query, [id]);
    return (await runCardOperations(id)).map((row) => presentDelivery(row, currencies));
  };

  it.each([
    ['USD', '$400.00'],
    ['JPY', '¥40,000'],
    ['KWD', 'KWD\u00a040.000'],
  ])('is shown to operators in its currency (%s)', async (currency, amount) => {
    const { id } = await createCardPurchase();
    await database.write((tx) =>
      sql`update applications set currency = ${currency}
      where id = (select application_id from transactions where id = ${id})`.execute(tx),
    );
    for (const request of [authorize, settle]) await actOn(id, request);
    expect((await presentedOf(id)).map(({ to }) => to)).toEqual([`capture ${amount} of ${id}`]);
  });

  it('is captured after an outage of Stripe, which is the last failure of the delivery', async () => {
    const { id, intent } = await createCardPurchase();
    await actOn(id, authorize);
    await actOn(id, settle);
    stripe.intercept(() => ({ status: 503, body: { error: { type: 'api_error', message: 'Down' } } }));
    const [delayed] = await presentedOf(id);
    expect(delayed).toMatchObject({ state: 'pending', channel: 'card', lastFailure: 'Stripe responded with 503: api_error' });
    expect(delayed!.to).toBe(`capture $400.00 of ${id}`);
    stripe.intercept(() => undefined);
    await database.write((tx) =>
      sql`update outbox set due_at = ${DUE_NOW} where transaction_id = ${id} and channel = 'card'`.execute(tx),
    );
    expect((await presentedOf(id))[0]!.state).toBe('delivered');
    expect(intent.amount_received).toBe(40_000);
  });

  it('that cannot be captured is a failed delivery, and can be retried', async () => {
    const { id, intent } = await createCardPurchase();
    await actOn(id, authorize);
    await actOn(id, settle);
    intent.status = 'canceled';
    const delivery = (await presentedOf(id))[0]!;
    expect(delivery).toMatchObject({
      state: 'failed',
      lastFailure: 'Expected a payment intent that can be captured, but received the status canceled',
    });
    intent.status = 'requires_capture';
    await database.write((tx) => replayFailed(tx, purchases.merchantId, DUE_NOW));
    expect((await presentedOf(id))[0]!.state).toBe('delivered');
  });

  it('is not captured or refunded twice if a completed operation is repeated', async () => {
    const { id, intent } = await createCardPurchase();
    for (const request of [authorize, settle, refund]) await actOn(id, request);
    await runCardOperations(id);
    const makeDueAgain = sql`update outbox set due_at = ${DUE_NOW}, delivered_at = null where transaction_id = ${id} and channel = 'card'`;
    for (let times = 0; times < 2; times++) {
      stripe.deleteKeys();
      await database.write((tx) => makeDueAgain.execute(tx));
      await runCardOperations(id);
    }
    expect(intent.amount_received).toBe(40_000);
    expect(stripe.refunds.map(({ amount }) => amount)).toEqual([40_000]);
  });

  describe('is audited, which reports', () => {
    it.each([
      [
        'a missing card operation',
        async (tx: Tx, id: string) => {
          const [refunded] = (await cardRowsOf(id)).filter(({ body }) => body.includes('refund'));
          await tx.deleteFrom('outbox').where('id', '=', refunded!.id).execute();
        },
      ],
      [
        'a card operation with another amount',
        async (tx: Tx, id: string) => {
          const [{ id: operationId, merchantId, channel, url, body }] = (await cardRowsOf(id)) as [OutboxEntry];
          const place = { id: operationId, merchantId, channel, transactionId: id, cartId: null, applicationId: null };
          const sealed = seal(tx, 'outbox', place, { url, body: body.replace('40000', '39999') });
          await tx.updateTable('outbox').set({ sealed }).where('id', '=', operationId).execute();
        },
      ],
      [
        'a changed card amount',
        (tx: Tx, id: string) => sql`update transactions set card_cents = 30000 where id = ${id}`.execute(tx),
      ],
      [
        'card operations without a card amount',
        (tx: Tx, id: string) => sql`update transactions set card_cents = 0, card_reference = '' where id = ${id}`.execute(tx),
      ],
    ])('%s', async (_title, change) => {
      const { id } = await createCardPurchase();
      for (const request of [authorize, settle, refund]) await actOn(id, request);
      expect(await auditDifferences()).toEqual([]);
      const rolledBack = new Error('rolled back');
      const trial = database.write(async (tx) => {
        await change(tx, id);
        const found: unknown[] = [];
        for await (const batch of auditTransactions(tx)) found.push(...batch);
        expect(found).toMatchObject([{ transactionId: id, what: 'card' }]);
        throw rolledBack;
      });
      await expect(trial).rejects.toBe(rolledBack);
    });
  });

  it.each([
    'card_cents = -1',
    'card_cents = 100001',
    'card_cents = 0',
    "card_reference = ''",
    "card_cents = 0, card_reference = 'tok_visa'",
  ])('cannot be stored in an invalid state: %s', async (set) => {
    const { id } = await createCardPurchase();
    const invalid = database.write((tx) => sql.raw(`update transactions set ${set} where id = '${id}'`).execute(tx));
    await expect(invalid).rejects.toThrow(/check/i);
  });
});
