import { describe, expect, it } from 'vitest';
import { adverseActionOf } from '../../../../server/checkout/decision/adverse-action.ts';
import { type DecisionSources, DENIAL_CODES, type DenialReason } from '../../../../server/lending/applications/decision.ts';
import { bureau, creditScore, knownLender, regulator, unknownLender } from '../../../support/lenders.ts';

const noticeOf = (reasons: readonly DenialReason[], lender = knownLender) =>
  adverseActionOf(lender, 'Acme Goods', reasons, '2026-11-21');

describe('The adverse action notice', () => {
  it('contains the creditor and its address, the date, and the regulator', () => {
    expect(noticeOf(['income'])).toMatchObject({
      date: '2026-11-21',
      merchantName: 'Acme Goods',
      creditor: { name: 'Example Bank', address: '1 Example Plaza, Wilmington, DE 19801', phone: '1-800-555-0100' },
      regulator,
      missing: [],
    });
  });

  it.each<{ given: DenialReason[]; presented: string[]; mayRequest: boolean }>([
    { given: ['delinquency'], presented: ['delinquency'], mayRequest: false },
    { given: ['income'], presented: ['income'], mayRequest: false },
    { given: ['debt'], presented: ['debt'], mayRequest: false },
    { given: ['identity'], presented: ['identity'], mayRequest: false },
    { given: ['other'], presented: [], mayRequest: true },
    { given: [], presented: [], mayRequest: true },
    { given: ['debt', 'income'], presented: ['debt', 'income'], mayRequest: false },
    { given: ['income', 'other'], presented: ['income'], mayRequest: true },
    { given: ['other', 'limit'], presented: [], mayRequest: true },
    { given: ['other', 'tier'], presented: [], mayRequest: true },
    { given: ['debt', 'other', 'limit'], presented: ['debt', 'limit'], mayRequest: true },
    { given: ['income', 'income'], presented: ['income'], mayRequest: false },
    { given: ['no-file'], presented: ['no-file'], mayRequest: false },
    { given: ['insufficient-file', 'bankruptcy'], presented: ['insufficient-file', 'bankruptcy'], mayRequest: false },
    { given: [...DENIAL_CODES], presented: ['income', 'debt', 'identity', 'no-file'], mayRequest: false },
  ])(
    'presents the reasons $given as $presented, with the right to request more: $mayRequest',
    ({ given, presented, mayRequest }) => {
      expect(noticeOf(given)).toMatchObject({ reasons: presented, mayAskForReasons: mayRequest });
      expect(noticeOf(given).reasons.length).toBeLessThanOrEqual(4);
    },
  );

  it.each<{ given: DenialReason[]; used: boolean }>([
    { given: ['delinquency'], used: true },
    { given: ['debt'], used: true },
    { given: ['identity'], used: true },
    { given: ['other'], used: true },
    { given: [], used: true },
    { given: ['no-file'], used: true },
    { given: ['recent-inquiries'], used: true },
    { given: ['income'], used: false },
    { given: ['length-of-employment', 'performance-with-us'], used: false },
    { given: ['income', 'debt'], used: true },
  ])('mentions a credit report for $given: $used', ({ given, used }) => {
    expect(noticeOf(given).bureaus).toEqual(used ? [bureau] : []);
  });

  it.each<[sources: DecisionSources, otherSources: string | null]>([
    [{ reports: [], outside: false, affiliate: false }, null],
    [{ reports: [bureau, creditScore.bureau], outside: false, affiliate: false }, null],
    [{ reports: [bureau], outside: true, affiliate: false }, 'outside'],
    [{ reports: [], outside: false, affiliate: true }, 'affiliate'],
    [{ reports: [], outside: true, affiliate: true }, 'affiliateAndOutside'],
  ])('mentions exactly the sources that the lender stated: %j', (sources, otherSources) => {
    for (const reasons of [['income'], ['no-file'], ['other']] satisfies DenialReason[][]) {
      const notice = adverseActionOf(knownLender, 'Acme Goods', reasons, '2026-11-21', { sources });
      expect(notice).toMatchObject({ bureaus: sources.reports, otherSources, missing: [] });
    }
  });

  it.each<{ given: DenialReason[]; lender: typeof knownLender; missing: string[] }>([
    { given: ['income'], lender: unknownLender, missing: ['address', 'regulator'] },
    { given: ['delinquency'], lender: unknownLender, missing: ['address', 'regulator', 'bureau'] },
    { given: ['no-file'], lender: unknownLender, missing: ['address', 'regulator', 'bureau'] },
    { given: ['debt'], lender: { ...unknownLender, regulator }, missing: ['address'] },
    { given: ['income'], lender: { ...unknownLender, address: 'Here' }, missing: ['regulator'] },
    { given: ['delinquency'], lender: { ...knownLender, creditBureau: undefined! }, missing: ['bureau'] },
  ])('lists what the lender’s own notice must add: $missing', ({ given, lender, missing }) => {
    expect(noticeOf(given, lender).missing).toEqual(missing);
  });
});
