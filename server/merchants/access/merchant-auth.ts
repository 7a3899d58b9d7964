import type { Readable } from '../../db/database.ts';
import { isUnavailable, ServiceError } from '../../base/errors.ts';
import { matchesSecretHash, keyIdOf, type KeyPair, NO_SECRET_HASH } from '../keys.ts';
import { findMerchantByKey, type CallingMerchant } from '../store.ts';
import type { Context, Middleware, State } from '../../http/context.ts';
import { BASIC_CHALLENGE } from '../../http/errors.ts';

interface MerchantState extends State {
  merchant?: CallingMerchant;
}

const UNAUTHENTICATED = 'Send your API key and its secret with HTTP Basic authentication. Sandbox keys work only in the sandbox.';

/**
 * Authenticates merchants by HTTP Basic, with the API key as user name and the secret as password.
 *
 * @throws ServiceError `unauthenticated` - the same error for an unknown key, a retired key and a wrong secret.
 * @see server/docs/merchant-api.md.
 */
export function merchantAuth(database: Readable): Middleware<MerchantState> {
  return async (ctx, next) => {
    try {
      await authenticateKeyPair(ctx, database, keyPairIn(ctx), UNAUTHENTICATED);
    } catch (thrown) {
      if (thrown instanceof ServiceError && !isUnavailable(thrown)) ctx.set('www-authenticate', BASIC_CHALLENGE);
      throw thrown;
    }
    await next();
  };
}

/**
 * Authenticates a request by its key pair, and sets its merchant and key id.
 *
 * @throws ServiceError `unauthenticated` - with `message`.
 */
export async function authenticateKeyPair(
  ctx: Pick<Context<MerchantState>, 'state'>,
  database: Readable,
  pair: KeyPair | undefined,
  message: string,
): Promise<CallingMerchant> {
  ctx.state.hasKeyPair = pair !== undefined;
  const merchant = await findMerchantByKeyPair(database, pair);
  if (!pair || !merchant) throw new ServiceError('unauthenticated', message);
  ctx.state.merchant = merchant;
  ctx.state.merchantId = merchant.id;
  ctx.state.keyId = keyIdOf(pair.apiKey);
  return merchant;
}

/** Returns the merchant of a key pair; undefined if the pair is missing or wrong. */
async function findMerchantByKeyPair({ query }: Readable, pair: KeyPair | undefined): Promise<CallingMerchant | undefined> {
  // No key contains a NUL, and PostgreSQL rejects queries with one.
  const apiKey = pair?.apiKey.includes('\0') ? undefined : pair?.apiKey;
  const found = apiKey ? await findMerchantByKey(query, apiKey) : undefined;
  // Compared for an unknown key, too, so that the time of the response is the same.
  const isValid = matchesSecretHash(pair?.secret ?? '', found?.secretHash ?? NO_SECRET_HASH);
  return found && isValid ? found.merchant : undefined;
}

/** Returns an empty string without the header, and for two headers, because a proxy could use the other one. */
export function authorizationHeader({ req }: Pick<Context, 'req'>): string {
  const [header = '', ...others] = req.headersDistinct.authorization ?? [];
  return others.length > 0 ? '' : header;
}

/** Parses the key pair of an HTTP Basic header; undefined if it is missing, malformed or repeated. */
export function keyPairIn(ctx: Pick<Context, 'req'>): KeyPair | undefined {
  const encoded = /^basic +([a-z0-9+/_-]+=*)$/i.exec(authorizationHeader(ctx))?.[1];
  if (encoded === undefined) return undefined;
  const decoded = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = decoded.indexOf(':');
  return colon < 1 ? undefined : { apiKey: decoded.slice(0, colon), secret: decoded.slice(colon + 1) };
}

/** Returns the merchant that `merchantAuth` authenticated. */
export function merchantOf(ctx: Pick<Context<MerchantState>, 'state'>): CallingMerchant {
  return ctx.state.merchant!;
}
