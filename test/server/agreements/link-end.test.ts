import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { RateLimits } from '../../../server/base/config/config.ts';
import { plusDays } from '../../../server/base/time.ts';
import {
  copyOf,
  createCart,
  open,
  type Page,
  post,
  reachAgreement,
  sessionUrl,
  submit,
  typedDigits,
} from '../../support/checkout.ts';
import { startApp } from '../../support/app.ts';
import { createDatabase, describeOnEveryEngine } from '../../support/databases.ts';
import { fetchResponse, noLimits, startService, type TestMerchant, type TestService } from '../../support/service.ts';
import { revokeDocumentLink } from '../../../server/agreements/document-link.ts';
import { FailedLogins } from '../../../server/merchants/failed-logins.ts';
import { listSecurityEvents } from '../../../server/merchants/security-events.ts';
import { contactsOfCart } from '../../support/page-measures.ts';
import { changeSealed, storedApplication } from '../../support/stored.ts';

const SIGNED = '2026-01-05T12:00:00.000000Z';
const PERSONAL = /Lovelace|Analytical|Springfield|62701|ada@example|5550100100|\$/;

/** Starts a service with a purchase that was signed at `SIGNED`. */
async function createSignedAgreement(engine?: 'sqlite' | 'postgres', limits: Partial<RateLimits> = {}) {
  const service = await startService(engine, { limits: { ...noLimits, ...limits }, trustProxy: true, host: '127.0.0.1' });
  service.clock.moveTo(SIGNED);
  const merchant = await service.createMerchant();
  const sign = async () => {
    const cart = await createCart(merchant);
    const agreement = await reachAgreement(cart.url);
    await submit(agreement);
    const completed = await open(sessionUrl(agreement));
    return { cart, completed, copyUrl: await copyOf(completed, service.database) };
  };
  return { service, merchant, sign, ...(await sign()) };
}

