import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** As much of an IPv6 address as belongs to one home or one machine, which may change the rest at will. */
const IPV6_BITS = 64;

/**
 * Who a request comes from, as far as limits tell people apart: an IPv4 address, or the first half of one of IPv6.
 *
 * @param trustProxy - Whether everything comes through a proxy of one's own. It adds whom it heard at the end of
 *   `X-Forwarded-For`; what stands before that is anybody's word.
 */
export function clientOf(
  { headers, socket }: { headers: IncomingMessage['headers']; socket: { remoteAddress?: string | undefined } },
  trustProxy: boolean,
): string {
  const forwarded = trustProxy ? String(headers['x-forwarded-for'] ?? '') : '';
  const last = forwarded.slice(forwarded.lastIndexOf(',') + 1).trim();
  return networkOf(withoutPort(last)) ?? networkOf(socket.remoteAddress ?? '') ?? 'unknown';
}

function networkOf(address: string): string | undefined {
  if (isIP(address) === 0) return undefined;
  const ip = ipaddr.process(address);
  if (!(ip instanceof ipaddr.IPv6)) return ip.toString();
  return `${ip.parts
    .slice(0, IPV6_BITS / 16)
    .map((part) => part.toString(16))
    .join(':')}::/${IPV6_BITS}`;
}

/** Some proxies say from which port, too: `192.0.2.1:50000`, `[2001:db8::1]:50000`. */
function withoutPort(address: string): string {
  return /^\[(.*)\](?::\d+)?$/.exec(address)?.[1] ?? /^([\d.]+):\d+$/.exec(address)?.[1] ?? address;
}
