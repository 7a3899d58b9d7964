/**
 * Random histories of purchases with a lender that fails in many ways and is down at times, and a service that is killed at random moments.
 * After the recovery, the lender's book, the journal and the audit agree to the cent: no event is lost, repeated or out of order.
 */
import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../server/db/database.ts';
import type { LoanEvent, SentEvent } from '../../server/lending/lenders/events.ts';
import { amountsAfter, type BookedLoan } from '../../server/lending/lenders/loan-book.ts';
import { addKeyPair } from '../../server/merchants/keys.ts';
import { plusDays, systemClock } from '../../server/base/time.ts';
import { campaignTimeoutMs, firstSeed, isNightly } from '../support/campaign.ts';
import { createDatabaseUrl, defaultEngine, type Engine, openTestDatabase } from '../support/databases.ts';
import { type LenderRequest, respondsUnsigned, respondsWith, SECRET, startLender } from '../support/lenders.ts';
import { buildProject, type ReachableService, startReachableProcess } from '../support/process.ts';
import { createBuyer } from '../support/purchases.ts';
import { type SeededRandom, seededRandom } from '../support/random.ts';
import { fetchResponse } from '../support/service.ts';
import { until } from '../support/time.ts';
import { fairterm } from '../server/operations/commands/fairterm.ts';

const engines: Engine[] = isNightly ? ['sqlite', 'postgres'] : [defaultEngine];
/** The least number of histories of each engine. HISTORIES replaces the number. */
const COUNT = Number(process.env['HISTORIES'] ?? (isNightly ? 5_000 : 60));
const BATCH = 30;
/** Histories at the same time. */
const CONCURRENCY = 6;
/** The statuses that a campaign is about. */
const STATUSES = ['AUTHORIZED', 'CANCELED', 'EXPIRED', 'SETTLED'];

/** A lender that records each event once, and fails as `state` and its random numbers decide. */
class FailingLender {
  state: 'failing' | 'down' | 'well' = 'failing';
  loans = new Map<string, BookedLoan>();
  /** Positions of the latest event of each application. */
  sequences = new Map<string, number>();
  repeated = 0;
  /** Events that were not the next one of their application. */
  outOfOrder: string[] = [];
  readonly #ids = new Set<string>();
  readonly #random: SeededRandom;

  constructor(random: SeededRandom) {
    this.#random = random;
  }

  async respond(response: ServerResponse, request: LenderRequest): Promise<void> {
    if (request.method === 'GET') return this.#list(response, request);
    if (this.state === 'down') return void response.destroy();
    const record = () => {
      this.#record(request.body);
      return respondsWith({ outcome: 'recorded' })(response, request);
    };
    const unsigned = (status: number) => respondsUnsigned(status)(response, request);
    switch (this.state === 'well' ? 0 : this.#random.integer(0, 11)) {
      case 6:
        return unsigned(503);
      case 7:
        // Recorded, but the response is lost.
        this.#record(request.body);
        return void response.destroy();
      case 8:
        this.#record(request.body);
        return unsigned(500);
      case 9:
        // Recorded after the service has given up and sent the event again.
        setTimeout(() => this.#record(request.body), 600);
        return;
      case 10:
        this.#record(request.body);
        return respondsWith({ outcome: 'recorded', surprise: true })(response, request);
      case 11:
        return void response.destroy();
      default:
        return record();
    }
  }

  #record(event: SentEvent & LoanEvent): void {
    const { id, sequence, applicationId, transactionId } = event;
    if (this.#ids.has(id)) {
      this.repeated++;
      return;
    }
    this.#ids.add(id);
    if (sequence !== (this.sequences.get(applicationId) ?? 0) + 1) this.outOfOrder.push(`${applicationId} ${sequence}`);
    this.sequences.set(applicationId, sequence);
    const loan = this.loans.get(transactionId)!;
    this.loans.set(transactionId, { ...loan, ...amountsAfter(loan, event) });
  }

  #list(response: ServerResponse, request: LenderRequest): void | Promise<void> {
    const after = new URL(request.path, 'http://lender').searchParams.get('after') ?? '';
    const ids = [...this.loans.keys()].filter((id) => id > after).toSorted();
    return respondsWith({ loans: ids.slice(0, 200).map((id) => this.loans.get(id)) })(response, request);
  }
}

/** Returns the sums of the journal, calculated without the code of the events. */
async function journalSums(database: Database) {
  const rows = await database.query.selectFrom('transactions').selectAll().execute();
  const events = await database.query.selectFrom('transaction_entries').select(['transactionId', 'type']).execute();
  const settled = new Set(events.filter(({ type }) => type === 'settled').map(({ transactionId }) => transactionId));
  const sums = { financedCents: 0, disburseCents: 0, merchantFeeCents: 0 };
  const statuses = new Set<string>();
  for (const row of rows) {
    statuses.add(row.status);
    const cardCents = row.cardCents - row.cardReducedCents;
    const hasEnded = row.status === 'CANCELED' || row.status === 'EXPIRED';
    if (!hasEnded) sums.financedCents += Math.max(0, row.adjustedTotalCents - cardCents);
    if (!settled.has(row.id)) continue;
    const lentCents = Math.max(0, row.totalCents - row.canceledCents - cardCents);
    const feeCents = Math.floor((lentCents * 5 + 50) / 100);
    sums.disburseCents += lentCents - feeCents;
    sums.merchantFeeCents += feeCents;
  }
  return { sums, statuses: [...statuses].toSorted() };
}

