import { beforeAll, describe, expect, it } from 'vitest';
import { startService, type TestMerchant } from '../../support/service.ts';

describe('The published "as low as" figures', () => {
  let merchant: TestMerchant;
  beforeAll(async () => {
    merchant = await (await startService()).createMerchant();
  });
  const quoteOf = async (customTotal: number) => {
    const { status, body } = await merchant.post('/aslowas', { customTotal });
    expect(status).toBe(200);
    return body.asLowAs;
  };

  it.each([
    [50_000, 2_307, '$23.07'],
    [74_000, 3_414, '$34.14'],
  ])('for %i cents at 9.99 % over 24 months are %i a month [CLIENT-22] [CHOICE-38]', async (customTotal, monthly, amount) => {
    expect(await quoteOf(customTotal)).toMatchObject({ monthly, amount, termLength: 24, termInterval: 'Month', apr: 0.0999 });
  });

  it.each([
    [4_999, 0],
    [5_000, 231],
    [3_000_000, 138_421],
    [3_000_001, 0],
  ])(
    'for %i cents are %i a month, because the standard program finances 50 to 30,000 dollars [CHOICE-39] [CHOICE-40]',
    async (customTotal, monthly) => {
      expect(await quoteOf(customTotal)).toMatchObject({ monthly, minApr: 0.0599, maxApr: 0.2999 });
    },
  );

  it('for one dollar are empty [CLIENT-22] [CHOICE-40]', async () => {
    expect(await quoteOf(100)).toMatchObject({ monthly: 0, amount: '', termLength: 0 });
  });
});
