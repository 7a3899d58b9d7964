import type { Context, Middleware } from 'koa';
import { ServiceError } from '../errors.ts';
import { isSaidTwice } from './raw-headers.ts';

/**
 * Lets only bearers of a token through.
 *
 * @param admit - Who the bearer of a token is. @throws ServiceError - nobody.
 * @throws ServiceError `token-missing`
 * @see RFC 6750; Interface, "Authentication", platform API.
 */
export function platformAuth(admit: (token: string) => Promise<unknown>): Middleware {
  return async (ctx, next) => {
    const token = /^bearer +([\w~+/.-]+=*) *$/i.exec(bearerIn(ctx))?.[1];
    if (token === undefined) throw new ServiceError('token-missing', 'Expected a bearer token in the header authorization.');
    ctx.state['caller'] = await admit(token);
    await next();
  };
}

/** Whom `platformAuth` let through. */
export function callerOf(ctx: Pick<Context, 'state'>): unknown {
  return ctx.state['caller'];
}

/** Of two headers nobody could tell which counts. */
function bearerIn({ req }: Context): string {
  return isSaidTwice(req.rawHeaders, 'authorization') ? '' : (req.headers.authorization ?? '');
}
