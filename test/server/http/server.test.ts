import { Agent, type IncomingMessage, request, type RequestListener, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { Pool } from 'undici';
import { describe, expect, it } from 'vitest';
import { createHttpServer } from '../../../server/http/server.ts';
import { onCleanup } from '../../support/cleanup.ts';
import { exchange } from '../../support/http.ts';
import { until } from '../../support/time.ts';

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: shop.example\r\n\r\n`;

interface Started {
  port: number;
  /** Requests that were parsed. */
  parsed: IncomingMessage[];
  close(timeoutMs: number): Promise<void>;
}

/** Starts the server with another handler of requests. */
async function start(handle: RequestListener): Promise<Started> {
  const { server, close } = createHttpServer(handle, () => undefined);
  const parsed: IncomingMessage[] = [];
  for (const event of ['request', 'checkContinue', 'checkExpectation']) {
    server.prependListener(event, (parsedRequest: IncomingMessage) => parsed.push(parsedRequest));
  }
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onCleanup(() => close(0));
  return { port: (server.address() as AddressInfo).port, parsed, close };
}

/** Opens a connection that is closed after the test. */
function open(port: number): Socket {
  const socket = connect({ port, host: '127.0.0.1' });
  socket.on('error', () => undefined);
  onCleanup(() => socket.destroy());
  return socket;
}

/** Resolves when a connection is closed, also by a reset. */
const closeOf = (socket: Socket) => new Promise<void>((resolve) => void socket.once('close', () => resolve()));

describe('A client that pipelines requests', () => {
  it.each([
    ['requests', get('/')],
    ['requests with Expect: 100-continue', get('/').replace('\r\n\r\n', '\r\nExpect: 100-continue\r\n\r\n')],
    ['requests with an unknown expectation', get('/').replace('\r\n\r\n', '\r\nExpect: other\r\n\r\n')],
  ])('is disconnected at the second of its %s, and the others are not processed', async (_title, bytes) => {
    const processed: ServerResponse[] = [];
    const { port, parsed } = await start((_request, response) => void processed.push(response));
    const socket = open(port);
    const closed = closeOf(socket);
    socket.write(get('/first') + bytes.repeat(500));
    await closed;
    // The server responds to a later connection, so it has processed what it received before.
    await exchange(port, 'hello\r\n\r\n');
    expect(parsed.length).toBeGreaterThan(10);
    expect(processed.map(({ req }) => req.url)).toEqual(['/first']);
  });

  it('is disconnected at the next request if it does not read the response', async () => {
    const largerThanBuffers = Buffer.alloc(50_000_000);
    let processed = 0;
    const { port } = await start((_request, response) => {
      processed += 1;
      response.end(largerThanBuffers);
    });
    const socket = open(port);
    socket.pause();
    socket.write(get('/'));
    await until(() => processed === 1);
    const closed = closeOf(socket);
    // A socket that does not read learns from a write that it was closed.
    await until(() => {
      socket.write(get('/'));
      return socket.destroyed;
    });
    await closed;
    expect(processed).toBe(1);
  });
});

describe('A client that sends its next request after the response', () => {
  const sizes = [0, 1, 100, 65_536, 3_000_000];
  const respond: RequestListener = (received, response) => {
    received.resume();
    received.once('end', () => {
      const size = Number(new URL(received.url!, 'http://x').searchParams.get('size'));
      setImmediate(() => response.setHeader('content-length', size).end(Buffer.alloc(size)));
    });
    if (received.headers.expect) response.writeContinue();
  };

  it('is not disconnected: undici', async () => {
    const { port } = await start(respond);
    const pool = new Pool(`http://127.0.0.1:${port}`, { connections: 4 });
    onCleanup(() => pool.close());
    const sendMany = async () => {
      for (let index = 0; index < 100; index += 1) {
        const size = sizes[index % sizes.length]!;
        const method = (['GET', 'POST', 'HEAD'] as const)[index % 3]!;
        const response = await pool.request({
          path: `/?size=${size}`,
          method,
          ...(method === 'POST' && { body: 'a'.repeat(size) }),
        });
        const bytes = await response.body.arrayBuffer();
        expect([response.statusCode, bytes.byteLength]).toEqual([200, method === 'HEAD' ? 0 : size]);
      }
    };
    await Promise.all(Array.from({ length: 4 }, sendMany));
  });

  it('is not disconnected: Node, with Expect: 100-continue', async () => {
    const { port } = await start(respond);
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    onCleanup(() => agent.destroy());
    for (let index = 0; index < 100; index += 1) {
      const size = sizes[index % sizes.length]!;
      const headers = { expect: '100-continue', 'content-length': 2 };
      const sent = request({ port, host: '127.0.0.1', agent, method: 'POST', path: `/?size=${size}`, headers });
      sent.once('continue', () => sent.end('{}'));
      const [response] = (await once(sent, 'response')) as [IncomingMessage];
      expect((await text(response)).length).toBe(size);
    }
  });
});

it('A client that has closed its side after the request receives the response', async () => {
  const { port } = await start((_request, response) => void setImmediate(() => response.end('late')));
  const socket = open(port);
  socket.end(get('/'));
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 OK\r\n.*late/s);
});

it('The server processes the next request after one with an Upgrade header, which it ignores', async () => {
  const { port } = await start(({ url }, response) => void response.setHeader('content-length', 2).end(url));
  const upgrade = 'GET /a HTTP/1.1\r\nHost: shop.example\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n';
  const { responses } = await exchange(port, [upgrade, get('/b')], { count: 2 });
  expect(responses.map((response) => response.text)).toEqual(['/a', '/b']);
});

describe('A server that closes', () => {
  it('responds to a request that was on its way on an idle connection, and closes this connection', async () => {
    const { port, close } = await start((_request, response) => void response.end('here'));
    const socket = open(port);
    socket.write(get('/'));
    await once(socket, 'data');
    const closed = close(60_000);
    socket.write(get('/'));
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 OK\r\nconnection: close\r\n.*here/is);
    await closed;
  });

  it('does not wait for the next request on an idle connection', async () => {
    const { port, close } = await start((_request, response) => void response.end('here'));
    const [unused, used] = [open(port), open(port)];
    used.write(get('/'));
    await once(used, 'data');
    const ended = [closeOf(unused), closeOf(used)];
    used.resume();
    unused.resume();
    await close(60_000);
    await Promise.all(ended);
  });
});
