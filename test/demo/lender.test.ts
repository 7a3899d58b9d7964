/** The reference lender with the real client of the service, and its page. */
import { once } from 'node:events';
import { request as rawRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import type { Browser } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { createLender } from '../../demo/lender/lender.ts';
import { type Agreement, type Event, scheduleOf, startsLater } from '../../demo/lender/loan.ts';
import { lenderIn } from '../../server/config/lender.ts';
import { sampleLoan, sampleRequest } from '../../server/lenders/check/samples.ts';
import type { CreditRequest, Lender } from '../../server/lenders/lender.ts';
import { sandboxLender, testBuyers } from '../../server/lenders/sandbox-lender.ts';
import { expectAccessible, openPage, startBrowser } from '../support/browser.ts';
import { createCart, reachAgreement, submit } from '../support/checkout.ts';
import { onCleanup } from '../support/cleanup.ts';
import { SECRET } from '../support/lenders.ts';
import { startService } from '../support/service.ts';
import { storedApplication } from '../support/stored.ts';
import { until } from '../support/time.ts';
import { createRemoteLender } from '../server/lenders/credit-request.ts';

let url: string;
beforeAll(async () => {
  const server = createLender([SECRET]).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onCleanup(() => {
    server.close();
    server.closeAllConnections();
  });
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
const endpoint = () => lenderIn({ LENDER_URL: url, LENDER_SECRET: SECRET }, 'sandbox')!;

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

  it('responds to an agreement as the sandbox’s lender does for each test buyer, with its own loan number', async () => {
    const { lender } = createRemoteLender({ endpoint: endpoint() });
    for (const digits of ['1001', '6001', '6002']) {
      const request = sampleRequest(digits);
      const loan = sampleLoan(request, { tierId: 'A' });
      const sandbox = sandboxLender();
      const outcomeBy = async (other: Lender) => {
        await other.decide(request);
        return other.accept(loan).then(
          (acceptance) => (acceptance.outcome === 'accepted' ? acceptance.outcome : acceptance),
          (thrown: Error) => thrown.name,
        );
      };
      expect([digits, await outcomeBy(lender)]).toEqual([digits, await outcomeBy(sandbox)]);
    }
    const loan = sampleLoan(sampleRequest('1001'), { tierId: 'A' });
    await lender.decide({ ...sampleRequest('1001'), requestId: loan.requestId });
    expect(await lender.accept(loan)).toEqual({ outcome: 'accepted', loanNumber: expect.stringMatching(/^RL-\d{6}$/) });
  });

  it('leaves the payments to the service if the order ships after the signature, unless interest starts with the signature', () => {
    const loan = sampleLoan(sampleRequest('1001'), { tierId: 'A' }) as unknown as Agreement;
    const signed = { ...loan, disclosure: { ...loan.disclosure, date: '2026-03-01', interestFrom: 'settlement' } };
    const settled = { id: '1', applicationId: '1', type: 'settled', sequence: 1, at: '' };
    const isLater = (settledOn: string, agreement = signed) => startsLater(agreement, [{ ...settled, settledOn }]);

    expect([isLater('2026-03-01'), isLater('2026-03-02'), startsLater(signed, [])]).toEqual([false, true, false]);
    const fromSignature = { ...signed, disclosure: { ...signed.disclosure, interestFrom: 'signature' } };
    expect(isLater('2026-03-02', fromSignature)).toBe(false);
  });

  it('keeps the schedule of the agreement, and recasts it for what is still financed', () => {
    const loan = sampleLoan(sampleRequest('1001'), { tierId: 'A' }) as unknown as Agreement;
    const after = (financedCents: number) =>
      scheduleOf(loan, [{ id: '1', applicationId: '1', type: 'refunded', sequence: 1, at: '', financedCents } satisfies Event]);
    const { payments } = loan.disclosure;

    expect(scheduleOf(loan, [])).toBe(payments);
    expect(after(75_000)).toBe(payments);
    expect(after(0)).toEqual([]);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 74_999 }), (financedCents) => {
        const left = after(financedCents);
        expect(left.reduce((sum, { principalCents }) => sum + principalCents, 0)).toBe(financedCents);
        expect(left.every(({ paymentCents }) => paymentCents > 0)).toBe(true);
      }),
    );
    const recast = after(50_000);
    expect(recast.map(({ dueOn }) => dueOn)).toEqual(payments.map(({ dueOn }) => dueOn));
    expect(recast.reduce((sum, { principalCents }) => sum + principalCents, 0)).toBe(50_000);
    expect(recast.at(-1)!.balanceCents).toBe(0);
    expect(Math.abs(recast[0]!.paymentCents - (payments[0]!.paymentCents * 2) / 3)).toBeLessThanOrEqual(1);
  });
});

describe('The page of the reference lender', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });

  it('lists a loan with its schedule and its events after a purchase, without the buyer’s name', async () => {
    const service = await startService(undefined, { lender: endpoint() });
    const merchant = await service.createMerchant();
    const cart = await createCart(merchant);
    await submit(await reachAgreement(cart.url));
    const { paymentAgreements } = await storedApplication(service.database, cart.id);
    const { transactionId } = paymentAgreements[0]!;
    const { transactions } = merchant.fairterm;
    await transactions.authorize(transactionId!, { merchantOrderId: 'M-1' });
    await transactions.settle(transactionId!);
    await transactions.refund(transactionId!, { amount: 25_000 });
    const { financing } = await transactions.retrieve(transactionId!);
    const page = await until(async () => {
      const text = await (await fetch(url)).text();
      return text.includes('refunded') && text;
    });
    expect(page).toContain(financing!.loanNumber);
    // The service shows the schedule with which the lender responded to the refund.
    const current = await until(async () => {
      const { financing: changed } = await transactions.retrieve(transactionId!);
      return JSON.stringify(changed).includes('2307') && changed;
    });
    expect(current).toMatchObject({ loanNumber: financing!.loanNumber, current: expect.any(Object) });
    expect(page).not.toMatch(/Lovelace|Ada\b/);

    for (const { width, colorScheme } of [
      { width: 390, colorScheme: 'light' },
      { width: 1_280, colorScheme: 'dark' },
    ] as const) {
      const { page: shown, problems } = await openPage(browser, { viewport: { width, height: 900 }, colorScheme });
      await shown.goto(url);
      const section = shown.getByRole('region', { name: financing!.loanNumber!, exact: true });
      expect(await section.getByRole('rowheader').allTextContents()).toEqual(
        expect.arrayContaining(['authorized', 'settled', 'refunded']),
      );
      expect(await section.getByRole('heading', { level: 3 }).allTextContents()).toEqual(['Events', 'Schedule, recast']);
      expect(await section.locator('dd').allTextContents()).toContain('$500.00');
      expect(await shown.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth)).toBe(true);
      await expectAccessible(shown);
      expect(problems).toEqual([]);
    }
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
