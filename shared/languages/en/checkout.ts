import type { Counted } from '../texts.ts';

/**
 * Texts of the hosted checkout in English, grouped by page. `fill` replaces placeholders such as `{total}`. Counted texts have a
 * singular and a plural form.
 */
export const checkout = {
  /** The name of this language in this language. */
  languageName: 'English',
  layout: {
    by: 'Financing by Fairterm',
    byLender: 'Financing by {lender}',
    /** Before the phone number of the lender. */
    help: 'Questions about your financing? Call {lender}:',
    /** Opens the companies behind a page. */
    whoIsWho: 'Who is who',
    privacyNotice: 'Privacy notice of {lender}',
    print: 'Print this notice',
    sandbox: 'Sandbox.',
    sandboxMeaning: 'No real loan is made, and no real credit check is performed.',
    privacy:
      '{operator} operates this service and sends your application to {lender}. {merchant} and its sales platform, if it has one, see the status of your application and the plans and loan terms you are offered, can find the application by your home address, and receive your contact details when you complete the purchase. They never see your income or the reasons for a lender’s decision.',
    otherRecipients: 'Other recipients: {recipients}.',
    recipients: {
      bureau: '{bureau} (credit report)',
      cards: '{processor} (card payments)',
      emails: 'the email service of {operator}',
      texts: 'the text message service of {operator}',
      pictures: 'the hosts of the pictures of your order (IP address)',
    },
    /** Replaces an unknown merchant at the beginning of a sentence. */
    theShop: 'The store',
    steps: 'Steps',
    hasErrors: 'Errors in the form: {title}',
    leave: 'Cancel this application',
  },
  /** Names of the steps above each page. */
  steps: { details: 'Your details', apply: 'Application', plans: 'Plan', card: 'Card', agreement: 'Agreement' },
  order: {
    heading: 'Your order',
    item: 'Item',
    quantity: 'Quantity {n}',
    moreItems: ['and 1 more item', 'and {n} more items'] as Counted,
    subtotal: 'Subtotal',
    free: 'Free',
    tax: 'Tax',
    total: 'Total',
    totalBeforeShipping: 'Total before shipping',
    financed: 'Financed',
    byCard: 'By card',
    /** Opens the example of a monthly payment on a narrow screen. */
    seePayment: 'See the monthly payment',
    /** The lowest payment of the approved plans. */
    from: 'From {amount} a month',
    /** `{term}` is `for 24 months`. */
    chosenPayment: '{amount} a month {term}',
  },
  form: {
    optional: '(optional)',
    choose: 'Choose',
    /** For a form without a valid token. Its values are not shown. */
    invalidToken: 'This form was not sent from this page, so nothing was submitted. Fill it in here.',
    changed: 'The agreement has changed since you opened this page. Read it again, and sign it as shown here.',
    changedConsents: 'The consents on this page have changed since you opened it. Read them again before you submit the form.',
    /** For a card number in another field. */
    cardNumber: 'Do not enter a card number here',
    /** For a name. `{message}` is that of an empty field. */
    withoutCharacter: '{message}, without “{character}”',
    tooOld: 'This page was open for too long. Check the form, and submit it again.',
    check: ['Correct this field:', 'Correct these {n} fields:'] as Counted,
    /** The errors after the first three. */
    moreErrors: '{n} more',
  },
  /** Error messages of fields. */
  messages: {
    firstName: 'Enter your first name, without numbers, symbols or links',
    lastName: 'Enter your last name, without numbers, symbols or links',
    email: 'Enter an email address, like name@example.com',
    phone: 'Enter a US phone number with 10 digits. Its area code does not begin with 0 or 1',
    address: 'Enter a street address',
    address2: 'Use at most 200 characters',
    postOfficeBox: 'Enter the street address of your home. A P.O. box is accepted only as a shipping address',
    city: 'Enter a city',
    state: 'Choose a state',
    zip: 'Enter a ZIP code with 5 digits',
    /** For a state that contradicts the ZIP code, the first time. */
    otherState:
      'ZIP code {zip} is usually in {usual}, but the state is {state}. Correct one of them, or continue if both are right',
    shippingFirstName: 'Enter the first name of the recipient, without numbers, symbols or links',
    shippingLastName: 'Enter the last name of the recipient, without numbers, symbols or links',
    shippingAddress: 'Enter a street address to ship to',
    shippingCity: 'Enter a city to ship to',
    shippingState: 'Choose a state to ship to',
    shippingZip: 'Enter a ZIP code to ship to, with 5 digits',
    shippingType: 'Choose how to ship your order',
    dateOfBirth: 'Enter your date of birth as MM/DD/YYYY; you must be {age} or older',
    taxIdLast4: 'Enter the last 4 digits of your Social Security number or ITIN',
    taxId: 'Enter the 9 digits of your Social Security number or ITIN',
    annualIncome: 'Enter your annual income in whole dollars',
    consent: 'Check the box to authorize the lender to obtain your credit report',
    notices: 'Check the box to receive documents electronically',
    offer: 'Choose a plan',
    card: 'Choose a card',
    signedName: 'Type your full name to sign, without numbers, symbols or links',
    signedNameDiffers: 'Sign with your name as it appears in the agreement: {name}',
    electronic: 'Check the box to receive the agreement electronically',
    agree: 'Check the box to accept the agreement',
  },
  /** Error messages of empty fields. Fields without one have the message in `messages`. */
  emptyMessages: {
    firstName: 'Enter your first name',
    lastName: 'Enter your last name',
    email: 'Enter your email address',
    phone: 'Enter your mobile phone number',
    address: 'Enter your street address',
    city: 'Enter your city',
    state: 'Choose your state',
    zip: 'Enter your ZIP code',
    shippingFirstName: 'Enter the first name of the recipient',
    shippingLastName: 'Enter the last name of the recipient',
    shippingZip: 'Enter the ZIP code to ship to',
    dateOfBirth: 'Enter your date of birth',
    annualIncome: 'Enter your annual income',
    signedName: 'Type your full name to sign',
  },
  details: {
    title: 'Your details',
    lead: 'See which plans you qualify for at {merchant}, with no effect on your credit score.',
    /** Unless the lender makes a soft inquiry about an application. */
    leadWithoutScore: 'See which plans you qualify for at {merchant}.',
    /** 31 CFR 1020.220(a)(5)(iii), verbatim. */
    identification: {
      heading: 'Important information about procedures for opening a new account',
      law: 'To help the government fight the funding of terrorism and money laundering activities, Federal law requires all financial institutions to obtain, verify, and record information that identifies each person who opens an account.',
      meaning:
        'What this means for you: When you open an account, we will ask for your name, address, date of birth, and other information that will allow us to identify you. We may also ask to see your driver’s license or other identifying documents.',
    },
    contact: 'Contact',
    firstName: 'First name',
    lastName: 'Last name',
    email: 'Email',
    phone: 'Mobile phone',
    homeAddress: 'Home address',
    /** Unfolds fields that are filled in. */
    change: 'Change',
    address: 'Street address',
    address2: 'Apartment or suite',
    city: 'City',
    state: 'State',
    zip: 'ZIP code',
    shipping: 'Shipping',
    shipTo: 'Ship to',
    shipElsewhere: 'Ship to a different address',
    shipsTo: 'Your order ships to {city}, {state}.',
    submit: 'Continue',
  },
  application: {
    title: 'Apply for financing',
    lead: '{lender} needs three answers and your consent to decide on your application.',
    aboutYou: 'About you',
    dateOfBirth: 'Date of birth',
    dateOfBirthHint: 'MM/DD/YYYY',
    taxIdLast4: 'Last 4 digits of SSN or ITIN',
    taxId: 'SSN or ITIN, 9 digits',
    /** By the inquiry that the program declares. */
    taxIdUse: {
      soft: 'We send this only to {lender} and do not store it, and the check does not affect your credit score.',
      hard: 'We send this only to {lender} and do not store it, and the check may affect your credit score.',
      unknown: 'We send this only to {lender} and do not store it.',
    },
    annualIncome: 'Annual income before taxes',
    annualIncomeHint:
      'In US dollars. Alimony, child support, or separate maintenance income need not be revealed if you do not wish to have it considered as a basis for repaying this obligation.',
    yourConsent: 'Your consent',
    consent: 'I authorize {lender} to obtain my credit report to decide on this application.',
    inquiries: {
      soft: 'This is a soft inquiry: it does not affect my credit score.',
      hard: 'This is a hard inquiry: it may affect my credit score.',
    },
    /** For another inquiry when a plan is accepted. */
    inquiriesAtAcceptance: {
      soft: 'If I sign an agreement, {lender} may obtain my credit report again. This would be a soft inquiry, which does not affect my credit score.',
      hard: 'If I sign an agreement, {lender} may obtain my credit report again. This would be a hard inquiry, which may affect my credit score.',
    },
    electronic:
      'I agree to receive the notices, disclosures and documents of this application electronically, on these pages and by email.',
    aboutElectronic: 'About electronic documents',
    electronicCovers:
      'Your consent covers the decision about this application, the disclosures before you sign, the agreement, and notices about them. It covers no other purchase.',
    electronicPaper: 'You can receive any of them on paper, free of charge: ask {lender} for a copy.',
    electronicWithdrawal: {
      both: 'You can withdraw your consent at any time, free of charge: call {lender} at {phone}, or write to {lender}, {address}.',
      byPhone: 'You can withdraw your consent at any time, free of charge: call {lender} at {phone}.',
      byMail: 'You can withdraw your consent at any time, free of charge: write to {lender}, {address}.',
      unknown: 'You can withdraw your consent at any time, free of charge, by notifying {lender}.',
    },
    electronicWithdrawn:
      'If you withdraw it before you sign, this application ends and you can pay another way. If you withdraw it later, {lender} will send you further documents on paper. Documents that you received before then remain valid.',
    electronicNeeds:
      'You need internet access, a current web browser, an email address, and a printer or storage space to keep copies. If your email address changes, notify {lender} in the same way.',
    privacyNotice: 'Read the privacy notice of {lender}',
    /** Below the link to the notice, above the button. */
    privacyNoticeReceived: 'When I send this application, I confirm that I have received the privacy notice of {lender}.',
    /** Shows the whole text of a box that scrolls. */
    readAll: 'Read all',
    whoGetsWhat: 'Who receives your information',
    lenderGets:
      '{lender} receives your contact details, what you enter on this page, your consents and your language. It also receives your order, the shipping address with the name of the recipient, your IP address, your browser and device, and the times of applications with your email address in the last 24 hours at {merchant} and other stores of its sales platform. If you sign, it receives the signed agreement with your name as you typed it, the time, your IP address, browser and device, and how you received a code to sign, if one was required. Later, it receives the end of your application, confirmations, cancellations, refunds and other changes of your order, card payments that fail, and the notices we email you and whether they arrived. It uses all of this to decide on your application and to make and service the loan.',
    /** If the program names the credit bureau. */
    bureauGets:
      'To obtain your credit report, {lender} may send {bureau}, a credit bureau, your name, address, date of birth, and the digits of your SSN or ITIN.',
    merchantGets:
      '{merchant} and its sales platform, if it has one, see when you apply, the status of your application, your order, and the plans you are offered. They also see the costs and the payments of a plan once you see its agreement, and when you sign. They can find your application by your home address if they already know the address. They receive your contact details and addresses when you have completed the purchase. {merchant} then also receives the plan you signed, the number of the loan, later changes of its payments, and, if you pay a part by card, the amount, the type and last four digits of the card, and whether the payment succeeded. They never receive your date of birth, the digits of your SSN or ITIN, your income, or the reasons for a lender’s decision.',
    /** If a card can pay a part of the order. */
    cardProcessorGets:
      'If you pay a part of the order by card, {processor} receives your card, that amount and its refunds, the number of your application, your language, and the address of this checkout.',
    /** Replaces the name of the processor of the test cards. */
    cardProcessor: 'a payment processor',
    emailServiceGets:
      'The email service that {operator} uses receives your name, your email address, and the emails to you with their notices, links and codes, to deliver them.',
    textServiceGets:
      'The text message service that {operator} uses receives your phone number and the text messages to you, to deliver them: a link from {merchant}, or a code and the name of {lender}.',
    /** If the order has pictures, which the browser loads from addresses that the merchant has set. */
    picturesGet:
      'Your browser loads the pictures of your order from hosts that {merchant} chose. They receive your IP address, browser and device.',
    operatorKeeps:
      '{operator}, which operates this service, sends your date of birth, the digits of your SSN or ITIN, and your income to {lender} and does not store them. To limit repeated applications, it stores for about a day a code from which your last name, date of birth and ZIP code cannot be read. It stores your contact details and addresses, your order, the decision, your consents, the messages to you, the type and last four digits of a card, your loan, and what you sign, with your IP address, browser and device when you signed.',
    /** Heading and text above the form, when the lender could not be reached. */
    unreachable: '{lender} could not be reached',
    noAnswer:
      'There is no decision on your application, and nothing has been bought. Your details and consents are saved. To try again, now or later on this page, enter only the values below, which we never store.',
    submit: 'See my plans',
    back: 'Back to your details',
    testBuyers: 'Sandbox: test numbers',
    testBuyersHint:
      'Only the last 4 digits matter; numbers that are not listed are approved like 1001. Enter any adult’s date of birth and any income.',
    testDigits: 'Last 4 digits',
    testMeaning: 'What happens',
    testMeanings: {
      '1001': 'approved, very good credit',
      '1002': 'approved, good credit',
      '1003': 'approved, fair credit',
      '1004': 'approved without a credit score',
      '1101': 'approved for 60% of the order; the rest is paid by card',
      '1201': 'approved; a servicemember or dependent',
      '2001': 'denied: credit history',
      '2002': 'denied: income too low',
      '2003': 'denied: too much debt',
      '2004': 'denied: identity not confirmed',
      '2005': 'denied: no credit file',
      '3001': 'not eligible',
      '4001': 'must unfreeze their credit file',
      '4002': 'must confirm their identity',
      '4003': 'must correct their details',
      '5001': 'the lender cannot be reached',
      '5002': 'approved, but the response is late',
      '6001': 'approved; after signing, the response is late',
      '6002': 'approved; after signing, the lender withdraws',
    },
  },
  /** The link by which a buyer continues an application that the lender could not receive. */
  continueLink: {
    heading: 'Do you want to wait?',
    offer: 'We can email a link to {email}. With it, you continue later or on another device.',
    send: 'Email me the link',
    sent: 'We sent the link to {email}. It works through {date}, until {lender} receives your application.',
    sendAgain: 'Send it again',
    email: {
      subject: 'Continue your application at {merchant}',
      intro:
        '{lender} could not be reached when you applied for financing of your order at {merchant}, so it has not decided. Your details are saved. To try again, continue here:',
      button: 'Continue the application',
      validity:
        'The link works through {date}, until {lender} receives your application. It opens the details that you entered, so do not forward it.',
      ignore: 'If you did not ask for this message, ignore it. Nothing has been bought.',
    },
    /** The page that the link opens. */
    title: 'Continue your application',
    lead: 'Your order at {merchant} and your details are saved. {lender} has not received your application yet.',
    submit: 'Continue',
  },
  approval: {
    /** Expiry of the offers, the same for all plans. */
    validUntil: 'Your approval is valid through {date}.',
    extendable: 'Your approval is valid through {date}. You can extend it once.',
    extend: 'Extend it through {date}',
  },
  plans: {
    title: 'You’re approved for {total}',
    /** Instead of `title` for a smaller offer. */
    titlePart: 'You’re approved for {total}, with {remainder} left to pay',
    lead: 'Choose a plan. Nothing is final until you sign.',
    firstDue: 'If you sign today, your first payment is due on {date}.',
    /** Replaces `lead` if less than the order is financed. */
    part: 'You pay the remaining {remainder} by card.',
    /** After `part` and `loan.includesDownPayment`. */
    cardLater: 'Choose a plan, then the card. Nothing is charged today, and nothing is final until you sign.',
    legend: 'Plans',
    aMonth: 'a month',
    term: ['for {n} month', 'for {n} months'] as Counted,
    afterDown: ['{downPayment} down payment plus {n} payment', '{downPayment} down payment plus {n} payments'] as Counted,
    apr: 'APR',
    /** For a plan without a finance charge. */
    badge: '{apr} APR',
    noFinanceCharge: 'No finance charge.',
    firstPayment: 'First payment',
    pictures:
      'The pictures show the payments of each plan, on one scale of months and amounts. They assume that each payment is made on its date.',
    repaysWith: 'The payments repay {principal}: the {financed} that you are approved for, and {charges}.',
    submit: 'Continue to the agreement',
  },
  card: {
    title: 'Your card',
    lead: '{lender} finances {financed} of your order. You pay the remaining {remainder} by card.',
    whenCharged:
      'Nothing is charged today. The {remainder} will be held on your card when {merchant} accepts your order, and charged when your order is fulfilled.',
    chosen: 'You have chosen {card}.',
    keep: 'Keep this card',
    testCards: 'Test cards',
    enterOnProviderPage: 'You enter your card on our payment provider’s secure page. We do not receive the card number.',
    newTab: 'The page opens in a new tab, where you can then continue.',
    enter: 'Enter your card',
    entered: 'I have entered my card',
    noCardEntered: 'No card was entered, and nothing was charged. Try again whenever you are ready.',
    unavailable: 'Cards cannot be accepted at the moment, and nothing was charged. Try again in a few minutes.',
    submit: 'Continue to the agreement',
  },
  agreement: {
    title: 'Review and sign',
    lead: 'Read the terms of your loan from {lender}, then sign below.',
    /** Before `plans.part` if less than the order is financed. */
    financed: '{financed} of your order of {total} is financed.',
    /** The buyer and the shipping address in the agreement. */
    buyer: 'Borrower',
    email: 'Email',
    shipTo: 'Ship to',
    homeAddress: 'Home address',
    wrong: 'If anything here is wrong, do not sign.',
    startAgain: 'Start again with other details',
    electronic: 'I agree to receive this agreement and its disclosures electronically, and I can open and keep them.',
    agree: 'I have read the agreement, I accept its terms, and I promise to repay {lender}.',
    /** For another inquiry when the agreement is signed. */
    inquiries: {
      soft: 'When you sign, {lender} may obtain your credit report again. This is a soft inquiry: it does not affect your credit score.',
      hard: 'When you sign, {lender} may obtain your credit report again. This is a hard inquiry: it may affect your credit score.',
    },
    /** The card portion, which is not part of the loan. */
    cardHeading: 'Paid by card',
    cardPays:
      '{remainder} of your order is paid by {card}. It is not part of the loan: it will be held on your card when {merchant} accepts your order, and charged when your order is fulfilled.',
    otherCard: 'Use another card',
    summary: 'Your payments',
    payments: ['{n} payment', '{n} payments'] as Counted,
    firstDue: 'the first of {amount} due {date}, the last {last}, {total} in all',
    toSignature: 'Go to the signature',
    print: 'Save as PDF or print',
    signature: 'Signature',
    signedName: 'Your full name',
    signedNameHint: 'As it appears in the agreement: {name}',
    submit: 'Sign and finish',
    back: 'Choose another plan',
  },
  /** Wording of the model forms H-1 and H-2 of Regulation Z, 12 CFR 1026, Appendix H. */
  tila: {
    heading: 'Truth in Lending disclosure',
    creditor: 'Creditor',
    apr: 'Annual percentage rate',
    aprMeaning: 'The cost of your credit as a yearly rate',
    financeCharge: 'Finance charge',
    financeChargeMeaning: 'The dollar amount the credit will cost you',
    amountFinanced: 'Amount financed',
    amountFinancedMeaning: 'The amount of credit provided to you or on your behalf',
    totalOfPayments: 'Total of payments',
    totalOfPaymentsMeaning: 'The amount you will have paid after you have made all payments as scheduled',
    schedule: 'Your payment schedule',
    payments: 'Payments',
    amount: 'Amount',
    whenDue: 'When due',
    monthlyFrom: 'Monthly from {date}',
    late: 'Late charge',
    /** `{late}` is one of the next two texts. */
    lateFlat: 'If a payment is {late}, you will be charged {amount}.',
    lateAtOnce: 'late',
    lateAfterDays: ['more than {n} day late', 'more than {n} days late'] as Counted,
    latePercent: 'If a payment is {late}, you will be charged {percent} of that payment.',
    lateSum: 'If a payment is {late}, you will be charged {amount} plus {percent} of that payment.',
    lateLesser: 'If a payment is {late}, you will be charged {amount} or {percent} of that payment, whichever is less.',
    lateGreater: 'If a payment is {late}, you will be charged {amount} or {percent} of that payment, whichever is greater.',
    lateNone: 'There is no late charge.',
    prepayment: 'Prepayment',
    noPenalty: 'If you pay off early, in full or in part, you will not have to pay a penalty.',
    noPenaltyNoRefund:
      'If you pay off early, in full or in part, you will not have to pay a penalty, and you will not be entitled to a refund of the part of the finance charge that is prepaid.',
    /** A refund of the purchase by the merchant may return a part of the fees. */
    noPenaltyOwnRefund:
      'If you pay off early, in full or in part, you will not have to pay a penalty, and you will not be entitled to a refund of the part of the finance charge that is prepaid. If the seller refunds your purchase, you may be.',
    security: 'Security',
    noSecurity: 'You give no security interest in what you buy.',
    seeAgreement:
      'See this agreement for any additional information about nonpayment, default, any required repayment in full before the scheduled date, and prepayment refunds and penalties.',
  },
  loan: {
    downPayment: 'Down payment',
    purchase: 'Purchase',
    lessDownPayment: 'Less down payment, paid by card',
    paidByLoan: 'Paid with the loan',
    /** After a sentence about the amount that is paid by card. */
    includesDownPayment: 'This includes the down payment of {amount}.',
    aFee: '{kind} of {amount}',
    itemization: 'Itemization of the amount financed of {amount}',
    paidToMerchant: 'Paid to {merchant} on your behalf',
    /** Replaces an unknown merchant within a sentence. */
    theMerchant: 'the merchant',
    feeIncluded: '{fee}, included in the loan',
    lessPrepaid: 'Less prepaid finance charge',
    allPayments: ['The payment', 'All {n} payments'] as Counted,
    scheduleLabel: 'All payments',
    onTime: 'This assumes that each payment is made on its date.',
    due: 'Due',
    payment: 'Payment',
    interest: 'Interest',
    principal: 'Principal',
    balance: 'Balance',
    feeNames: {
      origination: 'Origination fee',
      application: 'Application fee',
      participation: 'Participation fee',
      service: 'Service fee',
    },
    /** Sentences of the agreement. */
    noFees: 'No fee is charged for this loan.',
    withFees: 'The principal includes these fees: {fees}.',
    feesReduced: 'If a part of your purchase is canceled before the loan is made, each fee is reduced in the same proportion.',
    feesCredited: 'If {merchant} refunds a part of your purchase after that, the same part of each fee is credited to you.',
    feesCreditedWithin: [
      'If {merchant} refunds a part of your purchase within {n} day after the loan is made, the same part of each fee is credited to you.',
      'If {merchant} refunds a part of your purchase within {n} days after the loan is made, the same part of each fee is credited to you.',
    ] as Counted,
    feeOf: '{fee} of {amount}',
    noOddDaysInterest: 'Before the first payment, interest is charged for one month only.',
    oddDaysInterest:
      'The first payment includes interest for {time} beyond one month, calculated by days in a year of {year} days.',
  },
  terms: {
    label: 'Terms',
    /** `{length}` is the next two texts. */
    length: 'About {length}. Scroll to read all of it.',
    minutes: ['{n} minute', '{n} minutes'] as Counted,
    sections: ['{n} section', '{n} sections'] as Counted,
    creditor: 'Creditor.',
    promise: 'Promise to pay',
    version: 'Agreement version {version}.',
    nmlsId: 'NMLS ID {id}',
    regulatedBy: 'regulated by {regulator}',
    residents: '{state} residents:',
    stateNotices: 'State notices',
  },
  /** Sentences of the agreement: the day on which interest starts, by `schedule.interestFrom` of the program. */
  interestStart: {
    label: 'Start of interest.',
    settlement:
      'Interest starts on the day when {lender} pays {merchant} for the order, and no payment is due until after it. The disclosure assumes that it is the date of this agreement, {date}. If it is a later day, the interest in the first payment is reduced in proportion, and if the first due date is not after it, all due dates move by whole months. No payment is higher than disclosed.',
    signature: 'Interest starts on the date of this agreement, {date}.',
  },
  /** Instructions for payments: in the agreement, in its e-mail and on the page of a completed checkout. */
  servicing: {
    label: 'How to pay.',
    heading: 'How to pay',
    how: 'Make your payments to {name} at {payUrl}, by mail to {address}, or by phone at {phone}.',
    payOnline: 'Pay online',
  },
  /** To covered borrowers, in the words of 32 CFR 232.6(c)(3). */
  military: {
    heading: 'Military Lending Act',
    statement:
      'Federal law provides important protections to members of the Armed Forces and their dependents relating to extensions of consumer credit. In general, the cost of consumer credit to a member of the Armed Forces and his or her dependent may not exceed an annual percentage rate of 36 percent. This rate must include, as applicable to the credit transaction or account: The costs associated with credit insurance premiums; fees for ancillary products sold in connection with the credit transaction; any application fee charged (other than certain application fees for specified credit transactions or accounts); and any participation fee charged (other than certain participation fees for a credit card account).',
    obligation: 'Your payment obligation is described in the payment schedule of the Truth in Lending disclosure.',
    phone: 'To hear this statement and a description of your payment obligation, call {phone}, toll-free.',
  },
  /** Adverse action notice: 12 CFR 1002.9(b)(1) and 15 USC 1681m(a), with the wording that they require. */
  adverseAction: {
    action: 'On {date}, {lender} denied your application for credit at {merchant}.',
    /** Model form C-4: the notice is combined with an offer of a smaller amount. */
    counteroffer: 'On {date}, {lender} was unable to offer you the credit of {requested} that you applied for at {merchant}.',
    offerHeading: 'What {lender} offers instead',
    offer: '{lender} can, however, offer you credit of {offered} on any of the following terms:',
    accept: 'If this offer is acceptable to you, choose a plan and sign the agreement by {date}.',
    /** Instead of the offer, if the cart ended before the decision. */
    closedOffer: '{lender} was able to offer you credit of {offered}.',
    /** A lender's rejection of a signed agreement. */
    withdrawn:
      'On {signed}, you signed an agreement with {lender} for your order at {merchant}. On {date}, {lender} decided not to make this loan. The agreement has no effect, and you owe nothing under it.',
    reasonsHeading: 'Principal reasons for this decision',
    reasons: {
      income: 'Income insufficient for amount of credit requested.',
      debt: 'Excessive obligations in relation to income.',
      identity: 'Unable to verify your identity with the information you provided.',
      // The wording of model form C-1.
      'no-file': 'No credit file.',
      'insufficient-file': 'Limited credit experience.',
      'incomplete-application': 'Credit application incomplete.',
      'insufficient-references': 'Insufficient number of credit references provided.',
      'unacceptable-references': 'Unacceptable type of credit references provided.',
      'unverified-references': 'Unable to verify credit references.',
      'irregular-employment': 'Temporary or irregular employment.',
      'unverified-employment': 'Unable to verify employment.',
      'length-of-employment': 'Length of employment.',
      'unverified-income': 'Unable to verify income.',
      'length-of-residence': 'Length of residence.',
      'temporary-residence': 'Temporary residence.',
      'unverified-residence': 'Unable to verify residence.',
      'performance-with-us': 'Poor credit performance with the lender.',
      delinquency: 'Delinquent past or present credit obligations with others.',
      'collection-or-judgment': 'Collection action or judgment.',
      garnishment: 'Garnishment or attachment.',
      foreclosure: 'Foreclosure or repossession.',
      bankruptcy: 'Bankruptcy.',
      'recent-inquiries': 'Number of recent inquiries on credit bureau report.',
      collateral: 'Value or type of collateral not sufficient.',
      // Reasons of this service, when an approval cannot be used.
      limit: 'The amount of credit that you qualify for is less than this order requires.',
      tier: 'For this amount, no plan is offered in your state in the credit tier for which you qualify.',
      'military-rate-cap':
        'Federal law limits the military annual percentage rate of loans to servicemembers and their dependents to 36% (10 USC 987), and no plan for this amount is within this limit.',
    },
    heading: 'Notice of this decision',
    /** Shown with the reasons. */
    keep: 'Print or save this page. It is your only copy of these reasons.',
    sent: 'We have also sent you an email about this decision.',
    askHeading: 'Your right to a statement of reasons',
    ask: 'You have the right to a statement of the specific reasons for this decision. To obtain it, contact {contact}, within 60 days of {date}. {lender} must send it to you in writing within 30 days of your request.',
    bureauHeading: 'Your credit report',
    bureau:
      'The decision was based in whole or in part on information obtained in a report from {bureau}, the consumer reporting agency listed below. You have a right under the Fair Credit Reporting Act to know the information contained in your credit file at the consumer reporting agency. The reporting agency did not make the decision and is unable to supply specific reasons for it. You also have a right to a free copy of your report from the reporting agency, if you request it no later than 60 days after you receive this notice. In addition, if you find that any information contained in the report you receive is inaccurate or incomplete, you have the right to dispute the matter with the reporting agency.',
    /** Several agencies. */
    bureaus:
      'The decision was based in whole or in part on information obtained in reports from {bureaus}, the consumer reporting agencies listed below. You have a right under the Fair Credit Reporting Act to know the information contained in your credit file at the consumer reporting agencies. The reporting agencies did not make the decision and are unable to supply specific reasons for it. You also have a right to a free copy of your report from each reporting agency, if you request it no later than 60 days after you receive this notice. In addition, if you find that any information contained in a report you receive is inaccurate or incomplete, you have the right to dispute the matter with the reporting agency.',
    /** If the lender has stated neither reasons nor sources, with the wording of model form C-5. */
    possibleBureau:
      'If {lender} obtained information from a consumer reporting agency as part of its consideration of your application, the name, address, and telephone number of the agency are shown below. The reporting agency played no part in the decision and is unable to supply specific reasons for it. You have a right under the Fair Credit Reporting Act to know the information contained in your credit file at the consumer reporting agency. You also have a right to a free copy of your report from the reporting agency, if you request it no later than 60 days after you receive this notice. In addition, if you find that any information contained in the report you receive is inaccurate or incomplete, you have the right to dispute the matter with the reporting agency.',
    /** Information that is not a consumer report, with the wording of model form C-1: 15 USC 1681m(b). */
    otherSourcesHeading: 'Information from others',
    otherSources:
      'The decision was based in whole or in part on information obtained from {source}. Under the Fair Credit Reporting Act, you have the right to make a written request to {lender}, no later than 60 days after you receive this notice, for disclosure of the nature of this information.',
    affiliate: 'an affiliate of the lender',
    outside: 'an outside source other than a consumer reporting agency',
    affiliateAndOutside: 'an affiliate of the lender and from an outside source other than a consumer reporting agency',
    /** The score that was used, with the wording of model form C-1. */
    score: {
      heading: 'Your credit score',
      used: '{lender} also obtained your credit score from {agency} and used it in making the credit decision. Your credit score is a number that reflects the information in your credit report. Your credit score can change, depending on how the information in your credit report changes.',
      thisAgency: 'this consumer reporting agency',
      score: 'Your credit score',
      created: 'Date',
      range: 'Range of scores',
      from: 'from a low of {least} to a high of {most}',
      factors: 'Key factors that adversely affected your credit score',
      questions: 'If you have any questions regarding your credit score, you should contact {bureau}.',
    },
    equalHeading: 'Equal credit opportunity',
    equal:
      'The Federal Equal Credit Opportunity Act prohibits creditors from discriminating against credit applicants on the basis of race, color, religion, national origin, sex, marital status, age (provided the applicant has the capacity to enter into a binding contract); because all or part of the applicant’s income derives from any public assistance program; or because the applicant has in good faith exercised any right under the Consumer Credit Protection Act.',
    agency: 'The Federal agency that administers compliance with this law concerning this creditor is {agency}.',
    creditorHeading: 'The creditor',
    missing: '{lender} must send you a written notice of this decision within 30 days. It will also state {parts}.',
    missingParts: {
      address: 'its address',
      regulator: 'which Federal agency supervises it',
      bureau: 'which agency’s credit report it used',
    },
    /** Other languages add "in English", 12 CFR 1002.4(e). */
    anotherCopy: 'You may ask {lender} for another copy of this notice.',
  },
  /** Credit score disclosure: model forms H-4 and, without a score, H-5 of 12 CFR 1022, Appendix H. */
  scoreDisclosure: {
    heading: 'Your credit score and the price you pay for credit',
    headingWithout: 'Credit scores and the price you pay for credit',
    score: 'Your credit score',
    source: 'Source',
    date: 'Date',
    without:
      'Your credit score is not available from {bureau}, which is a consumer reporting agency, because they may not have enough information about your credit history to calculate a score.',
    aboutHeading: 'What you should know about credit scores',
    about:
      'Your credit score is a number that reflects the information in your credit report. Your credit report is a record of your credit history. It includes information about whether you pay your bills on time and how much you owe to creditors. Your credit score can change, depending on how your credit history changes.',
    aboutWithout:
      'A credit score is a number that reflects the information in a credit report. A credit report is a record of your credit history. It includes information about whether you pay your bills on time and how much you owe to creditors. A credit score can change, depending on how a consumer’s credit history changes.',
    useHeading: 'How {lender} uses your credit score',
    use: 'Your credit score can affect whether you can get a loan and how much you will have to pay for that loan.',
    importanceHeading: 'Why credit scores are important',
    importance:
      'Credit scores are important because consumers with higher credit scores generally get more favorable credit terms. Not having a credit score can affect whether you can get a loan and how much you will have to pay for that loan.',
    rangeHeading: 'The range of scores',
    range: 'Scores range from a low of {least} to a high of {most}.',
    higher: 'Generally, the higher your score, the more likely you are to be offered better credit terms.',
    comparisonHeading: 'How your score compares to the scores of other consumers',
    comparison: 'Your credit score ranks higher than {percent} percent of U.S. consumers.',
    mistakesHeading: 'What if there are mistakes in your credit report?',
    mistakes:
      'You have a right to dispute any inaccurate information in your credit report. If you find mistakes on your credit report, contact the consumer reporting agency.',
    check: 'It is a good idea to check your credit report to make sure the information it contains is accurate.',
    copyHeading: 'How can you obtain a copy of your credit report?',
    copy: 'Under federal law, you have the right to obtain a free copy of your credit report from each of the nationwide consumer reporting agencies once a year. To order your free annual credit report:',
    byPhone: 'By telephone: Call toll-free: 1-877-322-8228',
    onWeb: 'On the Web: Visit www.annualcreditreport.com',
    byMail:
      'By mail: Mail your completed Annual Credit Report Request Form (which you can obtain from www.annualcreditreport.com) to: Annual Credit Report Request Service, P.O. Box 105281, Atlanta, GA 30348-5281',
    moreHeading: 'How can you get more information?',
    more: 'For more information about credit reports and your rights under Federal law, visit the Consumer Financial Protection Bureau’s Web site at www.consumerfinance.gov/learnmore.',
  },
  /** E-mails about a decision, and about the end of an application. The subject does not disclose which decision it is. */
  decisionEmail: {
    subject: 'About your application to {lender}',
    approved: 'On {date}, {lender} approved your application for credit of {amount} for your order at {merchant}.',
    choose: 'You can choose one of these plans:',
    plan: ['{n} monthly payment of {payment}, {apr} APR', '{n} monthly payments of {payment}, {apr} APR'] as Counted,
    until: 'The approval is valid through {date}. Nothing is final until you sign the agreement.',
    /** Of a plan in a table, before its payment and APR. */
    payments: ['{n} monthly payment', '{n} monthly payments'] as Counted,
    resume: 'To continue, return to the page where you applied. If you cannot find it, you can start again here:',
    open: 'Open the checkout',
    expired:
      'Your approval by {lender} for your order at {merchant} has expired, because the agreement was not signed by {date}.',
    undecided: 'Your application to {lender} for your order at {merchant} has expired, because there was no decision by {date}.',
    incomplete: 'Your application to {lender} for your order at {merchant} has expired, because it was not completed by {date}.',
    canceled: {
      'by-buyer': 'You canceled your application to {lender} for your order at {merchant}.',
      'by-merchant': '{merchant} ended the checkout of your order, so your application to {lender} is canceled.',
      restarted:
        'The checkout of your order at {merchant} was started again, so your earlier application to {lender} is canceled. If you did not start it again, contact {merchant}.',
    },
    /** After the end of an application, before a link. */
    applyAgain: 'If you still want to finance this order, you can apply again through {date}:',
    nothing: 'Nothing has been bought with this application, and nothing will be charged.',
    /** Instead of a decision with reasons, before the link to its page. */
    ready: '{lender} has decided on your application for credit for your order at {merchant}. Read its decision here:',
    read: 'Read the decision',
    score: 'With this approval, {lender} gives you a disclosure about your credit score. Read it here:',
    byCode:
      'To keep it private, the page asks for a code that we send to this email address. You can open it for at least two years.',
  },
  /** On the page of a completed checkout: the buyer's copy of the signed agreement. */
  copy: {
    open: 'Open your agreement',
    openPdf: 'Open it as a PDF',
    keepNow: 'Open it, and print or save it now.',
    sent: 'We have sent you the link to it by email.',
    byCode: 'To open it here, enter a code that we send to {email}.',
    theLender: 'the lender',
  },
  document: {
    title: 'Your agreement with {lender}',
    heading: 'Loan agreement',
    keep: 'This is your copy. Use the menu of your browser to print or save it.',
    parties: 'Parties',
    creditor: 'Creditor',
    buyer: 'Borrower',
    merchant: 'Merchant',
    order: 'Order',
    number: 'Agreement number',
    byCardHeading: 'Paid by card',
    byCard:
      'Your order total is {total}. Of this, {financed} is financed under this agreement. The remaining {amount} is paid by {card} and is not part of this agreement.',
    agreedTo: 'What you agreed to',
    page: 'Page {n} of {count}',
    signature: 'Signature',
    signed: 'Signed electronically by {name} on {moment}.',
  },
  /** One-time codes, which the buyer receives by e-mail or text message. */
  code: {
    heading: 'Confirm that it is you',
    byEmail: 'To sign, you need a code that we send by email to {email}. It is valid for 10 minutes.',
    byText:
      'To sign, you need a code that we send by text message to your phone number ending in {digits}. It is valid for 10 minutes.',
    send: 'Send me a code',
    sendAgain: 'Send me another code',
    label: 'Code',
    hint: 'The 6 digits that we sent you',
    wrong: 'This is not the code that we sent you',
    expired: 'This code is no longer valid. Request another one.',
    exhausted: 'Too many wrong codes were entered. Request another one.',
    tooMany:
      'Several messages were sent to you in the last 24 hours. To protect you from unwanted messages, we will not send more for now. Try again tomorrow.',
    unavailable: 'We cannot send messages at the moment. Try again later.',
    validity: 'The code is valid for {minutes} minutes. Do not share it with anyone.',
    ignore: 'If you did not request it, you can ignore this message.',
    text: '{code} is your code to sign your agreement with {lender}. It is valid for {minutes} minutes. Do not share it with anyone.',
    messages: {
      signature: {
        subject: 'Your code to sign the agreement with {lender}',
        intro: 'Enter this code to sign your agreement with {lender}:',
      },
      copy: {
        subject: 'Your code to open the agreement with {lender}',
        intro: 'Enter this code to open your signed agreement with {lender}:',
      },
      notice: {
        subject: 'Your code to read the decision of {lender}',
        intro: 'Enter this code to read the decision of {lender}:',
      },
      consent: {
        subject: 'Your code to receive documents of {lender} on paper',
        intro: 'Enter this code to withdraw your consent to electronic documents of {lender}:',
      },
    },
  },
  /** The page that an e-mail about a decision links to. */
  notice: {
    title: 'Read your decision',
    lead: 'To keep it private, we show it after you have entered a code that we send to {email}. The code is valid for 10 minutes.',
    submit: 'Read the decision',
    tooMany: 'Several codes were sent to you in the last hour. Use the latest one, or try again in an hour.',
  },
  /** The page that withdraws the consent to electronic documents, at the link of a signed agreement. */
  consentWithdrawal: {
    title: 'Receive documents on paper',
    effect:
      'If you withdraw your consent to electronic documents, {lender} sends you further documents about this loan on paper, free of charge, and we no longer email them to you. Your agreement and the documents that you have received remain valid.',
    lead: 'To make sure that it is you, we ask for a code that we send to {email}. The code is valid for 10 minutes.',
    submit: 'Withdraw my consent',
    done: {
      title: 'You have withdrawn your consent',
      lead: 'On {date}, you withdrew your consent to electronic documents. {lender} sends you further documents about this loan on paper.',
    },
  },
  /** Page of an old link to a signed agreement, which asks for a ZIP code. */
  documentProof: {
    title: 'Open your signed agreement',
    lead: 'This link is more than {days} days old. To protect you, we ask for the ZIP code of your billing address before we show the agreement.',
    zip: 'Billing ZIP code',
    zipHint: 'The one you entered when you applied, for example 62701.',
    submit: 'Open the agreement',
    wrong: 'This is not the ZIP code of the billing address',
    tooMany: 'Too many attempts. Try again in an hour.',
    help: 'If you cannot open it, ask the lender for a copy.',
  },
  documentWithoutPdf: {
    title: 'This agreement has no PDF',
    lead: 'The fonts of our PDFs lack a character of this agreement, such as a letter of a name. Open the agreement, and print it or save it with the menu of your browser.',
  },
  documentRevoked: {
    title: 'This link no longer works',
    lead: 'The link to this agreement was turned off. The agreement itself has not changed.',
    contact: 'Ask {lender} for your copy.',
  },
  agreementEmail: {
    loanNumber: 'Loan number',
    subject: 'Your agreement with {lender}',
    intro:
      'On {date} you signed an agreement with {lender} for your order at {merchant}. Your copy is ready to read, print or save.',
    asPdf: 'As a PDF:',
    payments: 'Payments',
    paymentsOf: ['{n} payment of {amount}', '{n} payments of {amount}'] as Counted,
    firstDue: 'First payment due',
    lastDue: 'Last payment due',
    byCard: 'Paid by card',
    private: 'Anyone with the link can read the agreement, so do not forward this message.',
    linkEnds: 'After {days} days, the link also asks for the ZIP code of your billing address.',
    onPaper: 'To receive further documents about this loan on paper instead of by email:',
  },
  /** The loan after the order has changed: on the agreement, on the last page of the checkout, and in e-mails. */
  loanNow: {
    titles: {
      canceled: 'No loan was made',
      expired: 'Your order has expired',
      'paid-by-card': 'There is no loan',
      reduced: 'Your loan is smaller',
      refunded: 'Your order was refunded',
      signed: 'Your payments',
      card: 'Your card was declined',
      charged: 'Your card was charged',
    },
    void: {
      canceled: 'Your order was canceled. There is no loan, and you owe nothing.',
      expired: 'Your order was not completed in time. There is no loan, and you owe nothing.',
      'paid-by-card':
        'The part of your order that the loan would have paid was canceled. There is no loan, and you owe {lender} nothing.',
    },
    isVoid: 'The agreement that you signed with {lender} is void.',
    reduced: '{merchant} reduced your order before the loan was made. You borrow {amount} less than you signed for.',
    credited: '{merchant} refunded {amount} of what {lender} lent you.',
    /** After a refund of more than the loan. */
    cardRefunded: 'The other {amount} of the refund goes to the card that paid a part of your order.',
    assumed: 'These payments assume that you made each payment that was due. {lender} can tell you exactly what you owe.',
    stated: '{lender} has stated these payments. They replace those in your agreement and in earlier emails.',
    started:
      '{lender} paid {merchant} on {date}. Your loan starts on that day, and you pay no interest for the time before. These payments replace those in your agreement.',
    unknown: '{lender} can tell you exactly what you owe.',
    refunded: '{merchant} refunded everything that the loan paid.',
    repaid: 'You make no more payments. If you have paid more than you owe, {lender} returns it.',
    declined:
      'The card that pays {amount} of your order was declined or could not be charged. Your loan has not changed. Contact {merchant} about this part.',
    declinedWithoutLoan:
      'The card that pays {amount} of your order was declined or could not be charged. Contact {merchant} about your order.',
    charged: 'The card that could not be charged before has now paid {amount} of your order.',
    /** The cost of the changed loan, counted from its first day. */
    cost: 'Without the canceled and refunded amounts, your loan is {amount} and costs {charge} in all: an annual percentage rate of {apr}.',
    fees: 'This includes: {fees}.',
    feesStay: 'Your agreement returns no fees for this refund. These fees stay: {fees}.',
    nextDue: 'Next payment due',
    subjects: {
      canceled: 'Your order at {merchant} was canceled',
      expired: 'Your order at {merchant} has expired',
      'paid-by-card': 'There is no loan for your order at {merchant}',
      reduced: 'Your loan for your order at {merchant} is smaller',
      signed: 'The payments for your order at {merchant}',
      refunded: 'Your order at {merchant} was refunded',
      card: 'The card for your order at {merchant} was declined',
      charged: 'The card for your order at {merchant} was charged',
    },
  },
  /** First on a page that leads to the shop by itself. */
  leaving: { lead: 'In {seconds} seconds, you return to {merchant}.', now: 'Go now', stay: 'Stay on this page' },
  shopLinks: { return: 'Return to {merchant}', payAnotherWay: 'Return to {merchant} and pay another way' },
  declined: {
    title: 'Your application was not approved',
    lead: '{lender} did not approve your application. Nothing has been bought, and nothing will be charged.',
  },
  /** The lender rejected the signed agreement. */
  withdrawn: {
    title: 'The lender did not make the loan',
    lead: 'You signed the agreement, but {lender} then decided not to make the loan. The agreement has no effect: you owe nothing under it, nothing has been bought, and nothing will be charged.',
  },
  unavailable: {
    title: 'Financing is not available for this order',
    inState: '{lender} offers no plan for an order of {total} to residents of {state}.',
    forAmount: 'No plan is offered for an order of {total}.',
    today: 'No plan is offered today.',
    limits: 'Orders from {least} to {most} can be financed. Your order total is {total}.',
    nothingBought: 'Nothing has been bought, and no lender has received your details.',
    byLender: '{lender} has reviewed your application and has no plan to offer for this order.',
    byLaw: 'The law does not allow {lender} to make a loan for this order. This is not a decision about your credit.',
    notOffered: '{lender} makes no loan of this kind to anyone. This is not a decision about your credit.',
    nothingCharged: 'Nothing has been bought, and nothing will be charged.',
    changeDetails: 'Change your details',
  },
  /** The application was not sent. */
  cannotApply: {
    title: 'Financing is not available right now',
    lead: 'This financing requires a down payment by card, and cards cannot be accepted at the moment. Your application was not sent to {lender}, nothing has been bought, and nothing will be charged.',
    again: 'Try again',
  },
  waiting: {
    title: 'The lender is reviewing your application',
    lead: 'You have done your part. {lender} is deciding on your application.',
    nothing: 'Nothing has been bought, and you do not need to apply again.',
    steps: ['You applied', '{lender} decides', 'You choose a plan and sign'],
    /** If the lender states how long decisions take. */
    expected: '{lender} usually decides within {time}.',
    end: 'If there is no decision by {date}, the application is denied, and you receive a notice with the reason.',
  },
  waitingSigned: {
    title: 'We are finishing your purchase',
    lead: 'You have signed, and your signature is saved. {lender} has not confirmed the agreement yet.',
    nothing: 'You do not need to sign again.',
    steps: ['You signed', '{lender} confirms the agreement', 'You return to {merchant}'],
  },
  /** On both waiting pages. */
  checking: {
    automatic:
      'You can wait here, while this page refreshes automatically every few seconds, or save the address of this page and come back later.',
    manual: 'You can wait here and check again, or save the address of this page and come back later.',
    again: 'Check again',
    byEmail: 'We will email you at {email}.',
  },
  /** An application whose cart has ended: the merchant expired it, or its last day is over. */
  orderClosed: {
    title: 'Approved, but this order is closed',
    titlePart: 'Approved in part, but this order is closed',
    closed:
      'The checkout of this order has ended, so there is nothing to sign: you have no loan, nothing has been bought, and nothing will be charged.',
    /** While the lender decides, or needs an action. */
    undecided:
      'The checkout of this order at {merchant} has ended, so a decision cannot be used to buy it. {lender} still decides on your application.',
  },
  needsAction: {
    /** The consequence, with the wording of model form C-6: 12 CFR 1002.9(c)(2). */
    deadline: 'Apply again by {date}. If you do not, {lender} will be unable to give further consideration to your application.',
    /** If the cart's link ends before the deadline, and if it has ended. */
    linkEnds:
      'The checkout of this order ends after {date}. You can still apply again after this day, but a decision can then not be used to buy this order.',
    linkEnded:
      'The checkout of this order at {merchant} has ended. You can still apply again, but a decision cannot be used to buy this order.',
    returnToPage: 'To apply again, return to the page where you applied. If you cannot find it, contact the lender.',
    notDenied: 'Your application was not denied, nothing has been bought, and your details for this order are saved.',
    /** The first step of an unfrozen credit file, if the lender has stated the bureau that it asked. */
    liftFreeze: 'Ask {bureaus}, online or by phone, to lift the freeze. It is free, and takes effect within an hour.',
    applyAgain: 'Apply again',
    changeDetails: 'Change your details',
    actions: {
      'unfreeze-credit-file': {
        title: 'Unfreeze your credit file',
        what: 'Your credit file is frozen, so {lender} could not see it.',
        steps: [
          'Ask each credit bureau, online or by phone, to lift the freeze. It is free, and takes effect within an hour.',
          'When the freeze is lifted, apply again.',
        ],
      },
      'confirm-identity': {
        title: 'Confirm your identity',
        what: '{lender} could not confirm your identity.',
        steps: [
          'Compare your name, date of birth, and Social Security number or ITIN with your official documents.',
          'Apply again with the details exactly as they are there.',
        ],
      },
      'correct-details': {
        title: 'Correct your details',
        what: 'Some of your details do not match the records of {lender}.',
        steps: [
          'Check your name, home address, and phone number, especially if you have moved recently.',
          'Correct what has changed, and apply again.',
        ],
      },
    },
  },
  canceling: {
    title: 'Cancel your application?',
    lead: 'Nothing has been bought. If you cancel, {lender} ends this application, and you cannot resume it.',
    submit: 'Cancel my application',
    back: 'Continue the checkout',
  },
  canceled: {
    title: 'Your application is canceled',
    lead: 'Nothing has been bought, and nothing will be charged.',
  },
  expired: {
    title: 'This checkout link has expired',
    lead: 'Nothing has been bought. Go back to the store and start again.',
  },
  ended: {
    title: 'This checkout has ended',
    lead: 'Nothing has been bought. Go back to the store and start again.',
  },
  /** The page of an application that has ended, after the sentence of the e-mail about it. */
  endedApplication: {
    titles: {
      approval: 'Your approval has expired',
      undecided: 'Your application has expired',
      canceled: 'This checkout has ended',
    },
    next: 'If you still want to buy these items, return to {merchant} and check out again.',
  },
  completed: {
    title: 'Your purchase is complete',
    lead: 'You signed the agreement, and {merchant} received your order.',
    plan: 'Your plan',
    questions: 'Questions',
    firstPayment: 'Your first payment of {amount} to {lender} is due on {date}.',
    loanContact: 'For questions about your loan, contact',
    returns: 'To cancel or return your order, contact {merchant}. A refund reduces the amount you owe.',
    copy: 'Your agreement',
    signed: 'Signed by {name} on {date}.',
    notIntact: 'Our copy does not match the agreement you signed, so we do not show it. Ask {lender} for your agreement.',
  },
  /** The cart's link while an application is in progress. */
  inProgress: {
    title: 'This checkout is already in progress',
    lead: 'The checkout of this order at {merchant} was started in another window or on another device. To keep what was entered private, this link does not show it.',
    continueElsewhere:
      'If that was you, continue in the window where you started. If you came here with the Back button, use the Forward button.',
    startAgain: 'You can also start again here: you enter your details again, and the earlier application ends.',
    submit: 'Start again',
    /** Above the form that starts again. */
    note: 'You are starting again. When you submit this form, the earlier application ends.',
  },
  signedElsewhere: {
    title: 'This order is being completed',
    lead: 'The agreement for this order at {merchant} is signed, and the lender is confirming it.',
    copy: 'To protect the buyer, this link shows nothing more. To see the result, open the window where it was signed.',
  },
  boughtElsewhere: {
    title: 'This order is complete',
    lead: '{merchant} has received this order.',
    copy: 'To protect the buyer, this link does not show the agreement. Open it in the window where it was signed, or from the email about it.',
  },
  /** For a browser whose application was replaced because the checkout was started again elsewhere. */
  startedAgain: {
    title: 'This checkout was started again elsewhere',
    lead: 'Someone opened the link of this checkout, perhaps you in another window or on another device, and started again there. The application that you started here has ended, and nothing was bought with it.',
    nothingShown: 'What you entered here was not shown there.',
    again: 'Open the link of this checkout',
  },
  unknownLink: {
    title: 'We could not find this checkout',
    lead: 'The link may be incomplete. Open it again from the store or from the message you received.',
  },
  invalidRequest: { title: 'We could not read this form', lead: 'Go back and submit it again.' },
  tooManyRequests: {
    title: 'Please wait a moment',
    lead: 'We received too many requests from your network. Open this page again in a minute; you will continue where you left off.',
  },
  /** Page of an application that exceeds a limit: per cart, per person, per e-mail address or per network address. */
  tooManyApplications: {
    title: 'Too many applications',
    leads: {
      cart: 'This checkout was started so many times that it cannot be started again. If you are applying, continue in the window where you started.',
      submissions: 'So many applications were sent for this order that we cannot send another one.',
      identity:
        'Several applications for this person were sent in the last 24 hours. To protect you from someone trying to use your name, we will not send more for now. Try again tomorrow.',
      recipient:
        'Several applications with this email address were sent in the last 24 hours. To protect its owner from unwanted messages, we will not send more for now. Try again tomorrow.',
      address: 'Many applications were sent from your network. Try again in a few minutes; you will continue where you left off.',
    },
    nothingSent: 'We sent nothing to the lender just now, and nothing was charged. If you have questions, contact {merchant}.',
  },
  unexpectedError: {
    title: 'Something went wrong on our side',
    lead: 'Try again in a moment. You will continue where you left off.',
    failed:
      'We could not process the form that you sent. Nothing has been bought, and nothing will be charged. Return to {merchant} to check out again or to pay another way.',
    again: 'Try again',
  },
  /** Page while the database is unavailable. `submitted` replaces `lead` after a form. */
  temporarilyUnavailable: {
    title: 'This page is not available for a moment',
    lead: 'Try again in a minute. You will continue where you left off.',
    submitted:
      'We do not know yet whether what you sent was saved. Try again in a minute: your form is sent again, and nothing is bought twice.',
    again: 'Try again',
  },
  /** The text message with the link of a cart, sent by its merchant. STOP and HELP are keywords of the text service. */
  cartText: '{merchant}: continue your checkout at {url}\nReply STOP to opt out, HELP for help.',
  /** Parts of e-mails, also of those that are not about a checkout. */
  emails: {
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
      /** `{sender}` is the merchant with its postal address. */
      sender: 'This email was sent for {sender}.',
      optOut: 'If you do not want more emails with checkout links from {merchant}, you can stop them here:',
    },
  },
  /** The page at which the recipient of a cart's link opts out of more of them. */
  optOut: {
    title: 'Emails from {merchant}',
    lead: 'Do you want to stop emails with checkout links from {merchant}?',
    others: 'You will still get emails about your applications and purchases, and codes and links that you ask for.',
    submit: 'Stop these emails',
    doneTitle: 'You will get no more of these emails',
    done: '{merchant} can no longer email you checkout links through this service.',
  },
};

/** The texts in one language. All languages have the keys of English. */
export type CheckoutTexts = typeof checkout;
