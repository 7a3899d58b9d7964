import { ServiceError } from '../errors.ts';
import { type Lender, UnknownOutcome } from './lender.ts';

/** Used if no lender is configured. Approves and denies no application. */
export const noLender: Lender = {
  decide: () => Promise.reject(new ServiceError('lender-unavailable', 'No lender can be asked at the moment.')),
  decisionOf: () => Promise.reject(new UnknownOutcome('No lender can be asked at the moment.')),
  accept: () => Promise.reject(new UnknownOutcome('No lender can be told at the moment.')),
};
