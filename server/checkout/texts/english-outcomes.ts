/** @see `english` */
export const englishOutcomes = {
  onward: { return: 'Return to {merchant}', payAnotherWay: 'Return to {merchant} and pay another way' },
  declined: {
    title: 'We cannot offer financing this time',
    lead: '{lender} did not approve this application. Nothing has been bought and nothing will be charged.',
  },
  unavailable: {
    title: 'Financing is not available for this order',
    inState: '{lender} offers no plan for an order of {total} to residents of {state}.',
    forAmount: 'No plan is offered for an order of {total}.',
    today: 'No plan is offered today.',
    limits: 'Orders from {least} to {most} can be financed; this one comes to {total}.',
    nothingBought: 'Nothing has been bought, and no lender was asked.',
    byLender: '{lender} has looked at your application, and has no plan to offer for this order.',
    nothingCharged: 'Nothing has been bought, and nothing will be charged.',
    changeDetails: 'Change your details',
  },
  noLender: {
    title: 'Financing is not available right now',
    lead: 'We could not ask a lender about your application. It was not denied, nothing has been bought, and nothing will be charged.',
    again: 'Try again',
  },
  waiting: {
    title: 'The lender is looking at your application',
    lead: '{lender} has your application and has not answered yet.',
    nothing: 'Nothing has been bought, and you need not apply twice.',
  },
  waitingSigned: {
    title: 'We are finishing your purchase',
    lead: 'You have signed, and your signature is kept. {lender} has not confirmed the agreement yet.',
    nothing: 'You need not sign twice.',
  },
  /** On both pages that wait. */
  checking: {
    byItself:
      'You can wait here, while this page checks by itself every few seconds, or save the address of this page and come back later.',
    byHand: 'You can wait here and check again, or save the address of this page and come back later.',
    again: 'Check again',
  },
  needsAction: {
    title: 'We need something from you',
    lead: '{lender} cannot decide yet.',
    notDenied: 'Your application was not denied, nothing has been bought, and what you entered about your order is kept.',
    applyAgain: 'Apply again',
    changeDetails: 'Change your details',
    actions: {
      'unfreeze-credit-file': {
        what: 'Your credit file is frozen, so {lender} could not read it.',
        how: 'Ask the credit bureaus, Equifax, Experian and TransUnion, to lift the freeze, online or by phone. It is free, and takes effect within an hour. Then apply again.',
      },
      'confirm-identity': {
        what: '{lender} could not confirm who you are.',
        how: 'Check that your name, date of birth and the last 4 digits of your Social Security number or ITIN are as they stand in your papers. Then apply again.',
      },
      'correct-details': {
        what: 'Some of your details do not match what {lender} knows.',
        how: 'Check your name, your home address and your phone number, above all if you have moved lately. Then apply again.',
      },
    },
  },
  cancelling: {
    title: 'Cancel your application?',
    lead: 'Nothing has been bought. If you cancel, {lender} ends this application, and you cannot take it up again.',
    submit: 'Cancel my application',
    back: 'Go on with the checkout',
  },
  cancelled: {
    title: 'Your application is canceled',
    lead: 'Nothing has been bought and nothing will be charged.',
  },
  expired: {
    title: 'This checkout link has expired',
    lead: 'Nothing has been bought. Please go back to the shop and start again.',
  },
  completed: {
    title: 'This purchase is complete',
    lead: 'You have signed the agreement, and {merchant} has your order.',
    part: '{rest} of it are paid by card, {card}.',
    copy: 'Your agreement',
    signed: 'Signed by {name} on {date}.',
    keep: 'Print or save this page to keep it.',
    notIntact: 'The copy we keep is not the one you signed, so we do not show it. Please ask {lender} for your agreement.',
  },
  /** What the link shows while an application of any buyer is not signed. */
  inProgress: {
    title: 'This checkout is already in progress',
    lead: 'Someone has entered their details for this order at {merchant}. This link does not show what they entered.',
    goOn: 'If that was you, continue in the window where you started. If you came here with the Back button, use the Forward button.',
    startAgain: 'Or start again here: you enter your details once more, and the application that was started before ends.',
    submit: 'Start again',
    /** Above the form that starts again. */
    note: 'You are starting again. When you send this form, the application that was started before ends.',
  },
  signedElsewhere: {
    title: 'This order is being finished',
    lead: 'The agreement for this order at {merchant} is signed, and the lender is confirming it.',
    copy: 'To protect the buyer, this link shows nothing more. To see how it ends, open the window where it was signed.',
  },
  boughtElsewhere: {
    title: 'This order is complete',
    lead: '{merchant} has the order.',
    copy: 'To protect the buyer, this link does not show the agreement. Open it in the window where it was signed, or from the email about it.',
  },
  /** For the browser whose application another one has replaced. */
  startedAgain: {
    title: 'This checkout was started again elsewhere',
    lead: 'Someone opened the link of this checkout, perhaps you in another window or on another device, and started again there. The application that you started here has ended, and nothing was bought with it.',
    nothingShown: 'What you entered here was not shown there.',
    again: 'Open the link of this checkout',
  },
  unknownLink: {
    title: 'We do not know this checkout link',
    lead: 'It may be incomplete. Please open it again from the shop or from the message you received.',
  },
  unreadable: { title: 'We could not read this form', lead: 'Please go back, and send it again.' },
  tooManyRequests: {
    title: 'Please wait a moment',
    lead: 'We received too many requests from your network. Please open this page again in a minute; you will continue where you were.',
  },
  trouble: {
    title: 'Something went wrong on our side',
    lead: 'Nothing has been charged. Please reload this page in a moment; you will continue where you were.',
    again: 'Continue the checkout',
  },
};
