import { describe, expect, it } from 'vitest';
import { importProgram } from '../../../../server/lending/programs/import.ts';
import { addSettlement } from '../../../../server/purchases/settlements/store.ts';
import { newId } from '../../../../server/base/ids.ts';
import type { CivilDate } from '../../../../shared/dates.ts';
import { createProgram } from '../../../support/programs.ts';
import { startService, type TestMerchant } from '../../../support/service.ts';

const service = await startService();

/** Creates a merchant whose purchases of $750.00 have a down payment by card of $75.00 and a discount of 2.9 % and 30 cents. */
async function createShop(): Promise<TestMerchant> {
  const merchant = await service.createMerchant();
  const program = createProgram({
    id: 'shop',
    downPayment: { percentBps: 1_000 },
    merchantDiscount: { bps: 290, fixedCents: 30 },
  });
  await importProgram(service.database, program, [merchant.merchantId], { asDefault: true }, service.clock.now());
  return merchant;
}

/** Completes and settles a purchase. Returns the id of its transaction. */
async function settlePurchase({ fairterm }: TestMerchant, merchantOrderId: string): Promise<string> {
  const { id: cartId } = await fairterm.carts.create({ options: { orderRef: `R-${merchantOrderId}`, customTotal: 75_000 } });
  const { transactionId } = await fairterm.sandbox.checkout({ cartId });
  await fairterm.transactions.authorize(transactionId, { merchantOrderId });
  await fairterm.transactions.settle(transactionId);
  return transactionId;
}

/** Adds settlements without lines. */
const addEmpty = (merchantId: string, ...days: CivilDate[]) =>
  service.database.write(async (tx) => {
    for (const day of days) {
      const account = { merchantId, currency: 'USD', carriedCents: 0 };
      await addSettlement(tx, { id: newId(), day, createdAt: service.clock.now(), ...account });
    }
  });

describe('GET /settlements', async () => {
  const merchant = await service.createMerchant();
  await addEmpty(merchant.merchantId, '2026-01-01', '2026-01-02', '2026-01-03', '2026-01-04', '2026-01-05');
  await addEmpty((await service.createMerchant()).merchantId, '2026-01-02');
  const daysOf = ({ settlements }: { settlements: { day: string }[] }) => settlements.map(({ day }) => day.slice(-2));

  it('lists the settlements of the merchant page by page, the newest first, with links to the next page', async () => {
    const pages: string[][] = [];
    let path = '/settlements?limit=2';
    for (;;) {
      const { body, headers } = await merchant.get(path);
      pages.push(daysOf(body as never));
      const link = /^<(.+)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1];
      if (link === undefined) break;
      path = link.slice(service.publicUrl.length);
    }
    expect(pages).toEqual([['05', '04'], ['03', '02'], ['01']]);
  });

  it.each([
    ['from a day', { 'day[gte]': '2026-01-03' }, ['05', '04', '03']],
    ['before a day', { 'day[lt]': '2026-01-03' }, ['02', '01']],
    ['of days', { 'day[gte]': '2026-01-02', 'day[lt]': '2026-01-04' }, ['03', '02']],
    ['of no day', { 'day[gte]': '2026-01-04', 'day[lt]': '2026-01-04' }, []],
  ] as const)('lists those %s', async (_, filters, days) => {
    expect(daysOf(await merchant.fairterm.settlements.list(filters))).toEqual(days);
    const all = [];
    for await (const settlement of merchant.fairterm.settlements.all(filters)) all.push(settlement);
    expect(daysOf({ settlements: all })).toEqual(days);
  });

  it('lists them as CSV', async () => {
    const { text, headers } = await merchant.call('GET', '/settlements?limit=1', { headers: { accept: 'text/csv' } });
    const { apiKey, secret } = merchant;
    const authorization = `Basic ${Buffer.from(`${apiKey}:${secret}`).toString('base64')}`;
    const sent = await fetch(`${service.publicUrl}/settlements`, { headers: { authorization, accept: 'text/csv' } });
    // Without a byte order mark, which a program would read as a part of the first name.
    expect(Buffer.from(await sent.arrayBuffer()).toString('latin1', 0, 3)).toBe('id,');
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present');
    expect(headers.get('link')).toContain('rel="next"');
    expect(text.split('\r\n')).toEqual([
      'id,day,currency,lineCount,gross,fee,net,carried,payout,balance,bankReference,paidOn,createdAt',
      expect.stringMatching(/^[\w-]+,2026-01-05,USD,0,0,0,0,0,0,0,,,/),
      '',
    ]);
  });
});

