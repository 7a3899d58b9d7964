import { beforeAll, expect, it } from 'vitest';
import { DAY_MS, instantOf, plusDays, systemClock } from '../../../server/base/time.ts';
import { auditTransactions } from '../../../server/purchases/transactions/audit.ts';
import { copyOf, createCart, open, reachAgreement, sessionUrl, submit } from '../../support/checkout.ts';
import { describeOnEveryEngine } from '../../support/databases.ts';
import { startService, type TestMerchant, type TestService } from '../../support/service.ts';

/** A purchase of $750.00, which the loan pays. */
describeOnEveryEngine('The buyer of a purchase that changes', (engine) => {
  let service: TestService;
  let merchant: TestMerchant;
  beforeAll(async () => {
    service = await startService(engine);
    merchant = await service.createMerchant();
  });

  async function buy(taxIdLast4 = '1001') {
    const cart = await createCart(merchant);
    const agreement = await reachAgreement(cart.url, { taxIdLast4 });
    const signed = await submit(agreement);
    const id = new URL(signed.headers.get('location')!).searchParams.get('transactionId')!;
    const pageUrl = sessionUrl(agreement);
    const copyUrl = await copyOf(await open(pageUrl), service.database);
    return {
      act: async (...actions: object[]) => {
        for (const action of actions) {
          const { status } = await merchant.post(`/transactions/actions/${id}`, action);
          expect(status).toBe(200);
        }
      },
      transaction: async () => (await merchant.get(`/transactions/${id}`)).body,
      page: async () => (await open(pageUrl)).text,
      copy: async () => (await open(copyUrl)).text,
      copyUrl,
      /** The e-mails about this purchase, the latest first, without that about the agreement. */
      loanEmails: async () => {
        const { body } = await merchant.get('/sandbox/messages');
        const messages: { subject: string; text: string }[] = body.messages;
        return messages.filter(({ text }) => text.includes(copyUrl) && !text.includes(`${copyUrl}/agreement.pdf`));
      },
    };
  }
  async function expectNoDifferences() {
    for await (const differences of auditTransactions(service.database.query)) expect(differences).toEqual([]);
  }

  it('reads that there is no loan after a cancellation: on the page, in the agreement and in an e-mail', async () => {
    const { act, transaction, page, copy, loanEmails, copyUrl } = await buy();
    expect(await page()).toContain('Your first payment of');
    const signed = await copy();
    await act({ type: 'authorize' }, { type: 'cancel' });

    const sentence = 'Your order was canceled. There is no loan, and you owe nothing.';
    const shown = await page();
    expect(shown).toContain(sentence);
    expect(shown).not.toContain('Your first payment of');
    expect(shown).not.toContain('How to pay');
    expect(shown).not.toContain('A refund reduces the amount you owe');
    const after = await copy();
    expect(after).toContain(sentence);
    // Without the sentences, the document is the signed one.
    const [before, rest] = signed.split('<main>');
    expect(after.startsWith(`${before}<main>`)).toBe(true);
    expect(after.endsWith(rest!)).toBe(true);
    expect((await fetch(`${copyUrl}/agreement.pdf`)).status).toBe(200);
    expect(await loanEmails()).toMatchObject([
      { subject: 'Your order at Acme Goods was canceled', text: expect.stringContaining(sentence) },
    ]);
    expect(await transaction()).toMatchObject({
      status: 'CANCELED',
      financing: { amount: 75_000, current: { amount: 0, monthly: 0, payments: [], totalOfPayments: 0 } },
    });
    await expectNoDifferences();
  });

  it('reads no portions of the order that are not paid any more', async () => {
    const { act, page } = await buy('1101');
    const portions = /<dt[^>]*>Financed<\/dt>\s*<dd>\$450\.00<\/dd>/;
    expect(await page()).toMatch(portions);
    await act({ type: 'cancel', amount: 20_000 });
    expect(await page()).not.toMatch(portions);
  });

  it('reads that the transaction has expired before the job saves it', async () => {
    const { page, copy, transaction } = await buy();
    service.clock.moveTo(plusDays(systemClock.now(), 7));
    const sentence = 'Your order was not completed in time. There is no loan, and you owe nothing.';
    const texts = [await page(), await copy()];
    expect(await transaction()).toMatchObject({ status: 'EXPIRED' });
    service.clock.moveTo(systemClock.now());
    for (const text of texts) expect(text).toContain(sentence);
  });

  it('pays no interest for the days before a later settlement, and reads the new payments everywhere', async () => {
    const { act, transaction, loanEmails, page, copy } = await buy();
    const { financing: signed } = await transaction();
    await act({ type: 'authorize' });
    service.clock.moveTo(instantOf(Date.now() + 20 * DAY_MS));
    await act({ type: 'settle' });
    service.clock.moveTo(systemClock.now());

    const { current, ...terms } = (await transaction()).financing;
    expect({ ...terms, current: null }).toEqual(signed);
    const [first, second] = current.payments;
    expect(current).toMatchObject({ amount: 75_000, monthly: signed.monthly, calculatedBy: 'service' });
    expect(first.dueDate).toBe(signed.firstPaymentDue);
    expect(first.amount).toBeLessThan(signed.monthly);
    expect(second.amount).toBe(signed.monthly);
    const amount = `1 payment of $${(first.amount / 100).toFixed(2)}`;
    const [loanEmail] = await loanEmails();
    expect(loanEmail!.subject).toBe('The payments for your order at Acme Goods');
    for (const text of [await page(), await copy(), loanEmail!.text]) {
      expect(text).toContain('and you pay no interest for the time before.');
      expect(text).toContain(amount);
    }
    // The document is what was signed.
    expect(await copy()).toContain('Interest starts on the day when Fairterm Lending pays Acme Goods for the order');
    expect(await page()).not.toContain('Your first payment of');
    await expectNoDifferences();
  });
});
