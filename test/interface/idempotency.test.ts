import { request as httpRequest } from 'node:http';
import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { seal } from '../../server/db/sealed.ts';
import { deleteExpiredKeys } from '../../server/merchants/idempotency/once.ts';
import { plusDays, plusMs, systemClock, type Instant, instantOf } from '../../server/base/time.ts';
import { chair, createCart, completeCheckout, completeCheckoutAndAct } from '../support/checkout.ts';
import { type ApiResponse, startService, type TestMerchant, type TestService } from '../support/service.ts';
import { storedTransaction } from '../support/stored.ts';

const cartOfAChair = { options: { items: [chair] } };
const LONG_AGO = '2020-01-01T00:00:00.000000Z';

describe('An Idempotency-Key', () => {
  let service: TestService;
  let merchant: TestMerchant;
  let key: string;
  let count = 0;
  beforeAll(async () => {
    service = await startService();
    merchant = await service.createMerchant();
  });
  beforeEach(() => {
    key = `order-${++count}`;
  });

  const send = (method: string, path: string, body: unknown, { sender = merchant, withKey = key, headers = {} } = {}) =>
    sender.call(method, path, {
      headers: { 'idempotency-key': withKey, ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  const post = (path: string, body: unknown, options = {}) => send('POST', path, body, options);
  const isReplayed = ({ headers }: ApiResponse) => headers.get('idempotency-replayed') === 'true';
  const comparable = ({ status, text, headers }: ApiResponse) => ({
    status,
    text,
    type: headers.get('content-type'),
    language: headers.get('content-language'),
  });
  const rowsOf = (
    table: 'carts' | 'idempotency_keys' | 'idempotency_responses' | 'idempotency_writes',
    merchantId = merchant.merchantId,
  ) => service.database.query.selectFrom(table).selectAll().where('merchantId', '=', merchantId).execute();
  const remainingOf = async (id: string) => (await merchant.get(`/transactions/${id}`)).body.adjustedTotal;
  const sealedWrite = (ordinal: number, result: unknown) =>
    seal(service.database.query, 'idempotency_writes', { merchantId: merchant.merchantId, key, ordinal }, { result });
  /** Changes the stored rows of the key to those after a crash of its process: an expired lease, and the result of its write, if any. */
  const simulateCrash = (result: unknown, leasedUntil: Instant = LONG_AGO) =>
    service.database.write(async (tx) => {
      const ofKey = { merchantId: merchant.merchantId, key };
      await tx.deleteFrom('idempotency_responses').where('key', '=', key).execute();
      await tx.deleteFrom('idempotency_writes').where('key', '=', key).execute();
      await tx.updateTable('idempotency_keys').set({ leasedUntil }).where('key', '=', key).execute();
      if (result === undefined) return;
      await tx
        .insertInto('idempotency_writes')
        .values({ ...ofKey, ordinal: 0, sealed: sealedWrite(0, result) })
        .execute();
    });

  describe('returns the first response again, byte for byte, for', () => {
    const requests: [string, string, (ids: Record<'pending' | 'cart', string>) => [path: string, body: unknown]][] = [
      ['POST /carts', 'POST', () => ['/carts', cartOfAChair]],
      ['POST /aslowas', 'POST', () => ['/aslowas', { customTotal: 50_000 }]],
      ['an action', 'POST', ({ pending }) => [`/transactions/actions/${pending}`, { type: 'authorize' }]],
      ['a shipment update', 'POST', ({ pending }) => [`/transactions/${pending}/shipment`, { carrierName: 'UPS' }]],
      ['a change of the order id', 'PUT', ({ pending }) => [`/transactions/${pending}`, { merchantOrderId: 'M-1' }]],
      ['POST /sandbox/checkouts', 'POST', ({ cart }) => ['/sandbox/checkouts', { cartId: cart }]],
      ['POST /sandbox/clock', 'POST', () => ['/sandbox/clock', { now: new Date().toISOString() }]],
      ['an invalid field', 'POST', () => ['/carts', { options: { customTotal: -1 } }]],
      ['an unknown cart', 'POST', () => ['/sandbox/checkouts', { cartId: '0190a0a0-0000-7000-8000-000000000000' }]],
      ['an invalid transaction id', 'POST', () => ['/transactions/actions/nothing', { type: 'settle' }]],
      ['an action in the wrong state', 'POST', ({ pending }) => [`/transactions/actions/${pending}`, { type: 'refund' }]],
    ];
    it.each(requests)('%s', async (_case, method, requestOf) => {
      const pending = await completeCheckout(merchant);
      const cart = (await createCart(merchant)).id;
      const [path, body] = requestOf({ pending, cart });
      const headers = { 'accept-language': 'es' };

      const first = await send(method, path, body, { headers });
      const second = await send(method, `${path}/`, body);

      expect([isReplayed(first), isReplayed(second)]).toEqual([false, true]);
      expect(comparable(second)).toEqual(comparable(first));
      expect(second.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'));
    });
  });

  it('creates one cart for two requests with a key, and two carts for two requests without a key', async () => {
    const other = await service.createMerchant();
    await post('/carts', cartOfAChair, { sender: other });
    await post('/carts', cartOfAChair, { sender: other });
    expect(await rowsOf('carts', other.merchantId)).toHaveLength(1);
    expect(await rowsOf('idempotency_keys', other.merchantId)).toHaveLength(1);

    await other.post('/carts', cartOfAChair);
    await other.post('/carts', cartOfAChair);
    expect(await rowsOf('carts', other.merchantId)).toHaveLength(3);
    expect(await rowsOf('idempotency_keys', other.merchantId)).toHaveLength(1);
  });

  it('replays a rejection even if the request would succeed now', async () => {
    const id = await completeCheckout(merchant);
    const rejected = await post(`/transactions/actions/${id}`, { type: 'settle' });
    expect(rejected).toMatchObject({ status: 500, body: { code: 'wrong-state' } });
    await merchant.post(`/transactions/actions/${id}`, { type: 'authorize' });

    expect(comparable(await post(`/transactions/actions/${id}`, { type: 'settle' }))).toEqual(comparable(rejected));
    expect((await merchant.get(`/transactions/${id}`)).body.status).toBe('AUTHORIZED');
    expect(await post(`/transactions/actions/${id}`, { type: 'settle' }, { withKey: `${key}-again` })).toMatchObject({
      status: 200,
    });
  });

  it('distinguishes two equal partial refunds with different keys', async () => {
    const { id } = await completeCheckoutAndAct(merchant, [{ type: 'authorize' }, { type: 'settle' }]);
    const refund = { type: 'refund', amount: 10_000 };
    for (const suffix of ['first', 'first', 'second', 'second']) {
      expect(await post(`/transactions/actions/${id}`, refund, { withKey: `${key}-${suffix}` })).toMatchObject({ status: 200 });
    }
    expect(await remainingOf(id)).toBe(75_000 - 20_000);
  });

  it('is scoped to a merchant: another may use the same key', async () => {
    const other = await service.createMerchant();
    const mine = await post('/carts', cartOfAChair);
    const theirs = await post('/carts', cartOfAChair, { sender: other });
    expect([mine.status, theirs.status, isReplayed(theirs)]).toEqual([200, 200, false]);
    expect(theirs.body.id).not.toBe(mine.body.id);
  });

  it.each<[string, string, string, unknown]>([
    ['body', 'POST', '/carts', { options: { customTotal: 50_001 } }],
    ['path', 'POST', '/aslowas', { options: { customTotal: 50_000 } }],
    ['method', 'PUT', '/carts', { options: { customTotal: 50_000 } }],
    ['query', 'POST', '/carts?really=1', { options: { customTotal: 50_000 } }],
  ])('is rejected with 422 for another %s, and the first response remains stored', async (_case, method, path, body) => {
    const first = await post('/carts', { options: { customTotal: 50_000 } });
    expect(await send(method, path, body)).toMatchObject({ status: 422, body: { code: 'idempotency-key-reused', error: true } });
    expect(comparable(await post('/carts', { options: { customTotal: 50_000 } }))).toEqual(comparable(first));
  });

  describe('can be used again after', () => {
    it.each<[string, number, (withKey: string) => Promise<ApiResponse>]>([
      [
        'failed authentication',
        401,
        (withKey) => post('/carts', cartOfAChair, { withKey, headers: { authorization: 'Basic bm8=' } }),
      ],
      ['invalid JSON', 400, (withKey) => post('/carts', '{"options":', { withKey })],
      ['a body that is too large', 413, (withKey) => post('/carts', `{"note":"${'x'.repeat(1_100_000)}"}`, { withKey })],
      ['an unknown path', 404, (withKey) => post('/carts/a/b/c', cartOfAChair, { withKey })],
      ['an unsupported method', 405, (withKey) => send('PUT', '/carts', cartOfAChair, { withKey })],
      ['a GET', 200, (withKey) => merchant.call('GET', `/transactions/${pending}`, { headers: { 'idempotency-key': withKey } })],
    ])('%s', async (_case, status, request) => {
      pending ??= await completeCheckout(merchant);
      expect(await request(key)).toMatchObject({ status });
      const response = await post('/carts', cartOfAChair);
      expect([response.status, isReplayed(response)]).toEqual([200, false]);
    });
    let pending: string;
  });

  it('is released by an internal error, so that a retry is processed', async () => {
    const rename = (from: string, to: string) =>
      service.database.write((tx) => sql.raw(`alter table ${from} rename to ${to}`).execute(tx));
    await rename('carts', 'carts_renamed');
    const failed = await post('/carts', cartOfAChair);
    await rename('carts_renamed', 'carts');
    expect(failed).toMatchObject({ status: 500, body: { description: 'Something went wrong on our side.' } });

    const retried = await post('/carts', cartOfAChair);
    expect([retried.status, isReplayed(retried)]).toEqual([200, false]);
    expect(comparable(await post('/carts', cartOfAChair))).toEqual(comparable(retried));
  });

  describe('is validated:', () => {
    const sendRaw = (keys: string[]) =>
      new Promise<{ status: number; text: string }>((resolve, reject) => {
        const authorization = `Basic ${Buffer.from(`${merchant.apiKey}:${merchant.secret}`).toString('base64')}`;
        const headers = { authorization, 'idempotency-key': keys };
        const request = httpRequest(`${service.publicUrl}/carts`, { method: 'POST', headers }, (response) => {
          let text = '';
          response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
          response.on('end', () => resolve({ status: response.statusCode!, text }));
        });
        request.on('error', reject).end(JSON.stringify(cartOfAChair));
      });
    it.each<[string, string[]]>([
      ['an empty key', ['']],
      ['256 characters', ['k'.repeat(256)]],
      ['a letter beyond ASCII', ['größe']],
      ['a tab', ['a\tb']],
      ['two headers', ['a', 'b']],
      ['the same header twice', ['a', 'a']],
    ])('rejects %s with 400', async (_case, keys) => {
      const { status, text } = await sendRaw(keys);
      expect([status, JSON.parse(text)]).toEqual([
        400,
        expect.objectContaining({ code: 'invalid-request', description: expect.stringMatching(/^Idempotency-Key: expected/) }),
      ]);
    });
    it.each([['k'.repeat(255)], ['!'], ['with a space, "quotes" and ~']])('accepts %s', async (validKey) => {
      expect(await sendRaw([validKey])).toMatchObject({ status: 200 });
    });
  });

  it('responds 409 with Retry-After while the first request is in progress, and changes nothing', async () => {
    const { id } = await completeCheckoutAndAct(merchant, [{ type: 'authorize' }]);
    await post(`/transactions/actions/${id}`, { type: 'cancel', amount: 100 });
    await simulateCrash(undefined, instantOf(Date.now() + 20_000));

    const response = await post(`/transactions/actions/${id}`, { type: 'cancel', amount: 100 });
    expect(response).toMatchObject({ status: 409, body: { code: 'idempotency-key-in-use', error: true } });
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await post('/carts', cartOfAChair)).toMatchObject({ status: 422 });
    expect(await remainingOf(id)).toBe(74_900);
  });

  describe('of a process that crashed between the commit and the response:', () => {
    it('a retry returns the response of the action and changes the amounts once', async () => {
      const { id } = await completeCheckoutAndAct(merchant, [{ type: 'authorize' }]);
      const cancel = { type: 'cancel', amount: 100 };
      const first = await post(`/transactions/actions/${id}`, cancel);
      const row = await storedTransaction(service.database, id);
      await simulateCrash(row);

      const retried = await post(`/transactions/actions/${id}`, cancel);
      expect([comparable(retried), isReplayed(retried)]).toEqual([comparable(first), false]);
      expect(await remainingOf(id)).toBe(74_900);
      expect(isReplayed(await post(`/transactions/actions/${id}`, cancel))).toBe(true);
    });

    it('a retry returns the cart, even if its last day has passed', async () => {
      const body = { ...cartOfAChair, expiration: service.clock.now().slice(0, 10) };
      const { body: first } = await post('/carts', body);
      await simulateCrash(first.id);
      const startedAt = service.clock.now();
      const before = (await rowsOf('carts')).length;

      service.clock.moveTo(plusDays(startedAt, 1));
      const retried = await post('/carts', body);
      service.clock.moveTo(startedAt);
      expect(retried).toMatchObject({ status: 200, body: { id: first.id, url: first.url } });
      expect(await rowsOf('carts')).toHaveLength(before);
    });
  });

  it('does not store the error of a retry that failed before it repeated all writes of the crashed run', async () => {
    const { id } = await completeCheckoutAndAct(merchant, [{ type: 'authorize' }]);
    const settle = { type: 'settle', note: key };
    await post(`/transactions/actions/${id}`, settle);
    await simulateCrash(undefined);
    const row = { merchantId: merchant.merchantId, key, ordinal: 1, sealed: sealedWrite(1, 1) };
    await service.database.write((tx) => tx.insertInto('idempotency_writes').values(row).execute());

    expect(await post(`/transactions/actions/${id}`, settle)).toMatchObject({
      status: 500,
      body: { description: 'Something went wrong on our side.' },
    });
    expect((await rowsOf('idempotency_writes')).length).toBeGreaterThan(0);
    await service.database.write((tx) => tx.deleteFrom('idempotency_writes').execute());
  });

  it('is stored for 72 hours, and can be used for another request afterwards', async () => {
    const first = await post('/carts', cartOfAChair);
    const row = (await rowsOf('idempotency_keys')).find((one) => (one as { key: string }).key === key);
    const expiresInMs = Date.parse((row as { expiresAt: string }).expiresAt) - Date.now();
    expect(Math.round(expiresInMs / 3_600_000)).toBe(72);

    await service.database.write((tx) =>
      tx.updateTable('idempotency_keys').set({ expiresAt: systemClock.now(), leasedUntil: '' }).where('key', '=', key).execute(),
    );
    const reused = await post('/carts', { options: { customTotal: 50_000 } });
    expect([reused.status, isReplayed(reused)]).toEqual([200, false]);
    expect(reused.body.id).not.toBe(first.body.id);
    expect(isReplayed(await post('/carts', { options: { customTotal: 50_000 } }))).toBe(true);
  });

  it('does not expire when the clock of the sandbox is moved, so that a refund happens once', async () => {
    const { id } = await completeCheckoutAndAct(merchant, [{ type: 'authorize' }, { type: 'settle' }]);
    const startedAt = service.clock.now();
    const refund = () => post(`/transactions/actions/${id}`, { type: 'refund', amount: 2_500 });
    try {
      expect((await refund()).body).toMatchObject({ adjustedTotal: 72_500 });
      service.clock.moveTo(plusMs(startedAt, 30 * 24 * 3_600_000));
      expect(isReplayed(await refund())).toBe(true);
      expect((await merchant.get(`/transactions/${id}`)).body).toMatchObject({ adjustedTotal: 72_500 });
    } finally {
      service.clock.moveTo(startedAt);
    }
  });

  it('is deleted after it expires, unless a request is using it', async () => {
    const other = await service.createMerchant();
    for (let index = 0; index < 130; index++)
      await post('/aslowas', { customTotal: 50_000 }, { sender: other, withKey: `k${index}` });
    const keys = () => rowsOf('idempotency_keys', other.merchantId);
    expect(await keys()).toHaveLength(130);
    await service.database.write(async (tx) => {
      const inUse = plusMs(systemClock.now(), 74 * 3_600_000);
      await tx.updateTable('idempotency_keys').set({ leasedUntil: '' }).execute();
      await tx.updateTable('idempotency_keys').set({ leasedUntil: inUse }).where('key', '=', 'k7').execute();
      await tx.deleteFrom('idempotency_responses').where('key', '=', 'k7').execute();
    });
    await post('/carts', cartOfAChair, { sender: other, withKey: 'with a write' });
    expect(await rowsOf('idempotency_writes', other.merchantId)).toHaveLength(1);

    await deleteExpiredKeys(service.database, plusMs(systemClock.now(), 71 * 3_600_000));
    expect(await keys()).toHaveLength(131);
    expect(await rowsOf('idempotency_writes', other.merchantId)).toEqual([]);
    expect(isReplayed(await post('/carts', cartOfAChair, { sender: other, withKey: 'with a write' }))).toBe(true);
    await service.database.write((tx) =>
      tx.updateTable('idempotency_keys').set({ leasedUntil: '' }).where('key', '!=', 'k7').execute(),
    );
    await deleteExpiredKeys(service.database, plusMs(systemClock.now(), 73 * 3_600_000));
    expect((await keys()).map((row) => (row as { key: string }).key)).toEqual(['k7']);
    expect(await rowsOf('idempotency_responses', other.merchantId)).toEqual([]);
  });
});
