import type { Query } from '../../server/db/database.ts';
import type { LoanBook } from '../../server/lending/lenders/loan-book.ts';
import { auditTransactions } from '../../server/purchases/transactions/audit.ts';

/** Returns the differences that the audit of the transactions finds. */
export async function differencesOf(query: Query, book?: LoanBook) {
  const found = [];
  for await (const batch of auditTransactions(query, book)) found.push(...batch);
  return found;
}
