import { dateIn, type Instant } from '../../base/time.ts';
import type { CivilDate } from '../../../shared/dates.ts';
import type { DisclosedFee, LoanDisclosure } from '../../../shared/disclosure/loan-disclosure.ts';
import { chargesOf, type LoanCharges, recast, type Reduction, type RemainingLoan } from '../../../shared/recast.ts';
import { findApplication } from '../../lending/applications/store.ts';
import type { Query } from '../../db/database.ts';
import type { ScheduledPayment } from '../../lending/lenders/lender.ts';
import { type CardState, cardStateOf, isSettled, remainingCardCents, remainingFinancedCents } from './card.ts';
import { listEntries, type JournalEntry, type NewEntry, type Transaction } from './store.ts';

/** The loan of a purchase after all changes. Amounts are in cents. */
export interface CurrentLoan {
  /**
   * `signed`: no part of it was canceled or refunded. `void`: it was never made, because the order was canceled, has expired or is paid by
   * card. `reduced`: a part of it was canceled or refunded. `refunded`: all of it was, after it was made.
   */
  state: 'signed' | 'void' | 'reduced' | 'refunded';
  /** The event that made the loan void; null for other loans. */
  cause: 'canceled' | 'expired' | 'paid-by-card' | null;
  /** True after the settlement, if the loan pays a part of it. */
  isFunded: boolean;
  /** The day of the settlement, if the loan pays a part of it; undefined before. */
  settledOn: CivilDate | undefined;
  /** The canceled and refunded parts of it. */
  reductions: readonly Reduction[];
  /** Their sum. */
  reducedCents: number;
  /** The part of `reducedCents` that was refunded after the loan was made. */
  creditedCents: number;
  /** The part of refunds that the card receives, because they were more than what the loan financed. */
  cardRefundedCents: number;
  /** The payments that are not due yet, or that the lender stated; null if they are those of the agreement, or are not known. */
  payments: readonly ScheduledPayment[] | null;
  calculatedBy: 'lender' | 'service';
  /** The day of the settlement, if it changed the payments of the agreement; null otherwise, and if the lender stated them. */
  startedOn: CivilDate | null;
  /** The cost of the changed loan by the agreement, counted from its first day; null while it is as signed, void, or not known. */
  cost: LoanCost | null;
  /** The part of the purchase that the card does not pay, because it was declined or could not be charged; 0 otherwise. */
  unpaidCardCents: number;
}

/** Figures of a changed loan. They are not a disclosure: those of the signature stay (12 CFR 1026.17(e)). */
interface LoanCost extends LoanCharges {
  amountFinancedCents: number;
  financeChargeCents: number;
  /** The fees that remain. */
  fees: DisclosedFee[];
  /** True if a refund returned no fees, because the agreement does not return them, or no longer. */
  areFeesKept: boolean;
}

/** The journal of a purchase, as far as it decides the state of the loan. */
export type LoanChange = Pick<JournalEntry, 'sequence' | 'type' | 'amountCents' | 'cardCents' | 'at'>;

/** The parts of a transaction that decide the state of its loan. */
export type LoanRow = Pick<Transaction, 'status' | 'totalCents' | 'cardCents' | 'timeZone' | 'lenderSchedule' | 'cardHold'>;

/**
 * Returns the loan of a purchase. A pure function of the journal.
 *
 * @param disclosure - As signed; undefined if it is not known.
 * @see shared/recast.ts: the rules by which payments are recalculated.
 */
