import { afterAll, describe, expect, it } from 'vitest';
import { mailtoOf } from '../../../server/messages/addresses.ts';
import { createEmailSender, type EmailOptions } from '../../../server/messages/email.ts';
import type { EmailContent } from '../../../server/messages/outbox.ts';
import { until } from '../../support/time.ts';
import { startMailServer, startTcpServer, rejection } from './mail-server.ts';
import { rowWith } from './row.ts';

const senders: { close(): Promise<void> }[] = [];
afterAll(() => Promise.all(senders.map((sender) => sender.close())));

function createSender(url: string, options: Partial<EmailOptions> = {}) {
  const sender = createEmailSender({ url, from: 'Pay <mail@pay.example>', timeoutMs: 20_000, ...options });
  senders.push(sender);
  return sender.send;
}
const message: EmailContent = { name: 'Ada Lovelace', subject: 'Your checkout', text: 'Hello\n', html: '<p>Hello</p>' };
const rowOf = (content: Partial<EmailContent> = {}, email = 'ada@example.com') =>
  rowWith({ id: 'id-1', channel: 'email', url: mailtoOf(email), body: JSON.stringify({ ...message, ...content }) });
const accepted = { statusCode: 250, failure: '' };

describe('An outgoing e-mail', () => {
  it('has a text and an HTML part, a sender, a recipient, a Message-ID and a date, and asks not to be answered automatically', async () => {
    const { url, emails } = await startMailServer();

    expect(await createSender(url)(rowOf())).toEqual(accepted);

    const [{ from, to, headers, raw }] = emails as [(typeof emails)[0]];
    expect({ from, to }).toEqual({ from: 'mail@pay.example', to: ['ada@example.com'] });
    expect(headers).toMatchObject({
      from: 'Pay <mail@pay.example>',
      to: 'Ada Lovelace <ada@example.com>',
      subject: 'Your checkout',
      'content-type': expect.stringContaining('multipart/alternative'),
      'message-id': '<id-1@pay.example>',
      date: 'Sat, 21 Nov 2026 09:30:00 +0000',
      'auto-submitted': 'auto-generated',
      'x-auto-response-suppress': 'RN, NRN, OOF, AutoReply',
    });
    expect(raw).toMatch(/text\/plain[^]*Hello[^]*text\/html[^]*<p>Hello<\/p>/);
  });

  it('has the headers with which mail programs opt out by one request, if it has an address for that', async () => {
    const { url, emails } = await startMailServer();
    const sender = createSender(url);
    const optOutUrl = `https://pay.example/u/${'x'.repeat(86)}?lang=en`;

    await sender(rowOf({ optOutUrl }));
    await sender(rowOf());

    expect(emails[0]!.headers).toMatchObject({
      'list-unsubscribe': `<${optOutUrl}>`,
      'list-unsubscribe-post': 'List-Unsubscribe=One-Click',
    });
    expect(Object.keys(emails[1]!.headers).filter((name) => name.startsWith('list-'))).toEqual([]);
  });

  it.each([
    ['the name', { name: 'Ada\r\nBcc: eve@example.com' }],
    ['the name, which contains an address', { name: 'Ada <eve@example.com>, Eve' }],
    ['the subject', { subject: 'Hello\r\nBcc: eve@example.com\r\n\r\nBuy' }],
  ])('has no header or recipient injected by %s', async (_title, content) => {
    const { url, emails } = await startMailServer();

    expect(await createSender(url)(rowOf(content))).toEqual(accepted);

    const [{ to, headers }] = emails as [(typeof emails)[0]];
    expect(to).toEqual(['ada@example.com']);
    expect(headers).not.toHaveProperty('bcc');
    expect(headers['to']).toMatch(/<ada@example\.com>$/);
  });

  it('encodes a name, subject and text in any script', async () => {
    const { url, emails } = await startMailServer();

    await createSender(url)(rowOf({ name: 'Žofie 東', subject: 'Checkout 🪑', text: 'Hello Žofie 東\n' }));

    const { headers, raw } = emails[0]!;
    expect(headers['subject']).toMatch(/^=\?UTF-8\?/i);
    expect(headers['to']).toMatch(/^=\?UTF-8\?.* <ada@example\.com>$/i);
    expect(raw).toMatch(/text\/plain; charset=utf-8/i);
  });

  describe('sent to a server that requires a password', () => {
    const startPasswordServer = async () => {
      const receivedCredentials: unknown[] = [];
      const { url, emails } = await startMailServer({
        authOptional: false,
        onAuth: ({ username, password }, _session, callback) => {
          receivedCredentials.push(username, password);
          callback(null, { user: username });
        },
      });
      return { url: url.replace('//', '//me%40pay.example:p%2Fss%20word@'), emails, receivedCredentials };
    };

    it('is not sent over an unencrypted connection', async () => {
      const { url, emails, receivedCredentials } = await startPasswordServer();

      expect(await createSender(url)(rowOf())).toMatchObject({ failure: expect.stringMatching(/^The [\w: ]+$/) });

      expect([...receivedCredentials, ...emails]).toEqual([]);
    });

    it('is sent over an unencrypted connection with requireTLS=false', async () => {
      const { url, emails, receivedCredentials } = await startPasswordServer();

      expect(await createSender(`${url}?requireTLS=false`)(rowOf())).toEqual(accepted);

      expect(receivedCredentials).toEqual(['me@pay.example', 'p/ss word']);
      expect(emails).toHaveLength(1);
    });
  });
});

