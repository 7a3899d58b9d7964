import ipaddr from 'ipaddr.js';
import type { IncomingMessage } from 'node:http';
import { isIP, isIPv4 } from 'node:net';
import { LRUCache } from 'lru-cache';
import type { RateLimits } from '../base/config/config.ts';
import { ServiceError, httpStatusOf } from '../base/errors.ts';
import { WIDER_ALLOWANCE } from './attempts.ts';
import { HOUR_MS } from '../base/time.ts';
import { type Context, type Middleware, hasCredentials, isAuthenticated } from './context.ts';
import { serviceErrorOf } from './errors.ts';

/** Limits that protect this process, counted in its memory (decisions/0026). Attempts of buyers are counted by `attempts.ts`. */
export type RateLimiters = ReturnType<typeof rateLimiters>;

/** Requests without a write that are recorded of a merchant in a minute, for each error code and for those that succeeded. */
const SAMPLES_PER_MINUTE = 20;

/** Files that the users of a tenant may download in the console in an hour. */
const EXPORTS_PER_HOUR = 60;

/** @param nowMs - A clock that does not go back, unlike the sandbox's, which callers may move. */
export function rateLimiters(limits: RateLimits, nowMs: () => number) {
  return {
    cartsPerAddress: limiter(limits.cartsPerAddress, nowMs),
    cartsPerMerchant: limiter(limits.cartsPerMerchant, nowMs),
    readsPerAddress: limiter(limits.readsPerAddress, nowMs),
    pagesPerAddress: limiter(limits.pagesPerAddress, nowMs),
    consolePages: limiter(limits.consolePages, nowMs),
    failedLoginsPerAddress: limiter(limits.failedLoginsPerAddress, nowMs),
    documentPdfs: limiter(limits.documentPdfs, nowMs, { periodMs: HOUR_MS }),
    recordedRequests: limiter(SAMPLES_PER_MINUTE, nowMs),
    exportsPerTenant: limiter(EXPORTS_PER_HOUR, nowMs, { periodMs: HOUR_MS }),
  };
}

/** Limits how often a client's address may call. @throws ServiceError `rate-limited` */
export function limitByAddress(limit: Limiter): Middleware {
  return (ctx, next) => {
    requireWithin(ctx, limit, ...clientNetworks(ctx));
    return next();
  };
}

/**
 * Limits how often a client's address may fail to authenticate. Runs before authentication, which is always tried: a request with
 * valid credentials is neither counted nor rejected.
 *
 * @param onFailed - Called with each authentication error and the truncated network of the caller, but not for requests without any
 *   credentials: these are counted by the limit only.
 * @throws ServiceError `rate-limited` - replaces the authentication error of the excess request.
 */
export function limitFailedLogins(limit: Limiter, onFailed: (error: ServiceError, network: string) => void): Middleware {
  return async (ctx, next) => {
    try {
      await next();
    } catch (thrown) {
      const error = serviceErrorOf(thrown);
      // 503: the credentials could not be verified.
      const isFailedLogin = error && httpStatusOf(error.code) !== 503 && !isAuthenticated(ctx);
      if (isFailedLogin) {
        const networks = clientNetworks(ctx);
        if (REJECTED.has(httpStatusOf(error.code)) && hasCredentials(ctx)) onFailed(error, truncatedNetwork(networks));
        requireWithin(ctx, limit, ...networks);
      }
      throw thrown;
    }
  };
}

/** Statuses of rejected credentials. Errors with another status, such as an unknown grant type, are not failed logins. */
const REJECTED: ReadonlySet<number> = new Set([401, 403]);

/** Returns the /24 of an IPv4 address, or the /48 of an IPv6 address, which do not identify a person. */
export function truncatedNetwork(networks: readonly string[]): string {
  const widest = networks.at(-1)!;
  return isIPv4(widest) ? widest.replace(/(?<!\d)\d+$/, '0/24') : widest;
}

/**
 * Counts one call of `names` (see `Limiter`).
 *
 * @throws ServiceError `rate-limited` - the limit is exceeded; `Retry-After` has the seconds to wait.
 */
export function requireWithin(ctx: Pick<Context, 'set'>, limit: Limiter, ...names: readonly string[]): void {
  const waitMs = limit(...names);
  if (waitMs === 0) return;
  const seconds = Math.ceil(waitMs / 1_000);
  ctx.set('retry-after', String(seconds));
  throw new ServiceError('rate-limited', `Too many requests: expected the next one in ${seconds} s or later.`);
}

const MINUTE_MS = 60_000;

