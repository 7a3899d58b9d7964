import { createHmac, createSecretKey } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { FORM_TOKEN_MS, type FormIdentity, formToken, verifyFormToken } from '../../../../server/checkout/web/form-token.ts';
import { plusMs } from '../../../../server/time.ts';

const key = createSecretKey(Buffer.alloc(32, 7));
const otherKey = createSecretKey(Buffer.alloc(32, 8));
const cart = '019a0000-0000-7000-8000-000000000001';
const issuedAt = '2026-11-21T09:30:00.000000Z';
const secret = 'S'.repeat(22);
const nextSecret = 'N'.repeat(22);
const form = { cartId: cart, secret, place: 'details', nextSecret };
const token = formToken(key, form, issuedAt);

describe('The form token', () => {
  it('consists of its creation time in seconds and a MAC that is verified with the key', () => {
    const bytes = Buffer.alloc(32, 7);
    const seal = createHmac('sha256', bytes).update(`${cart}|${secret}|details|${nextSecret}|1795253400`).digest('base64url');
    expect(token).toBe(`1795253400.${seal}`);
  });

  it.each([
    ['at once', 0, 'genuine'],
    ['after a day', FORM_TOKEN_MS, 'genuine'],
    ['a millisecond later', FORM_TOKEN_MS + 1, 'expired'],
    ['after ten years', 3_650 * FORM_TOKEN_MS, 'expired'],
    ['by a clock a day behind', -FORM_TOKEN_MS, 'genuine'],
    ['by a clock further behind', -FORM_TOKEN_MS - 1, 'expired'],
  ] as const)('submitted %s is %s', (_when, ageMs, verdict) => {
    expect(verifyFormToken(key, form, token, plusMs(issuedAt, ageMs))).toBe(verdict);
  });

  it.each<[string, typeof key, Partial<FormIdentity>]>([
    ['another step', key, { place: 'apply' }],
    ['another cart', key, { cartId: '019a0000-0000-7000-8000-000000000002' }],
    ['another session of the same cart', key, { secret: 'T'.repeat(22) }],
    ['the link of the same cart', key, { secret: undefined }],
    ['another secret to continue under', key, { nextSecret: 'M'.repeat(22) }],
    ['a database with another key', otherKey, {}],
    ['a secret that was moved into the cart’s id', key, { cartId: `${cart}|${secret}`, secret: undefined }],
  ])('is rejected for %s', (_what, ofKey, change) => {
    expect(verifyFormToken(ofKey, { ...form, ...change }, token, issuedAt)).toBe('forged');
  });

  const [seconds, seal] = token.split('.') as [string, string];
  it.each([
    undefined,
    null,
    '',
    7,
    [token],
    { token },
    '.',
    seal,
    `${seconds}.`,
    `${seconds}.${seal}.`,
    `${seconds}.${seal}=`,
    ` ${token}`,
    `${token}\n`,
    `${token}\0`,
    `${Number(seconds) + 1}.${seal}`,
    `0${seconds}.${seal}`,
    `-${seconds}.${seal}`,
    `${seconds}e0.${seal}`,
    `99999999999999.${seal}`,
    `${seconds}.${seal.toLowerCase()}`,
    `${seconds}.${seal.slice(1)}`,
    `${seconds}.${'A'.repeat(43)}`,
    `${seconds}.${seal}${'A'.repeat(100_000)}`,
    token.replace(/[0-9]/, '٣'),
  ])('is rejected as %j', (changed) => {
    expect(verifyFormToken(key, form, changed, issuedAt)).toBe('forged');
  });

  it('is rejected if any bit of its MAC has changed', () => {
    const bytes = Buffer.from(seal, 'base64url');
    for (let bit = 0; bit < 256; bit++) {
      const changed = Buffer.from(bytes);
      changed[bit >> 3]! ^= 1 << (bit & 7);
      const verdict = verifyFormToken(key, form, `${seconds}.${changed.toString('base64url')}`, issuedAt);
      expect(verdict, `bit ${bit}`).toBe('forged');
    }
  });

  it('has one encoding: no other last character decodes to the same MAC', () => {
    const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const genuine = Array.from(letters).filter(
      (letter) => verifyFormToken(key, form, `${seconds}.${seal.slice(0, -1)}${letter}`, issuedAt) === 'genuine',
    );
    expect(genuine).toEqual([seal.at(-1)]);
  });
});
