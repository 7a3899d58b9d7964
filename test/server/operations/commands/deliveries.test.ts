import { beforeEach, describe, expect, it } from 'vitest';
import { type OutboxEntry, sealDelivery } from '../../../../server/messages/store.ts';
import { newId } from '../../../../server/base/ids.ts';
import { createMerchant } from '../../../../server/merchants/merchants.ts';
import { mailtoOf, telOf } from '../../../../server/messages/addresses.ts';
import { DUE_NOW } from '../../../../server/messages/outbox.ts';
import { plusMs } from '../../../../server/base/time.ts';
import { createDatabaseUrl, openTestDatabase } from '../../../support/databases.ts';
import { fairterm, fairtermJson, now } from './fairterm.ts';

const databaseUrl = await createDatabaseUrl();
const database = openTestDatabase(databaseUrl);
await database.migrate();
const shop = { name: 'Acme', storeUrl: 'https://shop.example/', origins: [] };
const { merchantId } = await createMerchant(database, 'sandbox', shop, now);
const { merchantId: otherId } = await createMerchant(database, 'sandbox', shop, now);

describe('fairterm deliveries', () => {
  beforeEach(() => database.write((tx) => tx.deleteFrom('outbox').execute()));

  const states = {
    pending: { dueAt: plusMs(now, 3_600_000), attempts: 1, lastFailure: 'The receiver responded with 500' },
    delivered: { dueAt: null, deliveredAt: now, attempts: 2 },
    failed: { dueAt: null, attempts: 10, lastFailure: 'The receiver responded with 404' },
    recorded: { dueAt: null, attempts: 0, channel: 'email', url: mailtoOf('ada.lovelace@example.com') },
  } as const satisfies Record<string, Partial<OutboxEntry>>;
  const insert = async (row: Partial<OutboxEntry> = {}): Promise<string> => {
    const id = newId();
    const owner = { applicationId: null, cartId: null, sequence: null, notice: null, openBy: null, openedAt: null };
    const defaults = { ...owner, deliveredAt: null, lastFailure: '', attempts: 0, dueAt: now, replayedAfter: 0, beganAt: null };
    const { url, body, ...plain }: OutboxEntry = {
      id,
      merchantId,
      channel: 'callback',
      url: 'https://shop.example/callback?token=hidden',
      endpoint: 'https://shop.example',
      body: '{"transactionId":"tx_1","orderRef":"hidden"}',
      createdAt: now,
      ...defaults,
      ...row,
    };
    const place = { ...plain, recipientHash: '', transactionId: null };
    const stored = { ...place, sealed: sealDelivery(database.query, place, { url, body }) };
    await database.write((tx) => tx.insertInto('outbox').values(stored).execute());
    return id;
  };
  const runCommand = (...args: string[]) => fairterm(['deliveries', ...args], { databaseUrl });
  const listDeliveries = async (...args: string[]): Promise<{ id: string }[]> =>
    (await fairtermJson(['deliveries', 'list', ...args], { databaseUrl })).deliveries;
  const listIds = async (...args: string[]) => (await listDeliveries(...args)).map(({ id }) => id);
  const rowOf = (id: string) => database.query.selectFrom('outbox').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

  describe('list', () => {
    it('lists deliveries with their results, the latest first', async () => {
      const pending = await insert(states.pending);
      const delivered = await insert(states.delivered);

      expect(await listDeliveries()).toEqual([
        {
          id: delivered,
          merchantId,
          channel: 'callback',
          to: 'https://shop.example/callback?…',
          state: 'delivered',
          attempts: 2,
          createdAt: now,
          deliveredAt: now,
          nextAttemptAt: null,
          lastFailure: '',
        },
        expect.objectContaining({
          id: pending,
          state: 'pending',
          nextAttemptAt: states.pending.dueAt,
          lastFailure: 'The receiver responded with 500',
        }),
      ]);
    });

    it.each(Object.keys(states))('filters by the state %s', async (state) => {
      const all = Object.fromEntries(
        await Promise.all(Object.entries(states).map(async ([name, row]) => [name, await insert(row)] as const)),
      );
      expect(await listIds('--state', state)).toEqual([all[state]]);
    });

    it('prints a table', async () => {
      const id = await insert(states.failed);
      const { stdout } = await runCommand('list');
      expect(stdout[0]).toMatch(/^id +state +channel +attempts +created +to +last failure$/);
      expect(stdout[1]).toMatch(
        new RegExp(`^${id} +failed +callback +10 +2026-11-21T09:30:00 .* The receiver responded with 404$`),
      );
      expect(stdout).toHaveLength(2);
    });

    it('masks secrets and personal data', async () => {
      await insert(states.recorded);
      await insert({ channel: 'text', url: telOf('5550100100'), body: '{"text":"hidden"}' });
      await insert({ url: 'https://me:hidden@shop.example/' });
      for (const args of [['list'], ['list', '--json']]) {
        const { stdout } = await runCommand(...args);
        expect(stdout.join('\n')).not.toMatch(/hidden|lovelace|555010/);
        expect(stdout.join('\n')).toContain('a…@example.com');
      }
    });
  });

  describe('show', () => {
    it('shows a delivery with every attempt, including one with an unknown result', async () => {
      const id = await insert(states.pending);
      await database.write((tx) =>
        tx
          .insertInto('delivery_attempts')
          .values([
            {
              deliveryId: id,
              number: 1,
              startedAt: now,
              durationMs: 12,
              statusCode: 500,
              failure: 'The receiver responded with 500',
            },
            { deliveryId: id, number: 2, startedAt: now, durationMs: null, statusCode: null, failure: '' },
          ])
          .execute(),
      );

      const { stdout } = await runCommand('show', id, '--json');
      expect(JSON.parse(stdout[0]!)).toEqual({
        ...(await listDeliveries())[0],
        log: [
          { number: 1, at: now, durationMs: 12, statusCode: 500, failure: 'The receiver responded with 500' },
          { number: 2, at: now, durationMs: null, statusCode: null, failure: '' },
        ],
      });
      expect((await runCommand('show', id)).stdout).toEqual([
        `callback to https://shop.example/callback?…, merchant ${merchantId}`,
        `pending, created ${now}, next attempt ${states.pending.dueAt}`,
        `1. ${now}  12 ms  500  The receiver responded with 500`,
        `2. ${now}  in progress or interrupted`,
      ]);
    });
  });

  describe('replay', () => {
    it.each(['pending', 'delivered', 'failed'] as const)(
      'makes a %s delivery due immediately and restarts its retry schedule',
      async (kind) => {
        const id = await insert({ ...states[kind], beganAt: now });
        expect(await runCommand('replay', id)).toMatchObject({ code: 0, stdout: [] });
        const { attempts } = states[kind];
        expect(await rowOf(id)).toMatchObject({
          attempts,
          replayedAfter: attempts,
          dueAt: DUE_NOW,
          deliveredAt: null,
          beganAt: null,
          lastFailure: '',
        });
        expect(await listDeliveries()).toMatchObject([{ id, state: 'pending', nextAttemptAt: null }]);
      },
    );

    it('of all failed deliveries leaves the others unchanged', async () => {
      const rest = [await insert(states.pending), await insert(states.delivered), await insert(states.recorded)];
      const before = await Promise.all(rest.map(rowOf));
      const failed = [await insert(states.failed), await insert({ ...states.failed, merchantId: otherId })];

      expect(await runCommand('replay', '--failed')).toMatchObject({
        code: 0,
        stderr: ['Failed deliveries that are queued again: 2'],
      });

      expect(await listIds('--state', 'failed')).toEqual([]);
      for (const id of failed) expect(await rowOf(id)).toMatchObject({ dueAt: DUE_NOW, replayedAfter: 10 });
      expect(await Promise.all(rest.map(rowOf))).toEqual(before);
    });

    it('of all failed deliveries of a merchant leaves those of other merchants unchanged', async () => {
      await insert(states.failed);
      const foreign = await insert({ ...states.failed, merchantId: otherId });

      expect(await runCommand('replay', '--failed', '--merchant', merchantId)).toMatchObject({
        stderr: ['Failed deliveries that are queued again: 1'],
      });

      expect(await listIds('--state', 'failed')).toEqual([foreign]);
    });

    it.each([
      ['webhook', 'a test event'],
      ['lender', 'the earlier ones'],
    ] as const)('rejects an event of a %s that waits for %s', async (channel, reason) => {
      const waiting = { channel, endpoint: newId(), dueAt: null, attempts: 0 };
      const id = await insert(waiting);
      expect(await runCommand('replay', id)).toMatchObject({ code: 1, stderr: [expect.stringContaining(reason)] });
      expect(await rowOf(id)).toMatchObject(waiting);
    });

    it('rejects messages that the sandbox recorded', async () => {
      const id = await insert(states.recorded);
      expect(await runCommand('replay', id)).toMatchObject({ code: 1, stderr: [expect.stringContaining('does not send')] });
      expect(await listDeliveries()).toMatchObject([{ state: 'recorded' }]);
    });
  });
});
