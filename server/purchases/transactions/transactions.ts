import { isDeepStrictEqual } from 'node:util';
import type { ActionRequest, OrderIdRequest, ShipmentRequest } from '../../../shared/wire/transaction.ts';
import type { Actor } from '../../base/actor.ts';
import type { CardGateway } from '../cards/gateway.ts';
import type { Database, Query, Tx } from '../../db/database.ts';
import type { MailOptions } from '../../messages/buyer-email.ts';
import type { Instant } from '../../base/time.ts';
import { changedMeanwhile, decide, type Decision, readDecision, requireRevision } from './actions.ts';
import { cardStateOf, hasHoldExpired, holdError, neededHold, placeHold, remainingCardCents, renewReference } from './card.ts';
import { type Expirable, expiryCutoff, hasExpired, type Lifetimes, transactionStatusAfter } from './lifecycle.ts';
import { loanEndOf, readLoan } from './loan.ts';
import { sendLoanEmail, sendScheduleEmail } from './loan-email.ts';
import { saveChange, saveReference } from './save-change.ts';
import {
  getTransaction,
  lockTransaction,
  saveSealedValues,
  type StoredHold,
  type StoredSchedule,
  type Transaction,
  type TransactionChanges,
  type NewEntry,
  type TransactionRef,
} from './store.ts';

export interface TransactionOptions {
  /** Times after which transactions expire. */
  lifetimes: Lifetimes;
  /** Charges the card portion. Without a gateway, transactions with a card portion cannot be authorized. */
  cards?: CardGateway | undefined;
  /** Options of the e-mails about changes of a loan. Without them, none is sent. */
  mail?: MailOptions | undefined;
}

/** The database and the actor of a request that changes a transaction. */
export interface Caller {
  /** Records the request with its writes (see `databaseOf`). */
  database: Database;
  /** The actor for the journal. */
  actor: Actor;
}

/** The caller of an action, with its conditions. */
export interface ActionCaller extends Caller {
  /**
   * The revision that the caller has seen. An action is rejected if it was changed since, so that its amount is the one that was shown, and
   * so that it is not applied twice. Default: any.
   */
  revision?: number | undefined;
}

/** The operations of transactions. */
export type Transactions = ReturnType<typeof createTransactions>;

