import bodyParser from 'koa-bodyparser';
import type { Middleware } from 'koa';
import { trapIn } from '../../shared/wire/traps.ts';
import { ServiceError } from '../errors.ts';

/** A cart of 500 articles with long addresses stays below this. */
const JSON_LIMIT = '1mb';
const FORM_LIMIT = '64kb';

/** Paths whose calls say everything. */
const BODYLESS = /^\/carts\/[^/]+\/expire\/?$/i;

/**
 * Reads the body of POST and PUT as JSON whatever its Content-Type says, because production clients mislabel it.
 * A body on any other method is ignored, and so is one on a path that takes none: some clients send `[]` there.
 *
 * @throws ServiceError `invalid-request`, `body-too-large`
 */
export function jsonBody(): Middleware {
  const parse = bodyParser({
    enableTypes: ['json'],
    detectJSON: () => true,
    jsonLimit: JSON_LIMIT,
    onerror: refuse('a JSON object', JSON_LIMIT),
  });
  return async (ctx, next) => {
    if ((ctx.method !== 'POST' && ctx.method !== 'PUT') || BODYLESS.test(ctx.path)) {
      await next();
      return;
    }
    await parse(ctx, async () => {
      const trap = trapIn(ctx.request.body);
      if (trap) throw new ServiceError('invalid-request', trap);
      await next();
    });
  };
}

/** Reads the body of a page's form. @throws ServiceError `invalid-request`, `body-too-large` */
export function formBody(): Middleware {
  return bodyParser({ enableTypes: ['form'], formLimit: FORM_LIMIT, onerror: refuse('a form', FORM_LIMIT) });
}

function refuse(expected: string, limit: string): (error: Error) => never {
  return (error) => {
    if ((error as { status?: number }).status === 413) {
      throw new ServiceError('body-too-large', `The body is larger than ${limit}.`, { cause: error });
    }
    throw new ServiceError('invalid-request', `The body could not be read: expected ${expected}.`, { cause: error });
  };
}
