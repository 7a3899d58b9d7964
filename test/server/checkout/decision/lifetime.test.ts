/** Applications that a lender has received: they live until it decides, whatever happens to their cart. */
import type { ServerResponse } from 'node:http';
import { beforeEach, expect, it } from 'vitest';
import { runCheckoutJob } from '../../../../server/checkout/job.ts';
import { runRetryJob } from '../../../../server/checkout/waiting/job.ts';
import { resolveException } from '../../../../server/checkout/waiting/exceptions.ts';
import { deleteUnusedCarts } from '../../../../server/purchases/carts/cleanup.ts';
import type { Database } from '../../../../server/db/database.ts';
import { listExceptions, type NewException } from '../../../../server/lending/exceptions/store.ts';
import { bureau, creditScore, noLender, respondingLender, respondsWith, startLender } from '../../../support/lenders.ts';
import { type CreditDecision, type Lender, UnknownOutcomeError } from '../../../../server/lending/lenders/lender.ts';
import { mailtoOf } from '../../../../server/messages/addresses.ts';
import type { CreditBureau } from '../../../../shared/programs/program.ts';
import { DUE_NOW, messageIn } from '../../../../server/messages/outbox.ts';
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
  testOperator,
} from '../../../support/checkout.ts';
import { createDatabase, describeOnEveryEngine } from '../../../support/databases.ts';
import { createProgram } from '../../../support/programs.ts';
import { startService } from '../../../support/service.ts';
import { storedApplication, storedDeliveries } from '../../../support/stored.ts';

const HOUR_MS = 3_600_000;
const approved: CreditDecision = { outcome: 'approved', tierId: 'A', limitCents: null };
const alertsEmail = 'alerts@operator.example';
const warned = { ...testOperator, alertsEmail };
/** Responses that are signed and invalid, with their faults. */
const invalidDenial = { outcome: 'denied', reasons: ['debt'], score: creditScore, scoreUsed: false } as const;
const DENIAL_FAULT = 'scoreUsed: expected no such field next to score, but received a boolean';
const invalidApproval = { ...approved, tierId: 'Z' } as const;
const APPROVAL_FAULT = 'tierId: expected one of A, B, C, but received a text';
const sourcesOf = (...reports: CreditBureau[]) => ({ reports, outside: false, affiliate: false });
const lost = () => Promise.reject(new UnknownOutcomeError('No response'));
const textOf = ({ text }: Page) => text.replace(/<[^>]*>/g, '').replace(/\s+/g, ' ');

