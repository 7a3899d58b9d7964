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
import { alterDatabase, createDatabaseUrl } from '../../../support/databases.ts';
import { outwardAddress } from '../../../support/network.mjs';
import {
  type ApiResponse,
  fetchResponse,
  noLimits,
  requestToken,
  startService,
  type TestService,
  widgetFolder,
} from '../../../support/service.ts';
import { testConfig } from '../../../support/data-keys.ts';

const operations = operationsIn('sandbox');
const merchantOperations = operations.filter(({ auth }) => auth === 'key-pair');
const platformOperations = operations.filter(({ auth }) => auth === 'bearer-token');
const clientOperations = operations.filter(({ auth }) => auth === 'token-client');
const writeOperations = merchantOperations.filter(({ method }) => method === 'post' || method === 'put');
const operationsWithBody = [...writeOperations, ...clientOperations].filter(({ ignoresBody }) => !ignoresBody);
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

const oauthCodes: Partial<Record<ErrorCode, string>> = {
  unauthenticated: 'invalid_client',
  'database-unavailable': 'temporarily_unavailable',
};
const formatCode = ({ errorStyle }: Operation, code: ErrorCode): string => {
  if (errorStyle === 'oauth') return oauthCodes[code] ?? 'invalid_request';
  return errorStyle === 'platform' ? code.toUpperCase().replaceAll('-', '_') : code;
};

const service = await startService();
const merchant = await service.createMerchant({ origins: ['https://shop.example'] });

/** Sends the example of an operation with the key pair of the merchant. `init` overrides parts of the request. */
const call = (operation: Operation, init: RequestInit = {}, path = pathOf(operation)) =>
  merchant.call(methodOf(operation), path, { ...bodyOf(operation), ...init });
const callWithToken = async (operation: Operation, query = '') => {
  const headers = { authorization: `Bearer ${await requestToken(service.publicUrl, merchant)}` };
  return fetchResponse(`${service.publicUrl}${pathOf(operation)}${query}`, { headers });
};
const operationsWith = (code: ErrorCode) => operations.filter(({ errors }) => errors.includes(code));
const LONG = 'x'.repeat(1_100_000);

describe.each<[string, readonly Operation[], (operation: Operation) => Promise<ApiResponse>, `${number} ${ErrorCode}`]>([
  [
    'without a token',
    platformOperations,
    (operation) => merchant.call(methodOf(operation), pathOf(operation)),
    '401 token-missing',
  ],
  [
    'with an unknown parameter',
    platformOperations,
    (operation) => callWithToken(operation, '?unknown=1'),
    '400 invalid-parameter',
  ],
  ['with invalid JSON', operationsWithBody, (operation) => call(operation, { body: '{"' }), '400 invalid-request'],
  [
    'with a body of more than 1 MB',
    operationsWithBody,
    (operation) => call(operation, { body: isForm(operation) ? new URLSearchParams({ scope: LONG }) : JSON.stringify(LONG) }),
    '413 body-too-large',
  ],
  [
    'with an unknown content encoding',
    operationsWithBody.filter((operation) => !isForm(operation)),
    (operation) => call(operation, { headers: { 'content-encoding': 'zip' } }),
    '415 unsupported-encoding',
  ],
  ['with an unknown id', operationsWith('application-not-found'), callWithToken, '404 application-not-found'],
  ['with an unknown id', operationsWith('cart-not-found'), call, '404 cart-not-found'],
  ['with an unknown id', operationsWith('webhook-not-found'), call, '404 webhook-not-found'],
  [
    'with an unknown id and fairterm-version 2',
    transactionOperations,
    (operation) => call(operation, { headers: { 'fairterm-version': '2' } }),
    '404 transaction-not-found',
  ],
  [
    'with an unknown fairterm-version',
    merchantOperations,
    (operation) => call(operation, { headers: { 'fairterm-version': '3' } }),
    '400 invalid-request',
  ],
])('A request %s', (_title, operationsOfCase, send, outcome) => {
  it.each(operationsOfCase)(`to $id is responded to with ${outcome}`, async (operation) => {
    const response = await send(operation);
    const [status, code] = outcome.split(' ') as [string, ErrorCode];
    expect([response.status, errorCodeIn(operation, response)]).toEqual([Number(status), formatCode(operation, code)]);
  });
});

describe('A request without credentials', () => {
  it.each([...merchantOperations, ...clientOperations, ...platformOperations])(
    'to $id is responded to with 401, and with 429 after too many of them',
    async (operation) => {
      const limited = await startService('sqlite', { limits: { ...noLimits, failedLoginsPerAddress: 1 } });
      const callWithoutCredentials = () =>
        fetchResponse(limited.publicUrl + pathOf(operation), {
          method: methodOf(operation),
          ...requestWithoutCredentials(operation),
        });
      const first = await callWithoutCredentials();
      const code = operation.auth === 'bearer-token' ? 'token-missing' : 'unauthenticated';
      expect([first.status, errorCodeIn(operation, first)]).toEqual([401, formatCode(operation, code)]);
      const second = await callWithoutCredentials();
      expect([second.status, second.headers.get('retry-after')]).toEqual([429, expect.stringMatching(/^\d+$/)]);
    },
  );
});

