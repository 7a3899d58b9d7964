import { expect, it } from 'vitest';
import { sandboxLender } from '../../../../server/lending/lenders/sandbox-lender.ts';
import { respondingLender } from '../../../support/lenders.ts';
import { program } from '../../../support/checkout.ts';
import { creditRequest } from './credit-request.ts';

const [offer] = program.offers;

it.each<[string, Partial<typeof program>]>([
  ['does not exist', { tiers: program.tiers.filter(({ id }) => id !== 'A'), offers: [{ ...offer!, tierAprBps: { B: 1_499 } }] }],
  ['has no offers', { offers: [{ ...offer!, tierAprBps: { B: 1_499 } }] }],
])('A test buyer whose tier %s receives the first tier with offers', async (_title, overrides) => {
  const lender = respondingLender(sandboxLender());
  expect(await lender.decide({ ...creditRequest, program: { ...program, ...overrides } })).toMatchObject({
    outcome: 'approved',
    tierId: 'B',
    limitCents: null,
  });
});

it('A test buyer whose tier has no plan for the order receives the first tier that has one', async () => {
  const lender = respondingLender(sandboxLender());
  const request = { ...creditRequest, hasPlan: (tierId: string) => tierId === 'C' };
  expect(await lender.decide(request)).toMatchObject({ outcome: 'approved', tierId: 'C', limitCents: null });
});

it('The test buyer who is approved in part is denied where no card can pay the rest', async () => {
  const lender = respondingLender(sandboxLender());
  const partly = { ...creditRequest, applicant: { ...creditRequest.applicant, taxIdLast4: '1101' } };
  expect(await lender.decide(partly)).toMatchObject({ outcome: 'approved', limitCents: 45_000, reasons: ['income'] });
  expect(await lender.decide({ ...partly, partialApproval: false })).toMatchObject({ outcome: 'denied', reasons: ['income'] });
});

it('A test buyer’s decision states the bureau of its score as its only source', async () => {
  const lender = respondingLender(sandboxLender(), 'live');
  for (const [taxIdLast4, reports] of [
    ['2001', [program.lender.creditBureau]],
    ['2002', []],
  ] as const) {
    const request = { ...creditRequest, program: { ...program, creditScores: undefined } };
    const decision = await lender.decide({ ...request, applicant: { ...request.applicant, taxIdLast4 } });
    expect(decision).toMatchObject({ outcome: 'denied', sources: { reports, outside: false, affiliate: false } });
  }
});
