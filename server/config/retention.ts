import { type Env, integerIn, type IntegerRange } from './env.ts';

/** How long personal data is stored and shown. */
export interface Retention {
  /** Hours after its last change until the buyer's details of an application without a decision are deleted. */
  unfinishedApplicationHours: number;
  /** Days after the signature for which the link to a signed agreement shows it without a question. */
  documentLinkDays: number;
  /** Days after its last day for which an unused cart of a page is stored. */
  unusedCartDays: number;
}

const days: IntegerRange = { expected: 'a number of days', min: 1, max: 3_650 };

/** One hour would delete the details of buyers who are still reading. */
const hours: IntegerRange = { expected: 'a number of hours', min: 2, max: 8_760 };

/** @throws Error - a variable is invalid. */
export function retentionIn(env: Env): Retention {
  return {
    unfinishedApplicationHours: integerIn(env, 'UNFINISHED_APPLICATION_HOURS', 24, hours),
    documentLinkDays: integerIn(env, 'DOCUMENT_LINK_DAYS', 90, days),
    unusedCartDays: integerIn(env, 'UNUSED_CART_RETENTION_DAYS', 30, days),
  };
}
