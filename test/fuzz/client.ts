/** A client that sends any bytes, on persistent connections. */
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { FuzzInput } from './inputs.ts';

export interface FuzzResponse {
  status: number;
  headers: [name: string, value: string][];
  text: string;
}

/** The responses to one input. A complete request has exactly one. */
export interface Exchange {
  input: FuzzInput;
  responses: FuzzResponse[];
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
  async send({ pieces, request }: FuzzInput): Promise<FuzzResponse | undefined> {
    let response: FuzzResponse | undefined;
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
  const responses: FuzzResponse[] = [];
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

/** Parses the response at the beginning of `bytes`; undefined if it is incomplete. */
function parseResponse(bytes: Buffer, isHead: boolean): { response: FuzzResponse; length: number } | undefined {
  const headEnd = bytes.indexOf('\r\n\r\n');
  if (headEnd < 0) return undefined;
  const [statusLine, ...lines] = bytes.toString('latin1', 0, headEnd).split('\r\n');
  const status = Number(statusLine!.slice(9, 12));
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
  });
  const bodyStart = headEnd + 4;
  const hasBody = !isHead && status >= 200 && status !== 204 && status !== 304;
  if (!hasBody) return { response: { status, headers, text: '' }, length: bodyStart };
  const isChunked = headers.some(([name, value]) => name === 'transfer-encoding' && value === 'chunked');
  const body = isChunked ? chunksIn(bytes, bodyStart) : plainBody(bytes, bodyStart, headers);
  return body && { response: { status, headers, text: textOf(body.bytes, headers) }, length: body.end };
}

/** Returns the text of a body; encoded, if it is not in the encoding of its header. */
function textOf(bytes: Buffer, headers: FuzzResponse['headers']): string {
  const decompress = decompressors.get(headers.find(([name]) => name === 'content-encoding')?.[1]);
  try {
    return (decompress?.(bytes) ?? bytes).toString('utf8');
  } catch {
    return bytes.toString('utf8');
  }
}

const decompressors = new Map<string | undefined, (bytes: Buffer) => Buffer>([
  ['gzip', gunzipSync],
  ['br', brotliDecompressSync],
]);

function plainBody(bytes: Buffer, start: number, headers: FuzzResponse['headers']): { bytes: Buffer; end: number } | undefined {
  const end = start + Number(headers.find(([name]) => name === 'content-length')?.[1] ?? 0);
  return bytes.length < end ? undefined : { bytes: bytes.subarray(start, end), end };
}

function chunksIn(bytes: Buffer, start: number): { bytes: Buffer; end: number } | undefined {
  const chunks: Buffer[] = [];
  for (let at = start; ;) {
    const lineEnd = bytes.indexOf('\r\n', at);
    if (lineEnd < 0) return undefined;
    const size = Number.parseInt(bytes.toString('latin1', at, lineEnd), 16);
    at = lineEnd + 2 + size + 2;
    if (bytes.length < at) return undefined;
    if (size === 0) return { bytes: Buffer.concat(chunks), end: at };
    chunks.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + size));
  }
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

export function headerOf({ headers }: FuzzResponse, name: string): string | undefined {
  return headers.find((header) => header[0] === name)?.[1];
}
