import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ServiceError } from '../errors.ts';
import { refusalAnswer } from './merchant-errors.ts';
import { oauthBody } from './oauth-errors.ts';
import { platformBody } from './platform-errors.ts';

/** How long a client may go on sending what nobody reads, before the connection is cut. */
const CLOSE_PATIENCE_MS = 2_000;

/** Who has words of their own, by the first segment of the path; everyone else has the merchant API's. */
const wordings = new Map<string, (refusal: ServiceError) => object>([
  ['api', platformBody],
  ['oauth', oauthBody],
]);

/**
 * A refusal for whom no request has been made out, or not one that could go on: the connection ends with it.
 *
 * @param target - What was asked for, as far as anybody knows.
 */
export function refusalHeaders(
  refusal: ServiceError,
  target = '',
): {
  requestId: string;
  status: number;
  headers: Record<string, string | number>;
  body: string;
} {
  const { status, body: merchantBody } = refusalAnswer(refusal);
  const segment = /^(?:https?:\/\/[^/?]*)?\/([^/?]*)/i.exec(target)?.[1] ?? '';
  const body = JSON.stringify(wordings.get(segment)?.(refusal) ?? merchantBody);
  const requestId = randomUUID();
  return {
    requestId,
    status,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
      'x-content-type-options': 'nosniff',
      'x-request-id': requestId,
      connection: 'close',
    },
    body,
  };
}

/** The same as bytes for a socket. */
export function rawAnswer(refusal: ServiceError, target?: string): { requestId: string; status: number; raw: string } {
  const { requestId, status, headers, body } = refusalHeaders(refusal, target);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return { requestId, status, raw: `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}` };
}

/** Ends a connection with `raw`, and lets the client finish: cut while it still sends, it would lose what it was told. */
export function closeAfter(socket: Duplex, raw: string): void {
  socket.end(raw);
  socket.resume();
  const patience = setTimeout(() => socket.destroy(), CLOSE_PATIENCE_MS);
  socket.once('end', () => socket.destroy());
  socket.once('close', () => clearTimeout(patience));
}
