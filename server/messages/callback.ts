import { messageOf } from '../base/errors.ts';
import { lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { Agent, request } from 'undici';
import { signWebhook } from '../../shared/webhooks.ts';
import type { Database } from '../db/database.ts';
import { activeCallbackSecrets } from '../merchants/store.ts';
import { type Clock, epochMs } from '../base/time.ts';
import { splitUserinfo } from './addresses.ts';
import { type Outcome, outcomeOf, outcomeOfError, type Send } from './attempt.ts';
import { type CallbackRules, callbackUrlProblem, FORBIDDEN, mayConnect } from './callback-address.ts';

/** Posts JSON to a URL. Never rejects. */
export type Post = (url: string, body: string, headers: Record<string, string>) => Promise<Outcome>;

export interface SenderOptions extends CallbackRules {
  /** Timeout of one attempt, including DNS. */
  timeoutMs: number;
}

/**
 * Posts JSON to URLs of merchants, and rejects addresses that are not allowed. The addresses of a name are checked when the connection
 * is made, which then uses one of them, so that DNS rebinding cannot bypass the check. Does not follow redirects.
 */
export function createSender({ timeoutMs, ...rules }: SenderOptions): { send: Post; close(): Promise<void> } {
  const guardedLookup: LookupFunction = (host, options, callback) => {
    lookup(host, { ...options, all: true }, (error, addresses) => {
      const callable = error ? [] : addresses.filter(({ address }) => mayConnect(host, address, rules));
      const [first] = callable;
      if (error) callback(error, '', 0);
      else if (!first) callback(new Error(FORBIDDEN), '', 0);
      else if (options.all) callback(null, callable);
      else callback(null, first.address, first.family);
    });
  };
  const agent = new Agent({ connect: { lookup: guardedLookup }, maxResponseSize: 65_536, connections: 32 });

  const send: Post = async (url, body, headers) => {
    // A URL never changes. A name may resolve to an allowed address later.
    const problem = callbackUrlProblem(url, rules);
    if (problem) return { statusCode: null, failure: problem.failure, isPermanent: true };
    const { address, headers: userinfo } = splitUserinfo(url);
    try {
      const response = await request(address, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'user-agent': 'Fairterm', ...userinfo, ...headers },
        body,
        dispatcher: agent,
        signal: AbortSignal.timeout(timeoutMs),
      });
      await response.body.dump();
      return outcomeOf(response, 'The receiver', (statusCode) => statusCode === GONE, Date.now());
    } catch (thrown) {
      if (messageOf(thrown) === FORBIDDEN) return { statusCode: null, failure: FORBIDDEN };
      return outcomeOfError(thrown, timeoutMs);
    }
  };
  return { send, close: () => agent.destroy() };
}

/** The receiver accepts no more callbacks. */
const GONE = 410;

/** Sends callbacks. Signs each attempt with the merchant's current secrets. */
export function callbackSender({ query }: Database, clock: Clock, post: Post): Send {
  return async ({ id, merchantId, url, body }) => {
    const secrets = await activeCallbackSecrets(query, merchantId);
    // An unsigned callback would train its receiver to accept forged ones.
    if (secrets.length === 0) return { statusCode: null, failure: 'The merchant has no secret to sign the callback with' };
    const atSeconds = Math.floor(epochMs(clock.now()) / 1000);
    const headers = await signWebhook(
      id,
      atSeconds,
      body,
      secrets.map(({ secret }) => secret),
    );
    return post(url, body, headers);
  };
}
