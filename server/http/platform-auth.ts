import type { Context, Middleware } from 'koa';
import { ServiceError } from '../errors.ts';

/** The tenant, issuer and subject of a verified bearer token. `verifyToken` may return further fields, such as a merchant id. */
export interface Bearer {
  tenantId: string;
  issuer: string;
  subject: string | undefined;
}

/**
 * Requires a valid bearer token, and stores its bearer for `callerOf`.
 *
 * @param verifyToken - Returns the bearer of a token. @throws ServiceError
 * @throws ServiceError `token-missing`
 * @see RFC 6750; Interface, "Authentication", platform API.
 */
export function platformAuth(verifyToken: (token: string) => Promise<Bearer>): Middleware {
  return async (ctx, next) => {
    const token = /^bearer +([\w~+/.-]+=*) *$/i.exec(authorizationHeader(ctx))?.[1];
    if (token === undefined) throw new ServiceError('token-missing', 'Expected a bearer token in the header authorization.');
    ctx.state['caller'] = await verifyToken(token);
    await next();
  };
}

/** Returns the bearer whose token `platformAuth` has verified. */
export function callerOf(ctx: Pick<Context, 'state'>): unknown {
  return ctx.state['caller'];
}

/** Returns an empty string without the header, and for two headers, because a proxy could use the other one. */
function authorizationHeader({ req }: Context): string {
  const [header = '', ...others] = req.headersDistinct.authorization ?? [];
  return others.length > 0 ? '' : header;
}
