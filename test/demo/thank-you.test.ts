import { describe, expect, it } from 'vitest';
import { givenCheckedOutOrder } from './given-shop.ts';

describe('given a turntable ordered with express delivery and financed', () => {
  it('when the callback came first, then the page says what was bought and that it is confirmed', async () => {
    const { report, buyer, transactionId, orderRef, thankYou } = await givenCheckedOutOrder({ delivery: 'express' });
    await report(transactionId, orderRef);

    const { html, headers } = await buyer.get(thankYou);

    for (const text of ['Approved and confirmed', orderRef, transactionId, '1 × Arbor', 'Express delivery', '$1,328']) {
      expect(html).toContain(text);
    }
    expect(headers.get('refresh')).toBeNull();
  });

  it('when no callback came, then the page authorizes itself', async () => {
    const { buyer, service, thankYou } = await givenCheckedOutOrder();

    const { html } = await buyer.get(thankYou);

    expect(html).toContain('Approved and confirmed');
    expect(service.actions).toHaveLength(1);
  });

  it('when the service cannot be asked, then the page says so kindly, looks again, and then confirms', async () => {
    const { buyer, service, thankYou } = await givenCheckedOutOrder();
    service.outage = 'Down for maintenance';
    const waiting = await buyer.get(thankYou);
    service.outage = undefined;

    const confirmed = await buyer.get(thankYou);

    expect(waiting.status).toBe(200);
    expect(waiting.html).toContain('We are confirming your financing');
    expect(waiting.headers.get('refresh')).toBe('5');
    expect(confirmed.html).toContain('Approved and confirmed');
  });

  it('when the order is confirmed, then the bag is empty', async () => {
    const { buyer, thankYou } = await givenCheckedOutOrder();

    const { html } = await buyer.get(thankYou);

    expect(html).toMatch(/class="count">0</);
    expect(buyer.cookie).toBe('alder_bag=');
  });

  it('when the buyer has begun another bag and looks back, then that bag is kept', async () => {
    const { buyer, thankYou } = await givenCheckedOutOrder();
    await buyer.get(thankYou);
    await buyer.add('headphones');

    await buyer.get(thankYou);

    expect(buyer.cookie).toBe('alder_bag=headphones.1');
  });

  it('when the order is not confirmed, then the bag is kept', async () => {
    const { buyer, thankYou } = await givenCheckedOutOrder({ total: 1 });

    await buyer.get(thankYou);

    expect(buyer.cookie).toBe('alder_bag=turntable.1');
  });

  it('when the address carries markup, then it is shown as text', async () => {
    const { buyer, orderRef } = await givenCheckedOutOrder();

    const { html } = await buyer.get(
      `/thank-you?orderRef=${orderRef}&transactionId=${encodeURIComponent('"><script>alert(1)</script>')}`,
    );

    expect(html).not.toContain('<script>alert(1)</script>');
    expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
  });

  it.each([
    ['an unknown order', '/thank-you?transactionId=t&orderRef=%3Cscript%3E'],
    ['no order', '/thank-you?transactionId=t'],
    ['an order given twice', '/thank-you?transactionId=t&orderRef=a&orderRef=b'],
    ['nothing', '/thank-you'],
  ])('when the address names %s, then there is no such page', async (_what, path) => {
    const { buyer, service } = await givenCheckedOutOrder();
    const callsBefore = service.calls.length;

    const { status, html } = await buyer.get(path);

    expect(status).toBe(404);
    expect(html).not.toContain('<script>');
    expect(service.calls).toHaveLength(callsBefore);
  });
});
