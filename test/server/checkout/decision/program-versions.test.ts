/** The version of a program that applies to a buyer, and the terms that an approval fixes. */
import { describe, expect, it } from 'vitest';
import { NO_CONTACT } from '../../../../server/base/contact.ts';
import { findApplicationOfCart } from '../../../../server/lending/applications/store.ts';
import { createCart as createPricedCart } from '../../../../server/purchases/carts/carts.ts';
import { requestDecision } from '../../../../server/checkout/waiting/request-decision.ts';
import { changeDetails, startApplication } from '../../../../server/checkout/steps/details/submit.ts';
import type { CreditRequest, Lender } from '../../../../server/lending/lenders/lender.ts';
import { noLender } from '../../../support/lenders.ts';
import { choosePlan } from '../../../../server/checkout/steps/plan/submit.ts';
import { chosenPlan } from '../../../../server/agreements/agreement.ts';
import { getSession, sessionOfCart } from '../../../../server/checkout/session/load.ts';
import type { Session, StartedSession } from '../../../../server/checkout/session/session.ts';
import { positionOf } from '../../../../server/checkout/step-registry.ts';
import { importProgram } from '../../../../server/lending/programs/import.ts';
import { createMerchant } from '../../../../server/merchants/merchants.ts';
import { requireMerchant } from '../../../../server/merchants/store.ts';
import { plusDays, type Instant } from '../../../../server/base/time.ts';
import { chair, checkoutDeps, createCart, noMail, reachAgreement, submit } from '../../../support/checkout.ts';
import { createDatabase } from '../../../support/databases.ts';
import { createProgram } from '../../../support/programs.ts';
import { startService } from '../../../support/service.ts';

const now: Instant = '2026-11-21T09:30:00.000000Z';
const today = '2026-11-21';
const rates = (A: number) => [{ id: 'year', termLength: 12, tierAprBps: { A } }];
const promotion = { id: 'free', termLength: 6, tierAprBps: { A: 0 }, promo: { from: '2026-11-01', to: today } };

const approvals = { approvalDays: 7, extensionDays: 7 };

const database = await createDatabase();

