import { beforeAll, expect, it } from 'vitest';
import { open, submit } from '../support/buyer.ts';
import { describeOnEveryEngine } from '../support/engines.ts';
import { givenCart } from '../support/given.ts';
import { givenService, type TestMerchant } from '../support/service.ts';

describeOnEveryEngine('The test buyers of the sandbox [SVC-3] [CHOICE-41]', (engine) => {
  let merchant: TestMerchant;
  beforeAll(async () => {
    merchant = await (await givenService(engine)).givenMerchant();
  });
  const decided = async (taxIdLast4: string) => submit(await submit(await open((await givenCart(merchant)).url)), { taxIdLast4 });

  it.each([
    ['1001', ['5.99%', '7.99%', '9.99%']],
    ['1002', ['14.99%', '16.99%', '19.99%']],
    ['1003', ['24.99%', '27.99%', '29.99%']],
  ])('%s is approved, at the rates %j over 6, 12 and 24 months [CHOICE-39]', async (taxIdLast4, rates) => {
    const page = await decided(taxIdLast4);
    expect(page.heading).toBe('Choose your plan');
    expect([...new Set(page.text.match(/\d+\.\d\d%/g))].toSorted()).toEqual(rates.toSorted());
    for (const months of [6, 12, 24]) expect(page.text).toContain(`${months} `);
  });

  it('2001 is denied', async () => {
    expect((await decided('2001')).heading).toBe('We cannot offer financing this time');
  });
});
