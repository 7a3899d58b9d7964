import type { Middleware, Next } from 'koa';
import compose from 'koa-compose';

/** Middleware of Koa and of its router, which differ in the type of the context. */
type AnyMiddleware = (ctx: never, next: Next) => unknown;

/** Passes a request to the middleware of the first segment of its path, or on to the next middleware if there is no entry. */
export function bySegment(responsible: Readonly<Record<string, readonly AnyMiddleware[]>>): Middleware {
  const composed = new Map(Object.entries(responsible).map(([segment, chain]) => [segment, compose(chain as Middleware[])]));
  return (ctx, next) => {
    const { path } = ctx;
    const end = path.indexOf('/', 1);
    const handle = composed.get(end < 0 ? path.slice(1) : path.slice(1, end));
    return handle ? handle(ctx, next) : next();
  };
}
