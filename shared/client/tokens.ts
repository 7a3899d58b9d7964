import { object, pattern, string } from 'superstruct';
import { basicAuthorization, serviceAddress } from './address.ts';
import { makeCall } from './call.ts';
import { ownPlatform } from './platform.ts';
import { platformRefusal } from './refusals.ts';
import { patienceOf, type KeyPair, type ServiceOptions, without } from './send.ts';

/** A token, or what gives one: it is asked for the first call, and again after a 401. */
export type GivenToken = string | (() => string | Promise<string>);

/** Where tokens come from. */
export interface Tokens {
  /** The token of this moment. @param signal - Gives up waiting for it; others may wait on. */
  current(signal: AbortSignal | undefined): Promise<string>;
  /** Returns a new token after `refused` was rejected with 401; the same one if there is no other. */
  after(refused: string, signal: AbortSignal | undefined): Promise<string>;
  /** Takes out of a text what must not be seen. */
  clean(text: string): string;
}

const WORD = /^[\x21-\x7e]+$/;

/** What answers a key pair, as far as it can be sent. */
const TokenAnswer = object({ token: pattern(string(), WORD) });

/** How long before its end a token is not used any more: a call may be under way by then. */
const MARGIN_MS = 60_000;

/** Tokens that somebody else gives. @throws TypeError - a text that can be none. */
export function tokensGiven(given: GivenToken, now: () => number): Tokens {
  if (typeof given === 'function') return keptTokens(async () => ({ token: wordOf(await given()), untilMs: undefined }), now, []);
  const token = wordOf(given);
  return { current: () => Promise.resolve(token), after: () => Promise.resolve(token), clean: without([token]) };
}

/** Tokens that the service gives for a key pair. @throws TypeError | RangeError - options that cannot be used. */
export function tokensFor(options: ServiceOptions & KeyPair): Tokens {
  const { serviceUrl, apiKey, secret } = options;
  const url = `${serviceAddress(serviceUrl)}/api/auth/service/authorize`;
  const authorization = basicAuthorization(apiKey, secret);
  const patience = patienceOf(options);
  const platform = { ...ownPlatform, ...options.platform };
  const secrets = [secret, authorization.slice('Basic '.length)];

  const fetchToken = async (): Promise<Kept> => {
    const exchange = { method: 'POST', url, headers: { authorization, accept: 'application/json' }, body: undefined };
    // Nothing but a token comes of it: it needs no key to be made again.
    const call = { ...exchange, name: 'authorize', answer: TokenAnswer, refusal: platformRefusal, idempotencyKey: undefined };
    const askedMs = platform.now();
    const { token } = await makeCall({ ...call, signal: undefined }, patience, platform, without(secrets));
    const lifeMs = lifeOf(token);
    return { token, untilMs: lifeMs === undefined ? undefined : askedMs + lifeMs - Math.min(MARGIN_MS, lifeMs / 2) };
  };
  return keptTokens(fetchToken, platform.now, secrets);
}

interface Kept {
  token: string;
  /** By this machine's clock; undefined for as long as it is taken. */
  untilMs: number | undefined;
}

/** Each token is fetched once for all who ask meanwhile; a failure is forgotten with them. */
function keptTokens(fetchToken: () => Promise<Kept>, now: () => number, secrets: readonly string[]): Tokens {
  let kept: Kept | undefined;
  let coming: Promise<string> | undefined;
  const next = (): Promise<string> => {
    coming ??= fetchToken()
      .then((fetched) => (kept = fetched).token)
      .finally(() => (coming = undefined));
    return coming;
  };
  const isUsable = ({ untilMs }: Kept) => untilMs === undefined || now() < untilMs;
  const current = () => (kept && isUsable(kept) ? Promise.resolve(kept.token) : next());
  return {
    current: (signal) => unlessAborted(current, signal),
    after: (refused, signal) => {
      if (kept?.token === refused) kept = undefined;
      return unlessAborted(current, signal);
    },
    clean: (text) => without(kept ? [...secrets, kept.token] : secrets)(text),
  };
}

/** Returns the lifetime of the token, independent of either machine's clock; undefined if it is not a JWT. */
function lifeOf(token: string): number | undefined {
  try {
    const payload = token.split('.')[1]!.replaceAll('-', '+').replaceAll('_', '/');
    const { iat, exp } = JSON.parse(atob(payload)) as { iat?: unknown; exp?: unknown };
    return typeof iat === 'number' && typeof exp === 'number' ? (exp - iat) * 1_000 : undefined;
  } catch {
    return undefined;
  }
}

function wordOf(token: unknown): string {
  if (typeof token === 'string' && WORD.test(token)) return token;
  throw new TypeError('Expected token to be a word of ASCII characters, without "Bearer"');
}

/** Returns the result of `get`, or throws the reason of `signal`. Aborting does not cancel `get` for other callers. */
async function unlessAborted<T>(get: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return get();
  signal.throwIfAborted();
  let giveUp!: () => void;
  const aborted = new Promise<never>((_, reject) => {
    giveUp = () => reject(signal.reason as Error);
    signal.addEventListener('abort', giveUp, { once: true });
  });
  return Promise.race([get(), aborted]).finally(() => signal.removeEventListener('abort', giveUp));
}
