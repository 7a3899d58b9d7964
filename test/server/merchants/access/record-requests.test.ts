import { expect, it } from 'vitest';
import { WriteBuffer } from '../../../../server/db/write-buffer.ts';
import { newId, timeOfId } from '../../../../server/base/ids.ts';
import { keyIdOf } from '../../../../server/merchants/keys.ts';
import { createMerchant } from '../../../../server/merchants/merchants.ts';
import { findRequest, listRequests, type MerchantRequest, saveRequests } from '../../../../server/merchants/requests/store.ts';
import { sweepOnce } from '../../../../server/operations/retention/sweep.ts';
import { epochMs, plusDays, systemClock } from '../../../../server/base/time.ts';
import { startApp } from '../../../support/app.ts';
import { testConfig } from '../../../support/data-keys.ts';
import { createDatabase, describeOnEveryEngine } from '../../../support/databases.ts';
import { type ApiResponse, fetchResponse } from '../../../support/service.ts';

const cart = { options: { customTotal: 75_000 } };

describeOnEveryEngine('The record of requests', async (engine) => {
  const database = await createDatabase(engine);
  /** No job saves them. */
  const unsaved = new WriteBuffer<MerchantRequest>(saveRequests);
  const app = await startApp(database, { merchantRequests: unsaved });

  const call = (method: string, path: string, { merchant = app.authorization, body = '{}', key = '' } = {}) =>
    fetchResponse(app.publicUrl + path, {
      method,
      headers: { authorization: merchant, ...(key && { 'idempotency-key': key }) },
      ...(method !== 'GET' && { body }),
    });
  const idOf = ({ headers }: ApiResponse) => headers.get('x-request-id')!;
  const recordOf = (response: ApiResponse) => findRequest(database.query, app.merchantId, idOf(response));
  const savedRecordOf = async (response: ApiResponse) => {
    await unsaved.save(database);
    return recordOf(response);
  };
  const createOther = async () => {
    const merchant = { name: 'Other', storeUrl: 'https://other.example/', origins: [] };
    const { merchantId, apiKey, secret } = await createMerchant(database, 'sandbox', merchant, systemClock.now());
    return { merchantId, authorization: `Basic ${Buffer.from(`${apiKey}:${secret}`).toString('base64')}` };
  };

  it('has the time, method, path, status and key of a request that succeeded, as soon as its effect is committed', async () => {
    const response = await app.post('/carts', cart);

    expect(await recordOf(response)).toEqual({
      id: idOf(response),
      merchantId: app.merchantId,
      keyId: keyIdOf(app.apiKey),
      method: 'POST',
      path: '/carts',
      status: 200,
      code: null,
    });
    expect(Math.abs(epochMs(timeOfId(idOf(response))) - Date.now())).toBeLessThan(60_000);
  });

  it('has each request once that writes several times', async () => {
    const { body } = await app.post('/carts', cart);
    const unkeyed = await app.post('/sandbox/checkouts', { cartId: body.id });
    const { body: other } = await app.post('/carts', cart);
    const keyed = await call('POST', '/sandbox/checkouts', { key: newId(), body: JSON.stringify({ cartId: other.id }) });
    const keyedCart = await call('POST', '/carts', { key: newId(), body: JSON.stringify(cart) });

    expect(await recordOf(unkeyed)).toMatchObject({ path: '/sandbox/checkouts', status: 200 });
    expect(await recordOf(keyed)).toMatchObject({ path: '/sandbox/checkouts', status: 200 });
    expect(await recordOf(keyedCart)).toMatchObject({ path: '/carts', status: 200 });
  });

  it('has the code and status of a rejected request, whether its error was stored under an idempotency key or not', async () => {
    const { body } = await app.post('/carts', cart);
    const { body: checkout } = await app.post('/sandbox/checkouts', { cartId: body.id });
    const path = `/transactions/actions/${checkout.transactionId}`;
    const action = { body: '{"type":"refund"}' };

    const rejected = await call('POST', path, action);
    expect(await recordOf(rejected)).toBeUndefined();
    expect(await savedRecordOf(rejected)).toMatchObject({ method: 'POST', path, status: 500, code: 'wrong-state' });
    const keyed = await call('POST', path, { ...action, key: newId() });
    expect(await savedRecordOf(keyed)).toMatchObject({ path, status: 500, code: 'wrong-state' });
    const unreadable = await call('PUT', `/transactions/${checkout.transactionId}`, { body: '{' });
    expect(await savedRecordOf(unreadable)).toMatchObject({ method: 'PUT', status: 400, code: 'invalid-request' });
  });

  it('has the status of a request without content', async () => {
    const { body } = await app.post('/webhooks', { url: 'https://shop.example/events' });

    const deleted = await call('DELETE', `/webhooks/${body.id}`);

    expect(deleted.status).toBe(204);
    expect(await savedRecordOf(deleted)).toMatchObject({
      method: 'DELETE',
      path: `/webhooks/${body.id}`,
      status: 204,
      code: null,
    });
  });

  it('has neither the query nor parts of the path that may be personal data or secrets', async () => {
    const path = '/transactions/actions/ada@example.com';
    const response = await call('POST', `${path}?secret=abc`);
    expect(await savedRecordOf(response)).toMatchObject({ path: '/transactions/actions/…', code: 'invalid-request' });
    const long = await call('POST', `/carts/${'x'.repeat(500)}`);
    expect(await savedRecordOf(long)).toMatchObject({ path: '/carts/…', code: 'method-not-allowed' });
  });

  it('has no requests that only read, and none of callers that are not merchants', async () => {
    const count = async () => (await database.query.selectFrom('merchant_requests').select('id').execute()).length;
    await unsaved.save(database);
    const before = await count();
    await call('GET', '/carts/unknown');
    await call('POST', '/carts', { merchant: 'Basic eDp5' });
    await fetchResponse(`${app.publicUrl}/nowhere`, { method: 'POST' });
    await unsaved.save(database);
    expect(await count()).toBe(before);
  });

  it('has 20 requests in a minute of each merchant with the same result, if they changed nothing', async () => {
    const { merchantId, authorization: merchant } = await createOther();
    for (let count = 0; count < 25; count += 1) {
      await call('POST', '/carts/unknown/expire', { merchant });
      await call('POST', '/aslowas', { merchant, body: '{"customTotal":75000}' });
    }
    for (let count = 0; count < 25; count += 1) await call('POST', '/carts', { merchant, body: JSON.stringify(cart) });
    await unsaved.save(database);

    const recorded = await listRequests(database.query, merchantId, { onlyFailed: false, limit: 200 });
    const countOf = (path: string) => recorded.filter((request) => request.path === path).length;
    expect([countOf('/carts/unknown/expire'), countOf('/aslowas'), countOf('/carts')]).toEqual([20, 20, 25]);
    const failed = await listRequests(database.query, merchantId, { onlyFailed: true, limit: 200 });
    expect(new Set(failed.map(({ code }) => code))).toEqual(new Set(['cart-not-found']));
  });

  it('is deleted after 7 days', async () => {
    const response = await app.post('/carts', cart);
    const { id, ...request } = (await recordOf(response))!;
    const sweepAfter = (days: number) =>
      sweepOnce({
        database,
        realClock: { now: () => plusDays(timeOfId(id), days) },
        retention: { ...testConfig.retention, securityEventDays: 3_650 },
        onError: (thrown) => expect.unreachable(String(thrown)),
      });

    await sweepAfter(6.99);
    expect(await recordOf(response)).toMatchObject(request);
    await database.write((tx) => saveRequests(tx, [{ ...request, id: newId() }]));
    expect((await sweepAfter(7.001)).merchantRequests).toBeGreaterThan(0);
    expect(await recordOf(response)).toBeUndefined();
  });
});
