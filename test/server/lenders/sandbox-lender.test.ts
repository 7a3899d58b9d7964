import { expect, it } from 'vitest';
import { sandboxLender } from '../../../server/lenders/sandbox-lender.ts';
import { validatingLender } from '../../../server/lenders/responses.ts';
import { program } from '../../support/checkout.ts';
import { creditRequest } from './asking.ts';

const [offer] = program.offers;

it.each<[string, Partial<typeof program>]>([
  ['does not have', { tiers: program.tiers.filter(({ id }) => id !== 'A'), offers: [{ ...offer!, tierAprBps: { B: 1_499 } }] }],
  ['has without a rate for any term', { offers: [{ ...offer!, tierAprBps: { B: 1_499 } }] }],
])('A test buyer of a tier that the program %s gets the first tier with offers', async (_what, differing) => {
  const sold = { ...program, ...differing };
  const lender = validatingLender(sandboxLender());
  expect(await lender.decide({ ...creditRequest, program: sold })).toEqual({
    outcome: 'approved',
    tierId: 'B',
    limitCents: null,
  });
});
