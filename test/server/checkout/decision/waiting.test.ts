import { sql } from 'kysely';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { withEngine } from '../../../../server/db/engine.ts';
import { sandboxGateway } from '../../../../server/cards/sandbox-gateway.ts';
import { awaitDecision } from '../../../../server/checkout/decision/await.ts';
import { getSession } from '../../../../server/checkout/session/load.ts';
import { runCheckoutJob } from '../../../../server/checkout/job.ts';
import type { Database } from '../../../../server/db/database.ts';
import { type CreditDecision, type Lender, UnknownOutcome } from '../../../../server/lenders/lender.ts';
import { noLender } from '../../../../server/lenders/create-lender.ts';
import { instantOf, plusDays, plusMs, systemClock } from '../../../../server/time.ts';
import { noMail, open, reachAgreement, sessionUrl, submit } from '../../../support/checkout.ts';
import { createDatabase, describeOnEveryEngine } from '../../../support/databases.ts';
import { startApp } from '../../../support/app.ts';
import { until } from '../../../support/time.ts';

const approved: CreditDecision = { outcome: 'approved', tierId: 'A', limitCents: null };
const lost = () => Promise.reject(new UnknownOutcome('No response'));

describeOnEveryEngine('While the lender’s decision is unknown', (engine) => {
  let database: Database;
  beforeEach(async () => {
    database = await createDatabase(engine);
  });
  const applicationOf = (cartId: string) =>
    database.query.selectFrom('applications').selectAll().where('cart_id', '=', cartId).executeTakeFirstOrThrow();
  const transactionsOf = (cartId: string) =>
    database.query.selectFrom('transactions').selectAll().where('cart_id', '=', cartId).execute();

  /** Creates a shop with the given lender behavior and a sweep that runs after the given number of milliseconds. */
  async function given(events: Partial<Lender>) {
    const lender: Lender = { ...noLender, decide: async () => approved, accept: async () => 'accepted', ...events };
    const app = await startApp(database, { lender });
    const faults: unknown[] = [];
    const sweep = async (laterMs = 0, sweptIn = database) => {
      await runCheckoutJob({
        deps: {
          database: sweptIn,
          lender,
          cards: sandboxGateway,
          approvals: { approvalDays: 7, extensionDays: 7 },
          mail: noMail,
          onCompleted: () => undefined,
        },
        clock: { now: () => plusMs(systemClock.now(), laterMs) },
        retention: { unfinishedApplicationHours: 24 },
        onError: (thrown) => faults.push(String(thrown)),
      });
      expect(faults).toEqual([]);
    };
    const cart = await app.createCart();
    let session = '';
    const started = async () => {
      const page = await submit(await open(cart.url));
      session = sessionUrl(page);
      return page;
    };
    const applied = async () => {
      const page = await submit(await started());
      session = sessionUrl(page);
      return page;
    };
    return { app, sweep, cart, started, applied, openSession: () => open(session) };
  }
  const LATER_MS = 20_000;

  // SQLite has one writer at a time, and PostgreSQL locks the row: only engines that are always serializable report conflicts.
  const describeConflicts = engine === 'postgres' ? describe : () => undefined;
  describeConflicts('and the engine reports conflicts', () => {
    // The pauses between attempts are random. A random value of 0 removes them.
    beforeEach(() => {
      vi.spyOn(Math, 'random').mockReturnValue(0);
      return () => vi.restoreAllMocks();
    });

    /** A database whose every write fails to be serialized. */
    const contended = (): Database => ({
      ...database,
      write: (work) =>
        database.write(async (tx) => {
          const result = await work(tx);
          await sql`do $$ begin raise exception 'conflict' using errcode = '40001'; end $$`.execute(tx);
          return result;
        }),
    });

    it('the job does not report it, and retrieves the decision next time', async () => {
      const { sweep, cart, applied, openSession } = await given({ decide: lost, decisionOf: async () => approved });
      await applied();
      await sweep(LATER_MS, contended());
      expect(await applicationOf(cart.id)).toMatchObject({ status: 'STARTED', status_code: '100100' });
      await sweep(LATER_MS);
      expect(await openSession()).toMatchObject({ heading: 'Choose your plan' });
    });

    it('the job still reports the error of the lender', async () => {
      let isRequested = false;
      const decisionOf = () => {
        isRequested = true;
        return Promise.reject(new Error('The lender is broken.'));
      };
      const { sweep, applied } = await given({ decide: lost, decisionOf });
      await applied();
      const write: Database['write'] = (work) => (isRequested ? contended() : database).write(work);
      await expect(sweep(LATER_MS, { ...database, write })).rejects.toThrow('The lender is broken.');
    });
  });

  describe('about an application', () => {
    it.each<[string, Awaited<ReturnType<Lender['decisionOf']>>, string]>([
      ['the plans after an approval', approved, 'Choose your plan'],
      ['the denial after a denial', { outcome: 'denied', reasons: ['income'] }, 'We cannot offer financing this time'],
      ['the application if the lender did not receive it', 'unknown', 'Apply for financing'],
      ['the waiting page while the lender is undecided', 'undecided', 'The lender is reviewing your application'],
    ])('once the job has run, the session shows %s', async (_what, response, heading) => {
      const { sweep, cart, applied, openSession } = await given({ decide: lost, decisionOf: async () => response });
      expect(await applied()).toMatchObject({ status: 200, heading: 'The lender is reviewing your application' });
      await sweep();
      expect(await applicationOf(cart.id)).toMatchObject({ status: 'STARTED', status_code: '100100' });
      await sweep(LATER_MS);
      expect(await openSession()).toMatchObject({ status: 200, heading });
    });

    it('the buyer can retrieve the decision once the retry interval has passed', async () => {
      let requestCount = 0;
      const { cart, applied } = await given({
        decide: lost,
        decisionOf: async () => {
          requestCount += 1;
          return approved;
        },
      });
      const waiting = await applied();
      expect(await submit(waiting)).toMatchObject({ heading: 'The lender is reviewing your application' });
      expect(requestCount).toBe(0);
      await database.write((tx) =>
        tx
          .updateTable('applications')
          .set({ request_leased_until: instantOf(0) })
          .where('cart_id', '=', cart.id)
          .execute(),
      );
      expect(await submit(waiting)).toMatchObject({ heading: 'Choose your plan' });
      expect(requestCount).toBe(1);
    });

    it('a late timeout does not affect a concurrent request', async () => {
      let rejectFirst: (thrown: UnknownOutcome) => void = () => undefined;
      const first = new Promise<CreditDecision>((_resolve, reject) => {
        rejectFirst = reject;
      });
      let resolveSecond: (decision: CreditDecision) => void = () => undefined;
      const second = new Promise<CreditDecision>((resolve) => {
        resolveSecond = resolve;
      });
      const requests: string[] = [];
      const { sweep, cart, started } = await given({
        decide: ({ requestId }) => (requests.push(requestId) === 1 ? first : second),
        decisionOf: async () => 'unknown',
      });
      const leasedUntil = async () => (await applicationOf(cart.id).catch(() => undefined))?.request_leased_until;
      const page = await started();
      const applying = submit(page);
      await expect.poll(() => requests.length).toBe(1);
      await sweep(100_000);
      const again = submit(page);
      await expect.poll(() => requests.length).toBe(2);
      const lease = await leasedUntil();
      rejectFirst(new UnknownOutcome('No response'));
      await applying;
      expect(await leasedUntil()).toBe(lease);
      resolveSecond(approved);
      expect(await again).toMatchObject({ heading: 'Choose your plan' });
    });

    it('a second window that submits a concurrent application is not shown why the first was denied', async () => {
      let response: (decision: CreditDecision) => void = () => undefined;
      const { cart } = await given({ decide: () => new Promise((resolve) => (response = resolve)) });
      const applying = await submit(await open(cart.url));
      const elsewhere = await open(applying.url);
      const first = submit(applying);
      await until(async () => (await applicationOf(cart.id)).status_code === '100100');
      const second = submit(elsewhere);
      response({ outcome: 'denied', reasons: ['income'] });
      expect((await first).text).toContain('Your income, which is not enough');
      expect(await second).toMatchObject({ heading: 'This checkout is already in progress' });
      expect((await second).text).not.toContain('Your income, which is not enough');
    });

    it('a request for the waiting page is held open for a few seconds at little cost', async () => {
      let response: (decision: CreditDecision) => void = () => undefined;
      const { cart } = await given({ decide: () => new Promise((resolve) => (response = resolve)) });
      const applying = await submit(await open(cart.url));
      const first = submit(applying);
      await until(async () => (await applicationOf(cart.id)).status_code === '100100');
      let queryCount = 0;
      const counting = database.query.withPlugin({
        transformQuery: ({ node }) => {
          queryCount += 1;
          return node;
        },
        transformResult: async ({ result }) => result,
      });
      const counted = withEngine(counting, database.engine);
      const now = systemClock.now();
      const { id } = await applicationOf(cart.id);
      await getSession(counted, id, now);
      const queriesOfOneCheck = queryCount;
      expect(await awaitDecision({ ...database, query: counted }, id, now)).toMatchObject({ state: 'waiting' });
      expect(queryCount).toBeLessThanOrEqual(queriesOfOneCheck * 15);
      response(approved);
      expect(await first).toMatchObject({ heading: 'Choose your plan' });
    });

    it('a response to a superseded request changes nothing', async () => {
      let resolveFirst: (decision: CreditDecision) => void = () => undefined;
      const first = new Promise<CreditDecision>((resolve) => {
        resolveFirst = resolve;
      });
      const responses = [first, Promise.resolve(approved)];
      const { sweep, cart, started } = await given({ decide: () => responses.shift()!, decisionOf: async () => 'unknown' });
      const page = await started();
      const applying = submit(page);
      await expect.poll(async () => (await applicationOf(cart.id).catch(() => undefined))?.status_code).toBe('100100');
      await sweep(100_000);
      expect(await submit(page)).toMatchObject({ heading: 'Choose your plan' });
      resolveFirst({ outcome: 'denied', reasons: ['other'] });
      expect(await applying).toMatchObject({ heading: 'Choose your plan' });
    });
  });

  describe('about a signed agreement', () => {
    it('the sweep completes the purchase, once, with the same agreement', async () => {
      const events: string[] = [];
      const { sweep, cart } = await given({
        accept: ({ agreementId }) => {
          events.push(agreementId);
          return events.length === 1 ? lost() : Promise.resolve('accepted');
        },
      });
      const agreement = await reachAgreement(cart.url);
      expect(await submit(agreement)).toMatchObject({ status: 200, heading: 'We are finishing your purchase' });
      expect(await applicationOf(cart.id)).toMatchObject({ status: 'ATTEMPTED_CHECKOUT', status_code: '600000' });
      expect(await transactionsOf(cart.id)).toEqual([]);

      await Promise.all([sweep(LATER_MS), sweep(LATER_MS)]);
      expect(await open(sessionUrl(agreement))).toMatchObject({ heading: 'This purchase is complete' });
      expect(await transactionsOf(cart.id)).toMatchObject([{ status: 'PENDING' }]);
      expect(new Set(events).size).toBe(1);
    });

    it('signing again waits for the same response', async () => {
      const { cart } = await given({ accept: lost });
      const agreement = await reachAgreement(cart.url);
      await submit(agreement);
      expect(await submit(agreement)).toMatchObject({ status: 200, heading: 'We are finishing your purchase' });
    });

    it('a rejection by the lender denies the application', async () => {
      const { cart } = await given({ accept: async () => 'refused' });
      expect(await submit(await reachAgreement(cart.url))).toMatchObject({ heading: 'We cannot offer financing this time' });
      expect(await applicationOf(cart.id)).toMatchObject({ status: 'DENIED', status_code: '300900' });
      expect(await transactionsOf(cart.id)).toEqual([]);
    });

    it('the merchant may expire the cart, and the purchase remains', async () => {
      const responses = [lost, async () => 'accepted' as const];
      const { app, sweep, cart } = await given({ accept: () => responses.shift()!() });
      const agreement = await reachAgreement(cart.url);
      await submit(agreement);
      expect(await app.post(`/carts/${cart.id}/expire`, {})).toMatchObject({ status: 204 });
      await sweep(LATER_MS);
      expect(await open(sessionUrl(agreement))).toMatchObject({ heading: 'This purchase is complete' });
    });

    it('an internal error is retried at once', async () => {
      const responses = [() => Promise.reject(new Error('broken')), async () => 'accepted' as const];
      const { cart } = await given({ accept: () => responses.shift()!() });
      const agreement = await reachAgreement(cart.url);
      expect(await submit(agreement)).toMatchObject({ status: 500 });
      expect(await submit(agreement)).toMatchObject({ status: 303 });
      expect(await transactionsOf(cart.id)).toHaveLength(1);
    });
  });

  describe('as time passes', () => {
    it.each([
      ['an undecided application with its cart', 'details', 'EXPIRED', '800100', 9],
      ['an approval after seven days', 'agreement', 'EXPIRED', '800200', 7],
    ])('the sweep expires %s', async (_what, upTo, status, status_code, days) => {
      const { cart, sweep } = await given({});
      const page = upTo === 'agreement' ? await reachAgreement(cart.url) : await submit(await open(cart.url));
      await sweep(1_000);
      expect((await applicationOf(cart.id)).status).not.toBe('EXPIRED');
      const { expires_at } = await applicationOf(cart.id);
      await sweep(Date.parse(plusDays(systemClock.now(), days)) - Date.now());
      expect(await applicationOf(cart.id)).toMatchObject({ status, status_code, expires_at });
      expect((await open(sessionUrl(page))).headers.get('location')).toBe('https://shop.example/');
    });
  });
});
