import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { atTheEnd } from './cleanup.ts';
import { listen } from './listen.ts';

export interface Received {
  method: string;
  /** Path and query. */
  url: string;
  headers: IncomingMessage['headers'];
  body: string;
}

export interface Receiver {
  /** Under its address rather than a name. */
  url: string;
  port: number;
  /** What came, oldest first. */
  received: Received[];
  /** How many connections were made, whether or not anything came over them. */
  connections: number;
}

/** What is done about a request whose body was read: nothing at all keeps the sender waiting. */
type Answering = (response: ServerResponse, body: string) => ServerResponse | void | Promise<void>;

/** Answers with a status and nothing else. */
export const status =
  (code: number, headers: Record<string, string> = {}) =>
  (response: ServerResponse) =>
    response.writeHead(code, headers).end();

/** A merchant's callback receiver, or whoever else is posted to, on a socket of its own. */
export async function givenReceiver(answer: Answering = status(204)): Promise<Receiver> {
  const { server, port, url, stop } = await listen((request, response) => {
    void (async () => {
      const { method = '', url: path = '', headers } = request;
      const body = await text(request);
      receiver.received.push({ method, url: path, headers, body });
      await answer(response, body);
    })();
  });
  const receiver: Receiver = { url: `${url}/callback`, port, received: [], connections: 0 };
  server.on('connection', () => (receiver.connections += 1));
  atTheEnd(stop);
  return receiver;
}

/** The bodies of what came, oldest first. */
export const bodiesOf = ({ received }: Receiver): string[] => received.map(({ body }) => body);
