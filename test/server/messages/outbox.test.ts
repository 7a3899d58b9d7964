import { beforeEach, describe, expect, it } from 'vitest';
import { createMerchant } from '../../../server/merchants/merchants.ts';
import { buyerEmail } from '../../../server/messages/buyer-email.ts';
import { DUE_NOW, parseEmail, enqueueCallback, enqueueMessage } from '../../../server/messages/outbox.ts';
import { type Claim, claimDue, lookForDue, saveResult } from '../../../server/messages/claim-store.ts';
import {
  listAttempts,
  type ClaimedDelivery,
  type OutboxEntry,
  recordedMessages,
  restartDelivery,
} from '../../../server/messages/store.ts';
import { plusMs, type Instant } from '../../../server/base/time.ts';
import { emailSender, testOperator } from '../../support/checkout.ts';
import { describeOnEveryEngine, createDatabase } from '../../support/databases.ts';
import { storedDeliveries } from '../../support/stored.ts';

const now: Instant = '2026-11-21T09:30:00.000000Z';
const later = plusMs(now, 60_000);

/** A claim without separate limits for endpoints and merchants. */
const atMost = (limit: number): Claim => ({
  channels: ['callback'],
  limit,
  limitPerEndpoint: limit,
  limitPerMerchant: limit,
  inFlightCounts: new Map(),
});

const rejected = { durationMs: 12, statusCode: 500, failure: 'The receiver responded with 500' };
const accepted = { durationMs: 7, statusCode: 204, failure: '' };

