/** Servers that record requests, and clients for requests that `fetch` cannot send. */
import { once } from 'node:events';
import {
  Agent,
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as openRequest,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import { type AddressInfo, connect as connectPlain, type Socket } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { onCleanup } from './cleanup.ts';
import { parseResponse } from './raw-response.ts';
import type { Json } from './conformance.ts';
import { connect as connectTls } from 'node:tls';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export interface Listening {
  server: Server;
  port: number;
  /** URL with the IP address. `http://localhost:<port>` also works. */
  url: string;
  /** Closes the server and all its connections. */
  stop(): Promise<void>;
}

/** Starts a server on a free loopback port. The caller must stop it. */
export async function listen(respond?: RequestListener): Promise<Listening> {
  const server = createServer(respond).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { server, port, url: `http://127.0.0.1:${port}`, stop };
}

export interface Received {
  method: string;
  /** Path and query. */
  url: string;
  headers: IncomingMessage['headers'];
  body: string;
}

export interface Receiver {
  /** URL with the IP address instead of a host name. */
  url: string;
  port: number;
  /** Received requests, oldest first. */
  received: Received[];
  /** Number of connections, including those without a request. */
  connections: number;
}

/** Handles a request after its body was read. If it does not respond, the sender waits. */
type Responder = (response: ServerResponse, body: string) => ServerResponse | void | Promise<void>;

/** Returns a handler that responds with a status and no body. */
export const status =
  (code: number, headers: Record<string, string> = {}) =>
  (response: ServerResponse) =>
    response.writeHead(code, headers).end();

/** Starts a server that records requests, such as a merchant's callback receiver. */
export async function startReceiver(respond: Responder = status(204)): Promise<Receiver> {
  const { server, port, url, stop } = await listen((request, response) => {
    void (async () => {
      const { method = '', url: path = '', headers } = request;
      const body = await readText(request);
      receiver.received.push({ method, url: path, headers, body });
      await respond(response, body);
    })();
  });
  const receiver: Receiver = { url: `${url}/callback`, port, received: [], connections: 0 };
  server.on('connection', () => (receiver.connections += 1));
  onCleanup(stop);
  return receiver;
}

/** Returns the bodies of the received requests, oldest first. */
export const bodiesOf = ({ received }: Receiver): string[] => received.map(({ body }) => body);

/** A response received over a socket. */
export interface RawResponse {
  status: number;
  /** By lower-case name. Repeated headers are joined by a comma. */
  headers: Record<string, string>;
  text: string;
  /** The body as JSON; undefined if it is not JSON. */
  body: Json;
}

export interface RawExchange {
  /** All responses in order, including those with status 100. */
  responses: RawResponse[];
  /** The end of the connection; `open` if the service left it open. */
  end: 'open' | 'closed' | 'reset';
}

export interface RawOptions {
  /** Uses TLS and trusts this certificate. */
  tls?: { ca: Buffer } | undefined;
  host?: string;
  /** Number of responses to wait for, not counting those with status 100. */
  count?: number;
  /** Bytes to send after a response with status 100. */
  onContinue?: string | Buffer;
  /** The request is a HEAD, so its response has no body, regardless of Content-Length. */
  isHead?: boolean;
  timeoutMs?: number;
}

/** Sends bytes unchanged and reads the responses. Of several parts, each is sent after the response to the one before. */
export function exchange(
  port: number,
  bytes: string | Buffer | readonly (string | Buffer)[],
  options: RawOptions = {},
): Promise<RawExchange> {
  const { tls, host = '127.0.0.1', count = 1, onContinue, isHead = false, timeoutMs = 15_000 } = options;
  const parts = typeof bytes === 'string' || Buffer.isBuffer(bytes) ? [bytes] : [...bytes];
  return new Promise((resolve, reject) => {
    const writeNext = () => socket.write(parts.shift()!);
    const socket: Socket = tls
      ? connectTls({ port, host, servername: 'localhost', ca: tls.ca }, writeNext)
      : connectPlain({ port, host }, writeNext);
    let answered = 0;
    let received = Buffer.alloc(0);
    let continued = false;
    const finish = (end: RawExchange['end']): void => {
      clearTimeout(timeout);
      socket.destroy();
      resolve({ responses: responsesIn(received, isHead).responses, end });
    };
    const timeout = setTimeout(() => {
      socket.destroy();
      reject(
        new Error(
          `Expected ${count} responses within ${timeoutMs} ms, but received "${received.toString('latin1').slice(0, 300)}"`,
        ),
      );
    }, timeoutMs);
    socket.on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      const { responses } = responsesIn(received, isHead);
      if (!continued && onContinue !== undefined && responses.some((response) => response.status === 100)) {
        continued = true;
        socket.write(onContinue);
      }
      const final = responses.filter((response) => response.status !== 100);
      if (final.length > answered && parts.length > 0) writeNext();
      answered = final.length;
      // A response with `Connection: close` is read to the end.
      if (final.length >= count && final.at(-1)!.headers['connection'] !== 'close') finish('open');
    });
    socket.on('end', () => finish('closed'));
    socket.on('error', (error: NodeJS.ErrnoException) =>
      received.length > 0 || error.code === 'ECONNRESET' ? finish('reset') : reject(error),
    );
  });
}

