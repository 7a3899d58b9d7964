import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { CallbackError, verifyCallback } from '../../../shared/client/index.ts';
import { signed } from './signed.ts';

const badSignature = { name: 'CallbackError', code: 'bad-signature' };

describe('Every signed callback', () => {
  const anyCallback = fc.record({
    id: fc.stringMatching(/^[\x21-\x7e]{1,40}$/),
    key: fc.uint8Array({ minLength: 24, maxLength: 64 }),
    seconds: fc.integer({ min: 0, max: 4_000_000_000 }),
    transactionId: fc.string({ minLength: 1, unit: 'grapheme' }),
    orderRef: fc.string({ unit: 'grapheme' }),
  });
  type CallbackFields = typeof anyCallback extends fc.Arbitrary<infer T> ? T : never;
  const sign = ({ id, key, seconds, transactionId, orderRef }: CallbackFields) => {
    const bytes = new TextEncoder().encode(JSON.stringify({ transactionId, orderRef }));
    const secrets = `whsec_${Buffer.from(key).toString('base64')}`;
    const signature = new Webhook(secrets).sign(id, new Date(seconds * 1_000), new TextDecoder().decode(bytes));
    const headers = { 'webhook-id': id, 'webhook-timestamp': String(seconds), 'webhook-signature': signature };
    return { body: bytes, headers, secrets, now: seconds * 1_000 };
  };

  it('is accepted', async () => {
    await fc.assert(
      fc.asyncProperty(anyCallback, async (fields) => {
        const { id, transactionId, orderRef } = fields;
        expect(await verifyCallback(sign(fields))).toEqual({ id, transactionId, orderRef });
      }),
    );
  });

  it('is rejected if any bit of its body is flipped', async () => {
    await fc.assert(
      fc.asyncProperty(anyCallback, fc.nat(), async (fields, number) => {
        const callback = sign(fields);
        const bit = number % (callback.body.length * 8);
        const flipped = Uint8Array.from(callback.body);
        flipped[bit >> 3]! ^= 1 << (bit & 7);
        await expect(verifyCallback({ ...callback, body: flipped })).rejects.toMatchObject(badSignature);
      }),
    );
  });

  it('is rejected if any bit of a header is flipped', async () => {
    const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const;
    await fc.assert(
      fc.asyncProperty(anyCallback, fc.constantFrom(...names), fc.nat(), async (fields, name, number) => {
        const callback = sign(fields);
        const flipped = withFlippedBit(callback.headers[name], number % (callback.headers[name].length * 8));
        const headers = { ...callback.headers, [name]: flipped };
        await expect(verifyCallback({ ...callback, headers, toleranceMs: 1e15 })).rejects.toThrow(CallbackError);
      }),
      { numRuns: 1_000 },
    );
  });

  it('is rejected for each flipped bit of a signature', async () => {
    const { headers } = signed();
    const signature = headers['webhook-signature'];
    for (let bit = 0; bit < signature.length * 8; bit++) {
      const flipped = { ...signed(), headers: { ...headers, 'webhook-signature': withFlippedBit(signature, bit) } };
      await expect(verifyCallback(flipped)).rejects.toMatchObject(badSignature);
    }
  });
});

function withFlippedBit(text: string, bit: number): string {
  const characters = text.split('');
  characters[bit >> 3] = String.fromCharCode(characters[bit >> 3]!.charCodeAt(0) ^ (1 << (bit & 7)));
  return characters.join('');
}