describe.each(['PATCH', 'PROPFIND'])('To the unsupported method %s', (method) => {
  const others = operations.filter(({ path }) => !operations.some((each) => each.path === path && methodOf(each) === method));
  it.each(others)('the path of $id responds 405 with the methods that it supports', async (operation) => {
    const bearer = async () => ({ authorization: `Bearer ${await requestToken(service.publicUrl, merchant)}` });
    const headers = operation.auth === 'bearer-token' ? await bearer() : {};
    const response = await merchant.call(method, pathOf(operation), { headers });

    expect([response.status, errorCodeIn(operation, response)]).toEqual([405, formatCode(operation, 'method-not-allowed')]);
    expect(response.headers.get('allow')?.split(', ')).toContain(methodOf(operation));
  });
});

describe('With an idempotency key', () => {
  const callWithKey = (operation: Operation, key: string, path = pathOf(operation)) =>
    call(operation, { headers: { 'idempotency-key': key } }, path);

  it.each(writeOperations)('$id responds with 400 if the key is invalid', async (operation) => {
    expect(await callWithKey(operation, 'k'.repeat(256))).toMatchObject({ status: 400, body: { code: 'invalid-request' } });
  });

  it.each(writeOperations)('$id responds with 422 if the key belongs to another request', async (operation) => {
    const key = randomUUID();
    await merchant.call('PUT', `/transactions/${randomUUID()}`, { headers: { 'idempotency-key': key }, body: '{}' });
    expect(await callWithKey(operation, key)).toMatchObject({ status: 422, body: { code: 'idempotency-key-reused' } });
  });

  it.each(writeOperations)('$id responds with 409 while the first request with the key is in progress', async (operation) => {
    const key = randomUUID();
    const path = pathOf(operation);
    await callWithKey(operation, key, path);
    // The state while the first request is in progress.
    await service.database.write(async (tx) => {
      await tx.deleteFrom('idempotency_responses').where('key', '=', key).execute();
      const lease = { leasedUntil: plusDays(systemClock.now(), 1) };
      await tx.updateTable('idempotency_keys').set(lease).where('key', '=', key).execute();
    });
    const response = await callWithKey(operation, key, path);
    expect(response).toMatchObject({ status: 409, body: { code: 'idempotency-key-in-use' } });
    expect(response.headers.get('retry-after')).toMatch(/^\d+$/);
  });
});

it.each(transactionOperations)('$id with an unknown id responds with 500, without a code', async (operation) => {
  const response = await call(operation);
  expect(response).toMatchObject({ status: 500, body: { description: 'Transaction ID was invalid' } });
  expect(response.body).not.toHaveProperty('code');
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

/** Returns a function that sends the example of an operation with the credentials of a merchant of another service. */
async function callerOf(other: TestService): Promise<(operation: Operation) => Promise<ApiResponse>> {
  const { publicUrl } = other;
  const caller = await other.createMerchant({ origins: ['https://shop.example'] });
  const authorization = `Bearer ${await requestToken(publicUrl, caller)}`;
  return (operation) => {
    const path = pathOf(operation);
    const method = methodOf(operation);
    const { body = null } = bodyOf(operation);
    if (operation.auth === 'bearer-token') return fetchResponse(publicUrl + path, { headers: { authorization } });
    // The credentials of OAuth clients are in the body.
    if (path === '/oauth/token') return fetchResponse(publicUrl + path, { method, body });
    return caller.call(method, `${path}?key=${caller.apiKey}`, { body, headers: { origin: 'https://shop.example' } });
  };
}

describe('With a closed database', () => {
  let baseUrl: string;
  let send: (operation: Operation) => Promise<ApiResponse>;
  beforeAll(async () => {
    const closed = await startService();
    send = await callerOf(closed);
    await closed.database.close();
    baseUrl = closed.publicUrl;
  });

  it.each(operationsWithInternalError)('$id responds with 500 without details of the error', async (operation) => {
    const { status, text } = await send(operation);
    expect([status, text]).toEqual([500, expect.stringContaining('"Something went wrong on our side."')]);
  });

  it('isReady responds with 503 and isAlive with 200', async () => {
    expect((await fetchResponse(`${baseUrl}/readyz`)).status).toBe(503);
    expect((await fetchResponse(`${baseUrl}/healthz`)).status).toBe(200);
  });
});

describe('With a database that refuses connections', () => {
  let send: (operation: Operation) => Promise<ApiResponse>;
  beforeAll(async () => {
    // These requests must not count as failed logins, which are limited.
    const away = await startService('postgres', { limits: { ...noLimits, failedLoginsPerAddress: 1 } });
    send = await callerOf(away);
    await alterDatabase(away.databaseUrl, 'allow_connections false');
  });

  it.each(operationsWithInternalError)('$id responds with 503 and the time after which to retry', async (operation) => {
    const response = await send(operation);
    expect([response.status, errorCodeIn(operation, response)]).toEqual([503, formatCode(operation, 'database-unavailable')]);
    expect(response.headers.get('retry-after')).toBe('5');
    expect(response.headers.get('www-authenticate')).toBeNull();
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
