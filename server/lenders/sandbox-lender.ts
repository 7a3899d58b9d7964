import { ServiceError } from '../errors.ts';
import { soldTiers } from './answers.ts';
import { type CreditDecision, type CreditRequest, type Lender, UnknownOutcome } from './lender.ts';

/** What a test buyer's application, and then their signature, leads to. */
interface TestBuyer {
  taxIdLast4: string;
  decision: CreditDecision;
  /** How much is lent of each dollar; left out, all. */
  part?: number;
  /** How the answer to the application, or to the signature, is lost: what came of it is found out later. */
  lost?: 'decision' | 'acceptance';
  /** The lender cannot be reached, or will not lend after all. */
  fails?: 'decision' | 'acceptance';
  meaning: string;
}

const approved = (tierId: string): CreditDecision => ({ outcome: 'approved', tierId, limitCents: null });
const denied = (reason: 'credit-history' | 'income' | 'debt' | 'identity'): CreditDecision => ({
  outcome: 'denied',
  reasons: [reason],
});
const needed = (action: 'unfreeze-credit-file' | 'confirm-identity' | 'correct-details'): CreditDecision => ({
  outcome: 'needs-action',
  action,
});

/**
 * The sandbox's test buyers: what the last four digits of the tax number do. Any other four digits are approved like
 * the first of them. No credit bureau is asked and no loan is made.
 */
export const testBuyers: readonly TestBuyer[] = [
  { taxIdLast4: '1001', decision: approved('A'), meaning: 'approved, very good credit' },
  { taxIdLast4: '1002', decision: approved('B'), meaning: 'approved, good credit' },
  { taxIdLast4: '1003', decision: approved('C'), meaning: 'approved, fair credit' },
  {
    taxIdLast4: '1101',
    decision: approved('A'),
    part: 0.6,
    meaning: 'approved for 60 %; the rest is paid by card',
  },
  { taxIdLast4: '2001', decision: denied('credit-history'), meaning: 'denied' },
  { taxIdLast4: '2002', decision: denied('income'), meaning: 'denied, income too low' },
  { taxIdLast4: '2003', decision: denied('debt'), meaning: 'denied, too much debt' },
  { taxIdLast4: '2004', decision: denied('identity'), meaning: 'denied, identity not confirmed' },
  { taxIdLast4: '3001', decision: { outcome: 'ineligible' }, meaning: 'not eligible' },
  { taxIdLast4: '4001', decision: needed('unfreeze-credit-file'), meaning: 'must unfreeze their credit file' },
  { taxIdLast4: '4002', decision: needed('confirm-identity'), meaning: 'must confirm their identity' },
  { taxIdLast4: '4003', decision: needed('correct-details'), meaning: 'must correct their details' },
  { taxIdLast4: '5001', decision: approved('A'), fails: 'decision', meaning: 'the lender cannot be reached' },
  { taxIdLast4: '5002', decision: approved('A'), lost: 'decision', meaning: "approved, but the lender's answer is late" },
  {
    taxIdLast4: '6001',
    decision: approved('A'),
    lost: 'acceptance',
    meaning: "approved; after signing, the lender's answer is late",
  },
  { taxIdLast4: '6002', decision: approved('A'), fails: 'acceptance', meaning: 'approved; after signing, the lender withdraws' },
];

/** Enough for every checkout that is under way at once. */
const MOST_REMEMBERED = 10_000;

/**
 * A lender for the sandbox, which decides by `testBuyers`. A tier the program does not sell becomes the first that it does.
 *
 * It remembers whom it decided about for as long as it runs, as a lender's own server would, and no more than an id and what it
 * said. After a restart it knows of no request, and accepts whatever is signed.
 */
export function sandboxLender(): Lender {
  const known = new Map<string, { buyer: TestBuyer; decision: CreditDecision; isTold: boolean }>();

  return {
    decide: async (request) => {
      const buyer = testBuyers.find(({ taxIdLast4 }) => taxIdLast4 === request.applicant.taxIdLast4) ?? testBuyers[0]!;
      if (buyer.fails === 'decision') throw new ServiceError('lender-unavailable', 'No lender can be asked at the moment.');
      const decision = decisionFor(buyer, request);
      if (known.size >= MOST_REMEMBERED) known.clear();
      known.set(request.requestId, { buyer, decision, isTold: false });
      if (buyer.lost === 'decision') throw new UnknownOutcome('The test buyer’s answer is late.');
      return decision;
    },
    decisionOf: async ({ requestId }) => known.get(requestId)?.decision ?? 'unknown',
    accept: async ({ requestId }) => {
      const asked = known.get(requestId);
      if (asked?.buyer.fails === 'acceptance') return 'refused';
      if (asked?.buyer.lost === 'acceptance' && !asked.isTold) {
        asked.isTold = true;
        throw new UnknownOutcome('The test buyer’s answer is late.');
      }
      return 'accepted';
    },
  };
}

function decisionFor({ decision, part }: TestBuyer, { program, amountCents }: CreditRequest): CreditDecision {
  if (decision.outcome !== 'approved') return decision;
  const tierIds = soldTiers(program);
  return {
    outcome: 'approved',
    tierId: tierIds.includes(decision.tierId) ? decision.tierId : tierIds[0]!,
    // No less than anything is sold for.
    limitCents: part === undefined ? null : Math.max(program.amount.minCents, Math.floor(amountCents * part)),
  };
}
