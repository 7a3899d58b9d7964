import { describe, expect, it } from 'vitest';
import { chair, createCart } from '../../support/checkout.ts';
import { startService } from '../../support/service.ts';

/** Characters before a URL that programs ignore, but not all browsers. */
const BLANKS = ['\u00a0', '\u2003', '\u2028', '\u3000', '\ufeff', '\u200b', '\u202e', '\t\u00a0\n'];

const merchant = await (await startService()).createMerchant();

describe('The items and discounts of a cart', () => {
  const storedItems = async (items: object[]) => {
    const cart = await createCart(merchant, { items } as object);
    return (await merchant.get(`/carts/${cart.id}`)).body.options.items;
  };
  describe('items[]', () => {
    it.each(['imageUrl', 'detailUrl', 'sku'])('.%s may be empty [CHOICE-17]', async (field) => {
      expect((await storedItems([{ ...chair, [field]: '' }]))[0][field]).toBe('');
    });

    it.each(['/chairs/1', 'chairs/1?size=2:3', '//cdn.shop.example/c.png', 'HTTPS://shop.example/c', 'cdn/a:b.png'])(
      '.imageUrl and .detailUrl may be %j, as shops send them [CHOICE-17]',
      async (url) => {
        expect(await storedItems([{ ...chair, imageUrl: url, detailUrl: url }])).toMatchObject([
          { imageUrl: url, detailUrl: url },
        ]);
      },
    );

    it.each([
      'javascript:alert(1)',
      ' JavaScript:void(0)',
      'java\nscript:alert(1)',
      `data:image/png;base64,${'A'.repeat(3_000)}`,
      'vbscript:x',
      ...BLANKS.map((blank) => `${blank}javascript:alert(1)`),
      'file:///etc/passwd',
    ])('.imageUrl and .detailUrl are stored as empty strings for %j', async (url) => {
      expect(await storedItems([{ ...chair, imageUrl: url, detailUrl: url }])).toMatchObject([{ imageUrl: '', detailUrl: '' }]);
    });

    it('.imageUrl and .detailUrl are stored without surrounding white space', async () => {
      for (const blank of BLANKS) {
        const url = `${blank}https://shop.example/c${blank}`;
        const stored = { imageUrl: 'https://shop.example/c', detailUrl: 'https://shop.example/c' };
        expect(await storedItems([{ ...chair, imageUrl: url, detailUrl: url }])).toMatchObject([stored]);
      }
    });

    it.each(['imageUrl', 'detailUrl'])('.%s may be null, which is stored as an empty string [CHOICE-17]', async (field) => {
      expect((await storedItems([{ ...chair, [field]: null }]))[0][field]).toBe('');
    });

    it('.name may be omitted [CART-23]', async () => {
      const { name: _name, ...nameless } = chair;
      expect(await storedItems([nameless])).toEqual([nameless]);
    });
  });
});
