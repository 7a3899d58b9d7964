import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { FairtermPlatform, FairtermPlatformError } from '../../../shared/client/index.ts';
import { type TestResponse, apiKey, givenResponses, secret } from './stand-in.ts';
import { errorOf, expired, givenPlatform, jwt, no, page } from './stand-in-platform.ts';

describe('a string as token', () => {
  it('throws the response of the service when the token is rejected', async () => {
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

describe('a function that returns tokens', () => {
  const counting = () => {
    let count = 0;
    return { token: () => Promise.resolve(`t${++count}`), count: () => count };
  };

  it('is called once for all successful calls', async () => {
    const { token, count } = counting();
    const { list, bearers } = await givenPlatform([page(0)], { token });

    await Promise.all([list(), list(), list()]);
    await list();

    expect([count(), new Set(bearers())]).toEqual([1, new Set(['Bearer t1'])]);
  });

  it('is called again, and the call is retried, when a token is rejected', async () => {
    const { token } = counting();
    const { list, bearers } = await givenPlatform([expired, page(1)], { token });

    expect((await list()).applications).toHaveLength(1);

    expect(bearers()).toEqual(['Bearer t1', 'Bearer t2']);
  });

  it('is not called a third time when the second token is rejected as well', async () => {
    const { token } = counting();
    const { list, bearers } = await givenPlatform([expired], { token });

    await expect(list()).rejects.toMatchObject({ status: 401 });

    expect(bearers()).toEqual(['Bearer t1', 'Bearer t2']);
  });

  it('is not followed by a retry if it returns the rejected token again', async () => {
    const { list, bearers } = await givenPlatform([expired], { token: () => 'always' });

    await expect(list()).rejects.toMatchObject({ status: 401 });

    expect(bearers()).toEqual(['Bearer always']);
  });

  it('may throw: the call throws its error, and the next call calls it again', async () => {
    const broken = new Error('the vault is closed');
    let isOpen = false;
    const token = () => (isOpen ? 't' : Promise.reject(broken));
    const { list } = await givenPlatform([page(0)], { token });

    expect(await errorOf(list())).toBe(broken);
    isOpen = true;

    expect((await list()).applications).toEqual([]);
  });

  it('causes an error that does not repeat the value if it returns no token', async () => {
    const { list, requests } = await givenPlatform([page(0)], { token: () => 'Bearer s3cr3t\n' });

    const error = await errorOf(list());

    expect(error).toBeInstanceOf(TypeError);
    expect(String(error)).toContain('token (without "Bearer"): expected visible ASCII characters without spaces');
    expect([inspect(error).includes('s3cr3t'), requests]).toEqual([false, []]);
  });
});

describe('a key pair', () => {
  const pair = { apiKey, secret };

  it('fetches one token for simultaneous calls', async () => {
    const { list, bearers, grants } = await givenPlatform([page(0)], pair);

    await Promise.all(Array.from({ length: 10 }, () => list()));

    expect(grants()).toMatchObject([
      { method: 'POST', body: '', headers: { authorization: `Basic ${Buffer.from(`${apiKey}:${secret}`).toString('base64')}` } },
    ]);
    expect(new Set(bearers())).toEqual(new Set([`Bearer ${jwt('t1')}`]));
  });

  it('fetches another token shortly before the token expires by the local clock', async () => {
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

  it('fetches one new token when a token is rejected, however many calls were rejected', async () => {
    const { list, grants, bearers } = await givenPlatform([expired, expired, expired, page(0)], pair);

    await Promise.all([list(), list(), list()]);

    const first = bearers().filter((bearer) => bearer === `Bearer ${jwt('t1')}`);
    const second = bearers().filter((bearer) => bearer === `Bearer ${jwt('t2')}`);
    expect([first.length, second.length]).toEqual([3, 3]);
    expect(grants()).toHaveLength(2);
  });

  it.each<[string, TestResponse[], object]>([
    ['rejects the request', [no(401, 'UNAUTHENTICATED')], { name: 'FairtermPlatformError', reason: 'UNAUTHENTICATED' }],
    [
      'returns no token',
      [{ status: 200, body: {} }],
      { name: 'UnknownOutcomeError', message: expect.stringContaining('authorize: expected a valid value at "token"') },
    ],
    [
      'returns an invalid token',
      [{ status: 200, body: { token: 'two words' } }],
      { name: 'UnknownOutcomeError', message: expect.stringContaining('a valid value at "token"') },
    ],
  ])('fails without a token when the service %s', async (_what, responses, expected) => {
    const { service } = await givenResponses(responses);
    const platform = new FairtermPlatform({ ...service, ...pair });

    await expect(platform.applications.list()).rejects.toMatchObject(expected);
  });

  it('caches a token that is not a JWT until it is rejected', async () => {
    const opaque: TestResponse = { status: 200, body: { token: 'opaque' } };
    const { service, requests } = await givenResponses([opaque, page(0), page(0)]);
    const platform = new FairtermPlatform({ ...service, ...pair });

    await platform.applications.list();
    await platform.applications.list();

    expect(requests).toHaveLength(3);
  });

  it('provides the other calls with their token when one call is aborted', async () => {
    let received!: () => void;
    const held = new Promise<void>((resolve) => (received = resolve));
    const late: TestResponse = (response) =>
      void held.then(() => response.writeHead(200).end(JSON.stringify({ token: jwt('late') })));
    const { service, requests } = await givenResponses([late, page(0)]);
    const platform = new FairtermPlatform({ ...service, ...pair });
    const controller = new AbortController();
    const reason = new Error('given up');

    const first = errorOf(platform.applications.list({}, { signal: controller.signal }));
    const second = platform.applications.list();
    controller.abort(reason);
    expect(await first).toBe(reason);
    received();

    expect((await second).applications).toEqual([]);
    expect(requests).toHaveLength(2);
    expect(await errorOf(platform.applications.list({}, { signal: controller.signal }))).toBe(reason);
    expect(requests).toHaveLength(2);
  });
});
