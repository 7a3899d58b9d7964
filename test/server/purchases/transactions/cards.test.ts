import fc from 'fast-check';
import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import type { ActionRequest } from '../../../../shared/wire/transaction.ts';
import { type CardGateway } from '../../../../server/purchases/cards/gateway.ts';
import type { Database, Tx } from '../../../../server/db/database.ts';
import { seal } from '../../../../server/db/sealed.ts';
import { once, type Run } from '../../../../server/merchants/idempotency/once.ts';
import { presentDelivery } from '../../../../server/messages/deliveries.ts';
import { type OutboxEntry } from '../../../../server/messages/store.ts';
import { DUE_NOW } from '../../../../server/messages/outbox.ts';
import { plusDays, systemClock, type Instant } from '../../../../server/base/time.ts';
import { expireTransactions } from '../../../../server/purchases/transactions/expire.ts';
import { presentTransaction } from '../../../../server/purchases/transactions/present.ts';
import { currenciesOf, getTransaction, type Transaction } from '../../../../server/purchases/transactions/store.ts';
import { campaign, campaignTimeoutMs, isRepetition } from '../../../support/campaign.ts';
import { createDatabase } from '../../../support/databases.ts';
import { cardRowsOf, createGateway, enterCard, runCardOperations } from './card-purchases.ts';
import { differencesOf } from '../../../support/audit.ts';
import { createBuyer, transactions, transactionsWith } from '../../../support/purchases.ts';
import { outage, startStripe, type StripeServer } from '../../../support/stripe.ts';

const now: Instant = '2026-11-21T09:30:00.000000Z';
const actor = 'key:12345678';
const authorize: ActionRequest = { type: 'authorize' };
const settle: ActionRequest = { type: 'settle' };
const cancel: ActionRequest = { type: 'cancel' };
const refund: ActionRequest = { type: 'refund' };
const onError = (thrown: unknown) => {
  throw thrown;
};

const database = await createDatabase();
const purchases = await createBuyer(database, now);

