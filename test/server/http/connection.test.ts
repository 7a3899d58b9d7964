import fc from 'fast-check';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { createHttpServer } from '../../../server/http/server.ts';
import { readTlsPair } from '../../../server/http/transport.ts';
import { releaseOf, storeRelease } from '../../../server/widget-files/release.ts';
import { createCart } from '../../support/checkout.ts';
import { onCleanup } from '../../support/cleanup.ts';
import { certificate, exchange } from '../../support/http.ts';
import { startService } from '../../support/service.ts';
import { until } from '../../support/time.ts';

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: shop.example\r\n\r\n`;

interface Started {
  port: number;
  /** Open connections, seen from the server. */
  sockets: Set<Socket>;
  /** Requests that were parsed. */
  parsed: IncomingMessage[];
}

/** Starts the server with another handler of requests. */
async function start(handle: RequestListener, options: { unreadTimeoutMs?: number; isTls?: boolean } = {}): Promise<Started> {
  const tls = options.isTls ? readTlsPair(certificate) : undefined;
  const { server, close } = createHttpServer(handle, tls, () => undefined, options);
  const sockets = new Set<Socket>();
  const parsed: IncomingMessage[] = [];
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.on('request', (request) => parsed.push(request));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onCleanup(() => close(0));
  return { port: (server.address() as AddressInfo).port, sockets, parsed };
}

/** Opens a connection that is closed after the test. */
function open(port: number): Socket {
  const socket = connect({ port, host: '127.0.0.1' });
  socket.on('error', () => undefined);
  onCleanup(() => socket.destroy());
  return socket;
}

describe('A connection', () => {
  it.each([false, true])('processes pipelined requests one at a time and responds in order (TLS: %s)', async (isTls) => {
    const inProgress = new Set<ServerResponse>();
    let mostInProgress = 0;
    const { port } = await start(
      ({ url }, response) => {
        inProgress.add(response);
        response.once('finish', () => inProgress.delete(response));
        mostInProgress = Math.max(mostInProgress, inProgress.size);
        setImmediate(() => response.setHeader('content-length', url!.length).end(url));
      },
      { isTls },
    );
    const paths = Array.from({ length: 100 }, (_, index) => `/${index}`);
    const tls = isTls ? { ca: certificate.ca } : undefined;
    const { responses } = await exchange(port, paths.map(get).join(''), { count: paths.length, tls });
    expect(responses.map((response) => response.text)).toEqual(paths);
    expect(mostInProgress).toBe(1);
  });

  it('is closed after the response to a request with an Upgrade header, so that its client repeats the next ones', async () => {
    const { port } = await start(({ url }, response) => void response.end(url));
    const upgrade =
      'POST /a HTTP/1.1\r\nHost: shop.example\r\nConnection: Upgrade\r\nUpgrade: h2c\r\nContent-Length: 2\r\n\r\n{}';
    const socket = open(port);
    socket.end(upgrade + get('/b'));
    const received = await text(socket);
    expect(received).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(received).toMatch(/\r\nconnection: close\r\n/i);
    expect(received).toMatch(/\/a$/);
  });

  it('parses at most four of the pipelined requests before the response to the first one', async () => {
    const waiting: ServerResponse[] = [];
    const { port, parsed } = await start((_request, response) => void waiting.push(response));
    open(port).write('GET / HTTP/1.0\r\n\r\n'.repeat(3_000));
    await until(() => waiting.length > 0);
    // The server responds to a later connection, so it has processed what it received before.
    await exchange(port, 'hello\r\n\r\n');
    expect(waiting.length).toBe(1);
    expect(parsed.length).toBeLessThanOrEqual(4);
  });

  it('reads requests and bodies that arrive in any pieces', async () => {
    const echo = async (request: IncomingMessage, response: ServerResponse) => {
      const received = `${request.method} ${request.url} ${await text(request)}`;
      response.setHeader('content-length', Buffer.byteLength(received)).end(received);
    };
    const { port } = await start((...exchanged) => void echo(...exchanged));
    const request = fc.record({
      body: fc.string({ unit: fc.constantFrom('a', '\r\n', '\r\n\r\n', 'GET / HTTP/1.1\r\n\r\n'), maxLength: 60 }),
      isChunked: fc.boolean(),
      header: fc.string({ unit: fc.constantFrom('a'), maxLength: 90 }),
    });
    const encode = ({ body, isChunked, header }: { body: string; isChunked: boolean; header: string }, index: number) => {
      const framing = isChunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${body.length}`;
      const chunks = (body === '' ? '' : `${body.length.toString(16)}\r\n${body}\r\n`) + '0\r\n\r\n';
      return `POST /${index} HTTP/1.1\r\nHost: x\r\nX-A: ${header}\r\n${framing}\r\n\r\n${isChunked ? chunks : body}`;
    };
    await fc.assert(
      fc.asyncProperty(fc.array(request, { minLength: 1, maxLength: 12 }), fc.array(fc.nat(400)), async (requests, sizes) => {
        let rest = requests.map(encode).join('');
        const socket = open(port);
        socket.setNoDelay(true);
        for (const size of sizes) {
          const piece = rest.slice(0, size);
          rest = rest.slice(size);
          if (piece !== '') await new Promise((resolve) => socket.write(piece, resolve));
        }
        const responses = exchangeOn(socket, rest, requests.length);
        expect(await responses).toEqual(requests.map(({ body }, index) => `POST /${index} ${body}`));
        socket.destroy();
      }),
      { numRuns: 60 },
    );
  });

  it('responds to a client that has closed its side after the request', async () => {
    const { port } = await start((_request, response) => void setImmediate(() => response.end('late')));
    const socket = open(port);
    socket.end(get('/'));
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 OK\r\n.*late/s);
  });

  describe('whose client does not read a response', () => {
    const largerThanBuffers = Buffer.alloc(50_000_000);

    it('is closed after a timeout', async () => {
      const { port, sockets } = await start((_request, response) => void response.end(largerThanBuffers), {
        unreadTimeoutMs: 100,
      });
      open(port).pause().write(get('/'));
      await until(() => sockets.size === 1);
      await until(() => sockets.size === 0);
    });

    it('is closed after a timeout, while one whose request is in progress for longer stays open', async () => {
      const waiting: ServerResponse[] = [];
      const respond: RequestListener = ({ url }, response) => {
        if (url === '/slow') waiting.push(response);
        else response.end(largerThanBuffers);
      };
      const { port, sockets } = await start(respond, { unreadTimeoutMs: 100 });
      const slow = open(port);
      slow.write(get('/slow'));
      await until(() => waiting.length === 1);
      open(port).pause().write(get('/'));
      await until(() => sockets.size === 2);
      await until(() => sockets.size === 1);
      waiting[0]!.end('done');
      expect(String(await once(slow, 'data'))).toMatch(/^HTTP\/1\.1 200 OK/);
    });
  });
});

