import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** What one home or machine is given, what one customer of a provider may be given, and what one company may be given. */
const IPV6_PREFIXES = [64, 56, 48];

/**
 * The networks that limits count a request by, the narrowest first: an IPv4 address, or the /64, /56 and /48 of an IPv6 address,
 * which its owner may change within them at will.
 *
 * @param trustProxy - Whether everything comes through a proxy of one's own. It adds whom it heard at the end of
 *   `X-Forwarded-For`; what stands before that is anybody's word.
 */
export function clientNetworks(
  { headers, socket }: { headers: IncomingMessage['headers']; socket: { remoteAddress?: string | undefined } },
  trustProxy: boolean,
): string[] {
  const forwarded = trustProxy ? String(headers['x-forwarded-for'] ?? '') : '';
  const last = forwarded.slice(forwarded.lastIndexOf(',') + 1).trim();
  return networksOf(withoutPort(last)) ?? networksOf(socket.remoteAddress ?? '') ?? ['unknown'];
}

function networksOf(address: string): string[] | undefined {
  if (isIP(address) === 0) return undefined;
  const ip = ipaddr.process(address);
  if (!(ip instanceof ipaddr.IPv6)) return [ip.toString()];
  const zoneless = new ipaddr.IPv6(ip.parts);
  return IPV6_PREFIXES.map(
    (bits) => `${ipaddr.IPv6.networkAddressFromCIDR(`${zoneless.toString()}/${bits}`).toString()}/${bits}`,
  );
}

/** Some proxies add the port: `192.0.2.1:50000`, `[2001:db8::1]:50000`. */
function withoutPort(address: string): string {
  return /^\[(.*)\](?::\d+)?$/.exec(address)?.[1] ?? /^([\d.]+):\d+$/.exec(address)?.[1] ?? address;
}
