import { ServiceError } from '../errors.ts';
import type { Lender } from './lender.ts';

/** Stands in where no lender is configured: nobody is approved or denied. */
export const noLender: Lender = {
  decide: () => Promise.reject(new ServiceError('lender-unavailable', 'No lender can be asked at the moment.')),
};
