import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server, ServerResponse, STATUS_CODES } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { parseUrl } from '../../shared/url.ts';
import { type ErrorCode, ServiceError, httpStatusOf } from '../base/errors.ts';
import { merchantBody, oauthBody, platformBody } from './errors.ts';

const MAX_HEADERS = 100;

/** Options of Node's server, in bytes and milliseconds. */
const LIMITS = {
  maxHeaderSize: 16_384,
  headersTimeout: 15_000,
  /** For a whole request to arrive, including its body. */
  requestTimeout: 30_000,
  /** Longer than proxies keep idle connections, so that the proxy closes them first. */
  keepAliveTimeout: 75_000,
  connectionsCheckingInterval: 5_000,
  // Checked by `invalidRequest`, which responds with the error body of the API.
  requireHostHeader: false,
};

/** Time for which a client may keep sending after a response that closes the connection. */
const LINGER_MS = 2_000;

/** Time for which a server that closes still responds on idle connections: a proxy may be sending a request on one of them. */
const IDLE_MS = 100;

/** Errors of requests that could not be parsed, by the code of Node's parser. */
const parseErrors: Record<string, [code: ErrorCode, message: string]> = {
  HPE_HEADER_OVERFLOW: ['headers-too-large', `Expected headers of at most ${LIMITS.maxHeaderSize} bytes.`],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: ['body-too-large', 'The extensions of a chunk are too large.'],
  ERR_HTTP_REQUEST_TIMEOUT: ['request-timeout', 'The request did not arrive in time.'],
};

/** The content security policy of responses that are not pages, if a browser shows them: nothing is loaded, and nothing frames them. */
export const NO_CONTENT_POLICY = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'";

const NOT_HTTP: (typeof parseErrors)[string] = ['invalid-request', 'Expected HTTP/1.1, but received something else.'];

export interface HttpServer {
  server: Server;
  /**
   * Stops accepting connections and resolves when all are closed. Requests in progress, and those that arrive in the next moment, are
   * completed, unless they take longer than `timeoutMs`.
   */
  close(timeoutMs: number): Promise<void>;
}

/**
 * Creates a server for `handle` with limits. The error body for requests that cannot be parsed is that of the API in the path, or the
 * merchant API's.
 *
 * @param onRejected - Called for each response that is sent here and not by `handle`.
 */
