import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { ConnectionLimits } from '../config/config.ts';
import { WIDER_ALLOWANCE } from '../limits/attempts.ts';
import { clientNetworks, truncatedNetwork } from './rate-limit.ts';

/** Maximum part of all connections that one network may have. */
const NETWORK_SHARE = 0.25;

/** Part of all connections that is reserved for networks that use less than this part of their limit. */
const RESERVE = 0.1;

/** An open connection. */
interface Connection {
  key: string;
  socket: Socket;
  groups: Group[];
  requestsInProgress: number;
  isOpen: boolean;
}

/** Open connections of a network, or of all clients. */
interface Group {
  name: string;
  limit: keyof ConnectionLimits;
  max: number;
  open: number;
  /** Those without a request in progress, the longest idle first. */
  idle: Set<Connection>;
}

/**
 * Limits open connections, in total and by client network. A connection above a limit replaces the longest idle one of that network, or
 * of all. If none is idle, it is closed before reading from it.
 *
 * IPv6 networks count as in rate limits, and IPv4 addresses also by their /24. No network may have more than a quarter of all
 * connections, and the last tenth is reserved for networks that use less than a tenth of their limit.
 *
 * @param trustProxy - All connections are those of the operator's proxy, so only the total is limited.
 * @param onClosed - Called with the exceeded limit for each closed connection.
 */
export function limitConnections(
  server: Server,
  { total, perAddress }: ConnectionLimits,
  trustProxy: boolean,
  onClosed: (limit: keyof ConnectionLimits) => void,
): void {
  const newGroup = (name: string, limit: keyof ConnectionLimits, max: number): Group => {
    return { name, limit, max, open: 0, idle: new Set() };
  };
  const all = newGroup('all', 'total', total === 0 ? Infinity : total);
  const networks = new Map<string, Group>();
  /** The latest connection with each key. */
  const connections = new Map<string, Connection>();

  const groupsOf = (socket: Socket): Group[] => {
    if (perAddress === 0 || trustProxy) return [all];
    const client = clientNetworks({ headers: {}, socket }, false);
    const names = client.length > 1 ? client : [...client, truncatedNetwork(client)];
    const maxOfAny = Math.max(1, Math.floor(all.max * NETWORK_SHARE));
    const groups = names.map((name, level) => {
      return networks.get(name) ?? newGroup(name, 'perAddress', Math.min(maxOfAny, perAddress * WIDER_ALLOWANCE ** level));
    });
    return [...groups, all];
  };

  const isFull = (group: Group): boolean => {
    const isReserved = group !== all && all.open >= Math.ceil(all.max * (1 - RESERVE));
    return group.open >= (isReserved ? Math.ceil(group.max * RESERVE) : group.max);
  };

  const remove = (connection: Connection): void => {
    if (!connection.isOpen) return;
    connection.isOpen = false;
    if (connections.get(connection.key) === connection) connections.delete(connection.key);
    for (const group of connection.groups) {
      group.open -= 1;
      group.idle.delete(connection);
      if (group.open === 0) networks.delete(group.name);
    }
  };

  server.prependListener('connection', (socket: Socket) => {
    const groups = groupsOf(socket);
    for (const group of groups) {
      if (!isFull(group)) continue;
      onClosed(group.limit);
      const [longestIdle] = group.idle;
      if (!longestIdle) {
        socket.destroy();
        return;
      }
      remove(longestIdle);
      longestIdle.socket.destroy();
    }
    const connection: Connection = { key: keyOf(socket), socket, groups, requestsInProgress: 0, isOpen: true };
    connections.set(connection.key, connection);
    for (const group of groups) {
      if (group !== all) networks.set(group.name, group);
      group.open += 1;
      group.idle.add(connection);
    }
    socket.once('close', () => remove(connection));
  });

  const onRequest = ({ socket }: IncomingMessage, response: ServerResponse): void => {
    // Found by its addresses, because the socket of a request over TLS is not that of the connection.
    const connection = connections.get(keyOf(socket));
    if (!connection) return;
    connection.requestsInProgress += 1;
    for (const { idle } of connection.groups) idle.delete(connection);
    response.once('close', () => {
      connection.requestsInProgress -= 1;
      if (!connection.isOpen || connection.requestsInProgress > 0) return;
      for (const { idle } of connection.groups) idle.add(connection);
    });
  };
  server.on('request', onRequest);
  server.on('checkContinue', onRequest);
}

/**
 * Returns the addresses of a connection, which no other connection to this process has, except one whose client has reset it and which
 * the service has not read from since.
 */
function keyOf({ remoteAddress, remotePort, localAddress }: Socket): string {
  return `${remoteAddress} ${remotePort} ${localAddress}`;
}
