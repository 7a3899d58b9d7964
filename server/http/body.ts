import type Koa from 'koa';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import bodyParser from 'koa-bodyparser';
import { propertyOf } from '../../shared/objects.ts';
import { findUnsafeJson } from '../../shared/wire/unsafe-json.ts';
import { ServiceError } from '../base/errors.ts';
import type { Context, Middleware } from './context.ts';

/** The size of a body after decompression, and whether it may be compressed at all. */
export interface BodyLimits {
  maxBytes: number;
  allowCompression: boolean;
}

/** The types of bodies. A form with a file, and JSON that is verified before it is parsed, are read as text whose characters are its bytes. */
const BODY_TYPES = { json: 'a JSON object', form: 'a form', 'form-with-file': 'a form with a file', bytes: 'JSON' } as const;
type BodyType = keyof typeof BODY_TYPES;

/** The Content-Types that are read as text. */
const READ_AS_TEXT: Partial<Record<BodyType, string>> = { 'form-with-file': 'multipart/form-data', bytes: 'application/json' };

/** A larger one may be a kilobyte that decompresses to a megabyte of brackets, which takes up to 100 ms to parse. */
const MAX_DECOMPRESSED_BYTES = 131_072;

/** A cart of 500 articles with long addresses stays below this. */
const MERCHANT_JSON: BodyLimits = { maxBytes: 1_048_576, allowCompression: true };

/** Limits of forms, which browsers never compress. */
const PAGE_FORM: BodyLimits = { maxBytes: 65_536, allowCompression: false };

/** A form of a signed-in user of the console: the refund of an order with 500 lines names each SKU, of 200 characters. */
export const USER_FORM: BodyLimits = { maxBytes: 524_288, allowCompression: false };

/** Limits of token requests, which are not authenticated yet. */
export const TOKEN_REQUEST: BodyLimits = { maxBytes: 4_096, allowCompression: false };

/** The longest form has 30. */
const MAX_FORM_FIELDS = 1_000;

/** Paths whose requests need no body. */
const BODYLESS = /^\/carts\/[^/]+\/expire\/?$/i;

/**
 * Parses the body of POST and PUT as JSON whatever its Content-Type, because production clients mislabel it. An empty body is `{}`.
 * Ignores the body of other methods, and of paths that need none: some clients send `[]` there.
 *
 * @throws ServiceError `invalid-request`, `body-too-large`, `unsupported-encoding`
 */
export function jsonBody(limits = MERCHANT_JSON): Middleware {
  const readJson = jsonReader(limits);
  return async (ctx, next) => {
    const takesBody = (ctx.method === 'POST' || ctx.method === 'PUT') && !BODYLESS.test(ctx.path);
    if (takesBody) await readJson(ctx);
    await next();
  };
}

/**
 * Returns a function that reads the body as JSON into `ctx.request.body`, and returns its text, which is also `ctx.request.rawBody`.
 *
 * @throws ServiceError `invalid-request`, `body-too-large`, `unsupported-encoding`, when the function is called
 */
export function jsonReader(limits: BodyLimits): (ctx: Context) => Promise<string> {
  const read = bodyReader('json', limits);
  return async (ctx) => {
    const text = await read(ctx);
    const problem = findUnsafeJson(ctx.request.body);
    if (problem) throw new ServiceError('invalid-request', problem);
    return text;
  };
}

/**
 * Returns a function that reads a JSON body without parsing it, so that its signature can be verified before. Empty if the Content-Type is
 * another.
 *
 * @throws ServiceError `body-too-large`, `unsupported-encoding`, when the function is called
 */
export function bytesReader(limits: BodyLimits): (ctx: Context) => Promise<Buffer> {
  const read = bodyReader('bytes', limits);
  return async (ctx) => Buffer.from(await read(ctx), 'binary');
}

/**
 * Parses the body of a form. A body with another Content-Type is a form without fields.
 *
 * @throws ServiceError `invalid-request`, `body-too-large`, `unsupported-encoding`
 */
export function formBody(limits = PAGE_FORM): Middleware {
  const readForm = formReader(limits);
  return async (ctx, next) => {
    if (ctx.method === 'POST') await readForm(ctx);
    ctx.request.body ??= {};
    await next();
  };
}

