import { sql } from 'kysely';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { connectionOf, withConnection } from '../../../../server/db/engine.ts';
import { awaitOutcome } from '../../../../server/checkout/waiting/look-up.ts';
import { getSession } from '../../../../server/checkout/session/load.ts';
import { runCheckoutJob } from '../../../../server/checkout/job.ts';
import { runRetryJob } from '../../../../server/checkout/waiting/job.ts';
import type { Database } from '../../../../server/db/database.ts';
import { type CreditDecision, type Lender, UnknownOutcomeError } from '../../../../server/lending/lenders/lender.ts';
import type { DecisionSources } from '../../../../server/lending/applications/decision.ts';
import { creditScore, noLender } from '../../../support/lenders.ts';
import { type Instant, instantOf, plusDays, plusMs, systemClock } from '../../../../server/base/time.ts';
import { createProgram } from '../../../support/programs.ts';
import { importProgram } from '../../../../server/lending/programs/import.ts';
import { checkoutDeps, open, type Page, reachAgreement, reachDecision, sessionUrl, submit } from '../../../support/checkout.ts';
import { createDatabase, defaultEngine, describeOnEveryEngine } from '../../../support/databases.ts';
import { startApp } from '../../../support/app.ts';
import { until } from '../../../support/time.ts';

const textOf = ({ text }: { text: string }) => text.replace(/<[^>]*>/g, '').replace(/\s+/g, ' ');

const approved: CreditDecision = { outcome: 'approved', tierId: 'A', limitCents: null };
const lost = () => Promise.reject(new UnknownOutcomeError('No response'));

