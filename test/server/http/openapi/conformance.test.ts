import { describe, expect, it } from 'vitest';
import { cartExample, cartOfChairs } from '../../../../server/http/openapi/resources/carts.ts';
import { enableConformanceChecks, expectMatchesOpenApi } from '../../../support/conformance.ts';

const service = 'http://localhost:1';
enableConformanceChecks(service, 'sandbox');

const requestId = '019b0b5c-2c44-7c61-8a57-3a9f3d3f0c52';
const json = { 'content-type': 'application/json; charset=utf-8', 'x-request-id': requestId };
const errorBody = (code: string) => ({ description: 'No.', error: true, type: 'INTERNAL_ERROR', code });

interface Exchange {
  method?: string;
  path?: string;
  requestBody?: unknown;
  status?: number;
  headers?: Record<string, string>;
  body?: unknown;
}

/** Returns a function that checks an exchange, by default the creation of a cart. */
function checkOf({
  method = 'POST',
  path = '/carts',
  requestBody = cartOfChairs,
  status = 200,
  headers = json,
  body = cartExample,
}: Exchange) {
  const text = body === undefined ? '' : JSON.stringify(body);
  return () =>
    expectMatchesOpenApi(
      service + path,
      { method, body: JSON.stringify(requestBody) },
      { status, headers: new Headers({ 'cache-control': 'no-store', ...headers }), text, body },
    );
}

describe('expectMatchesOpenApi', () => {
  it('accepts a cart', () => {
    expect(checkOf({})).not.toThrow();
  });

  it.each<[string, Exchange, RegExp]>([
    ['that caches may store', { headers: { ...json, 'cache-control': 'max-age=60' } }, /expected no-store/],
    ['with an undocumented status', { status: 201 }, /has only the statuses 200, 400, 401, 403, 409, 413, 415, 422, 429, 500/],
    ['with an undocumented field', { body: { ...cartExample, secret: 1 } }, /must NOT have additional properties.*secret/],
    ['without a field', { body: { ...cartExample, url: undefined } }, /must have required property 'url'/],
    [
      'with an error code of another operation',
      { status: 400, body: errorBody('cart-closed') },
      /at \/code must be equal to one of/,
    ],
    ['without its request id', { headers: { 'content-type': json['content-type'] } }, /the header x-request-id is missing/],
    ['as text', { headers: { ...json, 'content-type': 'text/plain' } }, /its content type is text\/plain/],
    ['to an unknown path', { path: '/nowhere' }, /the document has no such operation/],
    [
      'to an unsupported method, without allow',
      { method: 'PATCH', status: 405, body: errorBody('method-not-allowed') },
      /no Allow header/,
    ],
    [
      'to a request that it should have rejected',
      { requestBody: { options: { customTotal: -1 } } },
      /the accepted body at \/options\/customTotal must be >= 1/,
    ],
  ])('rejects a response %s', (_title, response, message) => {
    expect(checkOf(response)).toThrow(message);
  });
});
