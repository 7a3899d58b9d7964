import { expect, it } from 'vitest';
import { type Rule, RULES } from '../../../shared/advertising/finding.ts';
import { lintAdvertisement } from '../../../shared/advertising/lint.ts';

/** For every rule an advertisement that breaks it and no other. */
const broken: Record<Rule, string> = {
  'apr-does-not-reconcile': '$800 purchase, 12 payments of $72.21 at 12% APR',
  'total-does-not-reconcile': '$800 purchase, 12 payments of $72.21 at 15% APR, $800 in total',
  'count-does-not-reconcile': '$800 purchase, 12 payments of $72.21 over 18 months at 15% APR',
  'amount-does-not-reconcile': '$900 purchase, $800 amount financed, 12 payments of $72.21 at 15% APR',
  'finance-charge-does-not-reconcile': '$800 purchase, 12 payments of $72.21 at 15% APR, finance charge of $60',
  'payments-do-not-repay': '$800 purchase, 12 payments of $66.66 at 0% APR',
  'zero-apr-with-charge': '$800 purchase, 12 payments of $66.67 at 0% APR',
  'finance-charge-denied': '$800 purchase, 12 payments of $72.21 at 15% APR. No finance charge.',
  'apr-outside-range': '$800 purchase, 12 payments of $72.21 at 15% APR. Rates from 20% to 30% APR.',
  'triggered-terms': '$72.21 a month',
  'example-word': '$800 purchase from $72.21 a month for 12 months at 15% APR',
  'percent-without-apr': '15% interest',
  'deferred-interest': 'No interest if paid in full',
  'same-as-cash': 'Same as cash',
  'guaranteed-credit': 'Guaranteed approval',
  'interest-free-with-charge': 'Interest-free! $800 purchase, 12 payments of $72.21 at 15% APR',
  'apr-over-100': '101% APR',
  'implausible-figure': 'Over $1,000,000,000.00 in stock',
  'unread-figure': 'Everything below $1.299',
  'unclear-example': '12 payments of $72.21 at 15% APR',
  'unclear-fee': '$800 purchase, 12 payments of $72.21 at 15% APR, with a $10 service fee',
};

it.each(Object.entries(RULES))('%s: %s', (rule) => {
  const { findings } = lintAdvertisement(broken[rule as Rule]);

  expect(findings.map((finding) => finding.rule)).toEqual([rule]);
});
