import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import type { ActionRequest } from '../../../../shared/wire/transaction.ts';
import type { Tx } from '../../../../server/db/database.ts';
import { seal } from '../../../../server/db/sealed.ts';
import type { PaymentAgreement } from '../../../../server/lending/applications/signature.ts';
import { findApplication, saveApplication } from '../../../../server/lending/applications/store.ts';
import type { LoanEvent } from '../../../../server/lending/lenders/events.ts';
import { enqueueServicingEvent, listServicingEvents } from '../../../../server/messages/servicing-store.ts';
import { type Instant, plusDays } from '../../../../server/base/time.ts';
import { differencesOf } from '../../../support/audit.ts';
import { expireTransactions } from '../../../../server/purchases/transactions/expire.ts';
import {
  loanEventId,
  loanEventOf,
  type LoanChange,
  type PurchaseState,
} from '../../../../server/purchases/transactions/loan-events.ts';
import { signedColumns } from '../../../../server/purchases/transactions/loan.ts';
import type { Transaction } from '../../../../server/purchases/transactions/store.ts';
import { createFee } from '../../../support/programs.ts';
import { createDisclosure } from '../../../shared/disclosure/create-disclosure.ts';
import { createDatabase } from '../../../support/databases.ts';
import { createBuyer, transactions } from '../../../support/purchases.ts';

const now: Instant = '2026-11-21T03:30:00.000000Z';
const actor = 'key:12345678';

const facts = {
  transactionId: 't',
  orderRef: 'A-1',
  merchantOrderId: 'M-1',
  timeZone: 'America/New_York',
  merchantDiscount: { bps: 290, fixedCents: 30 },
};
const ids = { transactionId: 't', orderRef: 'A-1', merchantOrderId: 'M-1', revision: 2 };
const noChange = { amountCents: 0, lines: [], reason: null, at: now };

describe('The event of a change', () => {
  const charges = { feeCents: 1_500, aprBps: 1_342 };
  const state = (status: PurchaseState['status'], leftCents: number, more: Partial<PurchaseState> = {}): PurchaseState => ({
    status,
    leftCents,
    cardCents: 40_000,
    cardReducedCents: 0,
    revision: 2,
    charges,
    ...more,
  });

  const whole = { amountCents: 100_000, financedCents: 60_000, cardCents: 40_000, principalCents: 61_500, ...charges };
  const noLoan = { principalCents: 0, feeCents: 0, aprBps: 0 };
  const unknown = { principalCents: null, feeCents: null, aprBps: null };
  const byCard = { amountCents: 30_000, financedCents: 0, cardCents: 30_000, ...noLoan };
  const ended = { amountCents: 0, financedCents: 0, cardCents: 0, ...noLoan };
  const without = { charges: { feeCents: 0, aprBps: 0 } };
  const oneUnit = { lines: [{ sku: 'A', quantity: 1 }] };
  const late = { reason: 'not-settled-in-time' } as const;
  const settledOn = '2026-11-20';

  it.each<[type: LoanChange['type'], Partial<LoanChange>, PurchaseState, object | undefined]>([
    ['created', {}, state('PENDING', 100_000), undefined],
    ['shipped', {}, state('SETTLED', 100_000), undefined],
    ['order-id-set', {}, state('PENDING', 100_000), undefined],
    ['authorized', {}, state('AUTHORIZED', 100_000), whole],
    // 2.9 % of $600.00 and 30 cents; the day in New York.
    ['settled', {}, state('SETTLED', 100_000), { ...whole, disburseCents: 58_230, merchantFeeCents: 1_770, settledOn }],
    ['settled', {}, state('SETTLED', 30_000, without), { ...byCard, disburseCents: 0, merchantFeeCents: 0, settledOn }],
    [
      'canceled',
      { amountCents: 10_000, ...oneUnit },
      state('AUTHORIZED', 90_000),
      { ...whole, amountCents: 90_000, financedCents: 50_000, principalCents: 51_500, changeCents: 10_000, ...oneUnit },
    ],
    ['card-captured', {}, state('SETTLED', 100_000, { charges: null }), { ...whole, ...unknown }],
    ['refunded', { amountCents: 70_000 }, state('SETTLED', 30_000, without), { ...byCard, changeCents: 70_000, lines: [] }],
    ['expired', late, state('EXPIRED', 100_000, without), { ...ended, ...late }],
    ['card-declined', {}, state('AUTHORIZED', 100_000), whole],
    ['card-capture-failed', {}, state('SETTLED', 100_000), whole],
    ['card-captured', {}, state('SETTLED', 100_000), whole],
  ])('%s %j has the remaining amounts', (type, change, after, expected) => {
    const event = expected && { ...ids, type, status: after.status, ...expected };
    expect(loanEventOf(facts, after, { ...noChange, type, ...change })).toEqual(event);
  });

  it('has an id that differs from that of its card operation and of other changes', () => {
    const all = [loanEventId('t', 2, now), loanEventId('t', 3, now), loanEventId('u', 2, now)];
    expect(new Set(all).size).toBe(3);
    expect(loanEventId('t', 2, now)).toBe(all[0]);
  });
});

