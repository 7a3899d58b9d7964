import { hash } from 'node:crypto';
import { canonicalJson } from '../../../../shared/disclosure/canonical-json.ts';
import { discloseLoan } from '../../../../shared/disclosure/disclose-loan.ts';
import { plansFor } from '../../../../shared/plans.ts';
import type { Program } from '../../../../shared/programs/program.ts';
import { chargesOf, recast, type Reduction } from '../../../../shared/recast.ts';
import { rateSheet } from '../../../../shared/programs/rate-sheet.ts';
import type { CivilDate } from '../../../../shared/dates.ts';
import { newId } from '../../../base/ids.ts';
import { standardProgram as program } from '../../programs/standard-program.ts';
import { type Instant, systemClock, dateIn } from '../../../base/time.ts';
import type { ServicingEvent, LoanEvent, SentEvent } from '../events.ts';
import type { CreditRequest, SignedLoan } from '../lender.ts';
import type { KnownLoan } from '../schedule.ts';

/** Its loans have a military APR far below the cap of other loans. */
export const militaryProgram: Program = { ...program, caps: { ...program.caps, maprCapBps: 2_000 } };

/** Its loans have fees, which shrink with them. */
export const feeProgram: Program = {
  ...program,
  fees: [
    {
      id: 'ORIGINATION',
      kind: 'origination',
      amountBps: 200,
      flatCents: 1_000,
      minCents: 0,
      maxCents: null,
      financeCharge: true,
      financed: true,
      mapr: true,
    },
  ],
};

/** Returns a request of a new application for $750.00 by the test buyer with these digits. */
export function sampleRequest(taxIdLast4: string, changes: Partial<CreditRequest> = {}): CreditRequest {
  const { amountCents = 75_000 } = changes;
  return {
    requestId: newId(),
    applicationId: newId(),
    program,
    amountCents,
    contact: {
      firstName: 'Ada',
      lastName: 'Lovelace',
      email: 'ada@example.com',
      phone: '5550100100',
      address: '12 Analytical Way',
      address2: '',
      city: 'Springfield',
      state: 'IL',
      zip: '62701',
    },
    applicant: { dateOfBirth: '1990-12-10', taxIdLast4, annualIncomeCents: 8_400_000 },
    language: 'en',
    merchant: { id: newId(), name: 'Acme Goods', category: 'furniture' },
    order: {
      reference: 'ORDER-1',
      totalCents: amountCents,
      shippingCents: 0,
      taxCents: null,
      shippingAddress: null,
      lines: [{ sku: 'CHAIR-1', name: 'Chair', quantity: 1, priceCents: amountCents }],
    },
    client: { ipAddress: '192.0.2.1', userAgent: 'Fairterm lender check' },
    earlierApplications: [],
    consents: [],
    partialApproval: true,
    hasPlan: () => true,
    ...changes,
  };
}

/** Returns the loan that the buyer of a request signs, for an amount of a tier. */
export function sampleLoan(
  request: CreditRequest,
  { tierId, financedCents = request.amountCents }: { tierId: string; financedCents?: number },
): SignedLoan {
  const now = systemClock.now();
  const date = dateIn(now, request.program.timeZone);
  const sheet = rateSheet(request.program, 'IL');
  const plan = plansFor(sheet, financedCents, date).find((each) => each.tierId === tierId);
  if (!plan) throw new RangeError(`Tier ${tierId} has no plan for ${financedCents}.`);
  const cardCents = request.amountCents - financedCents;
  const disclosure = discloseLoan(request.program, plan, {
    date,
    state: 'IL',
    merchantName: request.merchant.name,
    cardCents,
    sheet,
  });
  const { requestId, applicationId, contact, merchant, order, client } = request;
  return {
    agreementId: newId(),
    requestId,
    applicationId,
    disclosure,
    disclosureHash: hash('sha256', canonicalJson(disclosure)),
    signedName: 'Ada Lovelace',
    signedAt: now,
    client,
    codeSentBy: null,
    consents: [],
    document: sampleDocument('<!doctype html><title>Payment agreement</title>'),
    contact,
    merchant,
    order,
    transactionId: newId(),
  };
}

export function sampleDocument(html: string): SignedLoan['document'] {
  return { language: 'en', html, sha256: hash('sha256', html) };
}

/** The parts of a loan that `sampleEvents` cancels and refunds. */
export const CANCELED_CENTS = 5_000;
export const REFUNDED_CENTS = 2_500;

/**
 * The life of a loan, in its order: authorized, partly canceled, settled, partly refunded.
 *
 * @param refundedAt - By default at once.
 */
