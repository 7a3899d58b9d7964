import { describe, expect, it } from 'vitest';
import {
  type CreditDecision,
  type CreditRequest,
  type Lender,
  UnknownOutcomeError,
} from '../../server/lending/lenders/lender.ts';
import { runRetryJob } from '../../server/checkout/waiting/job.ts';
import { resolveWaiting } from '../../server/checkout/waiting/look-up.ts';
import { plusMs } from '../../server/base/time.ts';
import { noLender } from '../support/lenders.ts';
import { checkoutDeps, createCart, open, post, reachStep, sessionUrl, submit, typed } from '../support/checkout.ts';
import { createDatabase, createMigratedDatabaseUrl, describeOnEveryEngine, openTestDatabase } from '../support/databases.ts';
import { startApp } from '../support/app.ts';
import { noLimits } from '../support/service.ts';
import { storedApplication } from '../support/stored.ts';
import { until } from '../support/time.ts';
import { concurrently, SLOW, startProcesses, startServices } from './processes.ts';

const emails = ['ada@gmail.com', 'A.da@gmail.com', 'ada+1@googlemail.com', 'ADA@GMAIL.com'];
/** Names that differ in letters, which identify different persons. */
const person = (index: number) => ({ lastName: `Lovelace ${'abcdefgh'[index]}`, email: emails[index % 4]! });

describeOnEveryEngine('Concurrent requests for decisions', (engine) => {
  it('about one application send one request to the lender', SLOW, async () => {
    const { newCart, atNext, lender, database } = await startProcesses(engine);
    const cart = await newCart();
    const page = await reachStep(cart.url, 'apply');

    const responses = await concurrently(() => post(atNext(page.action), { ...typed, ...page.fields }));

    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([303]));
    expect(lender.requests.map(({ method, path }) => `${method} ${path}`)).toEqual(['POST /fairterm/decisions']);
    expect(await storedApplication(database, cart.id)).toMatchObject({ status: 'APPROVED', tierId: 'A', revision: 3 });
  });

  it.each([
    ['about one person', { applicationsPerIdentity: 3 }, () => ({})],
    ['of several persons to one recipient', { applicationsPerRecipient: 3 }, person],
    ['from one address', { limits: { ...noLimits, applicationsPerAddress: 3 } }, () => ({})],
  ])('%s are limited exactly, and possible again after 24 hours', async (_title, config, inputOf) => {
    const { merchants, moveClocks } = await startServices(engine, config);
    moveClocks('2026-11-22T18:00:00.000000Z');
    const ready = await concurrently(async (index) => {
      const cart = await createCart(merchants[index % merchants.length]!);
      return reachStep(cart.url, 'apply', inputOf(index));
    }, 8);

    const decided = await Promise.all(ready.map((page, index) => submit(page, inputOf(index))));

    const limited = decided.findIndex(({ step }) => step === 'too-many-applications');
    const steps = decided.map(({ step }) => step).toSorted();
    expect(steps).toEqual([...Array(3).fill('plans'), ...Array(5).fill('too-many-applications')]);
    const submitAgain = async () => (await submit(await open(ready[limited]!.url), inputOf(limited))).step;
    if (!('limits' in config)) {
      moveClocks('2026-11-23T17:59:00.000000Z');
      expect(await submitAgain()).toBe('too-many-applications');
    }
    moveClocks('2026-11-23T18:01:00.000000Z');
    expect(await submitAgain()).toBe('plans');
  });
});

describeOnEveryEngine('Refreshes of waiting pages', (engine) => {
  it('of two processes send one request to the lender at a time, and at most one in two seconds', async () => {
    const url = await createMigratedDatabaseUrl(engine);
    const databases = [openTestDatabase(url), openTestDatabase(url)];
    const requests: ((decision: 'undecided') => void)[] = [];
    const lender: Lender = {
      ...noLender,
      decide: () => Promise.reject(new UnknownOutcomeError('No response')),
      decisionOf: () => new Promise((resolve) => void requests.push(resolve)),
    };
    const { createCart: newCart } = await startApp(databases[0]!, { lender });
    const cart = await newCart();
    expect(await submit(await reachStep(cart.url, 'apply'))).toMatchObject({ step: 'waiting' });
    const application = await storedApplication(databases[0]!, cart.id);
    const sentAt = plusMs(application.requestLeasedUntil!, -2_000);
    const refresh = (laterMs: number) =>
      concurrently(
        (index) => resolveWaiting(checkoutDeps(databases[index % 2]!, { lender }), application, plusMs(sentAt, laterMs)),
        16,
      );

    await refresh(1_999);
    expect(requests).toHaveLength(0);
    for (const [count, laterMs] of [2_000, 4_000].entries()) {
      const refreshing = refresh(laterMs);
      await until(() => requests.length > count);
      await refresh(laterMs + 1_000);
      expect(requests).toHaveLength(count + 1);
      requests[count]!('undecided');
      await refreshing;
      await refresh(laterMs + 1_999);
      expect(requests).toHaveLength(count + 1);
    }
  });
});