describe('Each change of money or status of a purchase', async () => {
  const database = await createDatabase();
  const purchases = await createBuyer(database, now);
  const actOn = async (id: string, ...requests: ActionRequest[]) => {
    for (const request of requests)
      await transactions.act({ database, actor }, { merchantId: purchases.merchantId, id }, request, now);
  };
  const eventsOf = async (id: string) =>
    (await listServicingEvents(database.query, [id])).toSorted((a, b) => a.sequence - b.sequence).map(({ body }) => body);
  const create = (purchase: Partial<Transaction> = {}) =>
    purchases.createPurchase({ requestId: 'request', merchantDiscountBps: 500, ...purchase });

  /** A loan of $500.00 with a fee of $10.00. */
  const disclosure = createDisclosure({ fees: [createFee({ flatCents: 1_000 })] }, 50_000);
  /** Creates a purchase with its agreement. */
  const createSigned = async () => {
    const id = await create({ totalCents: 50_000, ...signedColumns(disclosure) });
    await saveAgreements(id, [{ disclosure } as PaymentAgreement]);
    return id;
  };
  const saveAgreements = (id: string, paymentAgreements: PaymentAgreement[]) =>
    database.write(async (tx) => {
      await saveApplication(tx, (await findApplication(tx, id))!, { paymentAgreements });
    });
  const changeEvent = async (tx: Tx, id: string, position: number, change: (body: object) => object) => {
    const event = (await listServicingEvents(tx, [id])).find(({ sequence }) => sequence === position)!;
    const eventId = String(event.body['id']);
    const { merchantId } = purchases;
    const place = { id: eventId, merchantId, channel: 'lender', cartId: null, transactionId: id, applicationId: id } as const;
    const body = JSON.stringify({ ...event.body, ...change(event.body) });
    await tx
      .updateTable('outbox')
      .set({ sealed: seal(tx, 'outbox', place, { url: `lender:${id}`, body }) })
      .where('id', '=', eventId)
      .execute();
  };

  it('states the principal, the fees and the APR of the loan as if it had been made for what is left of it', async () => {
    const id = await createSigned();
    await actOn(id, { type: 'authorize' }, { type: 'cancel', amount: 20_000 }, { type: 'settle' }, { type: 'refund' });
    const aprBps = disclosure.apr * 10_000;
    const reduced = { financedCents: 30_000, feeCents: 600, principalCents: 30_600, aprBps: expect.closeTo(aprBps, -1) };
    expect(await eventsOf(id)).toMatchObject([
      { type: 'authorized', financedCents: 50_000, feeCents: 1_000, principalCents: 51_000, aprBps },
      { type: 'canceled', ...reduced },
      { type: 'settled', ...reduced },
      // Its agreement does not return fees.
      { type: 'refunded', financedCents: 0, feeCents: 600, principalCents: 600, aprBps: 0 },
    ]);
    expect(await differencesOf(database.query)).toEqual([]);
  });

  it('is audited without principal, fees and APR if it has none, or if the agreement was deleted', async () => {
    const id = await createSigned();
    await actOn(id, { type: 'authorize' }, { type: 'cancel', amount: 20_000 });
    const absent = { principalCents: undefined, feeCents: undefined, aprBps: undefined };
    await database.write((tx) => changeEvent(tx, id, 1, () => absent));
    expect(await differencesOf(database.query)).toEqual([]);

    await saveAgreements(id, []);
    await actOn(id, { type: 'settle' }, { type: 'refund', amount: 1_000 });
    expect((await eventsOf(id)).slice(2)).toMatchObject([
      { type: 'settled', feeCents: 600, principalCents: 30_600 },
      { type: 'refunded', feeCents: null, principalCents: null, aprBps: null },
    ]);
    expect(await differencesOf(database.query)).toEqual([]);
  });

  it('is an event for the lender, in the order of the journal', async () => {
    const id = await create({ orderRef: 'A-1' });
    const ref = { merchantId: purchases.merchantId, id };
    await actOn(
      id,
      { type: 'authorize', lineItems: undefined, merchantOrderId: 'M-1', amount: undefined },
      { type: 'cancel', amount: 1_000 },
    );
    await transactions.updateShipment({ database, actor }, ref, { trackingNumber: 'T-1', carrierName: undefined }, now);
    await actOn(id, { type: 'settle' }, { type: 'refund', amount: 1_500 });
    await transactions.setOrderId({ database, actor }, ref, { merchantOrderId: 'M-2' }, now);
    await actOn(id, { type: 'refund' });

    const common = { applicationId: id, requestId: 'request', transactionId: id, orderRef: 'A-1', cardCents: 0, at: now };
    expect(await eventsOf(id)).toMatchObject([
      { ...common, sequence: 1, type: 'authorized', revision: 2, financedCents: 5_000, merchantOrderId: 'M-1' },
      { ...common, sequence: 2, type: 'canceled', revision: 3, financedCents: 4_000, changeCents: 1_000, status: 'AUTHORIZED' },
      { ...common, sequence: 3, type: 'settled', revision: 5, financedCents: 4_000, disburseCents: 3_800, merchantFeeCents: 200 },
      { ...common, sequence: 4, type: 'refunded', revision: 6, financedCents: 2_500, changeCents: 1_500, status: 'SETTLED' },
      {
        ...common,
        sequence: 5,
        type: 'refunded',
        revision: 8,
        financedCents: 0,
        changeCents: 2_500,
        status: 'REFUNDED',
        merchantOrderId: 'M-2',
      },
    ]);
    expect(await differencesOf(database.query)).toEqual([]);
  });

  it('is an event if the job expires the purchase', async () => {
    const id = await create({ createdAt: plusDays(now, -8) });
    const onError = (thrown: unknown) => {
      throw thrown;
    };
    await expireTransactions({ database, transactions, now, onError });

    expect(await eventsOf(id)).toMatchObject([{ type: 'expired', status: 'EXPIRED', reason: 'not-authorized-in-time' }]);
    expect(await differencesOf(database.query)).toEqual([]);
  });

  it.each<[string, (tx: Tx, id: string) => Promise<unknown>, string[]?]>([
    ['a missing event', (tx, id) => sql`delete from outbox where transaction_id = ${id} and sequence = 2`.execute(tx)],
    [
      'events in another order',
      async (tx, id) => {
        const move = (from: number, to: number) =>
          sql`update outbox set sequence = ${to} where transaction_id = ${id} and sequence = ${from}`.execute(tx);
        await move(1, 9);
        await move(2, 1);
        await move(9, 2);
      },
    ],
    ['an event with another amount', (tx, id) => changeEvent(tx, id, 2, () => ({ disburseCents: 1 }))],
    ['an event with another fee', (tx, id) => changeEvent(tx, id, 2, () => ({ feeCents: 1 }))],
    ['an event with another APR', (tx, id) => changeEvent(tx, id, 1, () => ({ aprBps: 1 }))],
    [
      'another fee of the loan',
      (tx, id) => sql`update transactions set loan_fee_cents = 1 where id = ${id}`.execute(tx),
      ['charges'],
    ],
    [
      'an event of a change that the journal does not have',
      async (tx, id) => {
        const [event] = await listServicingEvents(tx, [id]);
        const { id: _id, sequence: _sequence, at: _at, ...body } = event!.body;
        const subject = { id: 'phantom', merchantId: purchases.merchantId, applicationId: id, requestId: null, at: now };
        await enqueueServicingEvent(tx, subject, { ...body, revision: 9 } as unknown as LoanEvent);
      },
    ],
    [
      'an event that is enqueued twice',
      async (tx, id) => {
        const [event] = await listServicingEvents(tx, [id]);
        const subject = { id: 'again', merchantId: purchases.merchantId, applicationId: id, requestId: null, at: now };
        await enqueueServicingEvent(tx, subject, event!.body as unknown as LoanEvent);
      },
    ],
    [
      'a gap before an event',
      (tx, id) => sql`update outbox set sequence = 4 where transaction_id = ${id} and sequence = 2`.execute(tx),
    ],
    [
      'an event that was delivered before an earlier one',
      (tx, id) => sql`update outbox set delivered_at = ${now} where transaction_id = ${id} and sequence = 2`.execute(tx),
    ],
    [
      'another discount',
      (tx, id) => sql`update transactions set merchant_discount_bps = 1 where id = ${id}`.execute(tx),
      ['lender', 'settlement'],
    ],
  ])('is audited, which reports %s', async (_title, change, differing = ['lender']) => {
    const id = await createSigned();
    await actOn(id, { type: 'authorize' }, { type: 'settle' });
    const rolledBack = new Error('rolled back');
    const trial = database.write(async (tx) => {
      await change(tx, id);
      expect(await differencesOf(tx)).toMatchObject(differing.map((what) => ({ transactionId: id, what })));
      throw rolledBack;
    });
    await expect(trial).rejects.toBe(rolledBack);
  });
});
