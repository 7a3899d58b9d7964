/** Every operation gives each answer that any of its kind can give; the answers of its own, the tests of its room ask for. */
import { queryOf } from './query-of.ts';
import { randomUUID } from 'node:crypto';
import pino from 'pino';
import { beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '../../../server/config/config.ts';
import type { ErrorCode } from '../../../server/errors.ts';
import { serve } from '../../../server/main.ts';
import type { Operation } from '../../../server/openapi/operation.ts';
import { operationsIn } from '../../../server/openapi/document.ts';
import { plusDays, systemClock } from '../../../server/time.ts';
import { onCleanup } from '../../support/cleanup.ts';
import { checkAnswersOf } from '../../support/conformance.ts';
import { createDatabaseUrl } from '../../support/databases.ts';
import { outwardAddress } from '../../support/network.mjs';
import {
  type Answer,
  fetchAnswer,
  noLimits,
  requestToken,
  startService,
  type TestMerchant,
  type TestService,
  widgetFolder,
} from '../../support/service.ts';

const operations = operationsIn('sandbox');
const merchants = operations.filter(({ caller }) => caller === 'merchant');
const platforms = operations.filter(({ caller }) => caller === 'platform');
const clients = operations.filter(({ caller }) => caller === 'client');
const writes = merchants.filter(({ method }) => method !== 'get');
const withBody = [...writes, ...clients].filter(({ ignoresBody }) => !ignoresBody);
const ofCarts = operations.filter(({ errors }) => errors.includes('cart-not-found'));
const ofTransactions = operations.filter(({ errors }) => errors.includes('transaction-not-found'));
const needingMore = operations.filter(({ cannotFail }) => !cannotFail);

/** A path of the operation, with ids that name nothing. */
const pathOf = ({ path }: Operation) => path.replace(/\{\w+\}/g, () => randomUUID());
const methodOf = ({ method }: Operation) => method.toUpperCase();
const isForm = ({ request }: Operation) => request?.type === 'application/x-www-form-urlencoded';
const bodyOf = (operation: Operation): RequestInit => {
  const [example] = Object.values(operation.request?.examples ?? {});
  if (!example) return {};
  return {
    body: isForm(operation) ? new URLSearchParams(example.value as Record<string, string>) : JSON.stringify(example.value),
  };
};
/** What a client sends who says nothing of itself. */
const withoutPair = (operation: Operation): RequestInit =>
  isForm(operation) ? { body: new URLSearchParams({ grant_type: 'client_credentials' }) } : {};

/** What an answer says of a refusal, in the words of its operation. */
const refusalIn = ({ wording = 'merchant' }: Operation, { body }: Answer): string =>
  ({ merchant: body.code, platform: body.reason, oauth: body.error })[wording];

const worded = ({ wording }: Operation, refusal: ErrorCode): string => {
  if (wording === 'oauth') return refusal === 'unauthenticated' ? 'invalid_client' : 'invalid_request';
  return wording === 'platform' ? refusal.toUpperCase().replaceAll('-', '_') : refusal;
};

let service: TestService;
let merchant: TestMerchant;
beforeAll(async () => {
  service = await startService();
  merchant = await service.createMerchant({ origins: ['https://shop.example'] });
});

describe('Without a key pair', () => {
  it.each([...merchants, ...clients])('$id is answered 401', async (operation) => {
    const answer = await fetchAnswer(service.publicUrl + pathOf(operation), {
      method: methodOf(operation),
      ...withoutPair(operation),
    });
    expect([answer.status, refusalIn(operation, answer)]).toEqual([401, worded(operation, 'unauthenticated')]);
  });
});

describe('After too many failed logins', () => {
  it.each([...merchants, ...clients])('$id is answered 429', async (operation) => {
    const limited = await startService('sqlite', { limits: { ...noLimits, failedLoginsPerAddress: 1 } });
    const callWithout = () =>
      fetchAnswer(limited.publicUrl + pathOf(operation), { method: methodOf(operation), ...withoutPair(operation) });
    expect((await callWithout()).status).toBe(401);

    const answer = await callWithout();

    expect(answer.status).toBe(429);
    expect(answer.headers.get('retry-after')).toMatch(/^\d+$/);
  });
});

describe('Without a token', () => {
  it.each(platforms)('$id is answered 401', async (operation) => {
    const answer = await merchant.call(methodOf(operation), pathOf(operation));
    expect(answer).toMatchObject({ status: 401, body: { reason: 'TOKEN_MISSING' } });
  });
});

describe('Without JSON', () => {
  it.each(withBody)('$id is answered 400', async (operation) => {
    const answer = await merchant.call(methodOf(operation), pathOf(operation), { body: '{"' });
    expect([answer.status, refusalIn(operation, answer)]).toEqual([400, worded(operation, 'invalid-request')]);
  });
});

const LONG = 'x'.repeat(1_100_000);

describe('With more than a megabyte', () => {
  it.each(withBody)('$id is answered 413', async (operation) => {
    const answer = await merchant.call(methodOf(operation), pathOf(operation), {
      body: isForm(operation) ? new URLSearchParams({ scope: LONG }) : JSON.stringify(LONG),
    });
    expect([answer.status, refusalIn(operation, answer)]).toEqual([413, worded(operation, 'body-too-large')]);
  });
});

describe('With a body compressed in an unknown way', () => {
  it.each(withBody.filter((operation) => !isForm(operation)))('$id is answered 415', async (operation) => {
    const init = { ...bodyOf(operation), headers: { 'content-encoding': 'zip' } };
    const answer = await merchant.call(methodOf(operation), pathOf(operation), init);
    expect([answer.status, refusalIn(operation, answer)]).toEqual([415, worded(operation, 'unsupported-encoding')]);
  });
});

describe('With an idempotency key', () => {
  const call = (operation: Operation, key: string, path = pathOf(operation)) =>
    merchant.call(methodOf(operation), path, { ...bodyOf(operation), headers: { 'idempotency-key': key } });

  it.each(writes)('$id responds 400 when the key is invalid', async (operation) => {
    expect(await call(operation, 'k'.repeat(256))).toMatchObject({ status: 400, body: { code: 'invalid-request' } });
  });

  it.each(writes)('$id responds 422 when the key belongs to another request', async (operation) => {
    const key = randomUUID();
    await merchant.call('PUT', `/transactions/${randomUUID()}`, { headers: { 'idempotency-key': key }, body: '{}' });
    expect(await call(operation, key)).toMatchObject({ status: 422, body: { code: 'idempotency-key-reused' } });
  });

  it.each(writes)('of the same call that is under way, $id is answered 409', async (operation) => {
    const [key, path] = [randomUUID(), pathOf(operation)];
    await call(operation, key, path);
    // As it is while the first call is being answered.
    await service.database.write(async (tx) => {
      await tx.deleteFrom('idempotency_responses').where('key', '=', key).execute();
      const held = { leased_until: plusDays(systemClock.now(), 1) };
      await tx.updateTable('idempotency_keys').set(held).where('key', '=', key).execute();
    });
    const answer = await call(operation, key, path);
    expect(answer).toMatchObject({ status: 409, body: { code: 'idempotency-key-in-use' } });
    expect(answer.headers.get('retry-after')).toMatch(/^\d+$/);
  });
});

describe('With an id that names nothing', () => {
  it.each(ofCarts)('$id is answered 404', async (operation) => {
    const answer = await merchant.call(methodOf(operation), pathOf(operation), bodyOf(operation));
    expect(answer).toMatchObject({ status: 404, body: { code: 'cart-not-found' } });
  });

  it.each(ofTransactions)('$id is answered 500', async (operation) => {
    const answer = await merchant.call(methodOf(operation), pathOf(operation), bodyOf(operation));
    expect(answer).toMatchObject({ status: 500, body: { description: 'Transaction ID was invalid' } });
    expect(answer.body).not.toHaveProperty('code');
  });
});

describe('With the ETag of what it answers', () => {
  it.each(operations.filter(({ responses }) => 304 in responses))('$id is answered 304', async (operation) => {
    const path = `${pathOf(operation)}${queryOf(operation, merchant.apiKey)}`;
    const etag = (await merchant.get(path)).headers.get('etag')!;
    // Said by us, or fetch would say that it wants everything anew.
    const answer = await merchant.call('GET', path, { headers: { 'if-none-match': etag, 'cache-control': 'max-age=0' } });
    expect([answer.status, answer.text]).toEqual([304, '']);
  });
});

describe('When the database is gone', () => {
  let baseUrl: string;
  let call: TestMerchant['call'];
  let token: string;
  beforeAll(async () => {
    const broken = await startService();
    const other = await broken.createMerchant();
    token = await requestToken(broken.publicUrl, other);
    await broken.database.close();
    baseUrl = broken.publicUrl;
    call = (method, path, init) =>
      // A client of OAuth has said in the body who it is.
      path === '/oauth/token'
        ? fetchAnswer(baseUrl + path, { method, ...init })
        : other.call(method, `${path}?key=${other.apiKey}`, {
            ...init,
            headers: new Headers([...new Headers(init?.headers), ['origin', 'https://shop.example']]),
          });
  });

  it.each(needingMore)('$id is answered 500, and nothing of the fault', async (operation) => {
    const answer = await (operation.caller === 'platform'
      ? fetchAnswer(baseUrl + pathOf(operation), { headers: { authorization: `Bearer ${token}` } })
      : call(methodOf(operation), pathOf(operation), bodyOf(operation)));
    expect([answer.status, answer.text]).toEqual([500, expect.stringContaining('"Something went wrong on our side."')]);
  });

  it('isReady is answered 503, and isAlive 200', async () => {
    expect((await fetchAnswer(`${baseUrl}/readyz`)).status).toBe(503);
    expect((await fetchAnswer(`${baseUrl}/healthz`)).status).toBe(200);
  });
});

describe.skipIf(outwardAddress === undefined)('Over plain HTTP through a network', () => {
  let baseUrl: string;
  beforeAll(async () => {
    const { url: databaseUrl, remove } = await createDatabaseUrl('sqlite');
    const config = { ...readConfig({}), host: '0.0.0.0', port: 0, databaseUrl };
    const outward = await serve(config, widgetFolder, { log: pino({ enabled: false }) });
    onCleanup(async () => {
      await outward.close();
      await remove();
    });
    const { port } = new URL(outward.publicUrl);
    baseUrl = `http://${outwardAddress}:${port}`;
    checkAnswersOf(baseUrl, config.mode);
  });

  it.each(operations)('$id is answered 403', async (operation) => {
    const answer = await fetchAnswer(baseUrl + pathOf(operation), { method: methodOf(operation) });
    expect([answer.status, refusalIn(operation, answer)]).toEqual([403, worded(operation, 'https-required')]);
  });
});
