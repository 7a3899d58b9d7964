import { once } from 'node:events';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import pino from 'pino';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Database } from '../../server/db/database.ts';
import { openDatabase } from '../../server/db/open-database.ts';
import { serve } from '../../server/main.ts';
import { buildProject, startReachableProcess, startServiceProcess } from '../support/process.ts';
import { onCleanup } from '../support/cleanup.ts';
import { createDatabaseUrl } from '../support/databases.ts';
import { freePort, outwardAddress as outward } from '../support/network.mjs';
import { type ApiResponse, captureLog, fetchResponse, widgetFolder } from '../support/service.ts';
import { testConfig, testKeys } from '../support/data-keys.ts';

const silent = pino({ enabled: false });

async function occupyPort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onCleanup(() => server.close());
  return (server.address() as AddressInfo).port;
}

describe('A service whose port is in use', () => {
  beforeAll(buildProject);

  it('exits with 1 and one line on standard error', async () => {
    const port = await occupyPort();
    const { ended } = startServiceProcess(await createDatabaseUrl(), { PORT: String(port) });

    const { code, stderr } = await ended;
    expect(code).toBe(1);
    expect(stderr).toMatch(/^(warning: Node .*\n)?fairterm serve: listen EADDRINUSE.*\n$/);
    expect(stderr).toContain(String(port));
  });

  it('can be started again in the same process, with another port', async () => {
    const databaseUrl = await createDatabaseUrl();
    const config = { ...testConfig, databaseUrl };

    const rejected = serve({ ...config, port: await occupyPort() }, widgetFolder, { log: silent });
    await expect(rejected).rejects.toMatchObject({ code: 'EADDRINUSE' });

    const service = await serve({ ...config, port: 0 }, widgetFolder, { log: silent });
    expect(await fetchResponse(`${service.publicUrl}/readyz`)).toMatchObject({ status: 200 });
    await service.close();
  });
});

describe('A service that starts', () => {
  it('responds to a request that arrived before its application was created', async () => {
    const port = await freePort();
    const config = { ...testConfig, port, databaseUrl: await createDatabaseUrl() };
    const database = openDatabase(config.databaseUrl, testKeys);
    let response: Promise<ApiResponse> | undefined;
    /** Once the port is open, sends a request, and lets no write begin before it has arrived. */
    const write: Database['write'] = async (work) => {
      if (!response && (await isOpen(port))) {
        const arrived = requestArrives();
        response = fetchResponse(`http://127.0.0.1:${port}/readyz`);
        await arrived;
      }
      return database.write(work);
    };

    const service = await serve(config, widgetFolder, { log: silent, database: { ...database, write } });

    expect(await response).toMatchObject({ status: 200 });
    await service.close();
  });

  it('closes its senders of messages and its database if it cannot start', async () => {
    const databaseUrl = await createDatabaseUrl();
    const database = openDatabase(databaseUrl, testKeys);
    const closed: string[] = [];
    const messages = { close: async () => void closed.push('messages') };
    const closing = { ...database, close: async () => database.close().then(() => void closed.push('database')) };
    const config = { ...testConfig, databaseUrl, port: await occupyPort() };

    await expect(serve(config, widgetFolder, { log: silent, messages, database: closing })).rejects.toMatchObject({
      code: 'EADDRINUSE',
    });

    expect(closed).toEqual(['messages', 'database']);
  });
});

function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}

/** Resolves when a server of this process has received the headers of a request. */
function requestArrives(): Promise<void> {
  return new Promise((resolve) => {
    const channel = 'http.server.request.start';
    const onRequest = (): void => {
      unsubscribe(channel, onRequest);
      resolve();
    };
    subscribe(channel, onRequest);
  });
}

describe('A service with an error that no code handles', () => {
  beforeAll(buildProject);

  it.each([
    ['a rejected promise', "Promise.reject(new TypeError('ada@example.com'))"],
    ['an exception', "setImmediate(() => { throw new TypeError('ada@example.com'); })"],
    ['null', 'setImmediate(() => { throw null; })'],
  ])('logs %s without its message, and exits with 1', async (_title, code) => {
    const preload = `data:text/javascript,${encodeURIComponent(`process.on('SIGUSR2', () => { ${code}; });`)}`;
    const service = await startReachableProcess(await createDatabaseUrl(), { NODE_OPTIONS: `--import=${preload}` });

    service.child.kill('SIGUSR2');

    expect((await service.ended).code).toBe(1);
    const last = JSON.parse(service.stdout().trimEnd().split('\n').at(-1)!);
    expect(last).toMatchObject({ level: 60, at: 'process', error: code.includes('null') ? 'object' : 'TypeError' });
    expect(service.stdout() + service.stderr()).not.toContain('ada@example');
  });
});

