/** What the widget says, beside the disclosure, which comes with the programs. */
export const english = {
  label: 'Pay over time',
  estimate: 'As low as {amount}/month',
  more: 'Learn more',
  title: 'How paying over time works',
  close: 'Close',
  example: 'Example',
  purchase: 'Purchase',
  downPayment: 'Down payment',
  amountFinanced: 'Amount financed',
  apr: 'APR',
  term: 'Term',
  monthly: 'Monthly payment',
  first: 'First payment',
  last: 'Last payment',
  financeCharge: 'Finance charge',
  fees: 'Fees',
  total: 'Total of payments',
  amount: 'Amount',
  plans: 'Plans for {amount}',
};
export type Texts = typeof english;
