/**
 * The element's texts in English, bundled with the script. Those of another language have the same
 * keys, and are loaded when a page needs them.
 *
 * Texts must not promise credit. Statements about a program are part of the program (`DisclosureTexts`). In every language the
 * annual rate keeps its American name next to a translation. Names of effective rates, such as `TAE`, would be wrong: this rate is
 * nominal and lower.
 */
export const widget = {
  /** Default label of the button. */
  label: 'Pay over time',
  /** At most two lines in 240 pixels. */
  estimate: 'As low as {amount}/month',
  more: 'Learn more',
  /** Title of the details dialog. */
  title: 'Paying over time',
  close: 'Close',
  /** Heading of the example, and the names of its figures. */
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
  /** Label of the amount field, and caption of the table of plans. */
  amount: 'Amount',
  plans: 'Plans for {amount}',
  /** Shown in the checkout's window until the checkout loads. */
  opening: 'Opening the checkout',
  /** Title of the checkout dialog. */
  checkout: 'Checkout',
  closeCheckout: 'Close checkout',
};

export type WidgetTexts = typeof widget;
