/** The reference lender with the real client of the service, and its page. */
import { hash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { request as rawRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import fc from 'fast-check';
import type { Browser } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { Book, createLender } from '../../demo/lender/lender.ts';
import { type Event, type Loan, type Payment, scheduleOf } from '../../demo/lender/loan.ts';
import { canonicalJson } from '../../shared/disclosure/canonical-json.ts';
import { addDays, type CivilDate } from '../../shared/dates.ts';
import { chargesOf, recast } from '../../shared/recast.ts';
import { faultOfSchedule } from '../../server/lending/lenders/schedule.ts';
import { campaign } from '../support/campaign.ts';
import { remoteLoanBook } from '../../server/lending/lenders/loan-book.ts';
import { lenderIn } from '../../server/base/config/lender.ts';
import type { SentEvent } from '../../server/lending/lenders/events.ts';
import { feeProgram, sampleEvents, sampleLoan, sampleRequest } from '../../server/lending/lenders/check/samples.ts';
import type { CreditRequest, Lender } from '../../server/lending/lenders/lender.ts';
import { sandboxLender, testBuyers } from '../../server/lending/lenders/sandbox-lender.ts';
import { expectAccessible, openPage, startBrowser } from '../support/browser.ts';
import { createCart, reachAgreement, submit } from '../support/checkout.ts';
import { onCleanup } from '../support/cleanup.ts';
import { SECRET, signatureOf } from '../support/lenders.ts';
import { temporaryFolder } from '../support/packages.ts';
import { startService } from '../support/service.ts';
import { storedApplication } from '../support/stored.ts';
import { until } from '../support/time.ts';
import { createRemoteLender } from '../server/lending/lenders/credit-request.ts';

/** Starts the lender, and returns its URL. */
async function start(secrets: readonly string[], book?: Book): Promise<string> {
  const server = createLender(secrets, Date.now, book).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onCleanup(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

let url: string;
beforeAll(async () => {
  url = await start([SECRET]);
});
const endpoint = (secret = SECRET, at = url) => lenderIn({ LENDER_URL: at, LENDER_SECRET: secret }, 'sandbox')!;

describe('The reference lender', () => {
  const variants: [title: string, changes: Partial<CreditRequest>][] = [
    ['an order of $750', {}],
    ['an order of $60', { amountCents: 6_000 }],
    ['an order of $12,345.67 in Spanish', { amountCents: 1_234_567, language: 'es' }],
    ['an order that nothing can pay in part', { partialApproval: false }],
    ['an order that only tier B has a plan for', { hasPlan: (tierId) => tierId === 'B' }],
  ];
  it.each(variants)('decides exactly as the sandbox’s lender about %s of each test buyer', async (_title, changes) => {
    const { lender } = createRemoteLender({ endpoint: endpoint() });
    for (const digits of [...testBuyers.map(({ taxIdLast4 }) => taxIdLast4), '9999']) {
      const request = sampleRequest(digits, changes);
      const outcomeBy = (other: Lender) =>
        other.decide(request).then(
          (decision) =>
            decision.outcome === 'approved' ? { ...decision, coveredBorrower: decision.coveredBorrower ?? false } : decision,
          (thrown: Error) => thrown.name,
        );
      expect([digits, await outcomeBy(lender)]).toEqual([digits, await outcomeBy(sandboxLender())]);
    }
  });

  it('accepts the signatures of two secrets during a rotation, and of no other', async () => {
    const [other, unknown] = ['another secret of thirty-two b.', 'unknown secret of thirty-two b.'].map(
      (text) => `whsec_${Buffer.from(text).toString('base64')}`,
    ) as [string, string];
    const rotating = await start([other, SECRET]);
    const decideWith = (secret: string) =>
      createRemoteLender({ endpoint: endpoint(secret, rotating) }).lender.decide(sampleRequest('1001', {}));
    for (const secret of [other, SECRET]) expect(await decideWith(secret)).toMatchObject({ outcome: 'approved' });
    await expect(decideWith(unknown)).rejects.toThrow();
  });

  it('responds to an agreement as the sandbox’s lender does for each test buyer, with its own loan number', async () => {
    const { lender } = createRemoteLender({ endpoint: endpoint() });
    for (const digits of ['1001', '6001', '6002']) {
      const request = sampleRequest(digits);
      const loan = sampleLoan(request, { tierId: 'A' });
      const sandbox = sandboxLender();
      const outcomeBy = async (other: Lender) => {
        await other.decide(request);
        return other.accept(loan, request.program).then(
          (acceptance) => (acceptance.outcome === 'accepted' ? acceptance.outcome : acceptance),
          (thrown: Error) => thrown.name,
        );
      };
      expect([digits, await outcomeBy(lender)]).toEqual([digits, await outcomeBy(sandbox)]);
    }
    const loan = sampleLoan(sampleRequest('1001'), { tierId: 'A' });
    await lender.decide({ ...sampleRequest('1001'), requestId: loan.requestId });
    expect(await lender.accept(loan, {})).toEqual({ outcome: 'accepted', loanNumber: expect.stringMatching(/^RL-\d{6}$/) });
  });

  it('has its loans and applications when it is started again, without data about buyers', async () => {
    const file = join(temporaryFolder(), 'book.json');
    const restarted = async () => createRemoteLender({ endpoint: endpoint(SECRET, await start([SECRET], new Book(file))) });
    const request = sampleRequest('1001');
    const loan = sampleLoan(request, { tierId: 'A' });
    const before = (await restarted()).lender;
    await before.decide(request);
    const between = (await restarted()).lender;
    const acceptance = await between.accept(loan, request.program);
    await between.record(sampleEvents(loan)[0]!);

    const after = await restarted();
    expect(await after.lender.accept(loan, request.program)).toEqual(acceptance);
    expect(await remoteLoanBook(after).page(undefined)).toMatchObject([{ transactionId: loan.transactionId, revision: 2 }]);
    const text = readFileSync(file, 'utf8');
    expect(text).toContain(loan.transactionId);
    for (const personal of ['Ada', 'Lovelace', 'ada@example.com', '1001', '1990', 'html', '192.0.2.1'])
      expect(text).not.toContain(personal);
  });

  it.each<[title: string, text: string, isSigned: boolean, status: number]>([
    ['malformed and not signed', '{', false, 401],
    ['not JSON', '{', true, 400],
    ['empty', '', true, 400],
    ['nested too deeply', `{"amountCents":${'['.repeat(50_000)}${']'.repeat(50_000)}}`, true, 400],
    ['larger than 4 MB', JSON.stringify('x'.repeat(4_200_000)), true, 413],
  ])('rejects a request that is %s', async (_title, text, isSigned, status) => {
    const headers = { 'content-type': 'application/json', ...(isSigned && signatureOf('1', text)) };
    const response = await fetch(`${url}/decisions`, { method: 'POST', headers, body: text });
    expect([response.status, response.headers.get('webhook-signature')]).toEqual([status, null]);
  });

  const loanAfter = (event: Partial<Event>, terms = {}): Loan => {
    const { disclosure, ...loan } = sampleLoan(sampleRequest('1001'), { tierId: 'A' });
    const agreement = { ...loan, transactionId: loan.transactionId, disclosure: { ...disclosure, ...terms } };
    return { number: '1', agreement, events: [{ id: '1', applicationId: '1', type: 'refunded', sequence: 1, at: '', ...event }] };
  };

  it('leaves the payments to the service if the order ships after the signature, unless interest starts with the signature', () => {
    const terms = { date: '2026-03-01', interestFrom: 'settlement' };
    const isLeft = (event: Partial<Event>, changes = {}) => scheduleOf(loanAfter(event, { ...terms, ...changes })) === undefined;

    expect([isLeft({ settledOn: '2026-03-01' }), isLeft({ settledOn: '2026-03-02' }), isLeft({})]).toEqual([false, true, false]);
    expect(isLeft({ settledOn: '2026-03-02' }, { interestFrom: 'signature' })).toBe(false);
  });

  it('keeps the schedule of the agreement, and recasts it for what is still financed', () => {
    const after = (cents: number) => scheduleOf(loanAfter({ revision: 2, financedCents: cents, principalCents: cents }))!;
    const principalOf = (payments: readonly Payment[]) =>
      payments.reduce((sum, { paymentCents, interestCents }) => sum + paymentCents - interestCents, 0);
    const unchanged = loanAfter({});
    const { payments } = unchanged.agreement.disclosure;

    expect(scheduleOf(unchanged)).toBe(payments);
    expect(after(75_000)).toEqual(payments);
    expect(after(0)).toEqual([]);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 74_999 }), (financedCents) => {
        const left = after(financedCents);
        expect(principalOf(left)).toBe(financedCents);
        expect(left.every(({ paymentCents }) => paymentCents > 0)).toBe(true);
      }),
    );
    const reduced = after(50_000);
    expect(reduced.map(({ dueOn }) => dueOn)).toEqual(payments.map(({ dueOn }) => dueOn));
    expect(principalOf(reduced)).toBe(50_000);
    expect(reduced.at(-1)!.balanceCents).toBe(0);
    expect(Math.abs(reduced[0]!.paymentCents - (payments[0]!.paymentCents * 2) / 3)).toBeLessThanOrEqual(1);
  });

  it('states schedules that the service uses, whatever is canceled and refunded', () => {
    const share = fc.double({ min: 0.01, max: 1, noNaN: true });
    const example = fc.record({
      cents: fc.integer({ min: 5_000, max: 2_000_000 }),
      canceled: share,
      refunded: share,
      days: fc.nat(900),
      hasFees: fc.boolean(),
      feeRefundDays: fc.constantFrom(0, 90),
    });
    fc.assert(
      fc.property(example, ({ cents, canceled, refunded, days, hasFees, feeRefundDays }) => {
        const program = hasFees ? feeProgram : sampleRequest('1001').program;
        const sold = { ...program, prepayment: { ...program.prepayment, feeRefundDays } };
        const signed = sampleLoan(sampleRequest('1001', { amountCents: cents, program: sold }), { tierId: 'A' });
        const { disclosure } = signed;
        const settledOn = disclosure.date;
        const on = addDays(settledOn, days);
        const lines = [{ cents: Math.ceil((cents * canceled) / 2), on: undefined }];
        const madeCents = cents - lines[0]!.cents;
        const reductions = [...lines, { cents: Math.ceil(madeCents * refunded), on }];
        const stateAfter = (count: number) => {
          const { terms } = recast(disclosure, reductions.slice(0, count), settledOn);
          const { feeCents, aprBps } = chargesOf(terms, disclosure.firstPeriod);
          const { amountFinancedCents: financedCents } = terms;
          return { id: '1', applicationId: '1', sequence: 1, financedCents, principalCents: financedCents + feeCents, aprBps };
        };
        const events: Event[] = [
          { ...stateAfter(1), type: 'canceled', status: 'AUTHORIZED', at: settledOn },
          { ...stateAfter(1), type: 'settled', status: 'SETTLED', at: settledOn, settledOn },
          { ...stateAfter(2), type: 'refunded', status: 'SETTLED', at: on },
        ];
        const faultAfter = (count: number, isInRepayment: boolean) => {
          const made = reductions.slice(0, isInRepayment ? 2 : 1);
          const payments = scheduleOf({ number: '1', agreement: signed, events: events.slice(0, count) })!.map(
            ({ dueOn, paymentCents: amountCents }) => ({ dueOn: dueOn as CivilDate, amountCents }),
          );
          const known = recast(disclosure, made, isInRepayment ? settledOn : undefined).payments.map(
            ({ dueOn, paymentCents: amountCents }) => ({ dueOn, amountCents }),
          );
          const loan = {
            disclosure,
            reductions: made,
            settledOn: isInRepayment ? settledOn : undefined,
            isInRepayment,
            payments: known,
          };
          return faultOfSchedule({ payments }, { ...loan, on: isInRepayment ? on : settledOn });
        };
        expect([faultAfter(1, false), faultAfter(3, true)]).toEqual([undefined, undefined]);
      }),
      campaign(300),
    );
  });
});

