/** Ports and addresses of this machine. */
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { networkInterfaces } from 'node:os';

/** Below the ports that Linux, macOS and Windows give to outgoing connections, any of which could otherwise take it meanwhile. */
const [FIRST_PORT, END_PORT] = [20_000, 30_000];

/**
 * Returns a random loopback port that no process listens on, for programs that must be given one.
 *
 * @returns {Promise<number>}
 */
export async function freePort() {
  for (;;) {
    const port = randomInt(FIRST_PORT, END_PORT);
    if (await canListen(port)) return port;
  }
}

/** @param {number} port */
async function canListen(port) {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch {
    return false;
  }
  server.close();
  await once(server, 'close');
  return true;
}

/** An address of this machine that others may call, if it has one. IPv4, because link-local IPv6 needs its interface named. */
export const outwardAddress = Object.values(networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  .find(({ family, internal }) => family === 'IPv4' && !internal)?.address;
