import { ServiceError } from '../errors.ts';
import { type Lender, UnknownOutcome } from './lender.ts';

/** Stands in where no lender is configured: nobody is approved or denied. */
export const noLender: Lender = {
  decide: () => Promise.reject(new ServiceError('lender-unavailable', 'No lender can be asked at the moment.')),
  decisionOf: () => Promise.reject(new UnknownOutcome('No lender can be asked at the moment.')),
  accept: () => Promise.reject(new UnknownOutcome('No lender can be told at the moment.')),
};
