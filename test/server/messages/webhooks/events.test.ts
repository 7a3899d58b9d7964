/** The events of merchants, each saved with its cause. */
import { expect, it, vi } from 'vitest';
import { sandboxGateway } from '../../../../server/purchases/cards/sandbox-gateway.ts';
import { recordExpiries } from '../../../../server/purchases/carts/expiry.ts';
import { runCheckoutJob } from '../../../../server/checkout/job.ts';
import { redeliverFailed } from '../../../../server/messages/deliveries.ts';
import { sweepOnce } from '../../../../server/operations/retention/sweep.ts';
import { plusDays, systemClock } from '../../../../server/base/time.ts';
import { expireTransactions } from '../../../../server/purchases/transactions/expire.ts';
import { saveChange } from '../../../../server/purchases/transactions/save-change.ts';
import { lockTransaction } from '../../../../server/purchases/transactions/store.ts';
import { EVENT_TYPES } from '../../../../shared/wire/event.ts';
import {
  checkoutDeps,
  completeCheckout,
  createCart,
  reachAgreement,
  reachDecision,
  reachStep,
  submit,
} from '../../../support/checkout.ts';
import { testConfig } from '../../../support/data-keys.ts';
import { describeOnEveryEngine } from '../../../support/databases.ts';
import { startService } from '../../../support/service.ts';
import { until } from '../../../support/time.ts';
import { transactions } from '../../../support/purchases.ts';

