import { expect, it } from 'vitest';
import type { CivilDate } from '../../../../shared/dates.ts';
import type { ActionRequest } from '../../../../shared/wire/transaction.ts';
import { lenderIn } from '../../../../server/base/config/lender.ts';
import type { PaymentAgreement } from '../../../../server/lending/applications/signature.ts';
import { findApplication, saveApplication } from '../../../../server/lending/applications/store.ts';
import { listExceptions } from '../../../../server/lending/exceptions/store.ts';
import type { SentEvent } from '../../../../server/lending/lenders/events.ts';
import { parseReceipt } from '../../../../server/lending/lenders/responses.ts';
import { mailtoOf } from '../../../../server/messages/addresses.ts';
import { startDelivery } from '../../../../server/messages/deliver.ts';
import { messageIn } from '../../../../server/messages/outbox.ts';
import { servicingSender } from '../../../../server/messages/servicing-sender.ts';
import { listDeliveries } from '../../../../server/messages/store.ts';
import { newId } from '../../../../server/base/ids.ts';
import { type Instant, systemClock } from '../../../../server/base/time.ts';
import { raiseException } from '../../../../server/checkout/decision/raise-exception.ts';
import { type RaiseFault, savingSchedules } from '../../../../server/purchases/transactions/delivery-outcomes.ts';
import { signedColumns } from '../../../../server/purchases/transactions/loan.ts';
import { presentTransaction } from '../../../../server/purchases/transactions/present.ts';
import { getTransaction } from '../../../../server/purchases/transactions/store.ts';
import { createDisclosure } from '../../../shared/disclosure/create-disclosure.ts';
import { differencesOf } from '../../../support/audit.ts';
import { createCart, noMail, reachAgreement, submit } from '../../../support/checkout.ts';
import { createDatabase, describeOnEveryEngine } from '../../../support/databases.ts';
import { codeBlock } from '../../../support/docs.ts';
import { createBuyer, transactions } from '../../../support/purchases.ts';
import { SECRET } from '../../../support/lenders.ts';
import { startService } from '../../../support/service.ts';
import { storedApplication, storedDeliveries } from '../../../support/stored.ts';
import { until } from '../../../support/time.ts';
import { changing, startCheckedLender } from '../../lending/lenders/check/broken-lenders.ts';

const now: Instant = '2026-11-21T09:30:00.000000Z';
const actor = 'key:12345678';
const alertsEmail = 'alerts@operator.example';
/** A loan of $500.00 for a year. */
const disclosure = createDisclosure({}, 50_000);

