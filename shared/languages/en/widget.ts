/**
 * The element's texts in English, bundled with the script and its lazy modules. Those of another language have the same keys, and are
 * loaded when a page needs them.
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
  /** Replaces `more` if the details could not be loaded. At most one line in 240 pixels. */
  retry: 'Could not load. Try again',
};

/** Texts of the details. */
export const widgetDetails = {
  title: 'Paying over time',
  close: 'Close',
  /** Label of the amount field, and heading of the plans. */
  amount: 'Amount',
  plans: 'Plans for {amount}',
  /** The name of the tier is the program's. `otherTiers` is only shown if there are others. */
  tier: 'These plans are for the credit tier “{tier}”.',
  otherTiers: 'In other tiers, the APR is {minApr} to {maxApr}.',
  downPaymentToday: 'Each plan requires a down payment of {amount}, due today.',
  /** Three steps. */
  steps: 'How it works',
  apply: 'Enter your details and apply.',
  choose: 'If you are approved, choose a plan.',
  sign: 'Sign the agreement, then pay every month.',
  /** Shown only if the program states the lender's credit inquiries. */
  soft: 'Applying does not affect your credit score.',
  hard: 'Applying may affect your credit score.',
  /** Follows `soft` if there is another inquiry when a plan is accepted. */
  hardLater: 'Accepting a plan may affect it.',
  /** Label of the button that opens the checkout. */
  start: 'Continue to the application',
  /** Heading of the example, and the names of its figures. */
  example: 'Example',
  picture:
    'The picture shows each payment: its principal, and the interest below it. It assumes that each payment is made on its date.',
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
};

/** Texts around the checkout in a window or a dialog. */
export const widgetCheckout = {
  /** Shown in the checkout's window until the checkout loads. */
  opening: 'Opening the checkout',
  /** Title of the checkout dialog. */
  checkout: 'Checkout',
  closeCheckout: 'Close checkout',
};

/** Exports of a language's file. */
export interface WidgetTexts {
  widget: typeof widget;
  widgetDetails: typeof widgetDetails;
  widgetCheckout: typeof widgetCheckout;
}
