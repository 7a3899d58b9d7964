import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Listening {
  server: Server;
  port: number;
  /** By its address; a name for it is `http://localhost:<port>`. */
  url: string;
  /** Closes it, with whatever connections it has. */
  stop(): Promise<void>;
}

/** A server on a free loopback port. Whoever asks for one stops it. */
export async function listen(answer?: RequestListener): Promise<Listening> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { server, port, url: `http://127.0.0.1:${port}`, stop };
}