export function loanAfter(row: LoanRow, journal: readonly LoanChange[], disclosure: LoanDisclosure | undefined): CurrentLoan {
  const { status, totalCents, cardCents, timeZone, lenderSchedule } = row;
  let state: CardState = { status: 'PENDING', leftCents: totalCents, cardCents, cardReducedCents: 0 };
  let settledOn: CivilDate | undefined;
  /** The sequences of the rows that settled the purchase, and that last changed the payments; 0 without one. */
  let settledBy = 0;
  let changedBy = 0;
  const reductions: Reduction[] = [];
  let cardRefundedCents = 0;
  for (const change of journal) {
    // A settlement that only the card pays makes no loan.
    if (change.type === 'settled' && remainingFinancedCents(state) > 0) {
      settledOn = dateIn(change.at, timeZone);
      settledBy = change.sequence;
    }
    if (change.type !== 'canceled' && change.type !== 'refunded') continue;
    const before = remainingFinancedCents(state);
    const cardBefore = remainingCardCents(state);
    state = {
      ...state,
      leftCents: state.leftCents - change.amountCents,
      cardReducedCents: state.cardReducedCents + change.cardCents,
    };
    if (change.type === 'refunded') cardRefundedCents += cardBefore - remainingCardCents(state);
    const cents = before - remainingFinancedCents(state);
    if (cents === 0) continue;
    reductions.push({ cents, on: settledOn && dateIn(change.at, timeZone) });
    changedBy = change.sequence;
  }

  const isFunded = settledOn !== undefined;
  const reducedCents = sumOf(reductions);
  const creditedCents = sumOf(reductions.filter(({ on }) => on !== undefined));
  const isDeclined = (status === 'PENDING' || status === 'AUTHORIZED') && row.cardHold?.outcome === 'declined';
  const common = {
    cause: null,
    startedOn: null,
    cost: null,
    isFunded,
    settledOn,
    reductions,
    reducedCents,
    creditedCents,
    // A card that could not be charged receives nothing back.
    cardRefundedCents: hasCaptureFailed(journal) ? 0 : cardRefundedCents,
    unpaidCardCents: isDeclined || (status === 'SETTLED' && hasCaptureFailed(journal)) ? remainingCardCents(state) : 0,
  };
  const cause = voidCause(status, isFunded, remainingFinancedCents(state));
  if (cause) return { ...common, state: 'void', cause, payments: [], calculatedBy: 'service' };
  const kind = reducedCents === 0 ? 'signed' : remainingFinancedCents(state) === 0 ? 'refunded' : 'reduced';
  const startedOn = disclosure && settledOn && startsLater(disclosure, settledOn) ? settledOn : null;
  if (startedOn) changedBy = Math.max(changedBy, settledBy);
  const rest = disclosure && (kind !== 'signed' || startedOn) ? recast(disclosure, reductions, settledOn) : undefined;
  const cost = rest && disclosure && kind !== 'signed' ? costOf(rest, disclosure) : null;
  // The lender's payments count only if they are those after the last change.
  if (lenderSchedule && lenderSchedule.revision >= changedBy)
    return { ...common, state: kind, payments: lenderSchedule.payments, calculatedBy: 'lender', cost };
  const payments = rest?.payments.map(({ dueOn, paymentCents: amountCents }) => ({ dueOn, amountCents })) ?? null;
  return { ...common, state: kind, payments, calculatedBy: 'service', startedOn: rest ? startedOn : null, cost };
}

function costOf({ terms, areFeesKept }: RemainingLoan, { firstPeriod }: LoanDisclosure): LoanCost {
  const { amountFinancedCents, payments } = terms;
  const paidCents = payments.reduce((sum, { paymentCents }) => sum + paymentCents, 0);
  return {
    amountFinancedCents,
    financeChargeCents: paidCents - amountFinancedCents,
    ...chargesOf(terms, firstPeriod),
    fees: terms.fees.filter(({ cents }) => cents > 0),
    areFeesKept,
  };
}

const NO_CHARGES: LoanCharges = { feeCents: 0, aprBps: 0 };

/** Returns the charges of a loan after its changes; null if it has changed and its agreement is not known. */
export function currentCharges({ state, cost }: CurrentLoan, disclosure: LoanDisclosure | undefined): LoanCharges | null {
  if (state === 'void') return NO_CHARGES;
  if (cost) return { feeCents: cost.feeCents, aprBps: cost.aprBps };
  return disclosure ? signedCharges(disclosure) : null;
}

function signedCharges({ fees, apr }: LoanDisclosure): LoanCharges {
  return { feeCents: fees.reduce((sum, { cents }) => sum + cents, 0), aprBps: Math.round(apr * 10_000) };
}

/** Returns true if the card could not be charged, and was not charged later. */
export function hasCaptureFailed(journal: readonly Pick<LoanChange, 'type'>[]): boolean {
  const last = journal.findLast(({ type }) => type === 'card-capture-failed' || type === 'card-captured');
  return last?.type === 'card-capture-failed';
}

/** Returns true if a settlement changes the payments of the agreement. */
function startsLater(disclosure: LoanDisclosure, settledOn: CivilDate): boolean {
  const [signed] = disclosure.payments;
  const [first] = recast(disclosure, [], settledOn).payments;
  return first?.dueOn !== signed?.dueOn || first?.paymentCents !== signed?.paymentCents;
}

function sumOf(reductions: readonly Reduction[]): number {
  return reductions.reduce((sum, { cents }) => sum + cents, 0);
}

function voidCause(status: Transaction['status'], isFunded: boolean, financedCents: number): CurrentLoan['cause'] {
  if (status === 'CANCELED') return 'canceled';
  if (status === 'EXPIRED') return 'expired';
  return !isFunded && financedCents === 0 ? 'paid-by-card' : null;
}

/** Returns true if a purchase was settled on a later day than it was signed, which can change the payments. */
export function isSettledLater({ status, statusSince, createdAt, timeZone }: Transaction): boolean {
  return status === 'SETTLED' && dateIn(statusSince, timeZone) > dateIn(createdAt, timeZone);
}