describeOnEveryEngine('Retries of requests to the lender', (engine) => {
  it('by two processes send each due request once', SLOW, async () => {
    const url = await createMigratedDatabaseUrl(engine);
    const databases = [openTestDatabase(url), openTestDatabase(url)];
    const requests: string[] = [];
    const lender: Lender = {
      ...noLender,
      decide: () => Promise.reject(new UnknownOutcomeError('No response')),
      decisionOf: async ({ requestId }) => {
        requests.push(requestId);
        return 'undecided';
      },
    };
    const { createCart: newCart } = await startApp(databases[0]!, { lender });
    const applications = [];
    for (const index of [0, 1, 2, 3, 4, 5, 6, 7]) {
      const cart = await newCart();
      await submit(await reachStep(cart.url, 'apply', person(index)), person(index));
      applications.push(await storedApplication(databases[0]!, cart.id));
    }
    let now = plusMs(applications.at(-1)!.requestDueAt!, 1_000);
    const onError = (thrown: unknown) => expect.unreachable(String(thrown));
    const run = () =>
      concurrently(
        (index) => runRetryJob({ deps: checkoutDeps(databases[index % 2]!, { lender }), clock: { now: () => now }, onError }),
        4,
      );

    for (const attempts of [1, 2]) {
      requests.length = 0;
      await run();
      expect(requests.toSorted()).toEqual(applications.map(({ requestId }) => requestId!).toSorted());
      const rows = await databases[0]!.query.selectFrom('applications').select(['requestAttempts', 'requestDueAt']).execute();
      expect(rows).toEqual(applications.map(() => ({ requestAttempts: attempts, requestDueAt: expect.any(String) })));
      await run();
      expect(requests).toHaveLength(applications.length);
      now = plusMs(now, 60_000);
    }
  });
});
const database = await createDatabase();

describe('The lender’s decision', () => {
  /** Returns a lender whose decisions the test resolves, and the requests that it received. */
  const startSlowLender = () => {
    const requests: (CreditRequest & { resolve(decision: CreditDecision): void })[] = [];
    const decide = (request: CreditRequest) =>
      new Promise<CreditDecision>((resolve) => void requests.push({ ...request, resolve }));
    return { lender: { ...noLender, decide }, requests };
  };
  const applicationOf = (cartId: string) => storedApplication(database, cartId);

  const approved: CreditDecision = { outcome: 'approved', tierId: 'C', limitCents: null };

  it('is requested once for two concurrent submissions, which both await it', async () => {
    const { lender, requests } = startSlowLender();
    const cart = await (await startApp(database, { lender })).createCart();
    const page = await submit(await open(cart.url));

    const both = [submit(page), submit(page)];
    await until(() => requests.length === 1);
    expect(await applicationOf(cart.id)).toMatchObject({ status: 'STARTED', statusCode: '100100' });
    requests[0]!.resolve(approved);

    for (const response of await Promise.all(both)) expect(response).toMatchObject({ step: 'plans' });
    expect(requests).toHaveLength(1);
    expect(await applicationOf(cart.id)).toMatchObject({ status: 'APPROVED', tierId: 'C', requestLeasedUntil: null });
  });

  it('applies to the submitted details, which cannot be changed while it is pending', async () => {
    const { lender, requests } = startSlowLender();
    const cart = await (await startApp(database, { lender })).createCart();
    const page = await submit(await open(cart.url));
    const details = await open(`${sessionUrl(page)}/details`);

    const applying = submit(page);
    await until(() => requests.length === 1);
    const changed = await submit(details, { firstName: 'Grace', lastName: 'Hopper' });
    expect(changed).toMatchObject({ step: 'in-progress' });
    expect((await applicationOf(cart.id)).billingContact.firstName).toBe('Ada');
    requests[0]!.resolve(approved);
    expect(await applying).toMatchObject({ step: 'plans' });
  });

  it('is awaited by the first submission, while a second submission shows the waiting page', async () => {
    const { lender, requests } = startSlowLender();
    const cart = await (await startApp(database, { lender })).createCart();
    const page = await submit(await open(cart.url));
    const applying = submit(page);
    await until(() => requests.length === 1);
    expect(await submit(page)).toMatchObject({ status: 200, step: 'waiting' });
    requests[0]!.resolve({ outcome: 'denied', reasons: ['income'] });
    await applying;
    expect(await applicationOf(cart.id)).toMatchObject({ status: 'DENIED', statusCode: '300200' });
  });
});
