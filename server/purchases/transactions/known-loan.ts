import type { LoanDisclosure } from '../../../shared/disclosure/loan-disclosure.ts';
import { dateIn } from '../../base/time.ts';
import type { LoanEvent, SentEvent } from '../../lending/lenders/events.ts';
import type { KnownLoan } from '../../lending/lenders/schedule.ts';
import { type LoanChange, type LoanRow, loanAfter } from './loan.ts';

/**
 * Returns what a lender's schedule for an event is compared with; `void` if the loan was not made. Undefined if the loan has changed after the
 * event, so that its schedule is not used. A pure function of the journal.
 *
 * @param disclosure - As signed.
 */
export function knownLoanAfter(
  row: LoanRow,
  journal: readonly LoanChange[],
  disclosure: LoanDisclosure,
  { type, revision, financedCents, at }: LoanEvent & Pick<SentEvent, 'at'>,
): KnownLoan | 'void' | undefined {
  const stated = loanAfter({ ...row, lenderSchedule: { revision, payments: [] } }, journal, disclosure);
  if (stated.state === 'void') return financedCents === 0 ? 'void' : undefined;
  if (stated.calculatedBy !== 'lender') return undefined;
  const until = journal.filter(({ sequence }) => sequence <= revision);
  const { payments, reductions, settledOn } = loanAfter(row, until, disclosure);
  const signed = disclosure.payments.map(({ dueOn, paymentCents: amountCents }) => ({ dueOn, amountCents }));
  const on = dateIn(at, row.timeZone);
  const isInRepayment = settledOn !== undefined && type !== 'settled';
  const known = (payments ?? signed).filter(({ dueOn }) => !isInRepayment || dueOn > on);
  return { disclosure, reductions, settledOn, on, isInRepayment, payments: known };
}
