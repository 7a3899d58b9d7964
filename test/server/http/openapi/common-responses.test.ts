/** Responses that many operations have in common. The tests of the features cover the other ones. */
import { queryOf } from './query-of.ts';
import { randomUUID } from 'node:crypto';
import pino from 'pino';
import { beforeAll, describe, expect, it } from 'vitest';
import type { ErrorCode } from '../../../../server/base/errors.ts';
import { serve } from '../../../../server/main.ts';
import type { Operation } from '../../../../server/http/openapi/operation.ts';
import { operationsIn } from '../../../../server/http/openapi/document.ts';
import { plusDays, systemClock } from '../../../../server/base/time.ts';
import { onCleanup } from '../../../support/cleanup.ts';
import { enableConformanceChecks } from '../../../support/conformance.ts';
import { createDatabaseUrl } from '../../../support/databases.ts';
import { outwardAddress } from '../../../support/network.mjs';
import {
  type ApiResponse,
  fetchResponse,
  noLimits,
  requestToken,
  startService,
  type TestMerchant,
  widgetFolder,
} from '../../../support/service.ts';
import { testConfig } from '../../../support/data-keys.ts';

const operations = operationsIn('sandbox');
const merchantOperations = operations.filter(({ auth }) => auth === 'key-pair');
const platformOperations = operations.filter(({ auth }) => auth === 'bearer-token');
const clientOperations = operations.filter(({ auth }) => auth === 'token-client');
const writeOperations = merchantOperations.filter(({ method }) => method === 'post' || method === 'put');
const operationsWithBody = [...writeOperations, ...clientOperations].filter(({ ignoresBody }) => !ignoresBody);
const cartOperations = operations.filter(({ errors }) => errors.includes('cart-not-found'));
const transactionOperations = operations.filter(({ errors }) => errors.includes('transaction-not-found'));
const operationsWithInternalError = operations.filter(({ hasNoInternalError }) => !hasNoInternalError);

/** Returns a path of the operation with ids that do not exist. */
const pathOf = ({ path }: Operation) => path.replace(/\{\w+\}/g, () => randomUUID());
const methodOf = ({ method }: Operation) => method.toUpperCase();
const isForm = ({ request }: Operation) => request?.contentType === 'application/x-www-form-urlencoded';
const bodyOf = (operation: Operation): RequestInit => {
  const [example] = Object.values(operation.request?.examples ?? {});
  if (!example) return {};
  return {
    body: isForm(operation) ? new URLSearchParams(example.value as Record<string, string>) : JSON.stringify(example.value),
  };
};
/** Returns a request without credentials. */
const requestWithoutCredentials = (operation: Operation): RequestInit =>
  isForm(operation) ? { body: new URLSearchParams({ grant_type: 'client_credentials' }) } : {};

/** Returns the error code of a response in the format of the operation. */
const errorCodeIn = ({ errorStyle = 'merchant' }: Operation, { body }: ApiResponse): string =>
  ({ merchant: body.code, platform: body.reason, oauth: body.error })[errorStyle];

const formatCode = ({ errorStyle }: Operation, code: ErrorCode): string => {
  if (errorStyle === 'oauth') return code === 'unauthenticated' ? 'invalid_client' : 'invalid_request';
  return errorStyle === 'platform' ? code.toUpperCase().replaceAll('-', '_') : code;
};

const service = await startService();
const merchant = await service.createMerchant({ origins: ['https://shop.example'] });

describe('Without a key pair', () => {
  it.each([...merchantOperations, ...clientOperations])('$id responds with 401', async (operation) => {
    const response = await fetchResponse(service.publicUrl + pathOf(operation), {
      method: methodOf(operation),
      ...requestWithoutCredentials(operation),
    });
    expect([response.status, errorCodeIn(operation, response)]).toEqual([401, formatCode(operation, 'unauthenticated')]);
  });
});

describe('After too many failed logins', () => {
  it.each([...merchantOperations, ...clientOperations, ...platformOperations])('$id responds with 429', async (operation) => {
    const limited = await startService('sqlite', { limits: { ...noLimits, failedLoginsPerAddress: 1 } });
    const callWithoutCredentials = () =>
      fetchResponse(limited.publicUrl + pathOf(operation), {
        method: methodOf(operation),
        ...requestWithoutCredentials(operation),
      });
    expect((await callWithoutCredentials()).status).toBe(401);

    const response = await callWithoutCredentials();

    expect(response.status).toBe(429);
    expect(response.headers.get('retry-after')).toMatch(/^\d+$/);
  });
});

