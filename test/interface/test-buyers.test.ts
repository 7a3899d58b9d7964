import { beforeAll, describe, expect, it } from 'vitest';
import { readGuide } from '../support/docs.ts';
import { testBuyers } from '../../server/lenders/sandbox-lender.ts';
import { createCart, open, submit } from '../support/checkout.ts';
import { startService, type TestMerchant } from '../support/service.ts';

it('The sandbox guide lists every test buyer with its outcome', () => {
  const rows = [...readGuide('server/docs/sandbox.md').matchAll(/^\| `(\d{4})` \| (.*) \|$/gm)].map(([, digits, meaning]) => [
    digits,
    meaning,
  ]);
  expect(rows).toEqual(testBuyers.map(({ taxIdLast4, meaning }) => [taxIdLast4, meaning]));
});

describe('The test buyer of the sandbox [SVC-3] [CHOICE-41]', () => {
  let merchant: TestMerchant;
  beforeAll(async () => {
    merchant = await (await startService()).createMerchant();
  });
  const applyAs = async (taxIdLast4: string) =>
    submit(await submit(await open((await createCart(merchant)).url)), { taxIdLast4 });

  it.each([
    ['1001', ['5.99%', '7.99%', '9.99%']],
    ['1002', ['14.99%', '16.99%', '19.99%']],
    ['1003', ['24.99%', '27.99%', '29.99%']],
  ])('%s is approved, at the rates %j over 6, 12 and 24 months [CHOICE-39]', async (taxIdLast4, rates) => {
    const page = await applyAs(taxIdLast4);
    expect(page.heading).toBe('Choose your plan');
    expect([...new Set(page.text.match(/\d+\.\d\d%/g))].toSorted()).toEqual(rates.toSorted());
    for (const months of [6, 12, 24]) expect(page.text).toContain(`${months} `);
  });

  it.each([
    ['1101', 'Choose your plan'],
    ['2001', 'Your application was not approved'],
    ['2002', 'Your application was not approved'],
    ['2003', 'Your application was not approved'],
    ['2004', 'Your application was not approved'],
    ['4001', 'We need something from you'],
    ['4002', 'We need something from you'],
    ['4003', 'We need something from you'],
    ['5002', 'The lender is reviewing your application'],
    ['6001', 'Choose your plan'],
    ['6002', 'Choose your plan'],
    ['9876', 'Choose your plan'],
  ])('%s sees "%s"', async (taxIdLast4, heading) => {
    expect((await applyAs(taxIdLast4)).heading).toBe(heading);
  });

  it.each([
    ['3001', 'receives no plan from the lender'],
    ['5001', 'applies while the lender is unavailable'],
  ])('%s %s, and is redirected to the shop', async (taxIdLast4) => {
    const { status, headers } = await applyAs(taxIdLast4);
    expect([status, headers.get('location')]).toEqual([303, 'https://shop.example/']);
  });
});
