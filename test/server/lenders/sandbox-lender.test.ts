import { expect, it } from 'vitest';
import { sandboxLender } from '../../../server/lenders/sandbox-lender.ts';
import { validatingLender } from '../../../server/lenders/responses.ts';
import { program } from '../../support/checkout.ts';
import { creditRequest } from './credit-request.ts';

const [offer] = program.offers;

it.each<[string, Partial<typeof program>]>([
  ['does not exist', { tiers: program.tiers.filter(({ id }) => id !== 'A'), offers: [{ ...offer!, tierAprBps: { B: 1_499 } }] }],
  ['has no offers', { offers: [{ ...offer!, tierAprBps: { B: 1_499 } }] }],
])('A test buyer whose tier %s receives the first tier with offers', async (_title, overrides) => {
  const lender = validatingLender(sandboxLender());
  expect(await lender.decide({ ...creditRequest, program: { ...program, ...overrides } })).toMatchObject({
    outcome: 'approved',
    tierId: 'B',
    limitCents: null,
  });
});
