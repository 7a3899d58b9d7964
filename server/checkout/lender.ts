import type { Program } from '../../shared/programs/program.ts';
import type { BuyerContact } from './contact.ts';

/** Who the buyer is and what they earn. Goes to the lender and is stored nowhere. */
export interface Applicant {
  /** `1990-04-23` */
  dateOfBirth: string;
  /** Last four digits of the tax number. */
  taxIdLast4: string;
  annualIncomeCents: number;
}

export interface CreditRequest {
  applicationId: string;
  program: Program;
  amountCents: number;
  contact: BuyerContact;
  applicant: Applicant;
}

/** `tierId` is the program's class of rates the buyer was approved for. */
export type CreditDecision = { outcome: 'approved'; tierId: string } | { outcome: 'denied' };

/** Who says whether a buyer gets credit. Asked outside any database transaction, since it may take seconds. */
export interface Lender {
  /** @throws ServiceError `lender-unavailable` - nobody could decide; the buyer may try again, and nothing is stored. */
  decide(request: CreditRequest): Promise<CreditDecision>;
}
