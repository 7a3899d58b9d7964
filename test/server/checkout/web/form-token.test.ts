import { createHmac, createSecretKey } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { type CheckoutForm, identityOf } from '../../../../server/checkout/web/forms.ts';
import { FORM_TOKEN_MS, issueToken, verifyToken } from '../../../../server/http/pages/form.ts';
import { plusMs } from '../../../../server/base/time.ts';

const key = createSecretKey(Buffer.alloc(32, 7));
const otherKey = createSecretKey(Buffer.alloc(32, 8));
const cart = '019a0000-0000-7000-8000-000000000001';
const issuedAt = '2026-11-21T09:30:00.000000Z';
const secret = 'S'.repeat(22);
const nextSecret = 'N'.repeat(22);
const form = { cartId: cart, secret, path: 'details', nextSecret };
const id = 'I'.repeat(22);
const token = issueToken(key, identityOf(form), issuedAt, id);

describe('The form token', () => {
  it('consists of its id, its creation time in seconds and a MAC that is verified with the key', () => {
    const bytes = Buffer.alloc(32, 7);
    const mac = createHmac('sha256', bytes)
      .update(`${id}|1795253400|${cart}|${secret}|details|${nextSecret}`)
      .digest('base64url');
    expect(token).toBe(`${id}.1795253400.${mac}`);
  });

  it('differs each time, so that the size of a compressed page does not reveal it', () => {
    const tokens = [issueToken(key, identityOf(form), issuedAt), issueToken(key, identityOf(form), issuedAt)];
    expect(new Set(tokens).size).toBe(2);
    for (const each of tokens) expect(verifyToken(key, identityOf(form), each, issuedAt)).toBe('valid');
  });

  it.each([
    ['immediately', 0, 'valid'],
    ['after a day', FORM_TOKEN_MS, 'valid'],
    ['a day and a millisecond later', FORM_TOKEN_MS + 1, 'expired'],
    ['after ten years', 3_650 * FORM_TOKEN_MS, 'expired'],
    ['when the clock is a day behind', -FORM_TOKEN_MS, 'valid'],
    ['when the clock is more than a day behind', -FORM_TOKEN_MS - 1, 'expired'],
  ] as const)('submitted %s is %s', (_title, ageMs, tokenStatus) => {
    expect(verifyToken(key, identityOf(form), token, plusMs(issuedAt, ageMs))).toBe(tokenStatus);
  });

  it.each<[string, typeof key, Partial<CheckoutForm>]>([
    ['another step', key, { path: 'apply' }],
    ['another cart', key, { cartId: '019a0000-0000-7000-8000-000000000002' }],
    ['another session of the same cart', key, { secret: 'T'.repeat(22) }],
    ['the link of the same cart', key, { secret: undefined }],
    ['another next secret', key, { nextSecret: 'M'.repeat(22) }],
    ['another key', otherKey, {}],
    ['a cart id that contains the secret', key, { cartId: `${cart}|${secret}`, secret: undefined }],
  ])('is rejected for %s', (_title, verifyingKey, change) => {
    expect(verifyToken(verifyingKey, identityOf({ ...form, ...change }), token, issuedAt)).toBe('forged');
  });

  const [, seconds, mac] = token.split('.') as [string, string, string];
  it.each([
    undefined,
    null,
    '',
    7,
    [token],
    { token },
    '.',
    mac,
    `${seconds}.${mac}`,
    `${'J'.repeat(22)}.${seconds}.${mac}`,
    `${id.slice(1)}.${seconds}.${mac}`,
    `${id}.${seconds}.`,
    `${id}.${seconds}.${mac}.`,
    `${id}.${seconds}.${mac}=`,
    ` ${token}`,
    `${token}\n`,
    `${token}\0`,
    `${id}.${Number(seconds) + 1}.${mac}`,
    `${id}.0${seconds}.${mac}`,
    `${id}.-${seconds}.${mac}`,
    `${id}.${seconds}e0.${mac}`,
    `${id}.99999999999999.${mac}`,
    `${id}.${seconds}.${mac.toLowerCase()}`,
    `${id}.${seconds}.${mac.slice(1)}`,
    `${id}.${seconds}.${'A'.repeat(43)}`,
    `${id}.${seconds}.${mac}${'A'.repeat(100_000)}`,
    token.replace(/[0-9]/, '٣'),
  ])('is rejected if it is %j', (changed) => {
    expect(verifyToken(key, identityOf(form), changed, issuedAt)).toBe('forged');
  });

  it('is rejected if any bit of the MAC has changed', () => {
    const bytes = Buffer.from(mac, 'base64url');
    for (let bit = 0; bit < 256; bit++) {
      const changed = Buffer.from(bytes);
      changed[bit >> 3]! ^= 1 << (bit & 7);
      const tokenStatus = verifyToken(key, identityOf(form), `${id}.${seconds}.${changed.toString('base64url')}`, issuedAt);
      expect(tokenStatus, `bit ${bit}`).toBe('forged');
    }
  });

  it('is rejected with any other last character, even if it decodes to the same MAC', () => {
    const characters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const valid = Array.from(characters).filter(
      (character) => verifyToken(key, identityOf(form), `${id}.${seconds}.${mac.slice(0, -1)}${character}`, issuedAt) === 'valid',
    );
    expect(valid).toEqual([mac.at(-1)]);
  });
});
