import { describe, expect, it } from 'vitest';
import { wordsOf } from '../../support/page.ts';
import { loanTerms } from '../../../server/agreements/loan-terms.ts';
import { texts } from '../../../server/base/texts.ts';
import { renderHtml } from '../../../server/http/pages/html.ts';
import type { LoanDisclosure } from '../../../shared/disclosure/loan-disclosure.ts';
import { elaborate, createDisclosure } from '../../shared/disclosure/create-disclosure.ts';
import { createFee, createOffer } from '../../support/programs.ts';

const agreement = { version: '1', promise: ['I promise to pay.'], sections: [] };
const renderTerms = (disclosure: LoanDisclosure) => renderHtml(loanTerms({ disclosure, agreement }, texts.en));

const textOf = (disclosure: LoanDisclosure) => wordsOf(renderTerms(disclosure));

const simpleTerms = textOf(createDisclosure({}, 124_800, { merchantName: 'Acme Goods' }));
const elaborateTerms = textOf(createDisclosure(elaborate, 124_800, { state: 'CA', merchantName: 'Acme Goods' }));

describe('The terms of a loan with fees, a down payment and a longer first period', () => {
  it.each([
    'Creditor: First Fair Bank',
    'Annual percentage rate 21.54% The cost of your credit as a yearly rate',
    'Finance charge $145.06 The dollar amount the credit will cost you',
    'Amount financed $1,123.20 The amount of credit provided to you or on your behalf',
    'Total of payments $1,268.26 The amount you will have paid after you have made all payments as scheduled',
    '1 $112.94 January 5, 2027 10 $105.03 Monthly from February 5, 2027 1 $105.02 December 5, 2027',
    'Late charge. If a payment is late, you will be charged $5.00 plus 1% of that payment.',
    'you will not have to pay a penalty, and you will not be entitled to a refund of the part of the finance charge that is prepaid.',
    'Security. You give no security interest in what you buy.',
    'See this agreement for any additional information about nonpayment, default,',
    'Down payment Purchase $1,248.00 Less down payment, paid by card −$124.80 Paid with the loan $1,123.20',
    'Itemization of the amount financed of $1,123.20 Paid to Acme Goods on your behalf $1,123.20 Origination fee, included in the loan $22.46 Less prepaid finance charge −$22.46 Amount financed $1,123.20',
    'Creditor. First Fair Bank, NMLS ID 1234567, CFL license 60DBO-00000, regulated by the DFPI, 866-555-0100.',
    'California residents: Made under a California license.',
  ])('contain: %s', (text) => {
    expect(elaborateTerms).toContain(text);
  });

  it('list the figures in the order of the model forms, and emphasize the APR and the finance charge', () => {
    const labels = ['Annual percentage rate', 'Finance charge', 'Amount financed', 'Total of payments'];
    const page = renderTerms(createDisclosure(elaborate));

    expect([...page.matchAll(/<dt>([^<]*)<\/dt>/g)].slice(0, 4).map(([, label]) => label)).toEqual(labels);
    expect([...page.matchAll(/class="prominent">\s*<dt>([^<]*)</g)].map(([, label]) => label)).toEqual(labels.slice(0, 2));
  });

  it('keep the itemization, the fees and the notices out of the federal disclosure', () => {
    const [disclosure = ''] = /<section class="tila".*?<\/section>/s.exec(renderTerms(createDisclosure(elaborate))) ?? [];

    expect(disclosure).toContain('Total of payments');
    for (const text of ['Itemization', 'Less down payment', 'Origination fee', 'license', 'promise'])
      expect(disclosure).not.toContain(text);
  });
});

describe('The terms of the simplest loan', () => {
  it.each([
    'Annual percentage rate 17.99%',
    'Your payment schedule Payments Amount When due 12 $114.41 Monthly from December 21, 2026',
    'Late charge. There is no late charge.',
    'you will not have to pay a penalty.',
    'Promise to pay I promise to pay. Start of interest. Interest starts on the day when Fairterm Lending pays Acme Goods for the order, and no payment is due until after it.',
    'No payment is higher than disclosed. How to pay. Make your payments to Fairterm Lending at https://pay.fairterm.example,',
    'by phone at 1-800-555-0102. Creditor. Fairterm Lending. Agreement version 1.',
    'Paid to Acme Goods on your behalf $1,248.00 Amount financed $1,248.00',
    'All 12 payments',
  ])('state: %s', (text) => {
    expect(simpleTerms).toContain(text);
  });

  it.each(['down payment', 'Less down payment', 'fee.', 'prepaid', 'residents', 'differs', 'undefined', 'null', 'NaN'])(
    'do not contain "%s"',
    (text) => {
      expect(simpleTerms).not.toContain(text);
    },
  );
});

describe('The terms', () => {
  const single = [createOffer({ termLength: 1, tierAprBps: { A: 0 } })];

  it.each([
    ['of a loan without interest', { offers: single }, 'Annual percentage rate 0% '],
    [
      'of a loan with one payment',
      { offers: single },
      'The payment Due Payment Interest Principal Balance December 21, 2026 $1,248.00 $0.00',
    ],
    ['of a loan with a flat late charge', { late: { flatCents: 2_900 } }, 'you will be charged $29.00.'],
    ['of a loan with a late charge in percent', { late: { percentBps: 550 } }, 'you will be charged 5.5% of that payment.'],
    [
      'of a loan with a late charge after a grace period',
      { late: { flatCents: 2_900, graceDays: 10 } },
      'If a payment is more than 10 days late, you will be charged $29.00.',
    ],
    [
      'of a loan with the lesser of two late charges',
      { late: { flatCents: 1_500, percentBps: 500, graceDays: 1, combine: 'lesser' } },
      'If a payment is more than 1 day late, you will be charged $15.00 or 5% of that payment, whichever is less.',
    ],
    [
      'of a loan with the greater of two late charges',
      { late: { flatCents: 1_500, percentBps: 500, combine: 'greater' } },
      'If a payment is late, you will be charged $15.00 or 5% of that payment, whichever is greater.',
    ],
    [
      'of a loan whose interest starts with the signature',
      { schedule: { interestFrom: 'signature' } },
      'Start of interest. Interest starts on the date of this agreement, November 21, 2026.',
    ],
    ['of a loan in another currency', { currency: 'JPY' }, 'Amount financed ¥124,800 '],
    [
      'of a loan with a prepaid finance charge',
      { fees: [createFee({ flatCents: 5_000, financed: false })] },
      'Paid to the merchant on your behalf $1,248.00 Less prepaid finance charge −$50.00 Amount financed $1,198.00',
    ],
    [
      'of a loan whose fees a refund returns',
      { fees: [createFee({ flatCents: 5_000 })], prepayment: { penalty: false, feeRefundDays: 30 } },
      'the part of the finance charge that is prepaid. If the seller refunds your purchase, you may be. Security.',
    ],
  ])('%s state %j', (_title, change, text) => {
    expect(textOf(createDisclosure(change))).toContain(text);
  });

  it('state for a covered borrower that a refund of the purchase returns fees', () => {
    const disclosure = createDisclosure({ fees: [createFee({ flatCents: 5_000 })] }, 124_800, { isCoveredBorrower: true });
    expect(textOf(disclosure)).toContain('If the seller refunds your purchase, you may be.');
  });
});
