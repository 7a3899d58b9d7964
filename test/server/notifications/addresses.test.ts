import { describe, expect, it } from 'vitest';
import { mailtoOf, recipientOf, maskedAddress, telOf } from '../../../server/notifications/addresses.ts';

describe('The URI of a recipient', () => {
  it.each(['ada@example.com', "o'neil+shop%40@example.com", 'žofie@bücher.example', 'a?b#c&d/e@example.com'])(
    'contains the e-mail address %s unchanged',
    (email) => {
      expect(mailtoOf(email)).toMatch(/^mailto:[\w.!~*'()%-]+$/);
      expect(recipientOf(mailtoOf(email))).toBe(email);
    },
  );

  it('contains a phone number with the country code of the United States', () => {
    expect(telOf('5550100100')).toBe('tel:+15550100100');
    expect(recipientOf(telOf('5550100100'))).toBe('+15550100100');
  });
});

describe('maskedAddress', () => {
  it.each([
    [mailtoOf('ada.lovelace@example.com'), 'a…@example.com'],
    [mailtoOf('žofie@example.com'), 'ž…@example.com'],
    [telOf('5550100100'), '…0100'],
    ['https://shop.example/callback', 'https://shop.example/callback'],
    ['https://shop.example:8443/?wc-api=x&token=hidden', 'https://shop.example:8443/?…'],
    ['https://me:hidden@shop.example/callback#hidden', 'https://shop.example/callback'],
  ])('masks %s as %s', (url, expected) => {
    expect(maskedAddress(url)).toBe(expected);
  });
});
