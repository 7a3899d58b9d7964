import { beforeAll, describe, expect, it } from 'vitest';
import { boxOf } from '../../../../shared/disclosure/box.ts';
import { plansFor } from '../../../../shared/plans.ts';
import type { CreditDecision, CreditRequest } from '../../../../server/lenders/lender.ts';
import { noLender } from '../../../../server/lenders/create-lender.ts';
import type { Database } from '../../../../server/db/database.ts';
import { plusDays } from '../../../../server/time.ts';
import {
  chair,
  createCart,
  open,
  post,
  program,
  reachAgreement,
  sessionUrl,
  sheet,
  submit,
  typed,
} from '../../../support/checkout.ts';
import { createDatabase } from '../../../support/databases.ts';
import { startApp } from '../../../support/app.ts';
import { fetchResponse, startService, type TestMerchant, type TestService } from '../../../support/service.ts';
import { until } from '../../../support/time.ts';
import { storedApplication } from '../../../support/stored.ts';

describe('The Content Security Policy of a checkout page', () => {
  let service: TestService;
  let merchant: TestMerchant;
  beforeAll(async () => {
    service = await startService();
    merchant = await service.createMerchant();
  });
  const policyOf = (headers: Headers) => {
    const entries = headers.get('content-security-policy')!.split(';');
    return new Map(entries.map((directive) => directive.trim().split(/ (.*)/s, 2) as [string, string]));
  };
  const directives = ['default-src', 'script-src', 'style-src', 'img-src', 'form-action', 'frame-ancestors', 'base-uri'];

  it.each([
    'https://x.example;script-src/c.png',
    'https://x;script-src.example/c.png',
    "https://x.example;script-src-elem;style-src;'unsafe-inline'/c.png",
    'https://*/c.png',
    'https://*.example/c.png',
    'http://*:80/c.png',
    'https://x.example,*/c.png',
    'https://x.example;report-uri/c.png',
    'data:image/png;base64,AAAA',
    'javascript:alert(1)',
    'not a URL',
  ])('contains only the origins of valid image URLs, not %s', async (imageUrl) => {
    const valid = { ...chair, imageUrl: 'https://img.example:8443/c.png' };
    const cart = await createCart(merchant, { items: [{ ...chair, imageUrl }, valid] });
    const { headers } = await open(cart.url);
    const policy = policyOf(headers);
    expect([...policy.keys()]).toEqual(directives);
    expect(policy.get('img-src')).toBe('data: https://img.example:8443');
  });

  it.each(['https://x.example;script-src/', 'https://*/', 'https://*.example/'])(
    'does not contain the invalid shop URL %s',
    async (url) => {
      const response = await merchant.post('/carts', {
        options: { items: [chair], completeUrl: url, errorUrl: url },
      });
      expect(response.status).toBe(200);
      const policy = policyOf((await reachAgreement(response.body.url)).headers);
      expect([...policy.keys()]).toEqual(directives);
      expect(policy.get('form-action')).toBe("'self' https:");
    },
  );

  it.each([
    ['a malformed link', 'GET', '/c/%E0%A4%A'],
    ['an unknown path below a link', 'GET', '/c/unknown/details/more'],
  ])('forbids framing the page for %s', async (_title, method, path) => {
    const { headers } = await fetchResponse(service.publicUrl + path, { method });
    expect(policyOf(headers).get('frame-ancestors')).toBe("'none'");
  });

  it('forbids framing the page for a form that is too large', async () => {
    const { url } = await createCart(merchant);
    const response = await post(`${url}/details`, { ...typed, city: 'x'.repeat(100_000) });
    expect(response.status).toBe(413);
    expect(policyOf(response.headers).get('frame-ancestors')).toBe("'none'");
  });
});

