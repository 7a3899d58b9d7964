import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { afterEach, describe, expect, it } from 'vitest';
import type { Config } from '../../../server/config/config.ts';
import { limitConnections } from '../../../server/http/connection-limits.ts';
import { certificate } from '../../support/http.ts';
import { startService, type TestService } from '../../support/service.ts';
import { until } from '../../support/time.ts';

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\nX-Forwarded-Proto: https\r\n\r\n`;
/** The beginning of a request whose body does not arrive, so that it stays in progress. */
const INCOMPLETE =
  'POST /oauth/token HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 9\r\nExpect: 100-continue\r\n\r\n';

describe('A service with connection limits', () => {
  let service: TestService;
  const sockets: Socket[] = [];
  afterEach(() => sockets.splice(0).forEach((socket) => socket.destroy()));

  const run = async (config: Partial<Config>) => {
    service = await startService('sqlite', config);
  };
  /** Opens a connection that stays open, and returns it if the service responds to it. */
  const open = async (localAddress = '127.0.0.1', { request = get('/healthz'), ca }: { request?: string; ca?: Buffer } = {}) => {
    const plain = connect({ port: Number(new URL(service.publicUrl).port), host: '127.0.0.1', localAddress });
    const socket = ca ? connectTls({ socket: plain, servername: 'localhost', ca }) : plain;
    sockets.push(socket);
    socket.on('error', () => undefined);
    socket.write(request);
    const first = await new Promise<Buffer | undefined>((resolve) => {
      socket.once('data', resolve);
      socket.once('close', () => resolve(undefined));
    });
    return first && socket;
  };
  const openMany = async (count: number, ...options: Parameters<typeof open>) => {
    const opened: (Socket | undefined)[] = [];
    for (let number = 0; number < count; number += 1) opened.push(await open(...options));
    return opened;
  };
  const countOpen = (opened: readonly (Socket | undefined)[]) => opened.filter((socket) => socket?.closed === false).length;
  const isBusy = { request: INCOMPLETE };

  it('closes the longest idle connection of an address that has too many, and serves other addresses', async () => {
    await run({ connections: { total: 0, perAddress: 2 } });
    const [first, second, third] = await openMany(3);
    await until(() => first!.closed);
    expect(countOpen([second, third])).toBe(2);
    // Its latest request is later than that of the third one.
    second!.write(get('/healthz'));
    await once(second!, 'data');
    await open();
    await until(() => third!.closed);
    expect(second!.closed).toBe(false);
    expect(countOpen(await openMany(2, '127.0.0.2'))).toBe(2);
    expect(second!.closed).toBe(false);
    expect(service.logged.filter((line) => line.includes('"closed":"perAddress"'))).toHaveLength(2);
    expect(service.logged.join()).not.toContain('127.0.0.');
  });

  it('closes the newest connection of an address whose connections all have a request in progress', async () => {
    await run({ connections: { total: 0, perAddress: 2 } });
    for (let round = 0; round < 3; round += 1) {
      await until(async () => (await open('127.0.0.1', isBusy)) !== undefined);
      await until(async () => (await open('127.0.0.1', isBusy)) !== undefined);
      expect(await openMany(5, '127.0.0.1', isBusy)).toEqual(Array(5).fill(undefined));
      sockets.splice(0).forEach((socket) => socket.destroy());
    }
  });

  it('gives a quarter of all connections to a network', async () => {
    await run({ connections: { total: 40, perAddress: 6 } });
    for (const host of [1, 2, 3]) await openMany(5, `127.0.0.${host}`, isBusy);
    const inNetwork = sockets.filter((socket) => !socket.closed).length;
    expect(inNetwork).toBe(10);
    expect(countOpen(await openMany(5, '127.0.1.1', isBusy))).toBe(5);
  });

  it('reserves a tenth of all connections for networks that have few', async () => {
    await run({ connections: { total: 40, perAddress: 10 } });
    for (const network of [0, 1, 2, 3]) await openMany(10, `127.0.${network}.1`, isBusy);
    // The last network may have what is left of nine tenths.
    expect(sockets.filter((socket) => !socket.closed).length).toBe(36);
    for (const network of [5, 6, 7, 8]) expect(await open(`127.0.${network}.1`, isBusy)).toBeDefined();
    expect(await open('127.0.5.1', isBusy)).toBeUndefined();
  });

  it('closes excess connections from one address before the TLS handshake', async () => {
    const { certFile, keyFile, ca } = certificate;
    await run({ connections: { total: 0, perAddress: 1 }, tls: { certFile, keyFile } });
    const first = await open('127.0.0.1', { ca, ...isBusy });
    expect(await open('127.0.0.1', { ca })).toBeUndefined();
    expect(await open('127.0.0.2', { ca })).toBeDefined();
    expect(first!.closed).toBe(false);
  });

  it('closes the longest idle connection of an address over TLS', async () => {
    const { certFile, keyFile, ca } = certificate;
    await run({ connections: { total: 0, perAddress: 2 }, tls: { certFile, keyFile } });
    const busy = await open('127.0.0.1', { ca, ...isBusy });
    const idle = await open('127.0.0.1', { ca });
    expect(await open('127.0.0.1', { ca })).toBeDefined();
    await until(() => idle!.closed);
    expect(busy!.closed).toBe(false);
  });

  it('closes the longest idle connection in total, or the newest one if none is idle', async () => {
    await run({ connections: { total: 3, perAddress: 0 } });
    const [idle] = await openMany(1);
    await openMany(2, '127.0.0.2', isBusy);
    expect(await open('127.0.0.3', isBusy)).toBeDefined();
    await until(() => idle!.closed);
    expect(await open('127.0.0.4')).toBeUndefined();
    expect(service.logged.filter((line) => line.includes('"closed":"total"'))).toHaveLength(2);
  });

  it('does not limit connections by address behind a proxy', async () => {
    await run({ connections: { total: 0, perAddress: 1 }, trustProxy: true });
    expect(countOpen(await openMany(5))).toBe(5);
  });

  it('serves all connections if the limits are 0', async () => {
    await run({ connections: { total: 0, perAddress: 0 } });
    expect(countOpen(await openMany(20))).toBe(20);
  });

  it('does not count a closed connection whose port the client uses again', async () => {
    const server = createServer().removeAllListeners('connection');
    let closed = 0;
    limitConnections(server, { total: 10, perAddress: 2 }, false, () => (closed += 1));
    const accept = () => {
      const socket = new Socket();
      for (const [name, value] of Object.entries({ remoteAddress: '192.0.2.1', remotePort: 50_000, localAddress: '192.0.2.2' })) {
        Object.defineProperty(socket, name, { value });
      }
      server.emit('connection', socket);
      return socket;
    };
    // The service is not informed of a reset while it does not read from the connection, and the next one has the same addresses.
    const both = [accept(), accept()];
    for (const socket of both) {
      socket.destroy();
      await once(socket, 'close');
    }
    const next = [accept(), accept()];
    expect([next.map(({ destroyed }) => destroyed), closed]).toEqual([[false, false], 0]);
  });

  it('accepts an address with any zone', async () => {
    const socket = Object.defineProperty(new Socket(), 'remoteAddress', { value: 'fe80::1%br-lan' });
    const server = createServer();
    limitConnections(server, { total: 10, perAddress: 1 }, false, () => undefined);
    expect(() => server.emit('connection', socket)).not.toThrow();
  });
});
