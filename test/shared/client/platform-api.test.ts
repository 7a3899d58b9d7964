import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import {
  type ApplicationFilters,
  FairtermPlatform,
  type FairtermPlatformOptions,
  type ListOptions,
  UnknownOutcomeError,
} from '../../../shared/client/index.ts';
import { type TestResponse, apiKey, createStandIn, errorResponse, loggable, secret } from './stand-in.ts';
import { application, errorOf, startPlatform, jwt, page, platformError } from './stand-in-platform.ts';

describe('A list of applications', () => {
  it.each<[string, ApplicationFilters, ListOptions, string]>([
    ['no filter', {}, {}, 'sort=createdAt.desc&limit=10'],
    [
      'codes, a date and a boolean',
      { 'statusCode.ne': ['300100', '300200'], 'updatedAt.gte': '2026-03-01', 'showExpired.eq': false },
      {},
      'statusCode.ne=300100&statusCode.ne=300200&updatedAt.gte=2026-03-01&showExpired.eq=false&sort=createdAt.desc&limit=10',
    ],
    [
      'a sort order, a limit, a cursor and an offset',
      {},
      {
        sort: 'updatedAt.asc',
        limit: 200,
        after: { lastTimestamp: '2026-03-02T15:04:07.472000Z', lastID: application!.id },
        offset: 3,
      },
      `sort=updatedAt.asc&limit=200&lastTimestamp.eq=2026-03-02T15%3A04%3A07.472000Z&lastID.eq=${application!.id}&offset=3`,
    ],
  ])('with %s sends the parameters of the API', async (_case, filters, options, query) => {
    const { list, queries, requests } = await startPlatform([page(0)]);

    expect(await list(filters, options)).toEqual({ applications: [], next: undefined });

    expect(queries()).toEqual([query]);
    expect(requests[0]).toMatchObject({ method: 'GET', headers: { authorization: 'Bearer a-token' }, body: '' });
  });

  it('includes the cursor of the next page while pages are full', async () => {
    const { list } = await startPlatform([page(2), page(2), page(1)]);
    const { id, createdAt, updatedAt } = application!;

    expect((await list({}, { limit: 2 })).next).toEqual({ lastTimestamp: createdAt, lastID: id });
    expect((await list({}, { limit: 2, sort: 'updatedAt.asc' })).next).toEqual({ lastTimestamp: updatedAt, lastID: id });
    expect((await list({}, { limit: 2 })).next).toBeUndefined();
  });

  it('contains the known fields of an application, without fields of newer services', async () => {
    const { list } = await startPlatform([page(1, { ...application, newField: 'x' })]);

    expect((await list()).applications).toEqual([application]);
  });

  it.each<[string, object]>([
    ['an undefined merchant', { 'merchantID.eq': undefined }],
    ['a merchant of null', { 'merchantID.eq': null }],
    ['an empty buyer', { 'buyerID.eq': '' }],
    ['no codes', { 'statusCode.eq': [] }],
    ['an undefined code', { 'statusCode.eq': [undefined] }],
  ])('filtered by %s is rejected, because it would contain everything', async (_case, filters) => {
    const { list, requests } = await startPlatform([page(1)]);

    const name = Object.keys(filters)[0]!;
    await expect(list(filters as ApplicationFilters)).rejects.toThrow(`${name}: expected a value`);

    expect(requests).toEqual([]);
  });

  it.each<[name: string, value: unknown, option: string]>([
    ['sort', 'updatedAt.asc', 'sort'],
    ['limit', 200, 'limit'],
    ['offset', 10, 'offset'],
    ['lastTimestamp.eq', application!.createdAt, 'after'],
    ['lastID.eq', application!.id, 'after'],
  ])('with %s among its filters is rejected', async (name, value, option) => {
    const { list, requests } = await startPlatform([page(1)]);

    const message = `${name}: expected the option ${option}, but received a filter`;
    await expect(list({ [name]: value })).rejects.toThrow(new TypeError(message));

    expect(requests).toEqual([]);
  });
});

describe('applications.all', () => {
  it('fetches page by page on demand', async () => {
    const { platform, queries } = await startPlatform([page(2), page(2), page(0)]);
    const counts: number[] = [];
    for await (const { id } of platform.applications.all({ 'status.eq': 'APPROVED' }, { pageSize: 2 })) {
      expect(id).toBe(application!.id);
      counts.push(queries().length);
    }

    expect(counts).toEqual([1, 1, 2, 2]);
    expect(queries()).toHaveLength(3);
    for (const query of queries().slice(1)) expect(query).toMatch(/^status\.eq=APPROVED&.*&lastTimestamp\.eq=.+&lastID\.eq=/);
  });

  it('fetches no further page after the caller stops iterating', async () => {
    const { platform, queries } = await startPlatform([page(2)]);
    for await (const _ of platform.applications.all({}, { pageSize: 2 })) break;

    expect(queries()).toHaveLength(1);
  });

  it('rejects a sort order that would skip applications changed in the meantime', async () => {
    const { platform } = await startPlatform([page(0)]);
    const all = platform.applications.all({}, { sort: 'updatedAt.desc' as 'updatedAt.asc' });

    await expect(all.next()).rejects.toThrow(/^sort: expected another order than updatedAt\.desc/);
  });

  it('throws the error of a failed page', async () => {
    const { platform } = await startPlatform([page(2), platformError(403, 'SCOPE_MISSING')]);
    const ids: string[] = [];
    const reading = (async () => {
      for await (const { id } of platform.applications.all({}, { pageSize: 2 })) ids.push(id);
    })();

    await expect(reading).rejects.toMatchObject({ name: 'FairtermPlatformError', reason: 'SCOPE_MISSING' });
    expect(ids).toHaveLength(2);
  });
});

