import { array, type Infer, integer, nonempty, nullable, optional, string, type } from 'superstruct';

const Payment = type({
  dueOn: string(),
  paymentCents: integer(),
  interestCents: integer(),
  principalCents: integer(),
  balanceCents: integer(),
});
export type Payment = Infer<typeof Payment>;

const terms = { currency: string(), tierId: string(), date: string(), interestFrom: optional(string()) };
const amounts = { purchaseCents: integer(), downPaymentCents: integer(), principalCents: integer(), noteRateBps: integer() };
export const Agreement = type({
  agreementId: nonempty(string()),
  requestId: string(),
  applicationId: nonempty(string()),
  disclosure: type({ ...amounts, ...terms, payments: array(Payment) }),
  order: type({ reference: string() }),
  transactionId: nullable(string()),
});
export type Agreement = Infer<typeof Agreement>;

const state = { status: optional(string()), financedCents: optional(integer()), revision: optional(integer()) };
const settlement = { disburseCents: optional(integer()), merchantFeeCents: optional(integer()), settledOn: optional(string()) };
const ids = { id: nonempty(string()), applicationId: nonempty(string()) };
export const Event = type({ ...ids, ...state, ...settlement, type: nonempty(string()), sequence: integer(), at: string() });
export type Event = Infer<typeof Event>;

/** Returns the payments of a loan after its events: those of the agreement, or recast for what is still financed. */
export function scheduleOf({ disclosure }: Agreement, events: readonly Event[]): Payment[] {
  const { purchaseCents, downPaymentCents, principalCents, noteRateBps, payments } = disclosure;
  const agreedCents = purchaseCents - downPaymentCents;
  const { financedCents = agreedCents } = events.findLast((event) => event.financedCents !== undefined) ?? {};
  return financedCents === agreedCents ? payments : recast(principalCents - agreedCents + financedCents, noteRateBps, payments);
}

/** Returns true if interest starts later than the agreement assumed, because the order shipped later. The service then calculates the payments. */
export function startsLater({ disclosure }: Agreement, events: readonly Event[]): boolean {
  const { settledOn } = events.find((event) => event.settledOn !== undefined) ?? {};
  return disclosure.interestFrom === 'settlement' && settledOn !== undefined && settledOn > disclosure.date;
}

/** Returns a loan as `GET /loans` lists it: its amounts after the latest of its events. */
export function bookedLoan({ transactionId, applicationId, disclosure }: Agreement, events: readonly Event[]) {
  const ofLoan = events.filter(({ revision }) => revision !== undefined).toSorted((a, b) => a.revision! - b.revision!);
  const { disburseCents = 0, merchantFeeCents = 0 } = ofLoan.find((event) => event.type === 'settled') ?? {};
  const { revision = null, financedCents = disclosure.purchaseCents - disclosure.downPaymentCents } = ofLoan.at(-1) ?? {};
  return { transactionId, applicationId, revision, financedCents, disburseCents, merchantFeeCents };
}

/** Returns level payments on the same dates for a smaller principal. The last one absorbs the rounding differences. */
function recast(principalCents: number, rateBps: number, payments: readonly Payment[]): Payment[] {
  if (principalCents <= 0) return [];
  const rate = rateBps / 120_000;
  const count = payments.length;
  const levelCents = Math.round(rate === 0 ? principalCents / count : (principalCents * rate) / (1 - (1 + rate) ** -count));
  let balanceCents = principalCents;
  const recastPayments = payments.map(({ dueOn }, index) => {
    const interestCents = Math.round(balanceCents * rate);
    const restCents = balanceCents + interestCents;
    const paymentCents = index === count - 1 ? restCents : Math.min(levelCents, restCents);
    balanceCents -= paymentCents - interestCents;
    return { dueOn, paymentCents, interestCents, principalCents: paymentCents - interestCents, balanceCents };
  });
  return recastPayments.filter(({ paymentCents }) => paymentCents > 0);
}
