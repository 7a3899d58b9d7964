import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import {
  type ApplicationFilters,
  FairtermPlatform,
  type FairtermPlatformOptions,
  type ListOptions,
  UnknownOutcomeError,
} from '../../../shared/client/index.ts';
import { type TestResponse, apiKey, givenResponses, hangUp, errorResponse, secret } from './stand-in.ts';
import { application, errorOf, givenPlatform, jwt, no, page } from './stand-in-platform.ts';

describe('a list of applications', () => {
  it.each<[string, ApplicationFilters, ListOptions, string]>([
    ['nothing', {}, {}, 'sort=createdAt.desc&limit=10'],
    [
      'codes, a day and a flag',
      { 'statusCode.ne': ['300100', '300200'], 'updatedAt.gte': '2026-03-01', 'showExpired.eq': false },
      {},
      'statusCode.ne=300100&statusCode.ne=300200&updatedAt.gte=2026-03-01&showExpired.eq=false&sort=createdAt.desc&limit=10',
    ],
    [
      'a place',
      {},
      {
        sort: 'updatedAt.asc',
        limit: 200,
        after: { lastTimestamp: '2026-03-02T15:04:07.472000Z', lastID: application!.id },
        offset: 3,
      },
      `sort=updatedAt.asc&limit=200&lastTimestamp.eq=2026-03-02T15%3A04%3A07.472000Z&lastID.eq=${application!.id}&offset=3`,
    ],
  ])('by %s uses the parameters of the API', async (_what, filters, options, query) => {
    const { list, queries, requests } = await givenPlatform([page(0)]);

    expect(await list(filters, options)).toEqual({ applications: [], next: undefined });

    expect(queries()).toEqual([query]);
    expect(requests[0]).toMatchObject({ method: 'GET', headers: { authorization: 'Bearer a-token' }, body: '' });
  });

  it('includes the cursor of the next page while pages are full', async () => {
    const { list } = await givenPlatform([page(2), page(2), page(1)]);
    const { id, createdAt, updatedAt } = application!;

    expect((await list({}, { limit: 2 })).next).toEqual({ lastTimestamp: createdAt, lastID: id });
    expect((await list({}, { limit: 2, sort: 'updatedAt.asc' })).next).toEqual({ lastTimestamp: updatedAt, lastID: id });
    expect((await list({}, { limit: 2 })).next).toBeUndefined();
  });

  it('contains the known fields of an application, and drops fields of newer services', async () => {
    const { list } = await givenPlatform([page(1, { ...application, mood: 'good' })]);

    expect((await list()).applications).toEqual([application]);
  });

  it.each<[string, object]>([
    ['an undefined merchant', { 'merchantID.eq': undefined }],
    ['a merchant of null', { 'merchantID.eq': null }],
    ['an empty buyer', { 'buyerID.eq': '' }],
    ['no codes', { 'statusCode.eq': [] }],
    ['a code that is not there', { 'statusCode.eq': [undefined] }],
  ])('by %s does not list everything', async (_what, filters) => {
    const { list, requests } = await givenPlatform([page(1)]);

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
    const { list, requests } = await givenPlatform([page(1)]);

    const rejected = `${name}: expected the option ${option}, but received a filter`;
    await expect(list({ [name]: value })).rejects.toThrow(new TypeError(rejected));

    expect(requests).toEqual([]);
  });
});

describe('all applications', () => {
  it('are fetched page by page on demand', async () => {
    const { platform, queries } = await givenPlatform([page(2), page(2), page(0)]);
    const counts: number[] = [];
    for await (const { id } of platform.applications.all({ 'status.eq': 'APPROVED' }, { pageSize: 2 })) {
      expect(id).toBe(application!.id);
      counts.push(queries().length);
    }

    expect(counts).toEqual([1, 1, 2, 2]);
    expect(queries()).toHaveLength(3);
    for (const query of queries().slice(1)) expect(query).toMatch(/^status\.eq=APPROVED&.*&lastTimestamp\.eq=.+&lastID\.eq=/);
  });

  it('are not fetched beyond the page at which the caller stops iterating', async () => {
    const { platform, queries } = await givenPlatform([page(2)]);
    for await (const _ of platform.applications.all({}, { pageSize: 2 })) break;

    expect(queries()).toHaveLength(1);
  });

  it('reject a sort order that would skip applications changed in the meantime', async () => {
    const { platform } = await givenPlatform([page(0)]);
    const all = platform.applications.all({}, { sort: 'updatedAt.desc' as 'updatedAt.asc' });

    await expect(all.next()).rejects.toThrow(/^sort: expected another order than updatedAt\.desc/);
  });

  it('throw the error of a failed page', async () => {
    const { platform } = await givenPlatform([page(2), no(403, 'SCOPE_MISSING')]);
    const seen: string[] = [];
    const reading = (async () => {
      for await (const { id } of platform.applications.all({}, { pageSize: 2 })) seen.push(id);
    })();

    await expect(reading).rejects.toMatchObject({ name: 'FairtermPlatformError', reason: 'SCOPE_MISSING' });
    expect(seen).toHaveLength(2);
  });
});

