import { describe, expect, it } from 'vitest';
import { lintAdvertisement } from '../../../shared/advertising/lint.ts';

const rulesIn = (text: string) => lintAdvertisement(text).findings.map(({ rule }) => rule);

describe('advertisements as they are printed', () => {
  it.each([
    ['A $800 purchase could be split into 12 monthly payments of $72.21 at 15% APR', 15.0089],
    [
      'Rates range from 0.00% to 34.99% APR, resulting in, for example, 48 monthly payments of $31.50 at 21.99% APR, per $1,000.00 borrowed',
      21.9888,
    ],
    ['$500, 12 payments of $43.97 at 10% APR', 10.0518],
    ['0% APR for 36 months, paid in 35 months of $27.78 per month and $27.70 in month 36, per $1,000 financed', 0],
    ['10% APR, up to 10-year (120-month) amortization. Monthly payment ≈ $13.22 per $1,000 financed', 10.0089],
  ])('reconcile: %s', (text, aprPercent) => {
    const { examples, findings } = lintAdvertisement(text);

    expect(findings).toEqual([]);
    expect(examples[0]!.follows!.aprPercent).toBeCloseTo(aprPercent, 4);
  });

  it.each([
    [
      'Your rate will be 10-30% APR based on credit. For example, a $700 purchase might cost $63.25/mo over 12 months at 15% APR; a down payment may be required',
      15.2094,
    ],
    ['$4,000 amount financed, 24 payments of $204.45 at 19.60% APR', 20.443],
    ['Financing approved with 2.9% APR for 60 months at $16.67 per month per $1,000 financed.', 0.0079],
  ])('do not: %s', (text, aprPercent) => {
    const { examples, findings } = lintAdvertisement(text);

    expect(findings.map(({ rule }) => rule)).toEqual(['apr-does-not-reconcile']);
    expect(examples[0]!.follows!.aprPercent).toBeCloseTo(aprPercent, 4);
  });

  it('charge eight cents on every thousand dollars at 0 %', () => {
    const { findings } = lintAdvertisement('0% APR for 36 months: $27.78 per month per $1,000 financed.');

    expect(findings).toEqual([
      {
        rule: 'zero-apr-with-charge',
        message:
          '0% APR is printed, but the buyer pays $0.08 more than is lent. If the last payment is lower, it must be printed.',
        excerpt: '0% APR for 36 months: $27.78 per month per $1,000 financed',
      },
    ]);
  });
});

