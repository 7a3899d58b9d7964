import { describe, expect, it } from 'vitest';
import { type Config } from '../../../server/base/config/config.ts';
import { newId } from '../../../server/base/ids.ts';
import type { Mode } from '../../../server/base/mode.ts';
import { createEmailSender } from '../../../server/messages/email.ts';
import { mailtoOf, telOf } from '../../../server/messages/addresses.ts';
import { createTextSender, createMessageSenders, handlingByChannel } from '../../../server/messages/messages.ts';
import { enqueueMessage, type MessageHandling } from '../../../server/messages/outbox.ts';
import { listAttempts, listDeliveries } from '../../../server/messages/store.ts';
import { onCleanup } from '../../support/cleanup.ts';
import { createDatabase } from '../../support/databases.ts';
import { startApp } from '../../support/app.ts';
import { until } from '../../support/time.ts';
import { startDelivering } from './delivering.ts';
import { startMailServer, startTcpServer, rejection } from './mail-server.ts';
import { rowWith } from './row.ts';
import { startReceiver, status } from '../../support/http.ts';
import { startService } from '../../support/service.ts';
import { createCart } from '../../support/checkout.ts';

describe('The message senders', () => {
  const both = {
    email: { url: 'smtp://127.0.0.1:1', from: 'a@pay.example' },
    text: { url: 'http://127.0.0.1:1', from: '+15550100199' },
  };

  it.each<[string, Mode, Partial<Config>, string[]]>([
    ['none in a sandbox, even if they are configured', 'sandbox', both, []],
    ['all that are configured for a live service', 'live', both, ['email', 'text']],
    ['only e-mails', 'live', { email: both.email }, ['email']],
    ['only texts', 'live', { text: both.text }, ['text']],
    ['none without a configuration', 'live', {}, []],
  ])('are %s', async (_title, mode, config, expected) => {
    const { close, ...senders } = await createMessageSenders({ email: undefined, text: undefined, ...config, mode });
    expect(Object.keys(senders)).toEqual(expected);
    await close();
  });

  it.each<[string, Mode, boolean, MessageHandling]>([
    ['sent by a live service with senders', 'live', true, 'sent'],
    ['unavailable in a live service without senders', 'live', false, 'unavailable'],
    ['recorded by a sandbox without senders', 'sandbox', false, 'recorded'],
  ])('determine that messages are %s', (_title, mode, hasSenders, expected) => {
    const send = async () => ({ statusCode: null, failure: '' });
    expect(handlingByChannel(hasSenders ? { email: send, text: send } : {}, mode)).toEqual({ email: expected, text: expected });
  });

  it('of a live service use the configured mail server and text message service', async () => {
    const { url, emails } = await startMailServer();
    const texts = await startReceiver(status(201));
    const config = { email: { url, from: 'a@pay.example' }, text: { url: texts.url, from: '+15550100199' } };
    const senders = await createMessageSenders({ mode: 'live', ...config });
    onCleanup(senders.close);
    const email = { name: 'Ada', subject: 'Hello', text: 'Hello', html: '<p>Hello</p>' };

    await senders.email!(rowWith({ channel: 'email', url: mailtoOf('ada@example.com'), body: JSON.stringify(email) }));
    await senders.text!(rowWith({ channel: 'text', url: telOf('5550100100'), body: '{"text":"Hello"}' }));

    expect(emails).toMatchObject([{ to: ['ada@example.com'] }]);
    expect(new URLSearchParams(texts.received[0]!.body).get('Body')).toBe('Hello');
  });
});

