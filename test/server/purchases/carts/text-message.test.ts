import { describe, expect, it } from 'vitest';
import { textMessage } from '../../../../server/purchases/carts/messages.ts';

const url = 'https://pay.example/c/AAAAAAAAAAAAAAAAAAAAAA';

describe('The text with the link of a cart', () => {
  it('contains the merchant and the link', () => {
    expect(textMessage('Acme Goods', url)).toBe(`Acme Goods: continue your checkout at ${url}`);
  });

  it.each([
    ['of GSM 7-bit characters', 'A'.repeat(500), 306],
    ['with a character that requires UCS-2', `${'Möbel '.repeat(60)}東`, 134],
    ['of surrogate pairs', '🪑'.repeat(200), 134],
    ['of emoji sequences', '👩‍👩‍👧'.repeat(50), 134],
  ])('has at most two segments, because it truncates a long name %s', (_title, name, maxLength) => {
    const text = textMessage(name, url);

    expect(text.length).toBeLessThanOrEqual(maxLength);
    expect(text.length).toBeGreaterThan(maxLength - 12);
    expect(text).toMatch(/^.+\.\.\.: continue your checkout at /u);
    expect(text.endsWith(url)).toBe(true);
    expect(() => encodeURIComponent(text), 'no surrogate pair is split').not.toThrow();
  });

  it('does not truncate a long link', () => {
    const long = `https://pay.example/${'x'.repeat(400)}`;
    expect(textMessage('Acme Goods', long)).toContain(long);
  });

  it('is a single line', () => {
    expect(textMessage('Acme\r\nGoods', url)).toMatch(/^Acme Goods: /);
  });
});
