import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll } from 'vitest';

export interface Listener {
  /** Of this receiver, under its address rather than a name. */
  url: string;
  port: number;
  /** The bodies that came, in order. */
  bodies: string[];
  /** What came, without its body. */
  requests: IncomingMessage[];
  /** How many connections were made, whether or not anything came over them. */
  connections: number;
}

/** Closes every receiver when the examples around are through. Call it where examples are described. */
export function receivers(): (answer: (response: ServerResponse, body: string) => void) => Promise<Listener> {
  const closing: (() => void)[] = [];
  afterAll(() => closing.forEach((close) => close()));

  return async (answer) => {
    const listener: Listener = { url: '', port: 0, bodies: [], requests: [], connections: 0 };
    const server = createServer((request, response) => {
      void (async () => {
        const body = await text(request);
        listener.bodies.push(body);
        listener.requests.push(request);
        answer(response, body);
      })();
    });
    server.on('connection', () => (listener.connections += 1));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    closing.push(() => {
      server.closeAllConnections();
      server.close();
    });
    listener.port = (server.address() as AddressInfo).port;
    listener.url = `http://127.0.0.1:${listener.port}/callback`;
    return listener;
  };
}

/** Answers with a status and nothing else. */
export const status =
  (code: number, headers: Record<string, string> = {}) =>
  (response: ServerResponse) =>
    void response.writeHead(code, headers).end();
