/** The fields of the "as low as" object, for an amount that can be financed and for one that is too small. */
import { describe, expect, it } from 'vitest';
import { startService } from '../../support/service.ts';

const merchant = await (await startService()).createMerchant();
const financed = (await merchant.post('/aslowas', { customTotal: 50_000 })).body.asLowAs;
const tooSmall = (await merchant.post('/aslowas', { customTotal: 4_999 })).body.asLowAs;
const ofCart = (await merchant.post('/carts', { options: { customTotal: 50_000 } })).body.asLowAs;

describe('The "as low as" object', () => {
  it.each<[field: string, ids: string, expected: unknown, expectedIfTooSmall: unknown]>([
    ['monthly', '[OBJ-29]', 2_307, 0],
    ['amount', '[OBJ-30]', '$23.07', ''],
    ['termLength', '[OBJ-31]', 24, 0],
    ['termInterval', '[OBJ-32]', 'Month', 'Month'],
    ['apr', '[OBJ-33]', 0.0999, 0.2999],
    ['minApr', '[OBJ-34]', 0.0599, 0.0599],
    ['maxApr', '[OBJ-35]', 0.2999, 0.2999],
    [
      'asLowAsText',
      '[OBJ-36]',
      expect.stringContaining('24 months at 9.99% APR'),
      expect.stringContaining('from $50.00 to $30,000.00'),
    ],
  ])('has the field %s %s', (field, _ids, expected, expectedIfTooSmall) => {
    expect([financed[field], tooSmall[field]]).toEqual([expected, expectedIfTooSmall]);
  });

  it('has no other fields, and is the same in a cart [OBJ-28]', () => {
    expect(Object.keys(financed)).toHaveLength(8);
    expect(ofCart).toEqual(financed);
  });
});
