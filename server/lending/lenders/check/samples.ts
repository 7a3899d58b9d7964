import { hash } from 'node:crypto';
import { canonicalJson } from '../../../../shared/disclosure/canonical-json.ts';
import { discloseLoan } from '../../../../shared/disclosure/disclose-loan.ts';
import { plansFor } from '../../../../shared/plans.ts';
import type { Program } from '../../../../shared/programs/program.ts';
import { rateSheet } from '../../../../shared/programs/rate-sheet.ts';
import { newId } from '../../../base/ids.ts';
import { standardProgram } from '../../programs/standard-program.ts';
import { type Instant, systemClock, dateIn } from '../../../base/time.ts';
import type { ServicingEvent, LoanEvent, SentEvent } from '../events.ts';
import type { CreditRequest, SignedLoan } from '../lender.ts';

/** A decision under a program that uses credit scores contains one. Some test buyers have none, so the program of the check uses none. */
const program: Program = { ...standardProgram, creditScores: 'not-used' };

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

/** The life of a loan, in its order: authorized, partly canceled, settled, partly refunded. */
export function sampleEvents(loan: SignedLoan): SentEvent[] {
  // Revision 1 of a transaction is its creation, which is no event.
  const { financedCents, cardCents, transactionId, orderRef } = loanFacts(loan);
  const state = { transactionId, orderRef, merchantOrderId: 'M-1', cardCents };
  const lines = [{ sku: 'CHAIR-1', quantity: 1 }];
  const at = (status: 'AUTHORIZED' | 'SETTLED', financed: number, revision: number) => ({
    ...state,
    status,
    amountCents: financed + cardCents,
    financedCents: financed,
    revision,
  });
  const settledOn = dateIn(systemClock.now(), 'UTC');
  const events: LoanEvent[] = [
    { ...at('AUTHORIZED', financedCents, 2), type: 'authorized' },
    { ...at('AUTHORIZED', financedCents - 5_000, 3), type: 'canceled', changeCents: 5_000, lines },
    {
      ...at('SETTLED', financedCents - 5_000, 4),
      type: 'settled',
      disburseCents: financedCents - 5_000,
      merchantFeeCents: 0,
      settledOn,
    },
    { ...at('SETTLED', financedCents - 7_500, 5), type: 'refunded', changeCents: 2_500, lines },
  ];
  return events.map((event, index) => sentEvent(loan, index + 1, event));
}

/** Returns the id right before an id, by which the loan with this one is the first of a page. */
export function idBefore(id: string): string {
  const digits = (BigInt(`0x${id.replaceAll('-', '')}`) - 1n).toString(16).padStart(32, '0');
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** Events that end a loan or change no amount. */
export function otherEvents(loan: SignedLoan): LoanEvent[] {
  const { financedCents, cardCents, transactionId, orderRef } = loanFacts(loan);
  const state = { transactionId, orderRef, merchantOrderId: 'M-1', revision: 2 };
  const unchanged = { amountCents: financedCents + cardCents, financedCents, cardCents };
  const ended = { amountCents: 0, financedCents: 0, cardCents: 0 };
  return [
    { ...state, ...unchanged, status: 'PENDING', type: 'card-declined' },
    { ...state, ...unchanged, status: 'SETTLED', type: 'card-capture-failed' },
    { ...state, ...unchanged, status: 'SETTLED', type: 'card-captured' },
    { ...state, ...ended, status: 'CANCELED', type: 'canceled', changeCents: financedCents, lines: [] },
    { ...state, ...ended, status: 'EXPIRED', type: 'expired', reason: 'not-authorized-in-time' },
  ];
}

/** The program of the check has no down payment, so that the loan is all of `purchaseCents`. */
function loanFacts({ disclosure, order, transactionId }: SignedLoan) {
  const { purchaseCents: financedCents, cardCents = 0 } = disclosure;
  return { financedCents, cardCents, transactionId, orderRef: order.reference };
}

export function sentEvent(
  { applicationId, requestId }: { applicationId: string; requestId: string | null },
  sequence: number,
  event: ServicingEvent,
  at: Instant = systemClock.now(),
): SentEvent {
  return { id: newId(), sequence, at, applicationId, requestId, ...event };
}
