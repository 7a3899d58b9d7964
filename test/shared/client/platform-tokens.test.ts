import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { FairtermPlatform, FairtermPlatformError } from '../../../shared/client/index.ts';
import { type TestResponse, apiKey, createStandIn, secret } from './stand-in.ts';
import { errorOf, expired, startPlatform, jwt, page, platformError } from './stand-in-platform.ts';

describe('A token string', () => {
  it('throws the error of the service if the token is rejected', async () => {
    const { list, bearers } = await startPlatform([expired]);

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

describe('A token function', () => {
  const counting = () => {
    let count = 0;
    return { token: () => Promise.resolve(`t${++count}`), count: () => count };
  };

  it('is called once for all successful calls', async () => {
    const { token, count } = counting();
    const { list, bearers } = await startPlatform([page(0)], { token });

    await Promise.all([list(), list(), list()]);
    await list();

    expect([count(), new Set(bearers())]).toEqual([1, new Set(['Bearer t1'])]);
  });

  it('is called again, and the request is retried, if a token is rejected', async () => {
    const { token } = counting();
    const { list, bearers } = await startPlatform([expired, page(1)], { token });

    expect((await list()).applications).toHaveLength(1);

    expect(bearers()).toEqual(['Bearer t1', 'Bearer t2']);
  });

  it('is not called a third time if the second token is rejected as well', async () => {
    const { token } = counting();
    const { list, bearers } = await startPlatform([expired], { token });

    await expect(list()).rejects.toMatchObject({ status: 401 });

    expect(bearers()).toEqual(['Bearer t1', 'Bearer t2']);
  });

  it('prevents a retry if it returns the rejected token again', async () => {
    const { list, bearers } = await startPlatform([expired], { token: () => 'always' });

    await expect(list()).rejects.toMatchObject({ status: 401 });

    expect(bearers()).toEqual(['Bearer always']);
  });

  it('makes the call fail with its error, and is called again by the next call', async () => {
    const failure = new Error('The vault is closed');
    let isOpen = false;
    const token = () => (isOpen ? 't' : Promise.reject(failure));
    const { list } = await startPlatform([page(0)], { token });

    expect(await errorOf(list())).toBe(failure);
    isOpen = true;

    expect((await list()).applications).toEqual([]);
  });

  it('causes an error without the value if it returns an invalid token', async () => {
    const { list, requests } = await startPlatform([page(0)], { token: () => 'Bearer s3cr3t\n' });

    const error = await errorOf(list());

    expect(error).toBeInstanceOf(TypeError);
    expect(String(error)).toContain('token (without "Bearer"): expected visible ASCII characters without spaces');
    expect([inspect(error).includes('s3cr3t'), requests]).toEqual([false, []]);
  });
});

describe('A key pair', () => {
  const pair = { apiKey, secret };

  it('fetches one token for simultaneous calls', async () => {
    const { list, bearers, grants } = await startPlatform([page(0)], pair);

    await Promise.all(Array.from({ length: 10 }, () => list()));

    expect(grants()).toMatchObject([
      { method: 'POST', body: '', headers: { authorization: `Basic ${Buffer.from(`${apiKey}:${secret}`).toString('base64')}` } },
    ]);
    expect(new Set(bearers())).toEqual(new Set([`Bearer ${jwt('t1')}`]));
  });

  it('fetches another token shortly before the token expires by the local clock', async () => {
    const { list, bearers, grants, advanceClock } = await startPlatform([page(0)], pair);

    await list();
    advanceClock(3_539_000);
    await list();
    expect(grants()).toHaveLength(1);
    advanceClock(2_000);
    await list();

    expect(grants()).toHaveLength(2);
    expect(bearers().at(-1)).toBe(`Bearer ${jwt('t2')}`);
  });

  it('fetches one new token if several calls are rejected', async () => {
    const { list, grants, bearers } = await startPlatform([expired, expired, expired, page(0)], pair);

    await Promise.all([list(), list(), list()]);

    const first = bearers().filter((bearer) => bearer === `Bearer ${jwt('t1')}`);
    const second = bearers().filter((bearer) => bearer === `Bearer ${jwt('t2')}`);
    expect([first.length, second.length]).toEqual([3, 3]);
    expect(grants()).toHaveLength(2);
  });

  it.each<[string, TestResponse[], object]>([
    [
      'rejects the request',
      [platformError(401, 'UNAUTHENTICATED')],
      { name: 'FairtermPlatformError', reason: 'UNAUTHENTICATED' },
    ],
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
  ])('fails if the token endpoint %s', async (_case, responses, expected) => {
    const { service } = await createStandIn(responses);
    const platform = new FairtermPlatform({ ...service, ...pair });

    await expect(platform.applications.list()).rejects.toMatchObject(expected);
  });

  it('fetches the token for the other calls if one call is aborted', async () => {
    let respond!: () => void;
    const isDue = new Promise<void>((resolve) => (respond = resolve));
    const delayed: TestResponse = (response) =>
      void isDue.then(() => response.writeHead(200).end(JSON.stringify({ token: jwt('delayed') })));
    const { service, requests } = await createStandIn([delayed, page(0)]);
    const platform = new FairtermPlatform({ ...service, ...pair });
    const controller = new AbortController();
    const reason = new Error('Canceled');

    const first = errorOf(platform.applications.list({}, { signal: controller.signal }));
    const second = platform.applications.list();
    controller.abort(reason);
    expect(await first).toBe(reason);
    respond();

    expect((await second).applications).toEqual([]);
    expect(requests).toHaveLength(2);
    expect(await errorOf(platform.applications.list({}, { signal: controller.signal }))).toBe(reason);
    expect(requests).toHaveLength(2);
  });
});
