import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { mayConnect } from '../../../server/messages/callback-address.ts';
import { createSender, type Post, type SenderOptions } from '../../../server/messages/callback.ts';
import { bodiesOf, startReceiver, status } from '../../support/http.ts';
import { captureTimeouts, until } from '../../support/time.ts';

const NOT_PUBLIC = 'The address is not on the public internet';
const body = '{"transactionId":"tx_1","orderRef":"O-1 東京 – Žižek 🪑"}';

const rules = { mode: 'live', allowLoopback: false, allowedHosts: [] } as const;

const senders: { close(): Promise<void> }[] = [];
afterAll(() => Promise.all(senders.map((sender) => sender.close())));
function createPost(options: Partial<SenderOptions> = {}): Post {
  const sender = createSender({ mode: 'sandbox', allowLoopback: true, allowedHosts: [], timeoutMs: 20_000, ...options });
  senders.push(sender);
  return sender.send;
}
/** Returns a function that sends a callback and returns the failure message, or '' if it was accepted. */
function createTestSender(options: Partial<SenderOptions> = {}) {
  const post = createPost(options);
  return async (url: string, content: string) => (await post(url, content, {})).failure;
}

describe('An outgoing callback', () => {
  it('is a POST request with exactly the given JSON', async () => {
    const receiver = await startReceiver(status(204));

    expect(await createTestSender()(receiver.url, body)).toBe('');

    expect(bodiesOf(receiver)).toEqual([body]);
    expect(receiver.received[0]).toMatchObject({ method: 'POST', url: '/callback' });
    expect(receiver.received[0]!.headers).toMatchObject({ 'content-type': 'application/json', 'user-agent': 'Fairterm' });
  });

  it('preserves the query of the URL', async () => {
    const receiver = await startReceiver(status(204));

    await createTestSender()(`${receiver.url}?wc-api=financing&b=%20`, body);

    expect(receiver.received[0]!.url).toBe('/callback?wc-api=financing&b=%20');
  });

  it.each([
    ['user:p%40ss', 'user:p@ss'],
    ['user', 'user:'],
    ['%C3%BCser:100%', 'üser:100%'],
  ])('sends the credentials %s of the URL as Basic authentication', async (userinfo, pair) => {
    const receiver = await startReceiver(status(204));

    expect(await createTestSender()(receiver.url.replace('//', `//${userinfo}@`), body)).toBe('');

    expect(receiver.received[0]!.headers['authorization']).toBe(`Basic ${Buffer.from(pair).toString('base64')}`);
  });

  it.each([200, 201, 202, 204, 299])('succeeds if the receiver responds with %d [CHOICE-34]', async (code) => {
    const receiver = await startReceiver(status(code));

    expect(await createTestSender()(receiver.url, body)).toBe('');
  });

  it.each([301, 302, 303, 307, 308])('fails if the receiver responds with %d, and does not follow the redirect', async (code) => {
    const redirectTarget = await startReceiver(status(204));
    const receiver = await startReceiver(status(code, { location: redirectTarget.url }));

    expect(await createTestSender()(receiver.url, body)).toBe(`The receiver responded with ${code}`);

    expect(redirectTarget.connections).toBe(0);
  });

  it('succeeds if the receiver responds with 200 and never ends the body', async () => {
    const timeouts = captureTimeouts();
    const receiver = await startReceiver((response) => void response.writeHead(200).write('<html>'));
    let hasHeaders = false;
    const onHeaders = () => (hasHeaders = true);
    subscribe('undici:request:headers', onHeaders);
    onTestFinished(() => void unsubscribe('undici:request:headers', onHeaders));

    const failure = createTestSender()(receiver.url, body);
    await until(() => hasHeaders);
    timeouts.expire();

    expect(await failure).toBe('');
  });

  it('fails if the receiver does not respond in time', async () => {
    const timeouts = captureTimeouts();
    const receiver = await startReceiver(() => undefined);

    const failure = createTestSender({ timeoutMs: 200 })(receiver.url, body);
    await until(() => receiver.received.length === 1);
    timeouts.expire();

    expect(await failure).toBe('No response within 200 ms');
    expect(timeouts.requestedMs).toEqual([200]);
    expect(bodiesOf(receiver)).toEqual([body]);
  });

  it('fails if the receiver closes the connection', async () => {
    const receiver = await startReceiver((response) => void response.destroy());

    expect(await createTestSender()(receiver.url, body)).toMatch(/^The request failed: \w+$/);
  });
});

