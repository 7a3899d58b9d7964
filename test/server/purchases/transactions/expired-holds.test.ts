import { sql } from 'kysely';
import { beforeEach, expect, it } from 'vitest';
import type { ActionRequest } from '../../../../shared/wire/transaction.ts';
import { type CardGateway } from '../../../../server/purchases/cards/gateway.ts';
import type { Database } from '../../../../server/db/database.ts';
import { DUE_NOW } from '../../../../server/messages/outbox.ts';
import { listServicingEvents } from '../../../../server/messages/servicing-store.ts';
import { type Instant, plusDays } from '../../../../server/base/time.ts';
import { presentTransaction } from '../../../../server/purchases/transactions/present.ts';
import { getTransaction, listEntries } from '../../../../server/purchases/transactions/store.ts';
import { describeOnEveryEngine, createDatabase } from '../../../support/databases.ts';
import { createGateway, enterCard, runCardOperations } from './card-purchases.ts';
import { differencesOf } from '../../../support/audit.ts';
import { createBuyer, transactionsWith } from '../../../support/purchases.ts';
import { startStripe, type StripeServer } from '../../../support/stripe.ts';

const now: Instant = '2026-11-21T09:30:00.000000Z';
/** After the hold, which ends seven days after the authorization. */
const later: Instant = plusDays(now, 8);
const actor = 'key:12345678';
const authorize: ActionRequest = { type: 'authorize' };
const settle: ActionRequest = { type: 'settle' };

