import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * A loopback port that nobody listens on, for programs that must be told theirs. The system gives the same one out again late.
 *
 * @returns {Promise<number>}
 */
export async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}
