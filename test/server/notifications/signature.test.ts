import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { newCallbackSecret } from '../../../server/merchants/callback-secrets.ts';
import { isSigned, signedHeaders } from '../../../server/notifications/signature.ts';

const merchantId = '0190f1a0-0000-7000-8000-000000000000';
const atSeconds = Math.floor(Date.now() / 1000);
const body = '{"transactionId":"tx_1","orderRef":"東京 – 🪑"}';
const newSecret = () => newCallbackSecret(merchantId, '2026-11-21T09:30:00.000000Z').secret;

describe('The headers of a callback', () => {
  it('are those the Standard Webhooks give as their example', () => {
    const headers = signedHeaders('msg_p5jXN8AQM9LWM0D4loKWxJek', 1_614_265_330, '{"test": 2432232314}', [
      'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    ]);

    expect(headers).toEqual({
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    });
  });

  it('are verified by either of two live secrets, and by no other', () => {
    const [older, newer, foreign] = [newSecret(), newSecret(), newSecret()];
    const headers = signedHeaders('id_1', atSeconds, body, [newer, older]);

    expect(headers['webhook-signature']!.split(' ')).toHaveLength(2);
    for (const secret of [older, newer]) expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
    expect(() => new Webhook(foreign).verify(body, headers)).toThrow('No matching signature');
  });

  it.each([
    ['another body', 'id_1', atSeconds, `${body} `],
    ['another id', 'id_2', atSeconds, body],
    ['another moment', 'id_1', atSeconds - 1, body],
  ])('do not fit %s', (_what, id, seconds, changed) => {
    const secret = newSecret();
    const { 'webhook-signature': signature } = signedHeaders('id_1', atSeconds, body, [secret]);
    const headers = { 'webhook-id': id, 'webhook-timestamp': String(seconds), 'webhook-signature': signature! };

    expect(() => new Webhook(secret).verify(changed, headers)).toThrow('No matching signature');
  });
});

describe('What comes to us', () => {
  const secret = newSecret();
  const bytes = Buffer.from(body);
  const sign = (at = atSeconds) => {
    const headers = { 'webhook-id': 'id_1', 'webhook-timestamp': String(at) };
    return { ...headers, 'webhook-signature': new Webhook(secret).sign('id_1', new Date(at * 1000), body) };
  };
  const given = { headers: sign(), body: bytes, id: 'id_1', atSeconds, secrets: [secret] };

  it('is believed with the signature the library makes, also among others', () => {
    expect(isSigned(given)).toBe(true);
    expect(isSigned({ ...given, secrets: [newSecret(), secret] })).toBe(true);
    const among = `v2,xyz v1,AAAA v1, ${sign()['webhook-signature']}`;
    expect(isSigned({ ...given, headers: { ...sign(), 'webhook-signature': among } })).toBe(true);
  });

  it.each([-300, 300])('is believed when it was signed %d seconds from now', (off) => {
    expect(isSigned({ ...given, headers: sign(atSeconds + off) })).toBe(true);
  });

  it.each<[what: string, over: Partial<Parameters<typeof isSigned>[0]>]>([
    ['another body', { body: Buffer.from(`${body} `) }],
    ['another id than it is about', { id: 'id_2' }],
    ['another id in its header', { headers: { ...sign(), 'webhook-id': 'id_2' } }],
    ['a secret of somebody else', { secrets: [newSecret()] }],
    ['no secret', { secrets: [] }],
    ['an old moment', { headers: sign(atSeconds - 301) }],
    ['a moment to come', { headers: sign(atSeconds + 301) }],
    ['a moment in words', { headers: { ...sign(), 'webhook-timestamp': 'now' } }],
    ['another moment than was signed', { headers: { ...sign(), 'webhook-timestamp': String(atSeconds - 1) } }],
    ['no headers', { headers: {} }],
    ['no signature', { headers: { ...sign(), 'webhook-signature': 'v1,' } }],
    ['two headers of a signature', { headers: { ...sign(), 'webhook-signature': [sign()['webhook-signature']] } }],
    ['half of a signature', { headers: { ...sign(), 'webhook-signature': sign()['webhook-signature'].slice(0, 20) } }],
    [
      'a signature of another version',
      { headers: { ...sign(), 'webhook-signature': sign()['webhook-signature'].replace('v1', 'v2') } },
    ],
    [
      'the right one after a hundred others',
      { headers: { ...sign(), 'webhook-signature': `${'v1,AAAA '.repeat(100)}${sign()['webhook-signature']}` } },
    ],
  ])('is not believed with %s', (_what, over) => {
    expect(isSigned({ ...given, ...over })).toBe(false);
  });
});

describe('A secret', () => {
  it('is 32 random bytes in base64, and says what it is', () => {
    const [one, other] = [newSecret(), newSecret()];

    expect(one).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(Buffer.from(one.slice(6), 'base64')).toHaveLength(32);
    expect(other).not.toBe(one);
  });
});
