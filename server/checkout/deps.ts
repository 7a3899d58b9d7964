import type { KeyObject } from 'node:crypto';
import type { ApprovalTerms } from '../applications/lifecycle.ts';
import type { CardGateway } from '../cards/gateway.ts';
import type { Operator } from '../config/operator.ts';
import type { Database } from '../db/database.ts';
import type { Lender } from '../lenders/lender.ts';
import type { Mode } from '../mode.ts';
import type { MessageHandling } from '../notifications/outbox.ts';
import type { AttemptLimits } from './decision/limits.ts';

/** Dependencies of the operations of a checkout. */
export interface CheckoutDeps {
  database: Database;
  lender: Lender;
  /** Charges the card portion of a purchase that is financed in part. Undefined: purchases are financed in full or not at all. */
  cards: CardGateway | undefined;
  approvals: ApprovalTerms;
  /** Undefined: applications and codes are not limited. */
  attemptLimits?: AttemptLimits | undefined;
  mail: EmailOptions;
  /** Key of the hashes of one-time codes. */
  codeKey: KeyObject;
  /** Called after a checkout was completed or a code was enqueued, so that its callback or the code is delivered at once. */
  onCompleted: () => void;
}

/** Options of the messages to buyers. */
export interface EmailOptions {
  /** Address of the service, without a trailing slash. */
  publicUrl: string;
  handling: MessageHandling;
  /** The handling of text messages. */
  textHandling: MessageHandling;
  mode: Mode;
  /** Days for which the link to a signed agreement shows it without a question. */
  documentLinkDays: number;
  /** Named in every e-mail and agreement. */
  operator: Operator;
}
