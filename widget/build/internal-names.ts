/**
 * Names of properties that only our own code reads and writes: the minifier shortens them.
 *
 * A name belongs here when it is long, occurs often, and nothing outside the bundle says it: neither a program document nor
 * anything else that comes or goes over the wire, no place in a disclosure's texts, no page, no browser. A test holds that.
 */
export const INTERNAL_NAMES: readonly string[] = [
  // shared/financing.ts
  'purchaseCents',
  'downPaymentCents',
  'principalCents',
  'prepaidFinanceChargeCents',
  'amountFinancedCents',
  'dueTodayCents',
  // shared/plan.ts
  'financing',
  'offerId',
  'tierId',
  'noteRateBps',
  'aprBps',
  'financeChargeCents',
  'schedule',
  // shared/repayment.ts
  'levelPaymentCents',
  'firstPaymentCents',
  'lastPaymentCents',
  'totalOfPaymentsCents',
  'totalInterestCents',
  'paymentCents',
  'interestCents',
  'balanceCents',
  'leading',
  // widget/checkout/
  'isThere',
  // widget/
  'hasLabel',
  'detailCents',
  'openDetails',
  'closeDetails',
  'changeAmount',
  'disclosureLanguage',
  'announcement',
  'followers',
];
