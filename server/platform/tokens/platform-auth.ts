import { ServiceError } from '../../base/errors.ts';
import { authorizationHeader } from '../../merchants/access/merchant-auth.ts';
import type { Bearer, Context, Middleware } from '../../http/context.ts';

/**
 * Requires a valid bearer token, and stores its bearer for `callerOf`.
 *
 * @param verifyToken - Returns the bearer of a token. @throws ServiceError
 * @throws ServiceError `token-missing`
 * @see RFC 6750; docs/platform-api.md, "Get a token".
 */
export function platformAuth(verifyToken: (token: string) => Promise<Bearer>): Middleware {
  return async (ctx, next) => {
    const token = /^bearer +([\w~+/.-]+=*) *$/i.exec(authorizationHeader(ctx))?.[1];
    if (token === undefined) throw new ServiceError('token-missing', 'Expected a bearer token in the header authorization.');
    ctx.state.bearer = await verifyToken(token);
    await next();
  };
}

/** Returns the bearer whose token `platformAuth` has verified. */
export function callerOf(ctx: Pick<Context, 'state'>): Bearer {
  return ctx.state.bearer!;
}