describe('The card portion of a purchase', () => {
  let stripe: StripeServer;
  let gateway: CardGateway;
  beforeEach(async () => {
    stripe = await startStripe();
    gateway = createGateway(stripe);
  });

  /** Creates a purchase of $1,000.00, of which a card pays $400.00. */
  async function createCardPurchase({ declines = false, ...rest }: Partial<Transaction> & { declines?: boolean } = {}) {
    const { purchase, reference, method } = await enterCard(stripe, gateway, { declines });
    const id = await purchases.createPurchase({ ...purchase, ...rest });
    return { id, reference, method, intent: stripe.intent(reference) };
  }
  const actOn = (id: string, request: ActionRequest, at = now, overrides: Pick<Database, 'query' | 'write'> = database) =>
    transactionsWith({ cards: gateway }).act(
      { database: { ...database, ...overrides }, actor },
      { merchantId: purchases.merchantId, id },
      request,
      at,
    );
  const statusOf = async (id: string) => (await getTransaction(database.query, purchases.merchantId, id)).status;
  const cardOperationsOf = async (id: string) =>
    (await cardRowsOf(database, id)).map(({ body }) => {
      const { type, amountCents } = JSON.parse(body) as { type: string; amountCents: number };
      return `${type} ${amountCents}`;
    });
  /** Runs each pending card operation of a transaction once. */
  const runOperations = (id: string) => runCardOperations(database, gateway, id, now);
  const auditDifferences = () => differencesOf(database.query);

  it('cannot be authorized without a gateway, but can be canceled', async () => {
    const { id } = await createCardPurchase();
    const withoutGateway = transactions.act({ database, actor }, { merchantId: purchases.merchantId, id }, authorize, now);
    await expect(withoutGateway).rejects.toMatchObject({ code: 'card-unavailable' });
    expect((await transactions.act({ database, actor }, { merchantId: purchases.merchantId, id }, cancel, now)).status).toBe(
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

  describe('after random actions, declines, failures of the gateway and ends of the process', () => {
    const step = fc.record({
      type: fc.constantFrom('authorize', 'authorize', 'settle', 'settle', 'cancel', 'refund', 'expire', 'deliver', 'repeat'),
      /** Share of the remaining amount to cancel or refund. */
      share: fc.constantFrom(0.1, 0.5, 0.9, 1),
      fault: fc.constantFrom('none', 'none', 'none', 'declined', 'unavailable', 'response lost', 'process ended'),
      /** Whether holds end before the action, and Stripe cancels their intents. */
      isLate: fc.boolean(),
      /** The write before which the process ends. */
      lastWrite: fc.constantFrom(1, 2),
      /** A concurrent change, during the first request to the gateway or before it places the hold. */
      meanwhile: fc.constantFrom('nothing', 'nothing', 'cancel', 'partial cancel', 'expire'),
      moment: fc.constantFrom('', '/confirm'),
    });
    type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;
    const seen = new Set<string>();
    const expireAt = (at: Instant) => expireTransactions({ database, transactions, now: plusDays(at, 91), onError });
    /** Fails after a write: before or after the reference of a card is renewed, or after the hold. */
    const failingDatabase = (lastWrite: number): Pick<Database, 'query' | 'write'> => {
      let writes = 0;
      return { ...database, write: (work) => (++writes > lastWrite ? Promise.reject(new Error('Ended')) : database.write(work)) };
    };
    const makeDue = (id: string, { again = false } = {}) =>
      database.write((tx) => {
        const rows = tx.updateTable('outbox').where('transactionId', '=', id).where('channel', '=', 'card');
        const due = rows.set({ dueAt: DUE_NOW, deliveredAt: null });
        return (again ? due : due.where('deliveredAt', 'is', null)).execute();
      });

    /** Returns the time after the step. */
    async function play(id: string, method: string, next: Step, earlier: Instant): Promise<Instant> {
      const { type, share, fault, meanwhile, moment, lastWrite } = next;
      const before = await getTransaction(database.query, purchases.merchantId, id);
      const isCaptured = before.status === 'SETTLED' || before.status === 'REFUNDED';
      const at = next.isLate && before.status === 'AUTHORIZED' ? plusDays(earlier, 6) : earlier;
      if (!isCaptured) stripe.endHolds(method, at);
      stripe.setHoldEnd(plusDays(at, 5));
      const amount = Math.ceil(before.adjustedTotalCents * share);
      const during = {
        nothing: undefined,
        cancel: () => actOn(id, cancel, at),
        'partial cancel': () => actOn(id, { type: 'cancel', amount: Math.ceil(before.adjustedTotalCents / 3) }, at),
        expire: () => expireAt(at),
      }[meanwhile];
      let isDone = (type !== 'authorize' && type !== 'settle') || during === undefined;
      stripe.setDeclines(method, fault === 'declined');
      stripe.intercept(async ({ path }) => {
        if (!isDone && path.endsWith(moment)) {
          isDone = true;
          await during!();
        }
        return fault === 'unavailable' ? outage : fault === 'response lost' ? 'fail-after' : undefined;
      });
      if (type === 'expire') await expireAt(at);
      else if (type === 'deliver') await runOperations(id);
      else if (type === 'repeat') {
        // Repeats completed operations, even after Stripe has deleted the idempotency keys.
        stripe.deleteKeys();
        await makeDue(id, { again: true });
        await runOperations(id);
      } else {
        const request: ActionRequest = type === 'authorize' || type === 'settle' ? { type } : { type, amount };
        const response = await actOn(id, request, at, fault === 'process ended' ? failingDatabase(lastWrite) : database).catch(
          (thrown: Error & { code?: string }) => thrown,
        );
        seen.add(response instanceof Error ? (response.code ?? response.message) : response.status);
        const after = await getTransaction(database.query, purchases.merchantId, id);
        // The result of a hold and its reference are saved, and a declined one is a row of the journal.
        const isDecline = response instanceof Error && response.code === 'card-declined';
        const saved = {
          sealed: expect.any(String),
          cardHold: after.cardHold,
          cardReference: after.cardReference,
          ...(isDecline && { revision: before.revision + 1, updatedAt: at }),
        };
        if (response instanceof Error && meanwhile === 'nothing') expect(after).toEqual({ ...before, ...saved });
        if (after.cardReference !== before.cardReference) seen.add('renewed');
      }
      return at;
    }

    it(
      'the captured less the refunded amount is that of the journal, and no hold remains after the last status',
      { timeout: campaignTimeoutMs },
      async () => {
        const history = fc.array(step, { minLength: 3, maxLength: 12, size: 'max' });
        await fc.assert(
          fc.asyncProperty(fc.constantFrom([], [authorize], [authorize], [authorize, settle]), history, async (first, steps) => {
            const { id, method } = await createCardPurchase();
            for (const request of first) await actOn(id, request).catch(() => undefined);
            let at = now;
            for (const one of steps) at = await play(id, method, one, at);
            stripe.intercept(() => undefined);
            // A refund waits for its capture. Stripe repeats the error of an earlier attempt for a day.
            for (let round = 0; round < 2; round++) {
              stripe.deleteKeys();
              await makeDue(id);
              await runOperations(id);
            }
            expect((await cardRowsOf(database, id)).map(({ deliveredAt }) => deliveredAt)).not.toContain(null);
            const row = await getTransaction(database.query, purchases.merchantId, id);
            const { status, adjustedTotalCents, cardReducedCents, cardHold, cardReference } = row;
            const intents = stripe.intentsOf(method);
            const received = intents.reduce((sum, one) => sum + one.amount_received, 0);
            const isOfCard = ({ intent }: { intent: string }) => intents.some((one) => one.id === intent);
            const refunded = stripe.refunds.filter(isOfCard).reduce((sum, one) => sum + one.amount, 0);
            const isCaptured = status === 'SETTLED' || status === 'REFUNDED';
            const portion = Math.min(40_000 - cardReducedCents, adjustedTotalCents);
            expect(received - refunded).toBe(isCaptured ? portion : 0);
            const holds = intents.filter((one) => one.status === 'requires_capture');
            if (status === 'AUTHORIZED' || status === 'PENDING') {
              expect(holds.map((one) => one.id)).toEqual(holds.length > 0 ? [cardReference] : []);
              if (cardHold?.outcome === 'authorized' && cardHold.expiresAt! > at) {
                expect(holds[0]!.amount).toBeGreaterThanOrEqual(portion);
              }
            } else expect(holds).toEqual([]);
            expect(await auditDifferences()).toEqual([]);
          }),
          campaign(60),
        );
        const outcomes = 'AUTHORIZED SETTLED CANCELED REFUNDED card-declined card-unavailable wrong-state Ended renewed'.split(
          ' ',
        );
        if (!isRepetition) expect([...seen], 'every outcome').toEqual(expect.arrayContaining(outcomes));
      },
    );
  });

  it('is not held for an authorization of an amount that a partial cancel changes meanwhile', async () => {
    const { id, reference, intent } = await createCardPurchase();
    stripe.intercept(async ({ path }) => {
      if (!path.endsWith(reference)) return undefined;
      stripe.intercept(() => undefined);
      await actOn(id, { type: 'cancel', amount: 70_000 });
      return undefined;
    });
    await expect(actOn(id, { ...authorize, amount: 100_000 })).rejects.toMatchObject({ code: 'amount-mismatch' });
    expect(await statusOf(id)).toBe('PENDING');
    expect((await actOn(id, { ...authorize, amount: 30_000 })).status).toBe('AUTHORIZED');
    await actOn(id, settle);
    await runOperations(id);
    expect(intent.amount_received).toBe(30_000);
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

  it('has the original response for a retry with the same idempotency key if the process ends before it responds', async () => {
    const { id } = await createCardPurchase();
    const request = { merchantId: purchases.merchantId, key: id, fingerprint: 'f' };
    const first = (await once(database, systemClock, request)) as Run;
    const response = await actOn(id, authorize, now, first.database);
    await first.release();

    await actOn(id, cancel);
    await runOperations(id);
    const second = (await once(database, systemClock, request)) as Run;
    expect(await actOn(id, authorize, now, second.database)).toEqual(response);
    await second.saveResponse({ status: 200, headers: {}, body: '' });
    expect(await statusOf(id)).toBe('CANCELED');
  });

  describe('is presented with the state that the gateway reported', () => {
    const holdExpiresAt = '2026-11-28T09:30:00.000000Z';
    const released = { amount: 0, holdExpiresAt: null };
    const cardOf = async (id: string, at = now) =>
      (await presentTransaction(database.query, await getTransaction(database.query, purchases.merchantId, id), at)).card;

    it('after a decline, which changes only the journal, and after the hold', async () => {
      const { id, method } = await createCardPurchase({ declines: true });
      expect(await cardOf(id)).toEqual({ amount: 40_000, state: 'pending', holdExpiresAt: null });
      await expect(actOn(id, authorize)).rejects.toMatchObject({ code: 'card-declined' });
      expect(await cardOf(id)).toEqual({ amount: 40_000, state: 'declined', holdExpiresAt: null });
      expect(await auditDifferences()).toEqual([]);
      stripe.setDeclines(method, false);
      await actOn(id, authorize);
      expect(await cardOf(id)).toEqual({ amount: 40_000, state: 'held', holdExpiresAt });
    });

    it.each<[state: string, before: ActionRequest[]]>([
      ['none', []],
      ['declined', [authorize]],
    ])('as %s if it was canceled without a hold', async (state, before) => {
      const { id } = await createCardPurchase({ declines: true });
      for (const request of before) await actOn(id, request).catch(() => undefined);
      await actOn(id, cancel);
      await runOperations(id);
      expect(await cardOf(id)).toEqual({ ...released, state });
    });

    it('as held until it is released, if it was canceled after an authorization whose outcome is unknown', async () => {
      const { id } = await createCardPurchase();
      stripe.intercept(({ path }) => (path.endsWith('/confirm') ? 'fail-after' : undefined));
      await expect(actOn(id, authorize)).rejects.toMatchObject({ code: 'card-unavailable' });
      stripe.intercept(() => undefined);
      expect(await cardOf(id)).toEqual({ amount: 40_000, state: 'pending', holdExpiresAt: null });
      await actOn(id, cancel);
      expect(await cardOf(id)).toEqual({ ...released, state: 'held' });
      await runOperations(id);
      expect(await cardOf(id)).toEqual({ ...released, state: 'released' });
      expect(await auditDifferences()).toEqual([]);
    });

    it.each<[before: string, after: string, requests: ActionRequest[], amount: number]>([
      ['held', 'captured', [settle], 40_000],
      ['captured', 'captured', [settle, { type: 'refund', amount: 90_000 }], 10_000],
      ['captured', 'refunded', [settle, refund], 0],
    ])('as %s until the gateway has executed the operation, then as %s', async (before, after, requests, amount) => {
      const { id } = await createCardPurchase();
      await actOn(id, authorize);
      for (const request of requests.slice(0, -1)) await actOn(id, request);
      await runOperations(id);
      await actOn(id, requests.at(-1)!);
      stripe.intercept(() => outage);
      await runOperations(id);
      expect(await cardOf(id)).toEqual({ amount, state: before, holdExpiresAt: before === 'held' ? holdExpiresAt : null });
      stripe.intercept(() => undefined);
      stripe.deleteKeys();
      await database.write((tx) =>
        sql`update outbox set due_at = ${DUE_NOW} where transaction_id = ${id} and delivered_at is null`.execute(tx),
      );
      await runOperations(id);
      expect(await cardOf(id)).toEqual({ amount, state: after, holdExpiresAt: null });
    });
  });

  const presentedOf = async (id: string) => {
    const currencies = await currenciesOf(database.query, [id]);
    return (await runOperations(id)).map((row) => presentDelivery(row, currencies));
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

  describe('is audited, which reports', () => {
    it.each([
      [
        'a missing card operation',
        async (tx: Tx, id: string) => {
          const [refunded] = (await cardRowsOf(database, id)).filter(({ body }) => body.includes('refund'));
          await tx.deleteFrom('outbox').where('id', '=', refunded!.id).execute();
        },
      ],
      [
        'a card operation with another amount',
        async (tx: Tx, id: string) => {
          const [{ id: operationId, merchantId, channel, url, body }] = (await cardRowsOf(database, id)) as [OutboxEntry];
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
        expect(await differencesOf(tx)).toEqual(
          expect.arrayContaining([expect.objectContaining({ transactionId: id, what: 'card' })]),
        );
        throw rolledBack;
      });
      await expect(trial).rejects.toBe(rolledBack);
    });
  });
});
