/** Reports of a mail provider about e-mails that bounced, over real sockets, after an SMTP server has accepted them. */
import { createHmac, generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { mailReportsIn } from '../../../server/base/config/mail-reports.ts';
import { createEmailSender } from '../../../server/messages/email.ts';
import { deliveryState } from '../../../server/messages/store.ts';
import { createCart, reachDecision } from '../../support/checkout.ts';
import { describeOnEveryEngine } from '../../support/databases.ts';
import { respondsWith, startLender, type TestLender } from '../../support/lenders.ts';
import { startService, type TestMerchant, type TestService } from '../../support/service.ts';
import { storedApplication, storedDeliveries, storedDelivery } from '../../support/stored.ts';
import { until } from '../../support/time.ts';
import { type MailServer, startMailServer } from './mail-server.ts';

const SECRET = 'key-0123456789abcdef';
const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const seconds = (ago = 0) => String(Math.floor(Date.now() / 1_000) - ago);

interface Failure {
  messageId: string;
  /** The type of the event. */
  type?: string;
  severity?: string;
  code?: unknown;
  secondsAgo?: number;
}

/** The format and the signature of each provider's reports. */
const providers = {
  mailgun: {
    env: { MAIL_REPORTS: 'mailgun', MAIL_REPORTS_KEY: SECRET },
    reportOf: ({ messageId, type = 'failed', severity = 'permanent', code = 550, secondsAgo }: Failure) => {
      const timestamp = seconds(secondsAgo);
      const token = randomUUID();
      const signature = createHmac('sha256', SECRET)
        .update(timestamp + token)
        .digest('hex');
      const event = {
        event: type,
        severity,
        recipient: 'ada@example.com',
        'delivery-status': { code, message: 'No such mailbox \ufffd\u0000' },
        message: { headers: { 'message-id': messageId.slice(1, -1), to: 'Ada <ada@example.com>' } },
      };
      return { body: JSON.stringify({ signature: { timestamp, token, signature }, 'event-data': event }), headers: {} };
    },
    others: [{ severity: 'temporary' }, { type: 'delivered' }, { type: 'opened' }, { type: 'complained' }],
  },
  sendgrid: {
    env: {
      MAIL_REPORTS: 'sendgrid',
      MAIL_REPORTS_KEY: publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
    },
    reportOf: ({ messageId, type = 'bounce', code = '550', secondsAgo }: Failure) => {
      const event = {
        email: 'ada@example.com',
        event: type,
        'smtp-id': messageId,
        status: code,
        reason: 'No such mailbox \ufffd\u0000',
      };
      // The provider ends each event with a line break.
      const body = `[${JSON.stringify({ event: 'processed', 'smtp-id': messageId })},\r\n${JSON.stringify(event)}]\r\n`;
      const timestamp = seconds(secondsAgo);
      const signature = sign('sha256', Buffer.from(timestamp + body), privateKey).toString('base64');
      const headers = {
        'x-twilio-email-event-webhook-timestamp': timestamp,
        'x-twilio-email-event-webhook-signature': signature,
      };
      return { body, headers };
    },
    others: [{ type: 'deferred' }, { type: 'delivered' }, { type: 'open' }, { type: 'spamreport' }],
  },
};

describeOnEveryEngine('A report of', (engine) => {
  describe.each(Object.entries(providers))('%s', (_name, { env, reportOf, others }) => {
    let bank: TestLender;
    let mail: MailServer;
    let service: TestService;
    let merchant: TestMerchant;
    beforeAll(async () => {
      bank = await startLender(respondsWith({ outcome: 'denied', reasons: ['income'] }));
      mail = await startMailServer();
      const { send, close } = createEmailSender({ url: mail.url, from: 'Pay <mail@pay.example>', timeoutMs: 20_000 });
      const overrides = { lender: bank.endpoint, mailReports: mailReportsIn(env, 'sandbox') };
      service = await startService(engine, overrides, { email: send, close });
      merchant = await service.createMerchant();
    });

    /** A denial whose e-mail the mail server has accepted, and which the lender knows as delivered. */
    const delivered = async () => {
      const cart = await createCart(merchant);
      await reachDecision(cart.url);
      const { id: applicationId } = await storedApplication(service.database, cart.id);
      const outcomes = () => bank.notices.filter((one) => one.applicationId === applicationId && one.type === 'notice-delivery');
      await until(() => outcomes().length === 1);
      const { id } = (await storedDeliveries(service.database)).find(
        (one) => one.applicationId === applicationId && one.channel === 'email',
      )!;
      const messageId = mail.emails.map(({ headers }) => headers['message-id']!).find((each) => each.includes(id))!;
      return { id, messageId, outcomes, state: async () => deliveryState(await storedDelivery(service.database, id)) };
    };
    const send = async ({ body, headers }: { body: string; headers: Record<string, string> }) => {
      const response = await fetch(`${service.publicUrl}/mail-reports`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body,
      });
      return { status: response.status, body: await response.json() };
    };

    it('after the delivery reports the notice to the lender as failed, once', async () => {
      const { id, messageId, outcomes, state } = await delivered();
      expect(await state()).toBe('delivered');
      const report = reportOf({ messageId });
      expect(await send(report)).toEqual({ status: 200, body: { failed: 1 } });
      expect(await send(report)).toEqual({ status: 200, body: { failed: 0 } });
      expect(await send(reportOf({ messageId }))).toEqual({ status: 200, body: { failed: 0 } });

      await until(() => outcomes().length > 1);
      const failure = 'The e-mail bounced with 550';
      expect(outcomes()).toMatchObject([
        { noticeId: id, kinds: ['denial'], outcome: 'delivered', failure: '' },
        { noticeId: id, kinds: ['denial'], outcome: 'failed', failure },
      ]);
      expect(await state()).toBe('failed');
      expect(await storedDelivery(service.database, id)).toMatchObject({ lastFailure: failure });
    });

    it('has no text of others in what is stored', async () => {
      const { id, messageId } = await delivered();
      await send(reportOf({ messageId, code: 'No mailbox ada@example.com' }));
      expect((await storedDelivery(service.database, id)).lastFailure).toBe('The e-mail bounced');
    });

    it('about another event, another Message-ID or an unknown e-mail changes nothing', async () => {
      const { messageId, state } = await delivered();
      const reports = [
        ...others.map((other) => reportOf({ messageId, ...other })),
        ...[`<${randomUUID()}@pay.example>`, '<other@pay.example>', '', 'x'.repeat(10_000)].map((each) =>
          reportOf({ messageId: each }),
        ),
      ];
      for (const report of reports) expect(await send(report)).toEqual({ status: 200, body: { failed: 0 } });
      expect(await state()).toBe('delivered');
    });

    it('with another signature, or one of an earlier day, is rejected', async () => {
      const { messageId, state } = await delivered();
      const { body, headers } = reportOf({ messageId });
      const broken = [
        { body: body.replace(/"signature":"./, '"signature":"g'), headers: {} },
        { body: '{}', headers },
        { body: '[]', headers: {} },
        { body: 'x', headers: {} },
        { body: '', headers: {} },
        reportOf({ messageId, secondsAgo: 90_000 }),
        reportOf({ messageId, secondsAgo: -90_000 }),
      ];
      for (const report of broken) expect(await send(report)).toMatchObject({ status: 401, body: { code: 'unauthenticated' } });
      expect(await state()).toBe('delivered');
    });
  });

  it('a mail provider is not accepted without its key', async () => {
    const service = await startService(engine);
    const response = await fetch(`${service.publicUrl}/mail-reports`, { method: 'POST', body: '{}' });
    expect(response.status).toBe(404);
  });
});
