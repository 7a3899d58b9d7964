import { describe, expect, it } from 'vitest';
import { rateSheet } from '../../../shared/programs/rate-sheet.ts';
import { createOffer, createProgram, createSheet } from '../../support/programs.ts';

describe('rateSheet', () => {
  it('does not contain credit scores, tier shares, licenses, contact details or merchant discounts', () => {
    const promo = { kind: 'zero-apr', from: '2026-11-20', to: '2026-12-02', merchantDiscountBps: 451 };
    const program = createProgram({
      lender: {
        name: 'Example Bank',
        model: 'bank-partner',
        licenses: { CA: { type: 'CFL', number: '60DBO-1' } },
        address: 'Wilmington, DE 19801',
        phone: '302-555-0101',
        regulator: { name: 'An agency', address: 'Washington, DC 20580' },
        creditBureau: {
          name: 'Reports',
          address: 'Atlanta, GA 30301',
          phone: '800-555-0100',
          website: 'https://reports.example',
        },
      },
      tiers: [
        { id: 'A', label: 'Excellent', creditBand: { min: 741, max: 843 }, advertise: true, representativeShare: 0.31 },
        { id: 'B', label: 'Unadvertised', creditBand: { min: 600, max: 740 } },
      ],
      merchantDiscount: { bps: 452 },
      offers: [createOffer({ merchantDiscount: { bps: 453 } }), createOffer({ id: 'promo', tierAprBps: { A: 0 }, promo })],
    });

    const sheet = rateSheet(program);
    expect(sheet.tierLabels).toEqual({ A: 'Excellent' });
    const published = JSON.stringify(sheet);

    const internal = '451 452 453 741 843 0.31 Wilmington agency Reports 555 Unadvertised CFL bank-partner credit Discount';
    for (const text of [...internal.split(' '), 'kind":"zero']) expect(published).not.toContain(text);
  });

  it('has the languages of all agreements of the lender, and without agreements those of the samples', () => {
    const { agreement, coveredBorrower } = createProgram().documents;
    const { es: _, ...inEnglish } = coveredBorrower!;
    const languagesIn = (documents: object) => createSheet({ documents }).languages;
    expect(languagesIn({ agreement, coveredBorrower })).toEqual(['en', 'es']);
    expect(languagesIn({ agreement, coveredBorrower: inEnglish })).toEqual(['en']);
    expect(languagesIn({})).toEqual(['en', 'es']);
  });

  it.each([
    { state: undefined, maxAprBps: 3_599, advertisedAprBps: 1_700, offers: 3 },
    { state: 'TX', maxAprBps: 3_599, advertisedAprBps: 3_599, offers: 3 },
    { state: 'AR', maxAprBps: 1_700, advertisedAprBps: 1_700, offers: 3 },
    { state: 'CO', maxAprBps: 2_100, advertisedAprBps: 2_100, offers: 3 },
    { state: 'IA', maxAprBps: 3_599, advertisedAprBps: 3_599, offers: 0 },
  ])('applies the caps and exclusions of the buyer’s state: $state', ({ state, maxAprBps, advertisedAprBps, offers }) => {
    const sheet = createSheet({ caps: { stateAprCapBps: { AR: 1_700, CO: 2_100 } }, states: { excluded: ['IA'] } }, state);

    expect(sheet.caps).toEqual({ maxAprBps, advertisedAprBps, maprCapBps: 3_600 });
    expect(sheet.offers).toHaveLength(offers);
  });

  it.each([
    { firstPaymentAfter: { months: 1, days: 0 }, oddDaysInterest: 'none', oddMonths: 0 },
    { firstPaymentAfter: { months: 1, days: 0 }, oddDaysInterest: '360', oddMonths: 0 },
    { firstPaymentAfter: { months: 1, days: 15 }, oddDaysInterest: 'none', oddMonths: 0 },
    { firstPaymentAfter: { months: 1, days: 15 }, oddDaysInterest: '360', oddMonths: 0.5 },
    { firstPaymentAfter: { months: 1, days: 15 }, oddDaysInterest: '365', oddMonths: 180 / 365 },
    { firstPaymentAfter: { months: 3, days: 0 }, oddDaysInterest: '365', oddMonths: 2 },
    { firstPaymentAfter: { months: 3, days: 15 }, oddDaysInterest: '360', oddMonths: 2.5 },
  ])('bears interest for $oddMonths odd months with $oddDaysInterest and $firstPaymentAfter', ({ oddMonths, ...schedule }) => {
    const { above, below } = createSheet({ schedule }).oddMonths;

    expect(Number.isInteger(above) && Number.isInteger(below)).toBe(true);
    expect(above / below).toBeCloseTo(oddMonths, 12);
  });

  it.each([
    { termLength: 11, days: 13, counted: 'a month' },
    { termLength: 11, days: 14, counted: 'its actual length' },
    { termLength: 12, days: 21, counted: 'a month' },
    { termLength: 12, days: 22, counted: 'its actual length' },
    { termLength: 119, days: 21, counted: 'a month' },
    { termLength: 119, days: 22, counted: 'its actual length' },
    { termLength: 120, days: 27, counted: 'a month' },
  ])(
    'counts the first period of $termLength payments with $days odd days as $counted if minor irregularities are disregarded',
    ({ termLength, days, counted }) => {
      const first = (policy: string) =>
        createSheet({
          offers: [createOffer({ termLength })],
          schedule: { firstPaymentAfter: { months: 1, days }, firstPeriodPolicy: policy },
        }).offers[0]!.firstPeriod;

      expect(first('minorIrregularity')).toEqual(counted === 'a month' ? { months: 1, days: 0 } : { months: 1, days });
      expect(first('exact')).toEqual({ months: 1, days });
    },
  );

  it.each([
    { termLength: 120, months: 2, days: 2, counted: { months: 1, days: 0 } },
    { termLength: 120, months: 2, days: 3, counted: { months: 2, days: 3 } },
    { termLength: 12, months: 2, days: 0, counted: { months: 2, days: 0 } },
  ])(
    'counts a first period of $months months and $days days before $termLength payments as $counted',
    ({ termLength, months, days, counted }) => {
      const schedule = { firstPaymentAfter: { months, days }, firstPeriodPolicy: 'minorIrregularity' };
      expect(createSheet({ offers: [createOffer({ termLength })], schedule }).offers[0]!.firstPeriod).toEqual(counted);
    },
  );
});
