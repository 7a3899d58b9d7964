import type { Counted } from '../../../shared/disclosure/texts.ts';
import { englishForms } from './english-forms.ts';
import { englishLoan } from './english-loan.ts';
import { englishNotices } from './english-notices.ts';
import { englishOutcomes } from './english-outcomes.ts';

/**
 * Every sentence of the hosted checkout, grouped by page, in English: the model for every other language. A sentence has places
 * for values, `{total}`, which `fill` puts there; what is counted has two forms.
 */
export const english = {
  layout: {
    by: 'Financing by Fairterm',
    sandbox: 'Sandbox.',
    sandboxMeaning: 'No real loan is made and no real credit is checked.',
    /** Leads to the same page in the other language, and is said in that one. */
    otherLanguage: 'Español',
    privacy:
      'Your application goes to the lender only. {merchant} sees your contact details, never your income or the reasons for the lender’s decision.',
    /** Begins a sentence, where the merchant is not known. */
    theShop: 'The shop',
    steps: 'Steps',
    pleaseCheck: 'Please check: {title}',
    leave: 'Cancel this application',
  },
  /** The buyer's way, as it is named above each step. */
  steps: { details: 'Your details', apply: 'Application', plans: 'Plan', card: 'Card', agreement: 'Agreement' },
  order: {
    heading: 'Your order',
    article: 'Article',
    quantity: 'Quantity {n}',
    moreItems: ['and 1 more item', 'and {n} more items'] as Counted,
    subtotal: 'Subtotal',
    free: 'Free',
    tax: 'Tax',
    total: 'Total',
    totalBeforeShipping: 'Total before shipping',
    financed: 'Financed',
    byCard: 'By card',
  },
  form: {
    optional: '(optional)',
    choose: 'Choose',
    /** Said of one that was not shown here, or is not whole. Nothing of it is shown. */
    notOurs:
      'We did not take this form, because it did not come from this page as we show it. Nothing has happened. Please fill it in here.',
    changed: 'The agreement has changed since you opened this page. Please read it again, and sign it as it is shown here.',
    tooOld: 'This page was open for a long time. Please look over it, and send it once more.',
    check: ['Please check one field:', 'Please check {n} fields:'] as Counted,
  },
  ...englishForms,
  ...englishLoan,
  ...englishNotices,
  ...englishOutcomes,
};

/** Every sentence in one language. What English has, all have. */
export type CheckoutTexts = typeof english;
