import { createSecretKey } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { identityHash, identityKeyOf } from '../../../../server/checkout/decision/limits.ts';
import { runCheckoutJob } from '../../../../server/checkout/job.ts';
import { plusMs } from '../../../../server/base/time.ts';
import { checkoutDeps, createCart, open, type Page, renewedUrl, sessionUrl, submit } from '../../../support/checkout.ts';
import { defaultEngine, describeOnEveryEngine, everythingStored } from '../../../support/databases.ts';
import { fetchResponse, noLimits, startService, type TestMerchant } from '../../../support/service.ts';

const LIMITED = 'too-many-applications';

const start = async (applicationsPerIdentity: number, engine = defaultEngine) => {
  const service = await startService(engine, { applicationsPerIdentity });
  return { service, merchant: await service.createMerchant() };
};
const apply = async (merchant: TestMerchant, over: Record<string, string> = {}): Promise<Page> => {
  const { url } = await createCart(merchant, { errorUrl: 'https://shop.example/bag' });
  return submit(await submit(await open(url), over), over);
};

describe('Requests for decisions about one person', () => {
  it('are limited across carts and merchants, regardless of digits, first name and e-mail address', async () => {
    const { service, merchant } = await start(3);
    const other = await service.createMerchant({ name: 'Other Goods' });
    const details = [
      { taxIdLast4: '2004', lastName: 'Lóvelace' },
      { taxIdLast4: '2001', email: 'ada+1@example.com' },
      { taxIdLast4: '4002', firstName: 'A. M.', zip: '62701-1234' },
    ];
    for (const [index, each] of details.entries()) {
      expect((await apply(index === 1 ? other : merchant, each)).step).not.toBe(LIMITED);
    }

    const rejected = await apply(other, { taxIdLast4: '1001', lastName: 'LOVELACE' });

    expect(rejected).toMatchObject({ status: 429, step: LIMITED });
    expect(rejected.text).toContain('Several applications for this person were sent in the last 24 hours.');
    expect(rejected.text).toContain('contact Other Goods');
    expect(rejected.text).toContain('href="https://shop.example/bag"');
    const seconds = Number(rejected.headers.get('retry-after'));
    expect(seconds).toBeGreaterThan(86_000);
    expect(seconds).toBeLessThanOrEqual(86_400);
    expect(await open(sessionUrl(rejected))).toMatchObject({ step: 'apply' });
    expect((await apply(other, { dateOfBirth: '12/11/1990' })).step).toBe('plans');
  });

  it('are limited within one application that needs an action', async () => {
    const { merchant } = await start(2);
    let page = await apply(merchant, { taxIdLast4: '4002' });
    expect(page.step).toBe('needs-action');
    page = await submit(await open(`${sessionUrl(page)}/apply`), { taxIdLast4: '4003' });
    expect(page.step).toBe('needs-action');
    expect(await submit(await open(`${sessionUrl(page)}/apply`))).toMatchObject({ status: 429, step: LIMITED });
  });

  it('are not counted if no lender received them', async () => {
    const { merchant } = await start(1);
    for (let tries = 0; tries < 2; tries++) expect((await apply(merchant, { taxIdLast4: '5001' })).step).toBe('apply');
    expect((await apply(merchant)).step).toBe('plans');
    expect((await apply(merchant)).step).toBe(LIMITED);
  });

  it('are stored without the name, date of birth or ZIP code, and deleted a day after the last one', async () => {
    const { service, merchant } = await start(5);
    await apply(merchant, { lastName: 'Quixote-Canary', dateOfBirth: '03/04/1985', zip: '60607' });
    const rows = await service.database.query.selectFrom('limited_attempts').selectAll().execute();
    expect(rows).toMatchObject([{ subjectHash: expect.stringMatching(/^[0-9a-f]{64}$/) }]);
    expect(await everythingStored(service.database)).not.toMatch(/1985-03-04|03\/04\/1985/);

    const { database } = service;
    const deps = checkoutDeps(database);
    const runAfter = (ms: number) =>
      runCheckoutJob({
        deps,
        clock: { now: () => plusMs(rows[0]!.lastAttemptAt, ms) },
        retention: { unfinishedApplicationHours: 24 },
        onError: (thrown) => {
          throw thrown;
        },
      });
    const count = async () => (await database.query.selectFrom('limited_attempts').selectAll().execute()).length;
    await runAfter(86_399_000);
    expect(await count()).toBe(1);
    await runAfter(86_400_000);
    expect(await count()).toBe(0);
  });
});