/**
 * Takes one token from a bucket that holds `capacity` tokens and refills evenly over `periodMs`.
 *
 * The whole state of a bucket is the moment at which it will be full again.
 *
 * @param fullAtMs - That moment; undefined for an unused bucket.
 * @param nowMs    - On the same clock, which must not go back.
 * @returns The new moment, and how long to wait for a token: 0 if one was taken.
 */
export function takeOne(
  fullAtMs: number | undefined,
  capacity: number,
  nowMs: number,
  periodMs = MINUTE_MS,
): { fullAtMs: number | undefined; waitMs: number } {
  const after = Math.max(fullAtMs ?? nowMs, nowMs) + periodMs / capacity;
  const waitMs = after - nowMs - periodMs;
  // Tolerates rounding: less than a millisecond early is on time.
  return waitMs < 1 ? { fullAtMs: after, waitMs: 0 } : { fullAtMs, waitMs };
}

/**
 * Takes one token from each named bucket, or from none if one of them is empty.
 *
 * @param names - A client and its networks, each wider than the one before and with four times its allowance.
 * @returns Milliseconds until each has a token; 0 if the tokens were taken.
 */
export type Limiter = (...names: readonly string[]) => number;

/**
 * Creates buckets of `capacity` tokens for each name, which refill over `periodMs`.
 *
 * If there are too many buckets, the least recently used are deleted: a limit per name does not stop a client with that many names, but
 * its memory stays bounded.
 *
 * @param capacity - 0: no limit.
 * @param nowMs - A clock that does not go back.
 */
export function limiter(
  capacity: number,
  nowMs: () => number,
  { maxBuckets = 20_000, periodMs = MINUTE_MS }: { maxBuckets?: number; periodMs?: number } = {},
): Limiter {
  // The cache reserves memory for all buckets.
  if (capacity === 0) return () => 0;
  const buckets = new LRUCache<string, number>({ max: maxBuckets });

  return (...names) => {
    const now = nowMs();
    const taken = names.map((name, level) => takeOne(buckets.get(name), capacity * WIDER_ALLOWANCE ** level, now, periodMs));
    const waitMs = Math.max(...taken.map((one) => one.waitMs));
    if (waitMs === 0) names.forEach((name, level) => buckets.set(name, taken[level]!.fullAtMs));
    return waitMs;
  };
}

/** Prefix lengths that providers assign to a home or machine, to a customer, and to a company. */
const IPV6_PREFIXES = [64, 56, 48];

/**
 * Returns the networks that limits count a request by, the narrowest first: an IPv4 address, or the /64, /56 and /48 of an IPv6
 * address, whose owner can use any address in them.
 */
export function clientNetworks({ state }: Pick<Context, 'state'>): string[] {
  return networksOf(state.clientAddress ?? '');
}

/** Sets the client's address, as `clientAddress` returns it. */
export function setClientAddress(trustProxy: boolean): Middleware {
  return (ctx, next) => {
    ctx.state.clientAddress = clientAddress(ctx.req, trustProxy);
    return next();
  };
}

interface ClientRequest {
  headers: IncomingMessage['headers'];
  socket: { remoteAddress?: string | undefined };
}

/**
 * Returns the IP address of the client without a zone, or undefined if it is unknown. An IPv4 address that is mapped to IPv6 is
 * returned as IPv4.
 *
 * @param trustProxy - All requests are sent by the operator's proxy, which appends the client to `X-Forwarded-For`. Earlier values are
 *   not trusted.
 */
export function clientAddress({ headers, socket }: ClientRequest, trustProxy: boolean): string | undefined {
  const forwarded = trustProxy ? String(headers['x-forwarded-for'] ?? '') : '';
  const last = forwarded.slice(forwarded.lastIndexOf(',') + 1).trim();
  for (const each of [withoutPort(last), socket.remoteAddress ?? '']) {
    // A zone is the name of an interface, which can be any text (RFC 4007, 11).
    const [address = ''] = each.split('%');
    if (isIPv4(address)) return address;
    if (isIP(address) !== 0 && ipaddr.isValid(address)) return ipaddr.process(address).toString();
  }
  return undefined;
}

/** Returns the networks of an address, which is empty if it is unknown. */
export function networksOf(address: string): string[] {
  if (address === '') return ['unknown'];
  if (isIPv4(address)) return [address];
  const ip = ipaddr.IPv6.parse(address);
  return IPV6_PREFIXES.map((bits) => `${ipaddr.IPv6.networkAddressFromCIDR(`${ip.toString()}/${bits}`).toString()}/${bits}`);
}

/** Removes the port that some proxies add: `192.0.2.1:50000`, `[2001:db8::1]:50000`. */
function withoutPort(address: string): string {
  return /^\[(.*)\](?::\d+)?$/.exec(address)?.[1] ?? /^([\d.]+):\d+$/.exec(address)?.[1] ?? address;
}
