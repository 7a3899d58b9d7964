import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { ConnectionLimits } from '../config/config.ts';
import { clientNetworks } from './client-address.ts';
import { WIDER_ALLOWANCE } from './rate-limit.ts';

/**
 * Closes connections that are more than a server may have open, in total or from one client's address, before anything is read of
 * them. Networks of IPv6 are counted as for rate limits.
 *
 * @param trustProxy - All connections come from a proxy of one's own: those of one address have no limit.
 * @param onClosed - Called for each, with the limit that it was over.
 */
export function limitConnections(
  server: Server,
  { total, perAddress }: ConnectionLimits,
  trustProxy: boolean,
  onClosed: (limit: keyof ConnectionLimits) => void,
): void {
  if (total > 0) server.maxConnections = total;
  server.on('drop', () => onClosed('total'));
  if (perAddress === 0 || trustProxy) return;

  /** Connections that are open, by network. */
  const open = new Map<string, number>();
  const add = (networks: readonly string[], difference: 1 | -1): void => {
    for (const network of networks) {
      const count = (open.get(network) ?? 0) + difference;
      if (count === 0) open.delete(network);
      else open.set(network, count);
    }
  };
  server.prependListener('connection', (socket: Socket) => {
    const networks = clientNetworks({ headers: {}, socket }, false);
    if (networks.some((network, level) => (open.get(network) ?? 0) >= perAddress * WIDER_ALLOWANCE ** level)) {
      socket.destroy();
      onClosed('perAddress');
      return;
    }
    add(networks, 1);
    socket.once('close', () => add(networks, -1));
  });
}
