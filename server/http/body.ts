import type Koa from 'koa';
import { isUtf8 } from 'node:buffer';
import type { Transform } from 'node:stream';
import { createBrotliDecompress, createUnzip } from 'node:zlib';
import { findUnsafeJson, MAX_JSON_DEPTH } from '../../shared/wire/unsafe-json.ts';
import { ServiceError } from '../errors.ts';
import type { Context, Middleware } from './context.ts';

/** The size of a body after decompression, and whether it may be compressed at all. */
export interface BodyLimits {
  maxBytes: number;
  allowCompression: boolean;
}

/** A cart of 500 articles with long addresses stays below this. */
const MERCHANT_JSON: BodyLimits = { maxBytes: 1_048_576, allowCompression: true };

/** Limits of forms, which browsers never compress. */
const PAGE_FORM: BodyLimits = { maxBytes: 65_536, allowCompression: false };

/** Limits of token requests, which are not authenticated yet. */
export const TOKEN_REQUEST: BodyLimits = { maxBytes: 4_096, allowCompression: false };

/** Decompressed size from which `MAX_EXPANSION` applies. */
const MAX_UNCHECKED_BYTES = 131_072;
/** Maximum ratio of decompressed to received bytes. Carts reach 10; a gzip bomb 1,000. */
const MAX_EXPANSION = 100;

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
  return async (ctx, next) => {
    const takesBody = (ctx.method === 'POST' || ctx.method === 'PUT') && !BODYLESS.test(ctx.path);
    if (takesBody) await readJson(ctx, limits);
    await next();
  };
}

/**
 * Reads the body as JSON into `ctx.request.body`, and its text into `ctx.request.rawBody`.
 *
 * @throws ServiceError `invalid-request`, `body-too-large`, `unsupported-encoding`
 */
export async function readJson(ctx: Context, limits: BodyLimits): Promise<void> {
  const text = textOf(await readBody(ctx, limits), 'a JSON object in UTF-8');
  requireSmallJson(text);
  const body = parseJson(text);
  const problem = findUnsafeJson(body);
  if (problem) throw new ServiceError('invalid-request', problem);
  ctx.request.rawBody = text;
  ctx.request.body = body;
}

/**
 * Parses the body of a form. A body with another Content-Type is a form without fields.
 *
 * @throws ServiceError `invalid-request`, `body-too-large`, `unsupported-encoding`
 */
export function formBody(): Middleware {
  return async (ctx, next) => {
    ctx.request.body = parseParameters((ctx.method === 'POST' && (await readForm(ctx, PAGE_FORM))) || '');
    await next();
  };
}

/**
 * Returns the encoded form; undefined if the Content-Type is another.
 *
 * @throws ServiceError `invalid-request`, `body-too-large`, `unsupported-encoding`
 */
export async function readForm(ctx: Context, limits: BodyLimits): Promise<string | undefined> {
  if (!ctx.request.is('application/x-www-form-urlencoded')) return undefined;
  const form = textOf(await readBody(ctx, limits), 'a form in UTF-8');
  if (!isDecodable(form)) throw new ServiceError('invalid-request', 'The body could not be read: expected a form in UTF-8.');
  if (form.split('&', MAX_FORM_FIELDS + 1).length > MAX_FORM_FIELDS) throw tooMany(`${MAX_FORM_FIELDS} fields`);
  return form;
}

/** A logo of 64 KiB, and the other fields of its form. */
const FORM_WITH_FILE: BodyLimits = { maxBytes: 98_304, allowCompression: false };
const MAX_PARTS = 30;

/**
 * Returns the fields of a form with a file, `multipart/form-data`. A file is a `Buffer`, empty if none was chosen. Of repeated fields, the
 * last one counts. The parts are counted before they are parsed: 1,330 empty files, which fit in a form, take 100 ms.
 *
 * @throws ServiceError `invalid-request`, `body-too-large`, `unsupported-encoding`
 */
export async function readFormWithFile(ctx: Context): Promise<Record<string, string | Buffer>> {
  const [, boundary = ''] = /;\s*boundary="?([\w'()+,./:=?-]+)/i.exec(ctx.get('content-type')) ?? [];
  const bytes = await readBody(ctx, FORM_WITH_FILE);
  // With a beginning and an end, which are no parts.
  const parts = bytes.toString('latin1').split(`--${boundary}`, MAX_PARTS + 3);
  if (parts.length > MAX_PARTS + 2) throw tooMany(`${MAX_PARTS} fields`);
  const headersOf = (part: string) => part.slice(0, part.indexOf('\r\n\r\n'));
  if (parts.filter((part) => /;\s*filename\*?=/i.test(headersOf(part))).length > 1) throw tooMany('one file');

  // With the boundary that was counted, however the header may be read.
  const headers = { 'content-type': `multipart/form-data; boundary="${boundary}"` };
  const body = new Response(new Uint8Array(bytes), { headers });
  const form = await body.formData().catch((cause: unknown) => {
    throw new ServiceError('invalid-request', 'The body could not be read: expected a form with a file.', { cause });
  });
  const fields: Record<string, string | Buffer> = {};
  for (const [name, value] of form) fields[name] = typeof value === 'string' ? value : Buffer.from(await value.arrayBuffer());
  return fields;
}