/**
 * Returns a function that reads the body of a form into `ctx.request.body`, and returns the encoded form; undefined if the Content-Type is
 * another.
 *
 * @throws ServiceError `invalid-request`, `body-too-large`, `unsupported-encoding`, when the function is called
 */
export function formReader(limits: BodyLimits): (ctx: Context) => Promise<string | undefined> {
  const read = bodyReader('form', limits);
  return async (ctx) => {
    if (!ctx.request.is('application/x-www-form-urlencoded')) return undefined;
    const form = await read(ctx);
    if (!isDecodable(form)) throw unreadable('a form in UTF-8');
    if (form.split('&', MAX_FORM_FIELDS + 1).length > MAX_FORM_FIELDS) throw tooMany(`${MAX_FORM_FIELDS} fields`);
    return form;
  };
}

/** A logo of 64 KiB, and the other fields of its form. */
const FORM_WITH_FILE: BodyLimits = { maxBytes: 98_304, allowCompression: false };
const MAX_PARTS = 30;
const readMultipart = bodyReader('form-with-file', FORM_WITH_FILE);

/**
 * Returns the fields of a form with a file, `multipart/form-data`. A file is a `Buffer`, empty if none was chosen. Of repeated fields, the
 * last one counts. The parts are counted before they are parsed: 1,330 empty files, which fit in a form, take 100 ms.
 *
 * @throws ServiceError `invalid-request`, `body-too-large`, `unsupported-encoding`
 */
export async function readFormWithFile(ctx: Context): Promise<Record<string, string | Buffer>> {
  const [, boundary = ''] = /;\s*boundary="?([\w'()+,./:=?-]+)/i.exec(ctx.get('content-type')) ?? [];
  // The parser ignores a request that has a body.
  ctx.request.body = undefined;
  const text = await readMultipart(ctx);
  // With a beginning and an end, which are no parts.
  const parts = text.split(`--${boundary}`, MAX_PARTS + 3);
  if (parts.length > MAX_PARTS + 2) throw tooMany(`${MAX_PARTS} fields`);
  const headersOf = (part: string) => part.slice(0, part.indexOf('\r\n\r\n'));
  if (parts.filter((part) => /;\s*filename\*?=/i.test(headersOf(part))).length > 1) throw tooMany('one file');

  // With the boundary that was counted, however the header may be read.
  const headers = { 'content-type': `multipart/form-data; boundary="${boundary}"` };
  const body = new Response(Buffer.from(text, 'binary'), { headers });
  const form = await body.formData().catch(() => {
    throw unreadable(BODY_TYPES['form-with-file']);
  });
  const fields: Record<string, string | Buffer> = {};
  for (const [name, value] of form) fields[name] = typeof value === 'string' ? value : Buffer.from(await value.arrayBuffer());
  return fields;
}

/**
 * Returns a function that reads a body with koa-bodyparser, and returns its text. The rest of a rejected body is discarded, so that the
 * client reads the response and can reuse the connection.
 *
 * @throws ServiceError `invalid-request`, `body-too-large`, `unsupported-encoding`, when the function is called. It has no cause: the
 *   errors of the parser quote the body, which may contain personal data.
 */
