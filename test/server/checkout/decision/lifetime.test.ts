/** Applications that a lender has received: they live until it decides, whatever happens to their cart. */
import type { ServerResponse } from 'node:http';
import { beforeEach, expect, it } from 'vitest';
import { runCheckoutJob } from '../../../../server/checkout/job.ts';
import { runRetryJob } from '../../../../server/checkout/waiting/job.ts';
import { resolveException } from '../../../../server/checkout/waiting/exceptions.ts';
import { deleteUnusedCarts } from '../../../../server/purchases/carts/cleanup.ts';
import type { Database } from '../../../../server/db/database.ts';
import { listExceptions, type NewException } from '../../../../server/lending/exceptions/store.ts';
import { noLender, respondsWith, startLender } from '../../../support/lenders.ts';
import { type CreditDecision, type Lender, UnknownOutcomeError } from '../../../../server/lending/lenders/lender.ts';
import { DUE_NOW } from '../../../../server/messages/outbox.ts';
import { epochMs, type Instant, plusDays, plusMs, systemClock } from '../../../../server/base/time.ts';
import { startApp } from '../../../support/app.ts';
import {
  checkoutDeps,
  createCart,
  noMail,
  open,
  type Page,
  reachAgreement,
  reachDecision,
  sessionUrl,
  submit,
} from '../../../support/checkout.ts';
import { createDatabase, describeOnEveryEngine } from '../../../support/databases.ts';
import { createProgram } from '../../../support/programs.ts';
import { startService } from '../../../support/service.ts';
import { storedApplication, storedDeliveries } from '../../../support/stored.ts';

const HOUR_MS = 3_600_000;
const approved: CreditDecision = { outcome: 'approved', tierId: 'A', limitCents: null };
const lost = () => Promise.reject(new UnknownOutcomeError('No response'));
const textOf = ({ text }: Page) => text.replace(/<[^>]*>/g, '').replace(/\s+/g, ' ');