describe('The page of the reference lender', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });

  it('lists a loan, and shows it with its schedule, balance and events after a purchase, without the buyer’s name', async () => {
    const service = await startService(undefined, { lender: endpoint() });
    const merchant = await service.createMerchant();
    const cart = await createCart(merchant);
    await submit(await reachAgreement(cart.url));
    const { paymentAgreements } = await storedApplication(service.database, cart.id);
    const { transactionId } = paymentAgreements[0]!;
    const { transactions } = merchant.fairterm;
    await transactions.authorize(transactionId, { merchantOrderId: 'M-1' });
    await transactions.settle(transactionId);
    await transactions.refund(transactionId, { amount: 25_000 });
    const { financing } = await transactions.retrieve(transactionId);
    const loanNumber = financing!.loanNumber!;
    const address = `${url}/loans/${loanNumber}`;
    const page = await until(async () => {
      const text = await (await fetch(address)).text();
      return text.includes('refunded') && text;
    });
    // The pages load themselves again.
    for (const shown of [url, address]) expect((await fetch(shown)).headers.get('refresh')).toBe('10');
    expect((await fetch(`${url}/loans/RL-999999`)).status).toBe(404);
    // The service shows the schedule with which the lender responded to the refund.
    const current = await until(async () => {
      const { financing: changed } = await transactions.retrieve(transactionId);
      return changed?.current?.calculatedBy === 'lender' && changed;
    });
    expect(current).toMatchObject({ loanNumber, current: { amount: 50_000, monthly: 2_308 } });
    expect(page).not.toMatch(/Lovelace|Ada\b/);

    for (const { width, colorScheme } of [
      { width: 390, colorScheme: 'light' },
      { width: 1_280, colorScheme: 'dark' },
    ] as const) {
      const { page: shown, problems } = await openPage(browser, { viewport: { width, height: 900 }, colorScheme });
      await shown.goto(url);
      const expectFits = async () => {
        const fits = () => document.documentElement.scrollWidth <= document.documentElement.clientWidth;
        expect(await shown.evaluate(fits)).toBe(true);
        await expectAccessible(shown);
      };
      const row = shown.getByRole('row').filter({ hasText: loanNumber });
      expect((await row.innerText()).split('\t').map((cell) => cell.trim())).toEqual(
        expect.arrayContaining([loanNumber, 'SETTLED', '$500.00']),
      );
      await expectFits();

      await row.getByRole('link').click();
      expect(await shown.getByRole('rowheader').allTextContents()).toEqual(
        expect.arrayContaining(['authorized', 'settled', 'refunded']),
      );
      expect(await shown.getByRole('heading', { level: 2 }).allTextContents()).toEqual(['Events', 'Schedule, recast']);
      expect(await shown.locator('dd').allTextContents()).toContain('$500.00');
      // The table of the schedule has the values of the curve.
      const figure = shown.getByRole('figure');
      expect(await figure.innerText()).toMatch(/^The balance falls from \$500\.00 to \$0\.00 with \d+ payments/);
      expect(await figure.locator('path').count()).toBe(1);
      await expectFits();
      expect(problems).toEqual([]);
    }
  });

  it('leaves out the schedule of a loan whose payments the service calculates, because the order shipped after the signature', async () => {
    const { lender } = createRemoteLender({ endpoint: endpoint() });
    const request = sampleRequest('1001');
    const signed = sampleLoan(request, { tierId: 'A' });
    const disclosure = { ...signed.disclosure, date: addDays(signed.disclosure.date, -10) };
    const loan = { ...signed, disclosure, disclosureHash: hash('sha256', canonicalJson(disclosure)) };
    await lender.decide(request);
    const acceptance = await lender.accept(loan, {});
    const { loanNumber } = acceptance as { loanNumber: string };
    const pageAfter = async (event: SentEvent) => {
      const receipt = await lender.record(event);
      return { receipt, page: await (await fetch(`${url}/loans/${loanNumber}`)).text() };
    };
    const [authorized, canceled, settled, refunded] = sampleEvents(loan);

    expect((await pageAfter(authorized!)).page).toContain(`Schedule of ${loanNumber}`);
    expect((await pageAfter(canceled!)).receipt).toHaveProperty('schedule');
    for (const event of [settled!, refunded!]) {
      const { receipt, page } = await pageAfter(event);
      expect(receipt).toEqual({ outcome: 'recorded' });
      expect(page).toContain('Fairterm calculates the payments');
      expect(page).not.toContain(`Schedule of ${loanNumber}`);
    }
    expect((await pageAfter(refunded!)).page).toContain('$675.00');
  });

  it('lists 50 loans at a time in less than 40 kB, the latest first', async () => {
    const book = new Book();
    const agreement = { ...sampleLoan(sampleRequest('1001'), { tierId: 'A' }) };
    const decision = { outcome: 'approved', tierId: 'A' };
    const numbers = Array.from({ length: 120 }, (_, index) => `RL-${String(index + 1).padStart(6, '0')}`);
    for (const number of numbers) {
      book.loans.set(number, { number, agreement, events: [] });
      const application = {
        amountCents: 75_000,
        merchantName: agreement.merchant.name,
        decision,
        fault: undefined,
        receivedMs: 0,
      };
      book.applications.set(number, application);
    }
    const at = await start([SECRET], book);
    const listed: string[] = [];
    let next: string | undefined = '/';
    while (next !== undefined) {
      const text: string = await (await fetch(at + next)).text();
      expect(Buffer.byteLength(text)).toBeLessThan(40_000);
      listed.push(...[...text.matchAll(/href="\/loans\/(RL-\d+)"/g)].map(([, number]) => number!));
      next = /href="(\/\?before=[^"]+)"/.exec(text)?.[1];
    }
    expect(listed).toEqual(numbers.toReversed());
  });

  it('is not shown under the host name of another site', async () => {
    const statusFor = async (host: string) => {
      const sent = rawRequest(url, { headers: { host } }).end();
      const [response] = await once(sent, 'response');
      response.resume();
      return response.statusCode;
    };
    expect([await statusFor('bank.example'), await statusFor('localhost:4002')]).toEqual([403, 200]);
  });
});