function bodyReader(type: BodyType, { maxBytes, allowCompression }: BodyLimits): (ctx: Context) => Promise<string> {
  const maxDecompressedBytes = Math.min(maxBytes, MAX_DECOMPRESSED_BYTES);
  const parse = parserOf(type, maxBytes);
  const parseDecompressed = parserOf(type, maxDecompressedBytes);

  return async (ctx) => {
    const { req, res, request } = ctx;
    const isCompressed = requireEncoding(req, allowCompression);
    if (Number(req.headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes);
    // The client may be waiting for permission to send the body.
    if (req.headers.expect !== undefined && req.httpVersion === '1.1') res.writeContinue();
    try {
      await (isCompressed ? parseCompressed(ctx, parseDecompressed) : parse(ctx, noNext));
    } catch (thrown) {
      req.unpipe();
      req.resume();
      if (propertyOf(thrown, 'status') === 413) throw tooLarge(isCompressed ? maxDecompressedBytes : maxBytes);
      throw unreadable(BODY_TYPES[type]);
    }
    const text = typeof request.rawBody === 'string' ? request.rawBody : '';
    // The parser replaces bytes that are not UTF-8. Text in another encoding would be stored with letters lost.
    if (text.includes('\ufffd')) throw unreadable(`${BODY_TYPES[type]} in UTF-8`);
    return text;
  };
}

function parserOf(type: BodyType, maxBytes: number): Koa.Middleware {
  const textType = READ_AS_TEXT[type];
  // A new object for each parser, which deletes `detectJSON` in it.
  const options = {
    enableTypes: [textType ? 'text' : type],
    // Reads JSON whatever the Content-Type.
    detectJSON: () => true,
    // `findUnsafeJson` reports such fields.
    onProtoPoisoning: 'ignore',
    extendTypes: { text: textType ? [textType] : [] },
    encoding: textType ? 'binary' : 'utf8',
    jsonLimit: String(maxBytes),
    formLimit: String(maxBytes),
    textLimit: String(maxBytes),
    // The default makes objects of `a.b` and `a[b]`, and drops all fields after the 1,000th.
    qs: { parse: parseParameters },
  };
  return bodyParser(options);
}

/**
 * Returns true if the body is compressed, and sets its encoding to the name that the parser knows.
 *
 * @throws ServiceError `unsupported-encoding`
 */
function requireEncoding({ headers }: IncomingMessage, allowCompression: boolean): boolean {
  const encoding = headers['content-encoding']?.toLowerCase().replace(/^x-gzip$/, 'gzip') || 'identity';
  headers['content-encoding'] = encoding;
  if (encoding === 'identity') return false;
  if (!allowCompression) throw new ServiceError('unsupported-encoding', 'Content-Encoding: expected none, but received one.');
  if (['gzip', 'deflate', 'br'].includes(encoding)) return true;
  throw new ServiceError('unsupported-encoding', 'Content-Encoding: expected gzip, deflate, br or none.');
}

/** Parses a compressed body, which koa-bodyparser pipes into a decompressor of its own. */
async function parseCompressed(ctx: Context, parse: Koa.Middleware): Promise<void> {
  const { req } = ctx;
  const pipe = req.pipe.bind(req);
  // After a failure, the parser does not listen to the decompressor anymore, whose next error would end the process.
  req.pipe = (decompressor, options) => pipe(decompressor.on('error', ignore), options);
  // The parser listens only to the decompressor, which waits forever for the rest of a body that breaks off.
  const brokenOff = once(req, 'aborted').then(() => Promise.reject(new Error('The body is incomplete')));
  await Promise.race([parse(ctx, noNext), brokenOff]);
}

const noNext = (): Promise<void> => Promise.resolve();
const ignore = (): void => undefined;

function tooLarge(maxBytes: number): ServiceError {
  return new ServiceError('body-too-large', `The body is larger than ${maxBytes} bytes.`);
}

function unreadable(expected: string): ServiceError {
  return new ServiceError('invalid-request', `The body could not be read: expected ${expected}.`);
}

/** Returns false if percent escapes are not UTF-8. The parser would return them undecoded. */
function isDecodable(form: string): boolean {
  try {
    decodeURIComponent(form);
    return true;
  } catch {
    return false;
  }
}

function tooMany(allowed: string): ServiceError {
  return new ServiceError('invalid-request', `Expected at most ${allowed}, but received more`);
}

/**
 * Replaces Koa's parser of `ctx.query`, which takes quadratic time: 8,000 parameters, which fit in a request, blocked the process for
 * two seconds.
 */
export function useLinearQueryParser({ request }: Koa): void {
  Object.defineProperty(request, 'query', {
    get(this: Koa.Request) {
      return parseParameters(this.querystring);
    },
  });
}

/** Parses a query or an encoded form. A repeated parameter is a list. */
export function parseParameters(querystring: string): Record<string, string | string[]> {
  const found = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(querystring)) {
    const values = found.get(name);
    if (values) values.push(value);
    else found.set(name, [value]);
  }
  return Object.fromEntries([...found].map(([name, values]) => [name, values.length === 1 ? values[0]! : values]));
}
