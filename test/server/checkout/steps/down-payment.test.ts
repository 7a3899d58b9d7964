/** Down payments, which are paid by card, and the amounts and payment instructions that the pages state. */
import { describe, expect, it } from 'vitest';
import { importProgram } from '../../../../server/lending/programs/import.ts';
import { systemClock } from '../../../../server/base/time.ts';
import { startApp } from '../../../support/app.ts';
import { createCart, open, type Page, reachDecision, sessionUrl, submit } from '../../../support/checkout.ts';
import { createDatabase } from '../../../support/databases.ts';
import { createFee, createProgram } from '../../../support/programs.ts';
import { startService } from '../../../support/service.ts';
import { storedApplication } from '../../../support/stored.ts';

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

  it('is added to the part of the order that the lender does not finance', async () => {
    const plans = await reach(2, { taxIdLast4: '1101' });
    expect(textOf(plans)).toContain('You’re approved for $405.00');
    expect(textOf(plans)).toContain('You pay the remaining $345.00 by card. This includes the down payment of $45.00.');
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
