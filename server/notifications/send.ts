import { lookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { Agent, request } from 'undici';
import { withoutUserinfo } from './addresses.ts';
import { type Outcome, outcomeOf, outcomeOfFault } from './outcome.ts';

/** Posts JSON to an address. Answers how that ended, and never throws. */
export type Post = (url: string, body: string, headers: Record<string, string>) => Promise<Outcome>;

export interface SenderOptions {
  /** Whether receivers on this very machine may be called, as in a sandbox that only this machine reaches. */
  allowLoopback: boolean;
  /** Host names that may lead to private addresses. */
  allowedHosts: readonly string[];
  /** For one attempt, from looking up the name to the end of the answer. */
  timeoutMs: number;
}

/**
 * Posts JSON to addresses that merchants chose. Never to a private one: the address is checked when the connection is
 * made, so that a name which leads elsewhere the second time is caught too. Redirects are not followed.
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
    const { address, headers: userinfo } = withoutUserinfo(url);
    const host = address.hostname.replace(/^\[|\]$/g, '');
    // Nothing will make it another address; a name may lead elsewhere tomorrow.
    if (isIP(host) && !mayCall(host, host)) return { statusCode: null, failure: FORBIDDEN, isFinal: true };
    try {
      const answer = await request(address, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'user-agent': 'Fairterm', ...userinfo, ...headers },
        body,
        dispatcher: agent,
        signal: AbortSignal.timeout(timeoutMs),
      });
      await answer.body.dump();
      return outcomeOf(answer, 'The receiver', (statusCode) => statusCode === GONE, Date.now());
    } catch (thrown) {
      if ((thrown as Error).message === FORBIDDEN) return { statusCode: null, failure: FORBIDDEN };
      return outcomeOfFault(thrown, timeoutMs);
    }
  };
  return { send, close: () => agent.destroy() };
}

const FORBIDDEN = 'The address is not on the public internet';

/** The one status by which a receiver says that it wants nothing more. */
const GONE = 410;

/** An old way to write IPv4 addresses, which some stacks still follow: `::7f00:1` for 127.0.0.1. */
const IPV4_COMPATIBLE = ipaddr.parseCIDR('::/96') as [ipaddr.IPv6, number];

function rangeOf(address: string): string {
  const parsed = ipaddr.process(address);
  const range = parsed.range();
  return range === 'unicast' && parsed instanceof ipaddr.IPv6 && parsed.match(IPV4_COMPATIBLE) ? 'ipv4Compatible' : range;
}
