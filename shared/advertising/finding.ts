/** What is looked at, and when it is found. The names are stable. */
export const RULES = {
  // An example whose figures do not fit each other.
  'apr-does-not-reconcile': 'The printed APR is further from that of the printed payments than the law allows.',
  'total-does-not-reconcile': 'The payments add up to something else than the printed total.',
  'count-does-not-reconcile': 'The number of payments is not that of the printed term.',
  'amount-does-not-reconcile': 'The price less the down payment is not what is printed as lent.',
  'finance-charge-does-not-reconcile': 'The payments make another finance charge, or other interest, than is printed.',
  'payments-do-not-repay': 'The payments come to less than is lent.',
  'zero-apr-with-charge': 'An example at 0% APR takes more than is lent.',
  'finance-charge-denied': 'An example is said to have no finance charge, and has one.',
  'apr-outside-range': 'An example has an APR that is none of the range of rates beside it.',
  // What must stand beside what.
  'triggered-terms':
    'A payment, a term, a down payment or a finance charge stands without the terms that the law wants beside it.',
  'example-word': 'A lowest payment is named, and nothing is called an example.',
  'percent-without-apr': 'A percentage is not called an APR, and is no down payment, fee or discount.',
  // What may not be said.
  'deferred-interest': 'There is said to be no interest if something is done in time.',
  'same-as-cash': 'Credit is said to be the same as cash.',
  'guaranteed-credit': 'Credit or its approval is said to be guaranteed.',
  'interest-free-with-charge': 'Something is said to be free of interest beside a rate, a finance charge or a fee.',
  // What is beyond belief or beyond reading.
  'apr-over-100': 'A rate is above 100%.',
  'implausible-figure': 'An amount or a number is none that a loan has.',
  'unread-figure': 'An amount or a percentage could not be read, or nothing says what it is.',
  'unclear-example': 'An example can be understood in several ways, or lacks something to be worked out.',
  'unclear-fee': 'The text does not say everything about a fee that the APR depends on.',
} as const;
export type Rule = keyof typeof RULES;

/** Something about an advertisement that does not fit, or that could not be read. */
export interface Finding {
  rule: Rule;
  /** One sentence or two: what was read, what was computed, what is wrong. In English, for whoever wrote the advertisement. */
  message: string;
  /** The words it is about. */
  excerpt?: string;
}
