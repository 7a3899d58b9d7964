import { expect, it } from 'vitest';
import { WebUrl } from '../../shared/wire/fields.ts';
import { parsedUrl } from '../../shared/url.ts';

it.each([
  ['https://bücher.example/danke', 'https://xn--bcher-kva.example/danke'],
  ['https://shop.example/größe', 'https://shop.example/gr%C3%B6%C3%9Fe'],
  ['HTTPS://Shop.Example', 'https://shop.example/'],
  // Letters of Latin-1 whose bytes would be an invisible letter in UTF-8.
  ['https://a\u00e2\u0080\u008bb.example/', undefined],
  ['https://a b.example/', undefined],
  ['shop.example', undefined],
  ['', undefined],
])('The address %j is read as %j, however many were read before', (address, href) => {
  for (let times = 0; times < 20_000; times++) {
    if (parsedUrl(address)?.href !== href) expect.fail(`read otherwise after ${times} times`);
    if (WebUrl.is(address) !== (href !== undefined)) expect.fail(`taken otherwise after ${times} times`);
  }
});
