/** @see `english` */
export const englishOutcomes = {
  onward: { return: 'Return to {merchant}', payAnotherWay: 'Return to {merchant} and pay another way' },
  declined: {
    title: 'We cannot offer financing this time',
    lead: '{lender} did not approve this application. Nothing has been bought and nothing will be charged.',
    rights:
      'You have the right to learn the lender’s main reasons in writing, to a free copy of your credit report, and to dispute what is wrong in it. {merchant} does not learn why.',
  },
  unavailable: {
    title: 'Financing is not available for this order',
    inState: '{lender} offers no plan for an order of {total} to residents of {state}.',
    forAmount: 'No plan is offered for an order of {total}.',
    today: 'No plan is offered today.',
    limits: 'Orders from {least} to {most} can be financed; this one comes to {total}.',
    nothingBought: 'Nothing has been bought, and no lender was asked.',
    changeDetails: 'Change your details',
  },
  noLender: {
    title: 'Financing is not available right now',
    lead: 'We could not ask a lender about your application. It was not denied, nothing has been bought, and nothing will be charged.',
    again: 'Try again later',
  },
  expired: {
    title: 'This checkout link has expired',
    lead: 'Nothing has been bought. Please go back to the shop and start again.',
  },
  completed: {
    title: 'This purchase is complete',
    lead: 'You have signed the agreement, and {merchant} has your order.',
    copy: 'Your agreement',
    signed: 'Signed by {name} on {date}.',
    keep: 'Print or save this page to keep it.',
    notIntact: 'The copy we keep is not the one you signed, so we do not show it. Please ask {lender} for your agreement.',
  },
  unknownLink: {
    title: 'We do not know this checkout link',
    lead: 'It may be incomplete. Please open it again from the shop or from the message you received.',
  },
  unreadable: { title: 'We could not read this form', lead: 'Please go back, and send it again.' },
  trouble: {
    title: 'Something went wrong on our side',
    lead: 'Nothing has been charged. Please open the link again in a moment; you will continue where you were.',
  },
};
