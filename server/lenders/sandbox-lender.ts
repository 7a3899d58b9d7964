import type { CreditDecision, Lender } from './lender.ts';

/**
 * The sandbox's test buyers: what the last four digits of the tax number do. Any other four digits are approved like
 * the first of them. No credit bureau is asked and no loan is made.
 */
export const testBuyers: readonly { taxIdLast4: string; decision: CreditDecision; meaning: string }[] = [
  { taxIdLast4: '1001', decision: { outcome: 'approved', tierId: 'A', limitCents: null }, meaning: 'approved, very good credit' },
  { taxIdLast4: '1002', decision: { outcome: 'approved', tierId: 'B', limitCents: null }, meaning: 'approved, good credit' },
  { taxIdLast4: '1003', decision: { outcome: 'approved', tierId: 'C', limitCents: null }, meaning: 'approved, fair credit' },
  { taxIdLast4: '2001', decision: { outcome: 'denied', reasons: ['credit-history'] }, meaning: 'denied' },
];

/** A lender for the sandbox, which decides by `testBuyers`. A tier the program does not have becomes its first. */
export const sandboxLender: Lender = {
  decide: ({ program, applicant }) => {
    const buyer = testBuyers.find(({ taxIdLast4 }) => taxIdLast4 === applicant.taxIdLast4) ?? testBuyers[0]!;
    if (buyer.decision.outcome !== 'approved') return Promise.resolve(buyer.decision);
    const { tierId } = buyer.decision;
    const isSold = program.tiers.some(({ id }) => id === tierId);
    return Promise.resolve({ ...buyer.decision, tierId: isSold ? tierId : program.tiers[0]!.id });
  },
  decisionOf: () => Promise.resolve('unknown'),
  accept: () => Promise.resolve('accepted'),
};