describeOnEveryEngine('An application that a lender has received', (engine) => {
  let database: Database;
  beforeEach(async () => {
    database = await createDatabase(engine);
  });

  async function given(overrides: Partial<Lender> = {}, program: object = {}, operator = testOperator) {
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
    const mail = { ...noMail, handling: 'recorded', operator } as const;
    const own = createProgram({ id: 'own', undecided: { days: 20, reason: 'unverified-income' }, ...program });
    const messageHandlings = { email: 'recorded', text: 'unavailable' } as const;
    const app = await startApp(database, { lender, clock, messageHandlings, program: own, operator });
    const cart = await app.createCart();
    const raised: NewException[] = [];
    const deps = checkoutDeps(database, { lender: respondingLender(lender), mail, onException: (each) => raised.push(each) });
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
      alerts: async () => (await storedDeliveries(database)).filter(({ url }) => url === mailtoOf(alertsEmail)),
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

  it.each([
    ['en', 'Ask Example Credit Reports (1-800-555-0101), online or by phone, to lift the freeze.', 'Ask each credit bureau,'],
    ['es', 'Pida a Example Credit Reports (1-800-555-0101), por internet o por teléfono,', 'Pida a cada agencia'],
  ])(
    'names the bureau that the lender asked if it is incomplete because of a freeze, or none: %s',
    async (lang, named, unnamed) => {
      for (const sources of [sourcesOf(bureau), sourcesOf(), undefined]) {
        const shop = await given({
          decide: async () => ({ outcome: 'needs-action', action: 'unfreeze-credit-file', ...(sources && { sources }) }),
        });
        const page = await submit(await submit(await open(`${shop.cart.url}?lang=${lang}`)));
        expect(page.step).toBe('needs-action');
        const isNamed = sources?.reports.length === 1;
        const { id } = await shop.application();
        const email = (await storedDeliveries(database)).find((each) => each.applicationId === id && each.channel === 'email');
        for (const text of [textOf(page), messageIn(email!.body).text]) {
          expect(text).toContain(isNamed ? named : unnamed);
          expect(text).not.toContain(isNamed ? unnamed : named);
          expect(text).not.toMatch(/Equifax|Experian|TransUnion/);
        }
        expect(page.text.includes(`href="${bureau.website}"`)).toBe(isNamed);
      }
    },
  );

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

  it('of which a response is invalid is an exception with an alert at once, and is asked about again', async () => {
    let response: CreditDecision = invalidDenial;
    const shop = await given({ decide: async () => response, decisionOf: async () => response }, {}, warned);
    expect(await shop.apply()).toMatchObject({ step: 'waiting' });
    const { id, requestId } = await shop.application();
    const fault = `request ${requestId}: ${DENIAL_FAULT}`;
    expect(await shop.exceptions()).toMatchObject([{ kind: 'decision', fault, applicationId: id }]);
    const [alert, ...others] = await shop.alerts();
    expect(others).toEqual([]);
    const { text } = messageIn(alert!.body);
    expect(text).toContain('The lender has responded to a request for a decision, but the response is invalid.');
    expect(text).toContain(`Response to ${fault}`);
    expect(text).not.toContain(creditScore.bureau.name);

    // The same fault is no news, and another one is.
    shop.after(20_000);
    await shop.run();
    expect(await shop.alerts()).toHaveLength(1);
    response = invalidApproval;
    shop.after(20_000);
    await shop.run();
    expect(await shop.alerts()).toHaveLength(2);
    expect(await shop.exceptions()).toMatchObject([{ kind: 'decision', fault: `request ${requestId}: ${APPROVAL_FAULT}` }]);

    response = { outcome: 'denied', reasons: ['debt'], scoreUsed: false };
    shop.after(60_000);
    await shop.run();
    expect(await shop.application()).toMatchObject({ status: 'DENIED', invalidOutcome: null, decision: { score: null } });
    expect(await shop.exceptions()).toEqual([]);
  });

  it('of which a response was invalid is no exception any more once the lender has not decided or does not have it', async () => {
    for (const next of ['undecided', 'unknown'] as const) {
      const responses: unknown[] = [{ outcome: 'maybe' }, next];
      const respond = async () => responses.shift() as never;
      const shop = await given({ decide: respond, decisionOf: respond });
      await shop.apply();
      const [exception] = await shop.exceptions();
      expect(exception!.fault).toContain('outcome: expected one of');
      shop.after(20_000);
      await shop.run();
      expect(await shop.application()).toMatchObject({ status: 'STARTED', invalidOutcome: null });
      expect(await shop.exceptions()).toEqual([]);
    }
  });

  it('is denied without reasons on the last day if the lender’s denial is still invalid, and a person closes the exception', async () => {
    const shop = await given({ decide: async () => invalidDenial, decisionOf: async () => invalidDenial }, {}, warned);
    await shop.apply();
    shop.afterDays(15.1);
    await shop.run();
    expect(await shop.alerts()).toHaveLength(2);
    expect(await shop.events()).toEqual([]);
    shop.afterDays(20.1);
    await shop.run();

    expect(await shop.application()).toMatchObject({ status: 'DENIED', decision: { reasons: ['other'], score: null } });
    expect(await shop.events()).toMatchObject([{ type: 'application-denied', reasons: ['other'] }]);
    const { html } = (await shop.emails()).find(({ notice }) => notice).notice;
    expect(html).toContain('You have the right to a statement of the specific reasons');
    expect(html).not.toContain('Principal reasons');
    expect(html).not.toContain(creditScore.bureau.name);
    expect(html).not.toContain('Your credit score');
    expect(html).toContain('obtained information from a consumer reporting agency');
    const [exception, ...others] = await shop.exceptions();
    expect(others).toEqual([]);
    expect(exception).toMatchObject({ kind: 'decision', status: 'DENIED' });
    const { id } = exception!;
    await expect(resolveException(database, id, { ...person, resolution: 'retry' }, shop.start)).rejects.toThrow('--as');
    await resolveException(database, id, { ...person, resolution: 'keep' }, shop.start);
    expect(await shop.exceptions()).toEqual([]);
  });

  it('is not denied while the lender’s approval is invalid, warns every day, and is approved after its last day', async () => {
    let response: CreditDecision | 'undecided' = invalidApproval;
    const shop = await given({ decide: async () => invalidApproval, decisionOf: async () => response }, {}, warned);
    const page = await shop.apply();
    expect(page.step).toBe('waiting');
    expect(textOf(page)).not.toContain('the application is denied');
    response = 'undecided';
    for (let day = 1; day <= 23; day++) {
      shop.afterDays(day + 0.1);
      await shop.run();
      await shop.run();
    }
    expect(await shop.application()).toMatchObject({ status: 'STARTED', invalidOutcome: 'approved' });
    expect(await shop.alerts()).toHaveLength(24);
    expect(await shop.exceptions()).toMatchObject([{ kind: 'decision' }]);
    expect([await shop.events(), shop.raised.length]).toEqual([[], 23]);

    const [exception] = await shop.exceptions();
    await resolveException(database, exception!.id, { ...person, resolution: 'retry' }, shop.start);
    response = approved;
    shop.after(3_000);
    await shop.run();
    expect(await shop.application()).toMatchObject({ status: 'APPROVED', invalidOutcome: null, warnAt: null });
    expect(await shop.exceptions()).toEqual([]);
  });

  it('is denied without reasons within a day if the lender’s invalid approval becomes an invalid denial after the last day', async () => {
    let response: CreditDecision = invalidApproval;
    const shop = await given({ decide: async () => response, decisionOf: async () => response });
    const page = await shop.apply();
    shop.afterDays(21);
    await shop.run();
    response = invalidDenial;
    shop.after(HOUR_MS);
    await open(sessionUrl(page));
    expect(await shop.application()).toMatchObject({ status: 'STARTED', invalidOutcome: 'denied' });
    shop.afterDays(22.1);
    await shop.run();
    expect(await shop.application()).toMatchObject({ status: 'DENIED', decision: { reasons: ['other'] } });
  });

  it('of which the rejection of the agreement is invalid is an exception at once, and denied without reasons after 30 days', async () => {
    const rejection = { outcome: 'rejected', reasons: ['mood'] } as never;
    const shop = await given({ decide: async () => approved, accept: async () => rejection }, {}, warned);
    await submit(await reachAgreement(shop.cart.url));
    const { paymentAgreements } = await shop.application();
    expect(await shop.exceptions()).toMatchObject([
      { kind: 'agreement', fault: expect.stringContaining(`agreement ${paymentAgreements[0]!.id}: reasons.0: expected `) },
    ]);
    expect(await shop.alerts()).toHaveLength(1);
    shop.afterDays(29);
    await shop.run();
    expect(await shop.application()).toMatchObject({ status: 'ATTEMPTED_CHECKOUT' });
    shop.afterDays(30.1);
    await shop.run();
    expect(await shop.application()).toMatchObject({ status: 'DENIED', statusCode: '300900', decision: { reasons: ['other'] } });
    expect(await shop.events()).toMatchObject([{ type: 'application-denied', reasons: ['other'] }]);
    expect((await shop.application()).decision).toMatchObject({ score: null });
    expect(await shop.exceptions()).toMatchObject([{ kind: 'agreement', status: 'DENIED' }]);
  });

  it('of which the acceptance of the agreement is invalid warns every day, and is completed by a valid one', async () => {
    let acceptance: object = { outcome: 'accepted', loanNumber: 7 };
    const shop = await given({ decide: async () => approved, accept: async () => acceptance as never }, {}, warned);
    const agreement = await reachAgreement(shop.cart.url);
    await submit(agreement);
    for (const day of [1.1, 2.2, 3.3]) {
      shop.afterDays(day);
      await shop.run();
    }
    expect(await shop.alerts()).toHaveLength(4);
    acceptance = { outcome: 'accepted' };
    shop.after(HOUR_MS);
    await open(sessionUrl(agreement));
    expect(await shop.application()).toMatchObject({ status: 'CHECKOUT_COMPLETED', invalidOutcome: null, warnAt: null });
    expect(await shop.exceptions()).toEqual([]);
  });

  it.each<[string, object, string]>([
    ['a denial', { outcome: 'denied', reasons: ['debt'], sources: sourcesOf(creditScore.bureau) }, 'sources.reports'],
    [
      'one of several',
      { outcome: 'denied', reasons: ['debt'], sources: sourcesOf(bureau, creditScore.bureau) },
      'sources.reports',
    ],
    ['an approval', { ...approved, score: creditScore }, 'score.bureau'],
    ['a rejected agreement', { outcome: 'rejected', sources: sourcesOf(creditScore.bureau) }, 'sources.reports'],
  ])('is an exception if the lender has used another bureau than the pages name: %s', async (_which, response, field) => {
    const isRejection = 'outcome' in response && response.outcome === 'rejected';
    const respond = async () => response as never;
    const shop = await given({ decide: isRejection ? async () => approved : respond, accept: respond }, {}, warned);
    const page = isRejection ? await submit(await reachAgreement(shop.cart.url)) : await shop.apply();
    expect(['declined', 'plans', 'withdrawn']).toContain(page.step);
    const { requestId, decision } = await shop.application();
    const fault = `request ${requestId ?? decision!.requestId}: ${field}: expected only the bureau that the pages name`;
    expect(await shop.exceptions()).toMatchObject([{ kind: 'bureau', fault }]);
    expect(await shop.alerts()).toHaveLength(1);
    const [exception] = await shop.exceptions();
    await resolveException(database, exception!.id, { ...person, resolution: 'keep' }, shop.start);
    expect(await shop.exceptions()).toEqual([]);
  });

  it('is no exception if the lender has used the bureau that the pages name, or none', async () => {
    for (const sources of [sourcesOf(bureau), sourcesOf()]) {
      const shop = await given({ decide: async () => ({ outcome: 'denied', reasons: ['debt'], sources }) });
      expect(await shop.apply()).toMatchObject({ step: 'declined' });
      expect(await shop.exceptions()).toEqual([]);
    }
  });

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