describeOnEveryEngine('While the lender’s decision is unknown,', (engine) => {
  let database: Database;
  beforeEach(async () => {
    database = await createDatabase(engine);
  });
  const applicationOf = (cartId: string) =>
    database.query.selectFrom('applications').selectAll().where('cartId', '=', cartId).executeTakeFirstOrThrow();
  const transactionsOf = (cartId: string) =>
    database.query.selectFrom('transactions').selectAll().where('cartId', '=', cartId).execute();

  /** Starts a shop with the given lender. `runJob` runs both jobs as if `laterMs` had passed. */
  async function given(overrides: Partial<Lender>) {
    const lender: Lender = {
      ...noLender,
      decide: async () => approved,
      accept: async () => ({ outcome: 'accepted' }),
      ...overrides,
    };
    const app = await startApp(database, { lender });
    const errors: unknown[] = [];
    const runJob = async (laterMs = 0, jobDatabase = database) => {
      const options = {
        deps: checkoutDeps(jobDatabase, { lender }),
        clock: { now: () => plusMs(systemClock.now(), laterMs) },
        onError: (thrown: unknown) => errors.push(String(thrown)),
      };
      await runCheckoutJob({ ...options, retention: { unfinishedApplicationHours: 24 } });
      await runRetryJob(options);
      expect(errors).toEqual([]);
    };
    const cart = await app.createCart();
    let session = '';
    const startApplication = async () => {
      const page = await submit(await open(cart.url));
      session = sessionUrl(page);
      return page;
    };
    const apply = async () => {
      const page = await submit(await startApplication());
      session = sessionUrl(page);
      return page;
    };
    return { app, runJob, cart, startApplication, apply, openSession: () => open(session) };
  }
  const LATER_MS = 20_000;

  /** For tests that do not depend on locks or concurrency. */
  const describeOnDefaultEngine = engine === defaultEngine ? describe : () => undefined;

  // SQLite has one writer at a time. PostgreSQL locks the row, but engines that are always serializable report conflicts.
  const describeConflicts = engine === 'postgres' ? describe : () => undefined;
  describeConflicts('if writes fail with serialization conflicts,', () => {
    // The pauses between attempts are random. A random value of 0 removes them.
    beforeEach(() => {
      vi.spyOn(Math, 'random').mockReturnValue(0);
      return () => vi.restoreAllMocks();
    });

    /** Returns the database with writes that always fail with a serialization conflict. */
    const conflicting = (): Database => ({
      ...database,
      write: (work) =>
        database.write(async (tx) => {
          const result = await work(tx);
          await sql`do $$ begin raise exception 'conflict' using errcode = '40001'; end $$`.execute(tx);
          return result;
        }),
    });

    it('the job does not report them, and its next run retrieves the decision', async () => {
      const { runJob, cart, apply, openSession } = await given({ decide: lost, decisionOf: async () => approved });
      await apply();
      await runJob(LATER_MS, conflicting());
      expect(await applicationOf(cart.id)).toMatchObject({ status: 'STARTED', statusCode: '100100' });
      await runJob(LATER_MS);
      expect(await openSession()).toMatchObject({ step: 'plans' });
    });

    it('the job still reports errors of the lender', async () => {
      let wasRequested = false;
      const decisionOf = () => {
        wasRequested = true;
        return Promise.reject(new Error('The lender is broken.'));
      };
      const { runJob, apply } = await given({ decide: lost, decisionOf });
      await apply();
      const write: Database['write'] = (work) => (wasRequested ? conflicting() : database).write(work);
      await expect(runJob(LATER_MS, { ...database, write })).rejects.toThrow('The lender is broken.');
    });
  });

  describeOnDefaultEngine('for an application,', () => {
    it.each<[string, Awaited<ReturnType<Lender['decisionOf']>>, string]>([
      ['an approval shows the plans', approved, 'plans'],
      ['a denial shows the notice', { outcome: 'denied', reasons: ['income'] }, 'declined'],
      ['an unknown request lets the buyer apply again', 'unknown', 'apply'],
      ['a pending decision keeps the waiting page', 'undecided', 'waiting'],
    ])('after the job has run, %s', async (_event, response, step) => {
      const { runJob, cart, apply, openSession } = await given({ decide: lost, decisionOf: async () => response });
      expect(await apply()).toMatchObject({ status: 200, step: 'waiting' });
      await runJob();
      expect(await applicationOf(cart.id)).toMatchObject({ status: 'STARTED', statusCode: '100100' });
      await runJob(LATER_MS);
      expect(await openSession()).toMatchObject({ status: step === 'apply' ? 503 : 200, step });
    });

    it.each<[string, Partial<Lender>, number]>([
      ['the lender cannot be reached', {}, 0],
      ['the lender has not received the request', { decide: lost, decisionOf: async () => 'unknown' }, LATER_MS],
    ])(
      'if %s, the application shows an error and needs only the values that are never stored',
      async (_event, lender, laterMs) => {
        const { runJob, cart, apply, openSession } = await given({ decide: noLender.decide, ...lender });
        await apply();
        await runJob(laterMs);
        const page = await openSession();
        expect(page).toMatchObject({ status: 503, step: 'apply' });
        expect(textOf(page)).toContain('Fairterm Lending could not be reached');
        expect(page.values).toMatchObject({ consent: 'yes', electronic: 'yes' });
        expect(['dateOfBirth', 'taxIdLast4', 'annualIncome'].map((id) => page.attribute('input', 'value', { id }))).toEqual([
          '',
          '',
          '',
        ]);
        expect(await applicationOf(cart.id)).toMatchObject({ status: 'STARTED', statusCode: '100000', detailsDeletedAt: null });
      },
    );

    it('the waiting page states how long decisions take only if the lender states it', async () => {
      const { app, apply } = await given({ decide: lost });
      expect(textOf(await apply())).toContain('Fairterm Lending usually decides within a few minutes. If there is no decision');

      const silent = createProgram({ id: 'silent', lender: { name: 'Silent Lending' } });
      await importProgram(database, silent, [app.merchantId], { asDefault: true }, systemClock.now());
      const waiting = textOf(await reachDecision((await app.createCart()).url));
      expect(waiting).toContain('Silent Lending is deciding on your application');
      expect(waiting).not.toContain('usually decides');
    });

    it.each([
      ['the form of the waiting page', (waiting: Page) => submit(waiting)],
      ['a refresh of the waiting page', (waiting: Page) => open(waiting.url)],
    ])('%s retrieves the decision, two seconds after the last request', async (_how, refresh) => {
      let requestCount = 0;
      const { cart, apply } = await given({
        decide: lost,
        decisionOf: async () => {
          requestCount += 1;
          return approved;
        },
      });
      const leaseUntil = (requestLeasedUntil: Instant) =>
        database.write((tx) =>
          tx.updateTable('applications').set({ requestLeasedUntil }).where('cartId', '=', cart.id).execute(),
        );
      const waiting = await apply();
      await leaseUntil(plusDays(systemClock.now(), 1));
      expect(await refresh(waiting)).toMatchObject({ step: 'waiting' });
      expect(requestCount).toBe(0);
      await leaseUntil(instantOf(0));
      expect(await refresh(waiting)).toMatchObject({ step: 'plans' });
      expect(requestCount).toBe(1);
    });
  });

  describe('for an application,', () => {
    it('a late timeout does not affect a concurrent request', async () => {
      let rejectFirst!: (thrown: UnknownOutcomeError) => void;
      const first = new Promise<CreditDecision>((_resolve, reject) => (rejectFirst = reject));
      let resolveSecond!: (decision: CreditDecision) => void;
      const second = new Promise<CreditDecision>((resolve) => (resolveSecond = resolve));
      const requests: string[] = [];
      const { runJob, cart, startApplication } = await given({
        decide: ({ requestId }) => (requests.push(requestId) === 1 ? first : second),
        decisionOf: async () => 'unknown',
      });
      const leasedUntil = async () => (await applicationOf(cart.id).catch(() => undefined))?.requestLeasedUntil;
      const page = await startApplication();
      const applying = submit(page);
      await expect.poll(() => requests.length).toBe(1);
      await runJob(100_000);
      const again = submit(page);
      await expect.poll(() => requests.length).toBe(2);
      const leaseOfSecond = await leasedUntil();
      rejectFirst(new UnknownOutcomeError('No response'));
      await applying;
      expect(await leasedUntil()).toBe(leaseOfSecond);
      resolveSecond(approved);
      expect(await again).toMatchObject({ step: 'plans' });
    });

    it('a second window that applies concurrently does not show the reasons for the denial of the first', async () => {
      let decide!: (decision: CreditDecision) => void;
      const { cart } = await given({ decide: () => new Promise((resolve) => (decide = resolve)) });
      const applying = await submit(await open(cart.url));
      const secondWindow = await open(applying.url);
      const first = submit(applying);
      await until(async () => (await applicationOf(cart.id)).statusCode === '100100');
      const second = submit(secondWindow);
      decide({ outcome: 'denied', reasons: ['income'] });
      expect((await first).text).toContain('Income insufficient for amount of credit requested');
      expect(await second).toMatchObject({ step: 'in-progress' });
      expect((await second).text).not.toContain('Income insufficient for amount of credit requested');
    });

    it('a form that waits for the decision causes at most 15 times the statements of loading the session', async () => {
      let decide!: (decision: CreditDecision) => void;
      const { cart } = await given({ decide: () => new Promise((resolve) => (decide = resolve)) });
      const applying = await submit(await open(cart.url));
      const first = submit(applying);
      await until(async () => (await applicationOf(cart.id)).statusCode === '100100');
      let statementCount = 0;
      const counting = database.query.withPlugin({
        transformQuery: ({ node }) => {
          statementCount += 1;
          return node;
        },
        transformResult: async ({ result }) => result,
      });
      const counted = withConnection(counting, connectionOf(database.query));
      const now = systemClock.now();
      const { id } = await applicationOf(cart.id);
      await getSession(counted, id, now);
      const statementsOfSession = statementCount;
      expect(await awaitOutcome({ ...database, query: counted }, id, now)).toMatchObject({ state: 'waiting' });
      expect(statementCount).toBeLessThanOrEqual(statementsOfSession * 15);
      decide(approved);
      expect(await first).toMatchObject({ step: 'plans' });
    });

    it('a response to a superseded request changes nothing', async () => {
      let resolveFirst!: (decision: CreditDecision) => void;
      const first = new Promise<CreditDecision>((resolve) => (resolveFirst = resolve));
      const responses = [first, Promise.resolve(approved)];
      const { runJob, cart, startApplication } = await given({
        decide: () => responses.shift()!,
        decisionOf: async () => 'unknown',
      });
      const page = await startApplication();
      const applying = submit(page);
      await expect.poll(async () => (await applicationOf(cart.id).catch(() => undefined))?.statusCode).toBe('100100');
      await runJob(100_000);
      expect(await submit(page)).toMatchObject({ step: 'plans' });
      resolveFirst({ outcome: 'denied', reasons: ['other'] });
      expect(await applying).toMatchObject({ step: 'plans' });
    });
  });

  describe('for a signed agreement,', () => {
    it('two concurrent jobs complete the purchase once, with the same agreement id', async () => {
      const agreementIds: string[] = [];
      const { runJob, cart } = await given({
        accept: ({ agreementId }) => {
          agreementIds.push(agreementId);
          return agreementIds.length === 1 ? lost() : Promise.resolve({ outcome: 'accepted' } as const);
        },
      });
      const agreement = await reachAgreement(cart.url);
      expect(await submit(agreement)).toMatchObject({ status: 200, step: 'waiting-signed' });
      expect(await applicationOf(cart.id)).toMatchObject({ status: 'ATTEMPTED_CHECKOUT', statusCode: '600000' });
      expect(await transactionsOf(cart.id)).toEqual([]);

      await Promise.all([runJob(LATER_MS), runJob(LATER_MS)]);
      expect((await open(sessionUrl(agreement))).headers.get('location')).toContain('transactionId=');
      expect(await transactionsOf(cart.id)).toMatchObject([{ status: 'PENDING' }]);
      expect(new Set(agreementIds).size).toBe(1);
    });

    it('the buyer can retry immediately after an internal error', async () => {
      const responses = [() => Promise.reject(new Error('broken')), async () => ({ outcome: 'accepted' }) as const];
      const { cart } = await given({ accept: () => responses.shift()!() });
      const agreement = await reachAgreement(cart.url);
      expect(await submit(agreement)).toMatchObject({ status: 500 });
      expect(await submit(agreement)).toMatchObject({ status: 303 });
      expect(await transactionsOf(cart.id)).toHaveLength(1);
    });
  });

  describeOnDefaultEngine('for a signed agreement,', () => {
    it('a rejection with reasons shows them, and one without reasons shows whom to ask for them', async () => {
      const rejects = async (reasons: object) => {
        const { cart } = await given({ accept: async () => ({ outcome: 'rejected', ...reasons }) });
        return textOf(await submit(await reachAgreement(cart.url)));
      };
      const ask = 'To obtain it, contact Fairterm Lending, 1 Example Plaza, Wilmington, DE 19801, 1-800-555-0100, within 60 days';

      const stated = await rejects({ reasons: ['unverified-income'] });
      expect(stated).toContain('Unable to verify income.');
      expect(stated).not.toContain(ask);

      const unstated = await rejects({});
      expect(unstated).not.toContain('Unable to verify income.');
      expect(unstated).toContain(ask);
    });

    it.each<[string, boolean, DecisionSources?]>([
      ['states no sources', true],
      ['states the report', true, { reports: [creditScore.bureau], outside: false, affiliate: false }],
      ['states other sources', false, { reports: [], outside: true, affiliate: false }],
    ])('a rejection that %s shows the score of the approval: %s', async (_which, isShown, sources) => {
      const decide = async () => ({ outcome: 'approved', tierId: 'A', limitCents: null, score: creditScore }) as const;
      const accept = async () => ({ outcome: 'rejected', reasons: ['unverified-income'], ...(sources && { sources }) }) as const;
      const { cart } = await given({ decide, accept });
      const denied = textOf(await submit(await reachAgreement(cart.url)));
      expect(denied.includes(String(creditScore.value))).toBe(isShown);
      expect(denied.includes(creditScore.bureau.name)).toBe(isShown);
    });

    it('the purchase is completed even if the merchant expires the cart', async () => {
      const responses = [lost, async () => ({ outcome: 'accepted' }) as const];
      const { app, runJob, cart } = await given({ accept: () => responses.shift()!() });
      const agreement = await reachAgreement(cart.url);
      await submit(agreement);
      expect(await app.post(`/carts/${cart.id}/expire`, {})).toMatchObject({ status: 204 });
      await runJob(LATER_MS);
      expect((await open(sessionUrl(agreement))).headers.get('location')).toContain('transactionId=');
    });
  });
});
