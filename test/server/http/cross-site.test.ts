import { expect, it } from 'vitest';
import { isCrossSite } from '../../../server/checkout/web/form-token.ts';

const own = 'https://pay.example';

it.each([
  ['no browser', {}, false],
  ['our own page', { 'sec-fetch-site': 'same-origin', origin: own }, false],
  ['our own page, which sends no referrer', { 'sec-fetch-site': 'same-origin', origin: 'null' }, false],
  ['our own page in an old browser', { origin: own }, false],
  ['a page without a referrer in an old browser', { origin: 'null' }, false],
  ['the buyer themselves', { 'sec-fetch-site': 'none' }, false],
  ['another site', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }, true],
  ['another site that hides its origin', { 'sec-fetch-site': 'cross-site', origin: 'null' }, true],
  ['another site that says nothing of its origin', { 'sec-fetch-site': 'cross-site' }, true],
  ['another host of our site', { 'sec-fetch-site': 'same-site', origin: 'https://blog.pay.example' }, true],
  ['another site in an old browser', { origin: 'https://evil.example' }, true],
  ['a name that begins like ours', { origin: 'https://pay.example.evil.example' }, true],
  ['our host over plain HTTP', { origin: 'http://pay.example' }, true],
  ['another port of our host', { origin: 'https://pay.example:8443' }, true],
  ['a name that leads to us and is not ours', { 'sec-fetch-site': 'same-origin', origin: 'https://rebound.example' }, true],
  ['an empty origin', { origin: '' }, true],
  ['two origins', { origin: `${own}, https://evil.example` }, true],
  ['a word that browsers do not send', { 'sec-fetch-site': 'same-origin, cross-site' }, true],
])('a request from %s is cross-site: %j', (_who, headers, expected) => {
  expect(isCrossSite(headers, own)).toBe(expected);
});
