import { array, boolean, type Infer, integer, min, nonempty, size, string, type } from 'superstruct';

export const DecisionRequest = type({
  requestId: nonempty(string()),
  amountCents: min(integer(), 1),
  program: type({ minCents: integer() }),
  tiers: array(type({ id: string() })),
  partialApproval: boolean(),
  applicant: type({ taxIdLast4: size(string(), 4) }),
  language: string(),
  merchant: type({ name: string() }),
});
export type DecisionRequest = Infer<typeof DecisionRequest>;

/** The rule of a test buyer. `score` was used; null if the bureau has none. `late` and `fails` are about a response of the lender. */
interface Rule {
  outcome: 'approved' | 'denied' | 'ineligible' | 'needs-action';
  tierId?: string;
  score?: number | null | undefined;
  facts?: Record<string, unknown>;
  late?: 'decision' | 'acceptance';
  fails?: 'decision' | 'acceptance';
}

const approved = (tierId: string, score?: number | null, rest: Partial<Rule> = {}): Rule => ({
  outcome: 'approved',
  tierId,
  score,
  ...rest,
});
const denied = (reason: string, score?: number | null): Rule => ({ outcome: 'denied', score, facts: { reasons: [reason] } });
const needed = (action: string): Rule => ({ outcome: 'needs-action', facts: { action } });

/** The documented test buyers, by the last four digits of their tax number. */
const rules: Readonly<Record<string, Rule>> = {
  '1001': approved('A', 761),
  '1002': approved('B', 702),
  '1003': approved('C', 618),
  '1004': approved('C', null),
  '1101': approved('A', 761, { facts: { reasons: ['income'] } }),
  '1201': approved('A', 761, { facts: { coveredBorrower: true } }),
  '2001': denied('delinquency', 521),
  '2002': denied('income'),
  '2003': denied('debt'),
  '2004': denied('identity'),
  '2005': denied('no-file', null),
  '3001': { outcome: 'ineligible', facts: { reason: 'not-offered' } },
  '4001': needed('unfreeze-credit-file'),
  '4002': needed('confirm-identity'),
  '4003': needed('correct-details'),
  '5001': approved('A', undefined, { fails: 'decision' }),
  '5002': approved('A', undefined, { late: 'decision' }),
  '6001': approved('A', undefined, { late: 'acceptance' }),
  '6002': approved('A', undefined, { fails: 'acceptance' }),
};
export const ruleOf = ({ applicant }: DecisionRequest): Rule => rules[applicant.taxIdLast4] ?? rules['1001']!;

const address = 'P.O. Box 1000, Springfield, IL 62701';
const bureau = { name: 'Example Credit Reports', address, phone: '1-800-555-0101', website: 'https://credit-reports.example' };
const english = ['Proportion of balances to credit limits is too high', 'Length of time accounts have been established'];
const spanish = ['Proporción demasiado alta de saldos frente a límites de crédito', 'Antigüedad de las cuentas'];

export interface Decision {
  outcome: Rule['outcome'];
  tierId?: string;
  /** Null for the whole order. */
  limitCents?: number | null;
  coveredBorrower?: boolean;
}

/** Decides by the rule of the test buyer. A real lender decides by its credit policy. */
export function decide(request: DecisionRequest, date: string): Decision {
  const { amountCents, partialApproval, program, tiers, language } = request;
  const { outcome, tierId, score: value, facts = {} } = ruleOf(request);
  if (outcome === 'ineligible' || outcome === 'needs-action') return { outcome, ...facts };
  const factors = language === 'es' ? spanish : english;
  const known = value && { value, min: 300, max: 850, date, factors, bureau, ranksAbovePercent: Math.round((value - 300) / 5.5) };
  const score = value === null ? { value, bureau } : known;
  const based = { ...(score && { score }), sources: { reports: score ? [bureau] : [], outside: false, affiliate: false } };
  const isPartial = outcome === 'approved' && 'reasons' in facts;
  if (outcome === 'denied' || (isPartial && !partialApproval)) return { outcome: 'denied', ...facts, ...based };
  // Another tier, if that of the buyer has no plan for the order.
  const tier = tiers.find(({ id }) => id === tierId) ?? tiers[0]!;
  const limitCents = isPartial ? Math.max(program.minCents, Math.floor(amountCents * 0.6)) : null;
  return { outcome, tierId: tier.id, limitCents, coveredBorrower: false, ...facts, ...based };
}
