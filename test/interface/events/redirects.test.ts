/** Redirects after a checkout. Labels in brackets are rules listed in `test/interface/rules/`. */
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { plusDays } from '../../../server/base/time.ts';
import { createCart, open, type Page, reachAgreement, reachDecision, sessionUrl, submit } from '../../support/checkout.ts';
import { startService } from '../../support/service.ts';

const storeUrl = 'https://shop.example/store?from=financing';

const service = await startService();
const merchant = await service.createMerchant({ storeUrl });

describe('The redirect after a checkout', () => {
  const signedLocation = async (options: object) => {
    const signed = await submit(await reachAgreement((await createCart(merchant, options)).url));
    expect(signed.status).toBe(303);
    return signed.headers.get('location')!;
  };
  const id = 'transactionId=([0-9a-f-]{36})';
  const ref = 'orderRef=O%261';

  describe('after success leads to completeUrl [EVT-3] [CART-6] [CLIENT-18] [CHOICE-30]', () => {
    it.each([
      ['only a path', 'https://shop.example/thanks', `https://shop.example/thanks?${id}&${ref}`],
      ['a query', 'https://shop.example/thanks?lang=en&x=', `https://shop.example/thanks?lang=en&x=&${id}&${ref}`],
      ['a fragment', 'https://shop.example/thanks#done', `https://shop.example/thanks?${id}&${ref}#done`],
      ['a query and a fragment', 'https://shop.example/?a=b%20c#/x?y', `https://shop.example/?a=b%20c&${id}&${ref}#/x?y`],
      [
        'parameters of the same names, which are replaced',
        'https://shop.example/?transactionId=T&a=1&orderRef=R#transactionId=T',
        `https://shop.example/?a=1&${id}&${ref}#transactionId=T`,
      ],
    ])('with both parameters appended to a URL with %s', async (_case, completeUrl, expected) => {
      const pattern = expected.replaceAll(/[?./]/g, '\\$&');
      expect(await signedLocation({ completeUrl, orderRef: 'O&1' })).toMatch(new RegExp(`^${pattern}$`));
    });

    it.each([undefined, null, ''])('or to the merchant’s store URL if completeUrl is %j', async (completeUrl) => {
      expect(await signedLocation({ completeUrl })).toMatch(
        /^https:\/\/shop\.example\/store\?from=financing&transactionId=[0-9a-f-]{36}&orderRef=$/,
      );
    });

    it('and is the same when the buyer returns', async () => {
      const cart = await createCart(merchant, { completeUrl: 'https://shop.example/thanks', orderRef: 'O-4' });
      const agreement = await reachAgreement(cart.url);
      const signed = await submit(agreement);
      expect((await open(sessionUrl(agreement))).links).toContain(signed.headers.get('location'));
      // The cart's link can be shared, so it must not reveal the transaction.
      expect((await open(cart.url)).text).not.toContain('transactionId');
    });
  });

  describe.each([
    ['errorUrl, unchanged', 'https://shop.example/cart?step=pay&order=7&x=%7E#top'],
    ['the merchant’s store URL if errorUrl is omitted', undefined],
  ])('after failure leads to %s, without a transactionId [CART-7] [CLIENT-18] [CHOICE-31]', (_case, errorUrl) => {
    const expectRedirect = ({ status, headers, text }: Page) =>
      expect([status, headers.get('location'), text]).toEqual([303, errorUrl ?? storeUrl, '']);
    /** After a form was submitted, the buyer reads what happened first. */
    const expectPage = ({ status, buttonLinks, text }: Page, expected: number) => {
      expect([status, buttonLinks]).toEqual([expected, [errorUrl ?? storeUrl]]);
      expect(text).not.toContain('transactionId');
    };

    it('when the buyer is denied, after the notice [EVT-4] [CHOICE-41] [SVC-3]', async () => {
      const applying = await submit(await open((await createCart(merchant, { errorUrl })).url));
      const denied = await submit(applying, { taxIdLast4: '2001' });
      expect(denied.step).toBe('declined');
      expect(denied.links).toContain(errorUrl ?? storeUrl);
      expect(denied.text).not.toContain('transactionId');
    });

    it('when no program finances the amount [EVT-5]', async () => {
      const cart = await createCart(merchant, { items: undefined, customTotal: 4_999, errorUrl });
      expectRedirect(await open(cart.url));
    });

    it('when the approval has expired [EVT-6]', async () => {
      const cart = await createCart(merchant, { errorUrl });
      const plans = await reachDecision(cart.url);
      const before = service.clock.now();
      await merchant.post('/sandbox/clock', { now: plusDays(before, 10) });
      const page = await submit(plans);
      await merchant.post('/sandbox/clock', { now: before });
      expectPage(page, 410);
    });

    it('when the buyer cancels', async () => {
      const { url } = await submit(await open((await createCart(merchant, { errorUrl })).url));
      expectRedirect(await submit(await open(url.replace('/apply', '/cancel'))));
    });

    it('when the service fails [EVT-8]', async () => {
      const plans = await reachDecision((await createCart(merchant, { errorUrl })).url);
      await service.database.write((tx) => sql`alter table applications rename column offer_id to offer_id_renamed`.execute(tx));
      const failed = await submit(plans);
      await service.database.write((tx) => sql`alter table applications rename column offer_id_renamed to offer_id`.execute(tx));
      expectPage(failed, 500);
      expect(await submit(plans)).toMatchObject({ step: 'agreement' });
    });
  });
});