describe.each(engines)('A lender that fails, and a service that is killed (%s)', (engine) => {
  let databaseUrl: string;
  let database: Database;
  beforeAll(async () => {
    await buildProject();
    databaseUrl = await createDatabaseUrl(engine);
    database = openTestDatabase(databaseUrl);
    await database.migrate();
  }, 60_000);

  it(
    'agree about every loan to the cent after the recovery',
    async () => {
      const random = seededRandom(firstSeed + engines.indexOf(engine));
      const lender = new FailingLender(seededRandom(firstSeed + 7));
      const { endpoint } = await startLender((response, request) => lender.respond(response, request), { isPlain: true });
      const env = { LENDER_URL: endpoint.url, LENDER_SECRET: SECRET };
      const now = systemClock.now();
      const { merchantId, createPurchase } = await createBuyer(database, now);
      const { apiKey, secret } = await addKeyPair(database, 'sandbox', merchantId, now);
      const authorization = `Basic ${Buffer.from(`${apiKey}:${secret}`).toString('base64')}`;
      const start = () => startReachableProcess(databaseUrl, { ...env, LENDER_TIMEOUT_MS: '300' });
      let service: Promise<ReachableService> = start();
      let kills = 0;
      let nextKey = 0;

      const buy = async (): Promise<string> => {
        const [cardCents, cardReference] = [
          [0, ''],
          [0, ''],
          [2_000, 'tok_visa'],
          [2_000, 'tok_declined'],
          [2_000, 'tok_capture_fails'],
        ][random.integer(0, 4)] as [number, string];
        const createdAt = random.fraction() < 0.08 ? plusDays(now, -8) : now;
        const terms = { requestId: 'request', merchantDiscountBps: 500, createdAt, cardCents, cardReference };
        const totalCents = random.integer(2_001, 90_000);
        const id = await createPurchase({ ...terms, totalCents });
        const amounts = { financedCents: totalCents - cardCents, disburseCents: 0, merchantFeeCents: 0 };
        lender.loans.set(id, { transactionId: id, applicationId: id, revision: null, ...amounts });
        return id;
      };

      /** Sends an action until there is a response. A key that a killed process was using remains in use: the action may have succeeded. */
      const act = async (id: string, action: object) => {
        const key = `key-${nextKey++}`;
        for (;;) {
          const { url } = await service;
          const sent = fetchResponse(`${url}/transactions/actions/${id}`, {
            method: 'POST',
            headers: { authorization, 'idempotency-key': key },
            body: JSON.stringify(action),
          });
          const response = await sent.catch(() => undefined);
          if (response) return expect([200, 402, 409, 500]).toContain(response.status);
          await delay(20);
        }
      };

      const live = async (id: string) => {
        const choices = ['authorize', 'settle', 'cancel', 'refund'] as const;
        const plan = ['authorize', 'settle'] as string[];
        const count = random.integer(1, 5);
        for (let step = 0; step < count; step++) {
          const type = random.fraction() < 0.6 && plan.length > 0 ? plan.shift()! : choices[random.integer(0, 3)]!;
          const isPart = (type === 'cancel' || type === 'refund') && random.fraction() < 0.8;
          await act(id, { type, ...(isPart && { amount: random.integer(1, 3_000) }) });
        }
      };

      const hasReachedAll = async () => {
        const { statuses } = await journalSums(database);
        return lender.repeated > 0 && STATUSES.every((status) => statuses.includes(status));
      };

      for (let done = 0; done < COUNT || !(await hasReachedAll()); done += BATCH) {
        lender.state = random.fraction() < 0.2 ? 'down' : 'failing';
        const ids: string[] = [];
        while (ids.length < BATCH) ids.push(await buy());
        const killAfterMs = random.fraction() < 0.4 || done === 0 ? random.integer(0, 400) : undefined;
        const killing = async () => {
          if (killAfterMs === undefined) return;
          await delay(killAfterMs);
          const running = await service;
          service = running.kill().then(start);
          kills++;
          await service;
        };
        const worker = async () => {
          for (let id = ids.shift(); id !== undefined; id = ids.shift()) await live(id);
        };
        await Promise.all([killing(), ...Array.from({ length: CONCURRENCY }, worker)]);
      }

      // The day on which the lender is up again: all retries are due.
      lender.state = 'well';
      await until(async () => {
        await database.write((tx) =>
          sql`update outbox set due_at = '' where channel = 'lender' and due_at is not null and delivered_at is null`.execute(tx),
        );
        await delay(500);
        const pending = database.query.selectFrom('outbox').select('id').where('channel', '=', 'lender');
        return (await pending.where('deliveredAt', 'is', null).limit(1).execute()).length === 0;
      }, 300_000);

      const { sums } = await journalSums(database);
      const total = (field: keyof typeof sums) => [...lender.loans.values()].reduce((sum, loan) => sum + loan[field], 0);
      const booked = {
        financedCents: total('financedCents'),
        disburseCents: total('disburseCents'),
        merchantFeeCents: total('merchantFeeCents'),
      };
      expect(lender.outOfOrder).toEqual([]);
      expect(booked).toEqual(sums);
      expect(await fairterm(['audit', '--lender'], { databaseUrl, env })).toMatchObject({
        code: 0,
        stdout: [expect.stringMatching(`^Transactions: ${lender.loans.size}, differing from their journal: 0\\.`)],
      });
      expect(kills).toBeGreaterThan(0);
      if (isNightly) console.log({ engine, histories: lender.loans.size, kills, repeated: lender.repeated, ...booked });
      await (await service).kill();
    },
    campaignTimeoutMs + 3_000_000,
  );
});