describe('a rate', () => {
  it('is said with what it should be', () => {
    expect(lintAdvertisement('$4,000 amount financed, 24 payments of $204.45 at 19.60% APR').findings).toEqual([
      {
        rule: 'apr-does-not-reconcile',
        message:
          '19.6% APR is printed, but the payments make it 20.443%. The printed rate is 0.84 points below that; 1/8 of a point is allowed.',
        excerpt: '$4,000 amount financed, 24 payments of $204.45 at 19.60% APR',
      },
    ]);
  });

  // $72.21 twelve times is 15.0089 % of $800.
  it.each([
    ['15.13', []],
    ['15.14', ['apr-does-not-reconcile']],
    ['14.89', []],
    ['14.88', ['apr-does-not-reconcile']],
  ])('of %s%% is held to 1/8 of a point', (percent, rules) => {
    expect(rulesIn(`$800 purchase, 12 payments of $72.21 at ${percent}% APR`)).toEqual(rules);
  });

  it.each([
    ['23.18', []],
    ['23.19', ['apr-does-not-reconcile']],
    ['22.69', []],
    ['22.68', ['apr-does-not-reconcile']],
  ])('of %s%% is held to 1/4 of a point where the payments between are not alike', (percent, rules) => {
    const text = `$1,000 purchase, 12 payments of $50, then 6 payments of $60 and 6 payments of $50 at ${percent}% APR`;
    expect(rulesIn(text)).toEqual(rules);
  });

  it.each([
    ['about $72', '15%', []],
    ['about $72', '14.1%', []],
    ['about $72', '16%', ['apr-does-not-reconcile']],
    ['$72', '15%', ['apr-does-not-reconcile']],
    ['about $72.21', '15.14%', []],
    ['about $72.21', '15.17%', ['apr-does-not-reconcile']],
  ])('may be that of any payment that is %s: %s', (payment, apr, rules) => {
    expect(rulesIn(`$800 purchase, 12 payments of ${payment} at ${apr} APR`)).toEqual(rules);
  });

  it.each([
    ['$800 purchase with a down payment of $80, 12 payments of $64.99', 15.01],
    ['$800 loan with $80 down, 12 payments of $72.21', 15.01],
    ['$900 purchase with $100 down, $800 amount financed, 12 payments of $72.21', 15.01],
    ['$800 purchase, 12 payments of $72.21. A fee of $10 is due today and is part of the finance charge', 17.42],
    ['$800 purchase, 12 payments of $72.21. A fee of $10 is due today and is not part of the finance charge', 15.01],
    ['$800 purchase, 12 payments of $73.11. The loan includes a fee of $10, which is part of the finance charge', 17.38],
    ['$800 purchase, 12 payments of $73.11. The loan includes a fee of $10, which is not part of the finance charge', 15.0],
    ['$800 loan, 12 payments of $72.21. The loan includes a fee of $10, which is part of the finance charge', 17.42],
    ['$800 loan, 12 payments of $72.21. The loan includes a fee of $10, which is not part of the finance charge', 15.01],
    ['$800 loan, 12 payments of $72.21, with a 2% origination fee deducted from the proceeds', 18.89],
    ['$800 purchase, 12 payments of $72.21. The first payment is due 2 months after the loan is made', 12.96],
    ['$800 purchase, 12 payments of $72.21. The first payment is due 45 days after the purchase', 13.91],
    ['$100 purchase, 4 payments of $26 every two weeks', 41.27],
    ['$100 purchase, 4 payments of $26 a week', 82.55],
    ['$800 purchase, 24 semi-monthly payments of $35.98', 14.89],
    ['$800 purchase, 4 quarterly payments of $219.13', 15.03],
  ])('is worked out: %s', (text, apr) => {
    const { examples } = lintAdvertisement(`${text}. ${apr}% APR`);

    expect(examples).toHaveLength(1);
    expect(examples[0]!.follows!.aprPercent!.toFixed(2)).toBe(apr.toFixed(2));
    expect(rulesIn(`${text}. ${apr}% APR`)).toEqual([]);
    expect(rulesIn(`${text}. ${(apr + 0.2).toFixed(2)}% APR`)).toContain('apr-does-not-reconcile');
  });

  it('may count a first payment that is a little late as one after a month', () => {
    const text = '$800 purchase, 12 payments of $72.21. The first payment is due 1 month and 10 days after the loan is made.';

    expect(rulesIn(`${text} 15% APR`)).toEqual([]);
    expect(rulesIn(`${text} 14.24% APR`)).toEqual([]);
    expect(rulesIn(`${text} 14.6% APR`)).toEqual(['apr-does-not-reconcile']);
  });

  it.each([
    [11, 13, []],
    [11, 14, ['apr-does-not-reconcile']],
    [12, 21, []],
    [12, 22, ['apr-does-not-reconcile']],
    [120, 32, []],
    [120, 33, ['apr-does-not-reconcile']],
  ])('of %i payments may do so for %i days', (count, days, rules) => {
    const payment = { 11: '$78.33', 12: '$72.21', 120: '$12.91' }[count];
    const text = `$800 purchase, ${count} payments of ${payment} at 15% APR. The first payment is due ${30 + days} days after the loan.`;

    expect(rulesIn(text)).toEqual(rules);
  });
});

