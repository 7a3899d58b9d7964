import { array, type Infer, integer, nonempty, nullable, optional, string, type } from 'superstruct';
import type { Decision, DecisionRequest, ruleOf } from './decide.ts';

const Payment = type({
  dueOn: string(),
  paymentCents: integer(),
  principalCents: integer(),
  interestCents: integer(),
  balanceCents: integer(),
});
export type Payment = Infer<typeof Payment>;

export const Agreement = type({
  agreementId: nonempty(string()),
  requestId: string(),
  applicationId: nonempty(string()),
  disclosure: type({
    currency: string(),
    tierId: string(),
    purchaseCents: integer(),
    downPaymentCents: integer(),
    principalCents: integer(),
    noteRateBps: integer(),
    payments: array(Payment),
  }),
  order: type({ reference: string() }),
});
export type Agreement = Infer<typeof Agreement>;

export const Event = type({
  id: nonempty(string()),
  type: nonempty(string()),
  sequence: integer(),
  at: string(),
  applicationId: nonempty(string()),
  requestId: nullable(string()),
  status: optional(string()),
  financedCents: optional(integer()),
});
export type Event = Infer<typeof Event>;

export interface Application {
  request: DecisionRequest;
  decision: Decision;
  rule: ReturnType<typeof ruleOf>;
  /** The decision is given from then on. */
  decidedAt: number;
  /** The agreement is accepted from then on. */
  acceptedFrom?: number;
  receivedAt: Date;
}

export interface Loan {
  /** The lender's own number. */
  number: string;
  agreement: Agreement;
  merchant: string;
  currency: string;
}

/** All that the lender has: applications by the id of their request, loans by that of their agreement, events by their own. */
export interface Book {
  applications: Map<string, Application>;
  loans: Map<string, Loan>;
  events: Map<string, Event>;
}

/** Returns the events of a loan in their order. */
export function eventsOf({ events }: Book, { agreement }: Loan): Event[] {
  return [...events.values()]
    .filter(({ applicationId }) => applicationId === agreement.applicationId)
    .toSorted((a, b) => a.sequence - b.sequence);
}

/** Returns the payments of a loan after its events: those of the agreement, or recast for what is still financed. */
export function scheduleOf({ agreement: { disclosure } }: Loan, events: readonly Event[]): Payment[] {
  const { purchaseCents, downPaymentCents, principalCents, noteRateBps, payments } = disclosure;
  const last = events.findLast(({ financedCents }) => financedCents !== undefined);
  const agreedCents = purchaseCents - downPaymentCents;
  const leftCents = principalCents - (agreedCents - (last?.financedCents ?? agreedCents));
  return leftCents === principalCents ? payments : recast(leftCents, noteRateBps, payments);
}

/** Returns level payments of the same number and dates for a smaller principal. The last one absorbs the rounding differences. */
function recast(principalCents: number, rateBps: number, payments: readonly Payment[]): Payment[] {
  if (principalCents <= 0) return [];
  const rate = rateBps / 120_000;
  const level = Math.round(
    rate === 0 ? principalCents / payments.length : (principalCents * rate) / (1 - (1 + rate) ** -payments.length),
  );
  let balanceCents = principalCents;
  return payments.map(({ dueOn }, index) => {
    const interestCents = Math.round(balanceCents * rate);
    const paymentCents = index === payments.length - 1 ? balanceCents + interestCents : level;
    const paidCents = paymentCents - interestCents;
    balanceCents -= paidCents;
    return { dueOn, paymentCents, interestCents, principalCents: paidCents, balanceCents };
  });
}
