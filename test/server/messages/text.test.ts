import { afterAll, describe, expect, it } from 'vitest';
import { telOf } from '../../../server/messages/addresses.ts';
import { createTextSender } from '../../../server/messages/messages.ts';
import { startReceiver, status } from '../../support/http.ts';
import { rowWith } from './row.ts';

const senders: { close(): Promise<void> }[] = [];
afterAll(() => Promise.all(senders.map((sender) => sender.close())));

function createSender(url: string, timeoutMs = 20_000) {
  const sender = createTextSender({ url, from: '+15550100199', timeoutMs });
  senders.push(sender);
  return sender.send;
}
const text = 'Acme & Söhne: continue at https://pay.example/c/1?a=b+c';
const row = rowWith({ channel: 'text', url: telOf('5550100100'), body: JSON.stringify({ text }) });

describe('An outgoing text', () => {
  it('is a form with recipient, sender and text', async () => {
    const service = await startReceiver(status(201));

    expect(await createSender(service.url)(row)).toEqual({ statusCode: 201, failure: '' });

    expect(service.received[0]).toMatchObject({
      method: 'POST',
      url: '/callback',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect([...new URLSearchParams(service.received[0]!.body)]).toEqual([
      ['To', '+15550100100'],
      ['From', '+15550100199'],
      ['Body', text],
    ]);
  });

  it('sends the account and its secret in a header, not in the URL', async () => {
    const service = await startReceiver(status(201));
    const url = `${service.url.replace('//', '//AC%2F1:to%3Aken%20%F0%9F%94%91@')}?x=1`;

    await createSender(url)(row);

    const { authorization, host } = service.received[0]!.headers;
    expect(Buffer.from(authorization!.replace('Basic ', ''), 'base64').toString()).toBe('AC/1:to:ken 🔑');
    expect(host).not.toContain('AC');
    expect(service.received[0]!.url).toBe('/callback?x=1');
  });
});

describe('A text', () => {
  it.each([
    [400, true],
    [401, true],
    [404, true],
    [422, true],
    [408, false],
    [429, false],
    [301, false],
    [500, false],
    [503, false],
  ])('fails if the service responds %d (permanently: %s)', async (code, isPermanent) => {
    const redirectTarget = await startReceiver(status(201));
    const service = await startReceiver((response) => response.writeHead(code, { location: redirectTarget.url }).end('hidden'));

    const outcome = await createSender(service.url)(row);

    expect(outcome).toEqual({
      statusCode: code,
      failure: `The text service responded with ${code}`,
      isPermanent,
      retryAfterMs: undefined,
    });
    expect(redirectTarget.connections).toBe(0);
  });

  it('fails when the service hangs', async () => {
    const service = await startReceiver(() => undefined);

    expect(await createSender(service.url, 300)(row)).toEqual({ statusCode: null, failure: 'No response within 300 ms' });
  });
});
