import { createHmac, randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { CallbackError, type SignedCallback, verifyCallback } from '../../../shared/client/index.ts';
import { body, now, otherSecret, secret, signed } from './signed.ts';

const content = { id: 'msg_1', transactionId: '0193-tx', orderRef: 'ORDER-1' };
const rejected = (callback: SignedCallback, code: string) =>
  expect(verifyCallback(callback)).rejects.toMatchObject({ name: 'CallbackError', code });

describe('A signed callback', () => {
  it('is accepted and parsed', async () => {
    expect(await verifyCallback(signed())).toEqual(content);
  });

  it('is verified like the published example of Standard Webhooks', async () => {
    const headers = {
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    };
    const example = { body: '{"test": 2432232314}', headers, secrets: secret, now: 1_614_265_330_000 };

    // The signature is valid, but the body is not a Fairterm callback.
    await rejected(example, 'invalid-body');
    await rejected({ ...example, body: '{"test": 2432232315}' }, 'bad-signature');
  });

  it('is accepted if it was signed with a key of any allowed length', async () => {
    for (const bytes of [24, 32, 64]) {
      const key = randomBytes(bytes);
      const signature = createHmac('sha256', key)
        .update(`msg_1.${now / 1_000}.${body}`)
        .digest('base64');
      const headers = { ...signed().headers, 'webhook-signature': `v1,${signature}` };
      const encoded = `whsec_${key.toString('base64')}`;
      for (const secrets of [encoded, `${encoded}\n`, encoded.replace(/=/g, '')]) {
        expect(await verifyCallback({ body, headers, secrets, now })).toEqual(content);
      }
    }
  });

  it.each<[string, SignedCallback['headers']]>([
    ['a Headers object', new Headers(signed().headers)],
    [
      'the headers of Node.js, with arrays and undefined values',
      { ...signed().headers, 'set-cookie': ['a', 'b'], accept: undefined },
    ],
    [
      'an object with names in upper case',
      Object.fromEntries(Object.entries(signed().headers).map(([name, value]) => [name.toUpperCase(), value])),
    ],
    ['an object with arrays', Object.fromEntries(Object.entries(signed().headers).map(([name, value]) => [name, [value]]))],
    ['an object without a prototype', Object.assign(Object.create(null), signed().headers)],
  ])('is accepted with %s', async (_case, headers) => {
    expect(await verifyCallback({ ...signed(), headers })).toEqual(content);
  });

  it('is accepted if its body is bytes with non-ASCII characters', async () => {
    const umlauts = '{"transactionId":"t","orderRef":"Bestellung für Zoë – 🪑"}';
    const callback = { ...signed({ body: umlauts }), body: new TextEncoder().encode(umlauts) };

    expect(await verifyCallback(callback)).toMatchObject({ orderRef: 'Bestellung für Zoë – 🪑' });
    expect(await verifyCallback({ ...callback, body: Buffer.from(umlauts) })).toMatchObject({ transactionId: 't' });
  });

  it('is accepted if one of several secrets signed it, or one of several signatures is valid', async () => {
    const wrong = signed({ secret: otherSecret }).headers['webhook-signature'];
    const valid = signed().headers['webhook-signature'];
    const headers = { ...signed().headers, 'webhook-signature': `${wrong} v1a,AAAA ${valid.replace('v1', 'v2')} ${valid} v1,?` };

    expect(await verifyCallback({ ...signed(), secrets: [otherSecret, secret] })).toEqual(content);
    expect(await verifyCallback({ ...signed(), headers })).toEqual(content);
  });

  it('is accepted with unknown fields, which are dropped', async () => {
    const extended = '{"transactionId":"t","orderRef":"","status":"PENDING"}';
    expect(await verifyCallback(signed({ body: extended }))).toEqual({ id: 'msg_1', transactionId: 't', orderRef: '' });
  });
});

describe('A callback', () => {
  it.each(['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const)('is rejected without one %s', async (name) => {
    const { [name]: value, ...headers } = signed().headers;
    expect(value).toBeDefined();
    await rejected({ ...signed(), headers }, 'missing-header');
    await rejected({ ...signed(), headers: new Headers(headers) }, 'missing-header');
    await rejected({ ...signed(), headers: { ...headers, [name]: '' } }, 'missing-header');
    await rejected({ ...signed(), headers: { ...headers, [name]: [value, value] } }, 'missing-header');
    await rejected({ ...signed(), headers: { ...headers, [name]: value, [name.toUpperCase()]: value } }, 'missing-header');
  });

  it.each([
    [300_000, 'accepted'],
    [-300_000, 'accepted'],
    [300_001, 'rejected'],
    [-300_001, 'rejected'],
    [86_400_000, 'rejected'],
  ])('with a timestamp %i ms from the clock is %s', async (differenceMs, expected) => {
    const callback = { ...signed(), now: now + differenceMs };
    if (expected === 'accepted') expect(await verifyCallback(callback)).toEqual(content);
    else await rejected(callback, 'stale');
  });

  it('is accepted or rejected by a custom tolerance', async () => {
    expect(await verifyCallback({ ...signed(), now: now + 3_600_000, toleranceMs: 3_600_000 })).toEqual(content);
    await rejected({ ...signed(), now: now + 1_000, toleranceMs: 0 }, 'stale');
    await rejected({ ...signed(), toleranceMs: Number.NaN }, 'stale');
  });

  it.each(['', 'soon', '1e9', '-1', '0x5f', '1795262400.5', ' ', '99999999999999', 'NaN'])(
    'is rejected if its timestamp is %j, even with a valid signature',
    async (timestamp) => {
      const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
      const signature = createHmac('sha256', key).update(`msg_1.${timestamp}.${body}`).digest('base64');
      const headers = { 'webhook-id': 'msg_1', 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
      await rejected({ body, headers, secrets: secret, now }, timestamp === '' ? 'missing-header' : 'stale');
    },
  );

  it.each([
    '',
    'null',
    '[]',
    '{',
    '{"transactionId":"","orderRef":"o"}',
    '{"transactionId":1,"orderRef":"o"}',
    '{"transactionId":"t"}',
  ])('is rejected with a valid signature and the body %j', async (invalidBody) => {
    await rejected(signed({ body: invalidBody }), 'invalid-body');
  });

  it('is rejected if its bytes are not valid UTF-8', async () => {
    const bytes = Uint8Array.from([...new TextEncoder().encode('{"transactionId":"t","orderRef":"'), 0xff, 0x22, 0x7d]);
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
    const signature = createHmac('sha256', key)
      .update(`msg_1.${now / 1_000}.`)
      .update(bytes)
      .digest('base64');
    await rejected(
      { ...signed(), body: bytes, headers: { ...signed().headers, 'webhook-signature': `v1,${signature}` } },
      'invalid-body',
    );
  });

  it('is rejected with an error that contains neither the secret nor the body', async () => {
    for (const callback of [{ ...signed(), body: '{"name":"Augusta"' }, signed({ body: '{"name":"Augusta"' })]) {
      const error: unknown = await verifyCallback(callback).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(CallbackError);
      expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toMatch(/Augusta|MfKQ9r8/);
    }
  });
});

describe('verifyCallback', () => {
  const secretOf = (bytes: number) => `whsec_${Buffer.alloc(bytes, 'MfKQ9').toString('base64')}`;
  it.each<[string, object, string]>([
    ['no secret', { secrets: [] }, 'at least one'],
    ['undefined secrets', { secrets: undefined }, 'may not be set'],
    ['secrets of null', { secrets: null }, 'may not be set'],
    ['secrets in an object', { secrets: { secret } }, 'may not be set'],
    ['an empty secret', { secrets: '' }, 'base64'],
    ['a secret that is only the prefix', { secrets: 'whsec_' }, 'base64'],
    ['a truncated secret', { secrets: 'whsec_MfKQ9' }, 'base64'],
    ['a secret without its prefix', { secrets: secret.slice('whsec_'.length) }, 'whsec_'],
    ['a secret with two prefixes', { secrets: `whsec_${secret}` }, 'base64'],
    ['a secret of 23 bytes', { secrets: secretOf(23) }, '24 to 64 bytes'],
    ['a secret of 65 bytes', { secrets: secretOf(65) }, '24 to 64 bytes'],
    ['a secret with too much padding', { secrets: `${secret}=` }, 'base64'],
    ['several secrets in one string', { secrets: `${secret},${otherSecret}` }, 'base64'],
    ['the secret of the key pair', { secrets: [secret, 'ft_sandbox_secret_dEf'] }, 'base64'],
    ['several secrets of which one is undefined', { secrets: [secret, undefined] }, 'base64'],
    ['a parsed body', { body: JSON.parse(body) as string }, 'as received'],
  ])('throws a TypeError for %s', async (_case, change, reason) => {
    const error: unknown = await verifyCallback({ ...signed(), ...change }).catch((thrown: unknown) => thrown);

    expect(error).toBeInstanceOf(TypeError);
    expect((error as TypeError).message).toContain(reason);
    expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toMatch(/MfKQ9|ft_sandbox|TWZLU/);
  });

  it('checks the secrets before the callback', async () => {
    await expect(verifyCallback({ body: '', headers: {}, secrets: 'whsec_MfKQ9' })).rejects.toThrow(TypeError);
  });
});
