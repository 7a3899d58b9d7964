import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import type { Context } from '../../../server/http/context.ts';
import { fairQueue } from '../../../server/http/fair-queue.ts';
import { createCart } from '../../support/checkout.ts';
import { onCleanup } from '../../support/cleanup.ts';
import { expectMatchesOpenApi } from '../../support/conformance.ts';
import { startService, type TestMerchant } from '../../support/service.ts';
import { until } from '../../support/time.ts';

interface Call {
  from: string;
  authorization?: string;
  isValid?: boolean;
  /** Time for which it blocks the process. */
  blocksMs?: number;
}

/** Returns a function that passes calls to a queue together, and returns their indices in the order in which they were started. */
function createQueue(): (calls: Call[]) => Promise<number[]> {
  const middleware = fairQueue(0, true);
  return async (calls) => {
    const started: number[] = [];
    const send = ({ from, authorization, isValid, blocksMs = 0 }: Call, index: number) => {
      const headers = { 'x-forwarded-for': from, ...(authorization !== undefined && { authorization }) };
      const ctx = { req: { headers, socket: {} }, state: {} } as unknown as Context;
      return middleware(ctx, async () => {
        started.push(index);
        if (isValid) ctx.state.merchant = {} as NonNullable<typeof ctx.state.merchant>;
        for (const endsAtMs = performance.now() + blocksMs; performance.now() < endsAtMs;);
      });
    };
    await Promise.all(calls.map(send));
    return started;
  };
}

describe('The queue of requests', () => {
  it('starts requests in rotation between networks', async () => {
    const start = createQueue();
    const networks = ['192.0.2.1', '192.0.2.1', '192.0.2.1', '192.0.2.2', '192.0.2.2', '2001:db8:1:1::1', '2001:db8:1:2::1'];
    expect(await start(networks.map((from) => ({ from })))).toEqual([0, 3, 5, 1, 4, 6, 2]);
  });

  it('starts requests with credentials that were valid before ahead of others', async () => {
    const start = createQueue();
    const merchant = { from: '192.0.2.1', authorization: 'Basic valid', isValid: true };
    const wrong = { from: '192.0.2.2', authorization: 'Basic wrong', isValid: false };
    const anonymous = { from: '192.0.2.3' };
    const calls = [anonymous, anonymous, wrong, wrong, merchant, merchant];
    // Before the first request of the merchant, no credentials are known.
    expect(await start(calls)).toEqual([0, 2, 4, 1, 3, 5]);
    expect(await start(calls)).toEqual([4, 5, 0, 2, 1, 3]);
    // A key that is not valid any more.
    const retired = { ...merchant, isValid: false };
    expect(await start([anonymous, retired])).toEqual([1, 0]);
    expect(await start([anonymous, retired])).toEqual([0, 1]);
  });

  it('starts other requests even if those with credentials use all of the time', async () => {
    const start = createQueue();
    const merchant = { from: '192.0.2.1', authorization: 'Basic valid', isValid: true, blocksMs: 30 };
    await start([merchant]);
    const order = await start([merchant, merchant, merchant, merchant, merchant, { from: '192.0.2.2' }]);
    expect(order.indexOf(5)).toBeLessThanOrEqual(1);
  });

  it('starts a third request of a network when one of two is finished, or has taken longer than 100 ms', async () => {
    const middleware = fairQueue(0, true);
    const finish: (() => void)[] = [];
    const send = (from: string) => {
      const ctx = { req: { headers: { 'x-forwarded-for': from }, socket: {} }, state: {} } as unknown as Context;
      return middleware(ctx, () => new Promise<void>((resolve) => finish.push(resolve)));
    };
    const requests = ['192.0.2.1', '192.0.2.1', '192.0.2.1', '192.0.2.1', '192.0.2.2'].map(send);
    await until(() => finish.length === 3);
    finish[0]!();
    await requests[0];
    await until(() => finish.length === 4);
    // Neither of the other two is finished.
    await until(() => finish.length === 5);
    for (const each of finish) each();
    await Promise.all(requests);
  });

  it('lets the process do other work while requests are waiting', async () => {
    const start = createQueue();
    let turns = 0;
    let isFinished = false;
    const countTurn = (): void => {
      turns += 1;
      if (!isFinished) setImmediate(countTurn);
    };
    setImmediate(countTurn);
    await start(Array.from({ length: 5 }, () => ({ from: '192.0.2.1', blocksMs: 20 })));
    isFinished = true;
    expect(turns).toBeGreaterThanOrEqual(5);
  });

  it('continues after a request that fails', async () => {
    const middleware = fairQueue(0, false);
    const ctx = () => ({ req: { headers: {}, socket: {} }, state: {} }) as unknown as Context;
    const failed = middleware(ctx(), () => Promise.reject(new Error('failed')));
    const second = middleware(ctx(), () => Promise.resolve());
    await expect(failed).rejects.toThrow('failed');
    await second;
  });

  it('does not start a request whose client has disconnected', async () => {
    const request = { headers: {}, socket: {}, destroyed: true };
    const ctx = { req: request, state: {} } as unknown as Context;
    await fairQueue(0, false)(ctx, () => Promise.reject(new Error('started')));
  });
});

