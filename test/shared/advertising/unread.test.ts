import { describe, expect, it } from 'vitest';
import { lintAdvertisement } from '../../../shared/advertising/lint.ts';

const findingsIn = (text: string) => lintAdvertisement(text).findings;

describe('an example that cannot be read', () => {
  it.each([
    [
      'names no amount',
      '12 payments of $72.21 at 15% APR',
      'it names no amount that its payments repay, so 15% APR could not be checked',
    ],
    [
      'has nothing left to lend',
      '$100 purchase with $100 down, 12 payments of $72.21 at 15% APR',
      'it names no amount that its payments repay, so 15% APR could not be checked',
    ],
    [
      'may count its last payment or not',
      '$1,200 purchase. 48 monthly payments of $35.24, last payment $35.48. APR 18.77%.',
      'it does not say whether its last payment comes after the others or is one of them',
    ],
    [
      'is first paid too early',
      '$800 purchase, 12 payments of $72.21 at 15% APR. The first payment is due 14 days after the loan.',
      'its first payment is due after less than a month, or after none that can be counted',
    ],
    [
      'has a down payment of something else',
      'Down payment 10%, 12 payments of $72.21 at 15% APR',
      'its down payment is a part of an amount that is not named; it names no amount that its payments repay, so 15% APR could not be checked',
    ],
  ])('%s: %s', (_, text, reason) => {
    expect(findingsIn(text)).toMatchObject([{ rule: 'unclear-example', message: `This example is not clear: ${reason}.` }]);
  });

  it('names several payments and not how often', () => {
    expect(findingsIn('$800 purchase, payments of $72.21 and payments of $80 at 15% APR for 12 months')).toMatchObject([
      { rule: 'unclear-example', message: expect.stringContaining('it names several payments and not how often each is made') },
      { rule: 'triggered-terms' },
    ]);
  });

  it('has amounts in another currency', () => {
    expect(findingsIn('€800 purchase, 12 payments of €72.21 at 15% APR')).toMatchObject([
      { rule: 'unclear-example', message: expect.stringContaining('one of its amounts cannot be read') },
      { rule: 'triggered-terms' },
      { rule: 'unread-figure', message: '€800 is not in the currency of the advertisement.' },
      { rule: 'unread-figure', message: '€72.21 is not in the currency of the advertisement.' },
    ]);
  });

  it('has amounts that no word names', () => {
    expect(findingsIn('Example: $800 purchase, 12 payments of $72.21 at 15% APR, with $35 extra')).toEqual([
      { rule: 'unread-figure', message: '$35 stands in an example that does not say what it is.', excerpt: '$35' },
    ]);
    expect(findingsIn('$800 and $900 at 15% APR: 12 payments of $72.21').map(({ rule }) => rule)).toEqual([
      'unclear-example',
      'unread-figure',
      'unread-figure',
    ]);
  });

  it('may not be recognized as one', () => {
    expect(findingsIn('Only $72.21 at 15% APR!')).toEqual([
      { rule: 'unread-figure', message: '$72.21 stands beside an APR, and no word says what it is.', excerpt: '$72.21' },
    ]);
    expect(findingsIn('An $800 purchase at 15% APR!')).toEqual([]);
    expect(findingsIn('Now for $800! Only here. Rates from 15% APR to 20% APR.')).toEqual([]);
  });

  it('may have amounts beside it that are about other things', () => {
    expect(findingsIn('$800 purchase, 12 payments of $72.21 at 15% APR. Now with a $35 umbrella.')).toEqual([]);
    expect(findingsIn('$72.21! $800 purchase, 12 payments of $72.21 at 15% APR')).toEqual([]);
  });
});

describe('payments that begin later', () => {
  const example = 'Example: a $1,200 purchase over 12 months at 9.99% APR takes 12 monthly payments of $105.49.';

  it.each([
    'No payments for 6 months!',
    'No monthly payments for the first six months.',
    'No payments for 90 days.',
    'No payments until January.',
    'Pay nothing for 6 months.',
    'Make no payment for 1 year.',
    'Sin pagos durante 6 meses.',
    'Sin pagos por los primeros 6 meses.',
    'No pague nada durante 90 días.',
  ])('are not clear beside an example that does not say when: %s', (words) => {
    for (const text of [`${words} ${example}`, `${example} ${words}`]) {
      expect(findingsIn(text)).toEqual([
        {
          rule: 'unclear-example',
          message: expect.stringContaining('does not say when its first payment is due'),
          excerpt: expect.any(String),
        },
      ]);
    }
  });

  it('are clear where the example says so', () => {
    const due = '$800 purchase, 12 payments of $72.21. First payment due 45 days after delivery. 13.98% APR.';

    expect(findingsIn(`${due} No payments for 45 days.`)).toEqual([]);
  });

  it('call for the terms without an example', () => {
    expect(findingsIn('No payments for 6 months')).toMatchObject([{ rule: 'triggered-terms' }]);
  });
});

describe('a fee that is not explained', () => {
  it.each([
    ['with a $10 service fee', ['whether it is lent or paid at once, nor whether it is part of the finance charge']],
    ['with a $10 service fee, due today', ['whether it is part of the finance charge']],
    ['with a $10 service fee that is part of the finance charge', ['whether it is lent or paid at once']],
    ['with a $10 service fee deducted', []],
    ['with a $0 service fee', []],
    ['with no service fee', []],
  ])('is found: %s', (fee, unknown) => {
    const { examples, findings } = lintAdvertisement(`$800 purchase ${fee}, 12 payments of $72.21 at 15.01% APR`);

    expect(examples).toHaveLength(1);
    expect(findings.filter(({ rule }) => rule === 'unclear-fee').map(({ message }) => message)).toEqual(
      unknown.map((what) => `The text does not say of a fee ${what}. It was read as what comes nearest to the printed APR.`),
    );
  });

  it.each([
    [15, 80_000],
    [17.42, 79_000],
    [12.6, 81_000],
  ])('is read so that %d%% APR comes nearest', (apr, amountFinancedCents) => {
    const { examples } = lintAdvertisement(`$800 purchase with a $10 service fee, 12 payments of $72.21 at ${apr}% APR`);

    expect(examples[0]!.follows).toMatchObject({ amountFinancedCents });
  });
});

describe('a figure beyond belief', () => {
  it.each([
    [
      '0 payments of $72.21, $800 purchase at 15% APR',
      '"0 payments of $72.21" is no number of payments or months that a loan has.',
    ],
    [
      '$800 purchase, 12 payments of $72.21 at 15% APR over 0 months',
      '"0 months" is no number of payments or months that a loan has.',
    ],
    [
      '5,000 payments of $72.21, $800 purchase at 15% APR',
      '"5,000 payments of $72.21" is no number of payments or months that a loan has.',
    ],
    [
      '12.5 payments of $72.21, $800 purchase at 15% APR',
      '"12.5 payments of $72.21" is no number of payments or months that a loan has.',
    ],
    ['$1,000,000,000 purchase, 12 payments of $72.21 at 15% APR', '$1,000,000,000 is more than any amount.'],
  ])('is found: %s', (text, message) => {
    expect(findingsIn(text)).toContainEqual({ rule: 'implausible-figure', message, excerpt: expect.any(String) });
  });
});
