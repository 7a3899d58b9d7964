import type { CardGateway } from '../cards/gateway.ts';
import type { Database } from '../db/database.ts';
import type { Lifetimes } from './lifecycle.ts';

/** What the verbs of a transaction are done with. */
export interface TransactionMeans {
  database: Database;
  lifetimes: Lifetimes;
  /** Who charges the part that a card pays. Without one, what a card pays a part of cannot be authorized. */
  cards?: CardGateway | undefined;
}

/** Which transaction, and whose: that of another merchant is unknown. */
export interface TransactionName {
  merchantId: string;
  id: string;
}
