import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { afterEach, describe, expect, it } from 'vitest';
import type { Config } from '../../../server/config/config.ts';
import { certificate } from '../../support/http.ts';
import { startService, type TestService } from '../../support/service.ts';
import { until } from '../../support/time.ts';

const REQUEST = 'GET /healthz HTTP/1.1\r\nHost: x\r\nX-Forwarded-Proto: https\r\nConnection: keep-alive\r\n\r\n';

describe('A service with connection limits', () => {
  let service: TestService;
  const sockets: Socket[] = [];
  afterEach(() => sockets.splice(0).forEach((socket) => socket.destroy()));

  const run = async (config: Partial<Config>) => {
    service = await startService('sqlite', config);
  };
  /** Opens a connection that stays open, and returns true if a request on it receives status 200. */
  const isServed = async (localAddress = '127.0.0.1', ca?: Buffer): Promise<boolean> => {
    const plain = connect({ port: Number(new URL(service.publicUrl).port), host: '127.0.0.1', localAddress });
    const socket = ca ? connectTls({ socket: plain, servername: 'localhost', ca }) : plain;
    sockets.push(socket);
    socket.on('error', () => undefined);
    socket.write(REQUEST);
    const first = await new Promise<Buffer | undefined>((resolve) => {
      socket.once('data', resolve);
      socket.once('close', () => resolve(undefined));
    });
    return first?.toString().startsWith('HTTP/1.1 200') ?? false;
  };
  const areServed = async (count: number, localAddress?: string) => {
    const served: boolean[] = [];
    for (let number = 0; number < count; number += 1) served.push(await isServed(localAddress));
    return served;
  };

  it('closes excess connections from one address, and serves other addresses', async () => {
    await run({ connections: { total: 0, perAddress: 2 } });
    expect(await areServed(4)).toEqual([true, true, false, false]);
    expect(await areServed(3, '127.0.0.2')).toEqual([true, true, false]);
    expect(service.logged.filter((line) => line.includes('"closed":"perAddress"'))).toHaveLength(3);
    expect(service.logged.join()).not.toContain('127.0.0.');
  });

  it('serves an address again after it has closed its connections, even if others were rejected', async () => {
    await run({ connections: { total: 0, perAddress: 2 } });
    for (let round = 0; round < 3; round += 1) {
      await until(() => isServed());
      await until(() => isServed());
      expect(await areServed(5)).toEqual(Array(5).fill(false));
      sockets.splice(0).forEach((socket) => socket.destroy());
    }
  });

  it('closes excess connections from one address before the TLS handshake', async () => {
    const { certFile, keyFile, ca } = certificate;
    await run({ connections: { total: 0, perAddress: 1 }, tls: { certFile, keyFile } });
    expect(await isServed('127.0.0.1', ca)).toBe(true);
    expect(await isServed('127.0.0.1', ca)).toBe(false);
    expect(await isServed('127.0.0.2', ca)).toBe(true);
  });

  it('closes excess connections in total', async () => {
    await run({ connections: { total: 3, perAddress: 0 } });
    expect(await areServed(2)).toEqual([true, true]);
    expect(await areServed(2, '127.0.0.2')).toEqual([true, false]);
    expect(service.logged.filter((line) => line.includes('"closed":"total"'))).toHaveLength(1);
  });

  it('does not limit connections by address behind a proxy', async () => {
    await run({ connections: { total: 0, perAddress: 1 }, trustProxy: true });
    expect(await areServed(5)).toEqual(Array(5).fill(true));
  });

  it('serves all connections if the limits are 0', async () => {
    await run({ connections: { total: 0, perAddress: 0 } });
    expect(await areServed(20)).toEqual(Array(20).fill(true));
  });
});