describe('A call of the platform client', () => {
  it.each<[string, TestResponse]>([
    ['cannot reach a token issuer', platformError(503, 'ISSUER_UNAVAILABLE')],
    ['responds with an error of the merchant API', errorResponse(408, 'request-timeout')],
  ])('is retried if the service %s', async (_case, failure) => {
    const { list, waitsMs } = await startPlatform([failure, failure, page(1)]);

    expect((await list()).applications).toHaveLength(1);

    expect(waitsMs).toEqual([250, 500]);
  });

  it.each<[string, TestResponse, number]>([
    ['has an internal error each time', platformError(500, 'FAULT'), 4],
    ['returns an HTML page', { status: 200, text: '<h1>Welcome</h1>' }, 1],
  ])('has an unknown outcome if the service %s', async (_case, response, attempts) => {
    const { list } = await startPlatform([response]);

    const error = await errorOf(list());

    expect(error).toBeInstanceOf(UnknownOutcomeError);
    expect(error).toMatchObject({ message: expect.stringMatching(/^applications\.list: .* received status \d+/), attempts });
    if (attempts > 1)
      expect((error as UnknownOutcomeError).cause).toMatchObject({ name: 'FairtermPlatformError', reason: 'FAULT' });
  });

  it.each([[400, 'INVALID_PARAMETER']])('is not retried after a response of %i %s', async (status, reason) => {
    const { list, requests } = await startPlatform([platformError(status, reason)]);

    await expect(list()).rejects.toMatchObject({ status, reason });

    expect(requests).toHaveLength(1);
  });
});

describe('A secret', () => {
  const encoded = Buffer.from(`${apiKey}:${secret}`).toString('base64');
  const echo: TestResponse = (response, { headers }) => {
    const message = `You sent ${headers.authorization}`;
    const body = { message, reason: 'FAULT', domain: 'd', metadata: { received: message } };
    response.writeHead(403).end(JSON.stringify(body));
  };

  it.each<[string, Partial<FairtermPlatformOptions>, string]>([
    ['the configured token', { token: 's3cr3t-token' }, 's3cr3t-token'],
    ['a fetched token', { apiKey, secret }, jwt('t1')],
  ])('is redacted from error messages of the service: %s', async (_case, options, token) => {
    const { list, platform } = await startPlatform([echo], options);

    const error = await errorOf(list());

    expect(error).toMatchObject({ message: 'You sent Bearer [secret]', metadata: { received: 'You sent Bearer [secret]' } });
    for (const credential of [token, secret, encoded]) {
      expect(loggable(error)).not.toContain(credential);
      expect(loggable(platform)).not.toContain(credential);
    }
  });

  it('is redacted from an error message about the key pair', async () => {
    const { service } = await createStandIn([echo]);

    const error = await errorOf(new FairtermPlatform({ ...service, apiKey, secret }).applications.list());

    expect(error).toMatchObject({ message: 'You sent Basic [secret]' });
    expect(loggable(error)).not.toContain(encoded);
  });
});

describe('The options', () => {
  const serviceUrl = 'https://financing.example';
  it.each<[string, object, string]>([
    ['no credentials', { serviceUrl }, 'expected either a token, or an apiKey and a secret'],
    [
      'a token and a key pair',
      { serviceUrl, token: 'hush', apiKey, secret },
      'expected either a token, or an apiKey and a secret',
    ],
    ['half a key pair', { serviceUrl, apiKey }, 'secret: expected visible ASCII'],
    ['a swapped key pair', { serviceUrl, apiKey: secret, secret: apiKey }, 'received them swapped'],
    ['a header instead of a token', { serviceUrl, token: 'Bearer hush' }, 'without "Bearer"'],
    ['an empty token', { serviceUrl, token: '' }, 'token (without "Bearer"): expected visible ASCII'],
    ['a token over plain http', { serviceUrl: 'http://financing.example', token: 'hush' }, 'serviceUrl: expected https'],
    ['no attempts', { serviceUrl, token: 'hush', attempts: 0 }, 'attempts: expected an integer'],
  ])('with %s are rejected with an error that contains no secret', (_case, options, message) => {
    let error: unknown;
    try {
      error = new FairtermPlatform(options as FairtermPlatformOptions);
    } catch (thrown) {
      error = thrown;
    }
    expect(String(error)).toContain(message);
    for (const credential of ['hush', secret]) expect(inspect(error)).not.toContain(credential);
  });
});
