/** Down payments, which are paid by card, and the amounts and payment instructions that the pages state. */
import { describe, expect, it } from 'vitest';
import { importProgram } from '../../../../server/lending/programs/import.ts';
import { systemClock } from '../../../../server/base/time.ts';
import { startApp } from '../../../support/app.ts';
import { createCart, open, type Page, reachDecision, sessionUrl, submit } from '../../../support/checkout.ts';
import { createDatabase } from '../../../support/databases.ts';
import { createFee, createProgram } from '../../../support/programs.ts';
import { startService } from '../../../support/service.ts';
import { storedApplication, storedDeliveries } from '../../../support/stored.ts';

const servicing = {
  name: 'Acme Servicing',
  payUrl: 'https://pay.example/',
  address: '1 Loan Road, Dover, DE 19901',
  phone: '1-800-555-0199',
};
const program = createProgram({
  version: 2,
  downPayment: { percentBps: 1_000 },
  fees: [createFee({ flatCents: 2_000 })],
  servicing,
});

const textOf = ({ text }: Pick<Page, 'text'>) =>
  text
    .replace(/<(style|script)[^]*?<\/\1>/g, '')
    .replace(/<(a|bdi class="phone")[^>]*>([^<]*)<\/(a|bdi)>/g, '$2')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ');

const service = await startService();
const merchant = await service.createMerchant();
await importProgram(service.database, program, [merchant.merchantId], { asDefault: false }, service.clock.now());

describe('A down payment of 10 % of $750.00', () => {
  async function reach(count: number, over: Record<string, string> = {}): Promise<Page> {
    let page = await open((await createCart(merchant)).url);
    for (let steps = 0; steps < count; steps++) page = await submit(page, over);
    return page;
  }

  it('is paid by card: the plans, the card, the agreement, the copy and the e-mail state the same amounts', async () => {
    const plans = await reach(2);
    expect(textOf(plans)).toContain('You’re approved for $675.00');
    expect(textOf(plans)).toContain(
      'You pay the remaining $75.00 by card. This includes the down payment of $75.00. Choose a plan, then the card. Nothing is charged today, and nothing is final until you sign.',
    );
    expect(textOf(plans)).toContain(
      'The payments repay $695.00: the $675.00 that you are approved for, and an origination fee of $20.00.',
    );
    expect(textOf(plans)).toMatch(/Total \$750\.00 Financed \$675\.00 By card \$75\.00/);
    const card = await submit(plans);
    expect(card.step).toBe('card');
    expect(textOf(card)).toContain('finances $675.00 of your order. You pay the remaining $75.00 by card.');
    const agreement = await submit(card, { card: 'tok_visa' });
    expect(textOf(agreement)).toContain('Purchase $750.00 Less down payment, paid by card −$75.00 Paid with the loan $675.00');
    expect(textOf(agreement)).toContain('Amount financed $675.00 The amount of credit provided to you or on your behalf');
    expect(textOf(agreement)).toContain('$75.00 of your order is paid by Visa 4242.');
    const completed = await open(sessionUrl(await submit(agreement)));
    expect(textOf(completed)).toContain('Paid by card $75.00, Visa 4242');
    const { body } = await merchant.get('/sandbox/messages');
    const copy = await open(service.publicUrl + /\/a\/[\w-]{22}/.exec(JSON.stringify(body))![0]);
    expect(textOf(copy)).toContain(
      'Of this, $675.00 is financed under this agreement. The remaining $75.00 is paid by Visa 4242',
    );
    expect(JSON.stringify(body)).toContain('$75.00, Visa 4242');

    for (const page of [plans, card, agreement, completed, copy]) expect(textOf(page)).not.toMatch(/due today/i);
    const payments =
      'Make your payments to Acme Servicing at https://pay.example/, by mail to 1 Loan Road, Dover, DE 19901, or by phone at 1-800-555-0199.';
    for (const page of [agreement, completed, copy]) expect(textOf(page)).toContain(payments);
    expect(JSON.stringify(body)).toContain(payments);
  });

  it('is held when the merchant authorizes the purchase, and the loan is reduced before it', async () => {
    const { id } = await createCart(merchant);
    const { transactionId } = await merchant.fairterm.sandbox.checkout({ cartId: id });
    await merchant.fairterm.transactions.authorize(transactionId, {});
    await merchant.fairterm.transactions.settle(transactionId);
    await merchant.fairterm.transactions.refund(transactionId, { amount: 70_000 });

    const deliveries = await storedDeliveries(service.database);
    const operations = deliveries.filter(({ channel }) => channel === 'card');
    expect(operations.map(({ body }) => JSON.parse(body) as unknown)).toEqual([
      expect.objectContaining({ type: 'capture', reference: 'tok_visa', amountCents: 7_500 }),
      expect.objectContaining({ type: 'refund', reference: 'tok_visa', amountCents: 2_500 }),
    ]);
  });

  it('is added to the part of the order that the lender does not finance', async () => {
    const plans = await reach(2, { taxIdLast4: '1101' });
    expect(textOf(plans)).toContain('You’re approved for $405.00');
    expect(textOf(plans)).toContain('You pay the remaining $345.00 by card. This includes the down payment of $45.00.');
  });

  it.each([
    ['a full approval', '1001', 'en'],
    ['a full approval, in Spanish', '1001', 'es'],
    ['a counteroffer', '1101', 'en'],
    ['a counteroffer, in Spanish', '1101', 'es'],
  ])(
    'is stated by the notice of %s as by its page, with the amount financed and the rest by card',
    async (_title, taxIdLast4, language) => {
      const url = `${(await createCart(merchant)).url}?lang=${language}`;
      const plans = await submit(await submit(await open(url)), { taxIdLast4 });
      const lead = /<p class="lead">([^]*?)<\/p>/.exec(plans.text)![1]!;
      const amounts = `${plans.heading} ${lead}`.match(/\$[\d,.]*\d/g)!;
      expect(amounts).toHaveLength(3);
      const [email] = (await storedDeliveries(service.database))
        .filter(({ channel }) => channel === 'email')
        .slice(-1)
        .map(({ body }) => {
          // The notice of a counteroffer has reasons, so the e-mail links to it.
          const { text, notice } = JSON.parse(body) as { text: string; notice: { html?: string } };
          return notice.html === undefined ? text : textOf({ text: notice.html });
        });
      expect(email!.match(/\$[\d,.]*\d/g)).toEqual(expect.arrayContaining(amounts));
      // The sentence about the card is the same, without what follows on the page.
      expect(email).toContain(lead.split('. ').slice(0, 2).join('. ').trim());
    },
  );

  it('prevents authorization if the card is declined', async () => {
    const { id } = await createCart(merchant);
    const { transactionId } = await merchant.fairterm.sandbox.checkout({ cartId: id, outcome: 'remainder-declined' });
    const { status, text } = await merchant.post(`/transactions/actions/${transactionId}`, { type: 'authorize' });
    expect(status).toBe(500);
    expect(text).toContain('authorizing the credit card portion');
  });
});

it('The lender of a program with a down payment gets no application without a card gateway', async () => {
  const database = await createDatabase();
  const app = await startApp(database, { cards: undefined });
  await importProgram(database, program, [app.merchantId], { asDefault: false }, systemClock.now());
  const cart = await app.createCart();
  const page = await reachDecision(cart.url);
  expect(page.buttonLinks).toContain('https://shop.example/');
  expect(await storedApplication(database, cart.id)).toMatchObject({ status: 'STARTED', requestId: null });
});