describe('Without a token', () => {
  it.each(platformOperations)('$id responds with 401', async (operation) => {
    const response = await merchant.call(methodOf(operation), pathOf(operation));
    expect(response).toMatchObject({ status: 401, body: { reason: 'TOKEN_MISSING' } });
  });
});

describe('With an unknown parameter', () => {
  it.each(platformOperations)('$id responds with 400', async (operation) => {
    const headers = { authorization: `Bearer ${await requestToken(service.publicUrl, merchant)}` };
    const response = await fetchResponse(`${service.publicUrl}${pathOf(operation)}?unknown=1`, { headers });
    expect([response.status, errorCodeIn(operation, response)]).toEqual([400, formatCode(operation, 'invalid-parameter')]);
  });
});

describe('With invalid JSON', () => {
  it.each(operationsWithBody)('$id responds with 400', async (operation) => {
    const response = await merchant.call(methodOf(operation), pathOf(operation), { body: '{"' });
    expect([response.status, errorCodeIn(operation, response)]).toEqual([400, formatCode(operation, 'invalid-request')]);
  });
});

const LONG = 'x'.repeat(1_100_000);

describe('With a body of more than 1 MB', () => {
  it.each(operationsWithBody)('$id responds with 413', async (operation) => {
    const response = await merchant.call(methodOf(operation), pathOf(operation), {
      body: isForm(operation) ? new URLSearchParams({ scope: LONG }) : JSON.stringify(LONG),
    });
    expect([response.status, errorCodeIn(operation, response)]).toEqual([413, formatCode(operation, 'body-too-large')]);
  });
});

describe('With an unknown content encoding', () => {
  it.each(operationsWithBody.filter((operation) => !isForm(operation)))('$id responds with 415', async (operation) => {
    const init = { ...bodyOf(operation), headers: { 'content-encoding': 'zip' } };
    const response = await merchant.call(methodOf(operation), pathOf(operation), init);
    expect([response.status, errorCodeIn(operation, response)]).toEqual([415, formatCode(operation, 'unsupported-encoding')]);
  });
});

describe('With an idempotency key', () => {
  const call = (operation: Operation, key: string, path = pathOf(operation)) =>
    merchant.call(methodOf(operation), path, { ...bodyOf(operation), headers: { 'idempotency-key': key } });

  it.each(writeOperations)('$id responds with 400 if the key is invalid', async (operation) => {
    expect(await call(operation, 'k'.repeat(256))).toMatchObject({ status: 400, body: { code: 'invalid-request' } });
  });

  it.each(writeOperations)('$id responds with 422 if the key belongs to another request', async (operation) => {
    const key = randomUUID();
    await merchant.call('PUT', `/transactions/${randomUUID()}`, { headers: { 'idempotency-key': key }, body: '{}' });
    expect(await call(operation, key)).toMatchObject({ status: 422, body: { code: 'idempotency-key-reused' } });
  });

  it.each(writeOperations)('$id responds with 409 while the first request with the key is in progress', async (operation) => {
    const key = randomUUID();
    const path = pathOf(operation);
    await call(operation, key, path);
    // The state while the first request is in progress.
    await service.database.write(async (tx) => {
      await tx.deleteFrom('idempotency_responses').where('key', '=', key).execute();
      const lease = { leasedUntil: plusDays(systemClock.now(), 1) };
      await tx.updateTable('idempotency_keys').set(lease).where('key', '=', key).execute();
    });
    const response = await call(operation, key, path);
    expect(response).toMatchObject({ status: 409, body: { code: 'idempotency-key-in-use' } });
    expect(response.headers.get('retry-after')).toMatch(/^\d+$/);
  });
});

describe('With an id that does not exist', () => {
  it.each(operations.filter(({ errors }) => errors.includes('application-not-found')))(
    '$id responds with 404',
    async (operation) => {
      const headers = { authorization: `Bearer ${await requestToken(service.publicUrl, merchant)}` };
      const response = await fetchResponse(service.publicUrl + pathOf(operation), { headers });
      expect([response.status, errorCodeIn(operation, response)]).toEqual([404, formatCode(operation, 'application-not-found')]);
    },
  );

  it.each(cartOperations)('$id responds with 404', async (operation) => {
    const response = await merchant.call(methodOf(operation), pathOf(operation), bodyOf(operation));
    expect(response).toMatchObject({ status: 404, body: { code: 'cart-not-found' } });
  });

  it.each(operations.filter(({ errors }) => errors.includes('webhook-not-found')))('$id responds with 404', async (operation) => {
    const response = await merchant.call(methodOf(operation), pathOf(operation), bodyOf(operation));
    expect(response).toMatchObject({ status: 404, body: { code: 'webhook-not-found' } });
  });

  it.each(transactionOperations)('$id responds with 500', async (operation) => {
    const response = await merchant.call(methodOf(operation), pathOf(operation), bodyOf(operation));
    expect(response).toMatchObject({ status: 500, body: { description: 'Transaction ID was invalid' } });
    expect(response.body).not.toHaveProperty('code');
  });
});