describe('GET /settlements/:id', async () => {
  const merchant = await createShop();
  const first = await settlePurchase(merchant, '=1+1');
  const second = await settlePurchase(merchant, 'A, "1"');
  await merchant.fairterm.transactions.refund(first, { amount: 17_500 });
  await merchant.fairterm.transactions.refund(first);
  const { id } = (await merchant.fairterm.sandbox.settle()).settlements[0]!;

  it('returns the lines of the loan and the card portion with their totals, and the net amount that the lender disburses', async () => {
    const { body } = await merchant.get(`/settlements/${id}`);

    const settled = { gross: 67_500, fee: 1_988, net: 65_512 };
    const line = { transactionId: first, orderRef: 'R-=1+1', merchantOrderId: '=1+1', cardReference: '' };
    const byCard = { gross: 0, fee: 0, net: 0, cardReference: 'tok_visa' };
    expect(body).toMatchObject({
      lineCount: 7,
      ...settled,
      carried: 0,
      payout: 65_512,
      balance: 0,
      currency: 'USD',
      bankReference: null,
      lines: [
        { ...line, ...settled, id: `${first}.3.settled`, type: 'settled' },
        { ...line, ...byCard, type: 'settled-by-card' },
        { ...line, type: 'refunded', gross: -17_500, fee: -508, net: -16_992 },
        { ...line, type: 'refunded', gross: -50_000, fee: -1_480, net: -48_520 },
        { ...line, ...byCard, type: 'refunded-to-card' },
        { ...settled, transactionId: second, type: 'settled' },
        { ...byCard, transactionId: second, type: 'settled-by-card' },
      ],
    });
  });

  it('returns lines page by page, also to the iterator of the client', async () => {
    const { body, headers } = await merchant.get(`/settlements/${id}?limit=4`);
    const { lines } = body as { lines: { id: string }[] };
    expect(lines).toHaveLength(4);
    const next = `${service.publicUrl}/settlements/${id}?limit=4&after=${lines[3]!.id}`;
    expect(headers.get('link')).toBe(`<${next}>; rel="next"`);
    const rest = await merchant.get(next.slice(service.publicUrl.length));
    expect(rest.headers.get('link')).toBeNull();
    const all = [];
    for await (const line of merchant.fairterm.settlements.lines(id)) all.push(line);
    expect([...lines, ...(rest.body as { lines: object[] }).lines]).toEqual(all);
    const page = await merchant.fairterm.settlements.retrieve(id, { limit: 7 });
    expect(page.next).toBe(all.at(-1)!.id);
    expect((await merchant.fairterm.settlements.retrieve(id, { limit: 7, after: page.next })).settlement.lines).toEqual([]);
  });

  it.each(['.csv', ''])('returns all lines as CSV without formulas (%j)', async (extension) => {
    const init = { headers: extension === '' ? { accept: 'text/csv' } : {} };
    const { text, headers } = await merchant.call('GET', `/settlements/${id}${extension}`, init);
    expect(headers.get('content-disposition')).toMatch(/^attachment; filename="settlement-\d{4}-\d\d-\d\d-USD.csv"$/);
    const rows = text.split('\r\n');
    expect(rows).toHaveLength(9);
    expect(rows[0]).toMatch(/^settlementId,bankReference,id,type,transactionId,orderRef,merchantOrderId,currency,gross,fee,net,/);
    expect(rows[1]).toContain(`${id},,${first}.3.settled,settled,${first},R-=1+1,"'=1+1",USD,67500,1988,65512,,`);
    expect(rows[6]).toContain('"A, ""1""",USD,67500,1988,65512,,');
  });

  it.each(['', '.csv'])('rejects an invalid parameter (%j)', async (extension) => {
    for (const parameters of ['limit=0', 'after=1', 'other=1'])
      expect((await merchant.get(`/settlements/${id}${extension}?${parameters}`)).status).toBe(400);
  });

  it('shows the merchant order id that was set later', async () => {
    await merchant.fairterm.transactions.setOrderId(second, { merchantOrderId: 'B-2' });
    const { settlement } = await merchant.fairterm.settlements.retrieve(id);
    expect(settlement.lines.at(-1)).toMatchObject({ merchantOrderId: 'B-2' });
    await merchant.fairterm.transactions.setOrderId(second, { merchantOrderId: 'A, "1"' });
  });

  it('settles a day of the sandbox once, and what follows on a later day', async () => {
    await merchant.fairterm.transactions.refund(second);
    expect(await merchant.fairterm.sandbox.settle()).toEqual({ settlements: [] });
    const before = service.clock.now();
    await merchant.fairterm.sandbox.clock({ now: new Date(Date.parse(before) + 86_400_000).toISOString() });
    const { settlements } = await merchant.fairterm.sandbox.settle();
    service.clock.moveTo(before);
    expect(settlements).toMatchObject([{ gross: -67_500, fee: -1_988, payout: 0, balance: -65_512 }]);
  });
});