describeOnEveryEngine('The events of a merchant', async (engine) => {
  const service = await startService(engine);
  const merchant = await service.createMerchant();

  const fail = (thrown: unknown) => expect.fail(String(thrown));
  /** Returns events, without their ids and times. */
  const eventsOf = async (query: string, of = merchant) => {
    const { body } = await of.get(`/events?limit=200&${query}`);
    return body.events.map(({ type, data }: { type: string; data: object }) => ({ type, ...data }));
  };
  const eventsOfCart = async (cartId: string) =>
    (await eventsOf('')).filter((event: { cartId: string }) => event.cartId === cartId);

  it('are those of every change of a purchase, with the names and values of the merchant API', async () => {
    const { fairterm } = merchant;
    const { id: cartId } = await fairterm.carts.create({ options: { orderRef: 'ORDER-1', customTotal: 75_000 } });
    const { transactionId } = await fairterm.sandbox.checkout({ cartId });
    await fairterm.transactions.authorize(transactionId, { merchantOrderId: 'M-1' });
    await fairterm.transactions.setOrderId(transactionId, { merchantOrderId: 'M-2' });
    await fairterm.transactions.cancel(transactionId, { amount: 5_000 });
    await fairterm.transactions.settle(transactionId);
    await fairterm.transactions.ship(transactionId, { carrierName: 'Acme Freight', trackingNumber: 'TRACK-7' });
    await fairterm.transactions.refund(transactionId, { amount: 10_000 });

    const order = { cartId, orderRef: 'ORDER-1' };
    const purchase = { transactionId, ...order, total: 75_000 };
    expect(await eventsOfCart(cartId)).toEqual([
      { type: 'application.approved', applicationId: expect.any(String), ...order, status: 'APPROVED' },
      ...(
        [
          ['transaction.created', '', 'PENDING', 75_000, { amount: 75_000, otherTransactionIds: [] }],
          ['transaction.authorized', 'M-1', 'AUTHORIZED', 75_000, { amount: 75_000 }],
          ['transaction.canceled', 'M-2', 'AUTHORIZED', 70_000, { amount: 5_000 }],
          ['transaction.settled', 'M-2', 'SETTLED', 70_000, { amount: 70_000 }],
          ['shipment.updated', 'M-2', 'SETTLED', 70_000, { carrierName: 'Acme Freight' }],
          ['transaction.refunded', 'M-2', 'SETTLED', 60_000, { amount: 10_000 }],
        ] as const
      ).map(([type, merchantOrderId, status, adjustedTotal, more]) => ({
        type,
        ...purchase,
        merchantOrderId,
        status,
        adjustedTotal,
        ...more,
      })),
    ]);
    expect((await eventsOf(`transactionId=${transactionId}`)).length).toBe(6);
    expect((await eventsOf('type=shipment.updated')).length).toBe(1);

    const { body } = await merchant.get(`/events?transactionId=${transactionId}`);
    const first = body.events[0];
    expect((await merchant.get(`/events/${first.id}`)).body).toEqual(first);
  });

  it('name no reasons of a denial and nothing that identifies the buyer', async () => {
    const { id, url } = await createCart(merchant, { orderRef: 'DENIED-1' });
    await reachDecision(url, { taxIdLast4: '2001', lastName: 'Quixotesson' });
    const order = { cartId: id, orderRef: 'DENIED-1' };
    expect(await eventsOfCart(id)).toEqual([
      { type: 'application.denied', applicationId: expect.any(String), ...order, status: 'DENIED' },
    ]);
    const transactionId = await completeCheckout(merchant, {
      billingContact: { firstName: 'Ada', lastName: 'Quixotesson', address: '1 Main', city: 'Austin', state: 'TX' },
    });
    await merchant.fairterm.transactions.ship(transactionId, { trackingNumber: 'TRACK-Q' });
    const stored = JSON.stringify(await service.database.query.selectFrom('events').selectAll().execute());
    expect(stored).not.toMatch(/Quixotesson|TRACK-Q|reasons/);
  });

  it('are recorded when a card is declined', async () => {
    const { id } = await createCart(merchant);
    const { body } = await merchant.post('/sandbox/checkouts', { cartId: id, outcome: 'remainder-declined' });
    await merchant.post(`/transactions/actions/${body.transactionId}`, { type: 'authorize' });
    const [declined] = (await eventsOf('type=transaction.card_declined')) as {
      transactionId: string;
      status: string;
      amount: number;
    }[];
    const { body: transaction } = await merchant.get(`/transactions/${body.transactionId}`);
    expect(declined).toMatchObject({ transactionId: body.transactionId, status: 'PENDING', amount: transaction.card.amount });
  });

  it('are recorded when a card cannot be charged, and when it is charged later', async () => {
    const { url } = await createCart(merchant);
    const agreement = await submit(await reachStep(url, 'card', { taxIdLast4: '1101' }), { card: 'tok_capture_fails' });
    const signed = await submit(agreement);
    const transactionId = new URL(signed.headers.get('location')!).searchParams.get('transactionId')!;
    for (const type of ['authorize', 'settle']) await merchant.post(`/transactions/actions/${transactionId}`, { type });
    const recorded = (type: string) =>
      until(async () => {
        const events = await eventsOf(`type=${type}`);
        return events.length > 0 && events;
      });
    expect(await recorded('transaction.card_capture_failed')).toMatchObject([
      { transactionId, status: 'SETTLED', amount: 30_000 },
    ]);

    vi.spyOn(sandboxGateway, 'capture').mockResolvedValueOnce();
    await redeliverFailed(service.database, { channel: 'card' });
    expect(await recorded('transaction.card_captured')).toMatchObject([{ transactionId, status: 'SETTLED', amount: 30_000 }]);
  });

  it('are recorded when a merchant expires a cart, once', async () => {
    const { id } = await createCart(merchant, { orderRef: 'CART-1' });
    await merchant.fairterm.carts.expire(id);
    await merchant.fairterm.carts.expire(id);
    expect(await eventsOfCart(id)).toEqual([
      { type: 'cart.expired', cartId: id, orderRef: 'CART-1', status: 'expired', reason: 'canceled-by-merchant' },
    ]);
  });

  it('are recorded when the last day of a cart, the validity of an approval or the time to authorize has ended', async () => {
    const open = await createCart(merchant);
    const approved = await createCart(merchant);
    await reachAgreement(approved.url);
    const transactionId = await completeCheckout(merchant);
    const { cartId } = (await merchant.get(`/transactions/${transactionId}`)).body;
    const { database } = service;
    const later = { now: () => plusDays(systemClock.now(), 40) };
    const deps = checkoutDeps(database);
    for (let run = 0; run < 2; run += 1) {
      await recordExpiries({ database, clock: later, onError: fail });
      await runCheckoutJob({ deps, clock: later, retention: testConfig.retention, onError: fail });
      await expireTransactions({ database, transactions, now: later.now(), onError: fail });
    }
    const typesOf = async (id: string) => (await eventsOfCart(id)).map(({ type }: { type: string }) => type);
    expect(await typesOf(open.id)).toEqual(['cart.expired']);
    expect(await typesOf(approved.id)).toEqual(['application.approved', 'cart.expired', 'application.expired']);
    expect(await typesOf(cartId)).toEqual(['application.approved', 'transaction.created', 'transaction.expired']);
  });

  it('have a test for each type', async () => {
    const recorded = new Set<string>((await eventsOf('')).map(({ type }: { type: string }) => type));
    expect([...recorded].toSorted()).toEqual(EVENT_TYPES.toSorted());
  });

  it('are not saved without their change', async () => {
    const id = await completeCheckout(merchant);
    const failed = service.database.write(async (tx) => {
      const row = await lockTransaction(tx, merchant.merchantId, id);
      const event = { type: 'settled', amountCents: 1, actor: 'system', at: systemClock.now() } as const;
      await saveChange(tx, row, { ...row, status: 'SETTLED' }, event);
      throw new Error('rolled back');
    });
    await expect(failed).rejects.toThrow('rolled back');
    expect(await eventsOf(`transactionId=${id}`)).toMatchObject([{ type: 'transaction.created' }]);
  });

  it('are listed in pages, from the oldest, within times', async () => {
    const other = await service.createMerchant();
    for (let count = 0; count < 3; count += 1) await completeCheckout(other);
    const { body: all } = await other.get('/events');
    const ids = all.events.map(({ id }: { id: string }) => id);
    const times = all.events.map(({ createdAt }: { createdAt: string }) => createdAt);
    expect(times).toEqual(times.toSorted());

    const paged: string[] = [];
    let path: string | undefined = '/events?limit=2';
    while (path !== undefined) {
      const { headers, body } = await other.get(path);
      paged.push(...body.events.map(({ id }: { id: string }) => id));
      path = /<([^>]+)>/.exec(headers.get('link') ?? '')?.[1]?.replace(service.publicUrl, '');
    }
    expect(paged).toEqual(ids);
    expect(ids).toHaveLength(6);

    const { body: last } = await other.get(`/events?after=${ids[5]}`);
    expect(last).toEqual({ events: [] });
    const { body: within } = await other.get(`/events?createdAt[gte]=${times[1]}&createdAt[lt]=${times[4]}`);
    expect(within.events.map(({ id }: { id: string }) => id)).toEqual(ids.slice(1, 4));
    const { body: both } = await other.get(`/events?createdAt[gte]=${times[1]}&after=${ids[2]}&limit=2`);
    expect(both.events.map(({ id }: { id: string }) => id)).toEqual(ids.slice(3, 5));
  });

  it('are in real time, even if the clock of the sandbox was moved', async () => {
    const sandbox = await startService(engine);
    const shop = await sandbox.createMerchant();
    await completeCheckout(shop);
    sandbox.clock.moveTo(plusDays(systemClock.now(), 1_000));
    await completeCheckout(shop);
    sandbox.clock.moveTo(plusDays(systemClock.now(), -1_000));
    await completeCheckout(shop);
    const { body } = await shop.get('/events');
    const purchases = body.events.filter(({ type }: { type: string }) => type === 'transaction.created');
    expect(purchases).toHaveLength(3);
    for (const { createdAt } of purchases) expect(Math.abs(Date.parse(createdAt) - Date.now())).toBeLessThan(300_000);
  });

  it('are deleted after 30 days', async () => {
    const { database } = service;
    const count = async () => (await database.query.selectFrom('events').select('id').execute()).length;
    const retention = { ...testConfig.retention, securityEventDays: 3_650 };
    const sweepIn = (days: number) =>
      sweepOnce({ database, realClock: { now: () => plusDays(systemClock.now(), days) }, retention, onError: fail });
    const before = await count();
    expect(before).toBeGreaterThan(0);
    expect((await sweepIn(29)).events).toBe(0);
    expect((await sweepIn(31)).events).toBe(before);
    expect(await count()).toBe(0);
  });
});
