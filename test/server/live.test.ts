import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import pino from 'pino';
import { describe, expect, it } from 'vitest';
import { type Config, readServiceConfig } from '../../server/base/config/config.ts';
import { openDatabase } from '../../server/db/open-database.ts';
import { migrateInMode, requireMode } from '../../server/db/mode.ts';
import { importProgram } from '../../server/lending/programs/import.ts';
import { changeMerchant, type CreatedMerchant, createMerchant } from '../../server/merchants/merchants.ts';
import { serve } from '../../server/main.ts';
import { DUE_NOW, enqueueCallback } from '../../server/messages/outbox.ts';
import { liveProgram, liveProgramReviewedOn } from '../support/live-program.ts';
import { addressOf, buildProject, startServiceProcess } from '../support/process.ts';
import { chair } from '../support/checkout.ts';
import { onCleanup } from '../support/cleanup.ts';
import { createDatabaseUrl } from '../support/databases.ts';
import { freePort } from '../support/network.mjs';
import { type ApiResponse, captureLog, fetchResponse, widgetFolder } from '../support/service.ts';
import { until } from '../support/time.ts';
import { TEST_DATA_KEYS, testConfig, testKeys } from '../support/data-keys.ts';
import { createProgram } from '../support/programs.ts';
import { dateIn, systemClock } from '../../server/base/time.ts';
import { fairterm } from './operations/commands/fairterm.ts';

const silent = pino({ enabled: false });

function basicAuthorization({ apiKey, secret }: CreatedMerchant): string {
  return `Basic ${Buffer.from(`${apiKey}:${secret}`).toString('base64')}`;
}

const overHttps = { 'x-forwarded-proto': 'https' };

const operator = {
  OPERATOR_NAME: 'Example Pay',
  OPERATOR_ADDRESS: '2 Example Plaza, Wilmington, DE 19801',
  OPERATOR_PHONE: '1-800-446-0103',
  OPERATOR_EMAIL: 'help@operator-pay.com',
};

/** A mail server and a lender that cannot be reached. */
const others = {
  SMTP_URL: 'smtp://127.0.0.1:1',
  MAIL_FROM: 'mail@operator-pay.com',
  LENDER_URL: 'https://127.0.0.1:1',
  LENDER_SECRET: `whsec_${Buffer.alloc(32).toString('base64')}`,
};

/** The configuration of a live service behind a proxy. */
async function createLiveConfig(): Promise<Config> {
  const env = {
    MODE: 'live',
    PUBLIC_URL: 'https://pay.example',
    TRUST_PROXY: '1',
    DATABASE_URL: await createDatabaseUrl(),
    ...operator,
    ...others,
  };
  return readServiceConfig({ ...env, DATA_KEYS: TEST_DATA_KEYS, PORT: String(await freePort()) });
}

const config = await createLiveConfig();
const service = await serve(config, widgetFolder, { log: silent });
onCleanup(() => service.close());
const serviceUrl = `http://127.0.0.1:${config.port}`;
const merchant = { name: 'Acme Goods', storeUrl: 'https://shop.example/', origins: [] };
const created = await createMerchant(service.database, 'live', merchant, service.clock.now());
const { merchantId } = created;
await importProgram(service.database, liveProgram, [merchantId], { asDefault: true }, service.clock.now());
const authorization = basicAuthorization(created);

