/** The notices that are sent to buyers in the lender's name: as the page shows them, as they are stored, and as the lender receives them. */
import { beforeAll, describe, expect, it } from 'vitest';
import { wordsOf } from '../../../support/page.ts';
import { findNotice } from '../../../../server/agreements/sent-notices.ts';
import { withdrawConsent } from '../../../../server/checkout/decision/actions.ts';
import { runCheckoutJob } from '../../../../server/checkout/job.ts';
import { reportingNotices } from '../../../../server/messages/notice-delivery.ts';
import type { Database } from '../../../../server/db/database.ts';
import { onDamagedRow } from '../../../../server/db/engine.ts';
import type { SentEvent } from '../../../../server/lending/lenders/events.ts';
import { servicingSender } from '../../../../server/messages/servicing-sender.ts';
import { UnknownOutcomeError } from '../../../../server/lending/lenders/lender.ts';
import { startDelivery } from '../../../../server/messages/deliver.ts';
import type { Outcome } from '../../../../server/messages/attempt.ts';
import { htmlHash } from '../../../../server/messages/notices.ts';
import type { NoticeKind } from '../../../../server/lending/lenders/events.ts';
import { parseEmail } from '../../../../server/messages/outbox.ts';
import { type Instant, plusDays, plusMs, systemClock } from '../../../../server/base/time.ts';
import { startApp, type TestApp } from '../../../support/app.ts';
import {
  checkoutDeps,
  open,
  reachAgreement,
  reachDecision,
  reachStep,
  sessionUrl,
  submit,
  testOperator,
} from '../../../support/checkout.ts';
import { createMigratedDatabaseUrl, describeOnEveryEngine, openTestDatabase } from '../../../support/databases.ts';
import { createProgram } from '../../../support/programs.ts';
import { transactionsWith } from '../../../support/purchases.ts';
import { storedApplication, storedDeliveries, storedTransactions } from '../../../support/stored.ts';
import { until } from '../../../support/time.ts';
import { fairterm } from '../../operations/commands/fairterm.ts';

