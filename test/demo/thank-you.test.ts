import { describe, expect, it } from 'vitest';
import { until } from '../support/time.ts';
import { Buyer, startShopWithPurchase } from './shop.ts';

describe('The thank-you page', () => {
  it('shows the confirmed order after the callback', async () => {
    const { sendCallback, buyer, transactionId, orderRef, thankYou } = await startShopWithPurchase({ delivery: 'express' });
    await sendCallback(transactionId, orderRef);

    const { html, headers } = await buyer.get(thankYou);

    for (const text of ['Approved and confirmed', orderRef, transactionId, '1 × Arbor', 'Express delivery', '$1,328']) {
      expect(html).toContain(text);
    }
    expect(headers.get('refresh')).toBeNull();
  });

  it('shows the plan, the first payment, and the card for the remainder', async () => {
    const { buyer, service, transactionId, thankYou } = await startShopWithPurchase();
    const financing = {
      amount: 109_900,
      termLength: 24,
      termInterval: 'Month',
      monthly: 5_994,
      apr: 0.0999,
      firstPaymentDue: '2026-12-24',
      loanNumber: null,
      current: null,
    };
    const card = { amount: 20_000, state: 'held', holdExpiresAt: null };
    Object.assign(service.transactions.get(transactionId)!, { financing, card });

    const { html } = await buyer.get(thankYou);

    for (const text of ['$59.94 a month for 24 months at 9.99% APR', 'December 24, 2026', '$200, held'])
      expect(html).toContain(text);
  });

  it('refreshes while the service is down, and confirms the order afterwards', async () => {
    const { buyer, service, thankYou } = await startShopWithPurchase();
    service.outage = 'Down for maintenance';
    const waiting = await buyer.get(thankYou);
    service.outage = undefined;

    const confirmed = await buyer.get(thankYou);

    expect(waiting.status).toBe(200);
    expect(waiting.html).toContain('We are confirming your financing');
    expect(waiting.headers.get('refresh')).toBe('5');
    expect(confirmed.html).toContain('Approved and confirmed');
  });

  it('empties the bag when the order is confirmed', async () => {
    const { buyer, thankYou } = await startShopWithPurchase();

    const { html } = await buyer.get(thankYou);

    expect(html).toMatch(/class="count">0</);
    expect(buyer.cookie).toBe('alder_bag=');
  });

  it('does not empty a bag that was filled after the order', async () => {
    const { buyer, thankYou } = await startShopWithPurchase();
    await buyer.get(thankYou);
    await buyer.add('headphones');

    await buyer.get(thankYou);

    expect(buyer.cookie).toBe('alder_bag=headphones.1');
  });

  it('does not empty the bag if the order is not confirmed', async () => {
    const { buyer, thankYou } = await startShopWithPurchase({ total: 1 });

    await buyer.get(thankYou);

    expect(buyer.cookie).toBe('alder_bag=turntable.1');
  });

  it('does not confirm the order for an unknown transaction in the URL', async () => {
    const { buyer, service, orderRef } = await startShopWithPurchase();

    const { html } = await buyer.get(`/thank-you?orderRef=${orderRef}&transactionId=01990000-0000-7000-8000-00000000000d`);

    expect(html).not.toContain('Approved and confirmed');
    expect(html).not.toContain('data-status="confirmed"');
    expect(service.actions).toEqual([]);
  });

  it('responds 404 to the transaction of another order, and changes neither', async () => {
    const { shopUrl, buyer, service, transactionId, orderRef, thankYou } = await startShopWithPurchase();
    const visitor = new Buyer(shopUrl);
    await visitor.add('headphones');
    await visitor.get('/checkout/financing');
    const anotherRef = service.carts[1]!.orderRef;

    const forged = await visitor.get(`/thank-you?orderRef=${anotherRef}&transactionId=${transactionId}`);

    expect(forged.status).toBe(404);
    expect(forged.html).not.toContain(orderRef);
    expect((await buyer.get(thankYou)).html).toContain('Approved and confirmed');
    const own = service.completeCheckout();
    expect((await visitor.get(`/thank-you?orderRef=${anotherRef}&transactionId=${own}`)).html).toContain(
      'Approved and confirmed',
    );
  });

  it('does not delay the confirmation of the order while another visitor opens it with another transaction', async () => {
    const { sendCallback, buyer, service, transactionId, orderRef } = await startShopWithPurchase();
    const another = { ...service.transactions.get(transactionId)!, orderRef: 'AT-22222-22222' };
    service.transactions.set('another', another);
    let open = () => {};
    service.gate = new Promise((resolve) => (open = resolve));
    const forged = buyer.get(`/thank-you?orderRef=${orderRef}&transactionId=another`);
    await until(() => service.calls.includes('GET /transactions/another'));
    const callback = sendCallback(transactionId, orderRef);
    open();

    expect([(await forged).status, (await callback).status]).toEqual([404, 204]);
    expect(service.transactions.get(transactionId)!.status).toBe('AUTHORIZED');
  });

  it('escapes markup in the URL', async () => {
    const { buyer, orderRef } = await startShopWithPurchase();

    const { html } = await buyer.get(
      `/thank-you?orderRef=${orderRef}&transactionId=${encodeURIComponent('"><script>alert(1)</script>')}`,
    );

    expect(html).not.toContain('<script>alert(1)</script>');
    expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
  });

  it.each([
    ['an unknown order', '/thank-you?transactionId=t&orderRef=%3Cscript%3E'],
    ['no order', '/thank-you?transactionId=t'],
    ['two orders', '/thank-you?transactionId=t&orderRef=a&orderRef=b'],
    ['no parameters', '/thank-you'],
  ])('responds 404 to a URL with %s', async (_title, path) => {
    const { buyer, service } = await startShopWithPurchase();
    const callsBefore = service.calls.length;

    const { status, html } = await buyer.get(path);

    expect(status).toBe(404);
    expect(html).not.toContain('<script>');
    expect(service.calls).toHaveLength(callsBefore);
  });
});
