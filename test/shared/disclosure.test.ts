import { describe, expect, it } from 'vitest';
import { asLowAsText, formatApr, outOfRangeText } from '../../shared/disclosure.ts';
import { plansFor } from '../../shared/plans.ts';
import type { Program } from '../../shared/programs.ts';
import { program } from '../support/given.ts';

const offering = { lenderName: 'Fairterm Lending', minCents: 5_000, maxCents: 3_000_000, minApr: 0.0599, maxApr: 0.2999 };

describe('the text beside an "as low as" price', () => {
  it('is one example with all its terms, and for whom it holds', () => {
    const [plan] = plansFor(program, 74_000);

    expect(asLowAsText(offering, plan!)).toBe(
      'Example: financing $740.00 over 24 months at 9.99% APR, fixed, takes 23 monthly payments of $34.14 and a last payment of ' +
        '$34.25, $819.47 in total. Rates run from 5.99% to 29.99% APR and depend on your credit, the amount and the term; not ' +
        'everyone qualifies for the rate in the example. Financing is subject to credit approval, for purchases from $50.00 to ' +
        '$30,000.00. Loans are made by Fairterm Lending.',
    );
  });

  it('does not speak of a last payment when it is like the others', () => {
    const text = textFor({ amountCents: 60_000, termLength: 6, aprBps: 0 });

    expect(text).toContain('takes 6 monthly payments of $100.00, $600.00 in total.');
    expect(text).not.toContain('last payment');
  });

  it.each([
    { termLength: 1, aprBps: 1_200, says: 'over 1 month at 12.00% APR' },
    { termLength: 1, aprBps: 1_200, says: 'takes 1 monthly payment of $100.00, $100.00 in total.' },
    { termLength: 2, aprBps: 0, says: 'takes 1 monthly payment of $49.51 and a last payment of $49.50' },
  ])('speaks of one payment as one: $says', ({ termLength, aprBps, says }) => {
    expect(textFor({ amountCents: 9_901, termLength, aprBps })).toContain(says);
  });

  it.each(['Example', 'APR', 'subject to credit approval', 'Fairterm Lending', 'not everyone qualifies'])(
    'says "%s"',
    (words) => {
      expect(textFor({ amountCents: 60_000, termLength: 6, aprBps: 999 })).toContain(words);
    },
  );

  it.each(['no interest', 'same as cash', 'guaranteed', 'interest free', 'undefined', 'NaN', 'Infinity'])(
    'never says "%s"',
    (words) => {
      const texts = [textFor({ amountCents: 60_000, termLength: 6, aprBps: 0 }), outOfRangeText(offering)];

      for (const text of texts) expect(text).not.toMatch(new RegExp(`\\b${words}\\b`, 'i'));
    },
  );

  it('lets no percentage stand without the word APR', () => {
    const text = textFor({ amountCents: 60_000, termLength: 6, aprBps: 999 });

    expect(text.match(/%(?! APR)(?! to [\d.]+% APR)/g)).toBeNull();
  });
});

describe('the text outside every offer’s range', () => {
  it('names the range and the lender, and no payment or rate', () => {
    expect(outOfRangeText(offering)).toBe(
      'Financing is offered for purchases from $50.00 to $30,000.00, subject to credit approval. Loans are made by Fairterm Lending.',
    );
  });
});

describe('formatApr', () => {
  it.each([
    [0.0999, 'en-US', '9.99%'],
    [0.1, 'en-US', '10.00%'],
    [0.2999, 'en-US', '29.99%'],
    [0.0001, 'en-US', '0.01%'],
    [0, 'en-US', '0%'],
    [0.0999, 'de-DE', '9,99 %'],
  ])('%d reads in %s: %s', (apr, locale, text) => {
    expect(formatApr(apr, locale).replace(/\u00a0/g, ' ')).toBe(text);
  });

  it('writes every rate in basis points exactly', () => {
    for (let aprBps = 1; aprBps < 10_000; aprBps++) {
      expect(formatApr(aprBps / 10_000)).toBe(`${Math.floor(aprBps / 100)}.${String(aprBps % 100).padStart(2, '0')}%`);
    }
  });
});

function textFor({ amountCents, termLength, aprBps }: { amountCents: number; termLength: number; aprBps: number }): string {
  const offers = [{ id: 'offer', termLength, tierAprBps: { A: aprBps }, minCents: null, maxCents: null }];
  const single: Program = { ...program, offers };
  return asLowAsText({ ...offering, minApr: aprBps / 10_000, maxApr: aprBps / 10_000 }, plansFor(single, amountCents)[0]!);
}
