/** Checks every response to a fuzz input. */
import { CODELESS, reasonOf } from '../../server/http/errors.ts';
import { ERRORS, httpStatusOf } from '../../server/base/errors.ts';
import { keysOf } from '../../shared/objects.ts';
import { expectMatchesOpenApi, PAGES } from '../support/conformance.ts';
import { headerOf, type ParsedResponse } from '../support/raw-response.ts';
import type { Exchange } from './client.ts';

export interface Failure {
  /** The same for all inputs that fail in the same way. */
  reason: string;
  exchange: Exchange;
}

/** A text in all data of another tenant. */
export const FOREIGN_CANARY = 'zqx-canary';

/** Source positions, stack frames, paths of files, and messages of database engines. Public files and documentation may contain them. */
const INTERNALS =
  /\n\s+at |node_modules|file:\/\/\/(?!etc\/passwd)|\b(?:server|dist|shared)\/[\w/-]+\.[jt]s\b|\.[jt]s:\d+:\d+|SQLITE_|sqlite3|violates .* constraint|syntax error at or near|select .* from /i;

const INTERNAL_CODES = /"fault"|"FAULT"|server_error/;

/** `/readyz` responds 503 while the database is too busy to answer in time. */
const NOT_READY = /"status":"the database cannot be reached or is not migrated"/;

/** The codes of errors with status 500 and 503, as the merchant API and the platform API write them. */
const expectedServerErrors = new Set(
  keysOf(ERRORS).flatMap((code) => (httpStatusOf(code) >= 500 ? [code, reasonOf({ code })] : [])),
);

/**
 * Returns what is wrong with an exchange; undefined if nothing is.
 *
 * @param foreignIds - Ids of another tenant.
 */
export function failureOf(serviceUrl: string, exchange: Exchange, foreignIds: RegExp): Failure | undefined {
  const { input, responses } = exchange;
  const faults = responses.map((response) => faultOf(response, exchange, foreignIds));
  const reason = exchange.failure ?? faults.find(Boolean);
  if (reason) return { reason, exchange };
  const { request, isRespelled } = input;
  const [response] = responses;
  if (!request || isRespelled || !response || isRejectedByParser(response)) return undefined;
  try {
    const headers = new Headers(response.headers.filter(([name]) => name !== 'set-cookie'));
    const received = { status: response.status, headers, text: response.text, body: jsonIn(response.text) };
    expectMatchesOpenApi(new URL(request.target, serviceUrl).href, { method: request.method }, received);
    return undefined;
  } catch (thrown) {
    return { reason: (thrown as Error).message.split('\n')[0]!.replace(/[\da-f]{8}-[\da-f-]{27}|\/[\w-]{22}/g, ':id'), exchange };
  }
}

/** A request that Node's parser rejects never reaches a route. */
function isRejectedByParser(response: ParsedResponse): boolean {
  return headerOf(response, 'connection') === 'close';
}

function faultOf(response: ParsedResponse, { input }: Exchange, foreignIds: RegExp): string | undefined {
  const { status, text } = response;
  if (!(status >= 200 && status < 600)) return `status ${status}`;
  if (headerOf(response, 'x-content-type-options') !== 'nosniff') return `${status} without x-content-type-options`;
  if (headerOf(response, 'x-powered-by') ?? headerOf(response, 'server')) return 'a header names the server';
  // Only the console has cookies, which identify browsers.
  if (headerOf(response, 'set-cookie') && input.request?.target.startsWith('/console') !== true) return 'a cookie';
  const type = headerOf(response, 'content-type') ?? '';
  const isJson = type.startsWith('application/json');
  const isHtml = type.startsWith('text/html');
  const body = isJson && text !== '' ? jsonIn(text) : undefined;
  if (isJson && text !== '' && body === undefined) return `${status} with JSON that cannot be parsed`;
  if (status >= 400 && text !== '' && !isJson && !isHtml) return `${status} with the content type ${type}`;
  // A response to HEAD has no body that could be checked.
  const isHead = input.request?.method === 'HEAD';
  if (status >= 500 && !isHead && !NOT_READY.test(text) && !isExpectedServerError(body))
    return `unexpected ${status} ${text.slice(0, 100)}`;
  if (INTERNAL_CODES.test(text) && status >= 400) return `internal error with status ${status}`;
  const isPublicFile = input.request !== undefined && PAGES.test(input.request.target) && !/^\/[ac]\//.test(input.request.target);
  if (!isPublicFile && isJson && status >= 400 && INTERNALS.test(text)) return `internals in a response with status ${status}`;
  if (!isPublicFile && isHtml && INTERNALS.test(text)) return 'internals in a page';
  if (text.includes(FOREIGN_CANARY)) return 'data of another tenant';
  const foreign = foreignIds.exec(text)?.[0];
  // Errors repeat what was received, and a screen of the console the paths of earlier requests.
  const isReceived = input.title.includes('compressed') || Buffer.concat(input.pieces).includes(foreign ?? '');
  if (input.request?.target.includes('/developers/requests')) return undefined;
  if (foreign && !isReceived) return 'an id of another tenant';
  return undefined;
}

function isExpectedServerError(body: unknown): boolean {
  const { code, reason, error, type } = (body ?? {}) as Record<string, unknown>;
  if (code === undefined && reason === undefined) return CODELESS.size > 0 && error === true && type === 'INTERNAL_ERROR';
  return expectedServerErrors.has(String(code ?? reason));
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
