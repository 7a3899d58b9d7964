import { keysOf } from '../../shared/objects.ts';
import type { ApplicationStatus } from '../../shared/wire/application.ts';
import { statusCodes } from '../applications/lifecycle.ts';
import type { Scope } from '../http/context.ts';

/**
 * Codes that merchants see instead of those that reveal why a buyer was denied or what a credit bureau reported (decisions/0021).
 */
const MERCHANT_CODES: ReadonlyMap<string, string> = new Map([
  ...['300100', '300200', '300300', '300400'].map((code) => [code, '300000'] as const),
  ...['400100', '400200', '400300'].map((code) => [code, '400000'] as const),
]);

/** All stored codes with their statuses. */
const storedCodes: readonly { code: string; status: ApplicationStatus }[] = keysOf(statusCodes).flatMap((status) =>
  Object.values(statusCodes[status]).map((code) => ({ code, status })),
);

/** A token for a program is treated as one for its merchant. */
type Reader = Pick<Scope, 'merchantId' | 'programId'>;

/** Returns the code that a reader is shown for a stored code. */
export function visibleCode(code: string, { merchantId, programId }: Reader): string {
  const isMerchant = merchantId !== undefined || programId !== undefined;
  return (isMerchant && MERCHANT_CODES.get(code)) || code;
}

export interface CodeFilter {
  status?: ApplicationStatus | undefined;
  codes?: readonly string[] | undefined;
  notCodes?: readonly string[] | undefined;
  showExpired: boolean;
}

/** Returns the stored codes that match a filter on visible codes; undefined for all. */
export function storedCodesFor(filter: CodeFilter, scope: Reader): string[] | undefined {
  const { status, codes, notCodes = [], showExpired } = filter;
  const matching = storedCodes.filter(({ code, status: own }) => {
    const visible = visibleCode(code, scope);
    return (
      (status === undefined || own === status) &&
      (codes === undefined || codes.includes(visible)) &&
      !notCodes.includes(visible) &&
      (showExpired || own !== 'EXPIRED')
    );
  });
  return matching.length === storedCodes.length ? undefined : matching.map(({ code }) => code);
}
