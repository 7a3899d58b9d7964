import type { Counted } from '../../../shared/disclosure/texts.ts';

/** @see `english` */
export const englishNotices = {
  /** What a buyer must be told who gets no credit: 12 CFR 1002.9(b)(1) and 15 USC 1681m(a), in the words these want. */
  adverseAction: {
    subject: 'About your application to {lender}',
    greeting: 'Hello {name},',
    action: 'On {date}, {lender} decided not to give you the credit that you applied for at {merchant}.',
    reasonsHeading: 'The main reasons',
    reasons: {
      'credit-history': 'Your credit history, such as late payments, unpaid debts or a short history.',
      income: 'Your income, which is not enough for the amount that you asked for.',
      debt: 'Your debts, which are too high for your income.',
      identity: 'Your identity, which could not be confirmed with what you told us.',
    },
    heading: 'Notice of this decision',
    /** Said with the reasons, which are shown at one address alone. */
    keep: 'The reasons are shown at this address alone. Print or save this page, to keep them.',
    sent: 'We have also sent you this notice by email.',
    /** Stands where the merchant would read, who never learns the reasons. */
    withheld: 'The main reasons stand here. They are for the buyer alone, and are not recorded.',
    askHeading: 'Your right to the reasons',
    ask: 'You have the right to a statement of the specific reasons for this decision. Ask {lender} for it within 60 days of {date}; it must send you one in writing within 30 days of your request.',
    bureauHeading: 'Your credit report',
    bureau:
      'The decision was based in whole or in part on information in a report from {bureau}, a consumer reporting agency. You have the right to know what your file there says. The agency did not make the decision, and cannot tell you why it was made. It must give you a free copy of your report if you ask for it within 60 days of receiving this notice. Whatever in it is wrong or incomplete, you have the right to dispute with the agency.',
    equalHeading: 'Equal credit opportunity',
    equal:
      'The Federal Equal Credit Opportunity Act prohibits creditors from discriminating against credit applicants on the basis of race, color, religion, national origin, sex, marital status, age (provided the applicant has the capacity to enter into a binding contract); because all or part of the applicant’s income derives from any public assistance program; or because the applicant has in good faith exercised any right under the Consumer Credit Protection Act.',
    agency: 'The Federal agency that administers compliance with this law concerning this creditor is {agency}.',
    creditorHeading: 'The creditor',
    missing: '{lender} must send you a written notice of this decision within 30 days. It will also say {parts}.',
    missingParts: {
      address: 'where to write to it',
      regulator: 'which Federal agency watches over it',
      bureau: 'whose credit report it used',
    },
    /** In another language: in English, 12 CFR 1002.4(e). */
    anotherCopy: 'You may ask {lender} for another copy of this notice.',
  },
  /** On the page of a completed checkout, about the copy of what was signed. */
  copy: {
    open: 'Open your agreement',
    keepNow: 'Open it, and print or save it now.',
    sent: 'We have sent you the link to it by email.',
    theLender: 'the lender',
  },
  document: {
    title: 'Your agreement with {lender}',
    headingLoan: 'Loan agreement',
    headingCredit: 'Credit agreement',
    keep: 'This is your copy. Print it, or save this page, from the menu of your browser.',
    parties: 'Parties',
    creditor: 'Creditor',
    buyer: 'Borrower',
    merchant: 'Merchant',
    order: 'Order',
    number: 'Agreement number',
    byCardHeading: 'Paid by card',
    byCard:
      'Your order comes to {total}. {financed} of it is financed under this agreement. The other {amount} is paid by card, {card}, and is not part of it.',
    agreedTo: 'What you agreed to',
    signature: 'Signature',
    signed: 'Signed electronically by {name} on {date} at {time} (UTC).',
  },
  agreementLetter: {
    subject: 'Your agreement with {lender}',
    greeting: 'Hello {name},',
    intro: 'On {date} you signed an agreement with {lender} for your order at {merchant}. Your copy, to read, print or save:',
    payments: 'Payments',
    paymentsOf: ['{n} payment of {amount}', '{n} payments of {amount}'] as Counted,
    firstDue: 'First payment due',
    byCard: 'Paid by card',
    private: 'Whoever has the link can read the agreement, so do not pass this message on.',
  },
};