/** Creates the operations of transactions, which the API, the console and the jobs call. */
export function createTransactions({ lifetimes, cards, mail }: TransactionOptions) {
  /** Returns a transaction as it is at `now`: EXPIRED if it is past its lifetime, even if the job has not yet run. */
  function at<Row extends Pick<Transaction, 'status' | 'statusSince'>>(row: Row, now: Instant): Row {
    return hasExpired(row, lifetimes, now) ? { ...row, status: 'EXPIRED' } : row;
  }

  /** Returns a transaction as it is at `now`. @throws ServiceError `transaction-not-found` */
  async function get(query: Query, { merchantId, id }: TransactionRef, now: Instant): Promise<Transaction> {
    return at(await getTransaction(query, merchantId, id), now);
  }

  /**
   * Locks the transaction for a change. If it is past its lifetime, saves its expiry first. If the change is then rejected, the expiry
   * is rolled back too, and the job saves it later.
   *
   * @throws ServiceError `transaction-not-found`
   */
  async function lock(tx: Tx, { merchantId, id }: TransactionRef, now: Instant): Promise<Transaction> {
    const row = await lockTransaction(tx, merchantId, id);
    return (await saveExpiry(tx, row, now)) ?? row;
  }

  /** Saves the expiry of a transaction that is past its lifetime, and returns it; undefined if it is not. */
  async function saveExpiry(tx: Tx, row: Transaction, now: Instant): Promise<Transaction | undefined> {
    if (!hasExpired(row, lifetimes, now)) return undefined;
    const after = { ...row, status: transactionStatusAfter('expire', row.status, row.adjustedTotalCents), statusSince: now };
    const reason = row.status === 'AUTHORIZED' ? 'not-settled-in-time' : 'not-authorized-in-time';
    return save(tx, row, after, {
      type: 'expired',
      amountCents: row.adjustedTotalCents,
      actor: 'system',
      reason,
      at: now,
    });
  }

  /** Saves a change with all that follows from it, and the e-mail to the buyer, if any. @throws ServiceError `changed-meanwhile` */
  async function save(tx: Tx, before: Transaction, after: Transaction, entry: NewEntry): Promise<Transaction> {
    const saved = await saveChange(tx, before, after, entry);
    if (mail) await sendLoanEmail(tx, before, saved, entry, mail);
    return saved;
  }

  /**
   * Locks a transaction, and returns it before and after an action. `save` applies one that needs no hold, such as a refund.
   *
   * @param revision - See `ActionCaller`.
   * @throws ServiceError `transaction-not-found`, `changed-meanwhile`, and the errors of `decide`.
   */
  async function lockAndDecide(
    tx: Tx,
    ref: TransactionRef,
    request: ActionRequest,
    revision: number | undefined,
    now: Instant,
  ): Promise<Decision & { before: Transaction }> {
    const before = await lock(tx, ref, now);
    requireRevision(before, revision);
    return { before, ...(await readDecision(tx, before, request, now)) };
  }

  /**
   * Applies an action in one database transaction. An action that needs a hold takes two: the first one validates it, and the hold is placed
   * between them. A declined hold is a row of the journal; that the outcome is unknown is saved, too.
   *
   * A hold that has expired or was declined is placed again on a new reference, which a third database transaction saves before.
   * The earlier reference is released, so that a late request cannot place a hold that is never released.
   *
   * @throws ServiceError `transaction-not-found`, `changed-meanwhile`, `card-declined`, `card-unavailable`, and the errors of `decide`.
   */
  async function act(
    { database, actor, revision }: ActionCaller,
    ref: TransactionRef,
    request: ActionRequest,
    now: Instant,
  ): Promise<Transaction> {
    const row = await write(undefined);
    const needed = neededHold(row, request.type, now);
    // `write` has applied the action, which needed no hold.
    if (needed === 'none') return row;
    const place = needed === 'on-new-reference' ? await renew(row) : row;
    const hold = await placeHold(place, cards, now).catch((thrown: unknown) => unknownHold(place, thrown));
    const held = await write({ hold, reference: place.cardReference, isNew: needed === 'on-new-reference' });
    // Every action that needs a hold changes the status.
    if (held.status !== row.status) return held;
    throw holdError(held);

    /** Saves that a hold may have been placed, so that its release is visible. */
    async function unknownHold({ cardReference: reference }: Transaction, thrown: unknown): Promise<never> {
      // The first error is the one to report.
      if (cards) await write({ hold: { outcome: 'unknown' }, reference, isNew: false }).catch(() => undefined);
      throw thrown;
    }

    /**
     * Saves the action, or only the result of the hold if it was not placed. Saves nothing if `placed` is undefined and the card needs a hold
     * first; the transaction is then returned unchanged.
     */
    function write(placed: { hold: StoredHold; reference: string; isNew: boolean } | undefined): Promise<Transaction> {
      return database.write(async (tx) => {
        const { before, after, entry } = await lockAndDecide(tx, ref, request, revision, now);
        if (!placed) {
          if (neededHold(before, request.type, now) !== 'none') return before;
          return save(tx, before, after, { ...entry, actor });
        }
        const { hold: cardHold, reference, isNew } = placed;
        if (before.cardReference !== reference) throw changedMeanwhile(before);
        const withHold = { ...before, cardHold };
        if (cardHold.outcome === 'declined') {
          const amountCents = remainingCardCents(cardStateOf(before));
          return save(tx, before, withHold, { type: 'card-declined', amountCents, actor, at: now });
        }
        // An earlier request had placed the hold, and its response was lost.
        const hasEnded = !isNew && before.status === 'AUTHORIZED' && hasHoldExpired(cardHold, now);
        if (cardHold.outcome === 'unknown' || hasEnded) return saveSealedValues(tx, withHold);
        return save(tx, before, { ...after, cardHold }, { ...entry, actor });
      });
    }

    /** Returns the transaction with a new reference for its card, which this or a concurrent request has saved. */
    async function renew(before: Transaction): Promise<Transaction> {
      const cardReference = await renewReference(before, cards);
      return database.write(async (tx) => {
        const current = await lock(tx, ref, now);
        requireRevision(current, revision);
        decide(current, request, now);
        const stillNeeded = neededHold(current, request.type, now);
        if (stillNeeded === 'none') throw changedMeanwhile(current);
        const isSaved = stillNeeded === 'on-reference' || current.cardReference !== before.cardReference;
        return isSaved ? current : saveReference(tx, current, cardReference, now);
      });
    }
  }

  /** Saves fields that change neither amounts nor the status. Saves nothing if they are the same. */
  function saveFields(
    { database, actor }: Caller,
    ref: TransactionRef,
    type: 'order-id-set' | 'shipped',
    change: (row: Transaction) => TransactionChanges,
    now: Instant,
  ): Promise<Transaction> {
    return database.write(async (tx) => {
      const row = await lock(tx, ref, now);
      const after = { ...row, ...change(row) };
      return isDeepStrictEqual(after, row) ? row : save(tx, row, after, { type, amountCents: 0, actor, at: now });
    });
  }

  return {
    at,
    get,
    lock,
    save,
    lockAndDecide,
    act,

    /** Returns the cutoff: transactions that entered the status at this instant or before are expired at `now`. */
    expiryCutoff: (status: Expirable, now: Instant): Instant => expiryCutoff(status, lifetimes, now),

    /** Saves the expiry of a transaction. Returns false if it is not past its lifetime. @throws ServiceError `transaction-not-found` */
    expire: (database: Database, { merchantId, id }: TransactionRef, now: Instant): Promise<boolean> =>
      database.write(async (tx) => {
        const row = await lockTransaction(tx, merchantId, id);
        return (await saveExpiry(tx, row, now)) !== undefined;
      }),

    /**
     * Sets the merchant's order id, in any state.
     *
     * @throws ServiceError `transaction-not-found`, `changed-meanwhile`
     */
    setOrderId: (caller: Caller, ref: TransactionRef, { merchantOrderId }: OrderIdRequest, now: Instant): Promise<Transaction> =>
      saveFields(
        caller,
        ref,
        'order-id-set',
        (row): TransactionChanges => ({ merchantOrderId: merchantOrderId ?? row.merchantOrderId }),
        now,
      ),

    /**
     * Updates the shipment. Omitted fields do not change.
     *
     * @throws ServiceError `transaction-not-found`, `changed-meanwhile`; `wrong-state` - the transaction has ended.
     */
    updateShipment: (caller: Caller, ref: TransactionRef, shipment: ShipmentRequest, now: Instant): Promise<Transaction> =>
      saveFields(
        caller,
        ref,
        'shipped',
        (row): TransactionChanges => {
          transactionStatusAfter('ship', row.status, row.adjustedTotalCents);
          const { trackingNumber = row.trackingNumber, carrierName = row.carrierName } = shipment;
          return { trackingNumber, carrierName };
        },
        now,
      ),

    /** Saves the payments that a lender stated, and e-mails them to the buyer unless they are known. The row is locked. */
    saveSchedule: async (
      tx: Tx,
      row: Transaction,
      { payments, reason, revision }: StoredSchedule,
      now: Instant,
    ): Promise<void> => {
      const stated = { ...row, lenderSchedule: { revision, payments: [...payments], reason } };
      const loan = await readLoan(tx, stated);
      const loanEndsOn = loan.calculatedBy === 'lender' ? loanEndOf(row, loan, now) : row.loanEndsOn;
      const saved = await saveSealedValues(tx, { ...stated, loanEndsOn });
      if (mail) await sendScheduleEmail(tx, row, saved, now, mail);
    },
  };
}