/** A purchase of $1,000.00, of which a card pays $400.00. */
describeOnEveryEngine('The card of a purchase whose hold has expired', async (engine) => {
  const database = await createDatabase(engine);
  const purchases = await createBuyer(database, now);
  let stripe: StripeServer;
  let gateway: CardGateway;
  beforeEach(async () => {
    stripe = await startStripe();
    gateway = createGateway(stripe);
  });

  const refOf = (id: string) => ({ merchantId: purchases.merchantId, id });
  /** Database transactions of actions. */
  let writes = 0;
  const write: Database['write'] = (work) => {
    writes += 1;
    return database.write(work);
  };
  const actOn = (id: string, request: ActionRequest, at = later) =>
    transactionsWith({ cards: gateway }).act({ database: { ...database, write }, actor }, refOf(id), request, at);
  const rowOf = (id: string) => getTransaction(database.query, purchases.merchantId, id);
  const cardOf = async (id: string, at = later) => (await presentTransaction(database.query, await rowOf(id), at)).card;
  const journalOf = async (id: string) =>
    (await listEntries(database.query, id)).map(({ type, amountCents, cardCents }) => ({ type, amountCents, cardCents }));
  const typesOf = async (id: string) => (await journalOf(id)).map(({ type }) => type);
  const lenderEventsOf = async (id: string) =>
    (await listServicingEvents(database.query, [id])).toSorted((a, b) => a.sequence - b.sequence).map(({ body }) => body);
  async function createAuthorized() {
    const { purchase, reference, method } = await enterCard(stripe, gateway);
    const id = await purchases.createPurchase(purchase);
    await actOn(id, authorize, now);
    stripe.endHolds(method, later);
    stripe.setHoldEnd(plusDays(later, 7));
    return { id, reference, method };
  }
  const runOperations = (id: string, work?: () => Promise<unknown>) => runCardOperations(database, gateway, id, later, work);
  const expectNoDifferences = async () => expect(await differencesOf(database.query)).toEqual([]);

  it('is held again by the settlement, on a new reference that is saved before', async () => {
    const { id, reference, method } = await createAuthorized();
    let savedBefore = '';
    stripe.intercept(async ({ path }) => {
      if (path.endsWith('/confirm')) savedBefore = (await rowOf(id)).cardReference;
      return undefined;
    });

    expect((await actOn(id, settle)).status).toBe('SETTLED');

    const { cardReference } = await rowOf(id);
    expect(cardReference).not.toBe(reference);
    expect(savedBefore).toBe(cardReference);
    expect(await cardOf(id)).toMatchObject({ state: 'held', holdExpiresAt: plusDays(later, 7) });
    await runOperations(id);
    expect(stripe.intentsOf(method).map((intent) => [intent.status, intent.amount_received])).toEqual([
      ['canceled', 0],
      ['succeeded', 40_000],
    ]);
    expect(await cardOf(id)).toMatchObject({ state: 'captured' });
    expect(await typesOf(id)).toEqual(['created', 'authorized', 'settled']);
    await expectNoDifferences();
  });

  it('is held again in three database transactions: a first hold takes two, and any other action one', async () => {
    const writesOf = async <T>(work: () => Promise<T>) => {
      const before = writes;
      const result = await work();
      return { result, count: writes - before };
    };
    const loan = await purchases.createPurchase({ totalCents: 100_000 });
    expect(await writesOf(() => actOn(loan, authorize, now))).toMatchObject({ count: 1 });
    expect(await writesOf(() => actOn(loan, settle))).toMatchObject({ count: 1 });
    expect(await writesOf(() => actOn(loan, { type: 'refund' }))).toMatchObject({ count: 1 });
    const { result, count } = await writesOf(createAuthorized);
    expect(count).toBe(2);
    expect(await writesOf(() => actOn(result.id, { type: 'cancel', amount: 1_000 }))).toMatchObject({ count: 1 });
    expect(await writesOf(() => actOn(result.id, settle))).toMatchObject({ count: 3 });
  });

  it('leaves the transaction AUTHORIZED if it is declined: the merchant cancels its portion, and settles the loan', async () => {
    const { id, method } = await createAuthorized();
    stripe.setDeclines(method, true);

    for (let times = 0; times < 2; times++) {
      await expect(actOn(id, settle)).rejects.toMatchObject({
        code: 'card-declined',
        message: expect.stringContaining("There's an issue with authorizing the credit card portion"),
      });
    }
    expect(await rowOf(id)).toMatchObject({ status: 'AUTHORIZED', adjustedTotalCents: 100_000 });
    expect(await cardOf(id)).toEqual({ amount: 40_000, state: 'declined', holdExpiresAt: null });
    await expectNoDifferences();

    expect(await actOn(id, { type: 'cancel', amount: 30_000 })).toMatchObject({ cardReducedCents: 30_000 });
    expect(await cardOf(id)).toMatchObject({ amount: 10_000, state: 'declined' });
    await actOn(id, { type: 'cancel', amount: 15_000 });
    expect(await actOn(id, settle)).toMatchObject({ status: 'SETTLED', adjustedTotalCents: 55_000 });

    expect(await journalOf(id)).toEqual([
      { type: 'created', amountCents: 100_000, cardCents: 0 },
      { type: 'authorized', amountCents: 100_000, cardCents: 0 },
      { type: 'card-declined', amountCents: 40_000, cardCents: 0 },
      { type: 'card-declined', amountCents: 40_000, cardCents: 0 },
      { type: 'canceled', amountCents: 30_000, cardCents: 30_000 },
      { type: 'canceled', amountCents: 15_000, cardCents: 10_000 },
      { type: 'settled', amountCents: 55_000, cardCents: 0 },
    ]);
    expect(await lenderEventsOf(id)).toMatchObject([
      { type: 'authorized', financedCents: 60_000, cardCents: 40_000 },
      { type: 'card-declined', status: 'AUTHORIZED', financedCents: 60_000, cardCents: 40_000 },
      { type: 'card-declined', status: 'AUTHORIZED', financedCents: 60_000, cardCents: 40_000 },
      { type: 'canceled', financedCents: 60_000, cardCents: 10_000, changeCents: 30_000 },
      { type: 'canceled', financedCents: 55_000, cardCents: 0, changeCents: 15_000 },
      { type: 'settled', financedCents: 55_000, cardCents: 0, disburseCents: 55_000 },
    ]);
    await runOperations(id);
    expect(stripe.intentsOf(method).map(({ status }) => status)).toEqual(['canceled', 'canceled', 'canceled']);
    expect(await cardOf(id)).toEqual({ amount: 0, state: 'declined', holdExpiresAt: null });
    await actOn(id, { type: 'refund' });
    expect(await rowOf(id)).toMatchObject({ status: 'REFUNDED', adjustedTotalCents: 0 });
    await expectNoDifferences();
  });

  it('is reduced after the loan if the hold is valid, or has expired and no new one was declined', async () => {
    const { id } = await createAuthorized();
    for (const at of [now, later]) await actOn(id, { type: 'cancel', amount: 10_000 }, at);
    expect(await rowOf(id)).toMatchObject({ adjustedTotalCents: 80_000, cardReducedCents: 0 });
    expect(await cardOf(id)).toMatchObject({ amount: 40_000 });
  });

  it('is held again if the new hold, whose response was lost, has expired as well', async () => {
    const { id, method } = await createAuthorized();
    stripe.intercept(({ path }) => (path.endsWith('/confirm') ? 'fail-after' : undefined));
    await expect(actOn(id, settle)).rejects.toMatchObject({ code: 'card-unavailable' });
    stripe.intercept(() => undefined);
    const muchLater = plusDays(later, 8);
    await expect(actOn(id, settle, muchLater)).rejects.toMatchObject({ code: 'card-unavailable' });
    stripe.setHoldEnd(plusDays(muchLater, 7));
    expect((await actOn(id, settle, muchLater)).status).toBe('SETTLED');
    await runOperations(id);
    expect(stripe.intentsOf(method).map(({ status }) => status)).toEqual(['canceled', 'canceled', 'succeeded']);
    await expectNoDifferences();
  });

  it('is held and captured once by five concurrent settlements', async () => {
    const { id, method } = await createAuthorized();
    const responses = await Promise.allSettled(Array.from({ length: 5 }, () => actOn(id, settle)));
    expect(responses.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await runOperations(id);
    const intents = stripe.intentsOf(method);
    expect(intents.filter(({ status }) => status === 'requires_capture')).toEqual([]);
    expect(intents.map((intent) => intent.amount_received).filter((cents) => cents > 0)).toEqual([40_000]);
    await expectNoDifferences();
  });

  it('has no hold after a cancellation while the new one is placed', async () => {
    const { id, method } = await createAuthorized();
    stripe.intercept(async ({ path }) => {
      if (!path.endsWith('/confirm')) return undefined;
      stripe.intercept(() => undefined);
      await actOn(id, { type: 'cancel' });
      return undefined;
    });
    await expect(actOn(id, settle)).rejects.toMatchObject({ code: 'wrong-state' });
    await runOperations(id);
    expect(stripe.intentsOf(method).map(({ status }) => status)).toEqual(['canceled', 'canceled']);
    await expectNoDifferences();
  });

  it('that cannot be captured is a row of the journal and an event, also if it is refunded at the same time, and so is a later capture', async () => {
    const { id, method } = await createAuthorized();
    await actOn(id, settle);
    const intent = stripe.intentsOf(method).at(-1)!;
    intent.status = 'canceled';

    await runOperations(id, () => Promise.all(Array.from({ length: 10 }, () => actOn(id, { type: 'refund', amount: 100 }))));

    expect((await typesOf(id)).filter((type) => type === 'card-capture-failed')).toHaveLength(1);
    expect(await lenderEventsOf(id)).toContainEqual(
      expect.objectContaining({ type: 'card-capture-failed', status: 'SETTLED', cardCents: 40_000 }),
    );
    expect(await rowOf(id)).toMatchObject({ status: 'SETTLED', adjustedTotalCents: 99_000 });
    expect(await cardOf(id)).toEqual({ amount: 40_000, state: 'capture-failed', holdExpiresAt: null });
    await expectNoDifferences();

    intent.status = 'requires_capture';
    await database.write((tx) =>
      sql`update outbox set due_at = ${DUE_NOW}, replayed_after = attempts
        where transaction_id = ${id} and channel = 'card' and delivered_at is null`.execute(tx),
    );
    await runOperations(id);
    expect(await cardOf(id)).toMatchObject({ state: 'captured' });
    expect(await typesOf(id)).toHaveLength(15);
    expect((await typesOf(id)).at(-1)).toBe('card-captured');
    expect(await lenderEventsOf(id)).toContainEqual(
      expect.objectContaining({ type: 'card-captured', status: 'SETTLED', amountCents: 99_000, cardCents: 40_000 }),
    );
    await expectNoDifferences();
  });
});