describe('The failure message', () => {
  it.each([
    ['an unknown host name', 'http://secret-shop.invalid/callback?token=hidden'],
    ['a port without a listener', 'http://127.0.0.1:65535/callback?token=hidden'],
    ['a private address', 'http://10.1.2.3/callback?token=hidden'],
    ['TLS on a port without TLS', 'https://127.0.0.1:PORT/callback?token=hidden'],
    ['an error response', 'http://127.0.0.1:PORT/callback?token=hidden'],
    ['a user and a password', 'http://me:hidden@127.0.0.1:PORT/callback'],
  ])('contains neither URL nor body, for %s', async (_title, address) => {
    const receiver = await startReceiver((response) => void response.writeHead(500).end('hidden'));
    const url = address.replace('PORT', String(receiver.port));

    const failure = await createTestSender()(url, body);

    expect(failure).toMatch(/^(The|No) [\w: ]+$/);
    for (const secret of ['hidden', 'secret-shop', '127.0.0.1', '10.1.2.3', 'tx_1', 'O-1', String(receiver.port)]) {
      expect(failure).not.toContain(secret);
    }
  });
});

describe('An address that is not on the public internet', () => {
  it.each([
    ['http://10.0.0.1/', 'a private network'],
    ['http://172.16.0.1/', 'a private network'],
    ['http://172.31.255.255/', 'a private network'],
    ['http://192.168.1.1/', 'a private network'],
    ['http://100.64.0.1/', 'carrier-grade NAT'],
    ['http://169.254.169.254/latest/meta-data/', 'cloud metadata'],
    ['http://0.0.0.0/', 'loopback'],
    ['http://127.0.0.1/', 'loopback'],
    ['http://127.8.9.10/', 'loopback'],
    ['http://224.0.0.1/', 'multicast'],
    ['http://255.255.255.255/', 'broadcast'],
    ['http://192.0.2.1/', 'documentation'],
    ['http://[::1]/', 'loopback'],
    ['http://[::]/', 'loopback'],
    ['http://[fd00::1]/', 'a private network'],
    ['http://[fe80::1]/', 'link-local'],
    ['http://[ff02::1]/', 'multicast'],
    ['http://[::ffff:10.0.0.1]/', 'a private network, IPv4-mapped'],
    ['http://[::ffff:127.0.0.1]/', 'loopback, IPv4-mapped'],
    ['http://[::127.0.0.1]/', 'loopback, IPv4-compatible'],
    ['http://[::a9fe:a9fe]/', 'cloud metadata, IPv4-compatible'],
    ['http://[::ffff:a9fe:a9fe]/', 'cloud metadata, IPv4-mapped'],
    ['http://[64:ff9b::10.0.0.1]/', 'a private network, NAT64'],
    ['http://[2002:a00:1::]/', 'a private network, 6to4'],
    ['http://2130706433/', 'loopback, as one number'],
    ['http://0x7f000001/', 'loopback, hexadecimal'],
    ['http://0177.0.0.1/', 'loopback, octal'],
    ['http://127.1/', 'loopback, shortened'],
    ['http://localhost/', 'loopback by name'],
    ['http://LOCALHOST/', 'loopback by name'],
    ['https://localhost/', 'loopback by name, with TLS'],
  ])('receives no callback: %s, %s', async (url) => {
    expect(await createTestSender({ allowLoopback: false })(url, body)).toBe(NOT_PUBLIC);
  });

  it.each(['127.0.0.1', 'localhost', '127.1', '2130706433', '[::ffff:127.0.0.1]'])(
    'receives no connection, even if a server listens there: %s',
    async (host) => {
      const receiver = await startReceiver(status(204));

      expect(await createTestSender({ allowLoopback: false })(`http://${host}:${receiver.port}/`, body)).toBe(NOT_PUBLIC);

      expect(receiver.connections).toBe(0);
    },
  );

  it.each(['10.0.0.1', '169.254.169.254', '[fd00::1]', '0.0.0.0', '[::ffff:192.168.1.1]'])(
    'receives no callback if only loopback is allowed: %s',
    async (host) => {
      expect(await createTestSender({ allowLoopback: true })(`http://${host}/`, body)).toBe(NOT_PUBLIC);
    },
  );

  it.each([
    '169.254.169.254',
    '168.63.129.16',
    '100.100.100.200',
    '192.0.0.192',
    '0.0.0.0',
    '224.0.0.1',
    '255.255.255.255',
    'fd00:ec2::254',
    'fd20:ce::254',
    'fe80::1',
    'ff02::1',
    '::ffff:a9fe:a9fe',
    '64:ff9b::a9fe:a9fe',
    '64:ff9b:1::a9fe:a9fe',
    '2002:a9fe:a9fe::',
    '::a9fe:a9fe',
  ])('of the metadata or special-purpose ranges receives no callback, even if its host is allowed: %s', async (address) => {
    const host = address.includes(':') ? `[${address}]` : address;
    const send = createTestSender({ allowLoopback: true, allowedHosts: [address] });
    expect(await send(`http://${host}:65535/`, body)).toBe(NOT_PUBLIC);
    expect(mayConnect('erp.internal', address, { ...rules, allowedHosts: ['erp.internal'] })).toBe(false);
  });

  it.each(['10.0.0.1', '172.16.0.1', '192.168.1.1', '100.64.0.1', '127.0.0.1', 'fd00::1', '::1', '::ffff:10.0.0.1'])(
    'may receive callbacks if it is an address of an allowed host: %s',
    (address) => {
      expect(mayConnect('erp.internal', address, { ...rules, allowedHosts: ['erp.internal'] })).toBe(true);
      expect(mayConnect('other.internal', address, { ...rules, allowedHosts: ['erp.internal'] })).toBe(false);
    },
  );

  it.each(['localhost', '127.0.0.1'])('receives callbacks if its host is allowed: %s', async (host) => {
    const receiver = await startReceiver(status(204));
    const send = createTestSender({ allowLoopback: false, allowedHosts: [host] });

    expect(await send(`http://${host}:${receiver.port}/callback`, body)).toBe('');

    expect(bodiesOf(receiver)).toEqual([body]);
  });

  it('receives no callback under another name than the allowed one', async () => {
    const receiver = await startReceiver(status(204));
    const send = createTestSender({ allowLoopback: false, allowedHosts: ['localhost'] });

    expect(await send(`http://127.0.0.1:${receiver.port}/`, body)).toBe(NOT_PUBLIC);
  });
});