describe('The version of a program', () => {
  /** Creates a merchant whose standard program has the given changes, and returns functions that run a checkout at this merchant. */
  async function startShop(change: Record<string, unknown> = {}) {
    const { merchantId } = await createMerchant(
      database,
      'sandbox',
      { name: 'Acme', storeUrl: 'https://shop.example/', origins: [] },
      now,
    );
    const importVersion = (version: number, next: Record<string, unknown>) =>
      importProgram(database, createProgram({ version, ...next }), [merchantId], { asDefault: false }, now);
    await importVersion(2, change);

    const merchant = await requireMerchant(database.query, merchantId);
    const { cart } = await createPricedCart(
      database,
      merchant,
      { expiration: '2027-11-21', createdBy: undefined, options: { items: [chair] } as never },
      now,
      { callbacks: { mode: 'sandbox', allowLoopback: true, allowedHosts: [] } },
    );
    const application = () => findApplicationOfCart(database.query, cart.id);
    const session = async (at = now): Promise<Session> => {
      const current = await application();
      return current ? getSession(database.query, current.id, at) : sessionOfCart(database.query, merchantId, cart.id, at);
    };
    const submitDetails = async (state = 'IL', at = now) => {
      const contact = { ...NO_CONTACT, firstName: 'Ada', lastName: 'L', state };
      const details = { billing: contact, shipping: contact, shippingTypeId: undefined, language: 'en' } as const;
      const current = await application();
      if (current) await changeDetails({ database }, current, details, '', at);
      else await startApplication({ database, mail: noMail }, cart.code, details, at);
    };
    const requests: CreditRequest[] = [];
    const apply = async (
      decide: Lender['decide'] = () => Promise.resolve({ outcome: 'approved', tierId: 'A', limitCents: null }),
      at = now,
    ) => {
      const lender: Lender = {
        ...noLender,
        decide: (request) => {
          requests.push(request);
          return decide(request);
        },
      };
      const applicant = { dateOfBirth: '1990-12-10', taxIdLast4: '1001', annualIncomeCents: 8_400_000 };
      return requestDecision(
        checkoutDeps(database, { lender, cards: undefined, approvals }),
        (await application())!,
        applicant,
        at,
      );
    };
    return { cart, importVersion, session, submitDetails, apply, requests, application };
  }
  const offersIn = (session: Session) => session.plans.map(({ offerId, aprBps }) => [offerId, aprBps]);

  describe('before the lender has decided', () => {
    it('is the one in effect today, even if the cart was created under another', async () => {
      const shop = await startShop({ offers: rates(999) });
      await shop.submitDetails();
      expect(offersIn(await shop.session())).toEqual([['year', 999]]);

      await shop.importVersion(3, { offers: rates(1_299) });
      await shop.importVersion(4, { offers: rates(1_499), effective: { from: '2026-11-25' } });

      expect(offersIn(await shop.session())).toEqual([['year', 1_299]]);
      expect(offersIn(await shop.session('2026-11-25T00:00:00.000000Z'))).toEqual([['year', 1_499]]);
      expect(await shop.application()).toMatchObject({ programVersion: null, approvedOn: null });
    });

    it('determines the currency of the order and of the offers', async () => {
      const shop = await startShop({ currency: 'USD' });
      await shop.submitDetails();
      const currencies = async () => {
        const { currency, offers } = (await shop.application())!;
        return [...new Set([currency, ...[...JSON.stringify(offers).matchAll(/"currency":"(\w+)"/g)].map(([, code]) => code)])];
      };
      expect(await currencies()).toEqual(['USD']);

      await shop.importVersion(3, { currency: 'CAD' });
      await shop.apply();

      expect(await shop.application()).toMatchObject({ status: 'APPROVED' });
      expect(await currencies()).toEqual(['CAD']);
    });

    it('expires the checkout after the program is retired', async () => {
      const shop = await startShop();
      expect(positionOf(await shop.session())).toBe('details');
      await shop.submitDetails();

      await shop.importVersion(3, { status: 'retired' });

      expect(positionOf(await shop.session())).toBe('expired');
      await expect(shop.apply()).rejects.toMatchObject({ code: 'cart-closed' });
      expect(shop.requests).toEqual([]);
    });
  });

  describe('after the lender has decided', () => {
    it('is stored with the date of the approval, even if another is imported during the request to the lender', async () => {
      const shop = await startShop({ offers: rates(999) });
      await shop.submitDetails();

      await shop.apply(async () => {
        await shop.importVersion(3, { offers: [{ id: 'expensive', termLength: 12, tierAprBps: { A: 2_999 } }] });
        return { outcome: 'approved', tierId: 'A', limitCents: null };
      });

      expect(shop.requests.map(({ program }) => program.version)).toEqual([2]);
      expect(await shop.application()).toMatchObject({ status: 'APPROVED', programVersion: 2, approvedOn: today });
      const session = await shop.session();
      expect([session.program.version, offersIn(session)]).toEqual([2, [['year', 999]]]);
    });

    it('remains in effect for the seven days of an approval, even if the version ends and the program is retired', async () => {
      const shop = await startShop({ offers: rates(999), effective: { from: '2026-11-01', to: today } });
      await shop.submitDetails();
      await shop.apply();
      await shop.importVersion(3, { status: 'retired' });

      const sixDaysLater = plusDays(now, 6);
      expect(positionOf(await shop.session(sixDaysLater))).toBe('plans');
      await choosePlan(database, (await shop.application())!, 'year', sixDaysLater);
      const session = await shop.session(sixDaysLater);
      expect(positionOf(session)).toBe('agreement');
      expect(chosenPlan(session as StartedSession)).toMatchObject({ aprBps: 999 });
      expect(positionOf(await shop.session(plusDays(now, 7)))).toBe('expired');
    });

    it('keeps the promotions that were valid on the day of the approval', async () => {
      const shop = await startShop({ offers: [...rates(999), promotion] });
      await shop.submitDetails();
      await shop.apply();
      const offersOnFirstDay = offersIn(await shop.session());

      expect(offersOnFirstDay).toContainEqual(['free', 0]);
      expect(offersIn(await shop.session(plusDays(now, 6)))).toEqual(offersOnFirstDay);
    });

    it('has no promotion for a buyer who applies a day later', async () => {
      const shop = await startShop({ offers: [...rates(999), promotion] });
      const tomorrow = plusDays(now, 1);
      await shop.submitDetails('IL', tomorrow);
      await shop.apply(undefined, tomorrow);

      const application = await shop.application();
      expect(application).toMatchObject({ approvedOn: '2026-11-22' });
      expect(application!.offers).toMatchObject([{ id: 'year', apr: 0.0999 }]);
      expect(offersIn(await shop.session(tomorrow))).toEqual([['year', 999]]);
    });

    it('is stored with a denial, whose session names the lender of that version', async () => {
      const shop = await startShop({ lender: { name: 'First Bank' } });
      await shop.submitDetails();
      await shop.apply(() => Promise.resolve({ outcome: 'denied', reasons: ['other'] }));
      await shop.importVersion(3, { lender: { name: 'Second Bank' } });

      expect(await shop.application()).toMatchObject({ status: 'DENIED', programVersion: 2, approvedOn: null });
      expect((await shop.session()).program.lender.name).toBe('First Bank');
    });
  });
});

describe('A displayed agreement', () => {
  it('can be signed unchanged after another version is imported', async () => {
    const service = await startService();
    const merchant = await service.createMerchant();
    const cart = await createCart(merchant);
    const agreement = await reachAgreement(cart.url);
    expect(agreement.text).toContain('9.99%');

    const next = createProgram({ version: 2, lender: { name: 'Second Bank' }, offers: rates(2_999) });
    await importProgram(service.database, next, [merchant.merchantId], { asDefault: false }, service.clock.now());

    expect(await submit(agreement)).toMatchObject({ status: 303 });
    const { body } = await merchant.get(`/carts/${cart.id}`);
    expect(body.asLowAs.apr).toBe(0.2999);
  });
});
