import type { Middleware, Next } from 'koa';
import compose from 'koa-compose';

/** Koa's and its router's middleware, which differ in what they say of the context. */
type AnyMiddleware = (ctx: never, next: Next) => unknown;

/** Hands a request to the middleware of the first segment of its path; one that nobody is responsible for passes by. */
export function bySegment(responsible: Readonly<Record<string, readonly AnyMiddleware[]>>): Middleware {
  const composed = new Map(Object.entries(responsible).map(([segment, chain]) => [segment, compose(chain as Middleware[])]));
  return (ctx, next) => {
    const { path } = ctx;
    const end = path.indexOf('/', 1);
    const handle = composed.get(end < 0 ? path.slice(1) : path.slice(1, end));
    return handle ? handle(ctx, next) : next();
  };
}
