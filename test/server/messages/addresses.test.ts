import { describe, expect, it } from 'vitest';
import { mailtoOf, recipientKey, recipientOf, maskedAddress, telOf } from '../../../server/messages/addresses.ts';

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

describe('The recipient that messages are counted for', () => {
  it.each([
    ['ADA@Example.COM', 'ada@example.com'],
    ['ada+shop+2@example.com', 'ada@example.com'],
    ['+ada@example.com', '+ada@example.com'],
    ['ａｄａ＋１@example.com', 'ada@example.com'],
    ['ada@ｅｘａｍｐｌｅ.com', 'ada@example.com'],
    ['žofie@BÜCHER.example', 'žofie@xn--bcher-kva.example'],
    ['z\u030cofie@bu\u0308cher.example', 'žofie@xn--bcher-kva.example'],
    ['A.d.a+1@GoogleMail.com', 'ada@gmail.com'],
    ['a.d.a@example.com', 'a.d.a@example.com'],
    ['5550100100', '5550100100'],
  ])('of %s is %s', (typed, counted) => {
    expect(recipientKey(typed)).toBe(counted);
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