const HOUR_MS = 3_600_000;
describeOnEveryEngine('A notice', (engine) => {
  let databaseUrl: string;
  let database: Database;
  let app: TestApp;
  let now: Instant = systemClock.now();
  const clock = { now: () => now, moveTo: (to: Instant) => void (now = to) };
  beforeAll(async () => {
    databaseUrl = await createMigratedDatabaseUrl(engine);
    database = openTestDatabase(databaseUrl);
    const messageHandlings = { email: 'sent', text: 'unavailable' } as const;
    const program = createProgram({ id: 'coded', signature: { code: 'email' } });
    app = await startApp(database, { clock, messageHandlings, program });
  });

  const run = (...args: string[]) => fairterm(['notice', ...args], { databaseUrl });
  /** Delivers everything, with an outcome for e-mails, and returns the events that the lender received about an application. */
  async function deliver(
    applicationId: string,
    outcomeOf: () => Outcome | Promise<Outcome> = () => ({ statusCode: 250, failure: '' }),
  ) {
    /** By id: an event may be sent more than once. */
    const received = new Map<string, SentEvent>();
    const errors: unknown[] = [];
    let isDown = true;
    const lender = {
      record: async (event: SentEvent) => {
        // The first request fails, so that the event is sent again.
        if (isDown) throw ((isDown = false), new UnknownOutcomeError('down'));
        received.set(event.id, event);
        return { outcome: 'recorded' as const };
      },
    };
    const later = plusDays(systemClock.now(), 40);
    const delivery = startDelivery({
      database,
      // Retries are due at once.
      clock: { now: () => later },
      senders: {
        email: reportingNotices(async () => outcomeOf(), database, clock),
        lender: servicingSender(
          lender,
          async () => async () => undefined,
          async (id) => (await findNotice(database.query, id))?.html ?? null,
        ),
      },
      onError: (thrown) => errors.push(thrown),
      pollMs: 5,
    });
    const own = async () => (await storedDeliveries(database)).filter((each) => each.applicationId === applicationId);
    const isOpen = async () =>
      (await own()).some(({ channel, deliveredAt, dueAt }) =>
        channel === 'lender' ? deliveredAt === null : channel === 'email' && dueAt !== null,
      );
    await until(async () => {
      await database.write((tx) =>
        tx.updateTable('outbox').set({ dueAt: now }).where('lastFailure', '<>', '').where('dueAt', '>', later).execute(),
      );
      return !(await isOpen());
    });
    await delivery.stop();
    expect(errors).toEqual([]);
    return [...received.values()].filter((event) => event.applicationId === applicationId);
  }
  const noticesOf = async (cartId: string) => {
    const { id } = await storedApplication(database, cartId);
    const { stdout } = await run('list', '--application', id, '--json');
    return JSON.parse(stdout[0]!).notices as { id: string; kinds: string[]; sha256: string; state: string; isLinked: boolean }[];
  };
  /** Returns the last code that was sent about an application. */
  const codeFor = async (applicationId: string) => {
    const emails = (await storedDeliveries(database)).filter(
      (each) => each.channel === 'email' && each.applicationId === applicationId,
    );
    return emails
      .flatMap(({ body }) => (/code/.test(parseEmail(body).subject) ? (/\b\d{6}\b/.exec(parseEmail(body).text) ?? []) : []))
      .at(-1)!;
  };
  const linkIn = (text: string) => /https?:\S+\/n\/\S+/.exec(text)![0];
  const emailOf = async (id: string) => parseEmail((await storedDeliveries(database)).find((each) => each.id === id)!.body);

  it.each<[string, digits: string, kinds: NoticeKind[], sentences: string[]]>([
    [
      'of a denial',
      '2001',
      ['denial'],
      [
        'denied your application for credit at Acme Goods',
        'Principal reasons for this decision',
        'Key factors that adversely affected your credit score',
      ],
    ],
    [
      'of a counteroffer',
      '1101',
      ['counteroffer', 'score-disclosure'],
      [
        'was unable to offer you the credit of $750.00',
        'choose a plan and sign the agreement by',
        'You pay the remaining $300.00 by card.',
        'Income insufficient for amount of credit requested.',
      ],
    ],
    [
      'of an approval with a score',
      '1002',
      ['approval', 'score-disclosure'],
      ['Your credit score ranks higher than 73 percent of U.S. consumers.', 'Scores range from a low of 300 to a high of 850.'],
    ],
    ['of an incomplete application', '4001', ['incompleteness'], ['Your credit file is frozen', 'Apply again by ']],
  ])(
    '%s has the same content on the page, behind the link, in storage and at the lender',
    async (_case, taxIdLast4, kinds, sentences) => {
      const isLinked = taxIdLast4 !== '4001';
      const { id: cartId, url } = await app.createCart();
      const page = await reachDecision(url, { taxIdLast4 });
      const { id: applicationId } = await storedApplication(database, cartId);
      const events = await deliver(applicationId);

      const [listed, ...others] = await noticesOf(cartId);
      expect(others).toEqual([]);
      expect(listed).toMatchObject({ kinds, isLinked, state: 'delivered', to: 'a…@example.com', language: 'en' });
      const { id: noticeId, sha256 } = listed!;
      const {
        stdout: [html],
      } = await run('show', noticeId, '--html');
      expect(htmlHash(html!)).toBe(sha256);
      expect(events).toMatchObject([
        { type: 'notice', sequence: 1, noticeId, kinds, language: 'en', sha256, html },
        { type: 'notice-delivery', sequence: 2, noticeId, kinds, outcome: 'delivered', failure: '' },
      ]);
      const email = await emailOf(noticeId);
      const stored = wordsOf(html!);
      for (const sentence of sentences) {
        expect(wordsOf(page.text)).toContain(sentence);
        expect(stored).toContain(sentence);
        expect(wordsOf(email.html).includes(sentence)).toBe(!isLinked);
      }
      if (!isLinked) return expect(email.html).toBe(html);
      const coded = await submit(await open(linkIn(email.text)), {}, '/code');
      const opened = await submit(coded, { noticeCode: await codeFor(applicationId) });
      expect(opened).toMatchObject({ status: 200, text: html });
      expect(opened.headers.get('content-security-policy')).toContain("default-src 'none'");
    },
  );

  it('of a damaged application is e-mailed once, and its result is saved', async () => {
    const { id: cartId, url } = await app.createCart();
    await reachDecision(url, { taxIdLast4: '2001' });
    const { id: applicationId } = await storedApplication(database, cartId);
    const reported: string[] = [];
    onDamagedRow(database, ({ message }) => reported.push(message));
    await database.write((tx) =>
      tx.updateTable('applications').set({ sealed: 'v2.test.AAAA' }).where('id', '=', applicationId).execute(),
    );
    const stored = database.query.selectFrom('outbox').select(['attempts', 'dueAt', 'deliveredAt']);
    const ofNotice = stored.where('applicationId', '=', applicationId).where('notice', 'is not', null);
    // The first attempt fails, and another one follows.
    await deliver(applicationId, async () => {
      const { attempts } = await ofNotice.executeTakeFirstOrThrow();
      return { statusCode: 250, failure: attempts === 1 ? 'Mailbox busy' : '' };
    });

    expect(await ofNotice.execute()).toEqual([{ attempts: 2, dueAt: null, deliveredAt: expect.any(String) }]);
    expect(reported).toEqual([expect.stringContaining(applicationId)]);
  });

  it('about a signed loan that is not made has the reasons in the e-mail, because a code has confirmed the address', async () => {
    const { id: cartId, url } = await app.createCart();
    const agreement = await submit(await reachAgreement(url, { taxIdLast4: '6002' }), {}, '/signing-code');
    const { id: applicationId } = await storedApplication(database, cartId);
    await submit(agreement, { signatureCode: await codeFor(applicationId) }, '/agreement');
    const [denial] = await noticesOf(cartId);
    expect(denial).toMatchObject({ kinds: ['denial'], isLinked: false });
    expect((await emailOf(denial!.id)).text).toContain('decided not to make this loan');
  });

  it('of a signature is the agreement, of which the lender receives the result of the delivery', async () => {
    const { id: cartId, url } = await app.createCart();
    const agreement = await submit(await reachAgreement(url), {}, '/signing-code');
    const { id: applicationId } = await storedApplication(database, cartId);
    await submit(agreement, { signatureCode: await codeFor(applicationId) }, '/agreement');
    const signed = (await noticesOf(cartId)).find(({ kinds }) => kinds.includes('agreement'));
    const documentHash = (await storedApplication(database, cartId)).paymentAgreements[0]!.documentHash;
    expect(signed).toMatchObject({ sha256: documentHash, isLinked: false });
    const {
      stdout: [html],
    } = await run('show', signed!.id, '--html');
    expect(htmlHash(html!)).toBe(documentHash);
    const events = await deliver(applicationId);
    expect(events.filter((event) => 'noticeId' in event && event.noticeId === signed!.id)).toMatchObject([
      { type: 'notice-delivery', kinds: ['agreement'], outcome: 'delivered' },
    ]);
  });

  it.each<
    [string, NoticeKind, card: string | undefined, act: (act: (type: string, amount?: number) => Promise<void>) => Promise<void>]
  >([
    [
      'of a later settlement',
      'loan-started',
      undefined,
      async (act) => {
        await act('authorize');
        const start = now;
        now = plusDays(start, 20);
        await act('settle');
        now = start;
      },
    ],
    ['of a partial cancellation', 'loan-changed', undefined, (act) => act('cancel', 10_000)],
    ['of a cancellation', 'loan-void', undefined, (act) => act('cancel')],
    ['of a declined card', 'card', 'tok_declined', (act) => act('authorize')],
  ])('%s is the letter about the debt, as %s', async (_case, kind, card, changes) => {
    const { id: cartId, url } = await app.createCart();
    const agreement = card
      ? await submit(await reachStep(url, 'card', { taxIdLast4: '1101' }), { card })
      : await reachAgreement(url);
    const coded = await submit(agreement, {}, '/signing-code');
    const { id: applicationId } = await storedApplication(database, cartId);
    const done = await submit(coded, { signatureCode: await codeFor(applicationId) }, '/agreement');
    const transactionId = new URL(done.headers.get('location')!).searchParams.get('transactionId')!;
    await changes(async (type, amount) => void (await app.post(`/transactions/actions/${transactionId}`, { type, amount })));

    const events = await deliver(applicationId);
    const [letter, ...others] = (await noticesOf(cartId)).filter(({ kinds }) => kinds.includes(kind));
    expect(others).toEqual([]);
    expect(letter).toMatchObject({ kinds: [kind], isLinked: false, state: 'delivered' });
    const { id: noticeId, sha256 } = letter!;
    const { html } = await emailOf(noticeId);
    expect(htmlHash(html)).toBe(sha256);
    expect(events.filter((event) => 'noticeId' in event && event.noticeId === noticeId)).toMatchObject([
      { type: 'notice', kinds: [kind], language: 'en', sha256, html },
      { type: 'notice-delivery', kinds: [kind], outcome: 'delivered', failure: '' },
    ]);
    // After the event of the change that it is about.
    const changed = events.findLast((event) => 'transactionId' in event)!;
    expect(changed.sequence).toBeLessThan(events.find((event) => 'noticeId' in event && event.noticeId === noticeId)!.sequence);
  });

  it('of payments that the lender states is the letter about the debt, as loan-changed', async () => {
    const { id: cartId, url } = await app.createCart();
    const coded = await submit(await reachAgreement(url), {}, '/signing-code');
    const { id: applicationId } = await storedApplication(database, cartId);
    await submit(coded, { signatureCode: await codeFor(applicationId) }, '/agreement');
    const [row] = await storedTransactions(database, cartId);
    const transactions = transactionsWith({ mail: { publicUrl: app.publicUrl, handling: 'sent', operator: testOperator } });
    const schedule = { revision: row!.revision, payments: [{ dueOn: '2030-01-01', amountCents: 80_000 }] } as const;
    await database.write((tx) => transactions.saveSchedule(tx, row!, schedule, now));

    const [letter] = (await noticesOf(cartId)).filter(({ kinds }) => kinds.includes('loan-changed'));
    const events = await deliver(applicationId);
    expect(events.filter((event) => 'noticeId' in event && event.noticeId === letter!.id)).toMatchObject([
      { type: 'notice', kinds: ['loan-changed'], html: expect.stringContaining('has stated these payments') },
      { type: 'notice-delivery', outcome: 'delivered' },
    ]);
  });

  it('whose e-mail is rejected is reported to the lender once, which can write on paper', async () => {
    const { id: cartId, url } = await app.createCart();
    await reachDecision(url, { taxIdLast4: '2001' });
    const { id: applicationId } = await storedApplication(database, cartId);
    const failure = 'The mail server responded with 550';
    const events = await deliver(applicationId, () => ({ statusCode: 550, failure, isPermanent: true }));
    const [notice] = await noticesOf(cartId);
    expect(notice).toMatchObject({ state: 'failed', lastFailure: failure });
    expect(events).toMatchObject([
      { type: 'notice' },
      { type: 'notice-delivery', noticeId: notice!.id, outcome: 'failed', failure },
    ]);
  });

  it('whose e-mail fails for three days is reported after the last attempt', async () => {
    const { id: cartId, url } = await app.createCart();
    await reachDecision(url, { taxIdLast4: '2001' });
    const { id: applicationId } = await storedApplication(database, cartId);
    const events = await deliver(applicationId, () => ({ statusCode: 451, failure: 'busy' }));
    expect(events).toMatchObject([{ type: 'notice' }, { type: 'notice-delivery', outcome: 'failed', failure: 'busy' }]);
  });

  it('whose e-mail waits for another attempt when the buyer withdraws the consent to electronic documents is sent on paper', async () => {
    const { id: cartId, url } = await app.createCart();
    await reachDecision(url, { taxIdLast4: '2001' });
    const { id: applicationId } = await storedApplication(database, cartId);
    let attempts = 0;
    const events = await deliver(applicationId, async () => {
      attempts += 1;
      await withdrawConsent(database, applicationId, 'lender', now);
      return { statusCode: 451, failure: 'busy' };
    });
    expect(attempts).toBe(1);
    expect(events).toMatchObject([{ type: 'notice' }, { type: 'notice-delivery', outcome: 'paper', failure: '' }]);
  });

  describe('behind a code', () => {
    const denied = async () => {
      const { id: cartId, url } = await app.createCart();
      const page = await reachDecision(url, { taxIdLast4: '2001' });
      const [notice] = await noticesOf(cartId);
      const { id: applicationId } = await storedApplication(database, cartId);
      return { page, link: linkIn((await emailOf(notice!.id)).text), code: () => codeFor(applicationId), applicationId };
    };

    it('states nothing about the decision before, and has a link that works after two years, also if the cart was checked out again', async () => {
      const { page, link, code } = await denied();
      const start = now;
      now = plusDays(start, 730);
      const first = await open(link);
      expect(first).toMatchObject({ status: 200, step: 'notice' });
      expect(first.text).toContain('a•••@example.com');
      expect(first.text).not.toMatch(/denied|ada@example\.com/);
      expect(first.headers.get('x-frame-options')).toBe('DENY');
      const opened = await submit(await submit(first, {}, '/code'), { noticeCode: await code() });
      expect(opened.text).toContain('Principal reasons');
      now = start;
      expect((await open(sessionUrl(page))).step).toBe('declined');
    });

    it('sends five codes an hour for each application, however many are sent to the same address', async () => {
      const { link } = await denied();
      const other = await denied();
      for (let count = 0; count < 5; count++) expect((await submit(await open(link), {}, '/code')).status).toBe(200);
      const limited = await submit(await open(link), {}, '/code');
      expect(limited).toMatchObject({ status: 429, step: 'notice' });
      expect(limited.text).toContain('Several codes were sent to you in the last hour.');
      expect((await submit(await open(other.link), {}, '/code')).status).toBe(200);
      const start = now;
      now = plusMs(start, HOUR_MS + 1);
      expect((await submit(await open(link), {}, '/code')).status).toBe(200);
      now = start;
    });

    const outcomesOf = async (applicationId: string, outcomeOf?: () => Outcome) =>
      (await deliver(applicationId, outcomeOf)).flatMap((event) => (event.type === 'notice-delivery' ? [event.outcome] : []));
    /** Runs the job that reports what was not opened. */
    const runJob = (at: Instant) =>
      runCheckoutJob({
        deps: checkoutDeps(database),
        clock: { now: () => at },
        retention: { unfinishedApplicationHours: 24 },
        onError: (thrown) => expect.unreachable(String(thrown)),
      });

    it('is reported as opened once, when it was shown after its code, and not for the requests of a mail scanner', async () => {
      const { link, code, applicationId } = await denied();
      for (const method of ['GET', 'HEAD', 'GET']) expect((await fetch(link, { method })).status).toBe(200);
      const coded = await submit(await open(link), {}, '/code');
      expect(await submit(coded, { noticeCode: '0' })).toMatchObject({ status: 422 });
      expect(await outcomesOf(applicationId)).toEqual(['delivered']);

      for (let count = 0; count < 2; count++) {
        await submit(await submit(await open(link), {}, '/code'), { noticeCode: await code() });
      }
      expect(await outcomesOf(applicationId)).toEqual(['opened']);
      await runJob(plusDays(now, 7));
      expect(await outcomesOf(applicationId)).toEqual([]);
    });

    it('is reported as not opened once after seven days, and as opened if the buyer opens it later', async () => {
      const { link, code, applicationId } = await denied();
      expect(await outcomesOf(applicationId)).toEqual(['delivered']);
      await runJob(plusMs(plusDays(now, 7), -1));
      expect(await outcomesOf(applicationId)).toEqual([]);
      await runJob(plusDays(now, 7));
      await runJob(plusDays(now, 8));
      expect(await outcomesOf(applicationId)).toEqual(['not-opened']);
      await submit(await submit(await open(link), {}, '/code'), { noticeCode: await code() });
      expect(await outcomesOf(applicationId)).toEqual(['opened']);
    });

    it('is not reported as not opened if its e-mail has failed, which was reported', async () => {
      const { applicationId } = await denied();
      const rejected = { statusCode: 550, failure: 'The mail server responded with 550', isPermanent: true };
      expect(await outcomesOf(applicationId, () => rejected)).toEqual(['failed']);
      await runJob(plusDays(now, 7));
      expect(await outcomesOf(applicationId)).toEqual([]);
    });

    it('is not found by another token, nor if the e-mail has the whole notice', async () => {
      const { link } = await denied();
      const { origin, pathname } = new URL(link);
      const flipped = pathname.at(-2) === 'A' ? 'B' : 'A';
      for (const path of [pathname.slice(0, -2) + flipped + pathname.at(-1), '/n/AAAA', '/n/unknown', `${pathname}/code`]) {
        expect(await open(origin + path)).toMatchObject({ status: 404 });
      }
    });
  });

  it('is listed by kind and merchant, and unknown ids are rejected', async () => {
    const list = async (...args: string[]) =>
      JSON.parse((await run('list', '--json', ...args)).stdout[0]!).notices as { kinds: string[] }[];
    for (const kind of ['denial', 'score-disclosure', 'agreement']) {
      const notices = await list('--kind', kind, '--merchant', app.merchantId);
      expect(notices.length).toBeGreaterThan(0);
      for (const { kinds } of notices) expect(kinds).toContain(kind);
    }
    expect((await run('list')).stdout[0]).toMatch(/^id +state +kinds +created +reference +to +last failure$/);
    expect(await run('show', 'unknown')).toMatchObject({ code: 1, stdout: [] });
    expect(await run('list', '--kind', 'other')).toMatchObject({ code: 1, stdout: [] });
  });
});