describe('A URL that is not allowed', () => {
  it.each([
    ['plain HTTP in live mode', 'http://shop.example/', 'The URL is not an https URL'],
    ['the port of SSH', 'https://shop.example:22/', 'The port of the URL is not allowed'],
    ['a port below 1024', 'https://shop.example:1023/', 'The port of the URL is not allowed'],
  ])('fails permanently, without a connection: %s', async (_title, url, failure) => {
    expect(await createPost(rules)(url, body, {})).toEqual({ statusCode: null, failure, isPermanent: true });
  });
});

describe('The result of an attempt', () => {
  it('contains only the status if it was accepted', async () => {
    const receiver = await startReceiver(status(202, { 'retry-after': '60' }));

    expect(await createPost()(receiver.url, body, {})).toEqual({ statusCode: 202, failure: '' });
  });

  it.each([
    [410, true],
    [400, false],
    [401, false],
    [404, false],
    [429, false],
    [500, false],
    [503, false],
    [301, false],
  ])('after a response with %d is permanent: %s', async (code, isPermanent) => {
    const receiver = await startReceiver(status(code));

    const failure = `The receiver responded with ${code}`;
    expect(await createPost()(receiver.url, body, {})).toMatchObject({ statusCode: code, failure, isPermanent });
  });

  it.each([
    [429, 120_000],
    [503, 120_000],
    [500, undefined],
    [404, undefined],
    [301, undefined],
  ])('after a response with %d and Retry-After contains the milliseconds %s', async (code, expected) => {
    const receiver = await startReceiver(status(code, { 'retry-after': '120' }));

    expect((await createPost()(receiver.url, body, {})).retryAfterMs).toBe(expected);
  });

  it('is permanent for a URL with a private IP address, because it does not change', async () => {
    expect(await createPost()('http://10.0.0.1/', body, {})).toEqual({
      statusCode: null,
      failure: NOT_PUBLIC,
      isPermanent: true,
    });
  });

  it('is not permanent for a host name that resolves to a private address, because its address can change', async () => {
    const post = createPost({ allowLoopback: false });

    expect(await post('http://localhost/', body, {})).toEqual({ statusCode: null, failure: NOT_PUBLIC });
  });
});
