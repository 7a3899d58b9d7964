/**
 * What the element says, in English. Other languages have the same keys in a JSON file of their own, `texts/<tag>.json`, which
 * is loaded when it is needed; English stands in for what a file lacks.
 *
 * Nothing here promises credit: what a program says of itself comes with it (`DisclosureTexts`). In every language the annual rate
 * keeps its American name beside a translation. `TAEG` or `effektiver Jahreszins` would be wrong: those are effective rates, this
 * one is nominal and lower.
 */
export const english = {
  /** `ltr` or `rtl`. */
  dir: 'ltr',
  /** The button, unless the page has a label of its own. */
  label: 'Pay over time',
  /** On at most two lines in 240 pixels. */
  estimate: 'As low as {amount}/month',
  more: 'Learn more',
  /** The dialog. */
  title: 'Paying over time',
  close: 'Close',
  /** The example in it, and the names of its figures. */
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
  /** The calculator: its field, and its answer. */
  amount: 'Amount',
  plans: 'Plans for {amount}',
};

export type Texts = typeof english;
