/** Home, links and money in the console, as the people of a merchant use them. */
import { expect, it } from 'vitest';
import { addMonths, type CivilDate } from '../../../shared/dates.ts';
import { newId } from '../../../server/base/ids.ts';
import { dateIn } from '../../../server/base/time.ts';
import { importProgram } from '../../../server/lending/programs/import.ts';
import { reconcile } from '../../../server/purchases/settlements/reconcile.ts';
import { changeMerchant } from '../../../server/merchants/merchants.ts';
import { listSecurityEvents } from '../../../server/merchants/security-events.ts';
import { completeCheckoutAndAct, createCart, open, reachAgreement, reachDecision, submit } from '../../support/checkout.ts';
import { type ConsoleBrowser, signIn } from '../../support/console.ts';
import { describeOnEveryEngine } from '../../support/databases.ts';
import { type Page, textOf } from '../../support/page.ts';
import { createProgram } from '../../support/programs.ts';
import { fetchResponse, startService } from '../../support/service.ts';
import { storedDeliveries } from '../../support/stored.ts';

describeOnEveryEngine('The console', async (engine) => {
  const service = await startService(engine);
  const merchant = await service.createMerchant();
  const { merchantId } = merchant;
  const program = createProgram({ id: 'shop', timeZone: 'America/New_York', merchantDiscount: { bps: 290, fixedCents: 30 } });
  await importProgram(service.database, program, [merchantId], { asDefault: true }, service.clock.now());
  const { browser: clerk } = await signIn(service, merchant, 'support');
  const { browser: bookkeeper } = await signIn(service, merchant, 'finance');
  const at = `/console/${merchantId}`;
  /** Returns the text of the number with a label. */
  const tile = (page: Page, label: string) =>
    page
      .texts('li')
      .find((text) => text.startsWith(label))
      ?.slice(label.length)
      .trim();
  /** Returns the cells of the rows of a list. */
  const rowsOf = (page: Page) => {
    const cells = page.texts('td', { role: 'cell' });
    const width = page.texts('th', { role: 'columnheader' }).length;
    return Array.from({ length: cells.length / width }, (_, row) => cells.slice(row * width, (row + 1) * width));
  };
  const create = async (browser: ConsoleBrowser, values: Record<string, string>) =>
    browser.submit(await browser.open(`${at}/links/new`), 'links/new', values);

  it('shows the fields to correct of a new link, and keeps what was typed when an item is added', async () => {
    const empty = await clerk.open(`${at}/links/new`);
    expect([empty.texts('legend'), empty.texts('button')]).toEqual([['Item 1'], expect.arrayContaining(['Add an item'])]);
    const second = await clerk.submit(empty, 'links/new', { more: 'yes' });
    expect(second.texts('legend')).toEqual(['Item 1', 'Item 2']);
    const typed = { name0: '', price0: 'ten', tax: '-1', quantity1: '2', lastDay: 'soon' };
    const invalid = await clerk.submit(second, 'links/new', typed);
    expect(invalid.status).toBe(422);
    expect(invalid.texts('p', { class: 'error' })).toEqual([
      'Enter the name of the item, in at most 200 characters',
      'Enter an amount, such as 1,299.00',
      'Enter the name of the item, in at most 200 characters',
      'Enter an amount, such as 1,299.00',
      'Enter an amount, such as 1,299.00',
      'Enter a day from today on',
    ]);
    const more = await clerk.submit(invalid, 'links/new', { name0: 'Chair', orderRef: '791234567890122', more: 'yes' });
    const fields = more.formFor('links/new')!.fields.map(({ name, value }) => [name, value]);
    expect(Object.fromEntries(fields)).toMatchObject({
      name0: 'Chair',
      price0: 'ten',
      name2: '',
      items: '3',
      // The digits of a card, by chance.
      orderRef: '791234567890122',
    });
    const past = await create(clerk, { name0: 'Chair', price0: '750', lastDay: '2020-01-01' });
    expect([past.status, past.texts('p', { class: 'error' })]).toEqual([422, ['Enter a day from today on']]);
  });

  it('sells by a link: created, shared, opened, signed, and then counted, settled and stated to the cent', async () => {
    const created = await create(clerk, {
      orderRef: 'PHONE-1',
      name0: 'Chair',
      price0: '1,250.50',
      quantity0: '2',
      items: '3',
      name2: 'Cushion',
      price2: '20',
      tax: '79.00',
      shipping: '0',
    });
    expect(created).toMatchObject({ status: 200, heading: 'PHONE-1', faults: [] });
    expect(created.text).toContain('The link was created. Share it with the buyer.');
    const [id] = created.url.split('?')[0]!.split('/').slice(-1);
    const { body: cart } = await merchant.get(`/carts/${id}`);
    expect(cart.options).toMatchObject({
      orderRef: 'PHONE-1',
      items: [
        { name: 'Chair', sku: 'item-1', price: 125_050, quantity: 2 },
        { name: 'Cushion', sku: 'item-3', price: 2_000, quantity: 1 },
      ],
      tax: 7_900,
      shippingOptions: [{ typeId: 'shipping', cost: 0 }],
    });
    const listed = async () => rowsOf(await clerk.open(`${at}/links`))[0]!;
    expect((await listed()).slice(0, 3)).toEqual(['PHONE-1', 'Not opened', '$2,600.00']);

    const wrong = await clerk.submit(created, `${id}/email`, { email: 'ada', name: 'Ada' });
    expect(wrong.texts('p', { class: 'error' })).toEqual(['Enter an e-mail address, such as name@example.com']);
    const sent = await clerk.submit(created, `${id}/email`, { email: 'ada@example.com', name: 'Ada' });
    expect(sent.text).toContain('The sandbox recorded the message and did not send it.');
    const message = (await merchant.get('/sandbox/messages')).body.messages[0];
    await fetchResponse(/http\S+\/u\/\S+/.exec(message.text)![0], { method: 'POST' });
    expect(created.text).toContain('requires the postal address of your store');
    const postalAddress = '12 Elm Street, Springfield, IL 62701';
    await changeMerchant(service.database, 'sandbox', merchantId, { postalAddress }, service.clock.now());
    const again = await clerk.open(created.url);
    expect(again.text).not.toContain('postal address');
    const rejected = await clerk.submit(again, `${id}/email`, { email: 'ada@example.com', name: 'Ada' });
    expect([rejected.status, rejected.texts('div', { role: 'alert' })]).toEqual([
      422,
      ['This person does not want e-mails with links from your store. Nothing was sent. Share the link in another way.'],
    ]);
    await clerk.submit(created, `${id}/text`, { phone: '(555) 010-0100' });
    const messages = (await storedDeliveries(service.database)).filter(({ body }) => body.includes(cart.url));
    expect(messages.map(({ url }) => url).sort()).toEqual(['mailto:ada%40example.com', 'tel:+15550100100']);

    // Only links of users record that they were opened.
    await createCart(merchant);
    const progress = rowsOf(await clerk.open(`${at}/links?of=all&view=open`)).map(([, badge]) => badge);
    expect(progress).toEqual(['Open', 'Not opened']);
    await open(cart.url);
    expect((await listed())[1]).toBe('Opened');
    await submit(await reachAgreement(cart.url));
    expect((await listed())[1]).toBe('Signed');
    expect(rowsOf(await clerk.open(`${at}/links?view=completed`))).toHaveLength(1);
    expect(rowsOf(await clerk.open(`${at}/links?view=open`))).toHaveLength(0);

    const home = await clerk.open(at);
    expect([tile(home, 'To authorize'), tile(home, 'Volume'), tile(home, 'Purchases')]).toEqual([
      '1',
      '$2,600.00 $0.00 before',
      '1 $2,600.00 on average, 0 before',
    ]);
    expect(tile(home, 'Approvals')).toContain('100%');
    const { transactionId } = (await merchant.get(`/carts/${id}`)).body;
    const transaction = transactionId ?? (await merchant.get('/transactions')).body.transactions[0].serviceTransactionId;
    await merchant.fairterm.transactions.authorize(transaction, { merchantOrderId: 'M-1' });
    await merchant.fairterm.transactions.settle(transaction);
    const unsettled = await bookkeeper.open(`${at}/money`);
    expect(tile(unsettled, 'Not settled yet')).toContain('$2,524.30');
    expect(tile(unsettled, 'Not settled yet')).toContain('1 line, after fees of');
    expect((await bookkeeper.submit(unsettled, 'money/settle')).text).toContain('The lines were settled.');

    expect((await clerk.open(`${at}/money`)).status).toBe(403);
    const money = await bookkeeper.open(`${at}/money`);
    expect(rowsOf(money)[0]!.slice(1)).toEqual(['Not paid yet', '$2,600.00', '−$75.70', '$0.00', '$2,524.30']);
    const settlement = await bookkeeper.open(money.links.find((address) => /\/money\/[0-9a-f-]{36}$/.test(address))!);
    expect(rowsOf(settlement)[0]).toEqual(['PHONE-1', 'Purchase', expect.any(String), '$2,600.00', '−$75.70', '$2,524.30']);
    // The lender pays a dollar less, and corrects it.
    const pay = (netCents: number, revisions = [3]) => {
      const row = {
        transactionId: transaction,
        netCents,
        bankReference: 'BANK-1',
        paidOn: '2026-11-27',
        number: 2,
      } as const;
      const rows = revisions.map((revision) => ({ ...row, revision }));
      return reconcile(service.database, rows, { replace: false, now: service.clock.now() });
    };
    await pay(252_330);
    const paidLess = 'another amount was paid for a line';
    for (const address of [`${at}/money`, settlement.url]) {
      const page = await bookkeeper.open(address);
      expect(page.text).toContain(`Paid $2,523.30 on November 27, 2026, expected $2,524.30: ${paidLess}.`);
      expect(page.texts('span')).toContain('Differs');
    }
    await pay(252_430, [3, 9]);
    const otherTransfer = 'Paid on November 27, 2026: the transfer differs from the payouts of its settlements.';
    expect((await bookkeeper.open(settlement.url)).text).toContain(otherTransfer);
    await pay(252_430);
    expect((await bookkeeper.open(settlement.url)).texts('dd')[0]).toBe('Paid');
    const download = async (page: Page) =>
      bookkeeper.download(page.forms.find(({ action }) => new URL(action).pathname.endsWith('/lines.csv'))!);
    const file = await download(settlement);
    expect(file.headers.get('content-disposition')).toMatch(/^attachment; filename="settlement-.*-USD\.csv"$/);
    expect(file.text.split('\r\n')[1]).toContain('PHONE-1,M-1,USD,260000,7570,252430');

    // The first hour of a month in UTC is the last evening of the month before in the time zone of the program.
    await merchant.post('/sandbox/clock', { now: '2026-12-01T01:00:00Z' });
    const shown = await bookkeeper.open(`${at}/money`);
    expect(shown.attribute('input', 'value', { name: 'month' })).toBe('2026-11');
    const current = await bookkeeper.open(`${at}/money/statement`);
    expect(current.text).toContain('November 2026');
    await merchant.post('/sandbox/clock', { now: new Date().toISOString() });

    // Positions that are not in the list are ignored, because people may edit an address.
    for (const address of [`${at}/money?`, `${settlement.url}?`, `${at}/links?of=all&`, `${at}/orders?`]) {
      const first = await bookkeeper.open(address);
      for (const after of ['1', newId(), '%00', 'x'.repeat(300)]) {
        const page = await bookkeeper.open(`${address}after=${after}`);
        expect([address, after, page.status, page.texts('td')]).toEqual([address, after, 200, first.texts('td')]);
      }
    }

    // In the time zone of the program.
    const month = (await bookkeeper.open(`${at}/money`)).attribute('input', 'value', { name: 'month' })!;
    const statement = await bookkeeper.open(`${at}/money/statement?month=${month}`);
    const balance = statement.texts('td', { role: 'cell' }).slice(0, 20);
    expect(Array.from({ length: 5 }, (_, row) => balance.slice(row * 4, row * 4 + 4))).toEqual([
      ['Balance before the month', '', '', '$0.00'],
      ['Purchases, and their fees', '$2,600.00', '−$75.70', '$2,524.30'],
      ['Refunds, and the fees that they return', '$0.00', '$0.00', '$0.00'],
      ['Payouts to your bank', '$0.00', '−$2,524.30', '−$2,524.30'],
      ['Balance after the month', '', '', '$0.00'],
    ]);
    expect(statement.texts('p', { class: 'lead' })[1]).toBe(
      '$2,524.30 of $2,524.30 were transferred to your bank. You sold $2,600.00, less $0.00 of refunds and $75.70 of fees.',
    );
    const lines = await download(statement);
    expect(lines.headers.get('content-disposition')).toBe(`attachment; filename="settlements-${month}.csv"`);
    expect(lines.text).toBe(file.text);
    expect(file.text).toMatch(/^\ufeffsettlementId,/);
    expect((await bookkeeper.open(`${at}/money/statement?month=2026-13`)).status).toBe(404);
    expect((await bookkeeper.open(`${at}/money/statement?month=2020-02`)).text).toContain(
      'There are no settlements in this month.',
    );
  });

  it('shows a merchant without checkouts what to do next, as the role of the person allows, and no chart', async () => {
    const shop = await service.createMerchant();
    const home = `/console/${shop.merchantId}`;
    const { browser: admin } = await signIn(service, shop, 'admin');
    const page = await admin.open(home);
    expect(page.text).toContain('What to do next');
    expect(page.texts('a', { class: 'main' })).toEqual(['Add the button to your shop']);
    expect(page.texts('a', { class: 'quiet' })).toEqual(['Create a link for a buyer', 'Complete what buyers see of you']);
    expect([page.elements('figure').length, page.elements('table').length]).toEqual([0, 0]);
    const { browser: seller } = await signIn(service, shop, 'support');
    expect((await seller.open(home)).texts('a', { class: 'quiet' })).toEqual(['Create a link for a buyer']);
    const { browser: viewer } = await signIn(service, shop, 'viewer');
    const viewed = await viewer.open(home);
    expect([viewed.texts('a', { class: 'button' }), viewed.text.includes('What to do next')]).toEqual([[], false]);
  });

  it('shows the figures of a range with the period before, and the losses between the steps of checkouts', async () => {
    const shop = await service.createMerchant();
    const home = `/console/${shop.merchantId}`;
    await completeCheckoutAndAct(shop, [{ type: 'authorize' }]);
    await createCart(shop);
    const { browser } = await signIn(service, shop, 'viewer');
    const week = await browser.open(`${home}?range=7d`);
    expect(week.texts('h2')).toEqual(['The last 7 days']);
    expect(week.texts('th').slice(-5)).toEqual(['Step', 'Bar', 'Count', 'Loss', 'Before']);
    const cells = (page: Page, count: number) => page.texts('td').slice(-count);
    const steps = cells(week, 30);
    expect([0, 1, 2, 3, 4, 5].map((row) => steps.slice(row * 5, row * 5 + 5))).toEqual([
      ['Started', '', '2', '', '0'],
      ['Applied', '', '1', '−1 (50%)', '0'],
      ['Approved', '', '1', '', '0'],
      ['Signed', '', '1', '', '0'],
      ['Authorized', '', '1', '', '0'],
      ['Settled', '', '0', '−1 (100%)', '0'],
    ]);
    expect(week.text).toContain('are not of the same buyers');
    // Decisions are kept for 30 days: those of the 28 days before are gone, and 12 months have none.
    expect((await browser.open(home)).texts('th').slice(-4)).toEqual(['Step', 'Bar', 'Count', 'Loss']);
    const year = await browser.open(`${home}?range=12m`);
    expect(year.texts('h2')).toEqual(['The last 12 months']);
    expect(year.texts('th').slice(0, 4)).toEqual(['Month', 'Volume', 'Purchases', 'Refunds']);
    expect([year.texts('th').length, year.elements('tr').length]).toEqual([4, 13]);
    expect(year.texts('a', { 'aria-current': 'page' })).toEqual(['Home', '12 months']);
  });

  it('shows settlements and fees by month in each currency, with the twelve months before', async () => {
    const shop = await service.createMerchant();
    const { browser } = await signIn(service, shop, 'finance');
    const home = `/console/${shop.merchantId}/money`;
    expect((await browser.open(home)).elements('figure').length).toBe(0);
    const month = dateIn(service.clock.now(), 'UTC').slice(0, 7);
    const add = (monthsAgo: number, currency: string, grossCents: number, feeCents: number) => {
      const day = addMonths(`${month}-01` as CivilDate, -monthsAgo);
      const received = { receivedCents: null, receivedOn: null, receivedDifference: null, bankReference: null, paidOn: null };
      const row = {
        id: newId(),
        merchantId: shop.merchantId,
        currency,
        day,
        lineCount: 1,
        grossCents,
        feeCents,
        carriedCents: 0,
      };
      const values = { ...row, ...received, createdAt: service.clock.now() };
      return service.database.write((tx) => tx.insertInto('settlements').values(values).execute());
    };
    await add(0, 'USD', 100_000, 2_900);
    await add(11, 'USD', 50_000, 1_450);
    await add(12, 'USD', 100_000, 3_000);
    await add(23, 'USD', 20_000, 600);
    await add(24, 'USD', 70_000, 600);
    await add(1, 'CAD', -500, 0);
    const page = await browser.open(home);
    expect(page.texts('h2')).toEqual(['The last 12 months in CAD', 'The last 12 months in USD']);
    expect(page.texts('li').slice(-3)).toEqual([
      'Gross $1,500.00 +25% from $1,200.00',
      'Fees −$43.50 +21% from −$36.00',
      'Net $1,456.50 +25% from $1,164.00',
    ]);
    const rows = page.elements('figure')[1]!;
    expect(textOf(rows)).toContain('$1,000.00');
    expect(page.texts('figcaption')).toEqual(['Settlements by month', 'Settlements by month']);
  });

  it('finds checkouts without a purchase, with the state of the application and without its reasons, and cancels a link once', async () => {
    const contact = {
      fullName: 'Grace Hopper',
      address: '12 Analytical Way',
      city: 'Springfield',
      state: 'IL',
      zip: '62701',
      email: 'grace@example.com',
      phone: '5550100111',
    };
    const declined = await createCart(merchant, { orderRef: 'SHOP-1', billingContact: contact });
    expect((await reachDecision(declined.url, { taxIdLast4: '2002' })).step).toBe('declined');
    const begun = await createCart(merchant, { orderRef: 'SHOP-2', billingContact: contact });
    await reachAgreement(begun.url);

    const all = await clerk.open((await clerk.open(`${at}/orders`)).links.find((address) => address.includes('of=all'))!);
    expect(
      rowsOf(all)
        .slice(0, 2)
        .map(([name, state]) => [name, state]),
    ).toEqual([
      ['SHOP-2', 'Application'],
      ['SHOP-1', 'Ended'],
    ]);
    expect(rowsOf(await clerk.open(`${at}/links`)).filter(([name]) => name!.startsWith('SHOP'))).toEqual([]);
    expect(rowsOf(await clerk.open(`${at}/links?q=SHOP-1`)).map(([name]) => name)).toEqual(['SHOP-1']);
    expect(rowsOf(await clerk.open(`${at}/links?q=grace@example.com&view=in-progress`)).map(([name]) => name)).toEqual([
      'SHOP-2',
    ]);

    const ended = await clerk.open(`${at}/links/${declined.id}`);
    expect(ended.texts('dd')).toContain('Declined');
    expect(ended.forms.filter(({ action }) => action.includes('/links/'))).toEqual([]);
    const page = await clerk.open(`${at}/links/${begun.id}`);
    expect(page.values).toMatchObject({ email: 'grace@example.com', name: 'Grace Hopper', phone: '5550100111' });
    expect(page.text).toContain(`/carts/${begun.id}/expire`);
    const again = await clerk.open(`${at}/links/${begun.id}`);
    const canceled = await clerk.submit(page, `${begun.id}/cancel`);
    expect(canceled.text).toContain('The link was canceled.');
    expect(canceled.texts('dd').slice(0, 2)).toEqual(['Expired', 'Canceled']);
    expect((await merchant.get(`/carts/${begun.id}`)).body).toMatchObject({ status: 'expired', reason: 'canceled-by-merchant' });
    const twice = await clerk.submit(again, `${begun.id}/cancel`);
    expect([twice.status, twice.texts('div', { class: 'error-summary' }).length]).toEqual([409, 1]);
    const events = await listSecurityEvents(service.database.query, { kind: 'link-canceled', merchantId, limit: 5 });
    expect(events.map(({ details }) => details)).toEqual([{ cartId: begun.id }]);
  });
});
