import { enums, type Infer } from 'superstruct';

/** The states of a buyer's application for financing. */
export const ApplicationStatus = enums([
  'STARTED',
  'APPROVED',
  'DENIED',
  'INELIGIBLE',
  'NEEDS_ACTION',
  'ATTEMPTED_PREPARE_CHECKOUT',
  'CHECKOUT_PREPARED',
  'ATTEMPTED_CHECKOUT',
  'CHECKOUT_COMPLETED',
  'CHECKOUT_EXTENDED',
  'CANCELLED',
  'EXPIRED',
]);
export type ApplicationStatus = Infer<typeof ApplicationStatus>;
