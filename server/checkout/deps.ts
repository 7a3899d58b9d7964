import type { ApprovalTerms } from '../applications/lifecycle.ts';
import type { CardGateway } from '../cards/gateway.ts';
import type { Database } from '../db/database.ts';
import type { Lender } from '../lenders/lender.ts';
import type { Mode } from '../mode.ts';
import type { Outlet } from '../notifications/outbox.ts';

/** What the verbs of a checkout are done with. */
export interface CheckoutMeans {
  database: Database;
  lender: Lender;
  /** Who charges the rest where a lender lends a part. Without one, a part cannot be sold. */
  cards: CardGateway | undefined;
  approvals: ApprovalTerms;
  mail: BuyerMail;
  /** Called after a checkout was completed: its callback may leave. */
  onCompleted: () => void;
}

/** What letters and copies for buyers take beside what they say. */
export interface BuyerMail {
  /** Where buyers reach the service, without a slash at the end. */
  publicUrl: string;
  /** What becomes of e-mails. */
  outlet: Outlet;
  mode: Mode;
}
