import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { createCart, open, reachAgreement, sessionUrl, submit } from '../../../support/checkout.ts';
import { startReceiver, status } from '../../../support/http.ts';
import { startService } from '../../../support/service.ts';
import { until } from '../../../support/time.ts';
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

  it('responds to a repeated signature as to the first', async () => {
    const cart = await createCart(merchant);
    const agreement = await reachAgreement(cart.url);
    const first = await submit(agreement);
    const second = await submit(agreement);
    expect(second.headers.get('location')).toBe(first.headers.get('location'));
    expect(await open(sessionUrl(agreement))).toMatchObject({ status: 200, step: 'completed' });
  });

  it('does not sign an agreement other than the one shown', async () => {
    const cart = await createCart(merchant);
    const agreement = await reachAgreement(cart.url);
    const redisplayed = await submit(agreement, { shownHash: 'f'.repeat(64) });
    expect(redisplayed).toMatchObject({ status: 422, step: 'agreement' });
    expect(redisplayed.text).toContain('The agreement has changed since you opened this page');
    expect((await purchaseOf(cart.id)).transactions).toEqual([]);
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

  describe('sends the callback', () => {
    it('without making the buyer wait for a receiver that does not respond', async () => {
      const { url: callbackUrl, received } = await startReceiver(() => undefined);
      const cart = await createCart(merchant, { callbackUrl });
      expect(await submit(await reachAgreement(cart.url))).toMatchObject({ status: 303 });
      await until(() => received.length === 1);
    });

    it('again after the retry interval if the receiver responded 500', async () => {
      const { url: callbackUrl, received } = await startReceiver((response) => status(received.length < 2 ? 500 : 204)(response));
      const cart = await createCart(merchant, { callbackUrl });
      await submit(await reachAgreement(cart.url));
      await until(async () => (await purchaseOf(cart.id)).callbacks[0]?.lastFailure === 'The receiver responded with 500');

      await until(async () => (await purchaseOf(cart.id)).callbacks[0]?.deliveredAt);
      expect(received.map(({ body }) => body)).toEqual([received[0]!.body, received[0]!.body]);
    });
  });
});
