import type { Context, Middleware } from 'koa';
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import type { Transform } from 'node:stream';
import { createBrotliDecompress, createUnzip } from 'node:zlib';
import { ServiceError } from '../errors.ts';
import { parametersIn } from './query.ts';
import { findUnsafeJson, MAX_JSON_DEPTH } from '../../shared/wire/unsafe-json.ts';

/** The size of a body after decompression, and whether it may be compressed at all. */
export interface BodyLimits {
  maxBytes: number;
  allowCompression: boolean;
}

/** A cart of 500 articles with long addresses stays below this. */
const MERCHANT_JSON: BodyLimits = { maxBytes: 1_048_576, allowCompression: true };
const PAGE_FORM: BodyLimits = { maxBytes: 65_536, allowCompression: true };

/** A request for a token, which is read before anybody has authenticated. */
export const TOKEN_REQUEST: BodyLimits = { maxBytes: 4_096, allowCompression: false };

/** A decompressed body may have this size whatever was sent; a larger one at most `MAX_EXPANSION` times the bytes that were sent. */
const FREE_EXPANSION_BYTES = 131_072;
/** The JSON of a cart is compressed to a tenth; gzip goes up to a thousand. */
const MAX_EXPANSION = 100;

/** The longest form of the checkout has 30. */
const MAX_FORM_FIELDS = 1_000;

/** Paths whose requests need no body. */
const BODYLESS = /^\/carts\/[^/]+\/expire\/?$/i;

/**
 * Reads the body of POST and PUT as JSON whatever its Content-Type says, because production clients mislabel it; an empty one
 * counts as `{}`. A body on any other method is ignored, and so is one on a path that takes none: some clients send `[]` there.
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
  const text = textOf(await readBody(ctx, limits, jsonLimits()), 'a JSON object in UTF-8');
  const body = parsed(text);
  const problem = findUnsafeJson(body);
  if (problem) throw new ServiceError('invalid-request', problem);
  ctx.request.rawBody = text;
  ctx.request.body = body;
}

/**
 * Reads the body of a page's form. A body that is not a form counts as one without fields.
 *
 * @throws ServiceError `invalid-request`, `body-too-large`, `unsupported-encoding`
 */
export function formBody(): Middleware {
  return async (ctx, next) => {
    ctx.request.body = parametersIn((ctx.method === 'POST' && (await readForm(ctx, PAGE_FORM))) || '');
    await next();
  };
}

/**
 * Returns the body as the text of a form, or undefined when its Content-Type is another.
 *
 * @throws ServiceError `invalid-request`, `body-too-large`, `unsupported-encoding`
 */
export async function readForm(ctx: Context, limits: BodyLimits): Promise<string | undefined> {
  if (!ctx.request.is('application/x-www-form-urlencoded')) return undefined;
  const form = textOf(await readBody(ctx, limits), 'a form in UTF-8');
  if (!isDecodable(form)) throw new ServiceError('invalid-request', 'The body could not be read: expected a form in UTF-8.');
  if (form.split('&', MAX_FORM_FIELDS + 1).length > MAX_FORM_FIELDS) {
    throw new ServiceError('invalid-request', `Expected at most ${MAX_FORM_FIELDS} fields, but received more`);
  }
  return form;
}

/**
 * The body of a request, decompressed. A larger one than allowed is rejected at once, and decompression stops. The rest of it is
 * received and dropped, so that the client reads the response and can use the connection again.
 *
 * @param inspect - Called with each decompressed chunk; what it throws rejects the body.
 * @throws ServiceError `body-too-large`, `unsupported-encoding`, `invalid-request` - it is not what its encoding says, or it ends
 *   too early.
 */
