/** Ports and addresses of this machine. */
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { networkInterfaces } from 'node:os';

/** A range below the ephemeral ports of Linux, macOS and Windows, so that no outgoing connection takes the port meanwhile. */
const FIRST_PORT = 20_000;
const END_PORT = 30_000;

/**
 * Returns a random loopback port that no process listens on, for programs that need a fixed port.
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

/** A non-loopback address of this machine, if it has one. IPv4, because link-local IPv6 addresses need a zone. */
export const outwardAddress = Object.values(networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  .find(({ family, internal }) => family === 'IPv4' && !internal)?.address;
