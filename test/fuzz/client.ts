/** A client that sends any bytes, on persistent connections. */
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { headerOf, type ParsedResponse, parseResponse } from '../support/raw-response.ts';
import type { FuzzInput } from './inputs.ts';

/** The responses to one input. A complete request has exactly one. */
export interface Exchange {
  input: FuzzInput;
  responses: ParsedResponse[];
  /** The fault of the exchange itself, such as no response; undefined otherwise. */
  failure: string | undefined;
}

/** Longer than any response takes on a busy machine, except those to connections that send nothing. */
const TIMEOUT_MS = 20_000;

/** Sends requests one after the other, on a persistent connection that is opened again when the service closes it. */
export class PersistentConnection {
  readonly #port: number;
  readonly #localAddress: string;
  #connection: Connection | undefined;

  constructor(port: number, localAddress: string) {
    this.#port = port;
    this.#localAddress = localAddress;
  }

  /** @param isRetry - The input had no response before. */
  async send(input: FuzzInput, isRetry = false): Promise<Exchange> {
    this.#connection ??= new Connection(this.#port, this.#localAddress);
    const response = await this.#connection.send(input);
    if (this.#connection.isClosed) this.#connection = undefined;
    if (response) return { input, responses: [response], failure: undefined };
    // The service may have closed an idle connection.
    return isRetry ? { input, responses: [], failure: 'no response' } : this.send(input, true);
  }

  close(): void {
    this.#connection?.destroy();
  }
}

/** One connection. It is closed after an error, and when the service closes it. */
class Connection {
  isClosed = false;
  readonly #socket: Socket;
  #received: Buffer = Buffer.alloc(0);
  #onChange: () => void = () => undefined;

  constructor(port: number, localAddress: string) {
    this.#socket = connect({ port, host: '127.0.0.1', localAddress });
    this.#socket.setNoDelay(true);
    this.#socket.on('data', (chunk: Buffer) => {
      this.#received = this.#received.length > 0 ? Buffer.concat([this.#received, chunk]) : chunk;
      this.#onChange();
    });
    this.#socket.on('error', () => undefined);
    this.#socket.on('close', () => {
      this.isClosed = true;
      this.#onChange();
    });
  }

  /** Returns the response to a complete request; undefined if the connection was closed. */
  async send({ pieces, request }: FuzzInput): Promise<ParsedResponse | undefined> {
    let response: ParsedResponse | undefined;
    for (const piece of pieces) this.#socket.write(piece);
    const isTimely = await new Promise<boolean>((resolve) => {
      const stop = afterTimeout(() => resolve(false));
      const finish = (): void => {
        stop();
        resolve(true);
      };
      this.#onChange = () => {
        while (!response) {
          const parsed = parseResponse(this.#received, request?.method === 'HEAD');
          if (!parsed) break;
          this.#received = this.#received.subarray(parsed.length);
          if (parsed.response.status >= 200) response = parsed.response;
        }
        // Nothing more follows; the service waits for the client to close.
        if (response && headerOf(response, 'connection') === 'close') this.destroy();
        if (response || this.isClosed) finish();
      };
      this.#onChange();
    });
    this.#onChange = () => undefined;
    if (!isTimely) this.destroy();
    return response;
  }

  destroy(): void {
    this.isClosed = true;
    this.#socket.destroy();
  }
}

/** Sends bytes on a connection of their own and ends it. The service must close it, too. */
export async function sendBytes(port: number, localAddress: string, input: FuzzInput): Promise<Exchange> {
  const socket = connect({ port, host: '127.0.0.1', localAddress, allowHalfOpen: true });
  socket.setNoDelay(true);
  socket.on('error', () => undefined);
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  const closed = new Promise<boolean>((resolve) => {
    const stop = afterTimeout(() => resolve(false));
    const finish = (): void => {
      stop();
      resolve(true);
    };
    socket.once('end', finish);
    socket.once('close', finish);
  });
  for (const piece of input.pieces) {
    socket.write(piece);
    if (input.pauseMs > 0) await delay(input.pauseMs);
  }
  if (input.end === 'reset') socket.resetAndDestroy();
  else socket.end();
  const isClosed = await closed;
  socket.destroy();
  const responses: ParsedResponse[] = [];
  let rest = Buffer.concat(chunks);
  for (let parsed = parseResponse(rest, false); parsed; parsed = parseResponse(rest, false)) {
    if (parsed.response.status >= 200) responses.push(parsed.response);
    rest = rest.subarray(parsed.length);
  }
  // After a HEAD, the length of the body is not that of what follows.
  const isHead = input.pieces.some((piece) => piece.includes('HEAD'));
  // The service closes the connection when the next request arrives.
  const isPipelined = input.title.includes('pipelined');
  const failure = isClosed
    ? rest.length > 0 && !isHead && !isPipelined && input.end !== 'reset'
      ? 'an incomplete response'
      : undefined
    : 'the connection stays open';
  return { input, responses, failure };
}

/**
 * Calls `expire` when a response takes too long, unless the returned function is called before. Waits twice: after a pause of this
 * process, timers expire before what was received meanwhile is read.
 */
function afterTimeout(expire: () => void): () => void {
  let timeout = setTimeout(() => {
    timeout = setTimeout(expire, 2_000);
  }, TIMEOUT_MS);
  return () => clearTimeout(timeout);
}