describe('POST /carts', () => {
  let merchant: TestMerchant;
  beforeAll(async () => {
    merchant = await (await startService()).createMerchant();
  });

  it('rejects two shipping methods with the same typeId', async () => {
    const shippingOptions = [
      { type: 'Ground', typeId: 'ship', cost: 500 },
      { type: 'Pickup', typeId: 'pickup', cost: 0 },
      { type: 'Express', typeId: 'ship', cost: 2_900 },
    ];
    const response = await merchant.post('/carts', { options: { items: [chair], shippingOptions } });
    expect(response.status).toBe(400);
    expect(response.body).toMatchObject({ error: true, type: 'INTERNAL_ERROR', code: 'invalid-request' });
    expect(response.body.description).toBe(
      'At path: options.shippingOptions -- Expected every `typeId` once, but received "ship" twice',
    );
  });

  describe.each(['callbackUrl', 'completeUrl', 'errorUrl'])('rejects as %s', (name) => {
    it.each([
      'http:shop.example/p',
      'https:shop.example/p',
      'http:/shop.example/p',
      'https:\\\\shop.example\\p',
      '//shop.example/p',
      '/p',
      'https://',
      'ftp://shop.example/p',
      ' javascript:alert(1)//http://shop.example/',
    ])('%j', async (url) => {
      const response = await merchant.post('/carts', { options: { items: [chair], [name]: url } });
      expect(response.status).toBe(400);
      expect(response.body.description).toContain(`At path: options.${name} -- Expected an http or https URL`);
    });
  });
});

describe('A checkout link', () => {
  let service: TestService;
  let merchant: TestMerchant;
  beforeAll(async () => {
    service = await startService();
    merchant = await service.createMerchant();
  });

  it.each(['/x/y', '/details/more', '/details/more/and/more', '/%00/x', '//', '//details'])(
    'responds 404 with a page to an unknown path: %s',
    async (path) => {
      const { url } = await createCart(merchant);
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
        const response = await fetchResponse(url + path, { method });
        expect([method, response.status, response.headers.get('content-type')]).toEqual([
          method,
          404,
          'text/html; charset=utf-8',
        ]);
      }
      expect(await open(url)).toMatchObject({ status: 200, heading: 'Your details' });
    },
  );

  it.each(['', '/', '/details', '/nonsense'])('responds 404 with a page to an unsupported method: %j', async (path) => {
    const { url } = await createCart(merchant);
    for (const method of ['PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      const response = await fetchResponse(url + path, { method });
      expect([method, response.status, response.headers.get('content-type')]).toEqual([method, 404, 'text/html; charset=utf-8']);
    }
    expect(await open(url)).toMatchObject({ status: 200, heading: 'Your details' });
  });

  it('responds 404 with a page if the code is missing', async () => {
    for (const path of ['/c/', '/c']) {
      const response = await fetchResponse(service.publicUrl + path);
      expect([path, response.status, response.headers.get('content-type')]).toEqual([path, 404, 'text/html; charset=utf-8']);
    }
  });

  describe('of an application that was started eight days ago', () => {
    const afterEightDays = async (check: (session: string) => Promise<void>) => {
      const startedAt = service.clock.now();
      const cart = await createCart(merchant, {}, { expiration: plusDays(startedAt, 365).slice(0, 10) });
      const started = await submit(await open(cart.url));
      try {
        service.clock.moveTo(plusDays(startedAt, 8));
        await check(sessionUrl(started));
      } finally {
        service.clock.moveTo(startedAt);
      }
    };

    it('continues at the current step and lets the buyer change the details', () =>
      afterEightDays(async (session) => {
        expect(await open(session)).toMatchObject({ status: 200, heading: 'Apply for financing' });
        const details = await open(`${session}/details`);
        expect(details).toMatchObject({ status: 200, heading: 'Your details' });
        expect(await submit(details, { firstName: 'Grace' })).toMatchObject({ heading: 'Apply for financing' });
      }));

    it('can be followed to the signature', () =>
      afterEightDays(async (session) => {
        let page = await submit(await open(session));
        expect(page).toMatchObject({ status: 200, heading: 'Choose your plan' });
        page = await submit(await submit(page));
        expect(page).toMatchObject({ status: 303 });
      }));
  });

  it('rejects the signature of an eight-day-old approval', async () => {
    const startedAt = service.clock.now();
    const cart = await createCart(merchant, {}, { expiration: plusDays(startedAt, 365).slice(0, 10) });
    const agreement = await reachAgreement(cart.url);
    try {
      service.clock.moveTo(plusDays(startedAt, 8));
      expect((await submit(agreement)).headers.get('location')).toBe('https://shop.example/');
    } finally {
      service.clock.moveTo(startedAt);
    }
  });
});

