import { object, pattern, string } from 'superstruct';
import {
  basicAuthorization,
  createConnection,
  type KeyPair,
  type Redact,
  redacting,
  redactingKeyPair,
  requireToken,
  type ServiceOptions,
  TOKEN,
} from './options.ts';
import { parsePlatformError } from './outcomes.ts';
import { sendWithRetries } from './request.ts';

/** A token, or a function that returns one. The function is called before the first call, and again after a 401. */
export type TokenSource = string | (() => string | Promise<string>);

/** Provides bearer tokens. */
export interface Tokens {
  /** Returns a valid token. Aborting `signal` rejects this call, but does not cancel a request that other calls share. */
  current(signal: AbortSignal | undefined): Promise<string>;
  /** Returns a new token after `rejected` received a 401, or the same one if there is no other. */
  replace(rejected: string, signal: AbortSignal | undefined): Promise<string>;
  /** Removes tokens and secrets from text. */
  redact: Redact;
}

/** Uses the caller's tokens. @throws TypeError if the token is invalid. */
export function tokensFrom(source: TokenSource, now: () => number): Tokens {
  if (typeof source === 'function') {
    return cachedTokens(
      async () => ({ token: requireBearer(await source()), expiresAtMs: Infinity }),
      now,
      (text) => text,
    );
  }
  const token = requireBearer(source);
  return { current: () => Promise.resolve(token), replace: () => Promise.resolve(token), redact: redacting([token]) };
}

function requireBearer(token: unknown): string {
  return requireToken('token (without "Bearer")', token);
}

const TokenResponse = object({ token: pattern(string(), TOKEN) });

/** A token is renewed this long before it expires, but not before half of its lifetime, so that it remains valid during a call. */
const MARGIN_MS = 60_000;

/** Requests tokens from the service with a key pair. @throws TypeError | RangeError if an option is invalid. */
export function tokensForKeyPair(options: ServiceOptions & KeyPair): Tokens {
  const connection = createConnection(options);
  const authorization = basicAuthorization(options);
  const redact = redactingKeyPair(options);

  const fetchToken = async (): Promise<CachedToken> => {
    const url = `${connection.baseUrl}/api/auth/service/authorize`;
    const http = { method: 'POST', url, headers: { authorization, accept: 'application/json' } };
    // The request has no effect other than the token, so it needs no idempotency key.
    const request = { ...http, operation: 'authorize', response: TokenResponse, parseError: parsePlatformError };
    const requestedAtMs = connection.runtime.now();
    const { value } = await sendWithRetries(request, connection, redact);
    const { token } = value;
    const lifetimeMs = lifetimeMsOf(token);
    return { token, expiresAtMs: requestedAtMs + lifetimeMs - Math.min(MARGIN_MS, lifetimeMs / 2) };
  };
  return cachedTokens(fetchToken, connection.runtime.now, redact);
}

interface CachedToken {
  token: string;
  /** By this machine's clock. Infinity for a token that is used until it is rejected. */
  expiresAtMs: number;
}

/** Fetches each token once for all concurrent calls. A failure is not cached. */
function cachedTokens(fetchToken: () => Promise<CachedToken>, now: () => number, redact: Redact): Tokens {
  let cached: CachedToken | undefined;
  let pending: Promise<string> | undefined;
  const fetchOnce = (): Promise<string> => {
    pending ??= fetchToken()
      .then((fetched) => (cached = fetched).token)
      .finally(() => (pending = undefined));
    return pending;
  };
  const current = () => (cached && now() < cached.expiresAtMs ? Promise.resolve(cached.token) : fetchOnce());
  return {
    current: (signal) => abortable(current, signal),
    replace: (rejected, signal) => {
      if (cached?.token === rejected) cached = undefined;
      return abortable(current, signal);
    },
    redact: (text) => redact(cached ? redacting([cached.token])(text) : text),
  };
}

/** Returns the lifetime of a JWT, independent of either machine's clock. Infinity if the token is not a JWT: it is used until a 401. */
function lifetimeMsOf(token: string): number {
  try {
    const payload = token.split('.')[1]!.replaceAll('-', '+').replaceAll('_', '/');
    const { iat, exp } = JSON.parse(atob(payload));
    return typeof iat === 'number' && typeof exp === 'number' ? (exp - iat) * 1_000 : Infinity;
  } catch {
    return Infinity;
  }
}

/** Returns the result of `get`, or rejects with the reason of `signal`. Aborting does not cancel `get` for other callers. */
async function abortable<T>(get: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return get();
  signal.throwIfAborted();
  let abort!: () => void;
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
  });
  return Promise.race([get(), aborted]).finally(() => signal.removeEventListener('abort', abort));
}
