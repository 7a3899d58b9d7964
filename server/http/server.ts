import { createServer, type IncomingMessage, type RequestListener, type Server, ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { parsedUrl } from '../../shared/url.ts';
import { type Refusal, ServiceError } from '../errors.ts';
import { closeAfter, rawAnswer, refusalHeaders } from './raw-answer.ts';
import { isSaidTwice } from './raw-headers.ts';
import type { TlsPair } from './tls.ts';
import { HTTPS_REQUIRED } from './transport.ts';

/** Requests of shops have a dozen. */
const MAX_HEADERS = 100;

const LIMITS = {
  maxHeaderSize: 16_384,
  headersTimeout: 15_000,
  /** For all of a request to arrive, its body included. */
  requestTimeout: 30_000,
  /** Longer than proxies keep idle connections, so that it is they who close them. */
  keepAliveTimeout: 75_000,
  connectionsCheckingInterval: 5_000,
  // Refused below, in the same words as everything else.
  requireHostHeader: false,
};

/** The first byte of a TLS handshake; no request in plain HTTP begins with it. */
const TLS_HANDSHAKE = 0x16;

/** How long a connection may stay silent before it says what it is, and how long a handshake may take. */
const FIRST_BYTE_PATIENCE_MS = 15_000;

/** What a request that is no HTTP we take comes to, by the parser's code for it. */
const malformed: Record<string, [refusal: Refusal, message: string]> = {
  HPE_HEADER_OVERFLOW: ['headers-too-large', `Expected headers of at most ${LIMITS.maxHeaderSize} bytes.`],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: ['body-too-large', 'The extensions of a chunk are too large.'],
  ERR_HTTP_REQUEST_TIMEOUT: ['request-timeout', 'The request did not arrive in time.'],
};

const NO_HTTP: (typeof malformed)[string] = ['invalid-request', 'Expected HTTP/1.1, but received something else.'];

/**
 * A server for `handle`, with limits, that answers in the words of the API that was asked also what never becomes a request, and in
 * those of the merchant API where nobody knows which that was.
 *
 * @param tls - Left out, it speaks plain HTTP. With it, plain HTTP is told so and nothing of it is read.
 * @param onRefused - Told of what is answered here, since no other log sees it.
 */
export function createHttpServer(
  handle: RequestListener,
  tls: TlsPair | undefined,
  onRefused: (refusal: { requestId: string; status: number; code: Refusal }) => void,
): Server {
  /** The latest of each connection. */
  const responses = new Map<Duplex, ServerResponse>();
  let isClosing = false;
  const answering: RequestListener = (request, response) => {
    const { socket } = request;
    if (!responses.has(socket)) socket.once('close', () => responses.delete(socket));
    responses.set(socket, response);
    if (isClosing) letBeLast(response);
    const refusal = unfit(request);
    if (refusal) refuseRequest(request, response, refusal);
    else handle(request, response);
  };

  function refuseRequest({ url }: IncomingMessage, response: ServerResponse, refusal: ServiceError): void {
    const { status, headers, body, requestId } = refusalHeaders(refusal, url);
    onRefused({ requestId, status, code: refusal.refusal });
    response.writeHead(status, headers).end(body);
  }

  function refuseSocket(socket: Duplex, refusal: ServiceError, target?: string): void {
    const { raw, status, requestId } = rawAnswer(refusal, target);
    onRefused({ requestId, status, code: refusal.refusal });
    closeAfter(socket, raw);
  }

  const server = tls
    ? createTlsServer({ ...LIMITS, ...tls, minVersion: 'TLSv1.2', handshakeTimeout: FIRST_BYTE_PATIENCE_MS })
    : createServer(LIMITS);
  server.maxHeadersCount = MAX_HEADERS + 1;
  server.on('request', answering);
  // The client is told to go on once its body is wanted (see `letBodyCome`).
  server.on('checkContinue', answering);
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    refuseRequest(request, response, new ServiceError('expectation-failed', 'Expect: expected 100-continue or nothing.'));
  });
  server.on('connect', (_request, socket: Duplex) => {
    refuseSocket(socket, new ServiceError('method-not-allowed', 'CONNECT is not possible here.'));
  });
  const refused = new WeakSet<Duplex>();
  server.on('clientError', (error: NodeJS.ErrnoException & { rawPacket?: Buffer }, socket: Duplex) => {
    const response = responses.get(socket);
    const isComplete = response?.req.complete === true;
    const isUnderWay = response?.headersSent === true && !response.writableEnded && !isComplete;
    if (!socket.writable || isUnderWay || error.code === 'ECONNRESET') socket.destroy();
    else if (!refused.has(socket)) {
      refused.add(socket);
      const refusal = new ServiceError(...(malformed[error.code ?? ''] ?? NO_HTTP));
      const target = response && !isComplete ? response.req.url : targetIn(error.rawPacket);
      const refuse = (): void => {
        if (socket.writable) refuseSocket(socket, refusal, target);
      };
      // What came whole is answered first: its client would take the refusal of what follows for the answer.
      if (isComplete && !response.writableFinished) response.once('finish', refuse);
      else refuse();
    }
  });
  const { close } = server;
  // Who keeps a connection would go on asking over it until it is cut off in the middle of an answer.
  server.close = (done) => {
    isClosing = true;
    for (const response of responses.values()) letBeLast(response);
    return close.call(server, done);
  };
  if (tls) refusePlain(server, (socket) => refuseSocket(socket, new ServiceError('https-required', HTTPS_REQUIRED)));
  return server;
}

/** Has the connection end with this answer, and the client know. */
function letBeLast(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('connection', 'close');
}

/** What is asked for by a packet that begins with the first line of a request. */
function targetIn(packet: Buffer | undefined): string | undefined {
  return /^[A-Z]+ (\S+)/.exec(packet?.toString('latin1', 0, 100) ?? '')?.[1];
}

function unfit(request: IncomingMessage): ServiceError | undefined {
  if (request.rawHeaders.length > 2 * MAX_HEADERS) {
    return new ServiceError('headers-too-large', `Expected at most ${MAX_HEADERS} headers.`);
  }
  if (request.httpVersion === '1.1' && request.headers.host === undefined) {
    return new ServiceError('invalid-request', 'Expected a Host header, but received none.');
  }
  if (isSaidTwice(request.rawHeaders, 'host')) {
    return new ServiceError('invalid-request', 'Expected one Host header, but received more.');
  }
  const { url = '' } = request;
  if (!url.startsWith('/') && url !== '*' && !parsedUrl(url)) {
    return new ServiceError('invalid-request', 'Expected the path of a resource in the first line of the request.');
  }
  return undefined;
}

/** Has connections whose first byte begins no TLS handshake refused instead of served. */
function refusePlain(server: Server, refuse: (socket: Socket) => void): void {
  const serve = server.listeners('connection') as ((socket: Socket) => void)[];
  const open = new Set<Socket>();
  server.removeAllListeners('connection');
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
    socket.setTimeout(FIRST_BYTE_PATIENCE_MS, () => socket.destroy());
    socket.on('error', () => socket.destroy());
    socket.once('data', (first: Buffer) => {
      socket.pause();
      socket.setTimeout(0);
      socket.removeAllListeners('timeout');
      if (first[0] !== TLS_HANDSHAKE) {
        refuse(socket);
        return;
      }
      socket.unshift(first);
      for (const listener of serve) listener.call(server, socket);
    });
  });
  // Node knows connections from their first request on; a server that closes would wait for those who have not got there.
  server.closeAllConnections = () => {
    for (const socket of open) socket.destroy();
  };
}
