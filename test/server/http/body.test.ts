import Koa from 'koa';
import { connect } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { type ErrorCode, ServiceError, httpStatusOf } from '../../../server/base/errors.ts';
import { formBody, jsonBody } from '../../../server/http/body.ts';
import { onCleanup } from '../../support/cleanup.ts';
import { exchange, listen } from '../../support/http.ts';
import { byOutcome } from '../../support/tables.ts';
import { until } from '../../support/time.ts';

/** The errors of all requests, oldest first. */
const errors: ServiceError[] = [];
let receivedCount = 0;

const app = new Koa();
// Connections that break off are no failures.
app.silent = true;
app.use(async (ctx, next) => {
  receivedCount += 1;
  try {
    await next();
  } catch (thrown) {
    if (!(thrown instanceof ServiceError)) throw thrown;
    errors.push(thrown);
    ctx.status = httpStatusOf(thrown.code);
    ctx.body = { code: thrown.code };
  }
});
const json = jsonBody();
const form = formBody();
app.use((ctx, next) => (ctx.path === '/form' ? form(ctx, next) : json(ctx, next)));
app.use((ctx) => {
  ctx.body = { parsed: ctx.request.body ?? null, text: ctx.request.rawBody ?? null };
});
const handle = app.callback();
const { port, stop } = await listen((incoming, response) => void handle(incoming, response));
onCleanup(stop);

const FORM = 'Content-Type: application/x-www-form-urlencoded';
const CHUNKED = 'Transfer-Encoding: chunked';

function request(line: string, body: string | Buffer, ...headers: string[]): Buffer {
  const length = headers.includes(CHUNKED) ? [] : [`Content-Length: ${Buffer.byteLength(body)}`];
  const head = [`${line} HTTP/1.1`, 'Host: x', ...length, ...headers].join('\r\n');
  return Buffer.concat([Buffer.from(`${head}\r\n\r\n`), Buffer.from(body)]);
}

const encodedAs = (encoding: string) => `Content-Encoding: ${encoding}`;
const chunk = (bytes: Buffer) =>
  Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n0\r\n\r\n')]);

const send = async (bytes: Buffer) => (await exchange(port, bytes)).responses[0]!;

describe('A body of JSON', () => {
  const text = '{"a":"é"}';

  it.each<[string, Buffer]>([
    ['with any type', request('POST /', text, 'Content-Type: text/plain')],
    ['with the type of a form', request('PUT /', text, FORM)],
    ['with a byte order mark', request('POST /', `\ufeff${text}`)],
    ['compressed by gzip', request('POST /', gzipSync(text), encodedAs('GZIP'))],
    ['compressed by x-gzip', request('POST /', gzipSync(text), encodedAs('x-gzip'))],
    ['compressed by deflate', request('POST /', deflateSync(text), encodedAs('Deflate'))],
    ['compressed by Brotli', request('POST /', brotliCompressSync(text), encodedAs('BR'))],
    ['compressed by gzip and sent in chunks', request('POST /', chunk(gzipSync(text)), encodedAs('gzip'), CHUNKED)],
    ['with the encoding identity', request('POST /', text, encodedAs('Identity'))],
  ])('is read %s', async (_title, bytes) => {
    const { status, body } = await send(bytes);
    expect([status, body]).toEqual([200, { parsed: { a: 'é' }, text }]);
  });

  it('that is empty is an object without fields', async () => {
    expect((await send(request('POST /', ''))).body).toEqual({ parsed: {}, text: '' });
  });

  it.each(['GET /', 'DELETE /', 'POST /carts/x/expire', 'PUT /carts/x/expire/'])('is not read from %s', async (line) => {
    const { status, body } = await send(request(line, '[not JSON'));
    expect([status, body]).toEqual([200, { parsed: null, text: null }]);
  });

  it('may contain an escaped replacement character', async () => {
    expect((await send(request('POST /', '{"a":"\\ufffd"}'))).body).toMatchObject({ parsed: { a: '\ufffd' } });
  });
});

describe('The fields of a form', () => {
  it('are texts or lists of texts, whatever their names', async () => {
    const { body } = await send(request('POST /form', 'a.b=1&c[d]=2&e=3&e=4&__proto__=5&f=%EF%BF%BD', FORM));
    expect(JSON.stringify(body.parsed)).toBe('{"a.b":"1","c[d]":"2","e":["3","4"],"__proto__":"5","f":"\ufffd"}');
  });

  it('are complete up to 1,000', async () => {
    const fields = Array.from({ length: 1_000 }, (_, index) => `f${index}=${index}`).join('&');
    expect(Object.keys((await send(request('POST /form', fields, FORM))).body.parsed)).toHaveLength(1_000);
    expect(await send(request('POST /form', `${fields}&x=1`, FORM))).toMatchObject({ status: 400 });
  });

  it('are an empty object if the body has another Content-Type', async () => {
    expect((await send(request('POST /form', 'a=1', 'Content-Type: text/plain'))).body.parsed).toEqual({});
  });
});

