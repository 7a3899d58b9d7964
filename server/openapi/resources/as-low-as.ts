import { type NamedSchema, objectSchema, type Operation, type Resource } from '../operation.ts';
import { AsLowAs, AsLowAsRequest, AsLowAsResponse, QuoteBasis } from '../../../shared/wire/as-low-as.ts';

/** What is answered to a total of $740.00. */
export const asLowAsAnswer = {
  asLowAs: {
    monthly: 3414,
    amount: '$34.14',
    termLength: 24,
    termInterval: 'Month',
    apr: 0.0999,
    minApr: 0.0599,
    maxApr: 0.2999,
    asLowAsText:
      'Example: a $740.00 purchase over 24 months at 9.99% APR, fixed, takes 23 monthly payments of $34.14 and a last payment of $34.25, $819.47 in total. Rates run from 5.99% APR to 29.99% APR and depend on your credit, the amount and the term; not everyone qualifies for the rate in the example. Financing is subject to credit approval, for purchases from $50.00 to $30,000.00. Loans are made by Fairterm Lending.',
  },
  financingProgramId: 'standard',
  basis: { programVersion: 1, calculationVersion: 1, disclosureVersion: 1, date: '2026-03-02' },
};

const schemas: readonly NamedSchema[] = [
  objectSchema(AsLowAsRequest, 'AsLowAsRequest', 'What a monthly price is wanted for.', {
    customTotal: 'Cents: the price of an article or of a cart.',
    financingProgramId: 'Id of one of your financing programs. Left out, your default program.',
  }),
  objectSchema(AsLowAsResponse, 'AsLowAsResponse', 'The lowest monthly price, and what it was worked out from.', {
    asLowAs: 'The price, as an example with its disclosure.',
    financingProgramId: 'Id of the program used.',
    basis: 'Enough to work every number out again.',
  }),
  objectSchema(AsLowAs, 'AsLowAs', 'The lowest monthly price for an amount, as an example with its disclosure.', {
    monthly: 'Cents a month; 0 when the amount is outside every offer.',
    amount: 'The same as text, `$34.14`; empty when the amount is outside every offer.',
    termLength: 'Number of payments; 0 when the amount is outside every offer.',
    termInterval: 'Unit of the term: `Month`.',
    apr: 'APR of the example, as a fraction: 0.0999 is 9.99 %.',
    minApr: 'The lowest APR of the program, as a fraction.',
    maxApr: 'The highest APR of the program, as a fraction.',
    asLowAsText: 'The disclosure that must stand beside the price.',
  }),
  objectSchema(QuoteBasis, 'QuoteBasis', 'What a price was worked out from.', {
    programVersion: 'Version of the financing program.',
    calculationVersion: 'Version of the arithmetic.',
    disclosureVersion: "Version of the disclosure's wording.",
    date: 'The day of the price, in UTC.',
  }),
];

const operations: readonly Operation[] = [
  {
    id: 'asLowAs',
    method: 'post',
    path: '/aslowas',
    tag: 'As low as',
    summary: 'Calculate the lowest monthly payment',
    description: 'Outside every offer `monthly` is 0, and `asLowAsText` says from and to what amount financing is offered.',
    caller: 'merchant',
    parameters: ['acceptLanguage'],
    request: { body: AsLowAsRequest, examples: { sofa: { summary: '$740.00', value: { customTotal: 74_000 } } } },
    answers: { 200: { description: 'The price.', body: AsLowAsResponse, headers: ['content-language'], example: asLowAsAnswer } },
    refusals: ['program-not-found'],
  },
];

export const asLowAs: Resource = { operations, schemas };
