import type { CreditRequest } from './lender.ts';

/** Whose credit file is asked for, and under which id. */
export type CreditFileRequest = Pick<CreditRequest, 'requestId' | 'contact'> & {
  applicant: Pick<CreditRequest['applicant'], 'dateOfBirth' | 'taxIdLast4'>;
};

/**
 * What a credit bureau has about a buyer: a score from 300 to 850; a file too thin for one; a file the buyer has frozen; or no
 * file of such a person.
 */
export type CreditFileFinding =
  | { found: 'score'; score: number }
  | { found: 'no-score' }
  | { found: 'frozen' }
  | { found: 'no-file' };

/** Where credit scores come from. */
export interface CreditFile {
  /** @throws ServiceError `lender-unavailable` - nothing was found out; the buyer may try again. */
  find(request: CreditFileRequest): Promise<CreditFileFinding>;
}
