import type { ApplicationStatus } from '../../../shared/wire/application.ts';
import { statusCodes } from '../lifecycle.ts';
import type { Scope } from './scope.ts';

/**
 * Codes shown to merchants in place of those that reveal why a buyer was denied, or what a bureau reported. Only the buyer and the
 * lender may see the reasons (decisions/0021).
 */
const TO_MERCHANTS: ReadonlyMap<string, string> = new Map([
  ...['300100', '300200', '300300', '300400'].map((code) => [code, '300000'] as const),
  ...['400100', '400200', '400300'].map((code) => [code, '400000'] as const),
]);

/** Every code that is stored, with its status. */
const stored: readonly { code: string; status: ApplicationStatus }[] = Object.entries(statusCodes).flatMap(([status, codes]) =>
  Object.values(codes).map((code) => ({ code, status: status as ApplicationStatus })),
);

/** Whose codes are shown: a program is that of one merchant, so who is bound to it reads what a merchant reads. */
type Reader = Pick<Scope, 'merchantId' | 'programId'>;

/** A stored code as the bearer of `scope` is shown it. */
export function shownCode(code: string, { merchantId, programId }: Reader): string {
  const isForMerchants = merchantId !== undefined || programId !== undefined;
  return (isForMerchants && TO_MERCHANTS.get(code)) || code;
}

export interface CodeFilter {
  status?: ApplicationStatus | undefined;
  codes?: readonly string[] | undefined;
  notCodes?: readonly string[] | undefined;
  showExpired: boolean;
}

/** The stored codes of the applications that a filter lets through, by the codes their reader is shown; undefined for all of them. */
export function codesAskedFor(filter: CodeFilter, scope: Reader): string[] | undefined {
  const { status, codes, notCodes = [], showExpired } = filter;
  const asked = stored.filter(({ code, status: own }) => {
    const shown = shownCode(code, scope);
    return (
      (status === undefined || own === status) &&
      (codes === undefined || codes.includes(shown)) &&
      !notCodes.includes(shown) &&
      (showExpired || own !== 'EXPIRED')
    );
  });
  return asked.length === stored.length ? undefined : asked.map(({ code }) => code);
}
