import { statusCodes } from '../../applications/lifecycle.ts';

type Codes = typeof statusCodes;

/** When an application has each of its codes. */
const meanings: { readonly [Status in keyof Codes]: Readonly<Record<keyof Codes[Status], string>> } = {
  STARTED: {
    plain: 'the buyer has given a name and an address, and not yet applied for credit',
    'lender-asked': 'the lender is asked, and has not answered',
  },
  APPROVED: {
    plain: 'all of it is lent, and the buyer chooses a plan',
    'for-a-part': 'a part is lent, a card pays the rest, and the buyer chooses a plan',
  },
  DENIED: {
    plain: 'for a reason that is not told',
    'credit-history': 'for the credit history',
    income: 'for the income',
    debt: 'for the debts',
    identity: 'since who applied could not be confirmed',
    withdrawn: 'by the lender, after the buyer had signed',
  },
  INELIGIBLE: {
    plain: 'nobody lends for this purchase',
    'no-plan-in-state': "no plan is sold in the buyer's state, who may name another",
  },
  NEEDS_ACTION: {
    'unfreeze-credit-file': 'the buyer must unfreeze their credit file, and apply again',
    'confirm-identity': 'the buyer must confirm who they are, and apply again',
    'correct-details': 'the buyer must correct their details, and apply again',
  },
  ATTEMPTED_PREPARE_CHECKOUT: { plain: 'a plan is chosen, and the card for the rest is not named' },
  CHECKOUT_PREPARED: { plain: 'everything is chosen, and the buyer reads the agreement' },
  ATTEMPTED_CHECKOUT: { plain: 'the agreement is signed, and the lender has not answered' },
  CHECKOUT_COMPLETED: { plain: 'the purchase is made, and there is a transaction' },
  CHECKOUT_EXTENDED: { plain: 'prepared as before, and the buyer keeps the approval for longer' },
  CANCELLED: {
    'by-buyer': 'by the buyer',
    'by-merchant': 'by the merchant, who ended the link of the cart',
    'started-again': 'because the checkout was started again, with another application',
  },
  EXPIRED: { undecided: 'before the lender had decided', 'approval-over': 'after the lender had approved' },
};

/** Every code there is, a paragraph for each status. */
export function statusCodeWords(): string {
  const statuses = Object.entries<Record<string, string>>(statusCodes).map(([status, codes]) => {
    const said = meanings[status as keyof Codes] as Readonly<Record<string, string>>;
    return `\`${status}\`: ${Object.entries(codes)
      .map(([because, code]) => `\`${code}\` ${said[because]}`)
      .join('; ')}.`;
  });
  const first =
    'The status of an application, and why it has it. The first two digits are those of the status. More codes may come with a newer service.';
  const merchants =
    'With a token that has a `MerchantID` or a `ProgramID`, `300100` to `300400` are `300000`, and `400100` to `400300` are `400000`.';
  return [first, ...statuses, merchants].join('\n\n');
}
