/** The encryption of connections to PostgreSQL, which live mode requires (decisions/0015). */
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { TLSSocket } from 'node:tls';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { onCleanup } from '../../support/cleanup.ts';
import { openTestDatabase } from '../../support/databases.ts';
import { certificate } from '../../support/http.ts';
import { outwardAddress } from '../../support/network.mjs';

const certificatePair = { cert: readFileSync(certificate.certFile), key: readFileSync(certificate.keyFile) };

/** Starts a server that responds to the request for TLS with `response`, and records the received bytes. */
async function startServer(response: 'S' | 'N') {
  const received = { plain: [] as Buffer[], encrypted: [] as Buffer[] };
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', (bytes) => {
      received.plain.push(bytes);
      socket.write(response);
      if (response === 'N') {
        socket.on('data', (more) => received.plain.push(more));
        return;
      }
      const encrypted = new TLSSocket(socket, { isServer: true, ...certificatePair });
      encrypted.on('error', () => undefined);
      encrypted.on('data', (more) => {
        received.encrypted.push(more);
        encrypted.destroy();
      });
    });
  }).listen(0);
  await once(server, 'listening');
  onCleanup(() => void server.close());
  return { port: (server.address() as AddressInfo).port, received };
}

/** Returns the error code or message of the first query. */
async function errorOf(url: string): Promise<string> {
  const database = openTestDatabase(url);
  const thrown: unknown = await database.isMigrated().catch((reason: unknown) => reason);
  expect(thrown).toMatchObject({ code: 'database-unavailable' });
  const { code, message } = (thrown as Error).cause as { code?: string; message?: string };
  return code ?? message ?? 'none';
}

const verified = `sslmode=verify-full&sslrootcert=${certificate.certFile}`;

it('With sslmode=verify-full, the user name is sent only over TLS to the host of the certificate', async () => {
  const { port, received } = await startServer('S');
  await errorOf(`postgres://fairterm:hidden@localhost:${port}/shop?${verified}`);
  expect(Buffer.concat(received.encrypted).toString('latin1')).toContain('fairterm');
  expect(Buffer.concat(received.plain)).toHaveLength(8);
});

it.each([
  ['the certificate has an unknown issuer', 'S', 'localhost', 'sslmode=verify-full', /SELF_SIGNED/],
  ['the certificate is for another host', 'S', outwardAddress ?? '127.0.0.2', verified, /ERR_TLS_CERT_ALTNAME_INVALID/],
  ['the server does not support TLS', 'N', 'localhost', verified, /does not support SSL/],
] as const)('With sslmode=verify-full, no credentials are sent if %s', async (_title, response, host, parameters, failure) => {
  const { port, received } = await startServer(response);
  expect(await errorOf(`postgres://fairterm:hidden@${host}:${port}/shop?${parameters}`)).toMatch(failure);
  expect(received.encrypted).toEqual([]);
  expect(Buffer.concat(received.plain)).toHaveLength(8);
});
