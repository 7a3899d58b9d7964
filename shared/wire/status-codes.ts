import type { ApplicationStatus } from './application.ts';

/** Six-digit code of each status of an application and its reason. `plain` is the status without a reason. */
export const statusCodes = {
  STARTED: { plain: '100000', 'decision-pending': '100100', incomplete: '100200' },
  APPROVED: { plain: '200000', partial: '200100', 'order-closed': '200200', 'order-closed-partial': '200300' },
  // Denials for other reasons have `plain`. `withdrawn`: by the lender after the signature.
  DENIED: {
    plain: '300000',
    income: '300200',
    debt: '300300',
    identity: '300400',
    withdrawn: '300900',
  },
  INELIGIBLE: { 'no-plan-in-state': '310100', law: '310200', 'not-offered': '310300' },
  NEEDS_ACTION: { 'unfreeze-credit-file': '400100', 'confirm-identity': '400200', 'correct-details': '400300' },
  ATTEMPTED_PREPARE_CHECKOUT: { plain: '500000' },
  CHECKOUT_PREPARED: { plain: '510000' },
  ATTEMPTED_CHECKOUT: { plain: '600000' },
  CHECKOUT_COMPLETED: { plain: '610000' },
  CHECKOUT_EXTENDED: { plain: '620000' },
  CANCELLED: { 'by-buyer': '700100', 'by-merchant': '700200', restarted: '700300' },
  EXPIRED: { 'not-submitted': '800100', 'approval-expired': '800200', incomplete: '800300' },
} as const satisfies Record<ApplicationStatus, Record<string, string>>;