describe('With an id that does not exist and fairterm-version 2', () => {
  it.each(transactionOperations)('$id responds with 404', async (operation) => {
    const init = { ...bodyOf(operation), headers: { 'fairterm-version': '2' } };
    const response = await merchant.call(methodOf(operation), pathOf(operation), init);
    const { description, code } = response.body;
    expect([response.status, description, code]).toEqual([404, 'Transaction ID was invalid', 'transaction-not-found']);
  });
});

describe('With an unknown fairterm-version', () => {
  it.each(merchantOperations)('$id responds with 400', async (operation) => {
    const init = { ...bodyOf(operation), headers: { 'fairterm-version': '3' } };
    const response = await merchant.call(methodOf(operation), pathOf(operation), init);
    expect(response).toMatchObject({ status: 400, body: { code: 'invalid-request' } });
    expect(response.body.description).toBe('fairterm-version: expected 1 or 2, but received "3"');
  });
});

describe('With the ETag of a previous response', () => {
  it.each(operations.filter(({ responses }) => 304 in responses))('$id responds with 304', async (operation) => {
    const path = `${pathOf(operation)}${queryOf(operation, merchant.apiKey)}`;
    const etag = (await merchant.get(path)).headers.get('etag')!;
    // Without this header, fetch sends `cache-control: no-cache`.
    const response = await merchant.call('GET', path, { headers: { 'if-none-match': etag, 'cache-control': 'max-age=0' } });
    expect([response.status, response.text]).toEqual([304, '']);
  });
});

describe('With a closed database', () => {
  let baseUrl: string;
  let call: TestMerchant['call'];
  let token: string;
  beforeAll(async () => {
    const closed = await startService();
    const other = await closed.createMerchant();
    token = await requestToken(closed.publicUrl, other);
    await closed.database.close();
    baseUrl = closed.publicUrl;
    call = (method, path, init) =>
      // The credentials of OAuth clients are in the body.
      path === '/oauth/token'
        ? fetchResponse(baseUrl + path, { method, ...init })
        : other.call(method, `${path}?key=${other.apiKey}`, {
            ...init,
            headers: new Headers([...new Headers(init?.headers), ['origin', 'https://shop.example']]),
          });
  });

  it.each(operationsWithInternalError)('$id responds with 500 without details of the error', async (operation) => {
    const response = await (operation.auth === 'bearer-token'
      ? fetchResponse(baseUrl + pathOf(operation), { headers: { authorization: `Bearer ${token}` } })
      : call(methodOf(operation), pathOf(operation), bodyOf(operation)));
    expect([response.status, response.text]).toEqual([500, expect.stringContaining('"Something went wrong on our side."')]);
  });

  it('isReady responds with 503 and isAlive with 200', async () => {
    expect((await fetchResponse(`${baseUrl}/readyz`)).status).toBe(503);
    expect((await fetchResponse(`${baseUrl}/healthz`)).status).toBe(200);
  });
});

describe.skipIf(outwardAddress === undefined)('Over plain HTTP through a network', () => {
  let baseUrl: string;
  beforeAll(async () => {
    const databaseUrl = await createDatabaseUrl('sqlite');
    const config = { ...testConfig, host: '0.0.0.0', port: 0, databaseUrl };
    const outward = await serve(config, widgetFolder, { log: pino({ enabled: false }) });
    onCleanup(() => outward.close());
    const { port } = new URL(outward.publicUrl);
    baseUrl = `http://${outwardAddress}:${port}`;
    enableConformanceChecks(baseUrl, config.mode);
  });

  it.each(operations)('$id responds with 403', async (operation) => {
    const response = await fetchResponse(baseUrl + pathOf(operation), { method: methodOf(operation) });
    expect([response.status, errorCodeIn(operation, response)]).toEqual([403, formatCode(operation, 'https-required')]);
  });
});