describe('A service with message senders', () => {
  it('sends the link of a cart by e-mail and text, and logs the attempts without personal data', async () => {
    const mail = await startMailServer();
    const texts = await startReceiver(status(201));
    const emails = createEmailSender({ url: mail.url, from: 'mail@pay.example', timeoutMs: 20_000 });
    const phone = createTextSender({ url: texts.url, from: '+15550100199', timeoutMs: 20_000 });
    const close = async () => void (await Promise.all([emails.close(), phone.close()]));
    const service = await startService(undefined, {}, { email: emails.send, text: phone.send, close });
    const merchant = await service.createMerchant();
    const cart = await createCart(merchant);
    const rows = () => listDeliveries(service.database.query, { limit: 100 });

    expect(await merchant.post(`/carts/${cart.id}/email`, { email: 'ada@example.com', name: 'Ada' })).toMatchObject({
      status: 200,
      body: { message: "The e-mail with the cart's link is on its way." },
    });
    expect(await merchant.post(`/carts/${cart.id}/text`, { phone: '5550100100' })).toMatchObject({ status: 200 });

    await until(async () => (await rows()).every(({ deliveredAt }) => deliveredAt) && (await rows()).length === 2);
    expect(mail.emails).toMatchObject([{ to: ['ada@example.com'], headers: { subject: 'Your checkout at Acme Goods' } }]);
    expect(mail.emails[0]!.raw.replaceAll('=\r\n', '')).toContain(cart.url);
    expect(new URLSearchParams(texts.received[0]!.body).get('Body')).toContain(cart.url);
    expect(await listAttempts(service.database.query, (await rows())[1]!.id)).toMatchObject([{ statusCode: 250, failure: '' }]);
    expect(await merchant.post('/sandbox/checkouts', { cartId: cart.id })).toMatchObject({ status: 200 });
    expect(service.logged.join('')).not.toMatch(/ada@example|5550100100/);
  });

  it('rejects messages of a channel without a sender with 501, and does not store them', async () => {
    const database = await createDatabase();
    const app = await startApp(database, { messageHandlings: { email: 'unavailable', text: 'sent' } });
    const { id } = await app.createCart();

    expect(await app.post(`/carts/${id}/email`, { email: 'ada@example.com', name: 'Ada' })).toMatchObject({
      status: 501,
      body: { error: true, code: 'not-configured' },
    });
    expect(await app.post(`/carts/${newId()}/email`, { email: 'ada@example.com', name: 'Ada' })).toMatchObject({ status: 404 });
    expect(await app.post(`/carts/${id}/text`, { phone: '5550100100' })).toMatchObject({ status: 200 });
    expect(await listDeliveries(database.query, { limit: 10 })).toMatchObject([{ channel: 'text' }]);
  });

  it('replays the 501 response for the same idempotency key', async () => {
    const app = await startApp(await createDatabase(), { messageHandlings: { email: 'sent', text: 'unavailable' } });
    const { id } = await app.createCart();
    const requestText = () => app.post(`/carts/${id}/text`, { phone: '5550100100' }, { 'idempotency-key': 'text-1' });
    const first = await requestText();
    expect(first).toMatchObject({ status: 501, body: { error: true, code: 'not-configured' } });
    const replayed = await requestText();
    expect([replayed.status, replayed.text]).toEqual([501, first.text]);
    expect(replayed.headers.get('idempotency-replayed')).toBe('true');
  });
});

describe('The delivery of an e-mail', () => {
  const context = startDelivering();
  const { database, merchantId, now, advanceClock, start, addCallback, delivered, failed, logOf } = context;
  const email = { name: 'Ada', subject: 'Hello', text: 'Hello', html: '<p>Hello</p>' };
  let nextNumber = 1;
  const addEmail = async () => {
    const id = `email_${nextNumber++}`;
    const message = {
      id,
      merchantId: merchantId(),
      cartId: 'cart',
      channel: 'email',
      to: 'ada@example.com',
      content: email,
    } as const;
    await database().write((tx) => enqueueMessage(tx, { ...message, handling: 'sent', createdAt: now() }));
    return id;
  };
  const senderTo = (url: string, timeoutMs = 20_000) => {
    const { send, close } = createEmailSender({ url, from: 'mail@pay.example', timeoutMs });
    onCleanup(close);
    return { senders: { email: send } };
  };

  it('is retried after a server error, with the same Message-ID', async () => {
    const statuses = [451, 0];
    const { url, emails } = await startMailServer({
      onRcptTo: (_address, _session, callback) => {
        const code = statuses.shift();
        callback(code ? rejection(code) : undefined);
      },
    });
    start(senderTo(url));
    const id = await addEmail();

    expect(await failed(id)).toMatchObject({ lastFailure: 'The mail server responded with 451' });
    advanceClock(6_000);
    await delivered(id);

    expect(emails).toMatchObject([{ headers: { 'message-id': `<${id}@pay.example>` } }]);
    expect(await logOf(id)).toMatchObject([{ statusCode: 451 }, { statusCode: 250 }]);
  });

  it('by a mail server that does not respond does not delay callbacks', async () => {
    const hangingServer = await startTcpServer(() => undefined);
    const receiver = await context.startReceiver(status(204));
    const emails = [];
    for (let count = 0; count < 100; count++) emails.push(await addEmail());
    const ids = [];
    for (let count = 0; count < 20; count++) ids.push(await addCallback(receiver.url));

    const delivery = start(senderTo(hangingServer.url, 60_000));
    await until(() => hangingServer.connections.length === 8);
    for (const id of ids) await delivered(id);

    const log = (await Promise.all(emails.map(logOf))).flat();
    expect(log, 'attempts in progress').toHaveLength(8);
    for (const attempt of log) expect(attempt.durationMs).toBeNull();
    for (const socket of hangingServer.connections) socket.destroy();
    await delivery.stop();
  });
});
