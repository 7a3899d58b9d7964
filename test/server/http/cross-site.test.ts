import { expect, it } from 'vitest';
import { isCrossSite } from '../../../server/http/pages/form.ts';

const serviceOrigin = 'https://pay.example';

it.each([
  ['a client that is not a browser', {}, false],
  ['a page of the service', { 'sec-fetch-site': 'same-origin', origin: serviceOrigin }, false],
  ['a page of the service without a referrer', { 'sec-fetch-site': 'same-origin', origin: 'null' }, false],
  ['a page of the service in an old browser', { origin: serviceOrigin }, false],
  ['a page without a referrer in an old browser', { origin: 'null' }, false],
  ['the address bar', { 'sec-fetch-site': 'none' }, false],
  ['another site', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }, true],
  ['another site with an opaque origin', { 'sec-fetch-site': 'cross-site', origin: 'null' }, true],
  ['another site without an Origin header', { 'sec-fetch-site': 'cross-site' }, true],
  ['another host of the same site', { 'sec-fetch-site': 'same-site', origin: 'https://blog.pay.example' }, true],
  ['another site in an old browser', { origin: 'https://evil.example' }, true],
  ['a host that starts with that of the service', { origin: 'https://pay.example.evil.example' }, true],
  ['the same host over plain HTTP', { origin: 'http://pay.example' }, true],
  ['another port of the same host', { origin: 'https://pay.example:8443' }, true],
  ['a foreign domain that resolves to the service', { 'sec-fetch-site': 'same-origin', origin: 'https://rebound.example' }, true],
  ['an empty origin', { origin: '' }, true],
  ['two origins', { origin: `${serviceOrigin}, https://evil.example` }, true],
  ['a value that browsers do not send', { 'sec-fetch-site': 'same-origin, cross-site' }, true],
])('A request from %s is cross-site: %j', (_title, headers, expected) => {
  expect(isCrossSite(headers, serviceOrigin)).toBe(expected);
});