describeOnEveryEngine('The schedule with which a lender responds to an event', async (engine) => {
  const database = await createDatabase(engine);
  const purchases = await createBuyer(database, now);
  const refOf = (id: string) => ({ merchantId: purchases.merchantId, id });
  const actOn = (id: string, request: ActionRequest) => transactions.act({ database, actor }, refOf(id), request, now);
  /** Creates a purchase with its agreement. */
  const create = async () => {
    const id = await purchases.createPurchase({ totalCents: 50_000, requestId: 'request', ...signedColumns(disclosure) });
    await database.write(async (tx) => {
      const application = (await findApplication(tx, id))!;
      await saveApplication(tx, application, { paymentAgreements: [{ disclosure } as PaymentAgreement] });
    });
    return id;
  };
  const exceptionsOf = async (id: string) =>
    (await listExceptions(database.query, { isOpen: false, limit: 1_000 })).filter(({ applicationId }) => applicationId === id);
  const currentOf = async (id: string) =>
    (await presentTransaction(database.query, await getTransaction(database.query, purchases.merchantId, id), now)).financing
      ?.current;
  const raiseFault: RaiseFault = async (tx, { applicationId: id, ...subject }, fault) => {
    const mail = { operator: { ...noMail.operator, alertsEmail }, handling: 'sent' } as const;
    await raiseException(tx, { id, ...subject }, { id: newId(), kind: 'schedule', fault, now }, mail);
  };
  /** One payment of what is financed. */
  const onePayment = (event: SentEvent): object => {
    const cents = 'financedCents' in event ? event.financedCents : 0;
    const payments = cents > 0 ? [{ dueOn: '2027-01-21', amountCents: cents }] : [];
    return { payments, ...(event.type === 'refunded' && { reason: 'term-changed' }) };
  };
  /** Delivers the events to a lender that responds with a schedule. */
  async function deliver(
    during: (event: SentEvent) => Promise<unknown> = async () => undefined,
    scheduleFor: (event: SentEvent) => unknown = onePayment,
  ) {
    const errors: unknown[] = [];
    const lender = {
      record: async (event: SentEvent) => {
        await during(event);
        const parsed = parseReceipt({ outcome: 'recorded', schedule: scheduleFor(event) });
        if ('fault' in parsed) throw new Error(parsed.fault);
        return parsed.content;
      },
    };
    const onError = (thrown: unknown) => errors.push(thrown);
    const save = savingSchedules(transactions, systemClock, raiseFault);
    const senders = { lender: servicingSender(lender, save, async () => null) };
    const delivery = startDelivery({ database, clock: systemClock, senders, onError, pollMs: 5 });
    await until(async () =>
      (await listDeliveries(database.query, { channel: 'lender', limit: 1_000 })).every(
        ({ deliveredAt }) => deliveredAt !== null,
      ),
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
      amount: 50_000,
      monthly: 50_000,
      totalOfPayments: 50_000,
      payments: [{ dueDate: '2027-01-21', amount: 50_000 }],
      calculatedBy: 'lender',
    });
    await transactions.updateShipment({ database, actor }, refOf(id), { trackingNumber: 'T', carrierName: undefined }, now);
    expect(await currentOf(id)).toMatchObject({ calculatedBy: 'lender' });

    await actOn(id, { type: 'refund', amount: 20_000 });
    expect(await currentOf(id)).toMatchObject({ amount: 30_000, calculatedBy: 'service' });
    await deliver();
    expect(await currentOf(id)).toMatchObject({ amount: 30_000, monthly: 30_000, calculatedBy: 'lender' });
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
    expect(await currentOf(id)).toMatchObject({ amount: 49_000, monthly: 49_000 });
  });

  it('neither is lost nor blocks changes at the same time', async () => {
    const id = await create();
    await actOn(id, { type: 'authorize' });
    await actOn(id, { type: 'settle' });
    const refunds = Array.from({ length: 10 }, () => actOn(id, { type: 'refund', amount: 100 }));
    await Promise.all([deliver(), ...refunds]);
    await deliver();
    expect(await currentOf(id)).toMatchObject({ amount: 49_000, monthly: 49_000, calculatedBy: 'lender' });
  });

  const twoPayments = [
    { dueOn: '2020-01-21', amountCents: 99_999 },
    { dueOn: '2020-02-21', amountCents: 99_999 },
  ];
  it.each<[what: string, schedule: unknown, field: string]>([
    ['that no one could owe', { payments: twoPayments }, 'schedule.payments.0.dueOn'],
    ['above what is known', { payments: [{ dueOn: '2027-01-21', amountCents: 99_999 }] }, 'schedule.payments.0'],
    ['with an unknown reason', { payments: [{ dueOn: '2027-01-21', amountCents: 50_000 }], reason: 'other' }, 'schedule.reason'],
    ['with a payment of nothing', { payments: [{ dueOn: '2027-01-21', amountCents: 0 }] }, 'schedule.payments.0.amountCents'],
    ['that is a list', [], 'schedule'],
  ])(
    '%s is not used: its event is delivered, an exception and an alert name the field, and the known payments stay',
    async (_what, schedule, field) => {
      const id = await create();
      await actOn(id, { type: 'authorize' });
      await actOn(id, { type: 'settle' });
      await actOn(id, { type: 'refund', amount: 20_000 });
      const known = await currentOf(id);
      const seen: SentEvent[] = [];
      const isBad = ({ type }: SentEvent) => type === 'refunded';
      await deliver(
        async (event) => seen.push(event),
        (event) => (isBad(event) ? schedule : onePayment(event)),
      );

      expect(await currentOf(id)).toEqual(known);
      expect(known).toMatchObject({ amount: 30_000, calculatedBy: 'service' });
      expect(seen.map(({ type }) => type)).toEqual(['authorized', 'settled', 'refunded']);
      const [exception, ...others] = await exceptionsOf(id);
      const fault = `refunded ${seen.find(isBad)!.id}: ${field}: expected `;
      expect([exception, others]).toMatchObject([
        { kind: 'schedule', fault: expect.stringContaining(fault), closedAt: null },
        [],
      ]);
      const alerts = (await storedDeliveries(database)).filter(({ url }) => url === mailtoOf(alertsEmail));
      expect(alerts.some(({ body }) => messageIn(body).text.includes(exception!.fault!))).toBe(true);
    },
  );

  it('is compared with the loan as it was after its event, also if it arrives after a settlement on the same day', async () => {
    const id = await create();
    await actOn(id, { type: 'authorize' });
    await actOn(id, { type: 'settle' });
    const above = { payments: [{ dueOn: '2027-01-21', amountCents: 99_999 }], reason: 'term-changed' };
    await deliver(undefined, (event) => (event.type === 'authorized' ? above : undefined));
    expect(await exceptionsOf(id)).toMatchObject([{ fault: expect.stringContaining('at most the signed total') }]);
    expect(await currentOf(id)).toBeNull();
  });

  it('that is used closes the exception of an earlier one', async () => {
    const id = await create();
    await actOn(id, { type: 'authorize' });
    await actOn(id, { type: 'settle' });
    await deliver(undefined, () => ({ payments: twoPayments }));
    expect(await exceptionsOf(id)).toMatchObject([{ fault: expect.stringContaining('authorized'), closedAt: null }]);
    expect(await currentOf(id)).toBeNull();

    await actOn(id, { type: 'refund', amount: 20_000 });
    await deliver();
    expect(await exceptionsOf(id)).toMatchObject([{ closedAt: expect.any(String) }]);
    expect(await currentOf(id)).toMatchObject({ amount: 30_000, calculatedBy: 'lender' });
  });

  it('has no payments after the order was canceled, or raises an exception', async () => {
    const ids = [await create(), await create()];
    for (const id of ids) await actOn(id, { type: 'cancel' });
    await deliver(undefined, (event) => ({
      payments: 'transactionId' in event && event.transactionId === ids[0] ? [] : [{ dueOn: '2027-01-21', amountCents: 50_000 }],
    }));
    expect(await exceptionsOf(ids[0]!)).toEqual([]);
    expect(await exceptionsOf(ids[1]!)).toMatchObject([{ fault: expect.stringContaining('because there is no loan') }]);
    for (const id of ids) expect(await currentOf(id)).toMatchObject({ payments: [], calculatedBy: 'service' });
  });

  it('has the level payment as the monthly one, and not the highest', async () => {
    const id = await create();
    await actOn(id, { type: 'authorize' });
    await actOn(id, { type: 'settle' });
    const payments = [1_300, 1_000, 1_000, 900].map((amountCents, index) => ({
      dueOn: `2027-0${index + 1}-21` as CivilDate,
      amountCents,
    }));
    await database.write(async (tx) => {
      const row = await getTransaction(tx, purchases.merchantId, id);
      await transactions.saveSchedule(tx, row, { payments, revision: row.revision }, now);
    });
    expect(await currentOf(id)).toMatchObject({ monthly: 1_000, totalOfPayments: 4_200 });
  });
});