describe('Of 30 requests of one address at the same time, 20 may wait:', () => {
  const COUNT = 30;
  const basic = (pair: string) => `Authorization: Basic ${Buffer.from(pair).toString('base64')}\r\n`;
  const start = async () => {
    const service = await startService(undefined, { maxWaitingPerAddress: 20 });
    const merchant = await service.createMerchant();
    const port = Number(new URL(service.publicUrl).port);
    const sockets = await Promise.all(Array.from({ length: COUNT }, () => openIdle(port)));
    /** Sends a request on all connections before the service reads any of them. Returns how many responses have each status. */
    const statusesOf = async (line: string, headers = '') => {
      const responses = sockets.map(async (socket) => String((await once(socket, 'data'))[0]));
      for (const socket of sockets) socket.write(`${line} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`);
      const statuses = (await Promise.all(responses)).map((response) => Number(response.split(' ')[1]));
      return Object.fromEntries(
        [...new Set(statuses)].map((status) => [status, statuses.filter((one) => one === status).length]),
      );
    };
    return { service, merchant, statusesOf };
  };
  const pathOfCart = async (merchant: TestMerchant) => new URL((await createCart(merchant)).url).pathname;

  it('the others receive 429 on every path that needs no credentials', async () => {
    const { merchant, statusesOf } = await start();
    const paths = ['/healthz', '/readyz', '/', '/openapi.json', '/nowhere', '/.well-known/jwks.json', '/widget/manifest.json'];
    const pages = [`${await pathOfCart(merchant)}/details`, `/storefront/programs?key=${merchant.apiKey}`];
    for (const path of [...paths, ...pages]) {
      const expected = path === '/nowhere' ? { 404: 20, 429: 10 } : { 200: 20, 429: 10 };
      expect([path, await statusesOf(`HEAD ${path}`)]).toEqual([path, expected]);
    }
  });

  it.each([
    '/healthz',
    '/readyz',
    '/openapi.json',
    '/program.schema.json',
    '/widget/manifest.json',
    '/.well-known/jwks.json',
    '/.well-known/oauth-authorization-server',
  ])('the others receive the documented error: GET %s', async (path) => {
    const { service } = await start();
    const port = Number(new URL(service.publicUrl).port);
    const sockets = await Promise.all(Array.from({ length: COUNT }, () => openIdle(port)));
    const receiving = sockets.map((socket) => text(socket));
    for (const socket of sockets) socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    const rejected = (await Promise.all(receiving)).filter((response) => response.startsWith('HTTP/1.1 429 '));
    expect(rejected).toHaveLength(COUNT - 20);
    const [head = '', body = ''] = rejected[0]!.split('\r\n\r\n');
    const fields = head.split('\r\n').slice(1);
    const headers = new Headers(fields.map((field) => field.split(': ') as [string, string]));
    expect(headers.get('retry-after')).toBe('1');
    const response = { status: 429, headers, text: body, body: JSON.parse(body) };
    expect(() => expectMatchesOpenApi(service.publicUrl + path, {}, response)).not.toThrow();
  });

  it('the others receive 429 if their credentials are missing or wrong', async () => {
    const { merchant, statusesOf } = await start();
    const wrong = basic(`${merchant.apiKey}:${randomUUID()}`);
    expect(await statusesOf('GET /transactions/x')).toEqual({ 401: 20, 429: 10 });
    expect(await statusesOf('GET /carts/x', wrong)).toEqual({ 401: 20, 429: 10 });
    expect(await statusesOf('GET /api/application', 'Authorization: Bearer a.b.c\r\n')).toEqual({ 401: 20, 429: 10 });
    expect(await statusesOf('GET /healthz', wrong)).toEqual({ 200: 20, 429: 10 });
  });

  it('the others are processed if their credentials are valid', async () => {
    const { merchant, statusesOf } = await start();
    const valid = basic(`${merchant.apiKey}:${merchant.secret}`);
    expect(await statusesOf('GET /carts/x', valid)).toEqual({ 404: COUNT });
    expect(await statusesOf('GET /carts/x', valid)).toEqual({ 404: COUNT });
  });
});

/** Opens a connection that the service has accepted. */
async function openIdle(port: number): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1' });
  socket.on('error', () => undefined);
  onCleanup(() => socket.destroy());
  socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
  await once(socket, 'data');
  return socket;
}
