import { describe, expect, it } from 'vitest';
import { readGuide } from '../support/docs.ts';
import { testBuyers } from '../../server/lending/lenders/sandbox-lender.ts';
import { createCart, reachDecision } from '../support/checkout.ts';
import { startService } from '../support/service.ts';

it('The sandbox guide lists every test buyer with its outcome', () => {
  const rows = [...readGuide('server/docs/sandbox.md').matchAll(/^\| `(\d{4})` \| (.*) \|$/gm)].map(([, digits, meaning]) => [
    digits,
    meaning,
  ]);
  expect(rows).toEqual(testBuyers.map(({ taxIdLast4, meaning }) => [taxIdLast4, meaning]));
});

it('The guide for lenders has the outcome, tier, reasons and score of every test buyer', () => {
  const rows = [...readGuide('server/docs/lenders.md').matchAll(/^\| `(\d{4})` \| (.*) \| (.*) \| (.*) \|$/gm)];
  expect(rows.map(([, digits]) => digits)).toEqual(testBuyers.map(({ taxIdLast4 }) => taxIdLast4));
  for (const [index, [, , response, tier, score]] of rows.entries()) {
    const buyer = testBuyers[index]!;
    const { decision } = buyer;
    const isByCredit = (decision.outcome === 'approved' || decision.outcome === 'denied') && buyer.fails !== 'decision';
    const facts: unknown[] = [
      ...('reasons' in decision && decision.reasons ? decision.reasons : []),
      ...('reason' in decision ? [decision.reason] : []),
      ...('action' in decision ? [decision.action] : []),
    ];
    expect(facts.every((fact) => typeof fact === 'string' && response!.includes(`\`${fact}\``))).toBe(true);
    expect(tier).toBe(decision.outcome === 'approved' && isByCredit ? decision.tierId : '');
    const used = buyer.score === undefined ? 'not used' : String(buyer.score ?? 'none');
    expect(score).toBe(isByCredit ? used : '');
  }
});

const merchant = await (await startService()).createMerchant();

describe('The test buyer of the sandbox [SVC-3] [CHOICE-41]', () => {
  const applyAs = async (taxIdLast4: string) => reachDecision((await createCart(merchant)).url, { taxIdLast4 });

  it.each([
    ['1001', ['5.99%', '7.99%', '9.99%']],
    ['1002', ['14.99%', '16.99%', '19.99%']],
    ['1003', ['24.99%', '27.99%', '29.99%']],
  ])('%s is approved, at the rates %j over 6, 12 and 24 months [CHOICE-39]', async (taxIdLast4, rates) => {
    const page = await applyAs(taxIdLast4);
    expect(page.step).toBe('plans');
    expect([...new Set(page.text.match(/\d+\.\d\d%/g))].toSorted()).toEqual(rates.toSorted());
    for (const months of [6, 12, 24]) expect(page.text).toContain(`${months} `);
  });

  it.each([
    ['1101', 'plans'],
    ['2001', 'declined'],
    ['2002', 'declined'],
    ['2003', 'declined'],
    ['2004', 'declined'],
    ['4001', 'needs-action'],
    ['4002', 'needs-action'],
    ['4003', 'needs-action'],
    ['5002', 'waiting'],
    ['6001', 'plans'],
    ['6002', 'plans'],
    ['9876', 'plans'],
  ])('%s sees "%s"', async (taxIdLast4, step) => {
    expect((await applyAs(taxIdLast4)).step).toBe(step);
  });

  it('3001 receives no plan from the lender, and sees a link to the shop', async () => {
    const { headers, buttonLinks } = await applyAs('3001');
    expect(headers.has('location')).toBe(false);
    expect(buttonLinks).toContain('https://shop.example/');
  });

  it('5001 applies while the lender is unavailable, and can apply again', async () => {
    expect(await applyAs('5001')).toMatchObject({ status: 503, step: 'apply' });
  });
});
