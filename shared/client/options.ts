import { parseUrl } from '../url.ts';

/** The APIs that the client needs from its runtime. Node.js 20, Deno, Bun and workers provide all of them. */
export interface Runtime {
  fetch(url: string, init: RequestInit): Promise<Response>;
  /** Milliseconds since 1970. */
  now(): number;
  /** A random number from 0 to 1. */
  random(): number;
  /** A unique idempotency key. */
  newIdempotencyKey(): string;
  /** Resolves after `ms`. Rejects with the signal's reason as soon as it is aborted. */
  wait(ms: number, signal?: AbortSignal): Promise<void>;
}

export const defaultRuntime: Runtime = {
  // Looked up with each call, so that tools can replace the global later.
  fetch: (url, init) => fetch(url, init),
  now: () => Date.now(),
  random: () => Math.random(),
  newIdempotencyKey: () => crypto.randomUUID(),
  wait: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const abort = () => {
        clearTimeout(timer);
        reject(signal!.reason);
      };
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', abort);
        resolve();
      }, ms);
      signal?.addEventListener('abort', abort, { once: true });
    }),
};

/** The service, and the limits of a call. */
export interface ServiceOptions {
  /** Base URL of the service, for example `https://financing.example`. Plain HTTP is accepted for loopback addresses only. */
  serviceUrl: string;
  /** Maximum number of attempts of a call. Default: 4. Attempts that only wait for an earlier attempt are not counted. */
  attempts?: number;
  /** Timeout of one attempt. Default: 10 seconds. */
  attemptTimeoutMs?: number;
  /**
   * Total timeout of a call, including all attempts and waits. Default: 45 seconds. After a crash, the service locks the key of
   * a call for 30 seconds, so a longer timeout lets the call return its outcome.
   */
  totalTimeoutMs?: number;
  /** Replaces the network, clock, timers or randomness. */
  runtime?: Partial<Runtime>;
}

export interface KeyPair {
  /** The public key, `ft_…_key_…`. */
  apiKey: string;
  /** The secret, `ft_…_secret_…`. Use it only on a server, never in a page. */
  secret: string;
}

export interface FairtermOptions extends ServiceOptions, KeyPair {}

/** Options of every call. */
export interface ReadOptions {
  /**
   * Cancels the call, which rejects with the signal's reason. A write may have had its effect; retry it with your own idempotency
   * key.
   */
  signal?: AbortSignal | undefined;
}

/** Options of every call that changes something. */
export interface WriteOptions extends ReadOptions {
  /**
   * Requests with the same key have one effect. Store a key of your own before the call if your server may repeat it after a
   * restart. Default: a new key for each call, which all its attempts share.
   */
  idempotencyKey?: string | undefined;
}

/** Limits of a call. */
export interface Limits {
  attempts: number;
  attemptTimeoutMs: number;
  totalTimeoutMs: number;
}

/** The connection to a service: where requests are sent, and how often. */
export interface Connection {
  baseUrl: string;
  limits: Limits;
  runtime: Runtime;
}

/** @throws TypeError | RangeError if an option is invalid. */
export function createConnection(options: ServiceOptions): Connection {
  const { attempts = 4, attemptTimeoutMs = 10_000, totalTimeoutMs = 45_000 } = options;
  const limits = { attempts, attemptTimeoutMs, totalTimeoutMs };
  for (const [name, value] of Object.entries(limits)) {
    if (!(Number.isInteger(value) && value >= 1)) {
      throw new RangeError(`${name}: expected an integer from 1, but received ${value}`);
    }
  }
  return { baseUrl: baseUrlOf(options.serviceUrl), limits, runtime: { ...defaultRuntime, ...options.runtime } };
}

/**
 * Validates the URL of the service and removes trailing slashes. The URL may have a path.
 *
 * @throws TypeError if the URL is invalid, or if keys must not be sent to it. The message does not contain the URL, which may
 *   contain a password.
 */
export function baseUrlOf(serviceUrl: string): string {
  const url = parseUrl(serviceUrl);
  if (!url) throw new TypeError('serviceUrl: expected a URL such as https://financing.example');
  const { protocol, hostname, username, password, search, hash, href } = url;
  if (username !== '' || password !== '') throw new TypeError('serviceUrl: expected a URL without a user name and password');
  if (search !== '' || hash !== '') throw new TypeError('serviceUrl: expected a URL without a query and fragment');
  if (protocol !== 'https:' && !(protocol === 'http:' && isLoopback(hostname))) {
    throw new TypeError('serviceUrl: expected https, or http to a loopback address, because keys must not be sent unencrypted');
  }
  // The lookbehind keeps the search linear for a long run of slashes.
  return href.replace(/(?<!\/)\/+$/, '');
}

/** @param hostname - As in `URL`: lower case, an IPv4 address as four numbers, an IPv6 address in brackets. */
function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname.endsWith('.localhost') || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname);
}

/**
 * Returns the Authorization header of a key pair.
 *
 * @throws TypeError if the key pair is invalid or its two halves are swapped. The message contains neither.
 */
export function basicAuthorization({ apiKey, secret }: KeyPair): string {
  for (const [name, value] of Object.entries({ apiKey, secret })) requireToken(name, value);
  if (apiKey.includes(':')) throw new TypeError('apiKey: expected a key without a colon');
  if (/^ft_[a-z]+_secret_/.test(apiKey) || /^ft_[a-z]+_key_/.test(secret)) {
    throw new TypeError('apiKey, secret: expected ft_…_key_… and ft_…_secret_…, but received them swapped');
  }
  if (secret.startsWith('whsec_')) {
    throw new TypeError('secret: expected the secret of the key pair, but received a callback secret');
  }
  return `Basic ${btoa(`${apiKey}:${secret}`)}`;
}

/** Visible ASCII characters, which a header can contain. */
export const TOKEN = /^[\x21-\x7e]+$/;

/** @throws TypeError if `value` is not a string of visible ASCII characters. The message does not contain the value. */
export function requireToken(name: string, value: unknown): string {
  if (typeof value === 'string' && TOKEN.test(value)) return value;
  throw new TypeError(`${name}: expected visible ASCII characters without spaces`);
}

/** Removes secrets from text. */
export type Redact = (text: string) => string;

export function redacting(secrets: readonly string[]): Redact {
  return (text) => secrets.reduce((redacted, secret) => redacted.replaceAll(secret, '[secret]'), text);
}

/** Removes a key pair from text, also in its encoded form. */
export function redactingKeyPair(keyPair: KeyPair): Redact {
  return redacting([keyPair.secret, basicAuthorization(keyPair).slice('Basic '.length)]);
}
