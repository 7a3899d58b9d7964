import { Fairterm, type FairtermOptions, type Transaction } from '@fairterm/client';
import type { TransactionalConnection } from '@vendure/core';

/** The options of `FairtermPlugin.init`, with those of the client. */
export interface PluginOptions extends FairtermOptions {
  /** Callback secrets, `whsec_…`: two during a rotation. */
  callbackSecrets: readonly string[];
  /** Public URL of the Vendure server, without a trailing slash: `https://api.shop.example`. */
  vendureUrl: string;
  /** Page of the storefront to which a buyer returns after signing. */
  completeUrl: string;
  /** Page of the storefront where the buyer can select another payment method. */
  errorUrl: string;
}

/** Code of the payment method handler. */
export const HANDLER_CODE = 'fairterm';

/** Key of the transaction that pays, in the metadata of a payment. */
export const SIGNED = Symbol('signed transaction');

/** Path that receives callbacks. */
export const CALLBACK_ROUTE = 'fairterm/callback';

export let options: PluginOptions;
export let fairterm: Fairterm;

/** @throws Error if an option is missing, usually because an environment variable is not set. */
export function configure(given: PluginOptions): void {
  for (const name of ['callbackSecrets', 'vendureUrl', 'completeUrl', 'errorUrl'] as const)
    if (String(given[name] ?? '') === '') throw new TypeError(`FairtermPlugin: expected the option ${name}`);
  options = given;
  // A transaction of the database is open during a call and its retries.
  fairterm = new Fairterm({ totalTimeoutMs: 15_000, ...given });
}

/** Changes a transaction. Ignores an error if it has the status: the answer was lost, or another request was faster. */
export async function ensure(id: string, status: Transaction['status'], change: () => Promise<Transaction>): Promise<void> {
  try {
    await change();
  } catch (error) {
    const transaction = await fairterm.transactions.retrieve(id).catch(() => undefined);
    if (transaction?.status !== status) throw error;
  }
}

/** Returns the option of a query that locks its rows until the database transaction ends. SQLite has no row locks. */
export function rowLock({ rawConnection }: TransactionalConnection) {
  return /sqlite|sqljs/.test(rawConnection.options.type) ? undefined : { lock: { mode: 'pessimistic_write' as const } };
}
