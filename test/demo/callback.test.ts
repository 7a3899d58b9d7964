import { Webhook } from 'standardwebhooks';
import { describe, expect, it, test } from 'vitest';
import { givenCheckedOutOrder, givenShop } from './given-shop.ts';

describe('given a turntable ordered and financed', () => {
  it('when the callback arrives, then the transaction is authorized with our order number', async () => {
    const { report, service, transactionId, orderRef } = await givenCheckedOutOrder();

    const answer = await report(transactionId, orderRef);

    expect(answer.status).toBe(204);
    expect(service.actions).toEqual([{ type: 'authorize', merchantOrderId: orderRef }]);
  });

  it('when two callbacks arrive at once, then it is authorized once and both are accepted', async () => {
    const { report, service, transactionId, orderRef } = await givenCheckedOutOrder();

    const answers = await Promise.all([report(transactionId, orderRef), report(transactionId, orderRef)]);

    expect(answers.map(({ status }) => status)).toEqual([204, 204]);
    expect(service.actions).toHaveLength(1);
  });

  it('when the callback and the buyer arrive at once, then it is authorized once and both succeed', async () => {
    const { report, buyer, service, transactionId, orderRef, thankYou } = await givenCheckedOutOrder();

    const [answer, page] = await Promise.all([report(transactionId, orderRef), buyer.get(thankYou)]);

    expect([answer.status, page.status]).toEqual([204, 200]);
    expect(page.html).toContain('Approved and confirmed');
    expect(service.actions).toHaveLength(1);
  });

  it('when the callback is repeated, then it is accepted and nothing more is asked', async () => {
    const { report, service, transactionId, orderRef } = await givenCheckedOutOrder();
    await report(transactionId, orderRef);
    const callsBefore = service.calls.length;

    const answer = await report(transactionId, orderRef);

    expect(answer.status).toBe(204);
    expect(service.calls).toHaveLength(callsBefore);
  });

  it('when the answer to our authorization was lost, then the next callback confirms without authorizing again', async () => {
    const { report, buyer, service, transactionId, orderRef } = await givenCheckedOutOrder();
    Object.assign(service.transactions.get(transactionId)!, { status: 'AUTHORIZED', merchantOrderId: orderRef });

    await report(transactionId, orderRef);

    expect(service.actions).toEqual([]);
    expect((await buyer.get('/orders')).html).toContain('data-status="confirmed"');
  });

  it.each([
    ['express', 2_900],
    ['setup', 8_900],
  ])('when the buyer chose %s, then its cost is part of what we expect', async (delivery) => {
    const { report, service, transactionId, orderRef } = await givenCheckedOutOrder({ delivery });

    await report(transactionId, orderRef);

    expect(service.transactions.get(transactionId)!.status).toBe('AUTHORIZED');
  });
});

describe('given a transaction that is not what was ordered', () => {
  it.each([
    ['a cent less', { total: 129_899 }],
    ['a cent more', { total: 129_901 }],
    ['standard delivery’s total for express', { delivery: 'express', total: 129_900 }],
    ['a delivery we never offered', { delivery: 'drone', total: 129_900 }],
  ])('when it is for %s, then it is never authorized and the order is suspicious', async (_what, checkout) => {
    const { report, buyer, service, transactionId, orderRef, thankYou } = await givenCheckedOutOrder(checkout);

    const answers = [await report(transactionId, orderRef), await report(transactionId, orderRef)];
    const page = await buyer.get(thankYou);

    expect(answers.map(({ status }) => status)).toEqual([204, 204]);
    expect(service.actions).toEqual([]);
    expect(page.html).toContain('data-status="suspicious"');
  });

  it('when it already pays for another order of the same value, then it does not pay for this one', async () => {
    const { report, buyer, service, transactionId, orderRef } = await givenCheckedOutOrder();
    await report(transactionId, orderRef);
    await buyer.get('/checkout/financing');
    const secondRef = service.carts[1]!.orderRef;

    await report(transactionId, secondRef);

    expect(service.actions).toHaveLength(1);
    expect((await buyer.get('/orders')).html).toContain(`it pays for order ${orderRef}`);
  });

  it.each(['CANCELED', 'EXPIRED', 'REFUNDED', 'AUTHORIZED'] as const)(
    'when it is %s for nobody, then it is not accepted',
    async (status) => {
      const { report, buyer, service, transactionId, orderRef } = await givenCheckedOutOrder();
      service.transactions.get(transactionId)!.status = status;

      await report(transactionId, orderRef);

      expect(service.actions).toEqual([]);
      expect((await buyer.get('/orders')).html).toContain(`it is ${status}`);
    },
  );
});

describe('given a card that is declined for the part that is not financed', () => {
  it('when the callback arrives, then the transaction is canceled and the buyer is told', async () => {
    const { report, buyer, service, transactionId, orderRef, thankYou } = await givenCheckedOutOrder();
    service.cardDecline = "There's an issue with authorizing the credit card portion. Retry in 1-3 business days.";

    const answer = await report(transactionId, orderRef);

    expect(answer.status).toBe(204);
    expect(service.actions.map(({ type }) => type)).toEqual(['authorize', 'cancel']);
    expect((await buyer.get(thankYou)).html).toContain('Your card was declined');
  });
});