describeOnEveryEngine('An application that a lender has received', (engine) => {
  let database: Database;
  beforeEach(async () => {
    database = await createDatabase(engine);
  });

  async function given(overrides: Partial<Lender> = {}, program: object = {}) {
    const lender: Lender = {
      ...noLender,
      decide: lost,
      decisionOf: lost,
      accept: async () => ({ outcome: 'accepted' }),
      ...overrides,
    };
    const start = systemClock.now();
    let now: Instant = start;
    const clock = { now: () => now, moveTo: () => undefined };
    const mail = { ...noMail, handling: 'recorded' } as const;
    const own = createProgram({ id: 'own', undecided: { days: 20, reason: 'unverified-income' }, ...program });
    const messageHandlings = { email: 'recorded', text: 'unavailable' } as const;
    const app = await startApp(database, { lender, clock, messageHandlings, program: own });
    const cart = await app.createCart();
    const raised: NewException[] = [];
    const deps = checkoutDeps(database, { lender, mail, onException: (each) => raised.push(each) });
    const onError = (thrown: unknown) => expect.unreachable(String(thrown));
    const moveTo = (to: Instant) => {
      now = to;
      database.setClockOffset(epochMs(to) - Date.now());
    };
    const run = async () => {
      await runCheckoutJob({ deps, clock, retention: { unfinishedApplicationHours: 24 }, onError });
      await runRetryJob({ deps, clock, onError });
    };
    const apply = async (input: Record<string, string> = {}) => submit(await submit(await open(cart.url)), input);
    const application = () => storedApplication(database, cart.id);
    const deliveries = async (channel: string) =>
      (await storedDeliveries(database)).filter((each) => each.channel === channel).map(({ body }) => JSON.parse(body));
    return {
      app,
      cart,
      start,
      raised,
      run,
      apply,
      application,
      moveTo,
      after: (ms: number) => moveTo(plusMs(now, ms)),
      afterDays: (days: number) => moveTo(plusDays(start, days)),
      events: async () => (await deliveries('lender')).filter(({ type }) => type !== 'notice'),
      emails: () => deliveries('email'),
      exceptions: () => listExceptions(database.query, { isOpen: true, limit: 100 }),
      expireCart: () => app.post(`/carts/${cart.id}/expire`, {}),
    };
  }

  /** Runs the jobs every hour. */
  const runForDays = async (shop: Awaited<ReturnType<typeof given>>, days: number) => {
    for (let hour = 0; hour < 24 * days; hour++) {
      shop.after(HOUR_MS);
      await shop.run();
    }
  };

  it.each([
    ['was expired by the merchant', 0],
    ['has expired', 9],
  ])('is approved after its cart %s, and e-mail and page state that the order is closed', async (_how, days) => {
    const shop = await given({ decisionOf: async () => approved });
    const waiting = await shop.apply();
    if (days === 0) await shop.expireCart();
    else shop.afterDays(days);
    expect(await shop.application()).toMatchObject({ status: 'STARTED', statusCode: '100100' });
    expect(await deleteUnusedCarts(database, 0, plusDays(shop.start, 90))).toBe(0);
    shop.after(20_000);
    await shop.run();

    expect(await shop.application()).toMatchObject({ status: 'APPROVED', statusCode: '200200' });
    const [email, ...others] = await shop.emails();
    expect(others).toEqual([]);
    expect(email.text).toContain('approved your application for credit of $750.00');
    expect(email.text).toContain('The checkout of this order has ended, so there is nothing to sign');
    expect(email.text).not.toContain('Open the checkout');
    const page = await open(sessionUrl(waiting));
    expect(page).toMatchObject({ status: 200, step: 'closed' });
    expect(textOf(page)).toContain('The checkout of this order has ended, so there is nothing to sign');
    expect(await open(`${sessionUrl(waiting)}/plans`)).toMatchObject({ step: 'closed' });

    shop.after(8 * 24 * HOUR_MS);
    await shop.run();
    expect(await shop.application()).toMatchObject({ status: 'EXPIRED', statusCode: '800200' });
    expect(await shop.events()).toMatchObject([{ type: 'application-expired', what: 'approval' }]);
    expect(await shop.emails()).toHaveLength(1);
  });

  it('states what the lender could have offered, with the reasons, if only a part is approved after the cart has ended', async () => {
    const shop = await given({ decisionOf: async () => ({ ...approved, limitCents: 45_000, reasons: ['income'] }) });
    const waiting = await shop.apply();
    await shop.expireCart();
    shop.after(20_000);
    await shop.run();
    expect(await shop.application()).toMatchObject({ status: 'APPROVED', statusCode: '200300' });
    const page = textOf(await open(sessionUrl(waiting)));
    for (const sentence of [
      'was unable to offer you the credit of $750.00',
      'was able to offer you credit of $450.00',
      'Income insufficient',
    ]) {
      expect(page).toContain(sentence);
    }
    expect(page).not.toContain('sign the agreement by');
    const [email] = await shop.emails();
    expect(email.notice.html).toContain('was able to offer you credit of $450.00');
    expect(email.notice.html).not.toContain('sign the agreement by');
    expect(await shop.events()).toEqual([]);
  });

  it('is denied on the day that the program states, after one warning, and a later decision is recorded but not applied', async () => {
    let decide!: (decision: CreditDecision) => void;
    const shop = await given({ decisionOf: () => new Promise((resolve) => (decide = resolve)) });
    await shop.apply();
    await shop.expireCart();
    shop.afterDays(15.1);
    // A request that the lender does not answer until after the denial.
    const asking = shop.run();
    await expect.poll(async () => (await shop.events()).length).toBe(1);
    await expect.poll(() => decide).toBeDefined();
    expect(await shop.events()).toMatchObject([{ type: 'application-undecided', deniedAt: expect.any(String) }]);
    expect(shop.raised).toMatchObject([{ kind: 'undecided' }]);
    expect(await shop.exceptions()).toMatchObject([{ kind: 'undecided', status: 'STARTED' }]);
    shop.afterDays(20.1);
    const first = decide;
    await runOnly(shop);

    const denied = await shop.application();
    expect(denied).toMatchObject({ status: 'DENIED', decision: { reasons: ['unverified-income'] }, requestLeasedUntil: null });
    const events = await shop.events();
    expect(events.slice(1)).toMatchObject([
      { type: 'application-denied', reasons: ['unverified-income'], requestId: denied.requestId },
    ]);
    const { html } = (await shop.emails())[0].notice;
    expect(html).toContain('denied your application for credit');
    // The denial is not based on a report.
    expect(html).not.toContain('Your credit report');
    expect(html).not.toContain('Example Credit Reports');
    expect(await shop.exceptions()).toEqual([]);
    first(approved);
    await asking;
    expect(await shop.application()).toMatchObject({ status: 'DENIED', decision: { late: { decision: approved } } });
    expect(await shop.events()).toHaveLength(2);
    expect(await shop.emails()).toHaveLength(1);
  });

  /** Runs the job that denies, without asking the lender. */
  const runOnly = async (shop: Awaited<ReturnType<typeof given>>) => {
    await runCheckoutJob({
      deps: checkoutDeps(database, { mail: { ...noMail, handling: 'recorded' }, onException: (each) => shop.raised.push(each) }),
      clock: { now: () => plusDays(shop.start, 20.1) },
      retention: { unfinishedApplicationHours: 24 },
      onError: (thrown) => expect.unreachable(String(thrown)),
    });
  };

  it('is not reported as denied if the lender itself denies it', async () => {
    const denied = await given({ decide: async () => ({ outcome: 'denied', reasons: ['income'] }) });
    expect(await denied.apply()).toMatchObject({ step: 'declined' });
    expect(await denied.events()).toEqual([]);
  });

  it.each<[string, (shop: Awaited<ReturnType<typeof given>>, page: Page) => Promise<unknown>]>([
    ['buyer', async (_shop, page) => submit(await open(`${sessionUrl(page)}/cancel`))],
    ['merchant', async (shop) => shop.expireCart()],
    ['restart', async (shop) => submit(await open(`${shop.cart.url}/restart`))],
  ])('is reported as canceled by the %s', async (by, cancel) => {
    const shop = await given({ decide: async () => approved });
    const page = await shop.apply();
    const { id, requestId } = await database.query.selectFrom('applications').selectAll().executeTakeFirstOrThrow();
    await cancel(shop, page);
    expect(await shop.events()).toMatchObject([{ type: 'application-canceled', by, applicationId: id, requestId }]);
  });

  it('is not reported if no lender has received it', async () => {
    const shop = await given();
    await submit(await open(shop.cart.url));
    await shop.expireCart();
    expect(await shop.events()).toEqual([]);
  });

  it('can be completed after its cart has ended, within the period of the lender, and is reported if it is not', async () => {
    let decision: CreditDecision = { outcome: 'needs-action', action: 'unfreeze-credit-file' };
    const shop = await given({ decide: async () => decision }, { incompleteDays: 20 });
    const page = await shop.apply();
    await shop.expireCart();
    shop.afterDays(12);
    await shop.run();
    const incomplete = await open(sessionUrl(page));
    expect(incomplete).toMatchObject({ status: 200, step: 'needs-action' });
    expect(textOf(incomplete)).toContain('You can still apply again, but a decision cannot be used to buy this order.');
    decision = approved;
    const applying = await open(`${sessionUrl(page)}/apply`);
    expect(await submit(applying)).toMatchObject({ step: 'closed' });
    expect(await shop.events()).toEqual([]);
  });

  it('is reported as expired if the buyer does not complete it, also while they change their details', async () => {
    const shop = await given({ decide: async () => ({ outcome: 'needs-action', action: 'correct-details' }) });
    const page = await shop.apply();
    await submit(await open(`${sessionUrl(page)}/details`), { firstName: 'Grace' });
    expect(await shop.application()).toMatchObject({ status: 'STARTED', statusCode: '100200' });
    shop.afterDays(13);
    await shop.run();
    expect(await shop.application()).toMatchObject({ statusCode: '100200', detailsDeletedAt: null });
    shop.afterDays(16);
    await shop.run();
    expect(await shop.application()).toMatchObject({ status: 'EXPIRED', statusCode: '800300' });
    expect(await shop.events()).toMatchObject([
      { type: 'application-expired', what: 'incomplete', requestId: expect.any(String) },
    ]);
    expect((await shop.emails()).at(-1).text).toContain('has expired, because it was not completed by');
  });

  it('of which the agreement is not confirmed becomes an exception after days, which a person resolves', async () => {
    let attempts = 0;
    const accept = () => ((attempts += 1), lost());
    const shop = await given({ decide: async () => approved, accept });
    await submit(await reachAgreement(shop.cart.url));
    await runForDays(shop, 6);
    expect(attempts).toBeGreaterThan(8);
    expect(attempts).toBeLessThan(20);
    expect(await shop.application()).toMatchObject({ status: 'ATTEMPTED_CHECKOUT', requestDueAt: null });
    const [exception, ...others] = await shop.exceptions();
    expect(others).toEqual([]);
    expect(exception).toMatchObject({ kind: 'agreement' });
    expect(shop.raised).toMatchObject([{ kind: 'agreement' }]);

    const person = { actor: 'Robin', reason: 'Confirmed by phone', denialReason: null };
    await expect(resolveException(database, exception!.id, { ...person, resolution: 'deny' }, shop.start)).rejects.toThrow(
      '--as',
    );
    await resolveException(database, exception!.id, { ...person, resolution: 'accepted' }, shop.start);
    await shop.run();
    expect(await shop.application()).toMatchObject({
      status: 'CHECKOUT_COMPLETED',
      requestLeasedUntil: null,
      requestDueAt: null,
    });
    const [closed] = await listExceptions(database.query, { isOpen: false, limit: 10 });
    expect(closed).toMatchObject({ ...person, resolution: 'accepted', closedAt: expect.any(String) });
    await expect(resolveException(database, exception!.id, { ...person, resolution: 'retry' }, shop.start)).rejects.toThrow(
      'resolved',
    );
  });

  /** A person's resolution while a request is in flight, which ends afterwards without an outcome. */
  const inFlight = async (isSigned: boolean, resolveWhile: (shop: Awaited<ReturnType<typeof given>>) => Promise<void>) => {
    let fail: ((thrown: unknown) => void) | undefined;
    let isHanging = false;
    const request = () => (isHanging ? new Promise<never>((_done, reject) => (fail = reject)) : lost());
    const shop = await given({ decide: isSigned ? async () => approved : lost, decisionOf: request, accept: request });
    const page = isSigned ? await submit(await reachAgreement(shop.cart.url)) : await shop.apply();
    await runForDays(shop, 6);
    isHanging = true;
    const asking = open(sessionUrl(page));
    await expect.poll(() => fail).toBeDefined();
    await resolveWhile(shop);
    isHanging = false;
    fail!(new UnknownOutcomeError('No response'));
    await asking;
    shop.after(3_000);
    return shop;
  };
  const person = { actor: 'Robin', reason: 'Confirmed by phone', denialReason: null };

  it.each([
    ['accepted', true, { status: 'CHECKOUT_COMPLETED' }],
    ['rejected', true, { status: 'DENIED', statusCode: '300900' }],
    ['deny', false, { status: 'DENIED', statusCode: '300300' }],
    ['retry', true, { status: 'ATTEMPTED_CHECKOUT', requestAttempts: 1 }],
    ['retry', false, { status: 'STARTED', requestAttempts: 1 }],
  ] as const)(
    'is resolved as %s by a person while a request of the buyer is in flight (signed: %s)',
    async (resolution, isSigned, expected) => {
      const shop = await inFlight(isSigned, async ({ exceptions, start }) => {
        const [exception] = await exceptions();
        const denialReason = expected.status === 'DENIED' ? 'debt' : null;
        await resolveException(database, exception!.id, { ...person, resolution, denialReason }, start);
      });
      expect(await shop.application()).toMatchObject({ requestDueAt: DUE_NOW });
      await shop.run();
      const after = await shop.application();
      expect(after).toMatchObject(expected);
      expect(after.requestDueAt).not.toBe(DUE_NOW);
      const reported = { type: 'application-denied', reasons: ['debt'] };
      expect(await shop.events()).toMatchObject(expected.status === 'DENIED' ? [reported] : []);
      expect(await shop.exceptions()).toEqual([]);
    },
  );

  it.each(['undecided', 'no answer'] as const)(
    'is denied by a person while a request of the job is in flight, which ends with %s',
    async (end) => {
      let finish: ((end: 'undecided') => void) | undefined;
      let fail: ((thrown: unknown) => void) | undefined;
      let isHanging = false;
      const hang = () => new Promise<'undecided'>((resolve, reject) => ([finish, fail] = [resolve, reject]));
      const shop = await given({ decisionOf: async () => (isHanging ? hang() : 'undecided') });
      await shop.apply();
      shop.afterDays(15.1);
      await shop.run();
      const [exception] = await shop.exceptions();
      expect(exception).toMatchObject({ kind: 'undecided' });
      isHanging = true;
      shop.after(HOUR_MS * 2);
      const asking = shop.run();
      await expect.poll(() => finish).toBeDefined();
      await resolveException(database, exception!.id, { ...person, resolution: 'deny', denialReason: 'debt' }, shop.start);
      isHanging = false;
      if (end === 'undecided') finish!(end);
      else fail!(new UnknownOutcomeError('No response'));
      await asking;
      shop.after(3_000);
      await shop.run();

      expect(await shop.application()).toMatchObject({ status: 'DENIED', decision: { reasons: ['debt'] } });
      expect(await shop.exceptions()).toEqual([]);
    },
  );

  it('is asked about again without a pause once, not without end, if a person retries while a request of the job is in flight', async () => {
    let finish: ((end: 'undecided') => void) | undefined;
    let isHanging = false;
    let count = 0;
    const decisionOf = async () => {
      count += 1;
      return isHanging ? new Promise<'undecided'>((resolve) => (finish = resolve)) : ('undecided' as const);
    };
    const shop = await given({ decisionOf });
    await shop.apply();
    shop.afterDays(15.1);
    await shop.run();
    const [exception] = await shop.exceptions();
    isHanging = true;
    shop.after(HOUR_MS * 2);
    const asking = shop.run();
    await expect.poll(() => finish).toBeDefined();
    await resolveException(database, exception!.id, { ...person, resolution: 'retry' }, shop.start);
    isHanging = false;
    finish!('undecided');
    await asking;
    count = 0;
    shop.after(3_000);
    for (let run = 0; run < 4; run++) await shop.run();
    expect(count).toBe(1);
    expect(await shop.application()).toMatchObject({ requestAttempts: 1 });
  });

  it.each(['accepted', 'rejected'] as const)(
    'is resolved as %s by the job although the request is not due',
    async (resolution) => {
      const shop = await inFlight(true, async ({ exceptions, start }) => {
        const [exception] = await exceptions();
        await resolveException(database, exception!.id, { ...person, resolution }, start);
      });
      // As a release before this one left it.
      await database.write((tx) => tx.updateTable('applications').set({ requestDueAt: null }).execute());
      await shop.run();
      expect(await shop.application()).toMatchObject({ status: resolution === 'accepted' ? 'CHECKOUT_COMPLETED' : 'DENIED' });
      expect(await shop.exceptions()).toEqual([]);
    },
  );

  it('delays nothing else while the lender does not answer', async () => {
    const hanging: ServerResponse[] = [];
    const bank = await startLender(
      (response, request) => {
        if (request.method === 'POST') return respondsWith({ outcome: 'undecided' }, 202)(response, request);
        hanging.push(response);
      },
      { timeoutMs: 60_000 },
    );
    const service = await startService(engine, { lender: bank.endpoint });
    const merchant = await service.createMerchant();
    const started = await createCart(merchant);
    await submit(await open(started.url));
    const pending = await createCart(merchant);
    expect(await reachDecision(pending.url)).toMatchObject({ step: 'waiting' });
    service.clock.moveTo(plusDays(systemClock.now(), 9));
    await expect.poll(() => hanging.length).toBe(1);
    const statusOf = async ({ id }: { id: string }) => (await storedApplication(service.database, id)).status;

    await expect.poll(() => statusOf(started)).toBe('EXPIRED');

    expect(await statusOf(pending)).toBe('STARTED');
    expect(hanging).toHaveLength(1);
    expect(hanging[0]!.writableEnded).toBe(false);
    for (const response of hanging) response.destroy();
  });
});
