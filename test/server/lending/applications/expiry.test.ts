import { describe, expect, it } from 'vitest';
import {
  approvalExpiry,
  cancelChanges,
  decisionDeadline,
  expiryChanges,
  extendedExpiry,
  incompleteExpiry,
  isExpired,
  linkExpiry,
  undecidedReason,
} from '../../../../server/lending/applications/expiry.ts';
import { statusCodes } from '../../../../shared/wire/status-codes.ts';
import { ApplicationStatus } from '../../../../shared/wire/application.ts';
import { DATABASE_NOW, type Instant } from '../../../../server/base/time.ts';
import type { CivilDate } from '../../../../shared/dates.ts';

const at = (day: `${number}`, time = '12:00:00'): Instant => `2026-11-${day}T${time}.000000Z`;
const now = at('21');
const terms = { approvalDays: 7, extensionDays: 7 };
const row = (status: ApplicationStatus, statusCode = '') => ({
  status,
  statusCode,
  requestLeasedUntil: now,
  updatedAt: at('20'),
});
const notPending = { requestLeasedUntil: null, requestDueAt: null, requestAttempts: 0, invalidOutcome: null, warnAt: null };

describe('An application', () => {
  it('that no lender has received expires after the last day of its link in the westernmost US time zone', () => {
    expect(linkExpiry({ expiresOn: '2026-11-30' })).toBe('2026-12-01T11:00:00.000000Z');
  });

  it('expires at the end of the supported time range if its link ends on the last supported day', () => {
    const expiresAt = linkExpiry({ expiresOn: '9999-12-31' });
    expect(expiresAt).toBe('9999-12-31T23:59:59.999000Z');
    expect(isExpired({ status: 'STARTED', expiresAt }, now)).toBe(false);
    expect(approvalExpiry(terms, { expiresOn: '9999-12-31' }, now)).toBe(at('28'));
  });

  it.each<[string, CivilDate, Instant]>([
    ['the end of the approval', '2026-12-31', at('28')],
    ['the last day of its link', '2026-11-24', at('25', '11:00:00')],
  ])('that is approved expires after %s, if that is first', (_title, expiresOn, expiresAt) => {
    expect(approvalExpiry(terms, { expiresOn }, now)).toBe(expiresAt);
  });

  it.each(Object.values(ApplicationStatus.schema))('that is %s is expired at its expiry time, if it is open', (status) => {
    const open = ['STARTED', 'NEEDS_ACTION', 'APPROVED', 'ATTEMPTED_PREPARE_CHECKOUT', 'CHECKOUT_PREPARED', 'CHECKOUT_EXTENDED'];
    expect(isExpired({ status, expiresAt: now }, now)).toBe(open.includes(status));
    expect(isExpired({ status, expiresAt: at('21', '12:00:01') }, now)).toBe(false);
  });

  it.each([
    ['STARTED', '100000', statusCodes.EXPIRED['not-submitted']],
    ['STARTED', '100200', statusCodes.EXPIRED.incomplete],
    ['NEEDS_ACTION', '400100', statusCodes.EXPIRED.incomplete],
    ['APPROVED', '200000', statusCodes.EXPIRED['approval-expired']],
    ['CHECKOUT_EXTENDED', '620000', statusCodes.EXPIRED['approval-expired']],
  ] as const)('that is %s (%s) expires with status code %s and stops awaiting a decision', (status, before, statusCode) => {
    expect(expiryChanges(row(status, before))).toEqual({ status: 'EXPIRED', statusCode, ...notPending, updatedAt: DATABASE_NOW });
  });

  it.each<[string, number, Instant, Instant]>([
    ['on the last of 30 days, with a warning five days before', 30, '2026-12-21T12:00:00.000000Z', '2026-12-16T12:00:00.000000Z'],
    ['on the last of 8 days, with a warning halfway', 8, at('29'), at('25')],
    ['after a day, with a warning halfway', 1, at('22'), at('22', '00:00:00')],
  ])('that the lender does not decide is denied %s', (_title, days, expiresAt, warnAt) => {
    expect(decisionDeadline({ undecided: { days, reason: 'income' } }, now)).toEqual({ expiresAt, warnAt });
  });

  it('that the lender does not decide is denied after 30 days, without a stated reason, if the program does not say how', () => {
    expect(decisionDeadline({}, now).expiresAt).toBe('2026-12-21T12:00:00.000000Z');
    expect(undecidedReason({})).toBe('other');
    expect(undecidedReason({ undecided: { days: 20, reason: 'unverified-income' } })).toBe('unverified-income');
  });

  it('that is incomplete can be completed until the end of the last day of the period in every US time zone', () => {
    const expiresAt = incompleteExpiry({ incompleteDays: 14, timeZone: 'America/New_York' }, at('22', '03:00:00'));
    expect(expiresAt).toBe(linkExpiry({ expiresOn: '2026-12-05' }));
  });

  it.each(['by-buyer', 'by-merchant'] as const)('is cancelled %s unless its checkout is completed', (by) => {
    const after = {
      status: 'CANCELLED',
      statusCode: statusCodes.CANCELLED[by],
      ...notPending,
      updatedAt: DATABASE_NOW,
    };
    expect(cancelChanges(row('APPROVED'), by)).toEqual(after);
    expect(() => cancelChanges(row('CHECKOUT_COMPLETED'), by)).toThrow('Cannot cancel');
  });
});

describe('An approval', () => {
  it.each<[string, ApplicationStatus, Instant, CivilDate, number, Instant | undefined]>([
    ['is extended two days before its end', 'CHECKOUT_PREPARED', at('23'), '2026-12-31', 7, at('30')],
    ['is extended in its last second', 'CHECKOUT_PREPARED', at('21', '12:00:01'), '2026-12-31', 7, at('28', '12:00:01')],
    ['is extended at most to the end of its link', 'CHECKOUT_PREPARED', at('23'), '2026-11-24', 7, at('25', '11:00:00')],
    ['is not extended at its end', 'CHECKOUT_PREPARED', now, '2026-12-31', 7, undefined],
    ['is not extended earlier than two days before', 'CHECKOUT_PREPARED', at('23', '12:00:01'), '2026-12-31', 7, undefined],
    ['is not extended a second time', 'CHECKOUT_EXTENDED', at('23'), '2026-12-31', 7, undefined],
    ['is not extended before a plan is chosen', 'APPROVED', at('23'), '2026-12-31', 7, undefined],
    ['is not extended if it ends with the link', 'CHECKOUT_PREPARED', at('23', '11:00:00'), '2026-11-22', 7, undefined],
    ['is not extended without extension days', 'CHECKOUT_PREPARED', at('23'), '2026-12-31', 0, undefined],
  ])('%s', (_title, status, expiresAt, expiresOn, extensionDays, extendedTo) => {
    expect(extendedExpiry({ status, expiresAt }, { ...terms, extensionDays }, { expiresOn }, now)).toBe(extendedTo);
  });
});