/**
 * Returns the decompressed body. Rejects a body above the limit immediately, and discards the rest of it, so that the client reads
 * the response and can reuse the connection.
 *
 * @throws ServiceError `body-too-large`, `unsupported-encoding`; `invalid-request` - the body is incomplete or not in its encoding.
 */
async function readBody({ req, res }: Pick<Context, 'req' | 'res'>, limits: BodyLimits): Promise<Buffer> {
  const decompress = decompressor(req.headers['content-encoding'] ?? 'identity', limits);
  const { maxBytes } = limits;
  if (Number(req.headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes);
  // The client may be waiting for permission to send the body.
  if (req.headers.expect !== undefined && req.httpVersion === '1.1') res.writeContinue();

  const chunks: Buffer[] = [];
  let receivedBytes = 0;
  let sizeBytes = 0;
  return new Promise<Buffer>((resolve, reject) => {
    const fail = (error: ServiceError): void => {
      req.unpipe();
      req.resume();
      decompress?.destroy();
      reject(error);
    };
    const onError = (cause: Error): void =>
      fail(
        new ServiceError('invalid-request', 'The body could not be read: it is incomplete or not in its encoding.', { cause }),
      );
    req.on('data', (chunk: Buffer) => (receivedBytes += chunk.length));
    req.on('error', onError);
    const source = decompress ? req.pipe(decompress).on('error', onError) : req;
    source.on('data', (chunk: Buffer) => {
      sizeBytes += chunk.length;
      if (sizeBytes > maxBytes) fail(tooLarge(maxBytes));
      else if (sizeBytes > Math.max(MAX_UNCHECKED_BYTES, MAX_EXPANSION * receivedBytes)) fail(expandsTooMuch());
      else chunks.push(chunk);
    });
    source.on('end', () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)));
  });
}

function tooLarge(maxBytes: number): ServiceError {
  return new ServiceError('body-too-large', `The body is larger than ${maxBytes} bytes.`);
}

function expandsTooMuch(): ServiceError {
  const message = `The body is larger than ${MAX_UNCHECKED_BYTES} bytes and more than ${MAX_EXPANSION} times what was sent.`;
  return new ServiceError('body-too-large', message);
}

/** @throws ServiceError `unsupported-encoding` */
function decompressor(encoding: string, { allowCompression }: BodyLimits): Transform | undefined {
  const name = encoding.trim().toLowerCase();
  if (name === 'identity' || name === '') return undefined;
  if (!allowCompression) throw new ServiceError('unsupported-encoding', 'Content-Encoding: expected none, but received one.');
  switch (name) {
    case 'gzip':
    case 'x-gzip':
    case 'deflate':
      return createUnzip();
    case 'br':
      return createBrotliDecompress();
    default:
      throw new ServiceError('unsupported-encoding', 'Content-Encoding: expected gzip, deflate, br or none.');
  }
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

/** @throws ServiceError `invalid-request` - text in another encoding would be stored with letters lost. */
function textOf(bytes: Buffer, expected: string): string {
  if (!isUtf8(bytes)) throw new ServiceError('invalid-request', `The body could not be read: expected ${expected}.`);
  const text = bytes.toString('utf8');
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}

/** If a name is repeated in an object, the last value applies. */
function parseJson(text: string): unknown {
  if (text === '') return {};
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return value;
  } catch {
    // The engine's message quotes the body, which may contain personal data.
  }
  throw new ServiceError('invalid-request', 'The body could not be read: expected a JSON object.');
}

/** The largest valid cart has 4,000. Some clients send additional fields, which are ignored. */
const MAX_JSON_VALUES = 20_000;

/**
 * Checks the limits of JSON before it is parsed: a megabyte of brackets takes up to 100 ms. Counts commas and opening brackets outside
 * of strings: a document has at most one value more.
 *
 * @throws ServiceError `invalid-request`
 */
function requireSmallJson(text: string): void {
  let depth = 0;
  let values = 0;
  let isInString = false;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index]!;
    if (character === '"') isInString = !isInString;
    else if (isInString) index += character === '\\' ? 1 : 0;
    else if (character === ']' || character === '}') depth -= 1;
    else if (character === ',') values += 1;
    else if (character === '[' || character === '{') {
      values += 1;
      depth += 1;
      if (depth > MAX_JSON_DEPTH) throw tooMany(`${MAX_JSON_DEPTH} levels of nesting`);
    }
    if (values > MAX_JSON_VALUES) throw tooMany(`${MAX_JSON_VALUES} values`);
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
