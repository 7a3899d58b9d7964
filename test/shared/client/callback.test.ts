import { createHmac, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { CallbackError, type SignedCallback, verifyCallback } from '../../../shared/client/index.ts';
import { listening } from '../../demo/listening.ts';
import { body, now, other, secret, signed } from './signed.ts';

const content = { id: 'msg_1', transactionId: '0193-tx', orderRef: 'ORDER-1' };
const rejected = (callback: SignedCallback, code: string) =>
  expect(verifyCallback(callback)).rejects.toMatchObject({ name: 'CallbackError', code });

describe('a signed callback', () => {
  it('is accepted and parsed', async () => {
    expect(await verifyCallback(signed())).toEqual(content);
  });

  it('is accepted if it is the published example of Standard Webhooks', async () => {
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

  it('is accepted when it is signed by hand with a key of any allowed length', async () => {
    for (const bytes of [24, 32, 64]) {
      const key = randomBytes(bytes);
      const signature = createHmac('sha256', key)
        .update(`msg_1.${now / 1_000}.${body}`)
        .digest('base64');
      const headers = { ...signed().headers, 'webhook-signature': `v1,${signature}` };
      const shown = `whsec_${key.toString('base64')}`;
      for (const secrets of [shown, `${shown}\n`, shown.replace(/=/g, '')]) {
        expect(await verifyCallback({ body, headers, secrets, now })).toEqual(content);
      }
    }
  });

  it.each<[string, SignedCallback['headers']]>([
    ['a Headers', new Headers(signed().headers)],
    ['Node’s headers, with lists and absent ones', { ...signed().headers, 'set-cookie': ['a', 'b'], accept: undefined }],
    [
      'a record in capitals',
      Object.fromEntries(Object.entries(signed().headers).map(([name, value]) => [name.toUpperCase(), value])),
    ],
    ['a record of lists', Object.fromEntries(Object.entries(signed().headers).map(([name, value]) => [name, [value]]))],
    ['a record without a prototype', Object.assign(Object.create(null), signed().headers)],
  ])('is accepted with %s', async (_what, headers) => {
    expect(await verifyCallback({ ...signed(), headers })).toEqual(content);
  });

  it('is accepted as bytes with any characters', async () => {
    const umlauts = '{"transactionId":"t","orderRef":"Bestellung für Zoë – 🪑"}';
    const callback = { ...signed({ body: umlauts }), body: new TextEncoder().encode(umlauts) };

    expect(await verifyCallback(callback)).toMatchObject({ orderRef: 'Bestellung für Zoë – 🪑' });
    expect(await verifyCallback({ ...callback, body: Buffer.from(umlauts) })).toMatchObject({ transactionId: 't' });
  });

  it('is accepted when one of several secrets signed it, or one of several signatures is valid', async () => {
    const wrong = signed({ secret: other }).headers['webhook-signature'];
    const right = signed().headers['webhook-signature'];
    const headers = { ...signed().headers, 'webhook-signature': `${wrong} v1a,AAAA ${right.replace('v1', 'v2')} ${right} v1,?` };

    expect(await verifyCallback({ ...signed(), secrets: [other, secret] })).toEqual(content);
    expect(await verifyCallback({ ...signed(), headers })).toEqual(content);
  });

  it('may have unknown fields', async () => {
    const later = '{"transactionId":"t","orderRef":"","status":"PENDING"}';
    expect(await verifyCallback(signed({ body: later }))).toEqual({ id: 'msg_1', transactionId: 't', orderRef: '' });
  });

  it('arrives at a real server', async () => {
    const { url } = await listening(
      createServer((request, response) => {
        void text(request)
          .then((received) => verifyCallback({ body: received, headers: request.headers, secrets: secret, now }))
          .then(({ transactionId }) => response.end(transactionId));
      }).listeners('request')[0] as Parameters<typeof listening>[0],
    );

    const returned = await fetch(url, {
      method: 'POST',
      body,
      headers: { ...signed().headers, 'content-type': 'application/json' },
    });

    expect(await returned.text()).toBe('0193-tx');
  });
});

describe('a callback is rejected', () => {
  it.each(['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const)('without %s', async (name) => {
    const { [name]: left, ...headers } = signed().headers;
    expect(left).toBeDefined();
    await rejected({ ...signed(), headers }, 'missing-header');
    await rejected({ ...signed(), headers: new Headers(headers) }, 'missing-header');
    await rejected({ ...signed(), headers: { ...headers, [name]: '' } }, 'missing-header');
    await rejected({ ...signed(), headers: { ...headers, [name]: [left, left] } }, 'missing-header');
    await rejected({ ...signed(), headers: { ...headers, [name]: left, [name.toUpperCase()]: left } }, 'missing-header');
  });

  it.each([
    [300_000, true],
    [-300_000, true],
    [300_001, false],
    [-300_001, false],
    [86_400_000, false],
  ])('when the clocks are %i ms apart: accepted %s', async (apartMs, expected) => {
    const callback = { ...signed(), now: now + apartMs };
    if (expected) expect(await verifyCallback(callback)).toEqual(content);
    else await rejected(callback, 'stale');
  });

  it('according to a custom tolerance', async () => {
    expect(await verifyCallback({ ...signed(), now: now + 3_600_000, toleranceMs: 3_600_000 })).toEqual(content);
    await rejected({ ...signed(), now: now + 1_000, toleranceMs: 0 }, 'stale');
    await rejected({ ...signed(), toleranceMs: Number.NaN }, 'stale');
  });

  it('according to the system clock by default', async () => {
    const { now: _then, ...old } = signed();
    const { now: _other, ...fresh } = signed({ at: new Date() });

    await rejected(old, 'stale');
    expect(await verifyCallback(fresh)).toEqual(content);
  });

  it.each(['', 'soon', '1e9', '-1', '0x5f', '1795262400.5', ' ', '99999999999999', 'NaN'])(
    'when its timestamp is %j, even with a valid signature',
    async (timestamp) => {
      const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
      const signature = createHmac('sha256', key).update(`msg_1.${timestamp}.${body}`).digest('base64');
      const headers = { 'webhook-id': 'msg_1', 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
      await rejected({ body, headers, secrets: secret, now }, timestamp === '' ? 'missing-header' : 'stale');
    },
  );

  it.each([
    ['another secret', { secrets: other }],
    ['another body', { body: body.replace('ORDER-1', 'ORDER-2') }],
    ['a body that was written anew', { body: JSON.stringify(JSON.parse(body), null, 2) }],
    ['another id', { headers: { ...signed().headers, 'webhook-id': 'msg_2' } }],
    ['another, timely timestamp', { headers: { ...signed().headers, 'webhook-timestamp': String(now / 1_000 + 1) } }],
    ['a timestamp spelled differently', { headers: { ...signed().headers, 'webhook-timestamp': `0${now / 1_000}` } }],
    [
      'half a signature',
      { headers: { ...signed().headers, 'webhook-signature': signed().headers['webhook-signature'].slice(0, 20) } },
    ],
    [
      'a signature without a version',
      { headers: { ...signed().headers, 'webhook-signature': signed().headers['webhook-signature'].slice(3) } },
    ],
    ['an empty signature', { headers: { ...signed().headers, 'webhook-signature': 'v1,' } }],
  ] satisfies [string, Partial<SignedCallback>][])('with %s', async (_what, change) => {
    await rejected({ ...signed(), ...change }, 'bad-signature');
  });

  it('when the valid signature follows too many others', async () => {
    const { headers } = signed();
    const wrong = signed({ secret: other }).headers['webhook-signature'];
    const many = [...Array.from({ length: 16 }, () => wrong), headers['webhook-signature']].join(' ');
    await rejected({ ...signed(), headers: { ...headers, 'webhook-signature': many } }, 'bad-signature');
  });

  it.each([
    '',
    'null',
    '[]',
    '{',
    '{"transactionId":"","orderRef":"o"}',
    '{"transactionId":1,"orderRef":"o"}',
    '{"transactionId":"t"}',
  ])('when it is signed and its body is %j', async (unusable) => {
    await rejected(signed({ body: unusable }), 'invalid-body');
  });

  it('when its bytes are not valid UTF-8', async () => {
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

  it('without including the secret or the body in the error', async () => {
    for (const callback of [{ ...signed(), body: '{"name":"Augusta"' }, signed({ body: '{"name":"Augusta"' })]) {
      const error: unknown = await verifyCallback(callback).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(CallbackError);
      expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toMatch(/Augusta|MfKQ9r8/);
    }
  });
});

describe('a caller error', () => {
  const secretOf = (bytes: number) => `whsec_${Buffer.alloc(bytes, 'MfKQ9').toString('base64')}`;
  it.each<[string, object, string]>([
    ['no secret', { secrets: [] }, 'at least one'],
    ['secrets that are not set', { secrets: undefined }, 'may not be set'],
    ['secrets that are null', { secrets: null }, 'may not be set'],
    ['secrets in an object', { secrets: { secret } }, 'may not be set'],
    ['an empty secret', { secrets: '' }, 'base64'],
    ['a prefix alone', { secrets: 'whsec_' }, 'base64'],
    ['a secret that is cut off', { secrets: 'whsec_MfKQ9' }, 'base64'],
    ['a secret without its prefix', { secrets: secret.slice('whsec_'.length) }, 'whsec_'],
    ['a secret with two', { secrets: `whsec_${secret}` }, 'base64'],
    ['a secret of 23 bytes', { secrets: secretOf(23) }, '24 to 64 bytes'],
    ['a secret of 65 bytes', { secrets: secretOf(65) }, '24 to 64 bytes'],
    ['a secret with too many signs at its end', { secrets: `${secret}=` }, 'base64'],
    ['several secrets as one', { secrets: `${secret},${other}` }, 'base64'],
    ['the secret of the key pair', { secrets: [secret, 'ft_sandbox_secret_dEf'] }, 'base64'],
    ['one of the secrets is not set', { secrets: [secret, undefined] }, 'base64'],
    ['a body that was parsed', { body: JSON.parse(body) as string }, 'as received'],
  ])('throws a TypeError: %s', async (_what, change, why) => {
    const error: unknown = await verifyCallback({ ...signed(), ...change }).catch((thrown: unknown) => thrown);

    expect(error).toBeInstanceOf(TypeError);
    expect((error as TypeError).message).toContain(why);
    expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toMatch(/MfKQ9|ft_sandbox|TWZLU/);
  });

  it('throws before the callback is verified', async () => {
    await expect(verifyCallback({ body: '', headers: {}, secrets: 'whsec_MfKQ9' })).rejects.toThrow(TypeError);
  });
});
