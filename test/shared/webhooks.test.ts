import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { newCallbackSecret } from '../../server/merchants/callback-secrets.ts';
import { isSignedWebhook, signWebhook, webhookKey } from '../../shared/webhooks.ts';

const merchantId = '0190f1a0-0000-7000-8000-000000000000';
const atSeconds = Math.floor(Date.now() / 1000);
const body = '{"transactionId":"tx_1","orderRef":"東京 – 🪑"}';
const newSecret = () => newCallbackSecret(merchantId, '2026-11-21T09:30:00.000000Z').secret;

describe('signWebhook', () => {
  it('returns the headers of the example in the Standard Webhooks specification', async () => {
    const headers = await signWebhook('msg_p5jXN8AQM9LWM0D4loKWxJek', 1_614_265_330, '{"test": 2432232314}', [
      'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    ]);

    expect(headers).toEqual({
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    });
  });

  it('signs with every secret, so that a receiver with any of them can verify the message', async () => {
    const older = newSecret();
    const newer = newSecret();
    const foreign = newSecret();
    const headers = await signWebhook('id_1', atSeconds, body, [newer, older]);

    expect(headers['webhook-signature']!.split(' ')).toHaveLength(2);
    for (const secret of [older, newer]) expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
    expect(() => new Webhook(foreign).verify(body, headers)).toThrow('No matching signature');
  });

  it.each([
    ['another body', 'id_1', atSeconds, `${body} `],
    ['another id', 'id_2', atSeconds, body],
    ['another timestamp', 'id_1', atSeconds - 1, body],
  ])('returns a signature that is invalid for %s', async (_case, id, seconds, signedBody) => {
    const secret = newSecret();
    const { 'webhook-signature': signature } = await signWebhook('id_1', atSeconds, body, [secret]);
    const headers = { 'webhook-id': id, 'webhook-timestamp': String(seconds), 'webhook-signature': signature! };

    expect(() => new Webhook(secret).verify(signedBody, headers)).toThrow('No matching signature');
  });
});

describe('isSignedWebhook', () => {
  const secret = newSecret();
  const timestamp = String(atSeconds);
  const signature = new Webhook(secret).sign('id_1', new Date(atSeconds * 1_000), body);
  const message = { id: 'id_1', timestamp, signature, body: new TextEncoder().encode(body) };
  const verify = async (change: Partial<typeof message> = {}, secrets = [secret]) =>
    isSignedWebhook({ ...message, ...change }, await Promise.all(secrets.map(webhookKey)));

  it('accepts a signature of the reference implementation, alone or among others', async () => {
    expect(await verify()).toBe(true);
    expect(await verify({}, [newSecret(), secret])).toBe(true);
    expect(await verify({ signature: `v2,xyz v1,AAAA v1, ${signature}` })).toBe(true);
  });

  it.each<[what: string, change: Partial<typeof message>, secrets?: string[]]>([
    ['another body', { body: new TextEncoder().encode(`${body} `) }],
    ['another id', { id: 'id_2' }],
    ['another timestamp', { timestamp: String(atSeconds - 1) }],
    ['another secret', {}, [newSecret()]],
    ['no secret', {}, []],
    ['no signature', { signature: 'v1,' }],
    ['half of a signature', { signature: signature.slice(0, 20) }],
    ['a signature of another version', { signature: signature.replace('v1', 'v2') }],
    ['a valid signature after a hundred others', { signature: `${`v1,${'A'.repeat(43)}= `.repeat(100)}${signature}` }],
  ])('rejects %s', async (_case, change, secrets) => {
    expect(await verify(change, secrets)).toBe(false);
  });
});
