import type { Context, Middleware } from 'koa';
import { type Watched, whileUnchanged } from '../db/kept.ts';
import { ServiceError } from '../errors.ts';
import { isSecret, NO_SECRET_HASH } from '../merchants/keys.ts';
import { findMerchantByKey, type MerchantRow } from '../merchants/store.ts';

/**
 * Lets only merchants through: HTTP Basic, the API key as user name and the secret as password.
 *
 * @throws ServiceError `unauthenticated` - the same whether the key is unknown, retired or the secret wrong.
 * @see Interface, "Authentication", merchant API.
 */
export function merchantAuth(database: Watched): Middleware {
  return async (ctx, next) => {
    const merchant = isSaidTwice(ctx.req.rawHeaders)
      ? undefined
      : await merchantBy(database, ctx.req.headers.authorization ?? '');
    if (!merchant) {
      ctx.set('www-authenticate', 'Basic realm="fairterm", charset="UTF-8"');
      throw new ServiceError(
        'unauthenticated',
        'Expected HTTP Basic authentication with an API key and its secret of this environment.',
      );
    }
    ctx.state['merchant'] = merchant;
    await next();
  };
}

/** Whose credentials they are. Those that are good are not looked up again until something is written. */
const merchantBy = whileUnchanged(async ({ query }, header: string): Promise<MerchantRow | undefined> => {
  const credentials = basicCredentials(header);
  const found = credentials && (await findMerchantByKey(query, credentials.user));
  const known = isSecret(credentials?.password ?? '', found?.secretHash ?? NO_SECRET_HASH);
  return found && known ? found.merchant : undefined;
});

/** The merchant that `merchantAuth` let through. */
export function merchantOf(ctx: Pick<Context, 'state'>): MerchantRow {
  return ctx.state['merchant'] as MerchantRow;
}

/** Of two credentials Node keeps the first and others the last: nobody is let in by either. */
function isSaidTwice(rawHeaders: readonly string[]): boolean {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index]!.length === 13 && rawHeaders[index]!.toLowerCase() === 'authorization') count += 1;
  }
  return count > 1;
}

function basicCredentials(header: string): { user: string; password: string } | undefined {
  const encoded = /^basic +([a-z0-9+/_-]+=*)$/i.exec(header)?.[1];
  if (encoded === undefined) return undefined;
  const decoded = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = decoded.indexOf(':');
  // A NUL is in no key, and PostgreSQL refuses to look for one.
  if (colon < 1 || decoded.includes('\0')) return undefined;
  return { user: decoded.slice(0, colon), password: decoded.slice(colon + 1) };
}