/** Has a wrong checksum, which is read after the body has exceeded its limit of 128 KiB. */
function withWrongChecksum(compressed: Buffer): Buffer {
  const last = compressed.at(-5)!;
  return Buffer.concat([compressed.subarray(0, -5), Buffer.from([last ^ 0xff]), compressed.subarray(-4)]);
}
const bomb = Buffer.alloc(160_000, ' ');

describe('A rejected body', () => {
  const secret = 'Jane Doe';

  it.each(
    byOutcome<Buffer>({
      'invalid-request': {
        'that is not JSON': request('POST /', `{"name":"${secret}"`),
        'that is JSON but no object': request('POST /', `"${secret}"`),
        'with a field __proto__': request('POST /', `{"name":"${secret}","__proto__":{}}`),
        'with a field toJSON': request('POST /', `{"name":"${secret}","a":{"toJSON":1}}`),
        'of 33 levels': request('POST /', `{"name":"${secret}","a":${'['.repeat(32)}${']'.repeat(32)}}`),
        'in Latin-1': request('POST /', Buffer.from(`{"name":"${secret} é"}`, 'latin1')),
        'that ends in the middle of a character': request('POST /', Buffer.from(`{"name":"${secret}"}é`).subarray(0, -1)),
        'with a replacement character': request('POST /', `{"name":"${secret} \ufffd"}`),
        'that is not compressed': request('POST /', `{"name":"${secret}"}`, encodedAs('gzip')),
        'that is not compressed by Brotli': request('POST /', `{"name":"${secret}"}`, encodedAs('br')),
        'whose compressed bytes are incomplete': request(
          'POST /',
          gzipSync(`{"name":"${secret}"}`).subarray(0, -9),
          encodedAs('gzip'),
        ),
        'with a wrong checksum': request('POST /', withWrongChecksum(gzipSync(`{"name":"${secret}"}`)), encodedAs('gzip')),
        'of a form in Latin-1': request('POST /form', Buffer.from(`name=${secret} é`, 'latin1'), FORM),
        'of a form with escapes that are not UTF-8': request('POST /form', `name=${secret}%E9`, FORM),
      },
      'body-too-large': {
        'above 1 MiB': request('POST /', `"${secret.repeat(200_000)}"`),
        'above 1 MiB, in chunks': request('POST /', chunk(Buffer.from(secret.repeat(200_000))), CHUNKED),
        'compressed by gzip, above 128 KiB': request('POST /', gzipSync(bomb), encodedAs('gzip')),
        'compressed by Brotli, above 128 KiB': request('POST /', brotliCompressSync(bomb), encodedAs('br')),
        'compressed and in chunks, above 128 KiB': request('POST /', chunk(gzipSync(bomb)), encodedAs('gzip'), CHUNKED),
        'above 128 KiB, with a wrong checksum': request('POST /', withWrongChecksum(gzipSync(bomb)), encodedAs('gzip')),
        'of a form above 64 KiB': request('POST /form', `name=${secret.repeat(10_000)}`, FORM),
        'of a form above 64 KiB, in chunks': request('POST /form', chunk(Buffer.from(secret.repeat(10_000))), FORM, CHUNKED),
      },
      'unsupported-encoding': {
        'in an unknown encoding': request('POST /', secret, encodedAs('zstd')),
        'in two encodings': request('POST /', secret, encodedAs('gzip, br')),
        'of a compressed form': request('POST /form', gzipSync(`name=${secret}`), FORM, encodedAs('gzip')),
      },
    }),
  )('%s leaves the connection usable, and its error does not quote it', async (_title, bytes, code) => {
    const { responses, end } = await exchange(port, [bytes, request('POST /', '{"next":1}')], { count: 2 });
    expect([responses.map(({ status }) => status), end]).toEqual([[httpStatusOf(code as ErrorCode), 200], 'open']);
    expect(responses[1]!.body.parsed).toEqual({ next: 1 });
    const error = errors.at(-1)!;
    expect([error.code, Object.hasOwn(error, 'cause')]).toEqual([code, false]);
    expect(`${error.stack} ${JSON.stringify(error)}`).not.toContain('Jane');
  });

  it.each<[string, Buffer]>([
    ['compressed body', request('POST /', gzipSync('{"a":1}'), encodedAs('gzip'))],
    ['body', request('POST /', '{"a":1}')],
    ['form', request('POST /form', 'a=1', FORM)],
  ])('is a %s that breaks off', async (_title, bytes) => {
    const errorsBefore = errors.length;
    const receivedBefore = receivedCount;
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes.subarray(0, -1)));
    await until(() => receivedCount > receivedBefore);
    socket.destroy();
    await until(() => errors.length > errorsBefore);
    expect(errors.at(-1)!.code).toBe('invalid-request');
  });
});
