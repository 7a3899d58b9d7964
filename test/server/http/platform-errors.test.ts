import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import Koa from 'koa';
import { beforeAll, describe, expect, it } from 'vitest';
import { ERRORS, ServiceError, httpStatusOf } from '../../../server/base/errors.ts';
import { keysOf } from '../../../shared/objects.ts';
import { platformErrors } from '../../../server/http/errors.ts';
import { createHttpServer } from '../../../server/http/server.ts';
import { onCleanup } from '../../support/cleanup.ts';
import { exchange, listen } from '../../support/http.ts';

/** Returns the response of the platform API if a handler throws `thrown`, and the errors that Koa reported. */
async function responseTo(thrown: unknown) {
  const { server, port, stop } = await listen();
  const app = new Koa();
  const reported: unknown[] = [];
  app.on('error', (error) => reported.push(error));
  app.use(platformErrors);
  app.use(() => {
    throw thrown;
  });
  const handle = app.callback();
  server.on('request', (request, response) => void handle(request, response));
  const response = await fetch(`http://localhost:${port}/api/application`);
  const received = { status: response.status, headers: response.headers, body: await response.json(), reported };
  await stop();
  return received;
}

describe('An error on the platform API', () => {
  it.each(keysOf(ERRORS).map((code) => [code, httpStatusOf(code)] as const))(
    '%s is sent with status %i and its code in upper case as the reason',
    async (code, status) => {
      const details = { parameter: 'limit', expected: '1', received: '2' };
      const response = await responseTo(new ServiceError(code, 'A message.', { details }));
      expect([response.status, response.body, response.reported]).toEqual([
        status,
        {
          message: 'A message.',
          reason: code.toUpperCase().replaceAll('-', '_'),
          domain: 'platform.fairterm',
          metadata: details,
        },
        [],
      ]);
      // RFC 9110, sections 10.2.3 and 11.6.1.
      expect(response.headers.has('www-authenticate')).toBe(status === 401 || code === 'scope-missing');
      const isTemporary = code === 'database-unavailable' || code === 'issuer-unavailable';
      expect(response.headers.get('retry-after')).toBe(isTemporary ? '5' : null);
    },
  );

  it('is sent in WWW-Authenticate without characters that are invalid in a quoted string', async () => {
    const { headers } = await responseTo(new ServiceError('token-malformed', 'Not "this" \\ nor — that.'));
    expect(headers.get('www-authenticate')).toBe(
      'Bearer realm="fairterm", error="invalid_token", error_description="Not this  nor  that."',
    );
  });

  it('is sent without details if it is unexpected, and is reported', async () => {
    const error = new Error('The password of the database is 1234');
    const { status, body, reported } = await responseTo(error);
    expect([status, body]).toEqual([
      500,
      { message: 'Something went wrong on our side.', reason: 'FAULT', domain: 'platform.fairterm', metadata: {} },
    ]);
    expect(reported).toEqual([error]);
  });
});

describe('Errors of the HTTP server', () => {
  const long = `X-Long: ${'x'.repeat(20_000)}\r\n`;
  const many = Array.from({ length: 200 }, (_, n) => `a${n}: 1\r\n`).join('');
  const rejections: [title: string, status: number, reason: string, rest: string][] = [
    ['an unsupported expectation', 417, 'EXPECTATION_FAILED', 'HTTP/1.1\r\nHost: x\r\nExpect: unknown\r\n\r\n'],
    ['headers that are too long', 431, 'HEADERS_TOO_LARGE', `HTTP/1.1\r\nHost: x\r\n${long}\r\n`],
    ['too many headers', 431, 'HEADERS_TOO_LARGE', `HTTP/1.1\r\nHost: x\r\n${many}\r\n`],
    ['an incomplete body', 408, 'REQUEST_TIMEOUT', 'HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\n{'],
    ['no host', 400, 'INVALID_REQUEST', 'HTTP/1.1\r\n\r\n'],
    ['an unsupported protocol version', 400, 'INVALID_REQUEST', 'HTTP/9.9\r\nHost: x\r\n\r\n'],
  ];
  let port: number;
  beforeAll(async () => {
    const { server, close } = createHttpServer(
      (request) => void request.resume(),
      () => undefined,
    );
    Object.assign(server, { headersTimeout: 100, requestTimeout: 100, connectionsCheckingInterval: 20 });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    onCleanup(() => close(0));
    port = (server.address() as AddressInfo).port;
  });
  const send = async (bytes: string) => (await exchange(port, bytes)).responses[0]!;

  it.each(rejections)('have the format of the requested API: %s', async (_title, status, reason, rest) => {
    const domain = 'platform.fairterm';
    for (const target of ['/api/application?limit=1', 'http://x/api']) {
      const { status: statusOfResponse, body } = await send(`POST ${target} ${rest}`);
      expect([statusOfResponse, body]).toEqual([status, { message: expect.any(String), reason, domain, metadata: {} }]);
    }
    const oauth = await send(`POST /oauth/token ${rest}`);
    expect([oauth.status, oauth.body]).toEqual([status, { error: 'invalid_request', error_description: expect.any(String) }]);
    for (const target of ['/carts', '/apis', '/__proto__', '/carts?x=/api/']) {
      expect(await send(`POST ${target} ${rest}`)).toMatchObject({ status, body: { error: true, type: 'INTERNAL_ERROR' } });
    }
  });

  it('have the format of the merchant API if the request line is incomplete', async () => {
    const body = { error: true, type: 'INTERNAL_ERROR', code: 'request-timeout' };
    expect(await send('GET /api/appl')).toMatchObject({ status: 408, body });
  });
});