const payment = (dueOn: string, amountCents: number) => ({ dueOn, amountCents });

it('A service whose lender states two payments of $999.99 in 2020 raises an exception, and shows the signed loan', async () => {
  const payments = [payment('2020-01-21', 99_999), payment('2020-02-21', 99_999)];
  const states = changing(/^\/events/, (recorded, request) =>
    request.body.includes('"settled"') ? { outcome: 'recorded', schedule: { payments } } : recorded,
  );
  const { url } = await startCheckedLender(states);
  const service = await startService(undefined, { lender: lenderIn({ LENDER_URL: url, LENDER_SECRET: SECRET }, 'sandbox')! });
  const merchant = await service.createMerchant();
  const cart = await createCart(merchant);
  await submit(await reachAgreement(cart.url));
  const { paymentAgreements } = await storedApplication(service.database, cart.id);
  const { transactionId } = paymentAgreements[0]!;
  await merchant.fairterm.transactions.authorize(transactionId, { merchantOrderId: 'M-1' });
  await merchant.fairterm.transactions.settle(transactionId);

  const [exception] = await until(async () => {
    const open = await listExceptions(service.database.query, { isOpen: true, limit: 10 });
    return open.length > 0 && open;
  });
  expect(exception).toMatchObject({ kind: 'schedule', fault: expect.stringContaining('schedule.payments.0.dueOn: expected') });
  const { financing } = await merchant.fairterm.transactions.retrieve(transactionId);
  expect(financing!.current).toBeNull();
  const events = await listDeliveries(service.database.query, { channel: 'lender', limit: 100 });
  expect(events.filter(({ deliveredAt }) => deliveredAt === null)).toEqual([]);
});

const withPayments = (...payments: object[]) => ({ outcome: 'recorded', schedule: { payments } });

it.each([
  [{ outcome: 'recorded' }, 'no schedule'],
  [JSON.parse(codeBlock('server/docs/lenders.md', 'receipt')), 'a schedule'],
  [withPayments(), 'a schedule'],
  [withPayments(payment('2027-01-21', 1)), 'a schedule'],
  [withPayments(payment('2027-02-30', 1)), 'a fault of its schedule'],
  [withPayments(payment('2027-01-21', 0)), 'a fault of its schedule'],
  [withPayments(payment('2027-01-21', 1.5)), 'a fault of its schedule'],
  [{ outcome: 'recorded', schedule: { payments: [], reason: 'other' } }, 'a fault of its schedule'],
  [{ outcome: 'recorded', schedule: { payments: [], other: 1 } }, 'a fault of its schedule'],
  [{ outcome: 'recorded', schedule: [] }, 'a fault of its schedule'],
  [{ outcome: 'recorded', schedule: null }, 'a fault of its schedule'],
  [{ outcome: 'recorded', other: 1 }, 'no outcome'],
  [{ outcome: 'accepted' }, 'no outcome'],
])('The response %j to an event has %s', (response, expected) => {
  const parsed = parseReceipt(response);
  const { schedule } = 'content' in parsed ? parsed.content : {};
  const stated = !schedule ? 'no schedule' : 'fault' in schedule ? 'a fault of its schedule' : 'a schedule';
  expect('fault' in parsed ? 'no outcome' : stated).toBe(expected);
});
