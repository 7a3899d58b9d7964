import type { Struct } from 'superstruct';
import { basicAuthorization, pathOf, serviceAddress } from './address.ts';
import { makeCall, type Patience } from './call.ts';
import { ownPlatform, type Platform } from './platform.ts';
import { merchantRefusal } from './refusals.ts';

/** Where the service is, and how long it is waited for. */
export interface ServiceOptions {
  /** Where the service is, for example `https://financing.example`. Plain http is for this very machine only. */
  serviceUrl: string;
  /** How often a call is tried; 4 by default. Waiting for an earlier attempt that is still being answered is not counted. */
  attempts?: number;
  /** How long one attempt may take; 10 seconds by default. */
  attemptTimeoutMs?: number;
  /**
   * Total timeout of a call, including all attempts and waits; 45 seconds by default. After a crash, the service locks the key of
   * a call for 30 seconds, so a longer timeout lets the call return its outcome.
   */
  totalTimeoutMs?: number;
  /** Another network, clock or chance than this machine's own. */
  platform?: Partial<Platform>;
}

export interface KeyPair {
  /** The public half of the key pair, `ft_…_key_…`. */
  apiKey: string;
  /** The other half, `ft_…_secret_…`. It belongs on a server, never into a page. */
  secret: string;
}

export interface FairtermOptions extends ServiceOptions, KeyPair {}

/** Options of every call. */
export interface ReadOptions {
  /**
   * Gives the call up: it rejects with the signal's reason. What came of a writing call is not known then; only with a key
   * of your own can it be made again.
   */
  signal?: AbortSignal | undefined;
}

/** Options of every call that changes something. */
export interface WriteOptions extends ReadOptions {
  /**
   * Whatever is sent twice with one key happens once. Give one that you keep when the call may be made again after your
   * own server was restarted; by default it is a new one for each call, kept over the call's attempts.
   */
  idempotencyKey?: string | undefined;
}

/** One operation of the merchant API. */
export interface Operation<T> {
  /** For messages: `carts.create`. */
  name: string;
  method: 'GET' | 'POST' | 'PUT';
  /** What the path consists of, unescaped. */
  path: readonly string[];
  body?: object;
  /** What answers; without it nothing is read. */
  answer?: Struct<T>;
}

export type Send = <T>(operation: Operation<T>, options?: WriteOptions) => Promise<T>;

/** @throws TypeError | RangeError - options that cannot be used; the message repeats none of the secrets. */
export function createSend(options: FairtermOptions): Send {
  const { serviceUrl, apiKey, secret } = options;
  const address = serviceAddress(serviceUrl);
  const authorization = basicAuthorization(apiKey, secret);
  const patience = patienceOf(options);
  const platform = { ...ownPlatform, ...options.platform };
  const secrets = [secret, authorization.slice('Basic '.length)];
  const clean = without(secrets);

  return async ({ name, method, path, body, answer }, { signal, idempotencyKey } = {}) => {
    const key = method === 'GET' ? undefined : (idempotencyKey ?? platform.newKey());
    if (key !== undefined && !/^[\x21-\x7e]{1,255}$/.test(key)) {
      throw new TypeError('Expected idempotencyKey to be a word of 1 to 255 ASCII characters');
    }
    const headers: Record<string, string> = { authorization, accept: 'application/json' };
    if (body) headers['content-type'] = 'application/json';
    if (key) headers['idempotency-key'] = key;
    const request = { method, url: address + pathOf(path), headers, body: body && toJson(body) };
    const refusal = merchantRefusal;
    return makeCall({ ...request, name, answer, refusal, idempotencyKey: key, signal }, patience, platform, clean);
  };
}

/** Takes `secrets` out of a text. */
export function without(secrets: readonly string[]): (text: string) => string {
  return (text) => secrets.reduce((rest, word) => rest.replaceAll(word, '[secret]'), text);
}

/** @throws RangeError */
export function patienceOf({ attempts = 4, attemptTimeoutMs = 10_000, totalTimeoutMs = 45_000 }: ServiceOptions): Patience {
  const patience = { attempts, attemptTimeoutMs, totalTimeoutMs };
  for (const [name, value] of Object.entries(patience)) {
    if (!(Number.isInteger(value) && value >= 1)) throw new RangeError(`Expected ${name} to be a whole number of at least 1`);
  }
  return patience;
}

/** @throws TypeError - a number that JSON would turn into null, which the service takes for a field that was left out. */
function toJson(body: object): string {
  return JSON.stringify(body, (field, value: unknown) => {
    if (typeof value !== 'number' || Number.isFinite(value)) return value;
    throw new TypeError(`Expected ${field} to be a number, but received ${value}`);
  });
}
