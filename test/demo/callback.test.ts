import { describe, expect, it, test } from 'vitest';
import { secrets, signedBy, startShopWithPurchase, startShop } from './shop.ts';

describe('After a completed checkout,', () => {
  it('a callback authorizes the transaction with the order number', async () => {
    const { sendCallback, service, transactionId, orderRef } = await startShopWithPurchase();

    const response = await sendCallback(transactionId, orderRef);

    expect(response.status).toBe(204);
    expect(service.actions).toEqual([{ type: 'authorize', merchantOrderId: orderRef }]);
  });

  it('two concurrent callbacks authorize it once, and both succeed', async () => {
    const { sendCallback, service, transactionId, orderRef } = await startShopWithPurchase();

    const responses = await Promise.all([sendCallback(transactionId, orderRef), sendCallback(transactionId, orderRef)]);

    expect(responses.map(({ status }) => status)).toEqual([204, 204]);
    expect(service.actions).toHaveLength(1);
  });

  it('a callback concurrent with the thank-you page authorizes it once, and both succeed', async () => {
    const { sendCallback, buyer, service, transactionId, orderRef, thankYou } = await startShopWithPurchase();

    const [response, page] = await Promise.all([sendCallback(transactionId, orderRef), buyer.get(thankYou)]);

    expect([response.status, page.status]).toEqual([204, 200]);
    expect(page.html).toContain('Approved and confirmed');
    expect(service.actions).toHaveLength(1);
  });

  it('a repeated callback succeeds without a call to the service', async () => {
    const { sendCallback, service, transactionId, orderRef } = await startShopWithPurchase();
    await sendCallback(transactionId, orderRef);
    const callsBefore = service.calls.length;

    const response = await sendCallback(transactionId, orderRef);

    expect(response.status).toBe(204);
    expect(service.calls).toHaveLength(callsBefore);
  });

  it('a callback confirms an order that was authorized by a request without a response', async () => {
    const { sendCallback, buyer, service, transactionId, orderRef, thankYou } = await startShopWithPurchase();
    Object.assign(service.transactions.get(transactionId)!, { status: 'AUTHORIZED', merchantOrderId: orderRef });

    await sendCallback(transactionId, orderRef);

    expect(service.actions).toEqual([]);
    expect((await buyer.get(thankYou)).html).toContain('data-status="confirmed"');
  });
});

describe('A transaction that does not match its order', () => {
  it.each([
    ['a total that is a cent too low', { total: 129_899 }],
    ['a total that is a cent too high', { total: 129_901 }],
    ['express delivery at the total of standard delivery', { delivery: 'express', total: 129_900 }],
    ['an unknown delivery', { delivery: 'drone', total: 129_900 }],
  ])('is not authorized if it has %s, and the order becomes suspicious', async (_title, checkout) => {
    const { sendCallback, buyer, service, transactionId, orderRef, thankYou } = await startShopWithPurchase(checkout);

    const responses = [await sendCallback(transactionId, orderRef), await sendCallback(transactionId, orderRef)];
    const page = await buyer.get(thankYou);

    expect(responses.map(({ status }) => status)).toEqual([204, 204]);
    expect(service.actions).toEqual([]);
    expect(page.html).toContain('data-status="suspicious"');
  });

  it('does not change the order if it belongs to another order with the same total', async () => {
    const { sendCallback, buyer, service, transactionId, orderRef } = await startShopWithPurchase();
    await buyer.get('/checkout/financing');
    const secondRef = service.carts[1]!.orderRef;

    const response = await sendCallback(transactionId, secondRef);

    expect(response.status).toBe(404);
    expect(service.actions).toEqual([]);
    const own = service.completeCheckout();
    const page = await buyer.get(`/thank-you?transactionId=${own}&orderRef=${secondRef}`);
    expect(page.html).toContain('data-status="confirmed"');
    expect((await sendCallback(transactionId, orderRef)).status).toBe(204);
    expect(service.actions).toHaveLength(2);
  });

  it.each<[string, Parameters<typeof startShopWithPurchase>[0], string]>([
    ['has another total', { total: 1 }, ''],
    ['is declined', {}, "There's an issue with authorizing the credit card portion."],
  ])('does not prevent the confirmation by another transaction if it %s', async (_title, checkout, decline) => {
    const { sendCallback, buyer, service, transactionId, orderRef, thankYou } = await startShopWithPurchase(checkout);
    service.cardDecline = decline;
    await sendCallback(transactionId, orderRef);
    await sendCallback(transactionId, orderRef);
    expect((await buyer.get(thankYou)).html).toContain(`data-status="${decline ? 'declined' : 'suspicious'}"`);
    service.cardDecline = undefined;
    const matching = service.completeCheckout();

    const response = await sendCallback(matching, orderRef);

    expect(response.status).toBe(204);
    expect(service.transactions.get(matching)!.status).toBe('AUTHORIZED');
    expect((await buyer.get(thankYou)).html).toContain('data-status="confirmed"');
  });

  it.each(['CANCELED', 'EXPIRED', 'REFUNDED', 'AUTHORIZED'] as const)(
    'is not accepted if it is %s without an order number',
    async (status) => {
      const { sendCallback, log, service, transactionId, orderRef } = await startShopWithPurchase();
      service.transactions.get(transactionId)!.status = status;

      await sendCallback(transactionId, orderRef);

      expect(service.actions).toEqual([]);
      expect(log).toContain(`Order ${orderRef} is not authorized: it is ${status}`);
    },
  );
});

