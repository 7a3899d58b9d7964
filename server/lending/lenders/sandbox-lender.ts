import { LRUCache } from 'lru-cache';
import type { CivilDate } from '../../../shared/dates.ts';
import { inLanguage, type Translated } from '../../../shared/languages/index.ts';
import type { CreditBureau } from '../../../shared/programs/program.ts';
import { ServiceError } from '../../base/errors.ts';
import { type Clock, type Instant, plusMs, systemClock, dateIn } from '../../base/time.ts';
import { type DenialReason, NO_SOURCES, type ScoreResult } from '../applications/decision.ts';
import { type CreditDecision, type CreditRequest, type Lender, type NeededAction, UnknownOutcomeError } from './lender.ts';
import { tiersWithOffers } from './responses.ts';
import { exampleBureau } from '../programs/standard-program.ts';

/** A test buyer, with the lender's responses to their application and their signature. */
interface TestBuyer {
  taxIdLast4: string;
  decision: CreditDecision;
  /** The credit score that was used; null if the bureau has none. Undefined: no score was requested, as for some denials. */
  score?: number | null;
  /** Approved share of the amount, from 0 to 1. Defaults to 1. */
  approvedShare?: number;
  /** The response that is late, so that the service has to request the outcome later. */
  late?: 'decision' | 'acceptance';
  /** `decision`: the lender cannot be reached. `acceptance`: the lender withdraws. */
  fails?: 'decision' | 'acceptance';
  meaning: string;
}

const approved = (tierId: string): CreditDecision => ({ outcome: 'approved', tierId, limitCents: null });
const denied = (reason: DenialReason): CreditDecision => ({ outcome: 'denied', reasons: [reason] });
const needed = (action: NeededAction): CreditDecision => ({ outcome: 'needs-action', action });

/** The sandbox's test buyers by the last four digits of their tax number. Other numbers behave like the first one. */
export const testBuyers: readonly TestBuyer[] = [
  { taxIdLast4: '1001', decision: approved('A'), score: 761, meaning: 'approved, very good credit' },
  { taxIdLast4: '1002', decision: approved('B'), score: 702, meaning: 'approved, good credit' },
  { taxIdLast4: '1003', decision: approved('C'), score: 618, meaning: 'approved, fair credit' },
  { taxIdLast4: '1004', decision: approved('C'), score: null, meaning: 'approved without a credit score' },
  {
    taxIdLast4: '1101',
    decision: { outcome: 'approved', tierId: 'A', limitCents: null, reasons: ['income'] },
    score: 761,
    approvedShare: 0.6,
    meaning: 'approved for 60 %; the rest is paid by card, or denied where no card is accepted',
  },
  {
    taxIdLast4: '1201',
    decision: { outcome: 'approved', tierId: 'A', limitCents: null, coveredBorrower: true },
    score: 761,
    meaning: 'approved; a servicemember or dependent',
  },
  { taxIdLast4: '2001', decision: denied('delinquency'), score: 521, meaning: 'denied, late payments' },
  { taxIdLast4: '2002', decision: denied('income'), meaning: 'denied, income too low' },
  { taxIdLast4: '2003', decision: denied('debt'), meaning: 'denied, too much debt' },
  { taxIdLast4: '2004', decision: denied('identity'), meaning: 'denied, identity not confirmed' },
  { taxIdLast4: '2005', decision: denied('no-file'), score: null, meaning: 'denied, no credit file' },
  {
    taxIdLast4: '3001',
    decision: { outcome: 'ineligible', reason: 'not-offered' },
    meaning: 'not eligible',
  },
  { taxIdLast4: '4001', decision: needed('unfreeze-credit-file'), meaning: 'must unfreeze their credit file' },
  { taxIdLast4: '4002', decision: needed('confirm-identity'), meaning: 'must confirm their identity' },
  { taxIdLast4: '4003', decision: needed('correct-details'), meaning: 'must correct their details' },
  { taxIdLast4: '5001', decision: approved('A'), score: 761, fails: 'decision', meaning: 'the lender cannot be reached' },
  {
    taxIdLast4: '5002',
    decision: approved('A'),
    score: 761,
    late: 'decision',
    meaning: "approved, but the lender's response is 20 seconds late",
  },
  {
    taxIdLast4: '6001',
    decision: approved('A'),
    score: 761,
    late: 'acceptance',
    meaning: "approved; after signing, the lender's response is 20 seconds late",
  },
  {
    taxIdLast4: '6002',
    decision: approved('A'),
    score: 761,
    fails: 'acceptance',
    meaning: 'approved; after signing, the lender withdraws',
  },
];

