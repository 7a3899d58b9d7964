import { expect, it } from 'vitest';
import { WebUrl } from '../../shared/wire/fields.ts';
import { parseUrl, trimUrl } from '../../shared/url.ts';

// `URL.canParse`, which both avoid, returns wrong results on Node 20 after thousands of calls.
it.each([
  ['https://bücher.example/danke', 'https://xn--bcher-kva.example/danke'],
  ['https://shop.example/größe', 'https://shop.example/gr%C3%B6%C3%9Fe'],
  ['HTTPS://Shop.Example', 'https://shop.example/'],
  // Latin-1 characters whose bytes are a zero-width space in UTF-8.
  ['https://a\u00e2\u0080\u008bb.example/', undefined],
  ['https://a b.example/', undefined],
  ['shop.example', undefined],
  ['', undefined],
])('parseUrl and WebUrl parse %j as %j, also after thousands of calls', (address, href) => {
  for (let times = 0; times < 20_000; times++) {
    if (parseUrl(address)?.href !== href) expect.fail(`parseUrl differs after ${times} calls`);
    if (WebUrl.is(address) !== (href !== undefined)) expect.fail(`WebUrl differs after ${times} calls`);
  }
});

it('trimUrl removes white space, control and format characters at both ends only', () => {
  const around = ' \t\n\u00a0\u0000\u200b\ufeff\u{e0001}';
  expect(trimUrl(`${around}https://a.example/b${around}c${around}`)).toBe(`https://a.example/b${around}c`);
  expect(trimUrl(around)).toBe('');
});
