import { describe, expect, it } from 'vitest';
import { importProgram } from '../../../server/lending/programs/import.ts';
import { CALCULATION_VERSION } from '../../../shared/plans.ts';
import { disclosure as english } from '../../../shared/languages/en/disclosure.ts';
import { createCart } from '../../support/checkout.ts';
import { createProgram } from '../../support/programs.ts';
import { startService, type TestMerchant } from '../../support/service.ts';

const service = await startService();
const merchant = await service.createMerchant();

describe('POST /aslowas', () => {
  it.each([
    [5_000, 231, '$2.31'],
    [50_000, 2_307, '$23.07'],
    [74_000, 3_414, '$34.14'],
    [3_000_000, 138_421, '$1,384.21'],
  ])(
    'returns the published figures for %i cents: %i a month [ALA-1] [ALA-3] [CHOICE-15] [CHOICE-38] [CHOICE-39] [CLIENT-22]',
    async (customTotal, monthly, amount) => {
      const { body } = await merchant.post('/aslowas', { customTotal });
      expect(body.asLowAs).toMatchObject({ monthly, amount, termLength: 24, apr: 0.0999, minApr: 0.0599, maxApr: 0.2999 });
    },
  );

  it.each([null, '', undefined])(
    'uses the default program when financingProgramId is %j [ALA-2] [ALA-4]',
    async (financingProgramId) => {
      const { body } = await merchant.post('/aslowas', { customTotal: 50_000, financingProgramId });
      const again = await merchant.post('/aslowas', { customTotal: 50_000, financingProgramId: body.financingProgramId });
      expect(again.body).toEqual(body);
    },
  );

  it.each([1, 100, 4_999, 3_000_001])(
    'returns no payment for %i cents, which no offer finances [CHOICE-40] [CLIENT-22]',
    async (customTotal) => {
      const { status, body } = await merchant.post('/aslowas', { customTotal });
      expect(status).toBe(200);
      expect(body.asLowAs).toMatchObject({ monthly: 0, amount: '', minApr: 0.0599, maxApr: 0.2999 });
      expect(body.asLowAs.asLowAsText).toContain('from $50.00 to $30,000.00');
    },
  );

  it('contains the versions and the date of the calculation', async () => {
    const { body } = await merchant.post('/aslowas', { customTotal: 50_000 });
    expect(body.basis).toEqual({
      programVersion: 1,
      calculationVersion: CALCULATION_VERSION,
      disclosureVersion: english.version,
      date: service.clock.now().slice(0, 10),
    });
  });

  it.each([
    ['es', 'es', 'Ejemplo: '],
    ['es-MX, en;q=0.5', 'es', 'Ejemplo: '],
    ['en-US, es;q=0.9', 'en', 'Example: '],
    ['*', 'en', 'Example: '],
    ['fr-FR', 'en', 'Example: '],
    ['', 'en', 'Example: '],
    ['!§$%&/()=', 'en', 'Example: '],
  ])('responds to Accept-Language %j in %s', async (header, language, prefix) => {
    const { status, headers, body } = await merchant.call('POST', '/aslowas', {
      headers: { 'accept-language': header },
      body: JSON.stringify({ customTotal: 50_000 }),
    });
    expect([status, headers.get('content-language')]).toEqual([200, language]);
    expect(body.asLowAs.asLowAsText).toMatch(new RegExp(`^${prefix}`));
    expect(body.asLowAs).toMatchObject({ monthly: 2_307, amount: '$23.07' });
  });

  it('rejects a program of another merchant', async () => {
    const other = await service.createMerchant({ program: createProgram({ id: 'campaign' }) });
    expect((await other.post('/aslowas', { customTotal: 50_000, financingProgramId: 'campaign' })).status).toBe(200);
    const response = await merchant.post('/aslowas', { customTotal: 50_000, financingProgramId: 'campaign' });
    expect(response).toMatchObject({ status: 400, body: { code: 'program-not-found' } });
  });

  describe('after an import of another version', () => {
    const importVersion = (owner: TestMerchant, change: Record<string, unknown>) =>
      importProgram(service.database, createProgram(change), [owner.merchantId], { asDefault: false }, service.clock.now());
    const future = '2090-01-01';

    it('uses the latest version in effect and returns its number', async () => {
      const shop = await service.createMerchant();
      const offers = [{ id: 'year', termLength: 12, tierAprBps: { A: 1_299 } }];
      await importVersion(shop, { version: 2, offers });
      await importVersion(shop, { version: 3, effective: { from: future } });

      const { body } = await shop.post('/aslowas', { customTotal: 50_000 });
      expect(body).toMatchObject({ asLowAs: { apr: 0.1299 }, basis: { programVersion: 2 } });
    });

    it('rejects a retired program', async () => {
      const shop = await service.createMerchant();
      const cart = await createCart(shop);
      await importVersion(shop, { version: 2, status: 'retired' });

      const byDefault = await shop.post('/aslowas', { customTotal: 50_000 });
      const byId = await shop.post('/aslowas', { customTotal: 50_000, financingProgramId: 'standard' });
      const created = await shop.post('/carts', { options: { customTotal: 50_000 } });
      for (const { status, body } of [byDefault, byId, created]) {
        expect([status, body.code]).toEqual([400, 'program-not-found']);
      }
      expect(byDefault.body.description).toMatch(
        /sold on \d{4}-\d{2}-\d{2}, but the default program has no version in effect then/,
      );
      expect(byDefault.body.description).not.toContain('financingProgramId');
      expect(byId.body.description).toContain('but "standard" has no version in effect then');
      expect(await shop.get(`/carts/${cart.id}`)).toMatchObject({
        status: 200,
        body: { asLowAs: { monthly: 0, asLowAsText: '' } },
      });
    });
  });
});
