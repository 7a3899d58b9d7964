import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import pino from 'pino';
import { beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '../../server/config/config.ts';
import { serve } from '../../server/main.ts';
import { buildService } from '../support/built.ts';
import { atTheEnd } from '../support/cleanup.ts';
import { describeOnEveryEngine, givenDatabaseUrl } from '../support/engines.ts';
import { startService } from '../support/own-service.ts';
import { outwardAddress as outward } from '../support/outward.mjs';
import { fetchAnswer, widgetFolder } from '../support/service.ts';
import { until } from '../support/until.ts';
import { givenLog } from '../support/logged.ts';

const silent = pino({ enabled: false });

async function givenUsedPort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  atTheEnd(() => server.close());
  return (server.address() as AddressInfo).port;
}

async function givenDatabaseUrlToTheEnd(engine: 'sqlite' | 'postgres'): Promise<string> {
  const { url, remove } = await givenDatabaseUrl(engine);
  atTheEnd(remove);
  return url;
}

describeOnEveryEngine('A service whose port is taken', (engine) => {
  beforeAll(buildService);

  it('is refused, and leaves nothing running: the process ends by itself with 1 and one sentence', async () => {
    const port = await givenUsedPort();
    const { child, ended } = startService(await givenDatabaseUrlToTheEnd(engine), { PORT: String(port) });

    await until(() => child.exitCode !== null || child.signalCode !== null, 8_000);

    const { code, stderr } = await ended;
    expect(code).toBe(1);
    expect(stderr).toMatch(/^fairterm serve: listen EADDRINUSE.*\n$/);
    expect(stderr).toContain(String(port));
  });

  it('can be asked for again in the same process, with another port', async () => {
    const databaseUrl = await givenDatabaseUrlToTheEnd(engine);
    const config = { ...readConfig({}), databaseUrl };

    const refused = serve({ ...config, port: await givenUsedPort() }, widgetFolder, { log: silent });
    await expect(refused).rejects.toMatchObject({ code: 'EADDRINUSE' });

    const service = await serve({ ...config, port: 0 }, widgetFolder, { log: silent });
    expect(await fetchAnswer(`${service.publicUrl}/readyz`)).toMatchObject({ status: 200 });
    await service.close();
  });
});

describe('A service that is told to end', () => {
  beforeAll(buildService);

  it('ends within ten seconds though somebody has sent half of a request', async () => {
    const service = startService(await givenDatabaseUrlToTheEnd('sqlite'), { PORT: '0' });
    const url = await until(() => /serves (http:\S+)/.exec(service.stderr())?.[1], 10_000);
    const slow = connect(Number(new URL(url).port), '127.0.0.1');
    atTheEnd(() => slow.destroy());
    slow.on('error', () => undefined);
    await once(slow, 'connect');
    await new Promise<void>((resolve) => slow.write('POST /carts HTTP/1.1\r\nHost: shop.example\r\nX-Half', () => resolve()));
    // Connections are taken in the order they came: when this one is answered, the other is in the service's hands.
    expect(await fetchAnswer(`http://127.0.0.1:${new URL(url).port}/healthz`)).toMatchObject({ status: 200 });

    const toldAt = performance.now();
    service.child.kill('SIGTERM');
    const { code } = await service.ended;

    expect(code).toBe(0);
    expect(performance.now() - toldAt).toBeLessThan(10_000);
  }, 40_000);
});

describe('A service that closes', () => {
  it('answers what is under way, says that it was the last of its connection, and waits for no other', async () => {
    const databaseUrl = await givenDatabaseUrlToTheEnd('sqlite');
    const service = await serve({ ...readConfig({}), port: 0, databaseUrl }, widgetFolder, { log: silent });
    const socket = connect(Number(new URL(service.publicUrl).port), '127.0.0.1');
    atTheEnd(() => socket.destroy());
    socket.write(
      'POST /oauth/token HTTP/1.1\r\nHost: shop.example\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n',
    );
    await once(socket, 'data');

    const toldAt = performance.now();
    const closed = service.close();
    socket.write('a=b');

    expect(await text(socket)).toMatch(/^HTTP\/1\.1 4\d\d .*\r\nconnection: close\r\n/is);
    await closed;
    // Less than the patience after which connections are cut off.
    expect(performance.now() - toldAt).toBeLessThan(4_000);
  });
});

describe('Plain HTTP', () => {
  const paths = ['/healthz', '/readyz', '/carts', '/transactions/x', '/storefront/programs', '/c/unknown', '/nowhere'];
  const givenOutwardService = async (host: string) => {
    const databaseUrl = await givenDatabaseUrlToTheEnd('sqlite');
    const { log, logged } = givenLog();
    const service = await serve({ ...readConfig({}), host, port: 0, databaseUrl }, widgetFolder, { log });
    atTheEnd(() => service.close());
    return { port: new URL(service.publicUrl).port, logged };
  };

  it.skipIf(outward === undefined)(
    `to an address that others reach is refused before anything of it is read (${outward ?? 'skipped: this machine has no such address'})`,
    async () => {
      const { port, logged } = await givenOutwardService('0.0.0.0');
      for (const path of paths) {
        const answer = await fetchAnswer(`http://${outward}:${port}${path}`, {
          headers: { authorization: `Basic ${Buffer.from('key:secret').toString('base64')}` },
        });
        expect([path, answer.status, answer.body]).toEqual([
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
      const broken = await fetchAnswer(`http://${outward}:${port}/carts`, { method: 'POST', body: '{"options":' });
      expect(broken).toMatchObject({ status: 403, body: { code: 'https-required' } });
      expect(logged.join('')).not.toContain('"fault"');
    },
  );

  it.skipIf(outward === undefined)(
    `to an address that others reach is refused whatever its headers claim (${outward ?? 'skipped: this machine has no such address'})`,
    async () => {
      const { port } = await givenOutwardService('0.0.0.0');
      const headers = { 'x-forwarded-proto': 'https', 'x-forwarded-for': '127.0.0.1', forwarded: 'proto=https;for=127.0.0.1' };
      expect(await fetchAnswer(`http://${outward}:${port}/carts`, { headers })).toMatchObject({ status: 403 });
    },
  );

  it('within this machine is answered, wherever the service listens', async () => {
    const { port } = await givenOutwardService('0.0.0.0');
    expect(await fetchAnswer(`http://127.0.0.1:${port}/readyz`)).toMatchObject({ status: 200 });
    expect(await fetchAnswer(`http://127.0.0.1:${port}/carts`)).toMatchObject({ status: 401 });
  });
});
