import { expect, it } from 'vitest';
import type { CivilDate } from '../../../../shared/dates.ts';
import type { ActionRequest } from '../../../../shared/wire/transaction.ts';
import type { SentEvent } from '../../../../server/lending/lenders/events.ts';
import { servicingSender } from '../../../../server/messages/servicing-sender.ts';
import type { ScheduledPayment } from '../../../../server/lending/lenders/lender.ts';
import { parseReceipt } from '../../../../server/lending/lenders/responses.ts';
import { startDelivery } from '../../../../server/messages/deliver.ts';
import { listDeliveries } from '../../../../server/messages/store.ts';
import { type Instant, systemClock } from '../../../../server/base/time.ts';
import { differencesOf } from '../../../support/audit.ts';
import { savingSchedules } from '../../../../server/purchases/transactions/delivery-outcomes.ts';
import { presentTransaction } from '../../../../server/purchases/transactions/present.ts';
import { getTransaction } from '../../../../server/purchases/transactions/store.ts';
import { createDatabase, describeOnEveryEngine } from '../../../support/databases.ts';
import { createBuyer, transactions } from '../../../support/purchases.ts';
import { codeBlock } from '../../../support/docs.ts';
import { until } from '../../../support/time.ts';

const now: Instant = '2026-11-21T09:30:00.000000Z';
const actor = 'key:12345678';
const financing = {
  amount: 5_000,
  termLength: 6,
  termInterval: 'Month',
  monthly: 850,
  apr: 0.0599,
  firstPaymentDue: '2026-12-21',
  loanNumber: null,
} as const;

describeOnEveryEngine('The schedule with which a lender responds to an event', async (engine) => {
  const database = await createDatabase(engine);
  const purchases = await createBuyer(database, now);
  const refOf = (id: string) => ({ merchantId: purchases.merchantId, id });
  const actOn = (id: string, request: ActionRequest) => transactions.act({ database, actor }, refOf(id), request, now);
  const create = () => purchases.createPurchase({ financing, requestId: 'request' });
  const currentOf = async (id: string) =>
    (await presentTransaction(database.query, await getTransaction(database.query, purchases.merchantId, id), now)).financing
      ?.current;
  const scheduleOf = (...amounts: number[]) => ({
    payments: amounts.map((amountCents, index): ScheduledPayment => ({
      dueOn: `2027-0${index + 1}-21` as CivilDate,
      amountCents,
    })),
  });
  /** Delivers the events to a lender that responds with a schedule of one payment: what is financed. */
  async function deliver(during: (event: SentEvent) => Promise<unknown> = async () => undefined) {
    const errors: unknown[] = [];
    const lender = {
      record: async (event: SentEvent) => {
        await during(event);
        const cents = 'financedCents' in event ? event.financedCents : 0;
        return { outcome: 'recorded' as const, schedule: scheduleOf(...(cents > 0 ? [cents] : [])) };
      },
    };
    const onError = (thrown: unknown) => errors.push(thrown);
    const senders = { lender: servicingSender(lender, savingSchedules(transactions, systemClock), async () => null) };
    const delivery = startDelivery({ database, clock: systemClock, senders, onError, pollMs: 5 });
    await until(async () =>
      (await listDeliveries(database.query, { limit: 1_000 })).every(({ deliveredAt }) => deliveredAt !== null),
    );
    await delivery.stop();
    expect(errors).toEqual([]);
  }

  it('is the current loan of the transaction until the loan changes', async () => {
    const id = await create();
    await actOn(id, { type: 'authorize' });
    await actOn(id, { type: 'settle' });
    expect(await currentOf(id)).toBeNull();
    await deliver();
    expect(await currentOf(id)).toEqual({
      amount: 5_000,
      monthly: 5_000,
      totalOfPayments: 5_000,
      payments: [{ dueDate: '2027-01-21', amount: 5_000 }],
      calculatedBy: 'lender',
    });
    await transactions.updateShipment({ database, actor }, refOf(id), { trackingNumber: 'T', carrierName: undefined }, now);
    expect(await currentOf(id)).toMatchObject({ calculatedBy: 'lender' });

    await actOn(id, { type: 'refund', amount: 2_000 });
    // The disclosure of this purchase is not known, so that its payments cannot be calculated.
    expect(await currentOf(id)).toBeNull();
    await deliver();
    expect(await currentOf(id)).toMatchObject({ amount: 3_000, monthly: 3_000, calculatedBy: 'lender' });
    expect(await differencesOf(database.query)).toEqual([]);
  });

  it('is ignored if the loan has changed after the event, also while the lender responds', async () => {
    const id = await create();
    await actOn(id, { type: 'authorize' });
    await actOn(id, { type: 'settle' });
    const seen: string[] = [];
    await deliver(async (event) => {
      seen.push(event.type);
      if (event.type === 'settled') await actOn(id, { type: 'refund', amount: 1_000 });
    });
    expect(seen).toEqual(['authorized', 'settled', 'refunded']);
    expect(await currentOf(id)).toMatchObject({ amount: 4_000, monthly: 4_000 });
  });

  it('neither is lost nor blocks changes at the same time', async () => {
    const id = await create();
    await actOn(id, { type: 'authorize' });
    await actOn(id, { type: 'settle' });
    const refunds = Array.from({ length: 10 }, () => actOn(id, { type: 'refund', amount: 100 }));
    await Promise.all([deliver(), ...refunds]);
    await deliver();
    expect(await currentOf(id)).toMatchObject({ amount: 4_000, monthly: 4_000, calculatedBy: 'lender' });
  });

  it('has the level payment as the monthly one, and not the highest', async () => {
    const id = await create();
    await actOn(id, { type: 'authorize' });
    await actOn(id, { type: 'settle' });
    const { payments } = scheduleOf(1_300, 1_000, 1_000, 900);
    await database.write(async (tx) => {
      const row = await getTransaction(tx, purchases.merchantId, id);
      await transactions.saveSchedule(tx, row, { payments, revision: row.revision }, now);
    });
    expect(await currentOf(id)).toMatchObject({ monthly: 1_000, totalOfPayments: 4_200 });
  });
});

const payment = (dueOn: string, amountCents: number) => ({ dueOn, amountCents });
const withPayments = (...payments: object[]) => ({ outcome: 'recorded', schedule: { payments } });

it.each([
  [{ outcome: 'recorded' }, true],
  [JSON.parse(codeBlock('server/docs/lenders.md', 'receipt')), true],
  [withPayments(), true],
  [withPayments(payment('2027-01-21', 1)), true],
  [withPayments(payment('2027-02-30', 1)), false],
  [withPayments(payment('2027-01-21', 0)), false],
  [withPayments(payment('2027-01-21', 1.5)), false],
  [withPayments(payment('2027-02-21', 1), payment('2027-01-21', 1)), false],
  [{ outcome: 'recorded', schedule: [] }, false],
])('The response %j to an event is valid: %s', (response, isValid) => {
  expect('content' in parseReceipt(response)).toBe(isValid);
});
