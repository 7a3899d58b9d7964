/** Texts of e-mails in English, besides those of the checkout. */
export const emails = {
  /** `{name}` is the recipient. */
  greeting: 'Hello {name},',
  greetingWithoutName: 'Hello,',
  /** Labels of the companies below an e-mail, a page or an agreement. */
  contacts: {
    merchant: 'Store, for questions about your order',
    operator: 'Operator of this service (“we”)',
    lender: 'Lender',
    complaints: 'Complaints about the lender',
  },
  /** Label of the short reference of an application, in e-mails and at the end of pages. */
  reference: 'Reference number',
  /** The link of a cart, sent by its merchant. */
  cart: {
    subject: 'Your checkout at {merchant}',
    intro: '{merchant} has prepared a checkout for you.',
    button: 'Continue to checkout',
    until: 'The link is valid through {date}.',
    total: 'Total: {amount}',
    beforeShipping: 'Total before shipping: {amount}',
    asLowAs: 'As low as {amount} a month.',
  },
};

export type EmailTexts = typeof emails;