describe('The link to a signed agreement', () => {
  let service: TestService;
  let copyUrl: string;
  let completed: Page;
  let given: Awaited<ReturnType<typeof createSignedAgreement>>;
  beforeAll(async () => {
    given = await createSignedAgreement();
    ({ service, copyUrl, completed } = given);
  });
  beforeEach(() => service.clock.moveTo(SIGNED));
  const later = (days: number) => service.clock.moveTo(plusDays(SIGNED, days));
  const prove = (zip: string) => post(copyUrl, { zip });

  it('shows it for 90 days, and afterwards asks for the billing ZIP code each time', async () => {
    later(89.9);
    const { text } = await open(copyUrl);
    expect(text).toContain('Ada Lovelace');

    later(90.1);
    const proof = await open(copyUrl);
    expect(proof).toMatchObject({ status: 200, step: 'document-proof' });
    expect(proof.text).toContain('This link is more than 90 days old.');
    expect(proof.text).not.toMatch(/Lovelace|Analytical|Springfield|ada@example|Acme|Fairterm Lending/);
    expect(proof.headers.get('set-cookie')).toBeNull();
    expect(proof.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");

    const shown = await submit(proof, { zip: '62701' });
    expect(shown).toMatchObject({ status: 200, text });
    expect(shown.headers.get('cache-control')).toBe('no-store');
    expect(shown.headers.get('content-security-policy')).toContain("form-action 'none'");
    expect(await open(copyUrl)).toMatchObject({ step: 'document-proof' });
    expect(await open(await copyOf(completed, service.database))).toMatchObject({ step: 'document-proof' });
  });

  it.each(['62701', '62701-1234', ' 62701 '])('is opened by the ZIP code as %j', async (zip) => {
    later(91);
    expect(await prove(zip)).toMatchObject({ status: 200, text: expect.stringContaining('Ada Lovelace') });
  });

  it.each(['62702', '', '6270', '627011', '<b>', '62701; --'])('is not opened by %j', async (zip) => {
    later(91);
    const page = await prove(zip);
    expect(page.status).toBe(422);
    expect(page.text).toMatch(zip === '62702' ? /This is not the ZIP code of the billing address/ : /ZIP code/);
    expect(page.text).not.toMatch(/Lovelace|value="62702"|<b>/);
    expect(page.headers.get('cache-control')).toBe('no-store');
  });

  it('is made as a PDF at most as often as the limit allows, for each agreement', async () => {
    const { copyUrl: limited, sign } = await createSignedAgreement(undefined, { documentPdfs: 2 });
    const { copyUrl: another } = await sign();
    const statusOf = async (url: string) => (await fetch(`${url}/agreement.pdf`)).status;
    expect([await statusOf(limited), await statusOf(limited), await statusOf(limited)]).toEqual([200, 200, 429]);
    expect([await statusOf(another), (await open(limited)).status]).toEqual([200, 200]);
  });

  it('has a PDF only while it needs no ZIP code', async () => {
    later(91);
    const response = await fetch(`${copyUrl}/agreement.pdf`, { redirect: 'manual' });
    expect([response.status, response.headers.get('location')]).toEqual([302, new URL(copyUrl).pathname]);
  });

  it('is not opened by the empty ZIP code of a buyer whose data was deleted', async () => {
    const { cart, copyUrl: deleted } = await given.sign();
    later(91);
    await changeSealed(service.database, 'applications', (await storedApplication(service.database, cart.id)).id, {
      billingContact: { zip: '' },
    });
    for (const zip of ['', '62701', '00000']) expect((await post(deleted, { zip })).status).toBe(422);
  });

  it('does not accept the ZIP code as long as it needs none', async () => {
    expect((await prove('62701')).status).toBe(404);
  });

  it('logs neither the code nor the ZIP code', async () => {
    later(91);
    await prove('60607');
    await prove('62701');
    const log = service.logged.join('\n');
    expect(log).not.toContain(new URL(copyUrl).pathname.split('/')[2]!);
    for (const zip of ['60607', '62701']) expect(log).not.toMatch(typedDigits(zip));
  });
});

describe('Attempts to open an old link', () => {
  const attempt = (url: string, address: string, zip: string) =>
    fetchResponse(url, {
      method: 'POST',
      headers: { 'x-forwarded-for': address, 'x-forwarded-proto': 'https' },
      body: new URLSearchParams({ zip }),
    });

  it('are limited to five per hour for one agreement, and for one address', async () => {
    const { service, copyUrl, sign } = await createSignedAgreement(undefined, { documentProofs: 5 });
    const other = await sign();
    service.clock.moveTo(plusDays(SIGNED, 91));
    for (let count = 1; count <= 5; count++) {
      expect((await attempt(copyUrl, `203.0.113.${count}`, '10001')).status).toBe(422);
    }
    const limited = await attempt(copyUrl, '203.0.113.6', '62701');
    expect(limited.status).toBe(429);
    expect(limited.text).toContain('Too many attempts. Try again in an hour.');
    expect(limited.text).not.toContain('Lovelace');
    expect(limited.headers.get('retry-after')).toMatch(/^3[56]\d\d$/);

    for (let count = 1; count <= 5; count++) await attempt(copyUrl, '198.51.100.7', '10001');
    expect((await attempt(other.copyUrl, '198.51.100.7', '62701')).status).toBe(429);
    expect((await attempt(other.copyUrl, '198.51.100.8', '62701')).status).toBe(200);
  });

  it('are counted as security events by network, without the ZIP code', async () => {
    const database = await createDatabase();
    const failedLogins = new FailedLogins();
    const app = await startApp(database, { failedLogins });
    const moveClock = (now: string) => app.post('/sandbox/clock', { now });
    await moveClock(SIGNED);
    const agreement = await reachAgreement((await app.createCart()).url);
    await submit(agreement);
    const copyUrl = await copyOf(await open(sessionUrl(agreement)), database);
    await moveClock(plusDays(SIGNED, 91));
    for (const zip of ['10001', '10002', '62701']) await post(copyUrl, { zip });
    await failedLogins.save(database);
    const events = await listSecurityEvents(database.query, { limit: 10, kind: 'document-proof-failed' });
    expect(events).toMatchObject([{ count: 2, actor: 'unknown', network: '127.0.0.0/24', details: {} }]);
  });
});

describeOnEveryEngine('A revoked link to a signed agreement', (engine) => {
  let given: Awaited<ReturnType<typeof createSignedAgreement>>;
  let merchant: TestMerchant;
  beforeEach(async () => {
    given = await createSignedAgreement(engine);
    ({ merchant } = given);
  });
  const applicationId = async () => {
    const rows = given.service.database.query.selectFrom('applications').select('id').where('cartId', '=', given.cart.id);
    return (await rows.executeTakeFirstOrThrow()).id;
  };

  it('responds 410 with the lender to contact, also after 90 days with the ZIP code', async () => {
    const { service, copyUrl, completed } = given;
    const { database } = service;
    const id = await applicationId();
    expect(await revokeDocumentLink(database, id, plusDays(SIGNED, 1))).toBe(plusDays(SIGNED, 1));
    expect(await revokeDocumentLink(database, id, plusDays(SIGNED, 2))).toBe(plusDays(SIGNED, 1));

    const page = await open(copyUrl);
    expect(page).toMatchObject({ status: 410, step: 'document-revoked' });
    expect(page.text).toContain('Ask Fairterm Lending for your copy.');
    expect(page.text).not.toMatch(PERSONAL);
    expect(page.headers.get('cache-control')).toBe('no-store');
    expect(await open(await copyOf(completed, service.database))).toMatchObject({ status: 410 });
    expect(await open(`${copyUrl}?lang=es`)).toMatchObject({ status: 410, step: 'document-revoked' });
    service.clock.moveTo(plusDays(SIGNED, 91));
    expect((await post(copyUrl, { zip: '62701' })).status).toBe(410);

    const events = await listSecurityEvents(database.query, { kind: 'document-link-revoked', limit: 10 });
    expect(events).toMatchObject([{ actor: 'console', merchantId: merchant.merchantId, details: { applicationId: id } }]);
  });

  it('does not affect other links, and an unknown application is rejected', async () => {
    const other = await given.sign();
    await revokeDocumentLink(given.service.database, await applicationId(), SIGNED);
    expect((await open(other.copyUrl)).status).toBe(200);
    for (const id of ['x', '00000000-0000-7000-8000-000000000000', given.cart.id]) {
      await expect(revokeDocumentLink(given.service.database, id, SIGNED)).rejects.toThrow(
        `application: expected the id of an application with a signed agreement, but received "${id}"`,
      );
    }
    const events = await listSecurityEvents(given.service.database.query, { kind: 'document-link-revoked', limit: 10 });
    expect(events.length).toBe(1);
  });
});

describe('The link of a cart that has ended', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService();
  });
  const pathsOf = (url: string) => ['', '/details', '/restart', '/apply'].map((place) => `${url}${place}?display=popup`);

  it.each<[string, (merchant: TestMerchant, cart: { id: string; url: string }) => Promise<unknown>, days: number]>([
    ['expired by the merchant', (merchant, { id }) => merchant.post(`/carts/${id}/expire`), 0],
    ['expired long ago, with an application', async (_merchant, { url }) => submit(await open(url)), 400],
    ['completed long ago', async (_merchant, { url }) => submit(await reachAgreement(url)), 4_000],
  ])('shows nothing personal when it was %s', async (_case, end, days) => {
    service.clock.moveTo(SIGNED);
    const merchant = await service.createMerchant();
    const cart = await createCart(merchant, contactsOfCart);
    await end(merchant, cart);
    service.clock.moveTo(plusDays(SIGNED, days));
    for (const path of pathsOf(cart.url)) {
      const { text, step } = await open(path);
      expect([path, text]).toEqual([path, expect.not.stringMatching(PERSONAL)]);
      expect(step).toMatch(/^(expired|bought)$/);
    }
  });
});