/** Time after which a late response can be requested. */
const LATE_MS = 20_000;

const IS_LATE = 'The response for this test buyer is late.';

/**
 * A lender for the sandbox that decides by `testBuyers`. If a buyer's tier has no plan for the order, it approves the first tier that has
 * one.
 *
 * Stores the latest decisions in memory, without personal data. Accepts every signed loan whose request it does not have.
 */
export function sandboxLender(clock: Clock = systemClock): Lender {
  const requests = new LRUCache<string, { buyer: TestBuyer; decision: CreditDecision; lateUntil: Instant | undefined }>({
    max: 10_000,
  });

  return {
    decide: async (request) => {
      const buyer = testBuyers.find(({ taxIdLast4 }) => taxIdLast4 === request.applicant.taxIdLast4) ?? testBuyers[0]!;
      if (buyer.fails === 'decision') throw new ServiceError('lender-unavailable', 'No lender is available at the moment.');
      const decision = withScore(decisionFor(buyer, request), buyer, request, dateIn(clock.now(), request.program.timeZone));
      const isLate = buyer.late === 'decision';
      requests.set(request.requestId, { buyer, decision, lateUntil: isLate ? plusMs(clock.now(), LATE_MS) : undefined });
      if (isLate) throw new UnknownOutcomeError(IS_LATE);
      return decision;
    },
    decisionOf: async ({ requestId }) => {
      const request = requests.get(requestId);
      if (request?.lateUntil && clock.now() < request.lateUntil) return 'undecided';
      return request?.decision ?? 'unknown';
    },
    accept: async ({ requestId }) => {
      const request = requests.get(requestId);
      if (request?.buyer.fails === 'acceptance')
        return { outcome: 'rejected', reasons: ['unverified-income'], scoreUsed: false, sources: NO_SOURCES };
      if (request?.buyer.late === 'acceptance') {
        request.lateUntil ??= plusMs(clock.now(), LATE_MS);
        if (clock.now() < request.lateUntil) throw new UnknownOutcomeError(IS_LATE);
      }
      return { outcome: 'accepted' };
    },
    record: async () => ({ outcome: 'recorded' }),
  };
}

/** Adds the score and the sources to a decision by credit, and the bureau to that about a frozen credit file. */
function withScore(decision: CreditDecision, { score }: TestBuyer, request: CreditRequest, date: CivilDate): CreditDecision {
  if (decision.outcome === 'needs-action' && decision.action === 'unfreeze-credit-file') {
    return { ...decision, sources: { ...NO_SOURCES, reports: [bureauOf(request)] } };
  }
  if (decision.outcome !== 'approved' && decision.outcome !== 'denied') return decision;
  if (score === undefined)
    return { ...decision, ...(decision.outcome === 'denied' && { scoreUsed: false }), sources: NO_SOURCES };
  const result = scoreResult(score, request, date);
  return { ...decision, score: result, sources: { ...NO_SOURCES, reports: [result.bureau] } };
}

function bureauOf({ program }: CreditRequest): CreditBureau {
  return program.lender.creditBureau ?? exampleBureau;
}

function scoreResult(value: number | null, request: CreditRequest, date: CivilDate): ScoreResult {
  const bureau = bureauOf(request);
  if (value === null) return { value, bureau };
  // An example that increases with the score, from 0 to 100.
  const ranksAbovePercent = Math.round((value - 300) / 5.5);
  return { value, min: 300, max: 850, date, factors: inLanguage(FACTORS, request.language), bureau, ranksAbovePercent };
}

const FACTORS: Translated<string[]> = {
  en: ['Proportion of balances to credit limits is too high', 'Length of time accounts have been established'],
  es: ['Proporción demasiado alta de saldos frente a límites de crédito', 'Antigüedad de las cuentas'],
};

function decisionFor({ decision, approvedShare }: TestBuyer, request: CreditRequest): CreditDecision {
  if (decision.outcome !== 'approved') return decision;
  const { program, amountCents, partialApproval, hasPlan } = request;
  const { reasons } = decision;
  if (reasons && !partialApproval) return { outcome: 'denied', reasons };
  const tierIds = tiersWithOffers(program).filter((id) => hasPlan(id, null));
  const tierId = tierIds.find((id) => id === decision.tierId) ?? tierIds[0];
  if (tierId === undefined) throw new UnknownOutcomeError('No tier has a plan for the order.');
  return {
    ...decision,
    tierId,
    limitCents: approvedShare === undefined ? null : Math.max(program.amount.minCents, Math.floor(amountCents * approvedShare)),
  };
}