describe('payments', () => {
  it('that do not repay what is lent are found', () => {
    expect(lintAdvertisement('$1,000 purchase, 12 payments of $83.33 at 0% APR').findings).toEqual([
      {
        rule: 'payments-do-not-repay',
        message:
          'The payments come to $999.96, which is $0.04 short of the $1,000.00 that are lent. A last payment that differs must be printed.',
        excerpt: '$1,000 purchase, 12 payments of $83.33 at 0% APR',
      },
    ]);
    expect(rulesIn('$1,000 purchase, 12 payments of about $83.33 at 0% APR')).toEqual([]);
    expect(rulesIn('$1,000 purchase, 11 payments of $83.33 and a last payment of $83.37 at 0% APR')).toEqual([]);
  });

  it.each([
    ['12 payments of $72.21 for 12 months', []],
    ['12 payments of $72.21 for 1 year', []],
    ['12 payments of $72.21 for 13 months', ['count-does-not-reconcile']],
    ['12 payments of $72.21 for 2 years', ['count-does-not-reconcile']],
    ['$72.21/mo for 10 months and $144.00 in month 12', ['count-does-not-reconcile', 'apr-does-not-reconcile']],
    ['52 weekly payments of $16.58 for 12 months', []],
    ['50 weekly payments of $17.21 for 12 months', ['count-does-not-reconcile']],
    ['26 biweekly payments of $33.23 for 1 year', []],
  ])('are as many as the term has: %s', (payments, rules) => {
    expect(rulesIn(`$800 purchase, ${payments} at 15% APR`)).toEqual(rules);
  });
});

describe('a total', () => {
  const text = (rest: string) => `$800 purchase with $100 down, 12 payments of $63.18 at 15% APR, ${rest}`;

  it.each([
    ['total of payments $758.16', []],
    ['$758.16 in total', []],
    ['total of payments $758.17', ['total-does-not-reconcile']],
    ['total of payments $858.16', ['total-does-not-reconcile']],
    ['total cost $758.16', []],
    ['total sale price of $858.16', []],
    ['total sale price of $858.17', ['total-does-not-reconcile']],
    ['total of payments about $758', []],
    ['total of payments about $757', ['total-does-not-reconcile']],
    ['finance charge $58.16', []],
    ['finance charge $58.15', ['finance-charge-does-not-reconcile']],
    ['$58.16 in interest', []],
    ['$58.17 in interest', ['finance-charge-does-not-reconcile']],
    ['$700 financed', []],
    ['$800 financed', ['amount-does-not-reconcile', 'payments-do-not-repay']],
  ])('is held to the cent: %s', (rest, rules) => {
    expect(rulesIn(text(rest)).toSorted()).toEqual(rules.toSorted());
  });

  it('may differ by half a cent a payment that is about so much', () => {
    const about = (total: string) => `$800 purchase, 12 payments of about $72.21 at 15% APR, total of payments ${total}`;

    expect(rulesIn(about('$866.46'))).toEqual([]);
    expect(rulesIn(about('$866.45'))).toEqual(['total-does-not-reconcile']);
  });

  it('is said as it should be', () => {
    expect(lintAdvertisement(text('total of payments $758.17')).findings[0]!.message).toBe(
      'The payments come to $758.16, but $758.17 is printed.',
    );
    expect(lintAdvertisement(text('finance charge $58.15')).findings[0]!.message).toBe(
      'The payments make the finance charge $58.16, but $58.15 is printed.',
    );
  });

  it('counts fees that are no interest as finance charge', () => {
    const fee = '$800 purchase, 12 payments of $72.21, 17.45% APR. A fee of $10 is due today and is part of the finance charge.';

    expect(rulesIn(`${fee} Finance charge $76.52, interest $66.52.`)).toEqual([]);
    expect(rulesIn(`${fee} Finance charge $66.52.`)).toEqual(['finance-charge-does-not-reconcile']);
    expect(rulesIn(`${fee} Total price $876.52.`)).toEqual([]);
    expect(rulesIn(`${fee} Total price $886.52.`)).toEqual(['total-does-not-reconcile']);
  });
});

describe('no finance charge', () => {
  it.each([
    ['$600 purchase, 6 payments of $100 at 0% APR. There is no finance charge.', []],
    ['$600 purchase, 6 payments of $101 at 3.4% APR. There is no finance charge.', ['finance-charge-denied']],
    ['No finance charge! $600 purchase, 6 payments of $101 at 3.4% APR.', ['finance-charge-denied']],
    ['Compra de $600, 6 pagos de $101, 3.4% APR. No hay cargo financiero.', ['finance-charge-denied']],
    ['$600 purchase, 6 payments of $100 at 0% APR, no finance charge. Or $600 purchase, 6 payments of $101 at 3.4% APR.', []],
  ])('is not said of an example with one: %s', (text, rules) => {
    expect(rulesIn(text)).toEqual(rules);
  });
});
