import { describe, expect, it } from 'vitest';
import { textMessage } from '../../../server/carts/messages.ts';

const url = 'https://pay.example/c/AAAAAAAAAAAAAAAAAAAAAA';

describe('The text with the link of a cart', () => {
  it('contains the merchant and the link', () => {
    expect(textMessage('Acme Goods', url)).toBe(`Acme Goods: continue your checkout at ${url}`);
  });

  it.each([
    ['in the alphabet every phone has', 'A'.repeat(500), 306],
    ['with a word that is not in it', `${'Möbel '.repeat(60)}東`, 134],
    ['of signs that are two units each', '🪑'.repeat(200), 134],
    ['of families, which are several signs each', '👩‍👩‍👧'.repeat(50), 134],
  ])('has at most two segments, for which a long name is truncated: %s', (_what, name, most) => {
    const text = textMessage(name, url);

    expect(text.length).toBeLessThanOrEqual(most);
    expect(text.length).toBeGreaterThan(most - 12);
    expect(text).toMatch(/^.+\.\.\.: continue your checkout at /u);
    expect(text.endsWith(url)).toBe(true);
    expect(() => encodeURIComponent(text), 'no sign is cut in two').not.toThrow();
  });

  it('never truncates its link', () => {
    const long = `https://pay.example/${'x'.repeat(400)}`;
    expect(textMessage('Acme Goods', long)).toContain(long);
  });

  it('is a single line', () => {
    expect(textMessage('Acme\r\nGoods', url)).toMatch(/^Acme Goods: /);
  });
});