describe('An e-mail fails', () => {
  it.each([
    [550, true],
    [552, true],
    [450, false],
    [421, false],
  ])('if the server rejects the recipient with %d (permanently: %s)', async (code, isPermanent) => {
    const { url, emails } = await startMailServer({ onRcptTo: (_address, _session, callback) => callback(rejection(code)) });

    expect(await createSender(url)(rowOf())).toEqual({
      statusCode: code,
      failure: `The mail server responded with ${code}`,
      isPermanent,
    });

    expect(emails).toEqual([]);
  });

  it.each([
    ['its sender', { onMailFrom: (_: unknown, __: unknown, callback: (error: Error) => void) => callback(rejection(553)) }, 553],
    ['the connection', { onConnect: (_: unknown, callback: (error: Error) => void) => callback(rejection(554)) }, 554],
  ])('permanently if the server rejects %s', async (_title, options, code) => {
    const { url } = await startMailServer(options);

    expect(await createSender(url)(rowOf())).toMatchObject({ statusCode: code, isPermanent: true });
  });

  it('permanently and without a connection if the recipient has no address', async () => {
    const { url, emails } = await startMailServer();

    const outcome = await createSender(url)(rowOf({}, ''));

    expect(outcome).toEqual({ statusCode: null, failure: 'The address cannot receive mail', isPermanent: true });
    expect(emails).toEqual([]);
  });

  it.each<[string, Parameters<typeof startTcpServer>[0]]>([
    ['sends no greeting', () => undefined],
    ['sends nothing after its greeting', (socket) => void socket.write('220 mail.example ESMTP\r\n')],
    [
      'sends its greeting endlessly',
      (socket) => {
        const timer = setInterval(() => socket.write('220-hidden\r\n'), 20);
        socket.on('close', () => clearInterval(timer));
      },
    ],
  ])('after the timeout if the server %s, and the connection is closed', async (_title, onConnection) => {
    const { url, connections } = await startTcpServer(onConnection);

    expect(await createSender(url, { timeoutMs: 300 })(rowOf())).toEqual({
      statusCode: null,
      failure: 'No response within 300 ms',
    });

    await until(() => connections.every((socket) => socket.destroyed || socket.readableEnded));
  });

  it.each<[string, Parameters<typeof startTcpServer>[0]]>([
    ['closes the connection', (socket) => void socket.destroy()],
    ['closes the connection after its greeting', (socket) => void socket.end('220 mail.example ESMTP\r\n')],
    ['uses another protocol', (socket) => void socket.end('HTTP/1.1 400 hidden\r\n\r\n')],
  ])('but can be retried if the server %s', async (_title, onConnection) => {
    const { url } = await startTcpServer(onConnection);

    const outcome = await createSender(url)(rowOf());

    expect(outcome.failure).toMatch(/^The (request failed: \w+|mail server responded with \d+)$/);
    expect(outcome.isPermanent ?? false).toBe(false);
  });
});
