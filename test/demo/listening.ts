import { createServer, type RequestListener } from 'node:http';
import { onTestFinished } from 'vitest';

/** A server on a free loopback port. It is closed when the test is over, or earlier by `stop`. */
export async function listening(answer?: RequestListener) {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('A TCP server has a port');
  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });

  onTestFinished(stop);
  return { server, url: `http://127.0.0.1:${address.port}`, stop };
}
