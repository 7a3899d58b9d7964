import { describe, expect, it } from 'vitest';
import { oneOf, createUrls } from '../../../../server/checkout/web/urls.ts';

describe('A URL of a checkout', () => {
  it.each([
    ['en', 'page', '/c/AbC_-9/details?lang=en'],
    ['es', 'page', '/c/AbC_-9/details?lang=es'],
    ['es', 'frame', '/c/AbC_-9/details?lang=es&display=frame'],
    ['en', 'popup', '/c/AbC_-9/details?lang=en&display=popup'],
  ] as const)('contains its language and display: %s, %s', (lang, display, expected) => {
    expect(createUrls({ code: 'AbC_-9', lang, display }).to('details')).toBe(expected);
  });

  it('is the cart’s link if it has no step', () => {
    expect(createUrls({ code: 'x', lang: 'en', display: 'page' }).to()).toBe('/c/x?lang=en');
  });

  it('has the same code and display in another language', () => {
    expect(createUrls({ code: 'x', lang: 'en', display: 'frame' }).in('es').to('plans')).toBe('/c/x/plans?lang=es&display=frame');
  });

  it.each(['', '.', '..', '../x', '/evil.example', '\\evil', '%2e%2e', 'a?b', 'a#b', 'ü', 'a b', 'x'.repeat(101)])(
    'has a dash instead of the invalid code %j',
    (code) => {
      const { pathname, origin } = new URL(createUrls({ code, lang: 'en', display: 'page' }).to('apply'), 'https://pay.example');
      expect([origin, pathname]).toEqual(['https://pay.example', '/c/-/apply']);
    },
  );
});

it.each([
  ['es', 'es'],
  ['ES', undefined],
  ['fr', undefined],
  [['es', 'en'], undefined],
  [undefined, undefined],
])('The language %j is parsed as %j', (input, expected) => {
  expect(oneOf(['en', 'es'], input)).toBe(expected);
});
