import { keysOf } from '../../../shared/objects.ts';
import type { ApplicationStatus } from '../../../shared/wire/application.ts';
import { statusCodes } from '../../../shared/wire/status-codes.ts';

const { DENIED, NEEDS_ACTION } = statusCodes;

/**
 * Codes that readers see instead of those that reveal why a buyer was denied or what a credit bureau reported: only the buyer and the lender
 * may know that (decisions/0057).
 */
const SHOWN_CODES: ReadonlyMap<string, string> = new Map([
  ...[DENIED.income, DENIED.debt, DENIED.identity].map((code) => [code, DENIED.plain] as const),
  // Not stored for any application: an action that the buyer must take, without saying which.
  ...Object.values(NEEDS_ACTION).map((code) => [code, '400000'] as const),
]);

/** All stored codes with their statuses. */
const storedCodes: readonly { code: string; status: ApplicationStatus }[] = keysOf(statusCodes).flatMap((status) =>
  Object.values(statusCodes[status]).map((code) => ({ code, status })),
);

/** Returns the code that is shown for a stored code. */
export function visibleCode(code: string): string {
  return SHOWN_CODES.get(code) ?? code;
}

export interface CodeFilter {
  status?: ApplicationStatus | undefined;
  codes?: readonly string[] | undefined;
  notCodes?: readonly string[] | undefined;
  showExpired: boolean;
}

/** Returns the stored codes that match a filter on visible codes; undefined for all. */
export function storedCodesFor({ status, codes, notCodes = [], showExpired }: CodeFilter): string[] | undefined {
  const matching = storedCodes.filter(({ code, status: own }) => {
    const visible = visibleCode(code);
    return (
      (status === undefined || own === status) &&
      (codes === undefined || codes.includes(visible)) &&
      !notCodes.includes(visible) &&
      (showExpired || own !== 'EXPIRED')
    );
  });
  return matching.length === storedCodes.length ? undefined : matching.map(({ code }) => code);
}
