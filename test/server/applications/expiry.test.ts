import { describe, expect, it } from 'vitest';
import {
  approvalExpiry,
  cancelChanges,
  expiryChanges,
  extendedExpiry,
  isExpired,
  undecidedExpiry,
} from '../../../server/applications/expiry.ts';
import { statusCodes } from '../../../server/applications/lifecycle.ts';
import { ApplicationStatus } from '../../../shared/wire/application.ts';

const at = (day: string, time = '12:00:00') => `2026-11-${day}T${time}.000000Z`;
const now = at('21');
const terms = { approvalDays: 7, extensionDays: 7 };
const row = (status: ApplicationStatus) => ({ status, request_leased_until: now, updated_at: at('20') });

describe('An application expires', () => {
  it('after the last day of its link, in the westernmost US time zone, while it is undecided', () => {
    expect(undecidedExpiry({ expires_on: '2026-11-30' })).toBe('2026-12-01T11:00:00.000000Z');
  });

  it('at the end of the supported time range, when the merchant names the last day', () => {
    const expires_at = undecidedExpiry({ expires_on: '9999-12-31' });
    expect(expires_at).toBe('9999-12-31T23:59:59.999000Z');
    expect(isExpired({ status: 'STARTED', expires_at }, now)).toBe(false);
    expect(approvalExpiry(terms, { expires_on: '9999-12-31' }, now)).toBe(at('28'));
  });

  it.each([
    ['after its days, approved', '2026-12-31', at('28')],
    ['with the last day of its link, approved', '2026-11-24', at('25', '11:00:00')],
  ])('%s', (_when, expires_on, end) => {
    expect(approvalExpiry(terms, { expires_on }, now)).toBe(end);
  });

  it.each(Object.values(ApplicationStatus.schema))('%s: after its expiration, if it is open', (status) => {
    const open = ['STARTED', 'NEEDS_ACTION', 'APPROVED', 'ATTEMPTED_PREPARE_CHECKOUT', 'CHECKOUT_PREPARED', 'CHECKOUT_EXTENDED'];
    expect(isExpired({ status, expires_at: now }, now)).toBe(open.includes(status));
    expect(isExpired({ status, expires_at: at('21', '12:00:01') }, now)).toBe(false);
  });

  it.each([
    ['STARTED', statusCodes.EXPIRED.undecided],
    ['NEEDS_ACTION', statusCodes.EXPIRED.undecided],
    ['APPROVED', statusCodes.EXPIRED['approval-expired']],
    ['CHECKOUT_EXTENDED', statusCodes.EXPIRED['approval-expired']],
  ] as const)('%s expires as %s and is no longer awaiting a decision', (status, status_code) => {
    expect(expiryChanges(row(status), now)).toEqual({
      status: 'EXPIRED',
      status_code,
      request_leased_until: null,
      updated_at: now,
    });
  });

  it.each(['by-buyer', 'by-merchant'] as const)('when it is cancelled %s', (by) => {
    const after = { status: 'CANCELLED', status_code: statusCodes.CANCELLED[by], request_leased_until: null, updated_at: now };
    expect(cancelChanges(row('APPROVED'), by, now)).toEqual(after);
    expect(() => cancelChanges(row('CHECKOUT_COMPLETED'), by, now)).toThrow('Cannot cancel');
  });
});

describe('An approval is valid', () => {
  it.each<[string, ApplicationStatus, string, string, number, string | undefined]>([
    ['two days before its end', 'CHECKOUT_PREPARED', at('23'), '2026-12-31', 7, at('30')],
    ['in its last second', 'CHECKOUT_PREPARED', at('21', '12:00:01'), '2026-12-31', 7, at('28', '12:00:01')],
    ['not longer than its link works', 'CHECKOUT_PREPARED', at('23'), '2026-11-24', 7, at('25', '11:00:00')],
    ['not once it is over', 'CHECKOUT_PREPARED', now, '2026-12-31', 7, undefined],
    ['not earlier than that', 'CHECKOUT_PREPARED', at('23', '12:00:01'), '2026-12-31', 7, undefined],
    ['not a second time', 'CHECKOUT_EXTENDED', at('23'), '2026-12-31', 7, undefined],
    ['not before a plan is chosen', 'APPROVED', at('23'), '2026-12-31', 7, undefined],
    ['not when the link ends with it', 'CHECKOUT_PREPARED', at('23', '11:00:00'), '2026-11-22', 7, undefined],
    ['not where it is not offered', 'CHECKOUT_PREPARED', at('23'), '2026-12-31', 0, undefined],
  ])('%s', (_when, status, expires_at, expires_on, extensionDays, until) => {
    expect(extendedExpiry({ status, expires_at }, { ...terms, extensionDays }, { expires_on }, now)).toBe(until);
  });
});
