import { hash } from 'node:crypto';
import { array, type Infer, integer, nullable, optional, refine, string, type } from 'superstruct';

const Payment = type({ dueOn: string(), paymentCents: integer(), interestCents: integer(), balanceCents: integer() });
export type Payment = Infer<typeof Payment>;

/** The fields that this lender reads of an agreement and its disclosure (server/docs/lenders.md). */
const terms = { currency: string(), tierId: string(), date: string(), interestFrom: optional(string()) };
const amounts = { purchaseCents: integer(), downPaymentCents: integer(), principalCents: integer(), noteRateBps: integer() };
const Disclosure = type({ ...terms, ...amounts, payments: array(Payment) });
const ids = { agreementId: string(), requestId: string(), applicationId: string(), transactionId: string() };
const names = { merchant: type({ name: string() }), order: type({ reference: string() }) };
const Document = refine(
  type({ html: string(), sha256: string() }),
  'hash',
  ({ html, sha256 }) => hash('sha256', html) === sha256,
);
const Signed = type({ ...ids, ...names, disclosure: Disclosure, disclosureHash: string(), document: Document });
export const Agreement = refine(
  Signed,
  'hash',
  ({ disclosure, disclosureHash }) => hash('sha256', canonicalJson(disclosure)) === disclosureHash,
);
export type Agreement = Infer<typeof Agreement>;

/**
 * Only events of a loan have these fields: the status of the purchase, the row of its journal (`revision`), what the loan finances of it after
 * the event, and the loan as if it had been made for that: its initial balance with the fees that remain, and its APR.
 */
const state = { status: optional(string()), revision: optional(integer()), financedCents: optional(integer()) };
const charges = { principalCents: optional(nullable(integer())), aprBps: optional(nullable(integer())) };
/** Only the event `settled` has these: its day, what the lender pays to the merchant, and the fee that it keeps. */
const settlement = { settledOn: optional(string()), disburseCents: optional(integer()), merchantFeeCents: optional(integer()) };
const common = { id: string(), applicationId: string(), type: string(), sequence: integer(), at: string() };
export const Event = type({ ...common, ...state, ...charges, ...settlement });
export type Event = Infer<typeof Event>;

/** A loan with its events in their order. */
export type Loan = { number: string; agreement: Omit<Agreement, 'document' | 'disclosureHash'>; events: Event[] };

/** Returns canonical JSON (RFC 8785) of a value that was parsed from JSON: the members of each object in the order of their names. */
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_name, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : member,
  );
}

/** Returns a loan as `GET /loans` lists it: with its amounts after the latest of its events. */
export function bookedLoan({ agreement, events }: Loan) {
  const { transactionId, applicationId, disclosure } = agreement;
  const latest = events.findLast(({ revision }) => revision !== undefined);
  const { revision = null, financedCents = disclosure.purchaseCents - disclosure.downPaymentCents } = latest ?? {};
  const { disburseCents = 0, merchantFeeCents = 0 } = events.find((event) => event.type === 'settled') ?? {};
  return { transactionId, applicationId, revision, financedCents, disburseCents, merchantFeeCents };
}

/**
 * Returns the payments of a loan after its events: those of the agreement, or level payments on the same dates for what is still owed. Payments
 * that were due at a refund count as made. Returns undefined, so that the service calculates them, if interest starts later than the agreement
 * assumed, because the order was settled on a later day, and for an event without the principal.
 */
export function scheduleOf({ agreement, events }: Loan): readonly Payment[] | undefined {
  const { principalCents: signedCents, date, interestFrom, noteRateBps } = agreement.disclosure;
  if (interestFrom === 'settlement' && events.some(({ settledOn = date }) => settledOn > date)) return undefined;
  let principalCents = signedCents;
  let balanceCents = signedCents;
  let payments: readonly Payment[] = agreement.disclosure.payments;
  let isMade = false;
  for (const event of events) {
    if (event.status === 'CANCELED' || event.status === 'EXPIRED') return [];
    isMade ||= event.type === 'settled';
    if (event.status !== undefined && typeof event.principalCents !== 'number') return undefined;
    // The credit for what was canceled or refunded, and for its fees.
    const reducedCents = principalCents - (event.principalCents ?? principalCents);
    if (reducedCents === 0) continue;
    principalCents -= reducedCents;
    const due = isMade ? payments.filter(({ dueOn }) => dueOn <= dayOf(event)) : [];
    balanceCents = Math.max(0, (due.at(-1)?.balanceCents ?? balanceCents) - reducedCents);
    // Without fees, an APR of 0 means that the loan has no interest any more, because rounding would exceed a cap.
    const isFree = event.aprBps === 0 && principalCents === event.financedCents;
    payments = leveled(payments.slice(due.length), balanceCents, isFree ? 0 : noteRateBps);
  }
  return payments;
}

/** Returns the day of an event. A real lender uses the time zone of the program. */
export function dayOf({ at }: Event): string {
  return at.slice(0, 10);
}

/** Returns level payments of a balance on the same dates, rounded up as by the service. The last one absorbs the rounding differences. */
function leveled(dates: readonly Payment[], principalCents: number, noteRateBps: number): Payment[] {
  const count = dates.length;
  let balanceCents = principalCents;
  // The monthly rate: 10,000 basis points in 100 %, and 12 months.
  const rate = noteRateBps / 120_000;
  const levelCents = Math.ceil(rate === 0 ? balanceCents / count : (balanceCents * rate) / (1 - (1 + rate) ** -count));
  const payments = dates.map(({ dueOn }, index) => {
    const interestCents = Math.round(balanceCents * rate);
    const restCents = balanceCents + interestCents;
    const paymentCents = index === count - 1 ? restCents : Math.min(levelCents, restCents);
    balanceCents = restCents - paymentCents;
    return { dueOn, paymentCents, interestCents, balanceCents };
  });
  return payments.filter(({ paymentCents }) => paymentCents > 0);
}