describe('The lender’s decision', () => {
  let database: Database;
  beforeAll(async () => {
    database = await createDatabase();
  });
  /** Returns a lender whose decisions the test resolves, and the requests that it received. */
  const givenSlowLender = () => {
    const requests: (CreditRequest & { resolve(decision: CreditDecision): void })[] = [];
    const decide = (request: CreditRequest) =>
      new Promise<CreditDecision>((resolve) => void requests.push({ ...request, resolve }));
    return { lender: { ...noLender, decide }, requests };
  };
  const applicationOf = (cartId: string) => storedApplication(database, cartId);

  const approved: CreditDecision = { outcome: 'approved', tierId: 'C', limitCents: null };

  it('is requested once for two concurrent submissions, which both await it', async () => {
    const { lender, requests } = givenSlowLender();
    const cart = await (await startApp(database, { lender })).createCart();
    const page = await submit(await open(cart.url));

    const both = [submit(page), submit(page)];
    await until(() => requests.length === 1);
    expect(await applicationOf(cart.id)).toMatchObject({ status: 'STARTED', status_code: '100100' });
    requests[0]!.resolve(approved);

    for (const response of await Promise.all(both)) expect(response).toMatchObject({ heading: 'Choose your plan' });
    expect(requests).toHaveLength(1);
    expect(await applicationOf(cart.id)).toMatchObject({ status: 'APPROVED', tier_id: 'C', request_leased_until: null });
  });

  it('applies to the submitted details, which cannot be changed while it is pending', async () => {
    const { lender, requests } = givenSlowLender();
    const cart = await (await startApp(database, { lender })).createCart();
    const page = await submit(await open(cart.url));
    const details = await open(`${sessionUrl(page)}/details`);

    const applying = submit(page);
    await until(() => requests.length === 1);
    const changed = await submit(details, { firstName: 'Grace', lastName: 'Hopper' });
    expect(changed).toMatchObject({ heading: 'This checkout is already in progress' });
    expect((await applicationOf(cart.id)).billing_contact_json).toContain('Ada');
    requests[0]!.resolve(approved);
    expect(await applying).toMatchObject({ heading: 'Choose your plan' });
  });

  it('is awaited by the first submission, while a second submission shows the waiting page', async () => {
    const { lender, requests } = givenSlowLender();
    const cart = await (await startApp(database, { lender })).createCart();
    const page = await submit(await open(cart.url));
    const applying = submit(page);
    await until(() => requests.length === 1);
    expect(await submit(page)).toMatchObject({ status: 200, heading: 'The lender is reviewing your application' });
    requests[0]!.resolve({ outcome: 'denied', reasons: ['income'] });
    await applying;
    expect(await applicationOf(cart.id)).toMatchObject({ status: 'DENIED', status_code: '300200' });
  });
});

describe('Every amount from $50.00 to $60.00', () => {
  const today = '2026-11-21';
  const amounts = Array.from({ length: 1_001 }, (_, index) => 5_000 + index);

  it.each(['A', 'B', 'C'])('has plans for tier %s that can all be disclosed', (tierId) => {
    const undisclosed: [cents: number, offerId: string | undefined][] = [];
    for (const cents of amounts) {
      const plans = plansFor(sheet, cents, today).filter((plan) => plan.tierId === tierId);
      if (plans.length === 0) undisclosed.push([cents, undefined]);
      for (const plan of plans) {
        try {
          boxOf(program, plan, { date: today });
        } catch {
          undisclosed.push([cents, plan.offerId]);
        }
      }
    }
    expect(undisclosed).toEqual([]);
  });

  it('has every term of every tier above $54.49', () => {
    for (const cents of amounts.filter((amount) => amount > 5_449)) expect(plansFor(sheet, cents, today)).toHaveLength(9);
  });
});