export function sampleEvents(loan: SignedLoan, refundedAt = systemClock.now()): SentEvent[] {
  // Revision 1 of a transaction is its creation, which is no event.
  const signed = stateAfter(loan, []);
  const reduced = stateAfter(loan, [{ cents: CANCELED_CENTS, on: undefined }]);
  const refunded = stateAfter(loan, sampleReductions(dateIn(refundedAt, program.timeZone)));
  const lines = [{ sku: 'CHAIR-1', quantity: 1 }];
  const settledOn = dateIn(systemClock.now(), program.timeZone);
  const settlement = { disburseCents: reduced.financedCents, merchantFeeCents: 0, settledOn };
  const events: LoanEvent[] = [
    { ...signed, status: 'AUTHORIZED', revision: 2, type: 'authorized' },
    { ...reduced, status: 'AUTHORIZED', revision: 3, type: 'canceled', changeCents: CANCELED_CENTS, lines },
    { ...reduced, status: 'SETTLED', revision: 4, type: 'settled', ...settlement },
    { ...refunded, status: 'SETTLED', revision: 5, type: 'refunded', changeCents: REFUNDED_CENTS, lines },
  ];
  return events.map((event, index) =>
    sentEvent(loan, index + 1, event, event.type === 'refunded' ? refundedAt : systemClock.now()),
  );
}

function sampleReductions(refundedOn: CivilDate): Reduction[] {
  return [
    { cents: CANCELED_CENTS, on: undefined },
    { cents: REFUNDED_CENTS, on: refundedOn },
  ];
}

/** Returns what the service knows about a loan after one of its `sampleEvents`. */
export function sampleKnownLoan({ disclosure }: SignedLoan, { type, at }: SentEvent): KnownLoan {
  const { date, payments: signed } = disclosure;
  const on = dateIn(at, program.timeZone);
  const isInRepayment = type === 'refunded';
  const settledOn = type === 'settled' || isInRepayment ? date : undefined;
  const reductions = sampleReductions(on).slice(0, type === 'authorized' ? 0 : isInRepayment ? 2 : 1);
  const payments = reductions.length === 0 ? signed : recast(disclosure, reductions, settledOn).payments;
  const known = payments.map(({ dueOn, paymentCents: amountCents }) => ({ dueOn, amountCents }));
  return { disclosure, reductions, settledOn, on, isInRepayment, payments: known };
}

/** Returns the id right before an id, by which the loan with this one is the first of a page. */
export function idBefore(id: string): string {
  const digits = (BigInt(`0x${id.replaceAll('-', '')}`) - 1n).toString(16).padStart(32, '0');
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** Events that end a loan or change no amount. */
export function otherEvents(loan: SignedLoan): LoanEvent[] {
  const unchanged = { ...stateAfter(loan, []), revision: 2 };
  const { financedCents: changeCents } = unchanged;
  const amounts = { amountCents: 0, financedCents: 0, cardCents: 0, principalCents: 0, feeCents: 0, aprBps: 0 };
  const ended = { ...unchanged, ...amounts };
  return [
    { ...unchanged, status: 'PENDING', type: 'card-declined' },
    { ...unchanged, status: 'SETTLED', type: 'card-capture-failed' },
    { ...unchanged, status: 'SETTLED', type: 'card-captured' },
    { ...ended, status: 'CANCELED', type: 'canceled', changeCents, lines: [] },
    { ...ended, status: 'EXPIRED', type: 'expired', reason: 'not-authorized-in-time' },
  ];
}

/** The program of the check has no down payment, so that the loan pays all of the purchase that the card does not. */
function stateAfter({ disclosure, order, transactionId }: SignedLoan, reductions: readonly Reduction[]) {
  const { terms } = recast(disclosure, reductions, disclosure.date);
  const { cardCents = 0, firstPeriod } = disclosure;
  const financedCents = terms.amountFinancedCents;
  const charges = chargesOf(terms, firstPeriod);
  const amounts = { amountCents: financedCents + cardCents, financedCents, cardCents };
  const principalCents = financedCents + charges.feeCents;
  return { transactionId, orderRef: order.reference, merchantOrderId: 'M-1', ...amounts, principalCents, ...charges };
}

export function sentEvent(
  { applicationId, requestId }: { applicationId: string; requestId: string | null },
  sequence: number,
  event: ServicingEvent,
  at: Instant = systemClock.now(),
): SentEvent {
  return { id: newId(), sequence, at, applicationId, requestId, ...event };
}