async function readBody(
  { req, res }: Pick<Context, 'req' | 'res'>,
  limits: BodyLimits,
  inspect: (chunk: Buffer) => void = () => undefined,
): Promise<Buffer> {
  const decompress = decompressor(req.headers['content-encoding'] ?? 'identity', limits);
  const { maxBytes } = limits;
  if (Number(req.headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes);
  // The client may be waiting for permission to send the body.
  if (req.headers.expect !== undefined && req.httpVersion === '1.1') res.writeContinue();

  const chunks: Buffer[] = [];
  let receivedBytes = 0;
  let sizeBytes = 0;
  return new Promise<Buffer>((resolve, reject) => {
    const count = (chunk: Buffer): void => {
      receivedBytes += chunk.length;
    };
    const take = (chunk: Buffer): void => {
      sizeBytes += chunk.length;
      try {
        if (sizeBytes > maxBytes) throw tooLarge(maxBytes);
        if (decompress) requireModestExpansion(sizeBytes, receivedBytes);
        inspect(chunk);
        chunks.push(chunk);
      } catch (thrown) {
        refuse(thrown);
      }
    };
    const refuse = (error: unknown): void => {
      source.off('data', take);
      discardBody(req);
      decompress?.destroy();
      reject(error);
    };
    const fail = (cause?: Error): void =>
      refuse(
        new ServiceError('invalid-request', 'The body could not be read: it is broken off, or not what it says it is.', {
          cause,
        }),
      );
    req.on('data', count);
    const source = decompress ? req.pipe(decompress) : req;
    source.on('data', take);
    source.once('end', () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)));
    source.on('error', fail);
    if (decompress) req.on('error', fail);
  });
}

/** Discards the rest of a body that is not read to its end. */
function discardBody(request: IncomingMessage): void {
  request.unpipe();
  request.resume();
}

function tooLarge(maxBytes: number): ServiceError {
  return new ServiceError('body-too-large', `The body is larger than ${maxBytes} bytes.`);
}

function requireModestExpansion(sizeBytes: number, receivedBytes: number): void {
  if (sizeBytes <= Math.max(FREE_EXPANSION_BYTES, MAX_EXPANSION * receivedBytes)) return;
  throw new ServiceError(
    'body-too-large',
    `The body is larger than ${FREE_EXPANSION_BYTES} bytes and more than ${MAX_EXPANSION} times what was sent.`,
  );
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

/** Whether a form's percents are UTF-8. Where they are not, the parser would take the signs themselves for what was typed. */
function isDecodable(form: string): boolean {
  try {
    decodeURIComponent(form);
    return true;
  } catch {
    return false;
  }
}

/** @throws ServiceError `invalid-request` - a name in Latin-1, read as UTF-8, would be stored with its letters lost. */
function textOf(bytes: Buffer, expected: string): string {
  if (!isUtf8(bytes)) throw new ServiceError('invalid-request', `The body could not be read: expected ${expected}.`);
  const text = bytes.toString('utf8');
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}

/** If a name occurs twice in one object, the last value applies. */
function parsed(text: string): unknown {
  if (text === '') return {};
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return value;
  } catch {
    // The message of the JavaScript engine quotes the body, which may contain personal data.
  }
  throw new ServiceError('invalid-request', 'The body could not be read: expected a JSON object.');
}

/** A cart with the most items, discounts and shipping options has 4,000. Some clients send further fields, which are ignored. */
const MAX_JSON_VALUES = 20_000;

const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_LIST = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/**
 * Limits JSON as it arrives, in one pass over its bytes, before anything is built from it. Commas and opening brackets are counted:
 * there are at least as many as values.
 *
 * @returns Inspects the next chunk. @throws ServiceError `invalid-request`
 */
function jsonLimits(): (chunk: Buffer) => void {
  let depth = 0;
  let values = 0;
  let isInString = false;
  let isEscaped = false;
  return (chunk) => {
    for (let index = 0; index < chunk.length; index += 1) {
      const byte = chunk[index]!;
      if (isInString) {
        if (isEscaped) isEscaped = false;
        else if (byte === BACKSLASH) isEscaped = true;
        else if (byte === QUOTE) isInString = false;
        continue;
      }
      if (byte === QUOTE) isInString = true;
      else if (byte === COMMA) values += 1;
      else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
        values += 1;
        depth += 1;
      } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) depth -= 1;
      if (depth > MAX_JSON_DEPTH) {
        throw new ServiceError('invalid-request', `Expected at most ${MAX_JSON_DEPTH} levels of nesting, but received more`);
      }
      if (values > MAX_JSON_VALUES) {
        throw new ServiceError('invalid-request', `Expected at most ${MAX_JSON_VALUES} values, but received more`);
      }
    }
  };
}
