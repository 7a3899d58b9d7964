import type { Query } from '../../db/database.ts';
import type { Application } from '../../lending/applications/store.ts';
import { listAuditedLoans } from './audit-store.ts';
import { loanEndIn } from './loan.ts';
import { journalsOf } from './store.ts';

/** A stored end of a loan that differs from its journal, its agreement and the lender's schedule. */
export interface LoanEndDifference {
  transactionId: string;
  what: 'loanEndsOn';
  stored: string;
  recomputed: string;
}

/**
 * Recalculates the ends of the loans of transactions whose journals are consistent.
 *
 * @param applications - By their ids, with the agreements.
 */
export async function auditLoanEnds(
  query: Query,
  ids: readonly string[],
  applications: ReadonlyMap<string, Application>,
): Promise<LoanEndDifference[]> {
  if (ids.length === 0) return [];
  // A lender's schedule is saved with the end of the loan, and without a row of the journal, so both are of the same read.
  const rows = await listAuditedLoans(query, ids);
  const journals = await journalsOf(query, ids);
  return rows.flatMap((row): LoanEndDifference[] => {
    const { id: transactionId, applicationId, revision, loanEndsOn: stored } = row;
    const journal = journals.get(transactionId)!.filter(({ sequence }) => sequence <= revision);
    const recomputed = loanEndIn(row, journal, applications.get(applicationId)?.paymentAgreements[0]?.disclosure);
    return recomputed === undefined || recomputed === stored ? [] : [{ transactionId, what: 'loanEndsOn', stored, recomputed }];
  });
}
