import type { CivilDate } from '../../../../shared/dates.ts';
import type { Program } from '../../../../shared/programs/program.ts';
import type { DenialReason } from '../../../lenders/lender.ts';

type Facts = Program['lender'];

/** A reason that can be put in words. `other` is none: whoever is told it must be told that they may ask for more. */
export type NamedReason = Exclude<DenialReason, 'other'>;

/** What a buyer is told who gets no credit: what was decided, by whom, why, and what they may do about it. */
export interface AdverseAction {
  /** The day of the decision. */
  date: CivilDate;
  merchantName: string;
  creditor: Pick<Facts, 'name' | 'address' | 'phone'>;
  /** The main ones, at most four. 12 CFR 1002.9(b)(2). */
  reasons: readonly NamedReason[];
  /** Whether there are reasons beside these, which the buyer has a right to: 12 CFR 1002.9(a)(2)(ii). */
  mayAskForReasons: boolean;
  /** Null when the program names none. */
  regulator: Facts['regulator'] | null;
  /** Whose report the decision rests on; null when it rests on none, or the program names none. */
  bureau: Facts['creditBureau'] | null;
  /** What the law wants in the notice and the program does not say. The lender's own must. */
  missing: readonly ('address' | 'regulator' | 'bureau')[];
}

/** What a lender finds out by a credit report, as far as one can tell from the reason. 15 USC 1681m(a). */
const FROM_A_REPORT: Record<DenialReason, boolean> = {
  'credit-history': true,
  debt: true,
  // Compared with what a bureau knows of a person.
  identity: true,
  // As the buyer gave it.
  income: false,
  // Nobody says that it is not.
  other: true,
};

/** @param reasons - As the lender gave them, the main one first; none when it gave none. */
export function adverseActionOf(
  lender: Facts,
  merchantName: string,
  reasons: readonly DenialReason[],
  date: CivilDate,
): AdverseAction {
  const { name, address, phone, regulator = null, creditBureau = null } = lender;
  const named = [...new Set(reasons)].filter((reason) => reason !== 'other');
  const restsOnReport = reasons.length === 0 || reasons.some((reason) => FROM_A_REPORT[reason]);
  return {
    date,
    merchantName,
    creditor: { name, ...(address && { address }), ...(phone && { phone }) },
    reasons: named,
    mayAskForReasons: named.length === 0 || reasons.includes('other'),
    regulator,
    bureau: restsOnReport ? creditBureau : null,
    missing: [
      ...(address ? [] : (['address'] as const)),
      ...(regulator ? [] : (['regulator'] as const)),
      // Where the program names no bureau, the lender may well use none; of a credit history it can hardly know without.
      ...(!creditBureau && reasons.includes('credit-history') ? (['bureau'] as const) : []),
    ],
  };
}

/** The same for the merchant, who reads what a sandbox would have sent: nothing in it tells one reason from another. */
export function withoutReasons(notice: AdverseAction): AdverseAction {
  return {
    ...notice,
    reasons: [],
    mayAskForReasons: true,
    bureau: null,
    missing: notice.missing.filter((part) => part !== 'bureau'),
  };
}
