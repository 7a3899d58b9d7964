import { lookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { Agent, request } from 'undici';

/** How an attempt ended: undefined when the receiver took it, or what went wrong in our words. */
export type Send = (url: string, body: string) => Promise<string | undefined>;

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
export function createSender({ allowLoopback, allowedHosts, timeoutMs }: SenderOptions): { send: Send; close(): Promise<void> } {
  const mayCall = (host: string, address: string): boolean => {
    if (allowedHosts.includes(host)) return true;
    const range = ipaddr.process(address).range();
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

  const send: Send = async (url, body) => {
    const host = new URL(url).hostname.replace(/^\[|\]$/g, '');
    if (isIP(host) && !mayCall(host, host)) return FORBIDDEN;
    try {
      const answer = await request(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'user-agent': 'Fairterm' },
        body,
        dispatcher: agent,
        signal: AbortSignal.timeout(timeoutMs),
      });
      await answer.body.dump();
      return answer.statusCode >= 200 && answer.statusCode < 300 ? undefined : `The receiver answered ${answer.statusCode}`;
    } catch (thrown) {
      return failureOf(thrown, timeoutMs);
    }
  };
  return { send, close: () => agent.destroy() };
}

const FORBIDDEN = 'The address is not on the public internet';

/** Names the kind of fault only: messages of the network stack can hold addresses and what a receiver sent. */
function failureOf(thrown: unknown, timeoutMs: number): string {
  const { name, code, message } = thrown as { name?: string; code?: string; message?: string };
  if (message === FORBIDDEN) return FORBIDDEN;
  if (name === 'TimeoutError') return `No answer within ${timeoutMs} ms`;
  return `The request failed: ${code ?? name ?? 'unknown'}`;
}
