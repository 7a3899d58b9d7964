import type { DisclosureTexts } from '../texts.ts';

/** @see `DisclosureTexts`. 12 CFR 1026.24(c) allows the abbreviation "APR". */
export const disclosure: DisclosureTexts = {
  language: 'en',
  locale: 'en-US',
  version: 2,
  months: ['{n} month', '{n} months'],
  days: ['{n} day', '{n} days'],
  example: 'Example: a {purchase} purchase{down} over {months} at {apr} APR, fixed, requires {payments}, for a total of {total}.',
  down: ' with a down payment of {downPayment}',
  firstPayment: 'a first payment of {first}',
  levelPayments: ['{n} monthly payment of {monthly}', '{n} monthly payments of {monthly}'],
  lastPayment: 'a last payment of {last}',
  and: ' and ',
  firstDue: 'The first payment is due {after} after the loan is made, the others monthly from then on.',
  feeLent: 'The loan includes {kind} of {fee}, which is ',
  inFinanceCharge: 'part of the finance charge.',
  feeKinds: {
    origination: 'an origination fee',
    application: 'an application fee',
    participation: 'a participation fee',
    service: 'a service fee',
  },
  noFinanceCharge: 'There is no finance charge.',
  rates:
    'Rates range from {minApr} APR to {maxApr} APR and depend on your credit, the amount and the term; not everyone qualifies for the rate in the example.',
  limits: 'Financing is subject to credit approval, for purchases from {min} to {max}.',
  promotion: 'Promotional rates are for purchases from {from} through {to}.',
  states: 'Not available to residents of {states}.',
  lender: 'Loans are made by {lender}.',
  notice: '{state} residents: {notice}',
  outOfRange: 'Financing is offered for purchases from {min} to {max}, subject to credit approval.',
  notOffered: 'Financing is not offered for this purchase.',
};

/**
 * Claims that an advertisement of credit must not make: deferred interest, "same as cash", guaranteed approval. A program whose advertised
 * notices have one is rejected.
 */
export const claims =
  /\b(?:(?:no|zero|without) interest|interest[- ]free)(?:\s\w+){0,3}\s(?:if|when|unless|until|provided|as long as)\b|\bdeferred interest\b|\bsame[ -]as[ -]cash\b|(?<!\b(?:no|not|never|nothing)\b[^.!?]{0,40})\bguarante(?:e[ds]?|eing)\b/iu;
