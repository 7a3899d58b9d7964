import type { PersonLimits, RateLimits } from '../../base/config/config.ts';
import type { KeyObject } from 'node:crypto';
import type { DocumentOptions } from '../../agreements/document.ts';
import type { ApprovalTerms } from '../../lending/applications/lifecycle.ts';
import type { CardGateway } from '../../purchases/cards/gateway.ts';
import type { Database } from '../../db/database.ts';
import type { NewException } from '../../lending/exceptions/store.ts';
import type { Lender } from '../../lending/lenders/lender.ts';
import type { MessageHandling } from '../../messages/outbox.ts';

/** Dependencies of the operations of a checkout. */
export interface CheckoutDeps {
  database: Database;
  lender: Lender;
  /** Charges the card portion of a purchase that is financed in part. Undefined: purchases are financed in full or not at all. */
  cards: CardGateway | undefined;
  /** The validity of approvals, and its extension, in days. */
  approvals: ApprovalTerms;
  /** Undefined: applications and codes are not limited. */
  attemptLimits?: AttemptLimits | undefined;
  mail: EmailOptions;
  /** Key of the hashes of one-time codes. */
  codeKey: KeyObject;
  /** Called after an exception was raised that a person has to resolve. */
  onException: (raised: NewException) => void;
  /** Delivers at once what was enqueued. */
  wakeDelivery: () => void;
}

/** Limits of persons, and of their networks in an hour; 0: no limit. `documentProofs`: attempts to prove one's identity at a document's link. */
export interface AttemptLimits extends PersonLimits, Pick<RateLimits, 'applicationsPerAddress' | 'documentProofs'> {
  /** Key of the identity hashes. */
  identityKey: KeyObject;
}

/** Options of the e-mails and text messages to buyers. */
export interface EmailOptions extends DocumentOptions {
  textHandling: MessageHandling;
  /** Key of the links to notices. */
  noticeKey: KeyObject;
}