/** Sends the rest of a sequence of requests and returns the bodies of the responses. */
async function exchangeOn(socket: Socket, rest: string, count: number): Promise<string[]> {
  const bodies: string[] = [];
  let received = '';
  socket.write(rest);
  for await (const chunk of socket.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    received += chunk.toString('latin1');
    for (;;) {
      const found = /^HTTP\/1\.1 200 OK\r\n.*?content-length: (\d+)\r\n.*?\r\n\r\n/is.exec(received);
      const end = found ? found[0].length + Number(found[1]) : Infinity;
      if (received.length < end) break;
      bodies.push(received.slice(found![0].length, end));
      received = received.slice(end);
    }
    if (bodies.length === count) break;
  }
  return bodies;
}

describe('A client that pipelines requests and does not read the responses', () => {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  const usedBytes = (): number => {
    collectGarbage();
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  };

  it.each(['a checkout page', '/widget/manifest.json'])(
    'does not fill the memory with 1,000 requests for %s',
    async (page) => {
      const service = await startService('sqlite');
      // A manifest of 100 kB.
      for (let version = 0; version < 10; version += 1) {
        const names = Array.from({ length: 50 }, (_, index) => `texts/${index}.js`);
        const release = releaseOf(`0.${version}.0`, new Map(names.map((name) => [name, Buffer.from('export {};')])));
        await storeRelease(service.database, release, service.clock.now());
      }
      const { url } = await createCart(await service.createMerchant());
      const path = page.startsWith('/') ? page : `${new URL(url).pathname}/details`;
      const port = Number(new URL(service.publicUrl).port);
      const send = (count: number) => {
        const socket = open(port);
        socket.pause();
        socket.write(get(path).repeat(count));
        return socket;
      };
      const countLogged = () => service.logged.length;
      const isSettled = async () => {
        const before = countLogged();
        await new Promise((resolve) => setTimeout(resolve, 300));
        return before > 10 && countLogged() === before;
      };
      send(20);
      await until(isSettled);
      const before = usedBytes();
      for (let connection = 0; connection < 5; connection += 1) send(100);
      send(1_000);
      await until(isSettled, 150_000);
      expect((usedBytes() - before) / 1e6).toBeLessThan(10);
    },
    180_000,
  );
});
