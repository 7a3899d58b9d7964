import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { exchange } from '../../support/http.ts';
import { startService } from '../../support/service.ts';
import { until } from '../../support/time.ts';

const TUNNEL = 'CONNECT shop.example:443 HTTP/1.1\r\nHost: shop.example\r\n\r\n';

const service = await startService();
const merchant = await service.createMerchant();
const port = Number(new URL(service.publicUrl).port);

describe('A connection', () => {
  const quote = (...headers: string[]): string => {
    const body = '{"customTotal":50000}';
    const basic = `Authorization: Basic ${Buffer.from(`${merchant.apiKey}:${merchant.secret}`).toString('base64')}`;
    const lines = ['POST /aslowas HTTP/1.1', 'Host: a', basic, `Content-Length: ${body.length}`, ...headers];
    return `${lines.join('\r\n')}\r\n\r\n${body}`;
  };
  /** Sends bytes and resets the connection, at once or when the response begins. */
  const sendAndReset = (bytes: string, when: 'at once' | 'during response' = 'at once'): Promise<void> =>
    new Promise((resolve) => {
      const reset = () => void socket.resetAndDestroy();
      const socket = connect(port, '127.0.0.1', () => {
        socket.write(bytes, when === 'at once' ? reset : undefined);
      });
      if (when === 'during response') socket.once('data', reset);
      socket.on('close', () => resolve());
    });

  it('receives the response of a request before that of a tunnel sent with it', async () => {
    const { responses } = await exchange(port, quote() + TUNNEL, { count: 2 });
    expect(responses.map(({ status }) => status)).toEqual([200, 405]);
  });

  it.each([
    ['a request that closes it', () => quote('Connection: close') + TUNNEL],
    ['bytes that are not HTTP', () => `x\r\n\r\n${TUNNEL}`],
    ['another tunnel', () => TUNNEL + TUNNEL],
  ])('does not stop the service by a tunnel after %s', async (_title, bytes) => {
    await exchange(port, bytes());
    expect(await merchant.post('/aslowas', { customTotal: 50_000 })).toMatchObject({ status: 200 });
  });

  it('does not stop the service, and is not logged as an error, if the client resets it', async () => {
    const loggedBefore = service.logged.length;
    for (let round = 0; round < 20; round += 1) {
      const large = 'GET /openapi.json HTTP/1.1\r\nHost: a\r\n\r\n';
      const resets = [TUNNEL, quote() + TUNNEL, quote(), large].map((bytes) => sendAndReset(bytes));
      await Promise.all([...resets, sendAndReset(large, 'during response')]);
    }
    await until(() => service.logged.slice(loggedBefore).some((line) => line.includes('/openapi.json')));
    expect(await merchant.post('/aslowas', { customTotal: 50_000 })).toMatchObject({ status: 200 });
    expect(service.logged.slice(loggedBefore).filter((line) => /"level":[56]0/.test(line))).toEqual([]);
  });
});