describeOnEveryEngine('Requests to the lender in one cart', (engine) => {
  const unlimited = { applicationsPerIdentity: 0, applicationsPerRecipient: 0, limits: noLimits };
  const suffixes = ['', ' Jr.', ' II', ' Sr.', ' III', ' IV', ' Junior'];

  it('are at most five, about any person, in all its applications', async () => {
    const service = await startService(engine, unlimited);
    const merchant = await service.createMerchant();
    const cart = await createCart(merchant, { errorUrl: 'https://shop.example/bag' });
    let page = await submit(await open(cart.url));
    for (let sent = 0; sent < 5; sent++) {
      page = await submit(page, { taxIdLast4: '4003' });
      expect(page.step).toBe('needs-action');
      const other = { lastName: `Lovelace${suffixes[sent]}`, zip: `6270${sent}`, email: `ada${sent}@example.com` };
      page = await submit(await open(`${sessionUrl(page)}/details`), other);
      expect(page.step).toBe('apply');
    }

    const rejected = await submit(page);

    expect(rejected).toMatchObject({ status: 429, step: LIMITED });
    expect(rejected.text).toContain('So many applications were sent for this order');
    expect(rejected.text).toContain('href="https://shop.example/bag"');
    const restarted = await submit(await open(`${cart.url}/restart`));
    expect(await submit(restarted)).toMatchObject({ status: 429, step: LIMITED });
    const { submissions } = await service.database.query.selectFrom('carts').select('submissions').executeTakeFirstOrThrow();
    expect(submissions).toBe(5);
  });

  it('are not counted if no lender received them', async () => {
    const service = await startService(engine, unlimited);
    const { url } = await createCart(await service.createMerchant());
    let page = await submit(await open(url));
    for (let sent = 0; sent < 6; sent++) {
      await submit(page, { taxIdLast4: '5001' });
      page = await open(`${renewedUrl(page)}/apply`);
      expect(page.step).toBe('apply');
    }
    expect(await submit(page)).toMatchObject({ step: 'plans' });
  });
});

describe('Applications of one cart', () => {
  it('are at most five, and then a page offers to continue or to leave', async () => {
    const service = await startService();
    const merchant = await service.createMerchant();
    const cart = await createCart(merchant, { errorUrl: 'https://shop.example/bag' });
    let last = await submit(await open(cart.url));
    const form = await open(`${cart.url}/restart`);
    for (let starts = 2; starts <= 5; starts++) {
      last = await submit(await open(`${cart.url}/restart`));
      expect(last.step).toBe('apply');
    }

    for (const rejected of [await open(`${cart.url}/restart`), await submit(form)]) {
      expect(rejected).toMatchObject({ status: 429, step: LIMITED });
      expect(rejected.text).toContain('it cannot be started again');
      expect(rejected.text).toContain('href="https://shop.example/bag"');
      expect(rejected.text).not.toContain('Lovelace');
    }
    expect(await open(`${cart.url}/restart?lang=es`)).toMatchObject({ heading: 'Demasiadas solicitudes de crédito' });
    const rows = await service.database.query.selectFrom('applications').select('id').where('cartId', '=', cart.id).execute();
    expect(rows.length).toBe(5);
    expect(await submit(last)).toMatchObject({ step: 'plans' });
    expect(await merchant.post('/sandbox/checkouts', { cartId: cart.id })).toMatchObject({ status: 200 });
  });
});

describe('Applications from one address', () => {
  it('are limited per hour, and other pages are not', async () => {
    const service = await startService(undefined, { limits: { ...noLimits, applicationsPerAddress: 2 } });
    const merchant = await service.createMerchant();
    const ready = async () => submit(await open((await createCart(merchant)).url));
    for (const decided of [await submit(await ready()), await submit(await ready())]) {
      expect(decided.step).toBe('plans');
    }
    const page = await ready();
    const rejected = await submit(page);
    expect(rejected).toMatchObject({ status: 429, step: LIMITED });
    expect(rejected.text).toContain('Many applications were sent from your network.');
    expect(rejected.headers.get('retry-after')).toMatch(/^3[56]\d\d$/);
    expect(await fetchResponse(page.url)).toMatchObject({ status: 200 });
  });

  it('are not counted if no lender received them, or if a field is missing', async () => {
    const service = await startService(undefined, { limits: { ...noLimits, applicationsPerAddress: 1 } });
    const merchant = await service.createMerchant();
    expect((await apply(merchant, { taxIdLast4: '5001' })).step).toBe('apply');
    expect((await apply(merchant, { annualIncome: '' })).status).toBe(422);
    expect((await apply(merchant)).step).toBe('plans');
    expect((await apply(merchant)).step).toBe(LIMITED);
  });
});

describe('The hash of an identity', () => {
  const key = identityKeyOf(createSecretKey(Buffer.alloc(32, 1)));
  const ada = { lastName: "O'Brien Núñez", zip: '62701', dateOfBirth: '1990-12-10' };
  const hashOf = (over: Partial<typeof ada> = {}, ownKey = key) => {
    const { dateOfBirth, ...contact } = { ...ada, ...over };
    return identityHash(ownKey, contact, { dateOfBirth });
  };

  it('is the same however the name and the ZIP code are written', () => {
    for (const lastName of ['OBRIEN NUNEZ', 'o’brien-nuñez', 'O Brien Nu\u0301n\u0303ez'])
      expect(hashOf({ lastName })).toBe(hashOf());
    expect(hashOf({ lastName: 'Đặng' })).toBe(hashOf({ lastName: 'Dang' }));
    expect(hashOf({ zip: '62701-0001' })).toBe(hashOf());
    const suffixes = 'Jr|Jr.|, Jr.|Sr.|II|iii|IV|Junior|Jr. II|, M.D.|Ph.D.|Esq.|Júnior';
    for (const suffix of suffixes.split('|')) {
      expect([suffix, hashOf({ lastName: `O'Brien Núñez ${suffix}` })]).toEqual([suffix, hashOf()]);
    }
  });

  it('differs for another person, and with another key', () => {
    const others = [
      hashOf({ lastName: 'Brien' }),
      hashOf({ lastName: "O'Brien Núñezii" }),
      hashOf({ zip: '62702' }),
      hashOf({ dateOfBirth: '1990-12-11' }),
    ];
    const otherKey = identityKeyOf(createSecretKey(Buffer.alloc(32, 2)));
    expect(new Set([hashOf(), ...others, hashOf({}, otherKey)]).size).toBe(6);
  });
});
