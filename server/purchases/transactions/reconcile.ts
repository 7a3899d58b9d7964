import type { BookedLoan, LoanAmounts, LoanBook } from '../../lending/lenders/loan-book.ts';

/** A loan that the lender must have, according to the journal. */
export interface JournaledLoan {
  applicationId: string;
  /** The amounts before the first event, and after each one. */
  amounts: readonly LoanAmounts[];
  /** The latest event that the lender has received; null without one. */
  deliveredRevision: number | null;
}

/** A field of a loan that differs: `loan` if only the lender or only the journal has the loan. */
export interface LoanDifference {
  what: 'loan' | `loan.${'applicationId' | keyof LoanAmounts}`;
  /** In the lender's book. */
  stored: unknown;
  /** According to the journal. */
  recomputed: unknown;
}

/**
 * Compares a loan in the lender's book with the journal as of the event that the book includes: later events may not have been delivered.
 * The book must include the events that were delivered before it was read.
 */
export function loanDifferences(booked: BookedLoan | undefined, loan: JournaledLoan): LoanDifference[] {
  if (!booked) return [{ what: 'loan', stored: null, recomputed: loan.amounts.at(-1) }];
  const expected = loan.amounts.findLast(({ revision }) => revision === booked.revision);
  const isBehind = (booked.revision ?? 0) < (loan.deliveredRevision ?? 0);
  const differences: LoanDifference[] = [];
  if (booked.applicationId !== loan.applicationId) {
    differences.push({ what: 'loan.applicationId', stored: booked.applicationId, recomputed: loan.applicationId });
  }
  if (isBehind || !expected) {
    const recomputed = isBehind ? loan.deliveredRevision : loan.amounts.at(-1)!.revision;
    differences.push({ what: 'loan.revision', stored: booked.revision, recomputed });
  }
  if (!expected) return differences;
  for (const field of ['financedCents', 'disburseCents', 'merchantFeeCents'] as const) {
    if (booked[field] === expected[field]) continue;
    differences.push({ what: `loan.${field}`, stored: booked[field], recomputed: expected[field] });
  }
  return differences;
}

/** Loans of the lender beyond those of the journal, after which its book is not read further. */
const MAX_UNKNOWN = 10_000;

/**
 * Reads the lender's loans after an id, up to the last one of a page of transactions.
 *
 * @param lastId - Undefined for all further loans.
 * @param expectedCount - Transactions of the page.
 * @throws Error - as `LoanBook`, or the lender lists too many loans that are not in the journal.
 */
export async function readLoans(
  book: LoanBook,
  after: string | undefined,
  lastId: string | undefined,
  expectedCount: number,
): Promise<Map<string, BookedLoan>> {
  const loans = new Map<string, BookedLoan>();
  let position = after;
  for (;;) {
    const page = await book.page(position);
    for (const loan of page) {
      if (lastId !== undefined && loan.transactionId > lastId) return loans;
      loans.set(loan.transactionId, loan);
    }
    position = page.at(-1)?.transactionId;
    if (position === undefined) return loans;
    if (loans.size > expectedCount + MAX_UNKNOWN) {
      throw new Error(`the lender has more than ${MAX_UNKNOWN} loans without a transaction`);
    }
  }
}