/** Returns true if the current loan depends on the journal: the purchase has changed, or its card or the lender's schedule may have. */
export function dependsOnJournal(row: Transaction): boolean {
  // The journal has a failed capture of a card, and the settlement before the lender's schedule.
  return (
    row.adjustedTotalCents !== row.totalCents || row.cardCents !== 0 || row.lenderSchedule !== undefined || isSettledLater(row)
  );
}

/** Returns true if nothing has changed the loan since it was signed. `loanAfter` then has no payments. */
export function isAsSigned(row: Transaction): boolean {
  return row.status !== 'CANCELED' && row.status !== 'EXPIRED' && !dependsOnJournal(row);
}

/** Returns true if the current loan depends on the payments of the agreement. */
export function dependsOnAgreement(row: Transaction): boolean {
  return row.status !== 'CANCELED' && (row.adjustedTotalCents !== row.totalCents || isSettledLater(row));
}

/** Returns the current loan of a purchase. Reads nothing if the purchase has not changed. */
export async function readLoan(query: Query, row: Transaction): Promise<CurrentLoan> {
  const journal = dependsOnJournal(row) ? await listEntries(query, row.id) : [];
  const application = dependsOnAgreement(row) ? await findApplication(query, row.applicationId) : undefined;
  return loanAfter(row, journal, application?.paymentAgreements[0]?.disclosure);
}

/** The columns of a transaction that its loan determines. */
export type LoanColumns = Pick<Transaction, 'loanEndsOn' | 'loanFeeCents' | 'loanAprBps'>;

const NO_LOAN: LoanColumns = { loanEndsOn: '', ...columnsOf(NO_CHARGES) };

/** Returns the columns of a loan as signed. */
export function signedColumns(disclosure: LoanDisclosure): LoanColumns {
  return { loanEndsOn: disclosure.payments.at(-1)!.dueOn, ...columnsOf(signedCharges(disclosure)) };
}

/**
 * Returns the columns after a change that is about to be saved. Reads the journal and the agreement only if the change can have moved the
 * payments: it reduces the loan, or it settles the purchase when the first payment was due already, or the lender has stated a schedule.
 */
export async function loanColumnsAfter(
  query: Query,
  before: Transaction,
  after: Transaction,
  { type, amountCents, cardCents = 0, at }: NewEntry,
): Promise<LoanColumns> {
  const { id, applicationId, status, timeZone, financing, lenderSchedule, loanEndsOn, loanFeeCents, loanAprBps } = after;
  const financedCents = remainingFinancedCents(cardStateOf(after));
  if (status === 'EXPIRED' || (financedCents === 0 && !isSettled(cardStateOf(before)))) return NO_LOAN;
  const isReduced = financedCents !== remainingFinancedCents(cardStateOf(before));
  const mayMove = type === 'settled' && (lenderSchedule !== undefined || dateIn(at, timeZone) >= financing.firstPaymentDue);
  if (!isReduced && !mayMove) return { loanEndsOn, loanFeeCents, loanAprBps };
  const journal = [...(await listEntries(query, id)), { sequence: before.revision + 1, type, amountCents, cardCents, at }];
  const disclosure = (await findApplication(query, applicationId))?.paymentAgreements[0]?.disclosure;
  const loan = loanAfter(after, journal, disclosure);
  return { loanEndsOn: loanEndOf(after, loan, at), ...columnsOf(currentCharges(loan, disclosure)) };
}

function columnsOf(charges: LoanCharges | null): Omit<LoanColumns, 'loanEndsOn'> {
  return { loanFeeCents: charges?.feeCents ?? null, loanAprBps: charges?.aprBps ?? null };
}

/** Returns `loanEndsOn` of a loan at the time of a change of its payments. */
export function loanEndOf({ loanEndsOn, timeZone }: Transaction, { payments }: CurrentLoan, at: Instant): CivilDate | '' {
  if (!payments) return loanEndsOn;
  return payments.at(-1)?.dueOn ?? dateIn(at, timeZone);
}

/**
 * Returns `loanEndsOn` as it has to be stored after a journal. Undefined if that is not known: without the agreement, and on the day, which is
 * not stored, on which a lender stated that nothing is owed.
 */
export function loanEndIn(
  row: LoanRow,
  journal: readonly LoanChange[],
  disclosure: LoanDisclosure | undefined,
): CivilDate | '' | undefined {
  const { state, payments, calculatedBy, reductions } = loanAfter(row, journal, disclosure);
  if (state === 'void') return '';
  if (!disclosure) return undefined;
  const last = (payments ?? disclosure.payments).at(-1)?.dueOn;
  return last ?? (calculatedBy === 'lender' ? undefined : reductions.at(-1)?.on);
}
