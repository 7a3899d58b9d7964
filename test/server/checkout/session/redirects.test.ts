import { expect, it } from 'vitest';
import { completeRedirect } from '../../../../server/checkout/session/redirects.ts';

it.each([
  ['https://shop.example/thanks', 'https://shop.example/thanks?transactionId=T&orderRef=O'],
  ['https://shop.example/thanks?lang=en', 'https://shop.example/thanks?lang=en&transactionId=T&orderRef=O'],
  ['https://shop.example/thanks?', 'https://shop.example/thanks?transactionId=T&orderRef=O'],
  ['https://shop.example/thanks?a=1&', 'https://shop.example/thanks?a=1&transactionId=T&orderRef=O'],
  ['https://shop.example/thanks#done', 'https://shop.example/thanks?transactionId=T&orderRef=O#done'],
  ['https://shop.example/#/thanks?x=1', 'https://shop.example/?transactionId=T&orderRef=O#/thanks?x=1'],
  ['https://shop.example/größe?ü=1', 'https://shop.example/gr%C3%B6%C3%9Fe?%C3%BC=1&transactionId=T&orderRef=O'],
  ['https://shop.example/a\r\nset-cookie:b', 'https://shop.example/aset-cookie:b?transactionId=T&orderRef=O'],
  ['https://shop.example/a b', 'https://shop.example/a%20b?transactionId=T&orderRef=O'],
  ['https://shop.example/?transactionId=A', 'https://shop.example/?transactionId=T&orderRef=O'],
  ['https://shop.example/?transactionId&orderRef=', 'https://shop.example/?transactionId=T&orderRef=O'],
  [
    'https://shop.example/?orderRef=1&a=%7E&transactionId=2&orderRef=3&b',
    'https://shop.example/?a=%7E&b&transactionId=T&orderRef=O',
  ],
  ['https://shop.example/?a&&transaction%49d=1&', 'https://shop.example/?a&&transactionId=T&orderRef=O'],
  ['https://shop.example/?a=?transactionId=1', 'https://shop.example/?a=?transactionId=1&transactionId=T&orderRef=O'],
  ['https://shop.example/??orderRef=1&%E0', 'https://shop.example/??orderRef=1&%E0&transactionId=T&orderRef=O'],
  [
    'https://shop.example/?transactionid=1&myorderRef=2',
    'https://shop.example/?transactionid=1&myorderRef=2&transactionId=T&orderRef=O',
  ],
  [
    'https://shop.example/transactionId=1?#orderRef=1',
    'https://shop.example/transactionId=1?transactionId=T&orderRef=O#orderRef=1',
  ],
  ['https://shop.example/a%20b?q=%7E+c', 'https://shop.example/a%20b?q=%7E+c&transactionId=T&orderRef=O'],
])('%s redirects to %s', (completeUrl, expected) => {
  expect(completeRedirect(completeUrl, 'T', 'O')).toBe(expected);
});

it.each([
  ['', 'orderRef='],
  ['a&b=c#d', 'orderRef=a%26b%3Dc%23d'],
  ['Bestellung Ü 7', 'orderRef=Bestellung+%C3%9C+7'],
])('the order reference %j is encoded as %s', (orderRef, expected) => {
  expect(completeRedirect('https://shop.example/', 'T', orderRef)).toContain(expected);
});
