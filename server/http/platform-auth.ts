import type { Context, Middleware } from 'koa';
import { ServiceError } from '../errors.ts';

/**
 * Requires a valid bearer token.
 *
 * @param verifyToken - Returns the scope of a token. @throws ServiceError
 * @throws ServiceError `token-missing`
 * @see RFC 6750; Interface, "Authentication", platform API.
 */
export function platformAuth(verifyToken: (token: string) => Promise<unknown>): Middleware {
  return async (ctx, next) => {
    const token = /^bearer +([\w~+/.-]+=*) *$/i.exec(bearerIn(ctx))?.[1];
    if (token === undefined) throw new ServiceError('token-missing', 'Expected a bearer token in the header authorization.');
    ctx.state['caller'] = await verifyToken(token);
    await next();
  };
}

/** Returns the scope of the token that `platformAuth` has verified. */
export function callerOf(ctx: Pick<Context, 'state'>): unknown {
  return ctx.state['caller'];
}

/** Returns nothing for two headers: they could be read differently elsewhere. */
function bearerIn({ req }: Context): string {
  const [header = '', ...others] = req.headersDistinct.authorization ?? [];
  return others.length > 0 ? '' : header;
}
