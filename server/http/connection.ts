import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';

/** The end of the headers of a request. */
const HEADERS_END = '\r\n\r\n';

/** Bytes after which a piece may end: a piece has at most four of the shortest requests, and most requests are one piece. */
const MIN_PIECE_BYTES = 64;

/** Bytes that are written together. `destroyIfUnread` regards each of these writes as progress. */
const MAX_WRITE_BYTES = 65_536;

/** Bytes of a request's body that are received before they are read. */
const BODY_BYTES = 65_536;

/**
 * A connection that Node's HTTP server reads requests from, one at a time.
 *
 * Node parses everything that it has received and starts all of these requests, although responses have an order: a client that sends
 * thousands of requests and reads no response fills the memory. This stream is between the socket and the parser. It passes on what
 * was received in pieces that end with the headers of a request, and passes on no piece while a complete request is in progress. The
 * few requests that a piece can contain wait in `process`.
 */
export class Connection extends Duplex {
  readonly #socket: Socket;
  /** Received bytes that are not parsed yet. */
  #held: Buffer | undefined;
  #isEnded = false;
  #isReading = false;
  /** The request in progress, until its response is sent, and those that were parsed with it. */
  readonly #requests: { request: IncomingMessage; response: ServerResponse; start: () => void }[] = [];
  #progressedAtMs = 0;

  constructor(socket: Socket) {
    // A larger mark would request a second piece before the first one is parsed.
    super({ readableHighWaterMark: 1 });
    // Node uses it for the bodies of requests.
    Object.defineProperty(this, 'readableHighWaterMark', { value: BODY_BYTES });
    this.#socket = socket;
    socket.on('data', (chunk: Buffer) => {
      this.#held = this.#held ? Buffer.concat([this.#held, chunk]) : chunk;
      this.#parse();
      if (this.#held) socket.pause();
    });
    socket.on('end', () => {
      this.#isEnded = true;
      this.#parse();
    });
    socket.on('timeout', () => this.emit('timeout'));
    socket.on('error', (error) => this.destroy(error));
    socket.on('close', () => this.destroy());
  }

  /** Calls `start` when earlier requests of the connection have their responses. */
  process(request: IncomingMessage, response: ServerResponse, start: () => void): void {
    this.#requests.push({ request, response, start });
    if (this.#requests.length === 1) this.#startFirst();
  }

  #startFirst(): void {
    const [first] = this.#requests;
    first?.response.once('close', () => {
      this.#requests.shift();
      if (!this.destroyed && !this.writableEnded) this.#startFirst();
    });
    first?.start();
    // Its body, or the next request.
    this.#parse();
  }

  /** Closes the connection if the client has not read from it for `timeoutMs`, although there is something to read. */
  destroyIfUnread(timeoutMs: number): void {
    if (this.writableLength > 0 && performance.now() - this.#progressedAtMs >= timeoutMs) this.destroy();
  }

  /** Passes on the next piece if the parser is ready for one, unless the bytes may belong to the request after the one in progress. */
  #parse(): void {
    const [first, ...others] = this.#requests;
    const isBetweenRequests = !first || (others.length === 0 && !first.request.complete);
    if (!this.#isReading || !isBetweenRequests) return;
    if (this.#held) {
      const headersEnd = this.#held.indexOf(HEADERS_END, MIN_PIECE_BYTES - HEADERS_END.length);
      const end = headersEnd === -1 ? this.#held.length : headersEnd + HEADERS_END.length;
      const piece = this.#held.subarray(0, end);
      this.#held = end === this.#held.length ? undefined : this.#held.subarray(end);
      this.#isReading = false;
      this.push(piece);
    } else if (this.#isEnded) {
      this.push(null);
    }
  }

  override _read(): void {
    this.#isReading = true;
    if (this.#held || this.#isEnded) this.#parse();
    else if (this.#socket.isPaused()) this.#socket.resume();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, callback: (error?: Error | null) => void): void {
    this.#send(chunk, callback);
  }

  override _writev(chunks: { chunk: Buffer }[], callback: (error?: Error | null) => void): void {
    this.#send(Buffer.concat(chunks.map(({ chunk }) => chunk)), callback);
  }

  /** Writes the first bytes, and the others once the operating system has accepted these. */
  #send(bytes: Buffer, callback: (error?: Error | null) => void): void {
    this.#progressedAtMs = performance.now();
    const rest = bytes.subarray(MAX_WRITE_BYTES);
    this.#socket.write(bytes.subarray(0, MAX_WRITE_BYTES), (error) =>
      error || rest.length === 0 ? callback(error) : this.#send(rest, callback),
    );
  }

  override _final(callback: (error?: Error | null) => void): void {
    this.#socket.end(callback);
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    this.#held = undefined;
    this.#socket.destroy();
    callback(error);
  }

  // The part of a socket's interface that Node's HTTP server, Koa and this service use.

  /** Closes the connection once everything is written. */
  destroySoon(): void {
    this.end(() => this.destroy());
  }

  setTimeout(timeoutMs: number): this {
    this.#socket.setTimeout(timeoutMs);
    return this;
  }

  get remoteAddress(): string | undefined {
    return this.#socket.remoteAddress;
  }

  get remotePort(): number | undefined {
    return this.#socket.remotePort;
  }

  get localAddress(): string | undefined {
    return this.#socket.localAddress;
  }

  get encrypted(): boolean {
    return 'encrypted' in this.#socket;
  }
}
