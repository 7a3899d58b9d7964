import { array, type Infer, integer, max, min, nullable, object, refine, size } from 'superstruct';
import { Cents, line } from '../../../shared/wire/fields.ts';
import type { LoanEvent } from './events.ts';
import { parseBy, type Parsed } from './fault.ts';
import type { SignedClient } from './signed-client.ts';

/** Loans per page, so that a page fits into a response. */
const MAX_LOANS = 200;

const Revision = nullable(max(min(integer(), 1), Number.MAX_SAFE_INTEGER));

/** A loan in the lender's book. Amounts are in cents. */
const BookedLoan = object({
  transactionId: line(40, 1),
  applicationId: line(40, 1),
  /** The `revision` of the latest event that the amounts include; null before the first one. */
  revision: Revision,
  /** The amount financed after the event. */
  financedCents: Cents,
  /** The amount that the lender pays to the merchant, and the fee that it keeps; 0 before the settlement. */
  disburseCents: Cents,
  merchantFeeCents: Cents,
});
export type BookedLoan = Infer<typeof BookedLoan>;

const Page = object({ loans: size(array(BookedLoan), 0, MAX_LOANS) });

/** The amounts of a loan after one of its events, in cents. */
export type LoanAmounts = Omit<BookedLoan, 'transactionId' | 'applicationId'>;

export function amountsAfter(before: LoanAmounts, event: LoanEvent): LoanAmounts {
  const { revision, financedCents } = event;
  if (event.type !== 'settled') return { ...before, revision, financedCents };
  const { disburseCents, merchantFeeCents } = event;
  return { revision, financedCents, disburseCents, merchantFeeCents };
}

/** The loans that a lender has, as `GET /loans` lists them. */
export interface LoanBook {
  /**
   * Returns a page of loans, sorted by the ids of their transactions; empty at the end.
   *
   * @param after - The id after which the page starts; undefined for the first page.
   * @throws Error - the lender does not list its loans, or did not respond as documented; for the operator.
   */
  page(after: string | undefined): Promise<readonly BookedLoan[]>;
}

/** Statuses of lenders without the request, which is optional. */
export const NOT_OFFERED: readonly (number | null)[] = [404, 501];

export function remoteLoanBook({ send }: Pick<SignedClient, 'send'>): LoanBook {
  return {
    page: async (after) => {
      const path = loansPath(after);
      const parse = ({ body }: { body: unknown }) => parseLoans(body, after);
      const result = await send({ method: 'GET', path, id: path, expectedStatuses: [200], parse });
      if (result.kind === 'response') return result.content;
      if (after === undefined && NOT_OFFERED.includes(result.statusCode)) {
        throw new Error(`the lender has no GET /loans: it ${result.failure}`);
      }
      throw new Error(`GET ${path}: ${result.failure}`);
    },
  };
}

/**
 * Returns the path of a page, which is also the id of its request: the path is not part of a signature, but the id is, so that the
 * signature of another request lists nothing.
 */
export function loansPath(after: string | undefined): string {
  return after === undefined ? '/loans' : `/loans?after=${encodeURIComponent(after)}`;
}

/** Parses a page of loans after an id. */
export function parseLoans(response: unknown, after: string | undefined): Parsed<readonly BookedLoan[]> {
  const InOrder = refine(Page, 'loans in the order of their ids, all after the requested one', ({ loans }) =>
    loans.every(({ transactionId }, index) => transactionId > (loans[index - 1]?.transactionId ?? after ?? '')),
  );
  const parsed = parseBy(InOrder, response);
  return 'fault' in parsed ? parsed : { content: parsed.content.loans };
}
