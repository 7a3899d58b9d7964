import type { Mode } from '../mode.ts';
import type { Env } from './env.ts';
import { numberIn, readAll } from './read-settings.ts';
import type { SettingName } from './settings.ts';

/**
 * Days after the end of a loan for which everything of it is retained: the last payment may be late, or disputed. As long as the debt is
 * collected, the buyer may raise a violation of Regulation Z against it, and is entitled to the agreement.
 *
 * @see 15 USC 1640(e): recoupment; 15 USC 7001(e): retention of electronic contracts.
 */
export const LOAN_DAYS = 90;

/** The days for which personal data is stored and shown. */
export type Retention = ReturnType<typeof retentionIn>;

/** @throws SettingsError - a setting is invalid, or less than a live service must retain. */
export function retentionIn(env: Env, mode: Mode) {
  return readAll((read) => {
    const number = (name: SettingName) => read(() => numberIn(env, name, mode));
    return {
      /** Hours after its last change until the buyer's details of an application without a decision are deleted. */
      unfinishedApplicationHours: number('UNFINISHED_APPLICATION_HOURS'),
      /** Days after the signature for which the link to a signed agreement shows it without a question. */
      documentLinkDays: number('DOCUMENT_LINK_DAYS'),
      /** Days after its last day for which a cart is stored that a page of a shop created and no buyer used. */
      unusedCartDays: number('UNUSED_CART_RETENTION_DAYS'),
      /** Days after its last day until the contacts of a cart without a purchase are deleted. */
      cartContactDays: number('CART_RETENTION_DAYS'),
      /** Days after its last change until the buyer's data of a decided application without a purchase is deleted. */
      applicationDays: number('APPLICATION_RETENTION_DAYS'),
      /**
       * Days after its final status until the buyer's data of a transaction is deleted: this, or `applicationDays` if that is longer, and never
       * before `LOAN_DAYS` after the end of its loan. Claims from a contract may be brought for up to six years or more.
       */
      purchaseDays: number('PURCHASE_RETENTION_DAYS'),
      /** Days until callbacks, e-mails and texts that are not sent any more, and records of calls to the lender, are deleted. */
      messageDays: number('MESSAGE_RETENTION_DAYS'),
      /** Days until security events are deleted. The database rejects the deletion of events of the last year. */
      securityEventDays: number('SECURITY_EVENT_RETENTION_DAYS'),
    };
  });
}
