import type { Middleware, Next } from 'koa';
import compose from 'koa-compose';

/** Koa's and its router's middleware, which differ in what they say of the context. */
type AnyMiddleware = (ctx: never, next: Next) => unknown;

/** Runs `middleware` for the paths whose first segment is one of `segments`, in order; other paths pass by. */
export function under(segments: readonly string[], ...middleware: AnyMiddleware[]): Middleware {
  const composed = compose(middleware as Middleware[]);
  const isBelow = new Set(segments);
  return (ctx, next) => (isBelow.has(ctx.path.split('/')[1] ?? '') ? composed(ctx, next) : next());
}
