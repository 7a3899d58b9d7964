import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { importProgram } from '../../../../server/lending/programs/import.ts';
import { createOffer, createProgram } from '../../../support/programs.ts';
import { createCart, open, reachAgreement, sessionUrl, submit } from '../../../support/checkout.ts';
import { startReceiver } from '../../../support/http.ts';
import { startService } from '../../../support/service.ts';
import type { Instant } from '../../../../server/base/time.ts';
import { storedApplications, storedDeliveries } from '../../../support/stored.ts';

const service = await startService();
const merchant = await service.createMerchant();

describe('Completing a checkout', () => {
  const purchaseOf = async (cartId: string) => {
    const { query } = service.database;
    const cart = await query.selectFrom('carts').selectAll().where('id', '=', cartId).executeTakeFirstOrThrow();
    const application = (await storedApplications(service.database, cartId))[0];
    const transactions = await query.selectFrom('transactions').selectAll().where('cartId', '=', cartId).execute();
    const outbox = await storedDeliveries(service.database);
    const callbacks = outbox.filter(({ body }) => transactions.some(({ id }) => body.includes(id)));
    return { cart, application, transactions, callbacks };
  };

  it('writes transaction, application, closed cart, journal and callback together', async () => {
    const { url: callbackUrl } = await startReceiver();
    const cart = await createCart(merchant, { orderRef: 'O-1', callbackUrl });
    await submit(await reachAgreement(cart.url));

    const { cart: closed, application, transactions, callbacks } = await purchaseOf(cart.id);
    expect(closed).toMatchObject({ status: 'COMPLETED', transactionId: transactions[0]!.id });
    expect(application).toMatchObject({ status: 'CHECKOUT_COMPLETED', statusCode: '610000' });
    expect(transactions).toMatchObject([{ status: 'PENDING', orderRef: 'O-1', applicationId: application!.id }]);
    expect(callbacks).toMatchObject([
      { url: callbackUrl, body: JSON.stringify({ transactionId: transactions[0]!.id, orderRef: 'O-1' }) },
    ]);
    expect(application!.paymentAgreements).toMatchObject([
      {
        signedName: 'Ada Lovelace',
        disclosure: { amountFinancedCents: 75_000, apr: 0.0999 },
        disclosureHash: expect.any(String),
      },
    ]);
  });

  it('signs the plan that was chosen last', async () => {
    const cart = await createCart(merchant);
    const session = sessionUrl(await reachAgreement(cart.url));
    expect(await submit(await open(`${session}/plans`), { offerId: 'made-up' })).toMatchObject({ status: 422 });
    const agreement = await submit(await open(`${session}/plans`), { offerId: 'standard-6' });
    expect(agreement.text).toContain('5.99%');
    await submit(agreement);
    expect((await purchaseOf(cart.id)).application!.paymentAgreements).toMatchObject([{ disclosure: { apr: 0.0599 } }]);
  });

  it('stores the discount of the plan, with the buy-down until the last day of the promotion in the time zone of the program', async () => {
    const promo = { kind: 'zero-apr', from: '2027-01-01', to: '2027-01-10', merchantDiscountBps: 400 };
    const regular = createOffer({ id: 'regular', merchantDiscount: { bps: 250, fixedCents: 30 } });
    const free = createOffer({ id: 'free', termLength: 6, tierAprBps: { A: 0 }, promo, merchantDiscount: { bps: 300 } });
    const program = createProgram({
      id: 'plans',
      timeZone: 'America/New_York',
      merchantDiscount: { bps: 100 },
      amount: { minCents: 5_000, maxCents: 100_000 },
      offers: [regular, free],
    });
    const { merchantId } = merchant;
    await importProgram(service.database, program, [merchantId], { asDefault: false }, service.clock.now());
    const sign = async (offerId: string, signedAt: Instant) => {
      const before = service.clock.now();
      service.clock.moveTo('2027-01-10T23:00:00.000000Z');
      const cart = await createCart(merchant, { financingProgramId: 'plans' });
      const session = sessionUrl(await reachAgreement(cart.url, { offerId }));
      service.clock.moveTo(signedAt);
      await submit(await open(session));
      service.clock.moveTo(before);
      const [row] = (await purchaseOf(cart.id)).transactions;
      return { bps: row!.merchantDiscountBps, fixedCents: row!.merchantDiscountCents };
    };

    expect(await sign('regular', '2027-01-11T04:59:00.000000Z')).toEqual({ bps: 250, fixedCents: 30 });
    expect(await sign('free', '2027-01-11T04:59:00.000000Z')).toEqual({ bps: 700, fixedCents: 0 });
    expect(await sign('free', '2027-01-11T05:00:00.000000Z')).toEqual({ bps: 300, fixedCents: 0 });
  });

  describe('if writing the callback fails', () => {
    it('stores only the signature, shows an error, and continues when signed again', async () => {
      const cart = await createCart(merchant, { callbackUrl: 'http://127.0.0.1:65535/never' });
      const agreement = await reachAgreement(cart.url);
      await service.database.write((tx) => sql`alter table outbox rename to outbox_renamed`.execute(tx));
      const failed = await submit(agreement);
      await service.database.write((tx) => sql`alter table outbox_renamed rename to outbox`.execute(tx));

      expect(failed).toMatchObject({ status: 500, step: 'unexpected-error' });
      expect(failed.text).not.toMatch(/outbox|select|insert/i);
      expect(await purchaseOf(cart.id)).toMatchObject({
        cart: { status: 'OPEN', transactionId: null },
        application: { status: 'ATTEMPTED_CHECKOUT' },
        transactions: [],
      });
      expect(await submit(agreement)).toMatchObject({ status: 303 });
    });
  });
});
