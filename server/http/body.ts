import bodyParser from 'koa-bodyparser';
import type { Middleware } from 'koa';
import { ServiceError } from '../errors.ts';

/** A cart of 500 articles with long addresses stays below this. */
const JSON_LIMIT = '1mb';
const FORM_LIMIT = '64kb';

/**
 * Reads the body of POST and PUT as JSON whatever its Content-Type says, because production clients mislabel it.
 * A body on any other method is ignored.
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
    if (ctx.method !== 'POST' && ctx.method !== 'PUT') {
      await next();
      return;
    }
    await parse(ctx, async () => {
      refuseTraps(ctx.request.body, MAX_DEPTH);
      await next();
    });
  };
}

/** Nothing of the interface is nested deeper than a few levels. */
const MAX_DEPTH = 32;

/**
 * Refuses what could not even be shown in a refusal: nesting that exhausts the stack, and objects whose own fields take
 * the place of the functions that make text of them.
 */
function refuseTraps(value: unknown, depthLeft: number): void {
  if (typeof value !== 'object' || value === null) return;
  if (depthLeft === 0)
    throw new ServiceError('invalid-request', `Expected at most ${MAX_DEPTH} levels of nesting, but received more`);
  const trap = ['toString', 'valueOf', 'toJSON'].find((name) => Object.hasOwn(value, name));
  if (trap) throw new ServiceError('invalid-request', `Expected no field named "${trap}"`);
  for (const inner of Object.values(value)) refuseTraps(inner, depthLeft - 1);
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
