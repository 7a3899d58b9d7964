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
