import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import pino from 'pino';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { readConfig } from '../../server/config/config.ts';
import { serve } from '../../server/main.ts';
import { buildService, startReachableProcess, startServiceProcess } from '../support/process.ts';
import { onCleanup } from '../support/cleanup.ts';
import { createDatabaseUrl } from '../support/databases.ts';
import { outwardAddress as outward } from '../support/network.mjs';
import { captureLog, fetchResponse, widgetFolder } from '../support/service.ts';

const silent = pino({ enabled: false });

async function givenUsedPort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onCleanup(() => server.close());
  return (server.address() as AddressInfo).port;
}

async function givenDatabaseUrlToTheEnd(): Promise<string> {
  const { url, remove } = await createDatabaseUrl();
  onCleanup(remove);
  return url;
}

describe('A service whose port is taken', () => {
  beforeAll(buildService);

  it('leaves nothing running, and the process exits with 1 and one sentence', async () => {
    const port = await givenUsedPort();
    const { ended } = startServiceProcess(await givenDatabaseUrlToTheEnd(), { PORT: String(port) });

    const { code, stderr } = await ended;
    expect(code).toBe(1);
    expect(stderr).toMatch(/^fairterm serve: listen EADDRINUSE.*\n$/);
    expect(stderr).toContain(String(port));
  });

  it('can be started again in the same process, with another port', async () => {
    const databaseUrl = await givenDatabaseUrlToTheEnd();
    const config = { ...readConfig({}), databaseUrl };

    const rejected = serve({ ...config, port: await givenUsedPort() }, widgetFolder, { log: silent });
    await expect(rejected).rejects.toMatchObject({ code: 'EADDRINUSE' });

    const service = await serve({ ...config, port: 0 }, widgetFolder, { log: silent });
    expect(await fetchResponse(`${service.publicUrl}/readyz`)).toMatchObject({ status: 200 });
    await service.close();
  });
});

describe('A service that receives a termination signal', () => {
  beforeAll(buildService);

  it('exits with 0 although a client has sent half of a request', async () => {
    const service = await startReachableProcess(await givenDatabaseUrlToTheEnd());
    await givenHalfOfARequest(service.url);

    service.child.kill('SIGTERM');

    expect((await service.ended).code).toBe(0);
  }, 40_000);
});

/** Opens a connection that the service has accepted, and sends only the beginning of a request. */
async function givenHalfOfARequest(url: string): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.on('error', () => undefined);
  onCleanup(() => socket.destroy());
  await once(socket, 'connect');
  await new Promise<void>((resolve) => socket.write('POST /carts HTTP/1.1\r\nHost: shop.example\r\nX-Half', () => resolve()));
  // Connections are accepted in order. Once this one receives a response, the service has accepted the other.
  expect(await fetchResponse(`${url}/healthz`)).toMatchObject({ status: 200 });
  return socket;
}

describe('A service that closes', () => {
  const startService = async () => {
    const databaseUrl = await givenDatabaseUrlToTheEnd();
    return serve({ ...readConfig({}), port: 0, databaseUrl }, widgetFolder, { log: silent });
  };
  // The service waits five seconds for requests in progress. The test controls that timer.
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    return () => void vi.useRealTimers();
  });

  it('responds to requests in progress with `Connection: close`, and does not wait for others', async () => {
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

  it('closes the connection of a request that does not arrive within five seconds', async () => {
    const service = await startService();
    const socket = await givenHalfOfARequest(service.publicUrl);
    const cutOff = once(socket, 'close');
    const startedAtMs = performance.now();

    const closed = service.close();
    vi.advanceTimersByTime(5_000);

    await Promise.all([closed, cutOff]);
    // Otherwise the connection would last for 15 seconds, the timeout for request headers.
    expect(performance.now() - startedAtMs).toBeLessThan(15_000);
  });
});

describe('Plain HTTP', () => {
  const paths = ['/healthz', '/readyz', '/carts', '/transactions/x', '/storefront/programs', '/c/unknown', '/nowhere'];
  const givenOutwardService = async (host: string) => {
    const databaseUrl = await givenDatabaseUrlToTheEnd();
    const { log, logged } = captureLog();
    const service = await serve({ ...readConfig({}), host, port: 0, databaseUrl }, widgetFolder, { log });
    onCleanup(() => service.close());
    return { port: new URL(service.publicUrl).port, logged };
  };

  it.skipIf(outward === undefined)(
    `to an address that others reach is refused before anything of it is read (${outward ?? 'skipped: this machine has no such address'})`,
    async () => {
      const { port, logged } = await givenOutwardService('0.0.0.0');
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
      const broken = await fetchResponse(`http://${outward}:${port}/carts`, { method: 'POST', body: '{"options":' });
      expect(broken).toMatchObject({ status: 403, body: { code: 'https-required' } });
      expect(logged.join('')).not.toContain('"error"');
    },
  );

  it.skipIf(outward === undefined)(
    `to an address that others reach is refused whatever its headers claim (${outward ?? 'skipped: this machine has no such address'})`,
    async () => {
      const { port } = await givenOutwardService('0.0.0.0');
      const headers = { 'x-forwarded-proto': 'https', 'x-forwarded-for': '127.0.0.1', forwarded: 'proto=https;for=127.0.0.1' };
      expect(await fetchResponse(`http://${outward}:${port}/carts`, { headers })).toMatchObject({ status: 403 });
    },
  );

  it('is accepted within this machine, whatever address the service listens on', async () => {
    const { port } = await givenOutwardService('0.0.0.0');
    expect(await fetchResponse(`http://127.0.0.1:${port}/readyz`)).toMatchObject({ status: 200 });
    expect(await fetchResponse(`http://127.0.0.1:${port}/carts`)).toMatchObject({ status: 401 });
  });
});
