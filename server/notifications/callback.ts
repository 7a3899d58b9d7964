import ipaddr from 'ipaddr.js';
import { lookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { Agent, request } from 'undici';
import { signWebhook } from '../../shared/webhooks.ts';
import type { Database } from '../db/database.ts';
import { activeCallbackSecrets } from '../merchants/store.ts';
import { type Clock, epochMs } from '../time.ts';
import { splitUserinfo } from './addresses.ts';
import { type Outcome, outcomeOf, outcomeOfError, type Send } from './attempt.ts';

/** Posts JSON to a URL. Never rejects. */
export type Post = (url: string, body: string, headers: Record<string, string>) => Promise<Outcome>;

export interface SenderOptions {
  /** Allows receivers on this machine, for a sandbox that only this machine can reach. */
  allowLoopback: boolean;
  /** Host names that may resolve to private addresses. */
  allowedHosts: readonly string[];
  /** Timeout of one attempt, including DNS. */
  timeoutMs: number;
}

/**
 * Posts JSON to URLs of merchants, and rejects private addresses. The check runs when the connection is made, so that DNS rebinding
 * cannot bypass it. Does not follow redirects.
 */
export function createSender({ allowLoopback, allowedHosts, timeoutMs }: SenderOptions): { send: Post; close(): Promise<void> } {
  const mayCall = (host: string, address: string): boolean => {
    if (allowedHosts.includes(host)) return true;
    const range = rangeOf(address);
    return range === 'unicast' || (allowLoopback && range === 'loopback');
  };

  const guardedLookup: LookupFunction = (host, options, callback) => {
    lookup(host, { ...options, all: true }, (error, addresses) => {
      const callable = error ? [] : addresses.filter(({ address }) => mayCall(host, address));
      const [first] = callable;
      if (error) callback(error, '', 0);
      else if (!first) callback(new Error(FORBIDDEN), '', 0);
      else if (options.all) callback(null, callable);
      else callback(null, first.address, first.family);
    });
  };
  const agent = new Agent({ connect: { lookup: guardedLookup }, maxResponseSize: 65_536, connections: 32 });

  const send: Post = async (url, body, headers) => {
    const { address, headers: userinfo } = splitUserinfo(url);
    const host = address.hostname.replace(/^\[|\]$/g, '');
    // An IP address never changes. A name may resolve to a public address later.
    if (isIP(host) && !mayCall(host, host)) return { statusCode: null, failure: FORBIDDEN, isPermanent: true };
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
      if ((thrown as Error).message === FORBIDDEN) return { statusCode: null, failure: FORBIDDEN };
      return outcomeOfError(thrown, timeoutMs);
    }
  };
  return { send, close: () => agent.destroy() };
}

const FORBIDDEN = 'The address is not on the public internet';

/** The receiver accepts no more callbacks. */
const GONE = 410;

/** Deprecated notation of IPv4 addresses that some network stacks still accept: `::7f00:1` for 127.0.0.1. */
const IPV4_COMPATIBLE = ipaddr.parseCIDR('::/96') as [ipaddr.IPv6, number];

function rangeOf(address: string): string {
  const parsed = ipaddr.process(address);
  const range = parsed.range();
  return range === 'unicast' && parsed instanceof ipaddr.IPv6 && parsed.match(IPV4_COMPATIBLE) ? 'ipv4Compatible' : range;
}

/** Sends callbacks. Signs each attempt with the merchant's current secrets. */
export function callbackSender({ query }: Database, clock: Clock, post: Post): Send {
  return async ({ id, merchant_id, url, body }) => {
    const secrets = await activeCallbackSecrets(query, merchant_id);
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
