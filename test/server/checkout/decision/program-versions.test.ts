/** The version of a program that applies to a buyer, and the terms that an approval fixes. */
import { describe, expect, it } from 'vitest';
import { type Instant, plusDays } from '../../../../server/base/time.ts';
import type { CreditRequest, Lender } from '../../../../server/lending/lenders/lender.ts';
import { importProgram } from '../../../../server/lending/programs/import.ts';
import { startApp } from '../../../support/app.ts';
import { open, type Page, reachAgreement, reachDecision, sessionUrl, submit } from '../../../support/checkout.ts';
import { createDatabase } from '../../../support/databases.ts';
import { noLender } from '../../../support/lenders.ts';
import { createProgram } from '../../../support/programs.ts';
import { storedApplication } from '../../../support/stored.ts';

const now: Instant = '2026-11-21T09:30:00.000000Z';
const today = '2026-11-21';
const rates = (A: number) => [{ id: 'year', termLength: 12, tierAprBps: { A } }];
const promotion = { id: 'free', termLength: 6, tierAprBps: { A: 0 }, promo: { from: '2026-11-01', to: today } };
const approve: Lender['decide'] = () => Promise.resolve({ outcome: 'approved', tierId: 'A', limitCents: null });

const database = await createDatabase();

describe('The version of a program', () => {
  /** Creates a cart at a merchant whose standard program has the given changes. `decide` replaces the approval of the lender. */
  async function startShop(change: Record<string, unknown> = {}) {
    let time = now;
    const requests: CreditRequest[] = [];
    const shop = { decide: approve };
    const decide: Lender['decide'] = (request) => {
      requests.push(request);
      return shop.decide(request);
    };
    const lender: Lender = { ...noLender, decide, accept: async () => ({ outcome: 'accepted' }) };
    const moveTo = (to: Instant) => void (time = to);
    const app = await startApp(database, { lender, cards: undefined, clock: { now: () => time, moveTo } });
    const importVersion = (version: number, next: Record<string, unknown>) =>
      importProgram(database, createProgram({ version, ...next }), [app.merchantId], { asDefault: false }, now);
    await importVersion(2, change);
    const { id, url } = await app.createCart();
    return Object.assign(shop, { url, importVersion, moveTo, requests, application: () => storedApplication(database, id) });
  }
  const advertisedOn = (page: Page) => page.texts('p', { class: 'payment' }).join();
  const offersOn = ({ form }: Page) => form!.fields.flatMap(({ name, value }) => (name === 'offerId' ? [value] : []));

  describe('before the lender has decided', () => {
    it('is the one in effect today, even if the cart was created under another', async () => {
      const { url, importVersion, moveTo, application } = await startShop({ offers: rates(999) });
      const { url: applying } = await submit(await open(url));
      expect(advertisedOn(await open(applying))).toContain('9.99%');

      await importVersion(3, { offers: rates(1_299) });
      await importVersion(4, { offers: rates(1_499), effective: { from: '2026-11-25' } });

      expect(advertisedOn(await open(applying))).toContain('12.99%');
      moveTo('2026-11-25T00:00:00.000000Z');
      expect(advertisedOn(await open(applying))).toContain('14.99%');
      expect(await application()).toMatchObject({ programVersion: null, approvedOn: null });
    });

    it('determines the currency of the order and of the offers', async () => {
      const { url, importVersion, application } = await startShop({ currency: 'USD' });
      const applying = await submit(await open(url));
      expect((await application()).currency).toBe('USD');

      await importVersion(3, { currency: 'CAD' });
      await submit(applying);

      const { status, currency, offers } = await application();
      expect({ status, currency }).toEqual({ status: 'APPROVED', currency: 'CAD' });
      expect(offers.map(({ amountFinanced }) => amountFinanced.currency)).toEqual(offers.map(() => 'CAD'));
    });

    it('expires the checkout after the program is retired', async () => {
      const { url, importVersion, requests } = await startShop();
      const applying = await submit(await open(url));

      await importVersion(3, { status: 'retired' });

      expect(await open(sessionUrl(applying))).toMatchObject({ status: 410, step: 'expired' });
      expect(await submit(applying)).toMatchObject({ step: 'expired' });
      expect(requests).toEqual([]);
    });
  });

  describe('after the lender has decided', () => {
    it('is stored with the date of the approval, even if another is imported during the request to the lender', async () => {
      const shop = await startShop({ offers: rates(999) });
      shop.decide = async (request) => {
        await shop.importVersion(3, { offers: [{ id: 'expensive', termLength: 12, tierAprBps: { A: 2_999 } }] });
        return approve(request);
      };

      const plans = await reachDecision(shop.url);

      expect(offersOn(plans)).toEqual(['year']);
      expect(shop.requests.map(({ program }) => program.version)).toEqual([2]);
      expect(await shop.application()).toMatchObject({ status: 'APPROVED', programVersion: 2, approvedOn: today });
    });

    it('remains in effect for the seven days of an approval, even if the version ends and the program is retired', async () => {
      const effective = { from: '2026-11-01', to: today };
      const { url, importVersion, moveTo } = await startShop({ offers: rates(999), effective });
      const session = sessionUrl(await reachDecision(url));
      await importVersion(3, { status: 'retired' });

      moveTo(plusDays(now, 6));
      const agreement = await submit(await open(session));
      expect(agreement.step).toBe('agreement');
      expect(agreement.text).toContain('9.99%');
      moveTo(plusDays(now, 7));
      expect((await open(session)).step).toBe('expired');
    });

    it('keeps the promotions that were valid on the day of the approval', async () => {
      const { url, moveTo } = await startShop({ offers: [...rates(999), promotion] });
      const plans = await reachDecision(url);
      expect(offersOn(plans)).toContain('free');
      moveTo(plusDays(now, 6));
      expect(offersOn(await open(sessionUrl(plans)))).toEqual(offersOn(plans));
    });

    it('has no promotion for a buyer who applies a day later', async () => {
      const { url, moveTo, application } = await startShop({ offers: [...rates(999), promotion] });
      moveTo(plusDays(now, 1));
      expect(offersOn(await reachDecision(url))).toEqual(['year']);
      expect(await application()).toMatchObject({ approvedOn: '2026-11-22', offers: [{ id: 'year', apr: 0.0999 }] });
    });

    it('is stored with a denial, whose page names the lender of that version', async () => {
      const shop = await startShop({ lender: { name: 'First Bank' } });
      shop.decide = () => Promise.resolve({ outcome: 'denied', reasons: ['other'] });
      const denied = await reachDecision(shop.url);
      await shop.importVersion(3, { lender: { name: 'Second Bank' } });

      expect(await shop.application()).toMatchObject({ status: 'DENIED', programVersion: 2, approvedOn: null });
      const { text } = await open(sessionUrl(denied));
      expect(text).toContain('First Bank denied your application');
      expect(text).not.toContain('Second Bank');
    });

    it('is the one of a displayed agreement, which can be signed unchanged after another version is imported', async () => {
      const { url, importVersion } = await startShop({ offers: rates(999) });
      const agreement = await reachAgreement(url);
      await importVersion(3, { lender: { name: 'Second Bank' }, offers: rates(2_999) });
      expect(await submit(agreement)).toMatchObject({ status: 303 });
    });
  });
});
