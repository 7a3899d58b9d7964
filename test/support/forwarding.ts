/** A network between a service and its PostgreSQL server that can be cut. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { onCleanup } from './cleanup.ts';

export interface Forwarding {
  url: string;
  /** Closes all connections and rejects new ones, until `restore`. */
  cut(): void;
  restore(): void;
}

/** Forwards connections to the server of a database URL. */
export async function startForwarding(databaseUrl: string): Promise<Forwarding> {
  const { hostname, port } = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let isCut = false;
  const server = createServer((client) => {
    if (isCut) {
      client.destroy();
      return;
    }
    const upstream = connect(Number(port), hostname);
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(one);
      one.pipe(other);
      one
        .on('error', () => undefined)
        .on('close', () => {
          sockets.delete(one);
          other.destroy();
        });
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const closeAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  onCleanup(() => {
    closeAll();
    server.close();
  });
  const forwarded = new URL(databaseUrl);
  forwarded.port = String((server.address() as AddressInfo).port);
  return {
    url: forwarded.href,
    cut: () => {
      isCut = true;
      closeAll();
    },
    restore: () => void (isCut = false),
  };
}
