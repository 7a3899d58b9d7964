import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { chair, createCart, completeCheckout } from '../support/checkout.ts';
import { exchange, type RawResponse, type RawOptions } from '../support/http.ts';
import { byOutcome } from '../support/tables.ts';
import { startService } from '../support/service.ts';

const cart = JSON.stringify({ options: { items: [chair] } });
const quote = '{"customTotal":50000}';
const lines = (...all: string[]) => `${all.join('\r\n')}\r\n`;

const service = await startService();
const merchant = await service.createMerchant();
const port = Number(new URL(service.publicUrl).port);
const basic = `Authorization: Basic ${Buffer.from(`${merchant.apiKey}:${merchant.secret}`).toString('base64')}`;
const ids = { transaction: await completeCheckout(merchant), cart: (await createCart(merchant)).id };

describe('The HTTP server', () => {
  /** Builds a request with credentials. A length in `headers` takes precedence over the length of the body. */
  const request = (line: string, body: string | Buffer = '', headers: string[] = []): Buffer => {
    const hasLength = headers.some((header) => /^(content-length|transfer-encoding):/i.test(header));
    const length = hasLength || body.length === 0 ? [] : [`Content-Length: ${Buffer.byteLength(body)}`];
    return Buffer.concat([Buffer.from(lines(line, 'Host: shop.example', basic, ...length, ...headers, '')), Buffer.from(body)]);
  };
  const send = async (bytes: string | Buffer, options: RawOptions = {}): Promise<RawResponse & { end: string }> => {
    const { responses, end } = await exchange(port, bytes, options);
    return { ...responses.at(-1)!, end };
  };
  /** Sends a request and expects the response, with a request id and without an internal error in the log. */
  const expectResponse = async (bytes: string | Buffer, status: number, code: string | undefined, options: RawOptions = {}) => {
    const loggedBefore = service.logged.length;
    const response = await send(bytes, options);
    expect([response.status, response.body?.code, response.text]).toEqual([status, code, expect.anything()]);
    expect(response.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    expect(response.headers['x-content-type-options']).toBe('nosniff');
    if (status >= 400 && !options.isHead) {
      expect(response.body).toMatchObject({ description: expect.any(String), error: true, type: 'INTERNAL_ERROR' });
    }
    expect(service.logged.slice(loggedBefore).filter((line) => line.includes('"error"'))).toEqual([]);
    expect(await merchant.post('/aslowas', quote)).toMatchObject({ status: 200 });
    return response;
  };

  describe('accepts', () => {
    it.each<[string, () => Buffer]>([
      ['a GET with a body [CLIENT-21] [CHOICE-23]', () => request(`GET /transactions/${ids.transaction} HTTP/1.1`, '{"any":1}')],
      ['a GET with a body that is not JSON', () => request(`GET /carts/${ids.cart} HTTP/1.1`, '{"any":')],
      ['a trailing slash after /carts [CHOICE-22]', () => request('POST /carts/ HTTP/1.1', cart)],
      ['a trailing slash after a transaction id', () => request(`GET /transactions/${ids.transaction}/ HTTP/1.1`)],
      [
        'a trailing slash after an action',
        () => request(`POST /transactions/actions/${ids.transaction}/ HTTP/1.1`, '{"type":"authorize"}'),
      ],
      [
        'an empty body if every field is optional',
        () => request(`PUT /transactions/${ids.transaction} HTTP/1.1`, '', ['Content-Length: 0']),
      ],
      ['blanks around JSON', () => request('POST /aslowas HTTP/1.1', ` \r\n\t${quote}\n `)],
      ['HTTP/1.0', () => request('POST /aslowas HTTP/1.0', quote)],
      ['an absolute target', () => request(`GET http://anywhere.example/carts/${ids.cart} HTTP/1.1`)],
      [
        'a duplicate key, whose last value applies',
        () => request('POST /aslowas HTTP/1.1', '{"customTotal":-1,"customTotal":50000}'),
      ],
      ['the expectation 100-continue in HTTP/1.0', () => request('POST /aslowas HTTP/1.0', quote, ['Expect: 100-continue'])],
    ])('%s', async (_title, bytes) => {
      await expectResponse(bytes(), 200, undefined);
    });
  });

  describe('responds with a specific error to', () => {
    const post = (body: string | Buffer, headers: string[] = []) => request('POST /aslowas HTTP/1.1', body, headers);
    it.each(
      byOutcome<() => string | Buffer>({
        '404 unknown-path': {
          'an unknown path': () => request('GET /nowhere HTTP/1.1'),
          'two slashes before a path': () => request('POST //carts HTTP/1.1', cart),
          'dots in a path': () => request('GET /carts/../healthz HTTP/1.1'),
          'an upper-case path': () => request('POST /NOWHERE HTTP/1.1', cart),
          'an asterisk as the target': () => request('OPTIONS * HTTP/1.1'),
          'a file name with dots': () => request('GET /widget/v1/..%2f..%2fpackage.json HTTP/1.1'),
          'a protocol upgrade': () => request('GET /nowhere HTTP/1.1', '', ['Connection: Upgrade', 'Upgrade: websocket']),
        },
        '404 cart-not-found': {
          'encoded dots as an id': () => request('GET /carts/%2e%2e HTTP/1.1'),
          'an encoded slash in an id': () => request('GET /carts/a%2fb HTTP/1.1'),
        },
        '400 invalid-request': {
          'a character beyond ASCII in a path': () => request('GET /carts/ä HTTP/1.1'),
          '2^53 + 1': () => post('{"customTotal":9007199254740993}'),
          '1e400': () => post('{"customTotal":1e400}'),
          'deeply nested lists that are not closed': () => post('['.repeat(1_000_000)),
          'text that is not HTTP': () => 'hello\r\n\r\n',
          'HTTP/3.0': () => lines('GET /healthz HTTP/3.0', 'Host: x', ''),
          'no host': () => lines('GET /healthz HTTP/1.1', ''),
          'two hosts': () => lines('GET /healthz HTTP/1.1', 'Host: a', 'Host: b', ''),
          'a NUL in a path': () => request('GET /carts/a\0b HTTP/1.1'),
          'a header without a colon': () => request('GET /healthz HTTP/1.1', '', ['nonsense']),
          'a header folded over two lines': () => request('GET /healthz HTTP/1.1', '', ['X-A: 1\r\n  2', 'X-B\0: 1']),
          'two Content-Length headers': () =>
            request('POST /aslowas HTTP/1.1', quote, ['Content-Length: 5', 'Content-Length: 6']),
          'a Content-Length with a chunked body': () =>
            request('POST /aslowas HTTP/1.1', quote, ['Content-Length: 5', 'Transfer-Encoding: chunked']),
          'a negative length': () => request('POST /aslowas HTTP/1.1', quote, ['Content-Length: -1']),
          'chunks with an invalid size': () =>
            request('POST /aslowas HTTP/1.1', 'zz\r\n{}\r\n0\r\n\r\n', ['Transfer-Encoding: chunked']),
        },
        '405 method-not-allowed': {
          'an unsupported method': () => request(`DELETE /carts/${ids.cart} HTTP/1.1`),
          'an unsupported method for a health check': () => request('POST /readyz HTTP/1.1', '{}'),
          TRACE: () => request(`TRACE /carts/${ids.cart} HTTP/1.1`),
          CONNECT: () => lines('CONNECT shop.example:443 HTTP/1.1', 'Host: shop.example', ''),
        },
        '401 unauthenticated': {
          'no credentials': () => lines('POST /carts HTTP/1.1', 'Host: x', 'Content-Length: 0', ''),
          'the same credentials twice': () => request('POST /aslowas HTTP/1.1', quote, [basic]),
          'two different credentials': () => request('POST /aslowas HTTP/1.1', quote, ['Authorization: Basic eDp5']),
          'credentials followed by other text': () => lines('GET /carts/x HTTP/1.1', 'Host: x', `${basic}, x`, ''),
          'credentials in the query string': () => lines(`GET /carts/x?apiKey=${merchant.apiKey} HTTP/1.1`, 'Host: x', ''),
        },
        '417 expectation-failed': {
          'an unsupported expectation': () => request('POST /aslowas HTTP/1.1', quote, ['Expect: other']),
        },
        '431 headers-too-large': {
          'a header of 20,000 bytes': () => request('GET /healthz HTTP/1.1', '', [`X-Long: ${'x'.repeat(20_000)}`]),
          '1,000 headers': () =>
            request(
              'GET /healthz HTTP/1.1',
              '',
              Array.from({ length: 1_000 }, (_, n) => `a${n}: 1`),
            ),
          'a target of 20,000 bytes': () => request(`GET /${'x'.repeat(20_000)} HTTP/1.1`),
        },
      }),
    )('%s', async (_title, bytes, outcome) => {
      const [status, code] = outcome.split(' ');
      await expectResponse(bytes(), Number(status), code);
    });
  });

  it('keeps the connection usable after rejecting a body before its end', async () => {
    const oversized = request('POST /aslowas HTTP/1.1', gzipSync(Buffer.alloc(20_000_000, ' ')), ['Content-Encoding: gzip']);
    const long = request('POST /carts HTTP/1.1', 'x'.repeat(3_000_000));
    const { responses, end } = await exchange(port, [oversized, long, request('POST /aslowas HTTP/1.1', quote)], { count: 3 });
    expect([responses.map(({ status }) => status), end]).toEqual([[413, 413, 200], 'open']);
  });

  it('responds to a request before it rejects the invalid bytes that follow', async () => {
    const canceling = request(`POST /transactions/actions/${await completeCheckout(merchant)} HTTP/1.1`, '{"type":"cancel"}');
    const { responses, end } = await exchange(port, Buffer.concat([canceling, Buffer.from('nonsense\r\n\r\n')]), { count: 2 });
    expect(responses.map(({ status, body }) => [status, body.status ?? body.code])).toEqual([
      [200, 'CANCELED'],
      [400, 'invalid-request'],
    ]);
    expect(end).toBe('closed');
  });

  describe('with Expect: 100-continue', () => {
    const expectingRequest = (line: string, body: string | Buffer, headers: string[] = []) =>
      request(line, '', [`Content-Length: ${body.length}`, 'Expect: 100-continue', ...headers]);

    it('sends 100 Continue and then the response', async () => {
      const { responses } = await exchange(port, expectingRequest('POST /aslowas HTTP/1.1', quote), { onContinue: quote });
      expect(responses.map(({ status }) => status)).toEqual([100, 200]);
    });

    it.each<[string, () => Buffer, number]>([
      ['an unknown path', () => expectingRequest('POST /nowhere HTTP/1.1', quote), 404],
      ['an unknown encoding', () => expectingRequest('POST /aslowas HTTP/1.1', quote, ['Content-Encoding: zstd']), 415],
      ['a body that is too large', () => expectingRequest('POST /aslowas HTTP/1.1', 'x'.repeat(3_000_000)), 413],
      [
        'no credentials',
        () => Buffer.from(lines('POST /carts HTTP/1.1', 'Host: x', 'Content-Length: 9', 'Expect: 100-continue', '')),
        401,
      ],
    ])('rejects the request without requesting the body: %s', async (_title, bytes, status) => {
      const { responses, end } = await exchange(port, bytes());
      expect([responses.map((response) => response.status), end]).toEqual([[status], 'closed']);
    });
  });

  describe('for HEAD and OPTIONS', () => {
    it('responds to HEAD without the body', async () => {
      const options = { isHead: true };
      const response = await expectResponse(request(`HEAD /carts/${ids.cart} HTTP/1.1`), 200, undefined, options);
      expect(Number(response.headers['content-length'])).toBeGreaterThan(100);
      await expectResponse(request('HEAD /carts/nothing HTTP/1.1'), 404, undefined, options);
      await expectResponse(request('HEAD /aslowas HTTP/1.1'), 405, undefined, options);
    });

    it('lists the methods of a path', async () => {
      const response = await send(request(`OPTIONS /carts/${ids.cart} HTTP/1.1`));
      expect([response.status, response.headers['allow']]).toEqual([200, 'HEAD, GET']);
    });
  });

  describe('creates a request id', () => {
    it('for pages, files, health checks and errors', async () => {
      for (const path of '/healthz /readyz /checkout/checkout.css /widget/v1/financing-button.js /c/unknown /x'.split(' ')) {
        const { headers } = await send(request(`GET ${path} HTTP/1.1`));
        expect([path, headers['x-request-id']]).toEqual([path, expect.stringMatching(/^[0-9a-f-]{36}$/)]);
      }
    });

    it.each(['http://[', 'http://[/carts', 'nowhere', '?', 'http://'])('for the invalid target %s', async (target) => {
      const loggedBefore = service.logged.length;
      const { status, body, headers } = await send(request(`GET ${target} HTTP/1.1`));
      expect([status, body?.code]).toEqual([400, 'invalid-request']);
      expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
      expect(service.logged.slice(loggedBefore).filter((line) => line.includes('"error"'))).toEqual([]);
    });

    it('and neither returns nor logs that of a client', async () => {
      const clientId = 'forged"}{"level":60';
      const response = await send(request('POST /aslowas HTTP/1.1', quote, [`X-Request-Id: ${clientId}`]));
      expect(response.headers['x-request-id']).not.toContain('forged');
      expect(service.logged.join('')).not.toContain('forged');
      expect(service.logged.join('')).toContain(response.headers['x-request-id']);
    });

    it('and logs it for a malformed request', async () => {
      const { headers } = await send('hello\r\n\r\n');
      expect(service.logged.join('')).toContain(headers['x-request-id']);
    });
  });
});
