import { describe, expect, it } from 'vitest';
import { textMessage } from '../../../../server/purchases/carts/messages.ts';

const url = 'https://pay.example/c/AAAAAAAAAAAAAAAAAAAAAA';

describe('The text with the link of a cart', () => {
  it.each([
    ['en', `Acme Goods: continue your checkout at ${url}\nReply STOP to opt out, HELP for help.`],
    ['es', `Acme Goods: siga con su compra en ${url}\nResponda STOP para no recibir mensajes, HELP para ayuda.`],
  ] as const)('contains the merchant, the link, and how to stop texts and get help (%s)', (language, expected) => {
    expect(textMessage(language, 'Acme Goods', url)).toBe(expected);
  });

  it.each(['en', 'es'] as const)(
    'has no character that requires UCS-2 unless the name of the merchant has one (%s)',
    (language) => {
      const text = textMessage(language, 'A'.repeat(500), url);

      expect(text).toMatch(/^[\x20-\x7e\n]*$/);
      expect(text.length).toBeGreaterThan(290);
    },
  );

  it.each([
    ['of GSM 7-bit characters', 'A'.repeat(500), 306],
    ['with a character that requires UCS-2', `${'Möbel '.repeat(60)}東`, 201],
    ['of surrogate pairs', '🪑'.repeat(200), 201],
    ['of emoji sequences', '👩‍👩‍👧'.repeat(50), 201],
  ])('has at most two segments, or three in UCS-2, because it truncates a long name %s', (_title, name, maxLength) => {
    const text = textMessage('en', name, url);

    expect(text.length).toBeLessThanOrEqual(maxLength);
    expect(text.length).toBeGreaterThan(maxLength - 12);
    expect(text).toMatch(/^.+\.\.\.: continue your checkout at /u);
    expect(text).toContain(` ${url}\nReply STOP `);
    expect(() => encodeURIComponent(text), 'no surrogate pair is split').not.toThrow();
  });

  it('does not truncate a long link', () => {
    const long = `https://pay.example/${'x'.repeat(400)}`;
    expect(textMessage('en', 'Acme Goods', long)).toContain(long);
  });

  it('has the name of the merchant on one line', () => {
    expect(textMessage('en', 'Acme\r\nGoods', url)).toMatch(/^Acme Goods: /);
  });
});