/** Returns the complete responses at the beginning of `bytes`. */
function responsesIn(bytes: Buffer, isHead: boolean): { responses: RawResponse[] } {
  const responses: RawResponse[] = [];
  let rest = bytes;
  for (let parsed = parseResponse(rest, isHead); parsed; parsed = parseResponse(rest, isHead)) {
    const { status: code, headers, text } = parsed.response;
    responses.push({ status: code, headers: Object.fromEntries(new Headers(headers)), text, body: jsonIn(text) });
    rest = rest.subarray(parsed.length);
  }
  return { responses };
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export interface FormResponse {
  url: string;
  method: string;
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

export interface Sending {
  method?: 'GET' | 'POST';
  /** Names and values of a form. */
  form?: readonly (readonly [name: string, value: string])[];
  headers?: Record<string, string>;
  /** Closes the connection when the request is sent or when the response starts, so that the response is lost. */
  abort?: 'after request' | 'during response' | undefined;
}

export interface Connection {
  /** Returns the response, or undefined if `abort` closed the connection. @throws Error if the service broke the connection. */
  send(url: string, sending?: Sending): Promise<FormResponse | undefined>;
}

/** Returns a client that reuses connections, as browsers do. */
export function openConnection(): Connection {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  onCleanup(() => agent.destroy());
  return { send: (url, sending = {}) => sendBy(agent, url, sending) };
}

function sendBy(
  agent: Agent,
  url: string,
  { method = 'GET', form, headers = {}, abort }: Sending,
): Promise<FormResponse | undefined> {
  const body = form && new URLSearchParams(form.map(([name, value]): [string, string] => [name, value])).toString();
  const typed = body === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' };
  return new Promise((resolve, reject) => {
    const outgoing = openRequest(url, { method, agent, headers: { accept: 'text/html', ...typed, ...headers } });
    const drop = (): void => {
      outgoing.destroy();
      resolve(undefined);
    };
    outgoing.on('error', (error) => (abort ? resolve(undefined) : reject(error)));
    outgoing.on('response', (response) => {
      if (abort) return drop();
      readText(response).then(
        (text) => resolve({ url, method, status: response.statusCode ?? 0, headers: response.headers, text }),
        reject,
      );
    });
    outgoing.end(body, () => {
      if (abort === 'after request') setImmediate(drop);
    });
  });
}

const file = (name: string) => fileURLToPath(new URL(`./certificate/${name}`, import.meta.url));

/** A self-signed certificate for localhost, valid until the year 2126, and its key. For tests only. */
export const certificate = {
  certFile: file('cert.pem'),
  keyFile: file('key.pem'),
  /** A certificate with an RSA key, which could be used for key exchange without forward secrecy. */
  rsa: { certFile: file('rsa-cert.pem'), keyFile: file('rsa-key.pem') },
  /** The certificate, for clients that trust it. */
  ca: readFileSync(file('cert.pem')),
};