describe('given a service that cannot be asked', () => {
  it('when the callback arrives, then it is a 500, and the next callback authorizes', async () => {
    const { report, service, transactionId, orderRef } = await givenCheckedOutOrder();
    service.outage = 'Down for maintenance';
    const first = await report(transactionId, orderRef);
    service.outage = undefined;

    const second = await report(transactionId, orderRef);

    expect([first.status, second.status]).toEqual([500, 204]);
    expect(service.actions).toHaveLength(1);
  });

  it('when the service does not even listen, then it is a 500', async () => {
    const { report, service, transactionId, orderRef } = await givenCheckedOutOrder();
    await service.stop();

    expect((await report(transactionId, orderRef)).status).toBe(500);
  });

  it('when a transaction id is invented, then nothing is decided about the order', async () => {
    const { report, transactionId, orderRef } = await givenCheckedOutOrder();

    const invented = await report('../carts', orderRef);
    const real = await report(transactionId, orderRef);

    expect([invented.status, real.status]).toEqual([500, 204]);
  });
});

describe('a callback', () => {
  test.each([
    ['for an order we do not know', '{"transactionId":"t","orderRef":"AT-XXXXX-XXXXX"}', 404],
    ['without a transaction', '{"orderRef":"AT-XXXXX-XXXXX"}', 400],
    ['with an empty transaction', '{"transactionId":"","orderRef":"AT-XXXXX-XXXXX"}', 400],
    ['with a number for an order', '{"transactionId":"t","orderRef":1}', 400],
    ['with an array', '[]', 400],
    ['that is cut off', '{"transactionId":', 400],
    ['that is empty', '', 400],
    ['that is far too long', `{"transactionId":"${'x'.repeat(10_000)}","orderRef":"AT"}`, 413],
  ])('%s is refused and the service is not asked', async (_what, body, status) => {
    const { call, service } = await givenShop();

    expect((await call(body)).status).toBe(status);
    expect(service.calls).toEqual([]);
  });

  it('that is not labelled JSON is refused', async () => {
    const { call } = await givenShop();

    expect((await call('{"transactionId":"t","orderRef":"o"}', 'text/plain')).status).toBe(400);
  });
});

describe('given a shop that knows the secrets of its callbacks', () => {
  const secrets = [Buffer.alloc(32, 1), Buffer.alloc(24, 2)].map((key) => `whsec_${key.toString('base64')}`);
  const signedBy = (secret: string, id: string, body: string, at = new Date()) => ({
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': new Webhook(secret).sign(id, at, body),
  });
  const given = async () => {
    const shop = await givenCheckedOutOrder({}, { callbackSecrets: secrets });
    const { transactionId, orderRef } = shop;
    return { ...shop, body: JSON.stringify({ transactionId, orderRef }) };
  };

  it.each(secrets)('when a callback is signed with one of them, then the transaction is authorized', async (secret) => {
    const { call, service, body, log } = await given();

    const answer = await call(body, 'application/json', signedBy(secret, 'msg_1', body));

    expect([answer.status, await answer.text()]).toEqual([204, '']);
    expect(service.actions).toHaveLength(1);
    expect(log).toEqual([]);
  });

  it('when a callback cannot be believed, then it is a 401 and the service is not asked', async () => {
    const { call, service, body } = await given();
    const callsBefore = service.calls.length;
    const signature = signedBy(secrets[0]!, 'msg_1', body);
    const stale = signedBy(secrets[0]!, 'msg_1', body, new Date(Date.now() - 3_600_000));
    const forged = signedBy(`whsec_${Buffer.alloc(32, 3).toString('base64')}`, 'msg_1', body);

    const answers = [
      await call(body),
      await call(body, 'application/json', stale),
      await call(body, 'application/json', forged),
      await call(`${body} `, 'application/json', signature),
      await call(body, 'text/plain', signature),
    ];

    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401]);
    expect(service.calls).toHaveLength(callsBefore);
  });

  it('when it is cut off, far too long, or for another order, then it is refused as ever', async () => {
    const { call } = await given();
    const status = async (body: string) => (await call(body, 'application/json', signedBy(secrets[0]!, 'msg_1', body))).status;

    expect(await status('{"transactionId":')).toBe(400);
    expect(await status(`{"transactionId":"${'x'.repeat(10_000)}","orderRef":"AT"}`)).toBe(413);
    expect(await status('{"transactionId":"","orderRef":"AT-XXXXX-XXXXX"}')).toBe(401);
    expect(await status('{"transactionId":"t","orderRef":"AT-XXXXX-XXXXX"}')).toBe(404);
  });
});

describe('given a shop that knows no secrets', () => {
  it('when it opens, then its log says once that callbacks are not verified', async () => {
    const { report, log, transactionId, orderRef } = await givenCheckedOutOrder();

    await report(transactionId, orderRef);
    await report(transactionId, orderRef);

    expect(log).toEqual([expect.stringContaining('set CALLBACK_SECRETS')]);
  });
});