describeOnEveryEngine('The outbox', async (engine) => {
  const database = await createDatabase(engine);
  const merchant = { name: 'Acme Goods', storeUrl: 'https://shop.example/', origins: [] };
  const { merchantId } = await createMerchant(database, 'sandbox', merchant, now);
  beforeEach(() => database.write((tx) => tx.deleteFrom('outbox').execute()));

  const enqueue = (id: string, dueAt = now) =>
    database.write((tx) =>
      enqueueCallback(tx, {
        id,
        merchantId,
        cartId: 'cart',
        url: 'http://a/',
        body: { transactionId: id, orderRef: '' },
        createdAt: now,
        dueAt,
      }),
    );
  const claim = (limits: Claim, at: Instant, leaseUntil: Instant) => database.write((tx) => claimDue(tx, limits, at, leaseUntil));
  const saveFailed = (row: ClaimedDelivery, retryAt: Instant | null) =>
    database.write((tx) => saveResult(tx, { row, result: rejected, endedAt: now, retryAt }));
  const saveDelivered = (row: ClaimedDelivery, endedAt: Instant) =>
    database.write((tx) => saveResult(tx, { row, result: accepted, endedAt, retryAt: null }));
  const ids = (rows: { id: string }[]) => rows.map(({ id }) => id).toSorted();

  it('stores a callback unchanged', async () => {
    await enqueue('a');

    expect(await storedDeliveries(database)).toEqual([
      {
        id: 'a',
        merchantId,
        channel: 'callback',
        url: 'http://a/',
        endpoint: 'http://a',
        body: '{"transactionId":"a","orderRef":""}',
        recipientHash: '',
        transactionId: null,
        cartId: 'cart',
        applicationId: null,
        notice: null,
        openBy: null,
        openedAt: null,
        sequence: null,
        attempts: 0,
        replayedAfter: 0,
        beganAt: null,
        dueAt: now,
        deliveredAt: null,
        lastFailure: '',
        createdAt: now,
      },
    ]);
  });

  it('claims deliveries that are due, and not those due a microsecond later', async () => {
    await enqueue('due');
    await enqueue('early', '2026-11-21T09:30:00.000001Z');

    expect(await lookForDue(['callback'])(database.query, now)).toBe(true);
    expect(ids(await claim(atMost(10), now, later))).toEqual(['due']);
  });

  it('claims at most the requested number, the longest due first', async () => {
    for (const [id, agoMs] of [
      ['third', 1],
      ['first', 3],
      ['second', 2],
    ] as const)
      await enqueue(id, plusMs(now, -agoMs));

    expect(ids(await claim(atMost(2), now, later))).toEqual(['first', 'second']);
    expect(ids(await claim(atMost(2), now, later))).toEqual(['third']);
  });

  it('does not claim a callback again before its lease expires, and counts the attempts', async () => {
    await enqueue('a');

    expect(await claim(atMost(10), now, later)).toMatchObject([{ id: 'a', attempts: 1, dueAt: later }]);
    expect(await claim(atMost(10), now, later)).toEqual([]);
    expect(await claim(atMost(10), later, plusMs(later, 60_000))).toMatchObject([{ id: 'a', attempts: 2 }]);
  });

  it('claims only deliveries of the requested channels', async () => {
    await enqueue('a');
    const message = {
      id: 'b',
      merchantId,
      cartId: 'cart',
      channel: 'text',
      to: '5550100100',
      content: { text: 'Hello' },
    } as const;
    await database.write((tx) => enqueueMessage(tx, { ...message, handling: 'sent', createdAt: now }));

    expect(await lookForDue(['email'])(database.query, now)).toBe(false);
    expect(ids(await claim(atMost(10), now, later))).toEqual(['a']);
    expect(await lookForDue(['callback'])(database.query, now)).toBe(false);
    expect(ids(await claim({ ...atMost(10), channels: ['text', 'email'] }, now, later))).toEqual(['b']);
  });

  it('returns an e-mail exactly as it was enqueued', async () => {
    const { merchant: plain, publicUrl } = emailSender;
    const operator = { ...testOperator, name: 'Fairterm "Pay" & Co' };
    const content = buyerEmail({
      language: 'en',
      name: 'Ada Lovelace',
      subject: 'About “your” application\\',
      contacts: { operator, merchant: { ...plain, name: 'Žofie’s <b>shop</b>', accent: '#7a1fa2' }, publicUrl },
      blocks: [{ heading: 'A "heading"', paragraphs: ['Valid through\n\tNovember 29. \u0000 東'], items: ['1', '$1'] }],
    });
    const message = { id: 'c', merchantId, cartId: 'cart', channel: 'email', to: 'ada@example.com' } as const;
    await database.write((tx) => enqueueMessage(tx, { ...message, content, handling: 'recorded', createdAt: now }));

    const [delivery] = await recordedMessages(database.query, merchantId, { limit: 10 });
    expect(delivery!.body).toBe(JSON.stringify(content));
    expect(parseEmail(delivery!.body)).toEqual(content);
  });

  const claimOne = async (at = now): Promise<ClaimedDelivery & Pick<OutboxEntry, 'dueAt'>> =>
    (await claim(atMost(1), at, plusMs(at, 60_000)))[0]!;
  const onlyRow = () => database.query.selectFrom('outbox').selectAll().executeTakeFirstOrThrow();
  const endOfTime = '9999-12-31T00:00:00.000000Z';

  it('stores the delivery of a callback, which is then not claimed again', async () => {
    await enqueue('a');
    await saveFailed(await claimOne(), now);

    await saveDelivered(await claimOne(), now);

    expect(await onlyRow()).toMatchObject({ attempts: 2, dueAt: null, deliveredAt: now, lastFailure: '' });
    expect(await lookForDue(['callback'])(database.query, endOfTime)).toBe(false);
  });

  it('ignores a failed attempt after another attempt has delivered the callback', async () => {
    await enqueue('a');
    const first = await claimOne();
    await saveDelivered(await claimOne(later), later);

    await saveFailed(first, plusMs(later, 5_000));

    expect(await lookForDue(['callback'])(database.query, endOfTime)).toBe(false);
  });

  it('ignores the result of an attempt whose lease has expired', async () => {
    await enqueue('a');
    const first = await claimOne();
    const second = await claimOne(later);

    await saveFailed(first, plusMs(later, 5_000));
    expect(await onlyRow()).toMatchObject({ dueAt: second.dueAt, lastFailure: '' });

    await saveFailed(second, plusMs(later, 300_000));
    expect(await onlyRow()).toMatchObject({ dueAt: plusMs(later, 300_000), lastFailure: rejected.failure });
  });

  it('stores that a callback has failed after its last attempt', async () => {
    await enqueue('a');

    await saveFailed(await claimOne(), null);

    expect(await onlyRow()).toMatchObject({ dueAt: null, deliveredAt: null, lastFailure: rejected.failure });
  });

  it('logs every attempt, including one without a result', async () => {
    await enqueue('a');
    await saveFailed(await claimOne(), now);
    await claimOne(now);
    await saveDelivered(await claimOne(later), later);

    const delivery = { deliveryId: 'a' };
    expect(await listAttempts(database.query, 'a')).toEqual([
      { ...delivery, number: 1, startedAt: now, durationMs: 12, statusCode: 500, failure: rejected.failure },
      { ...delivery, number: 2, startedAt: now, durationMs: null, statusCode: null, failure: '' },
      { ...delivery, number: 3, startedAt: later, durationMs: 7, statusCode: 204, failure: '' },
    ]);
  });

  describe('redelivers a callback', () => {
    const redeliver = () => database.write((tx) => restartDelivery(tx, 'a', DUE_NOW));

    it('immediately, with a new retry schedule and the same log', async () => {
      await enqueue('a');
      await saveFailed(await claimOne(), null);

      await redeliver();

      expect(await onlyRow()).toMatchObject({ id: 'a', attempts: 1, replayedAfter: 1, beganAt: null, lastFailure: '' });
      expect(await claimOne(later)).toMatchObject({ id: 'a', attempts: 2, replayedAfter: 1, beganAt: later });
      expect(await listAttempts(database.query, 'a')).toMatchObject([{ number: 1 }, { number: 2 }]);
    });

    it.each([
      ['accepted', (row: ClaimedDelivery) => saveDelivered(row, now)],
      ['rejected', (row: ClaimedDelivery) => saveFailed(row, plusMs(now, 300_000))],
    ])('even if an attempt in progress is then %s', async (_title, save) => {
      await enqueue('a');
      const attempt = await claimOne();

      await redeliver();
      await save(attempt);

      expect(await onlyRow()).toMatchObject({ dueAt: DUE_NOW, deliveredAt: null });
    });
  });
});