describe('If the card for the remainder is declined,', () => {
  it('a callback cancels the transaction, and the thank-you page shows the decline', async () => {
    const { sendCallback, buyer, service, transactionId, orderRef, thankYou } = await startShopWithPurchase();
    service.cardDecline = "There's an issue with authorizing the credit card portion. Retry in 1-3 business days.";

    const response = await sendCallback(transactionId, orderRef);

    expect(response.status).toBe(204);
    expect(service.actions.map(({ type }) => type)).toEqual(['authorize', 'cancel']);
    expect((await buyer.get(thankYou)).html).toContain('Your card was declined');
  });
});

describe('If the service fails,', () => {
  it('a callback responds 500, and the next one authorizes the transaction', async () => {
    const { sendCallback, service, transactionId, orderRef } = await startShopWithPurchase();
    service.outage = 'Down for maintenance';
    const first = await sendCallback(transactionId, orderRef);
    service.outage = undefined;

    const second = await sendCallback(transactionId, orderRef);

    expect([first.status, second.status]).toEqual([500, 204]);
    expect(service.actions).toHaveLength(1);
  });
});

describe('A callback', () => {
  test.each([
    ['for an unknown order', '{"transactionId":"t","orderRef":"AT-XXXXX-XXXXX"}', 404],
    ['without a transaction', '{"orderRef":"AT-XXXXX-XXXXX"}', 400],
    ['with an empty transaction', '{"transactionId":"","orderRef":"AT-XXXXX-XXXXX"}', 400],
    ['with a number as the order', '{"transactionId":"t","orderRef":1}', 400],
    ['that is an array', '[]', 400],
    ['that is truncated', '{"transactionId":', 400],
    ['that is empty', '', 400],
    ['above 4 KB', `{"transactionId":"${'x'.repeat(10_000)}","orderRef":"AT"}`, 413],
  ])('%s is rejected without a call to the service', async (_title, body, status) => {
    const { sendSigned, service } = await startShop();

    expect((await sendSigned(body)).status).toBe(status);
    expect(service.calls).toEqual([]);
  });
});

describe('The signature of a callback', () => {
  const startWithBody = async () => {
    const shop = await startShopWithPurchase();
    const { transactionId, orderRef } = shop;
    return { ...shop, body: JSON.stringify({ transactionId, orderRef }) };
  };

  it.each(secrets)('can be made with %s', async (secret) => {
    const { call, service, body, log } = await startWithBody();

    const response = await call(body, 'application/json', signedBy(secret, body));

    expect([response.status, await response.text()]).toEqual([204, '']);
    expect(service.actions).toHaveLength(1);
    expect(log).toEqual([]);
  });

  it('is rejected with 400 if it is missing, expired, forged or mismatched, without a call to the service', async () => {
    const { call, service, body } = await startWithBody();
    const callsBefore = service.calls.length;
    const signature = signedBy(secrets[0]!, body);
    const stale = signedBy(secrets[0]!, body, new Date(Date.now() - 3_600_000));
    const forged = signedBy(`whsec_${Buffer.alloc(32, 3).toString('base64')}`, body);

    const responses = [
      await call(body),
      await call(body, 'application/json', stale),
      await call(body, 'application/json', forged),
      await call(`${body} `, 'application/json', signature),
      await call(body, 'text/plain', signature),
    ];

    expect(responses.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400]);
    expect(service.calls).toHaveLength(callsBefore);
  });
});
