/** Purchases of $1,000.00, of which a card at Stripe pays $400.00. */
import { expect } from 'vitest';
import { type CardGateway, cardSender } from '../../../../server/purchases/cards/gateway.ts';
import { createStripeGateway } from '../../../../server/purchases/cards/stripe-gateway.ts';
import type { Database } from '../../../../server/db/database.ts';
import { startDelivery } from '../../../../server/messages/deliver.ts';
import { DUE_NOW } from '../../../../server/messages/outbox.ts';
import { listDeliveries } from '../../../../server/messages/store.ts';
import { type Instant, systemClock } from '../../../../server/base/time.ts';
import { recordingCaptures } from '../../../../server/purchases/transactions/delivery-outcomes.ts';
import { transactions } from '../../../support/purchases.ts';
import type { StripeServer } from '../../../support/stripe.ts';
import { until } from '../../../support/time.ts';

export function createGateway({ api }: StripeServer): CardGateway {
  return createStripeGateway({ key: 'sk_test_1', onFault: () => undefined, api });
}

/** Enters a card on Stripe's page. Returns the columns of its purchase. */
export async function enterCard(stripe: StripeServer, gateway: CardGateway, { declines = false } = {}) {
  const portion = { applicationId: 'application', amountCents: 40_000, currency: 'USD', language: 'en' } as const;
  const { entryId } = await gateway.startEntry(portion, 'http://localhost/');
  const method = stripe.enterCard(entryId, { declines });
  const { reference, label } = (await gateway.finishEntry(portion, entryId))!;
  const purchase = { totalCents: 100_000, cardCents: 40_000, cardReference: reference, cardLabel: label };
  return { purchase, reference, method };
}

/** Returns the deliveries of the card operations of a transaction. */
export async function cardRowsOf(database: Database, id: string) {
  const rows = await listDeliveries(database.query, { limit: 1_000 });
  return rows.filter(({ url }) => url === `card:${id}`).toReversed();
}

/** Starts the delivery of card operations, runs `work`, and waits until each operation of a transaction has been attempted. */
export async function runCardOperations(
  database: Database,
  gateway: CardGateway,
  id: string,
  now: Instant,
  work: () => Promise<unknown> = async () => undefined,
) {
  const errors: unknown[] = [];
  const senders = { card: recordingCaptures(cardSender(gateway), transactions, { now: () => now }) };
  const onError = (thrown: unknown) => errors.push(thrown);
  const delivery = startDelivery({ database, clock: systemClock, senders, onError, pollMs: 5 });
  await work();
  await until(async () => (await cardRowsOf(database, id)).every(({ attempts, dueAt }) => attempts > 0 && dueAt !== DUE_NOW));
  await delivery.stop();
  expect(errors).toEqual([]);
  return cardRowsOf(database, id);
}
