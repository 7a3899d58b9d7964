import type { CardGateway } from '../cards/gateway.ts';
import type { Database } from '../db/database.ts';
import type { Lifetimes } from './lifecycle.ts';

/** Dependencies of operations on transactions. */
export interface TransactionDeps {
  database: Database;
  lifetimes: Lifetimes;
  /** Charges the card portion. Without a gateway, transactions with a card portion cannot be authorized. */
  cards?: CardGateway | undefined;
}

/** A transaction of a merchant. */
export interface TransactionName {
  merchantId: string;
  id: string;
}
