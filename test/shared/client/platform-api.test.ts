import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import {
  type ApplicationFilters,
  FairtermPlatform,
  FairtermPlatformError,
  type FairtermPlatformOptions,
  type ListOptions,
  NoAnswerError,
} from '../../../shared/client/index.ts';
import { applicationList } from '../../../server/openapi/examples/applications.ts';
import { type Answer, apiKey, givenAnswers, hangUp, refusal, type Request, secret } from './stand-in.ts';

const [application] = applicationList.applications;

/** A page of as many applications. */
const page = (count: number, of: object = application!): Answer => ({
  status: 200,
  body: { applications: Array(count).fill(of) },
});

const no = (status: number, reason: string, headers: Record<string, string> = {}): Answer => ({
  status,
  headers,
  body: { message: `No: ${reason}`, reason, domain: 'platform.fairterm', metadata: { parameter: 'limit' } },
});

const expired = no(401, 'TOKEN_EXPIRED');

/** A token that holds for an hour, by a clock that is years behind. */
const jwt = (name: string) => {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'ES256' })}.${part({ iat: 1_000_000, exp: 1_003_600, name: `${name}>>>???` })}.signature`;
};
const tokenCalled = (name: string): Answer => ({ status: 200, body: { token: jwt(name) } });

/** Gives out tokens t1, t2, …, and answers every list as it is told. */
async function givenPlatform(lists: readonly Answer[], over: Partial<FairtermPlatformOptions> = { token: 'a-token' }) {
  let tokens = 0;
  let listed = 0;
  const answerOf = ({ path }: Request): Answer =>
    path.startsWith('/api/auth/') ? tokenCalled(`t${++tokens}`) : lists[Math.min(++listed, lists.length) - 1]!;
  const given = await givenAnswers([
    (response, request) => {
      const answer = answerOf(request);
      if (typeof answer === 'function') return answer(response, request);
      response.writeHead(answer.status, { 'x-request-id': 'r', ...answer.headers });
      return response.end(answer.text ?? JSON.stringify(answer.body));
    },
  ]);
  const platform = new FairtermPlatform({ ...given.service, ...over } as FairtermPlatformOptions);
  const asked = () => given.requests.filter(({ path }) => path.startsWith('/api/application'));
  return {
    ...given,
    platform,
    list: (filters?: ApplicationFilters, options?: ListOptions) => platform.applications.list(filters, options),
    queries: () => asked().map(({ path }) => path.slice('/api/application?'.length)),
    bearers: () => asked().map(({ headers }) => headers.authorization),
    grants: () => given.requests.filter(({ path }) => path.startsWith('/api/auth/')),
  };
}

const errorOf = (call: Promise<unknown>) => call.catch((thrown: unknown) => thrown);

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
  ])('by %s is asked for in the words of the API', async (_what, filters, options, query) => {
    const { list, queries, requests } = await givenPlatform([page(0)]);

    expect(await list(filters, options)).toEqual({ applications: [], next: undefined });

    expect(queries()).toEqual([query]);
    expect(requests[0]).toMatchObject({ method: 'GET', headers: { authorization: 'Bearer a-token' }, body: '' });
  });

  it('says where the next page begins, as long as a page is full', async () => {
    const { list } = await givenPlatform([page(2), page(2), page(1)]);
    const { id, createdAt, updatedAt } = application!;

    expect((await list({}, { limit: 2 })).next).toEqual({ lastTimestamp: createdAt, lastID: id });
    expect((await list({}, { limit: 2, sort: 'updatedAt.asc' })).next).toEqual({ lastTimestamp: updatedAt, lastID: id });
    expect((await list({}, { limit: 2 })).next).toBeUndefined();
  });

  it('has what is known of an application, and nothing that a newer service may add', async () => {
    const { list } = await givenPlatform([page(1, { ...application, mood: 'good' })]);

    expect((await list()).applications).toEqual([application]);
  });

  it.each<[string, object]>([
    ['an undefined merchant', { 'merchantID.eq': undefined }],
    ['a merchant of null', { 'merchantID.eq': null }],
    ['an empty buyer', { 'buyerID.eq': '' }],
    ['no codes', { 'statusCode.eq': [] }],
    ['a code that is not there', { 'statusCode.eq': [undefined] }],
  ])('by %s is not taken for a list of everything', async (_what, filters) => {
    const { list, requests } = await givenPlatform([page(1)]);

    const name = Object.keys(filters)[0]!;
    await expect(list(filters as ApplicationFilters)).rejects.toThrow(`Expected ${name} to be something`);

    expect(requests).toEqual([]);
  });

  it.each<[name: string, value: unknown, option: string]>([
    ['sort', 'updatedAt.asc', 'sort'],
    ['limit', 200, 'limit'],
    ['offset', 10, 'offset'],
    ['lastTimestamp.eq', application!.createdAt, 'after'],
    ['lastID.eq', application!.id, 'after'],
  ])('with %s among its filters, which would change nothing there, is refused', async (name, value, option) => {
    const { list, requests } = await givenPlatform([page(1)]);

    const refused = `Expected ${name} not among the filters, but as ${option} among the options`;
    await expect(list({ [name]: value })).rejects.toThrow(new TypeError(refused));

    expect(requests).toEqual([]);
  });
});

describe('all applications', () => {
  it('are fetched page by page, each when it is needed', async () => {
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

  it('are not fetched any further by whoever has enough', async () => {
    const { platform, queries } = await givenPlatform([page(2)]);
    for await (const _ of platform.applications.all({}, { pageSize: 2 })) break;

    expect(queries()).toHaveLength(1);
  });

  it('are not read in an order that passes over what changes meanwhile', async () => {
    const { platform } = await givenPlatform([page(0)]);
    const all = platform.applications.all({}, { sort: 'updatedAt.desc' as 'updatedAt.asc' });

    await expect(all.next()).rejects.toThrow(/^Expected another sort than updatedAt\.desc/);
  });

  it('end with what ended a page', async () => {
    const { platform } = await givenPlatform([page(2), no(403, 'SCOPE_MISSING')]);
    const seen: string[] = [];
    const reading = (async () => {
      for await (const { id } of platform.applications.all({}, { pageSize: 2 })) seen.push(id);
    })();

    await expect(reading).rejects.toMatchObject({ name: 'FairtermPlatformError', reason: 'SCOPE_MISSING' });
    expect(seen).toHaveLength(2);
  });
});

describe('given a token', () => {
  it('when it is refused, then the error says all that the service said', async () => {
    const { list, bearers } = await givenPlatform([expired]);

    const error = await errorOf(list());

    expect(error).toBeInstanceOf(FairtermPlatformError);
    expect(error).toMatchObject({
      message: 'No: TOKEN_EXPIRED',
      status: 401,
      reason: 'TOKEN_EXPIRED',
      domain: 'platform.fairterm',
      metadata: { parameter: 'limit' },
      requestId: 'r',
    });
    expect(bearers()).toEqual(['Bearer a-token']);
  });
});

describe('given what gives a token', () => {
  const counting = () => {
    let count = 0;
    return { token: () => Promise.resolve(`t${++count}`), count: () => count };
  };

  it('when calls go well, then it is asked once for all of them', async () => {
    const { token, count } = counting();
    const { list, bearers } = await givenPlatform([page(0)], { token });

    await Promise.all([list(), list(), list()]);
    await list();

    expect([count(), new Set(bearers())]).toEqual([1, new Set(['Bearer t1'])]);
  });

  it('when a token is refused, then it is asked for another, and the call is made again', async () => {
    const { token } = counting();
    const { list, bearers } = await givenPlatform([expired, page(1)], { token });

    expect((await list()).applications).toHaveLength(1);

    expect(bearers()).toEqual(['Bearer t1', 'Bearer t2']);
  });

  it('when the other one is refused as well, then that is the end', async () => {
    const { token } = counting();
    const { list, bearers } = await givenPlatform([expired], { token });

    await expect(list()).rejects.toMatchObject({ status: 401 });

    expect(bearers()).toEqual(['Bearer t1', 'Bearer t2']);
  });

  it('when it has no other, then the call is not made again', async () => {
    const { list, bearers } = await givenPlatform([expired], { token: () => 'always' });

    await expect(list()).rejects.toMatchObject({ status: 401 });

    expect(bearers()).toEqual(['Bearer always']);
  });

  it('when it fails, then its own error is what the call ends with, and the next call asks again', async () => {
    const broken = new Error('the vault is closed');
    let isOpen = false;
    const token = () => (isOpen ? 't' : Promise.reject(broken));
    const { list } = await givenPlatform([page(0)], { token });

    expect(await errorOf(list())).toBe(broken);
    isOpen = true;

    expect((await list()).applications).toEqual([]);
  });

  it('when it gives none, then that is said without repeating it', async () => {
    const { list, requests } = await givenPlatform([page(0)], { token: () => 'Bearer s3cr3t\n' });

    const error = await errorOf(list());

    expect(error).toBeInstanceOf(TypeError);
    expect(String(error)).toContain('Expected token to be a word of ASCII characters, without "Bearer"');
    expect([inspect(error).includes('s3cr3t'), requests]).toEqual([false, []]);
  });
});

describe('given a key pair', () => {
  const pair = { apiKey, secret };

  it('when calls are made at the same time, then one token is got for all of them', async () => {
    const { list, bearers, grants } = await givenPlatform([page(0)], pair);

    await Promise.all(Array.from({ length: 10 }, () => list()));

    expect(grants()).toMatchObject([
      { method: 'POST', body: '', headers: { authorization: `Basic ${Buffer.from(`${apiKey}:${secret}`).toString('base64')}` } },
    ]);
    expect(new Set(bearers())).toEqual(new Set([`Bearer ${jwt('t1')}`]));
  });

  it('when the token is about to end, by the time that went by here, then another is got', async () => {
    const { list, bearers, grants, pass } = await givenPlatform([page(0)], pair);

    await list();
    pass(3_539_000);
    await list();
    expect(grants()).toHaveLength(1);
    pass(2_000);
    await list();

    expect(grants()).toHaveLength(2);
    expect(bearers().at(-1)).toBe(`Bearer ${jwt('t2')}`);
  });

  it('when the token is refused, then another is got once, however many calls were refused', async () => {
    const { list, grants, bearers } = await givenPlatform([expired, expired, expired, page(0)], pair);

    await Promise.all([list(), list(), list()]);

    const first = bearers().filter((bearer) => bearer === `Bearer ${jwt('t1')}`);
    const second = bearers().filter((bearer) => bearer === `Bearer ${jwt('t2')}`);
    expect([first.length, second.length]).toEqual([3, 3]);
    expect(grants()).toHaveLength(2);
  });

  it.each<[string, Answer[], object]>([
    ['says no', [no(401, 'UNAUTHENTICATED')], { name: 'FairtermPlatformError', reason: 'UNAUTHENTICATED' }],
    [
      'has no token',
      [{ status: 200, body: {} }],
      { name: 'NoAnswerError', message: expect.stringContaining('authorize was answered 200') },
    ],
    [
      'gives what cannot be sent',
      [{ status: 200, body: { token: 'two words' } }],
      { name: 'NoAnswerError', message: expect.stringContaining('look at token') },
    ],
  ])('when the service %s, then the call ends with that', async (_what, answers, expected) => {
    const { service } = await givenAnswers(answers);
    const platform = new FairtermPlatform({ ...service, ...pair });

    await expect(platform.applications.list()).rejects.toMatchObject(expected);
  });

  it('when the token is no JWT, then it is kept until it is refused', async () => {
    const opaque: Answer = { status: 200, body: { token: 'opaque' } };
    const { service, requests } = await givenAnswers([opaque, page(0), page(0)]);
    const platform = new FairtermPlatform({ ...service, ...pair });

    await platform.applications.list();
    await platform.applications.list();

    expect(requests).toHaveLength(3);
  });

  it('when one call is given up, then the others get their token', async () => {
    let answer!: () => void;
    const held = new Promise<void>((resolve) => (answer = resolve));
    const late: Answer = (response) => void held.then(() => response.writeHead(200).end(JSON.stringify({ token: jwt('late') })));
    const { service, requests } = await givenAnswers([late, page(0)]);
    const platform = new FairtermPlatform({ ...service, ...pair });
    const controller = new AbortController();
    const reason = new Error('given up');

    const first = errorOf(platform.applications.list({}, { signal: controller.signal }));
    const second = platform.applications.list();
    controller.abort(reason);
    expect(await first).toBe(reason);
    answer();

    expect((await second).applications).toEqual([]);
    expect(requests).toHaveLength(2);
    expect(await errorOf(platform.applications.list({}, { signal: controller.signal }))).toBe(reason);
    expect(requests).toHaveLength(2);
  });
});

describe('given a service that is not well', () => {
  it.each<[string, Answer]>([
    ['hangs up', hangUp],
    ['has a fault', no(500, 'FAULT')],
    ['waits for an issuer', no(503, 'ISSUER_UNAVAILABLE')],
    ['is behind a proxy that is not well', { status: 502, text: '<h1>Bad gateway</h1>' }],
    ['has too much to do', { status: 429, text: '' }],
    ['says so in the words of the other API', refusal(408, 'request-timeout')],
  ])('when it %s, then the call is made again', async (_what, trouble) => {
    const { list, waitsMs } = await givenPlatform([trouble, trouble, page(1)]);

    expect((await list()).applications).toHaveLength(1);

    expect(waitsMs).toEqual([250, 500]);
  });

  it('when it says when to come back, then the client waits as long', async () => {
    const { list, waitsMs } = await givenPlatform([no(503, 'ISSUER_UNAVAILABLE', { 'retry-after': '5' }), page(0)]);

    await list();

    expect(waitsMs).toEqual([5_000]);
  });

  it.each<[string, Answer, number]>([
    ['had a fault each time', no(500, 'FAULT'), 4],
    ['is no such service', { status: 200, text: '<h1>Welcome</h1>' }, 1],
    ['is another service', { status: 200, body: { items: [] } }, 1],
    ['says no as others do', { status: 404, body: { error: 'no' } }, 1],
    ['leads elsewhere', { status: 302, headers: { location: 'http://elsewhere.example/' }, body: {} }, 1],
  ])('when it %s, then nothing is known of it', async (_what, answer, attempts) => {
    const { list } = await givenPlatform([answer]);

    const error = await errorOf(list());

    expect(error).toBeInstanceOf(NoAnswerError);
    expect(error).toMatchObject({ message: expect.stringMatching(/^applications\.list was answered \d+,/), attempts });
    if (attempts > 1) expect((error as NoAnswerError).cause).toMatchObject({ name: 'FairtermPlatformError', reason: 'FAULT' });
  });

  it.each([
    [400, 'INVALID_PARAMETER'],
    [403, 'MERCHANT_CONFLICT'],
    [404, 'A_REASON_OF_TOMORROW'],
  ])('when it says no with %i %s, then nothing is made again', async (status, reason) => {
    const { list, requests } = await givenPlatform([no(status, reason)]);

    await expect(list()).rejects.toMatchObject({ status, reason });

    expect(requests).toHaveLength(1);
  });
});

describe('a secret', () => {
  /** All that a log could show of a value. */
  const shown = (value: unknown): string =>
    [inspect(value, { depth: 20, showHidden: true }), JSON.stringify(value), String(value), (value as Error).stack].join('\n');
  const encoded = Buffer.from(`${apiKey}:${secret}`).toString('base64');
  const echo: Answer = (response, { headers }) => {
    const message = `You sent ${headers.authorization}`;
    const body = { message, reason: 'FAULT', domain: 'd', metadata: { received: message } };
    response.writeHead(403).end(JSON.stringify(body));
  };

  it.each<[string, Partial<FairtermPlatformOptions>, string]>([
    ['the token', { token: 's3cr3t-token' }, 's3cr3t-token'],
    ['a token that was got', { apiKey, secret }, jwt('t1')],
  ])('is taken out of what the service says: %s', async (_what, over, word) => {
    const { list, platform } = await givenPlatform([echo], over);

    const error = await errorOf(list());

    expect(error).toMatchObject({ message: 'You sent Bearer [secret]', metadata: { received: 'You sent Bearer [secret]' } });
    for (const secretWord of [word, secret, encoded]) {
      expect(shown(error)).not.toContain(secretWord);
      expect(shown(platform)).not.toContain(secretWord);
    }
  });

  it('is taken out of what the service says of the key pair', async () => {
    const { service } = await givenAnswers([echo]);

    const error = await errorOf(new FairtermPlatform({ ...service, apiKey, secret }).applications.list());

    expect(error).toMatchObject({ message: 'You sent Basic [secret]' });
    expect(shown(error)).not.toContain(encoded);
  });
});

describe('options', () => {
  const serviceUrl = 'https://financing.example';
  it.each<[string, object, string]>([
    ['nothing to authenticate with', { serviceUrl }, 'Expected a token, or an apiKey and a secret'],
    ['both', { serviceUrl, token: 'hush', apiKey, secret }, 'Expected a token, or an apiKey and a secret'],
    ['half a key pair', { serviceUrl, apiKey }, 'Expected secret to be a word'],
    ['a swapped key pair', { serviceUrl, apiKey: secret, secret: apiKey }, 'The key pair looks swapped'],
    ['a header for a token', { serviceUrl, token: 'Bearer hush' }, 'without "Bearer"'],
    ['an empty token', { serviceUrl, token: '' }, 'Expected token to be a word'],
    [
      'a token over plain http',
      { serviceUrl: 'http://financing.example', token: 'hush' },
      'Expected serviceUrl to begin with https',
    ],
    ['no attempts', { serviceUrl, token: 'hush', attempts: 0 }, 'Expected attempts to be a whole number'],
  ])('with %s are refused, and no secret is repeated', (_what, options, message) => {
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
