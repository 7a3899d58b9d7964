import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { atTheEnd } from './cleanup.ts';

export interface Received {
  method: string;
  headers: IncomingMessage['headers'];
  body: string;
}

/** A merchant's callback receiver on a socket of its own. `answer` says with which status, and may take its time. */
export async function givenReceiver(
  answer: (received: Received) => number | Promise<number> = () => 204,
): Promise<{ url: string; received: Received[] }> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    void (async () => {
      const one = { method: request.method ?? '', headers: request.headers, body: await text(request) };
      received.push(one);
      response.statusCode = await answer(one);
      response.end();
    })();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  atTheEnd(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`, received };
}