describe('when the service fails', () => {
  it.each<[string, TestResponse]>([
    ['closes the connection', hangUp],
    ['fails', no(500, 'FAULT')],
    ['waits for a token issuer', no(503, 'ISSUER_UNAVAILABLE')],
    ['is behind a proxy that fails', { status: 502, text: '<h1>Bad gateway</h1>' }],
    ['responds 429', { status: 429, text: '' }],
    ['responds with an error of the merchant API', errorResponse(408, 'request-timeout')],
  ])('is retried when the service %s', async (_what, failure) => {
    const { list, waitsMs } = await givenPlatform([failure, failure, page(1)]);

    expect((await list()).applications).toHaveLength(1);

    expect(waitsMs).toEqual([250, 500]);
  });

  it('waits as long as Retry-After requires', async () => {
    const { list, waitsMs } = await givenPlatform([no(503, 'ISSUER_UNAVAILABLE', { 'retry-after': '5' }), page(0)]);

    await list();

    expect(waitsMs).toEqual([5_000]);
  });

  it.each<[string, TestResponse, number]>([
    ['fails each time', no(500, 'FAULT'), 4],
    ['is a web page', { status: 200, text: '<h1>Welcome</h1>' }, 1],
    ['is another service', { status: 200, body: { items: [] } }, 1],
    ['returns a foreign error body', { status: 404, body: { error: 'no' } }, 1],
    ['redirects', { status: 302, headers: { location: 'http://elsewhere.example/' }, body: {} }, 1],
  ])('has an unknown outcome when the service %s', async (_what, response, attempts) => {
    const { list } = await givenPlatform([response]);

    const error = await errorOf(list());

    expect(error).toBeInstanceOf(UnknownOutcomeError);
    expect(error).toMatchObject({ message: expect.stringMatching(/^applications\.list: .* received status \d+/), attempts });
    if (attempts > 1)
      expect((error as UnknownOutcomeError).cause).toMatchObject({ name: 'FairtermPlatformError', reason: 'FAULT' });
  });

  it.each([
    [400, 'INVALID_PARAMETER'],
    [403, 'MERCHANT_CONFLICT'],
    [404, 'A_REASON_OF_TOMORROW'],
  ])('does not retry a response of %i %s', async (status, reason) => {
    const { list, requests } = await givenPlatform([no(status, reason)]);

    await expect(list()).rejects.toMatchObject({ status, reason });

    expect(requests).toHaveLength(1);
  });
});

describe('a secret', () => {
  /** Everything that a log could show of a value. */
  const shown = (value: unknown): string =>
    [inspect(value, { depth: 20, showHidden: true }), JSON.stringify(value), String(value), (value as Error).stack].join('\n');
  const encoded = Buffer.from(`${apiKey}:${secret}`).toString('base64');
  const echo: TestResponse = (response, { headers }) => {
    const message = `You sent ${headers.authorization}`;
    const body = { message, reason: 'FAULT', domain: 'd', metadata: { received: message } };
    response.writeHead(403).end(JSON.stringify(body));
  };

  it.each<[string, Partial<FairtermPlatformOptions>, string]>([
    ['the token', { token: 's3cr3t-token' }, 's3cr3t-token'],
    ['a token that was got', { apiKey, secret }, jwt('t1')],
  ])('is removed from the message of the service: %s', async (_what, over, word) => {
    const { list, platform } = await givenPlatform([echo], over);

    const error = await errorOf(list());

    expect(error).toMatchObject({ message: 'You sent Bearer [secret]', metadata: { received: 'You sent Bearer [secret]' } });
    for (const secretWord of [word, secret, encoded]) {
      expect(shown(error)).not.toContain(secretWord);
      expect(shown(platform)).not.toContain(secretWord);
    }
  });

  it('is redacted from the service’s error about the key pair', async () => {
    const { service } = await givenResponses([echo]);

    const error = await errorOf(new FairtermPlatform({ ...service, apiKey, secret }).applications.list());

    expect(error).toMatchObject({ message: 'You sent Basic [secret]' });
    expect(shown(error)).not.toContain(encoded);
  });
});

describe('options', () => {
  const serviceUrl = 'https://financing.example';
  it.each<[string, object, string]>([
    ['nothing to authenticate with', { serviceUrl }, 'expected either a token, or an apiKey and a secret'],
    ['both', { serviceUrl, token: 'hush', apiKey, secret }, 'expected either a token, or an apiKey and a secret'],
    ['half a key pair', { serviceUrl, apiKey }, 'secret: expected visible ASCII'],
    ['a swapped key pair', { serviceUrl, apiKey: secret, secret: apiKey }, 'received them swapped'],
    ['a header for a token', { serviceUrl, token: 'Bearer hush' }, 'without "Bearer"'],
    ['an empty token', { serviceUrl, token: '' }, 'token (without "Bearer"): expected visible ASCII'],
    ['a token over plain http', { serviceUrl: 'http://financing.example', token: 'hush' }, 'serviceUrl: expected https'],
    ['no attempts', { serviceUrl, token: 'hush', attempts: 0 }, 'attempts: expected an integer'],
  ])('with %s are rejected, without repeating a secret in the error', (_what, options, message) => {
    let error: unknown;
    try {
      error = new FairtermPlatform(options as FairtermPlatformOptions);
    } catch (thrown) {
      error = thrown;
    }
    expect(String(error)).toContain(message);
    for (const word of ['hush', secret]) expect(inspect(error)).not.toContain(word);
  });
});