export function createHttpServer(
  handle: RequestListener,
  onRejected: (error: { requestId: string; status: number; code: ErrorCode }) => void,
): HttpServer {
  const server = createServer(LIMITS);
  // Node ignores further headers. With one more than allowed, `invalidRequest` can reject the request.
  server.maxHeadersCount = MAX_HEADERS + 1;

  /** All connections. */
  const sockets = new Set<Socket>();
  /** The latest response of each connection. */
  const responses = new Map<Duplex, ServerResponse>();

  const onRequest = (request: IncomingMessage, response: ServerResponse, error = invalidRequest(request)): void => {
    const { socket } = request;
    const last = responses.get(socket);
    // Node starts all pipelined requests: a client that sends thousands and reads no response would fill the memory. Proxies send none.
    if (last && !last.writableFinished) socket.destroy();
    // Node also starts the requests that it had read before the socket was destroyed.
    if (socket.destroyed) return;
    if (!last) socket.once('close', () => responses.delete(socket));
    responses.set(socket, response);
    if (!server.listening) closeAfterResponse(response);
    if (error) rejectRequest(request, response, error);
    else handle(request, response);
  };

  function rejectRequest({ url }: IncomingMessage, response: ServerResponse, error: ServiceError): void {
    const { status, headers, body } = errorResponse(error, url);
    onRejected({ requestId: headers['x-request-id'], status, code: error.code });
    response.writeHead(status, headers).end(body);
  }

  /** For connections on which Node has no response to write to. The client may still be sending: it must be able to read. */
  function rejectConnection(socket: Duplex, error: ServiceError, target?: string): void {
    const { status, headers, body } = errorResponse(error, target);
    onRejected({ requestId: headers['x-request-id'], status, code: error.code });
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
    socket.resume();
    const timeout = setTimeout(() => socket.destroy(), LINGER_MS);
    socket.once('end', () => socket.destroy());
    socket.once('close', () => clearTimeout(timeout));
  }

  /** Responds to complete requests before it first: their client would mistake the error for the response. */
  function rejectAfterResponse(socket: Duplex, error: ServiceError, target?: string): void {
    const response = responses.get(socket);
    const reject = (): void => {
      if (socket.writable) rejectConnection(socket, error, target);
    };
    if (response?.req.complete && !response.writableFinished) response.once('finish', reject);
    else reject();
  }

  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.on('request', onRequest);
  // The reader of the body (`body.ts`) writes 100 Continue after it has checked the headers.
  server.on('checkContinue', onRequest);
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    onRequest(request, response, new ServiceError('expectation-failed', 'Expect: expected 100-continue or nothing.'));
  });
  server.on('connect', (_request, socket: Duplex) => {
    // Node removes its listeners from the socket of a tunnel, and an error without a listener ends the process.
    socket.on('error', () => socket.destroy());
    rejectAfterResponse(socket, new ServiceError('method-not-allowed', 'CONNECT is not possible here.'));
  });
  const rejected = new WeakSet<Duplex>();
  server.on('clientError', (thrown: NodeJS.ErrnoException & { rawPacket?: Buffer }, socket: Duplex) => {
    const response = responses.get(socket);
    const isComplete = response?.req.complete === true;
    // Anything that is sent after a part of a response would be read as the rest of it.
    const isPartlySent = response?.headersSent === true && !response.writableEnded && !isComplete;
    if (!socket.writable || isPartlySent || thrown.code === 'ECONNRESET') socket.destroy();
    else if (!rejected.has(socket)) {
      rejected.add(socket);
      const error = new ServiceError(...(parseErrors[thrown.code ?? ''] ?? NOT_HTTP));
      rejectAfterResponse(socket, error, response && !isComplete ? response.req.url : targetIn(thrown.rawPacket));
    }
  });

  return {
    server,
    close: async (timeoutMs) => {
      const closed = once(server, 'close');
      // `server.close()` also closes idle connections.
      NetServer.prototype.close.call(server);
      // A client with a persistent connection would otherwise send its next request on it.
      for (const response of responses.values()) closeAfterResponse(response);
      const idle = setTimeout(() => {
        server.closeIdleConnections();
        // Browsers open connections in advance, which Node does not regard as idle.
        for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
      }, IDLE_MS);
      const timeout = setTimeout(() => server.closeAllConnections(), timeoutMs);
      await closed;
      clearTimeout(idle);
      clearTimeout(timeout);
      // Ends the timer with which Node checks connections.
      server.close();
    },
  };
}

function closeAfterResponse(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('connection', 'close');
}

/** Returns the target in a packet that begins with a request line. */
function targetIn(packet: Buffer | undefined): string | undefined {
  return /^[A-Z]+ (\S+)/.exec(packet?.toString('latin1', 0, 100) ?? '')?.[1];
}

function invalidRequest({ rawHeaders, httpVersion, headersDistinct, url = '' }: IncomingMessage): ServiceError | undefined {
  if (rawHeaders.length > 2 * MAX_HEADERS) {
    return new ServiceError('headers-too-large', `Expected at most ${MAX_HEADERS} headers.`);
  }
  const hosts = headersDistinct.host?.length ?? 0;
  if (httpVersion === '1.1' && hosts === 0) {
    return new ServiceError('invalid-request', 'Expected a Host header, but received none.');
  }
  if (hosts > 1) {
    return new ServiceError('invalid-request', 'Expected one Host header, but received more.');
  }
  if (!url.startsWith('/') && url !== '*' && !parseUrl(url)) {
    return new ServiceError('invalid-request', 'Expected the path of a resource in the first line of the request.');
  }
  return undefined;
}

/** Error bodies by the first segment of the path. All other paths have the merchant API's. */
const errorBodies = new Map<string, (error: ServiceError) => object>([
  ['api', platformBody],
  ['oauth', oauthBody],
]);

/** @param target - The request target, as far as it is known. */
function errorResponse(error: ServiceError, target = '') {
  const segment = /^(?:https?:\/\/[^/?]*)?\/([^/?]*)/i.exec(target)?.[1] ?? '';
  const body = JSON.stringify((errorBodies.get(segment) ?? merchantBody)(error));
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'content-security-policy': NO_CONTENT_POLICY,
    'x-request-id': randomUUID(),
    connection: 'close',
  };
  return { status: httpStatusOf(error.code), headers, body };
}
