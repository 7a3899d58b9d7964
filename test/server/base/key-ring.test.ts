import { createCipheriv, randomBytes } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { KeyRing, newDataKey, parseKeyRing, type AssociatedData, SealedDataError } from '../../../server/base/key-ring.ts';

const first = newDataKey('first');
const second = newDataKey('second');
const ringOf = (...keys: string[]): KeyRing => parseKeyRing(keys.join(','), 'DATA_KEYS');
const associatedData: AssociatedData = ['carts', 'a'];

/** Encrypts bytes for the associatedData as a key ring does, but never compresses them. */
function encrypted(plaintext: Buffer): string {
  const nonce = randomBytes(12);
  const key = Buffer.from(first.slice('first:'.length), 'base64');
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(`v2${JSON.stringify(associatedData)}`));
  const sealed = Buffer.concat([nonce, cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]);
  return `v2.first.${sealed.toString('base64url')}`;
}

describe('A key ring', () => {
  it('opens what it has sealed, and seals equal values differently', () => {
    const ring = ringOf(first);
    for (const text of ['', '{"name":"Žofie 東 🪑"}', 'x'.repeat(100_000)]) {
      const one = ring.seal(text, associatedData);
      const other = ring.seal(text, associatedData);
      expect(one).toMatch(/^v2\.first\.[\w-]+$/);
      expect(one).not.toBe(other);
      expect([ring.open(one, associatedData), ring.open(other, associatedData)]).toEqual([text, text]);
    }
  });

  it('opens every text that it has sealed, of any length', () => {
    const ring = ringOf(first);
    const texts = fc.string({ unit: 'binary', maxLength: 500 });
    fc.assert(fc.property(texts, (text) => ring.open(ring.seal(text, associatedData), associatedData) === text));
    // The letter with which compressed values begin.
    for (let length = 0; length < 1_000; length++) {
      const text = 'x'.repeat(length);
      expect(ring.open(ring.seal(text, associatedData), associatedData)).toBe(text);
    }
  });

  it('compresses no short texts, because that takes longer than all else', () => {
    expect(ringOf(first).open(encrypted(Buffer.from('{"a":1}')), associatedData)).toBe('{"a":1}');
    const sealed = ringOf(first).seal('a'.repeat(1_000), associatedData);
    expect(Buffer.from(sealed.slice('v2.first.'.length), 'base64url').length).toBe(12 + 1_000 + 16);
  });

  it('compresses long texts', () => {
    const text = JSON.stringify(Array.from({ length: 100 }, (_, index) => ({ name: 'Chair', price: index })));
    expect(ringOf(first).seal(text, associatedData).length).toBeLessThan(text.length / 4);
  });

  it('does not open a value that is decompressed to more than 64 MiB', () => {
    const sealed = encrypted(deflateSync(Buffer.alloc(64 * 1024 * 1024 + 1)));
    expect(() => ringOf(first).open(sealed, associatedData)).toThrow(SealedDataError);
  });

  it.each([
    ['another row', ['carts', 'b']],
    ['another table', ['transactions', 'a']],
    ['a row with another primary key', ['carts', 'a', '']],
  ] as [string, AssociatedData][])('does not open a value that was moved to %s', (_where, elsewhere) => {
    const ring = ringOf(first);
    expect(() => ring.open(ring.seal('text', associatedData), elsewhere)).toThrow(SealedDataError);
  });

  it('does not open a value of which any character was changed', () => {
    const ring = ringOf(first);
    const sealed = ring.seal('text', associatedData);
    for (let index = 0; index < sealed.length; index++) {
      // The last bits of a base64url character at the end may be unused.
      const other = sealed[index] === 'A' ? 'Q' : 'A';
      const changed = sealed.slice(0, index) + other + sealed.slice(index + 1);
      expect(() => ring.open(changed, associatedData)).toThrow(SealedDataError);
    }
  });

  it('verifies the authentication code of a row once, and rejects it for every other row, before and after', () => {
    const ring = ringOf(first);
    const mac = ring.mac(['merchant_keys', 'a', 'merchant']);
    const other: AssociatedData = ['merchant_keys', 'a', 'other'];
    expect(() => ring.verifyMac(mac, other)).toThrow(SealedDataError);
    for (let turn = 0; turn < 2; turn += 1) {
      ring.verifyMac(mac, ['merchant_keys', 'a', 'merchant']);
      expect(() => ring.verifyMac(mac, other)).toThrow(SealedDataError);
      expect(() => ring.verifyMac(`${mac}A`, ['merchant_keys', 'a', 'merchant'])).toThrow(SealedDataError);
    }
  });

  it.each(['', 'text', 'v2.first.', 'v2.first.AAAA', 'v3.first.AAAA', '{"name":"Ada"}'])('does not open %j', (sealed) => {
    expect(() => ringOf(first).open(sealed, associatedData)).toThrow(SealedDataError);
  });

  it('seals with its first key, and opens with all of them', () => {
    const earlier = ringOf(first).seal('text', associatedData);
    const ring = ringOf(second, first);
    expect(ring.seal('text', associatedData)).toMatch(/^v2\.second\./);
    expect(ring.open(earlier, associatedData)).toBe('text');
    expect(() => ringOf(second).open(earlier, associatedData)).toThrow(SealedDataError);
  });

  it.each([
    ['', 'but received no key'],
    ['first', 'but received another value'],
    [first.slice(0, -4), 'but received another value'],
    [first.slice('first:'.length), 'but received another value'],
    [`fi.rst:${first.slice('first:'.length)}`, 'but received another value'],
    [`${first},${newDataKey('first')}`, 'but received one id twice'],
  ])('is rejected without printing a key: %#', (text, problem) => {
    const parse = () => parseKeyRing(text, 'DATA_KEYS');
    expect(parse).toThrow(/^DATA_KEYS: expected /);
    expect(parse).toThrow(problem);
    const key = first.slice('first:'.length, -4);
    expect(parse).not.toThrow(key);
  });

  it.each([
    ['zeros', Buffer.alloc(32)],
    ['one repeated byte', Buffer.alloc(32, 0xa5)],
    ['a repeated word', Buffer.from('password'.repeat(4))],
    ['a number', Buffer.from('1234567890'.repeat(4)).subarray(0, 32)],
  ])('is rejected if a key consists of %s', (_case, bytes) => {
    const parse = () => ringOf(first, `weak:${bytes.toString('base64')}`);
    expect(parse).toThrow(/^DATA_KEYS: expected random keys, but the bytes of the key weak repeat/);
    expect(parse).not.toThrow(bytes.toString('base64'));
  });

  it('accepts every random key', () => {
    for (let count = 0; count < 10_000; count++) expect(() => ringOf(newDataKey('random'))).not.toThrow();
  });

  it('is parsed from lines, and from base64 or base64url', () => {
    const base64url = second.replaceAll('+', '-').replaceAll('/', '_').replace('=', '');
    const ring = parseKeyRing(`${first}\n${base64url}\n`, 'DATA_KEYS_FILE');
    expect(ring.ids).toEqual(['first', 'second']);
    expect(ring.open(ringOf(second).seal('text', associatedData), associatedData)).toBe('text');
  });
});
