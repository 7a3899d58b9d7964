import * as wire from '../../../../shared/wire/as-low-as.ts';
import { createResource, describing } from '../operation.ts';

/** The response for a total of $740.00. */
export const asLowAsExample = {
  asLowAs: {
    monthly: 3414,
    amount: '$34.14',
    termLength: 24,
    termInterval: 'Month',
    apr: 0.0999,
    minApr: 0.0599,
    maxApr: 0.2999,
    asLowAsText:
      'Example: a $740.00 purchase over 24 months at 9.99% APR, fixed, requires 23 monthly payments of $34.14 and a last payment of $34.25, for a total of $819.47. Rates range from 5.99% APR to 29.99% APR and depend on your credit, the amount and the term; not everyone qualifies for the rate in the example. Financing is subject to credit approval, for purchases from $50.00 to $30,000.00. Loans are made by Fairterm Lending.',
  },
  financingProgramId: 'standard',
  basis: { programVersion: 1, calculationVersion: 1, disclosureVersion: 2, date: '2026-03-02' },
};

const describe = describing(wire);

const schemas = [
  describe('AsLowAsRequest', 'The amount for which a monthly payment is requested.', {
    customTotal: 'Price of an item or a cart, in cents.',
    financingProgramId: 'Id of one of your financing programs. Default: your default program.',
  }),
  describe('AsLowAsResponse', 'The lowest monthly payment and the versions it was calculated with.', {
    asLowAs: 'The payment, as an example with its disclosure.',
    financingProgramId: 'Id of the program used.',
    basis: 'Versions and date that make the calculation reproducible.',
  }),
  describe('AsLowAs', 'The lowest monthly payment for an amount, as an example with its disclosure.', {
    monthly: 'Monthly payment in cents; 0 if no offer covers the amount.',
    amount: 'The monthly payment as text, `$34.14`; empty if no offer covers the amount.',
    termLength: 'Number of payments; 0 if no offer covers the amount.',
    termInterval: 'Unit of the term: `Month`.',
    apr: 'APR of the example, as a fraction: 0.0999 is 9.99 %.',
    minApr: 'Lowest APR of the program, as a fraction.',
    maxApr: 'Highest APR of the program, as a fraction.',
    asLowAsText: 'The disclosure that must be shown next to the payment.',
  }),
  describe('QuoteBasis', 'Versions and date of a calculation.', {
    programVersion: 'Version of the financing program.',
    calculationVersion: 'Version of the calculation.',
    disclosureVersion: 'Version of the disclosure text.',
    date: 'Date of the calculation, in the time zone of the program.',
  }),
];

/** The calculation of monthly payments in the OpenAPI document. Merchants authenticate with a key pair. */
export const asLowAs = createResource('As low as', 'key-pair', schemas, {
  asLowAs: {
    call: 'POST /aslowas',
    summary: 'Calculate the lowest monthly payment',
    description:
      'If no offer covers the amount, `monthly` is 0, and `asLowAsText` states the amounts for which financing is offered.',
    parameters: ['acceptLanguage'],
    request: { body: wire.AsLowAsRequest, examples: { sofa: { summary: '$740.00', value: { customTotal: 74_000 } } } },
    returns: { description: 'The payment.', body: wire.AsLowAsResponse, headers: ['content-language'], example: asLowAsExample },
    errors: ['program-not-found'],
  },
});
