import { array, boolean, type Infer, integer, min, nonempty, size, string, type } from 'superstruct';

/**
 * The fields that this lender reads of the body of `POST /decisions`; others are ignored (server/docs/lenders.md). `tiers` are the credit tiers
 * that have a plan for the order. `partialApproval` is true if a card can pay what the lender does not finance.
 */
export const DecisionRequest = type({
  amountCents: min(integer(), 1),
  program: type({ minCents: integer() }),
  tiers: nonempty(array(type({ id: string() }))),
  partialApproval: boolean(),
  applicant: type({ taxIdLast4: size(string(), 4) }),
  language: string(),
  merchant: type({ name: string() }),
});
export type DecisionRequest = Infer<typeof DecisionRequest>;

/** A decision as it is sent. `limitCents` is the most that may be financed; null for the whole order. */
export type Decision = { outcome: string; tierId?: string; limitCents?: number | null; [field: string]: unknown };
/** `score` is the credit score that was used; null if the bureau has none, and undefined if none was used, as in some denials. */
type TestBuyer = { decision: Decision; score?: number | null; fault?: Fault };
/** The fault that a test buyer causes: the first two at the decision, the others after the signature of the agreement. */
export type Fault = 'unavailable' | 'decides-late' | 'accepts-late' | 'withdraws';

const address = 'P.O. Box 1000, Springfield, IL 62701';
const bureau = { name: 'Example Credit Reports', address, phone: '1-800-555-0101', website: 'https://credit-reports.example' };
const english = ['Proportion of balances to credit limits is too high', 'Length of time accounts have been established'];
const spanish = ['Proporción demasiado alta de saldos frente a límites de crédito', 'Antigüedad de las cuentas'];
/** The sources of a response that is based on the application only: no reports, and no information from outside or of affiliates (15 USC 1681m(b)). */
export const NO_SOURCES = { reports: [], outside: false, affiliate: false };

/**
 * The documented test buyers, by the last four digits of their tax number. One who is approved with a reason is approved for a part, or denied
 * if the program has no partial approvals. A covered borrower is a servicemember or a dependent (32 CFR 232).
 */
const buyers: Readonly<Record<string, TestBuyer>> = {
  '1001': { decision: { outcome: 'approved', tierId: 'A' }, score: 761 },
  '1002': { decision: { outcome: 'approved', tierId: 'B' }, score: 702 },
  '1003': { decision: { outcome: 'approved', tierId: 'C' }, score: 618 },
  '1004': { decision: { outcome: 'approved', tierId: 'C' }, score: null },
  '1101': { decision: { outcome: 'approved', tierId: 'A', reasons: ['income'] }, score: 761 },
  '1201': { decision: { outcome: 'approved', tierId: 'A', coveredBorrower: true }, score: 761 },
  '2001': { decision: { outcome: 'denied', reasons: ['delinquency'] }, score: 521 },
  '2002': { decision: { outcome: 'denied', reasons: ['income'] } },
  '2003': { decision: { outcome: 'denied', reasons: ['debt'] } },
  '2004': { decision: { outcome: 'denied', reasons: ['identity'] } },
  '2005': { decision: { outcome: 'denied', reasons: ['no-file'] }, score: null },
  '3001': { decision: { outcome: 'ineligible', reason: 'not-offered' } },
  '4001': {
    decision: { outcome: 'needs-action', action: 'unfreeze-credit-file', sources: { ...NO_SOURCES, reports: [bureau] } },
  },
  '4002': { decision: { outcome: 'needs-action', action: 'confirm-identity' } },
  '4003': { decision: { outcome: 'needs-action', action: 'correct-details' } },
  '5001': { decision: { outcome: 'approved', tierId: 'A' }, score: 761, fault: 'unavailable' },
  '5002': { decision: { outcome: 'approved', tierId: 'A' }, score: 761, fault: 'decides-late' },
  '6001': { decision: { outcome: 'approved', tierId: 'A' }, score: 761, fault: 'accepts-late' },
  '6002': { decision: { outcome: 'approved', tierId: 'A' }, score: 761, fault: 'withdraws' },
};
/** Returns the test buyer of a request. Numbers that are not listed are approved like 1001. */
export const buyerOf = ({ applicant }: DecisionRequest): TestBuyer => buyers[applicant.taxIdLast4] ?? buyers['1001']!;

/**
 * Decides by the test buyer. A real lender decides by its credit policy.
 *
 * @param receivedMs - Time of the request in milliseconds since 1970, which is the date of the score.
 */
export function decide(request: DecisionRequest, receivedMs: number): Decision {
  const { amountCents, partialApproval, program, tiers, language } = request;
  const { decision, score: value } = buyerOf(request);
  const { outcome, tierId, reasons } = decision;
  if (outcome === 'ineligible' || outcome === 'needs-action') return decision;
  const date = new Date(receivedMs).toISOString().slice(0, 10);
  const factors = language === 'es' ? spanish : english;
  // A rough percentile: the position of the score between 300 and 850.
  const known = value && { value, min: 300, max: 850, date, factors, bureau, ranksAbovePercent: Math.round((value - 300) / 5.5) };
  const score = value === null ? { value, bureau } : known;
  const sources = { ...NO_SOURCES, reports: score ? [bureau] : [] };
  // A denial has the score that was used, or states that none was: 15 USC 1681m(a)(2).
  const used = score ? { score } : { scoreUsed: false };
  if (outcome === 'denied' || (reasons && !partialApproval)) return { outcome: 'denied', reasons, ...used, sources };
  // Another tier, if that of the buyer has no plan for the order.
  const tier = tiers.find(({ id }) => id === tierId) ?? tiers[0]!;
  // A partial approval is 60 % of the order, but not less than the smallest purchase that the program finances.
  const limitCents = reasons ? Math.max(program.minCents, Math.floor(amountCents * 0.6)) : null;
  return { coveredBorrower: false, ...decision, tierId: tier.id, limitCents, score, sources };
}