describe('A service that receives a termination signal', () => {
  beforeAll(buildProject);

  it('exits with 0, even if a client has sent an incomplete request', async () => {
    const service = await startReachableProcess(await createDatabaseUrl());
    await sendIncompleteRequest(service.url);

    service.child.kill('SIGTERM');

    expect((await service.ended).code).toBe(0);
  }, 40_000);
});

/** Opens a connection that the service accepts, and sends only the beginning of a request. */
async function sendIncompleteRequest(url: string): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.on('error', () => undefined);
  onCleanup(() => socket.destroy());
  await once(socket, 'connect');
  await new Promise<void>((resolve) => socket.write('POST /carts HTTP/1.1\r\nHost: shop.example\r\nX-Half', () => resolve()));
  // Connections are accepted in order: after this response, the service has accepted the other one.
  expect(await fetchResponse(`${url}/healthz`)).toMatchObject({ status: 200 });
  return socket;
}

describe('A service that closes', () => {
  const startService = async () => {
    const databaseUrl = await createDatabaseUrl();
    return serve({ ...testConfig, port: 0, databaseUrl }, widgetFolder, { log: silent });
  };
  // The service waits five seconds for requests in progress. The tests advance that timer.
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    return () => void vi.useRealTimers();
  });

  it('responds to a request in progress with `Connection: close`', async () => {
    const service = await startService();
    const socket = connect(Number(new URL(service.publicUrl).port), '127.0.0.1');
    onCleanup(() => socket.destroy());
    socket.write(
      'POST /oauth/token HTTP/1.1\r\nHost: shop.example\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n',
    );
    await once(socket, 'data');

    const closed = service.close();
    socket.write('a=b');

    expect(await text(socket)).toMatch(/^HTTP\/1\.1 4\d\d .*\r\nconnection: close\r\n/is);
    await closed;
  });

  it('closes the connection of an incomplete request after five seconds', async () => {
    const service = await startService();
    const socket = await sendIncompleteRequest(service.publicUrl);
    const connectionClosed = once(socket, 'close');
    const startedAtMs = performance.now();

    const closed = service.close();
    vi.advanceTimersByTime(5_000);

    await Promise.all([closed, connectionClosed]);
    // Otherwise the connection would be closed after 15 seconds, the timeout for request headers.
    expect(performance.now() - startedAtMs).toBeLessThan(15_000);
  });
});

describe('Plain HTTP', () => {
  const paths = ['/healthz', '/readyz', '/carts', '/transactions/x', '/storefront/programs', '/c/unknown', '/nowhere'];
  const startServiceOn = async (host: string) => {
    const databaseUrl = await createDatabaseUrl();
    const { log, logged } = captureLog();
    const service = await serve({ ...testConfig, host, port: 0, databaseUrl }, widgetFolder, { log });
    onCleanup(() => service.close());
    return { port: new URL(service.publicUrl).port, logged };
  };

  it.skipIf(outward === undefined)(
    `to an external address is rejected before the request is parsed (${outward ?? 'skipped: this machine has none'})`,
    async () => {
      const { port, logged } = await startServiceOn('0.0.0.0');
      for (const path of paths) {
        const response = await fetchResponse(`http://${outward}:${port}${path}`, {
          headers: { authorization: `Basic ${Buffer.from('key:secret').toString('base64')}` },
        });
        expect([path, response.status, response.body]).toEqual([
          path,
          403,
          {
            description: 'Expected HTTPS, but received plain HTTP.',
            error: true,
            type: 'INTERNAL_ERROR',
            code: 'https-required',
          },
        ]);
      }
      const malformed = await fetchResponse(`http://${outward}:${port}/carts`, { method: 'POST', body: '{"options":' });
      expect(malformed).toMatchObject({ status: 403, body: { code: 'https-required' } });
      expect(logged.join('')).not.toContain('"error"');
    },
  );

  it('to localhost is accepted, even if the service listens on all addresses', async () => {
    const { port } = await startServiceOn('0.0.0.0');
    expect(await fetchResponse(`http://127.0.0.1:${port}/readyz`)).toMatchObject({ status: 200 });
    expect(await fetchResponse(`http://127.0.0.1:${port}/carts`)).toMatchObject({ status: 401 });
  });
});