describe('A live service', () => {
  const call = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<ApiResponse> =>
    fetchResponse(serviceUrl + path, {
      method,
      headers: { ...overHttps, authorization, ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  const createCart = async (options = {}) => (await call('POST', '/carts', { options: { items: [chair], ...options } })).body;

  it('serves the merchant API at its public URL', async () => {
    const cart = await createCart();
    expect(cart.url).toMatch(/^https:\/\/pay\.example\/c\/[\w-]{22}$/);
    expect(await call('GET', `/carts/${cart.id}`)).toMatchObject({ status: 200, body: { id: cart.id } });
    expect(await call('POST', '/aslowas', { customTotal: 50_000 })).toMatchObject({ status: 200 });
    expect(await call('GET', '/transactions/nothing')).toMatchObject({ status: 500 });
    const headers = { 'idempotency-key': 'live-1' };
    const first = await call('POST', '/aslowas', { customTotal: 1 }, headers);
    const second = await call('POST', '/aslowas', { customTotal: 1 }, headers);
    expect([second.text, second.headers.get('idempotency-replayed')]).toEqual([first.text, 'true']);
  });

  it('does not accept localhost as an origin, and does not allow it to embed the checkout', async () => {
    const origin = 'http://localhost:5173';
    const programs = await call('GET', `/storefront/programs?key=${created.apiKey}`, undefined, { origin });
    expect(programs).toMatchObject({ status: 403, body: { code: 'origin-not-registered' } });
    expect(programs.headers.get('access-control-allow-origin')).toBeNull();
    const { url } = await createCart();
    const page = await call('GET', `${new URL(url).pathname}/details?display=frame`);
    expect(page.headers.get('content-security-policy')).toContain('; frame-ancestors https://shop.example;');
  });

  it('accepts only registered callback URLs of pages', async () => {
    const callbackUrl = 'https://shop.example/financing/callback';
    const openCart = async (url: string) => {
      const body = { key: created.apiKey, idempotencyKey: randomUUID(), options: { items: [chair], callbackUrl: url } };
      return (await call('POST', '/storefront/carts', body, { origin: 'https://shop.example' })).status;
    };
    expect(await openCart(callbackUrl)).toBe(400);
    await changeMerchant(service.database, 'live', merchantId, { addCallbacks: [callbackUrl] }, service.clock.now());
    expect([await openCart(callbackUrl), await openCart('https://shop.example/admin/delete')]).toEqual([200, 400]);
  });

  it.each(['/sandbox/clock', '/sandbox/checkouts', '/sandbox', '/sandbox/'])(
    'responds with 404 to %s, with valid and with invalid credentials',
    async (path) => {
      for (const headers of [{}, { authorization: 'none' }]) {
        expect(await call('POST', path, { now: '2030-01-01T00:00:00Z' }, headers)).toMatchObject({
          status: 404,
          body: { code: 'unknown-path' },
        });
      }
      expect(Math.abs(Date.parse(service.clock.now()) - Date.now())).toBeLessThan(60_000);
    },
  );

  it('has a clock that cannot be moved', () => {
    expect(() => service.clock.moveTo('2030-01-01T00:00:00.000000Z')).toThrow('cannot be moved');
  });
  it('does not send callbacks to localhost, although it listens there', async () => {
    const callback = {
      id: 'cb-1',
      merchantId,
      cartId: 'cart',
      url: `${serviceUrl.replace('http:', 'https:')}/healthz`,
      body: { transactionId: 't', orderRef: '' },
    };
    const at = service.clock.now();
    await service.database.write((tx) => enqueueCallback(tx, { ...callback, createdAt: at, dueAt: DUE_NOW }));

    const attempted = () =>
      service.database.query
        .selectFrom('outbox')
        .selectAll()
        .where('id', '=', 'cb-1')
        .where('attempts', '>', 0)
        .executeTakeFirst();
    const row = await until(async () => (await attempted())?.lastFailure || undefined);
    expect(row).toMatch(/address/i);
  });
});

describe('A live service with a stored program that lacks what live mode requires', () => {
  it('starts, logs what the program lacks, and sells the programs of other merchants, also one whose sign-off is too old', async () => {
    const liveConfig = await createLiveConfig();
    const database = openDatabase(liveConfig.databaseUrl, testKeys);
    await migrateInMode(database, 'live');
    const now = systemClock.now();
    const createLive = (name: string) =>
      createMerchant(database, 'live', { name, storeUrl: 'https://shop.example/', origins: [] }, now);
    const earlier = await createLive('Earlier');
    const current = await createLive('Current');
    const aged = await createLive('Aged');
    await importProgram(database, createProgram({ version: 2, timeZone: 'UTC' }), [earlier.merchantId], { asDefault: true }, now);
    const reviewedToday = liveProgramReviewedOn(dateIn(now, liveProgram.timeZone));
    await importProgram(database, reviewedToday, [current.merchantId], { asDefault: true }, now);
    await importProgram(database, liveProgramReviewedOn('2020-01-01'), [aged.merchantId], { asDefault: true }, now);
    await database.close();

    const { log, logged } = captureLog();
    const live = await serve(liveConfig, widgetFolder, { log });
    onCleanup(() => live.close());

    const faulty = logged.map((line) => JSON.parse(line)).filter(({ at }) => at === 'programs');
    const [unsold, sold] = [50, 40].map((level) => faulty.filter((line) => line.level === level));
    expect(unsold).toMatchObject([
      { merchantId: earlier.merchantId, program: 'standard', version: 2, isSold: false, problems: expect.any(Array) },
    ]);
    expect(sold).toMatchObject([{ merchantId: aged.merchantId, isSold: true, problems: [{ path: 'states.reviews.0.on' }] }]);
    expect(unsold![0].problems).toContainEqual({ path: 'timeZone', message: expect.stringContaining('UTC') });
    const quote = (soldBy: CreatedMerchant) =>
      fetchResponse(`http://127.0.0.1:${liveConfig.port}/aslowas`, {
        method: 'POST',
        headers: { ...overHttps, authorization: basicAuthorization(soldBy) },
        body: '{"customTotal":50000}',
      });
    expect((await quote(earlier)).body).toMatchObject({ code: 'program-not-found' });
    expect((await quote(current)).status).toBe(200);
    expect((await quote(aged)).status).toBe(200);
  });
});

describe('A database', () => {
  it('can only be opened in the mode in which it was first opened', async () => {
    const live = await createLiveConfig();
    await (await serve(live, widgetFolder, { log: silent })).close();
    const asSandbox = { ...testConfig, port: 0, databaseUrl: live.databaseUrl };
    await expect(serve(asSandbox, widgetFolder, { log: silent })).rejects.toThrow(
      'DATABASE_URL: expected the database of a sandbox service, but received that of a live one',
    );
    await (await serve(live, widgetFolder, { log: silent })).close();

    const databaseUrl = await createDatabaseUrl();
    await (await serve({ ...asSandbox, databaseUrl }, widgetFolder, { log: silent })).close();
    await expect(serve({ ...live, databaseUrl }, widgetFolder, { log: silent })).rejects.toThrow(
      'DATABASE_URL: expected the database of a live service, but received that of a sandbox one',
    );
  });

  it('is not migrated by a service in the other mode', async () => {
    const live = await createLiveConfig();
    const running = await serve(live, widgetFolder, { log: silent });
    const applied = () => sql<{ name: string }>`select name from kysely_migration order by name`.execute(running.database.query);
    const { rows } = await applied();
    await running.database.write((tx) => sql`delete from kysely_migration where name = ${rows.at(-1)!.name}`.execute(tx));
    const asSandbox = { ...testConfig, port: 0, databaseUrl: live.databaseUrl };
    await expect(serve(asSandbox, widgetFolder, { log: silent })).rejects.toThrow('but received that of a live one');
    expect((await applied()).rows).toEqual(rows.slice(0, -1));
    await running.close();
  });

  it('that only later releases can serve is rejected for writing and for reading', async () => {
    const later = { ...testConfig, port: 0, databaseUrl: await createDatabaseUrl() };
    const running = await serve(later, widgetFolder, { log: silent });
    await running.database.write((tx) =>
      sql`insert into kysely_migration values ('9999-later-after-9998', '2099-01-01')`.execute(tx),
    );
    const message =
      'DATABASE_URL: expected a database that this release can serve, but received one of a later release (9999-later-after-9998)';
    await expect(serve(later, widgetFolder, { log: silent })).rejects.toThrow(message);
    await expect(requireMode(running.database, 'sandbox')).rejects.toThrow(message);
    // The proxy sends requests to the processes of the later release.
    expect(await fetchResponse(`${running.publicUrl}/readyz`)).toMatchObject({ status: 503 });
    await running.close();
  });

  it('has one mode after services in both modes open it concurrently', async () => {
    const live = await createLiveConfig();
    const both = [live, { ...testConfig, port: 0, databaseUrl: live.databaseUrl }].map(async (each) =>
      (await serve(each, widgetFolder, { log: silent })).close(),
    );
    const outcomes = (await Promise.allSettled(both)).map(({ status }) => status);
    expect(outcomes.toSorted()).toEqual(['fulfilled', 'rejected']);
  });
});

await buildProject();
const { databaseUrl, port } = await createLiveConfig();
const env = {
  MODE: 'live',
  PUBLIC_URL: 'https://pay.example',
  TRUST_PROXY: '1',
  DATABASE_URL: databaseUrl,
  PORT: String(port),
  ...operator,
  ...others,
};

describe('The command line in live mode', () => {
  const run = (args: string[], overrides: Record<string, string> = {}) =>
    fairterm(args, { databaseUrl, env: { ...env, ...overrides } });

  it('starts the service', async () => {
    const running = startServiceProcess(databaseUrl, env);
    expect(await addressOf(running)).toBe('https://pay.example');
    running.child.kill('SIGTERM');
    expect((await running.ended).code).toBe(0);
  });

  it('creates live keys, and rejects the database in sandbox mode', async () => {
    const createMerchantArgs = ['merchant', 'create', '--name', 'Acme', '--store-url', 'https://shop.example', '--json'];
    expect(JSON.parse((await run(createMerchantArgs)).stdout[0]!)).toMatchObject({
      apiKey: expect.stringMatching(/^ft_live_key_/),
    });
    for (const args of [createMerchantArgs, ['migrate'], ['audit'], ['key', 'list', '--merchant', 'x']]) {
      const { code, stdout, stderr } = await run(args, { MODE: 'sandbox', TRUST_PROXY: '', PUBLIC_URL: '' });
      expect([code, stdout, stderr.length]).toEqual([args[0] === 'audit' ? 2 : 1, [], 1]);
      expect(stderr[0]).toMatch(
        /^fairterm [a-z ]+:(?: audit failed:)? DATABASE_URL: expected the database of a sandbox service, but received that of a live one$/,
      );
    }
  });

  it.each([
    [{ PUBLIC_URL: '' }, 'PUBLIC_URL: expected an https address for a live service, but received no value'],
    [{ TRUST_PROXY: '' }, 'TRUST_PROXY: expected 1 for a live service, but received no value'],
    [{ SMTP_URL: '', MAIL_FROM: '' }, 'MAIL_FROM: expected a sender such as mail@shop.example'],
    [{ MAIL_FROM: 'Pay <mail@pay.example>' }, 'MAIL_FROM: expected a sender that exists, but received "pay.example"'],
    [{ MESSAGE_RETENTION_DAYS: '89' }, 'MESSAGE_RETENTION_DAYS: expected a number of days from 90 to 3650, but received "89"'],
    [
      { LENDER_URL: '', LENDER_SECRET: '' },
      'LENDER_URL: expected an https address without user, query and fragment for a live service',
    ],
  ])('does not start the service with %o, but migrates', async (overrides, message) => {
    const start = async () =>
      serve(readServiceConfig({ DATA_KEYS: TEST_DATA_KEYS, ...env, ...overrides }), widgetFolder, { log: silent });
    await expect(start()).rejects.toThrow(message);
    expect(await run(['migrate'], overrides)).toMatchObject({ code: 0 });
  });
});
