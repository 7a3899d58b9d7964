import { isUtf8 } from 'node:buffer';
import bodyParser from 'koa-bodyparser';
import type { Context, Middleware } from 'koa';
import { trapIn } from '../../shared/wire/traps.ts';
import { ServiceError } from '../errors.ts';
import { discardBody, letBodyCome, readBody, tooLarge } from './read-body.ts';

/** A cart of 500 articles with long addresses stays below this. */
const JSON_LIMIT_BYTES = 1_048_576;
const FORM_LIMIT_BYTES = 65_536;

/** Paths whose calls say everything. */
const BODYLESS = /^\/carts\/[^/]+\/expire\/?$/i;

/**
 * Reads the body of POST and PUT as JSON whatever its Content-Type says, because production clients mislabel it; an empty one
 * counts as `{}`. A body on any other method is ignored, and so is one on a path that takes none: some clients send `[]` there.
 *
 * @param limitBytes - How much is taken.
 * @throws ServiceError `invalid-request`, `body-too-large`, `unsupported-encoding`
 */
export function jsonBody(limitBytes = JSON_LIMIT_BYTES): Middleware {
  return (ctx, next) => {
    const takesBody = (ctx.method === 'POST' || ctx.method === 'PUT') && !BODYLESS.test(ctx.path);
    // oxlint-disable-next-line promise/no-callback-in-promise -- `next` is Koa's way on, and answers with a promise itself
    return takesBody ? readJson(ctx, limitBytes).then(next) : next();
  };
}

async function readJson({ req, res, request }: Context, limitBytes: number): Promise<void> {
  const text = textOf(await readBody(req, res, limitBytes));
  const body = parsed(text);
  const trap = trapIn(body);
  if (trap) throw new ServiceError('invalid-request', trap);
  request.rawBody = text;
  request.body = body;
}

/** Reads the body of a page's form. @throws ServiceError `invalid-request`, `body-too-large`, `unsupported-encoding` */
export function formBody(): Middleware {
  const parse = bodyParser({ enableTypes: ['form'], formLimit: String(FORM_LIMIT_BYTES), onerror: refuseForm });
  return (ctx, next) => {
    letBodyCome(ctx.req, ctx.res);
    return parse(ctx, () => {
      const { rawBody } = ctx.request;
      if (typeof rawBody === 'string' && !isReadable(rawBody)) {
        throw new ServiceError('invalid-request', 'The body could not be read: expected a form in UTF-8.');
      }
      return next();
    });
  };
}

/** Whether a form's percents are UTF-8. Where they are not, the parser would take the signs themselves for what was typed. */
function isReadable(form: string): boolean {
  try {
    decodeURIComponent(form);
    return true;
  } catch {
    return false;
  }
}

function refuseForm(error: Error, ctx: Pick<Context, 'req'>): never {
  discardBody(ctx.req);
  const { status } = error as { status?: number };
  if (status === 413) throw tooLarge(FORM_LIMIT_BYTES, error);
  throw new ServiceError('invalid-request', 'The body could not be read: expected a form.', { cause: error });
}

/** @throws ServiceError `invalid-request` - a name in Latin-1, read as UTF-8, would be stored with its letters lost. */
function textOf(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw new ServiceError('invalid-request', 'The body could not be read: expected a JSON object in UTF-8.');
  const text = bytes.toString('utf8');
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}

/** A name that stands twice in one object counts with its last value. */
function parsed(text: string): unknown {
  if (text === '') return {};
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return value;
  } catch {
    // The engine's own words quote the body, which may hold what nobody else should read.
  }
  throw new ServiceError('invalid-request', 'The body could not be read: expected a JSON object.');
}
