/** Every hook of the plug-in with every state of an order, second purchases, refunds, and calls whose response is lost. */
import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { callbackSecretsOf } from '../../../server/merchants/callback-secrets.ts';
import { codeBlock } from '../../support/docs.ts';
import { startService } from '../../support/service.ts';
import { startLossyService } from './lossy-service.ts';
import { startWordPress, type WordPress, type WordPressOptions } from './shop.ts';

const TOTAL = 1_299_00;
const service = await startService();
const merchant = await service.createMerchant({ name: 'WooCommerce', storeUrl: 'https://shop.example/', origins: [] });
const { fairterm, apiKey, secret } = merchant;
const secrets = (await callbackSecretsOf(service.database.query, merchant.merchantId)).map((row) => row.secret);
const lossy = await startLossyService(service.publicUrl);
const startShop = (options: WordPressOptions = {}) =>
  startWordPress(
    'https://shop.example',
    { FAIRTERM_URL: lossy.url, FAIRTERM_KEY: apiKey, FAIRTERM_SECRET: secret, FAIRTERM_CALLBACK_SECRETS: secrets },
    options,
  );
const shop = await startShop();

const placeOrder = (fields: object = {}, in_ = shop) =>
  in_.admin<number>('create', { fields: { payment_method: 'fairterm', ...fields } });

/** Signs a purchase whose callback does not arrive by itself. */
async function sign(order: number, cents = TOTAL, outcome: 'approved' | 'remainder-declined' = 'approved'): Promise<string> {
  const { id: cartId } = await fairterm.carts.create({ options: { orderRef: String(order), customTotal: cents } });
  return (await fairterm.sandbox.checkout({ cartId, outcome })).transactionId;
}

const purchase = (id: string) => fairterm.transactions.retrieve(id);
const refund = (order: number, amount: string, on: WordPress = shop) => on.admin<string>('refund', { order, amount });
const setStatus = (order: number, status: string, on: WordPress = shop) => on.admin('status', { order, status });
const dollars = (cents: number) => (cents / 100).toFixed(2);

/** An order, and the id of its purchase if it has one. */
type State = readonly [order: number, own: string | undefined];

async function paidOrder(fields: object = {}): Promise<[order: number, own: string]> {
  const order = await placeOrder(fields);
  const own = await sign(order);
  expect(await shop.callback(own, order)).toBe(204);
  expect(shop.order(order)).toMatchObject({ status: 'processing', transaction_id: own });
  return [order, own];
}

async function inStatus(status: string): Promise<[order: number, own: string]> {
  const [order, own] = await paidOrder();
  await setStatus(order, status);
  return [order, own];
}

async function signedOrder(cents = TOTAL, outcome?: 'remainder-declined'): Promise<[order: number, own: string]> {
  const order = await placeOrder();
  return [order, await sign(order, cents, outcome)];
}

async function afterCallback([order, own]: [number, string]): Promise<State> {
  expect(await shop.callback(own, order)).toBe(204);
  return [order, own];
}

const states: Record<string, () => Promise<State>> = {
  'without a purchase': async () => [await placeOrder(), undefined],
  'with a purchase whose callback is missing': () => signedOrder(),
  'whose purchase was authorized before the server crashed': async () => {
    const [order, own] = await signedOrder();
    await fairterm.transactions.authorize(own, { merchantOrderId: String(order) });
    return [order, own];
  },
  'that is paid': () => paidOrder(),
  'that is completed': () => inStatus('completed'),
  'that is completed and partly refunded': async () => {
    const [order, own] = await inStatus('completed');
    await refund(order, '99.00');
    return [order, own];
  },
  'that was canceled before it was paid': async () => {
    const order = await placeOrder();
    await setStatus(order, 'cancelled');
    return [order, undefined];
  },
  'that was canceled after it was paid': () => inStatus('cancelled'),
  'whose purchase has another total': async () => afterCallback(await signedOrder(100_00)),
  'whose card was declined': async () => afterCallback(await signedOrder(TOTAL, 'remainder-declined')),
  'that is refunded': async () => {
    const [order, own] = await inStatus('completed');
    await refund(order, '1299.00');
    return [order, own];
  },
  'that was put on hold after it was paid': () => inStatus('on-hold'),
  'that is paid by another method': async () => [
    await placeOrder({ payment_method: 'bacs', transaction_id: 'B-1', status: 'processing', date_paid: 1 }),
    undefined,
  ],
  'that waits for a bank transfer': async () => [await placeOrder({ payment_method: 'bacs', status: 'on-hold' }), undefined],
};

type Hook = (state: State) => Promise<{ other?: string; error?: string } | undefined>;
const hooks = {
  /** The callback of its purchase, once more or for the first time. */
  callback: async ([order, own]) => {
    expect(await shop.callback(own!, order)).toBe(204);
    return undefined;
  },
  /** The callback of another purchase with its total. */
  another: async ([order]) => {
    const other = await sign(order);
    expect(await shop.callback(other, order)).toBe(204);
    return { other };
  },
  completed: async ([order]) => void (await setStatus(order, 'completed')),
  canceled: async ([order]) => void (await setStatus(order, 'cancelled')),
  refund: async ([order]) => ({ error: await refund(order, '10.00') }),
  shipped: async ([order]) => {
    const value = [{ tracking_provider: 'ups', tracking_number: '1Z999' }];
    await shop.admin('meta', { order, name: '_wc_shipment_tracking_items', value });
    await shop.runScheduled();
    return undefined;
  },
  /** The poll of a new order. */
  poll: async ([order]) => {
    await shop.admin('create-poll', { order });
    await shop.runScheduled();
    return undefined;
  },
} satisfies Record<string, Hook>;

/**
 * The status of the order, its purchase with the amount that is left, and that of the other purchase. `R` is a refund that WooCommerce rejects,
 * `T` the tracking number, `N` a note of the plug-in's failure.
 */
const table: Record<keyof typeof states, Record<keyof typeof hooks, string | null>> = {
  'without a purchase': {
    callback: null,
    another: 'processing – AUTHORIZED 1299.00',
    completed: 'completed – N',
    canceled: 'cancelled –',
    refund: 'pending – R',
    shipped: 'pending –',
    poll: 'pending –',
  },
  'with a purchase whose callback is missing': {
    callback: 'processing AUTHORIZED 1299.00',
    another: 'processing PENDING 1299.00 AUTHORIZED 1299.00',
    completed: 'completed PENDING 1299.00 N',
    canceled: 'cancelled CANCELED 0.00',
    refund: 'pending PENDING 1299.00 R',
    shipped: 'pending PENDING 1299.00',
    poll: 'processing AUTHORIZED 1299.00',
  },
  'whose purchase was authorized before the server crashed': {
    callback: 'processing AUTHORIZED 1299.00',
    another: 'processing AUTHORIZED 1299.00 AUTHORIZED 1299.00',
    completed: 'completed AUTHORIZED 1299.00 N',
    canceled: 'cancelled CANCELED 0.00',
    refund: 'pending AUTHORIZED 1299.00 R',
    shipped: 'pending AUTHORIZED 1299.00',
    poll: 'processing AUTHORIZED 1299.00',
  },
  'that is paid': {
    callback: 'processing AUTHORIZED 1299.00',
    another: 'processing AUTHORIZED 1299.00 CANCELED 0.00',
    completed: 'completed SETTLED 1299.00',
    canceled: 'cancelled CANCELED 0.00',
    refund: 'processing AUTHORIZED 1289.00',
    shipped: 'processing AUTHORIZED 1299.00 T',
    poll: 'processing AUTHORIZED 1299.00',
  },
  'that is completed': {
    callback: 'completed SETTLED 1299.00',
    another: 'completed SETTLED 1299.00 CANCELED 0.00',
    completed: 'completed SETTLED 1299.00',
    canceled: 'cancelled REFUNDED 0.00',
    refund: 'completed SETTLED 1289.00',
    shipped: 'completed SETTLED 1299.00 T',
    poll: 'completed SETTLED 1299.00',
  },
  'that is completed and partly refunded': {
    callback: 'completed SETTLED 1200.00',
    another: 'completed SETTLED 1200.00 CANCELED 0.00',
    completed: 'completed SETTLED 1200.00',
    canceled: 'cancelled REFUNDED 0.00',
    refund: 'completed SETTLED 1190.00',
    shipped: 'completed SETTLED 1200.00 T',
    poll: 'completed SETTLED 1200.00',
  },
  'that was canceled before it was paid': {
    callback: null,
    another: 'cancelled – CANCELED 0.00',
    completed: 'completed – N',
    canceled: 'cancelled –',
    refund: 'cancelled – R',
    shipped: 'cancelled –',
    poll: 'cancelled –',
  },
  'that was canceled after it was paid': {
    callback: 'cancelled CANCELED 0.00',
    another: 'cancelled CANCELED 0.00 CANCELED 0.00',
    completed: 'completed CANCELED 0.00 N',
    canceled: 'cancelled CANCELED 0.00',
    refund: 'cancelled CANCELED 0.00 R',
    shipped: 'cancelled CANCELED 0.00 N',
    poll: 'cancelled CANCELED 0.00',
  },
  'whose purchase has another total': {
    callback: 'on-hold PENDING 100.00',
    another: 'processing CANCELED 0.00 AUTHORIZED 1299.00',
    completed: 'completed PENDING 100.00 N',
    canceled: 'cancelled CANCELED 0.00',
    refund: 'on-hold PENDING 90.00',
    shipped: 'on-hold PENDING 100.00 T',
    poll: 'on-hold PENDING 100.00',
  },
  'whose card was declined': {
    callback: 'failed CANCELED 0.00',
    another: 'processing CANCELED 0.00 AUTHORIZED 1299.00',
    completed: 'completed CANCELED 0.00 N',
    canceled: 'cancelled CANCELED 0.00',
    refund: 'failed CANCELED 0.00 R',
    shipped: 'failed CANCELED 0.00',
    poll: 'failed CANCELED 0.00',
  },
  'that is refunded': {
    callback: 'refunded REFUNDED 0.00',
    another: 'refunded REFUNDED 0.00 CANCELED 0.00',
    completed: 'completed REFUNDED 0.00',
    canceled: 'cancelled REFUNDED 0.00',
    refund: 'refunded REFUNDED 0.00 R',
    shipped: 'refunded REFUNDED 0.00 T',
    poll: 'refunded REFUNDED 0.00',
  },
  'that was put on hold after it was paid': {
    callback: 'on-hold AUTHORIZED 1299.00',
    another: 'on-hold AUTHORIZED 1299.00 CANCELED 0.00',
    completed: 'completed SETTLED 1299.00',
    canceled: 'cancelled CANCELED 0.00',
    refund: 'on-hold AUTHORIZED 1289.00',
    shipped: 'on-hold AUTHORIZED 1299.00 T',
    poll: 'on-hold AUTHORIZED 1299.00',
  },
  'that is paid by another method': {
    callback: null,
    another: 'processing – CANCELED 0.00',
    completed: 'completed –',
    canceled: 'cancelled –',
    refund: null,
    shipped: 'processing –',
    poll: 'processing –',
  },
  'that waits for a bank transfer': {
    callback: null,
    another: 'processing – AUTHORIZED 1299.00',
    completed: 'completed –',
    canceled: 'cancelled –',
    refund: null,
    shipped: 'on-hold –',
    poll: 'on-hold –',
  },
};

const rows = Object.entries(table).flatMap(([state, cells]) =>
  Object.entries(cells).flatMap(([hook, expected]) => (expected === null ? [] : [[state, hook, expected] as const])),
);

describe('The WooCommerce plug-in', () => {
  it.each(rows)('handles an order %s, and the hook %s: %s', async (state, hook, expected) => {
    const [order, own] = await states[state]!();
    const notesBefore = shop.order(order).notes.length;
    const { other, error } = (await (hooks as Record<string, Hook>)[hook]!([order, own])) ?? {};
    const transactions = await Promise.all([own, other].map(async (id) => (id ? purchase(id) : undefined)));
    const [own_, other_] = transactions.map((found) => found && `${found.status} ${dollars(found.adjustedTotal)}`);
    const notes = shop.order(order).notes.slice(notesBefore);
    const marks = [
      error && 'R',
      transactions.some((found) => found && found.trackingNumber === '1Z999' && found.carrierName === 'ups') && 'T',
      notes.some((note) => note.startsWith('Fairterm, ')) && 'N',
    ];
    const observed = [shop.order(order).status, own_ ?? '–', other_, ...marks].filter(Boolean).join(' ');
    expect(observed).toBe(expected);
    // Every purchase that the plug-in ended is noted.
    if (other_?.startsWith('CANCELED')) expect(notes.join('\n')).toContain(other);
  });

  it('decides two purchases of one order, whose callbacks arrive at the same moment, under its lock', async () => {
    for (let round = 0; round < 5; round++) {
      const order = await placeOrder();
      const purchases = [await sign(order), await sign(order)];
      expect(await Promise.all(purchases.map((id) => shop.callback(id, order)))).toEqual([204, 204]);
      const statuses = await Promise.all(purchases.map(async (id) => (await purchase(id)).status));
      expect(statuses.toSorted()).toEqual(['AUTHORIZED', 'CANCELED']);
      const { transaction_id, notes } = shop.order(order);
      expect(transaction_id).toBe(purchases[statuses.indexOf('AUTHORIZED')]);
      expect(notes.filter((note) => note.includes('It is canceled'))).toHaveLength(1);
    }
  });

  it('processes a callback once that arrives four times at the same moment, and with a poll', async () => {
    const [order, own] = await signedOrder();
    await shop.admin('create-poll', { order });
    const callbacks = [1, 2, 3, 4].map(() => shop.callback(own, order));
    await Promise.all([...callbacks, shop.runScheduled()]);
    expect(shop.order(order)).toMatchObject({
      status: 'processing',
      transaction_id: own,
      notes: ['Order status changed from pending to processing.'],
    });
    expect(await purchase(own)).toMatchObject({ status: 'AUTHORIZED' });
  });

  it('reads an order anew after it has waited for its lock', async () => {
    const patient = await startShop();
    const order = await placeOrder({}, patient);
    const own = await sign(order);
    const other = await sign(order);
    await patient.admin('create-poll', { order });
    const { arrived, release } = lossy.hold(/"type":"authorize"/);
    const callback = patient.callback(other, order);
    await arrived;
    // The poll has read the order, which is not paid yet, and waits.
    const poll = patient.runScheduled();
    await expect.poll(patient.hasWaited).toBe(true);
    release();
    expect(await callback).toBe(204);
    await poll;
    expect(patient.order(order)).toMatchObject({ transaction_id: other, status: 'processing' });
    expect(await purchase(other)).toMatchObject({ status: 'AUTHORIZED' });
    expect((await purchase(own)).status).not.toBe('AUTHORIZED');
    expect(patient.order(order).notes).toEqual(['Order status changed from pending to processing.']);
  });

  it.each([TOTAL, 100_00])('responds with 503 to a callback of %d cents while the order cannot be written', async (cents) => {
    const [order, own] = await signedOrder(cents);
    await shop.admin('change', { order, fields: { is_unwritable: true } });
    expect(await shop.callback(own, order)).toBe(503);
    await shop.admin('change', { order, fields: { is_unwritable: false } });
    expect(await shop.callback(own, order)).toBe(204);
    const status = cents === TOTAL ? 'processing' : 'on-hold';
    expect(shop.order(order)).toMatchObject({ status, transaction_id: own });
  });

  it('notes another purchase that is settled, which it cannot cancel', async () => {
    const [order] = await paidOrder();
    const other = await sign(order);
    await fairterm.transactions.authorize(other);
    await fairterm.transactions.settle(other);
    expect(await shop.callback(other, order)).toBe(204);
    expect(await purchase(other)).toMatchObject({ status: 'SETTLED' });
    expect(shop.order(order).notes.at(-1)).toBe(
      `Another financed purchase, ${other}, of this order is settled. Refund it in the console.`,
    );
  });

  it('does not authorize a purchase of an order in another currency', async () => {
    const order = await placeOrder({ currency: 'CAD' });
    const own = await sign(order);
    expect(await shop.callback(own, order)).toBe(204);
    expect(shop.order(order).status).toBe('on-hold');
    expect(await purchase(own)).toMatchObject({ status: 'PENDING' });
  });

  it('settles an order without processing, such as a download, when it is paid', async () => {
    const order = await placeOrder({ needs_processing: false });
    const own = await sign(order);
    expect(await shop.callback(own, order)).toBe(204);
    expect(shop.order(order).status).toBe('completed');
    expect(await purchase(own)).toMatchObject({ status: 'SETTLED' });
  });

  it('responds with 404 to a callback of an unknown order', async () => {
    const [order, own] = await signedOrder();
    for (const unknown of ['99999', `${order}x`, `-${order}`, '']) expect(await shop.callback(own, unknown)).toBe(404);
    expect(shop.order(order)).toMatchObject({ status: 'pending', notes: [] });
  });

  it('ends the link of a canceled order', async () => {
    const order = await placeOrder({ address: { country: 'US' } });
    const { result } = await shop.admin<{ result: { redirect: string } }>('pay', { order });
    expect(result.redirect).toContain(service.publicUrl);
    await setStatus(order, 'cancelled');
    const cartId = shop.order(order).meta['_fairterm_cart_id'] as string;
    expect(await fairterm.carts.retrieve(cartId)).toMatchObject({ status: 'expired', reason: 'canceled-by-merchant' });
  });
});

describe('A refund in WooCommerce', () => {
  const before = { 'before the settlement': 'processing', 'after the settlement': 'completed' };

  it.each(Object.entries(before))('is made twice if two equal ones are made on purpose, %s', async (_, status) => {
    const [order, own] = await inStatus(status);
    expect(await refund(order, '10.00')).toBe('');
    expect(await refund(order, '10.00')).toBe('');
    expect(await purchase(own)).toMatchObject({ adjustedTotal: TOTAL - 20_00 });
    expect(Object.values(shop.order(order).refunds)).toEqual(['10.00', '10.00']);
  });

  it.each(Object.entries(before))('is made once if its response is lost and it is repeated, %s', async (_, status) => {
    const [order, own] = await inStatus(status);
    lossy.loseResponseOf(/^POST .*"amount":1000/);
    expect(await refund(order, '10.00')).toBe('Not refunded: No response');
    expect(shop.order(order).refunds).toEqual([]);
    expect(await purchase(own)).toMatchObject({ adjustedTotal: TOTAL - 10_00 });
    expect(await refund(order, '10.00')).toBe('');
    expect(await purchase(own)).toMatchObject({ adjustedTotal: TOTAL - 10_00 });
    // The next one is another refund.
    expect(await refund(order, '10.00')).toBe('');
    expect(await purchase(own)).toMatchObject({ adjustedTotal: TOTAL - 20_00 });
  });

  it('is made once if its request is lost and it is repeated', async () => {
    const [order, own] = await inStatus('completed');
    lossy.loseRequestOf(/^POST .*"amount":1000/);
    expect(await refund(order, '10.00')).toContain('Not refunded');
    expect(await purchase(own)).toMatchObject({ adjustedTotal: TOTAL });
    expect(await refund(order, '10.00')).toBe('');
    expect(await purchase(own)).toMatchObject({ adjustedTotal: TOTAL - 10_00 });
  });

  it('is made once if the response is lost twice', async () => {
    const [order, own] = await inStatus('completed');
    lossy.loseRequestOf(/^POST .*"amount":1000/);
    await refund(order, '10.00');
    lossy.loseResponseOf(/^POST .*"amount":1000/);
    expect(await refund(order, '10.00')).toContain('Not refunded');
    expect(await refund(order, '10.00')).toBe('');
    expect(await purchase(own)).toMatchObject({ adjustedTotal: TOTAL - 10_00 });
  });

  it('is made once if the order is settled before it is repeated', async () => {
    const [order, own] = await paidOrder();
    lossy.loseResponseOf(/^POST .*"amount":1000/);
    await refund(order, '10.00');
    await setStatus(order, 'completed');
    expect(await refund(order, '10.00')).toBe('');
    expect(await purchase(own)).toMatchObject({ status: 'SETTLED', adjustedTotal: TOTAL - 10_00 });
  });

  it('of another amount waits until a refund whose response was lost is recorded', async () => {
    const [order, own] = await inStatus('completed');
    lossy.loseResponseOf(/^POST .*"amount":1000/);
    await refund(order, '10.00');
    expect(await refund(order, '25.00')).toContain('An earlier refund of $10.00 was made');
    expect(await purchase(own)).toMatchObject({ adjustedTotal: TOTAL - 10_00 });
    expect(await refund(order, '10.00')).toBe('');
    expect(await refund(order, '25.00')).toBe('');
    expect(await purchase(own)).toMatchObject({ adjustedTotal: TOTAL - 35_00 });
  });

  it('replaces one of another amount whose request was lost', async () => {
    const [order, own] = await inStatus('completed');
    lossy.loseRequestOf(/^POST .*"amount":1000/);
    await refund(order, '10.00');
    expect(await refund(order, '25.00')).toBe('');
    expect(await purchase(own)).toMatchObject({ adjustedTotal: TOTAL - 25_00 });
  });

  it.each(['10.00', '25.00'])('of $10 is made once if it arrives after the next one of $%s', async (next) => {
    const [order, own] = await inStatus('completed');
    const deliver = lossy.delay(/^POST .*"amount":1000/);
    expect(await refund(order, '10.00')).toBe('Not refunded: No response');
    expect(await refund(order, next)).toBe('');
    const left = TOTAL - Number(next) * 100;
    expect(await purchase(own)).toMatchObject({ adjustedTotal: left });
    expect(await deliver()).toBe(next === '10.00' ? 200 : 422);
    expect(await purchase(own)).toMatchObject({ adjustedTotal: left });
  });

  it('is made if the one whose response was lost was recorded by hand', async () => {
    const [order, own] = await inStatus('completed');
    lossy.loseResponseOf(/^POST .*"amount":1000/);
    await refund(order, '10.00');
    expect(await shop.admin('refund', { order, amount: '10.00', refund_payment: false })).toBe('');
    expect(await refund(order, '10.00')).toBe('');
    expect(await purchase(own)).toMatchObject({ adjustedTotal: TOTAL - 20_00 });
  });

  it('above what is left is rejected, and does not prevent the next one', async () => {
    const [order, own] = await inStatus('completed');
    await fairterm.transactions.refund(own, { amount: 1_000_00 });
    expect(await refund(order, '500.00')).toContain('Not refunded: ');
    expect(await refund(order, '299.00')).toBe('');
    expect(await purchase(own)).toMatchObject({ status: 'REFUNDED', adjustedTotal: 0 });
  });

  it('of 0 refunds nothing', async () => {
    const [order, own] = await inStatus('completed');
    expect(await refund(order, '0.00')).toContain('Expected an amount above 0');
    expect(await purchase(own)).toMatchObject({ adjustedTotal: TOTAL });
  });
});

/** The calls of each event, and what their repetition leads to. */
const losses: [name: string, call: RegExp, act: (state: State) => Promise<unknown>, expected: string][] = [
  ['settle', /"type":"settle"/, ([order]) => setStatus(order, 'completed'), 'SETTLED 1299.00'],
  ['settle, at the retrieval', /^GET \/transactions\//, ([order]) => setStatus(order, 'completed'), 'SETTLED 1299.00'],
  ['cancel', /"type":"cancel"/, ([order]) => setStatus(order, 'cancelled'), 'CANCELED 0.00'],
  ['cancel, at the search', /^GET \/transactions\?/, ([order]) => setStatus(order, 'cancelled'), 'CANCELED 0.00'],
  [
    'cancel after the settlement',
    /"type":"refund"/,
    async ([order]) => {
      await setStatus(order, 'completed');
      await setStatus(order, 'cancelled');
    },
    'REFUNDED 0.00',
  ],
];

describe('A call whose response is lost', () => {
  it.each(losses)('is noted and repeated by Action Scheduler: %s', async (_name, call, act, expected) => {
    for (const lose of [lossy.loseResponseOf, lossy.loseRequestOf]) {
      const [order, own] = await paidOrder();
      lose(call);
      await act([order, own]);
      expect(shop.order(order).notes.join('\n')).toMatch(/Fairterm, (settle|cancel): No response It will be tried again\./);
      expect(await shop.runScheduled()).toEqual([]);
      const { status, adjustedTotal } = await purchase(own);
      expect(`${status} ${dollars(adjustedTotal)}`).toBe(expected);
    }
  });

  it('is not repeated if the order has another status by then', async () => {
    const [reopened, reopenedPurchase] = await paidOrder();
    lossy.loseRequestOf(/"type":"cancel"/);
    await setStatus(reopened, 'cancelled');
    await setStatus(reopened, 'processing');
    const [returned, returnedPurchase] = await paidOrder();
    lossy.loseRequestOf(/"type":"settle"/);
    await setStatus(returned, 'completed');
    await setStatus(returned, 'processing');
    expect(await shop.runScheduled()).toEqual([]);
    for (const own of [reopenedPurchase, returnedPurchase]) expect(await purchase(own)).toMatchObject({ status: 'AUTHORIZED' });
  });

  it.each([
    ['retrieve', /^GET/],
    ['authorize', /"type":"authorize"/],
  ])('is repeated with the callback, which is responded to with 503: %s', async (_name, call) => {
    for (const lose of [lossy.loseResponseOf, lossy.loseRequestOf]) {
      const [order, own] = await signedOrder();
      lose(call);
      expect(await shop.callback(own, order)).toBe(503);
      expect(shop.order(order).status).toBe('pending');
      expect(await shop.callback(own, order)).toBe(204);
      expect(shop.order(order)).toMatchObject({ status: 'processing', transaction_id: own });
    }
  });

  it('is repeated with the callback, if it cancels a declined or another purchase', async () => {
    const [declined, declinedPurchase] = await signedOrder(TOTAL, 'remainder-declined');
    const [paid] = await paidOrder();
    const other = await sign(paid);
    for (const [order, id] of [
      [declined, declinedPurchase],
      [paid, other],
    ] as const) {
      lossy.loseResponseOf(/"type":"cancel"/);
      expect(await shop.callback(id, order)).toBe(503);
      expect(await shop.callback(id, order)).toBe(204);
      expect(await purchase(id)).toMatchObject({ status: 'CANCELED' });
    }
    expect(shop.order(declined).status).toBe('failed');
    expect(shop.order(paid).status).toBe('processing');
  });

  it('asks the buyer to pay in another way, if it creates the cart', async () => {
    const order = await placeOrder({ address: { country: 'US' } });
    lossy.loseResponseOf(/^POST \/carts/);
    const { result, notices } = await shop.admin<{ result: object; notices: string[] }>('pay', { order });
    expect(result).toEqual({ result: 'failure' });
    expect(notices).toEqual([expect.stringContaining('Please choose another way to pay')]);
    expect((await shop.admin<{ result: object }>('pay', { order })).result).toMatchObject({ result: 'success' });
    await setStatus(order, 'cancelled');
  });

  it('is repeated, if it sends a tracking number', async () => {
    const [order, own] = await paidOrder();
    lossy.loseRequestOf(/\/shipment/);
    await hooks.shipped([order, own]);
    expect(await shop.runScheduled()).toEqual([]);
    expect(await purchase(own)).toMatchObject({ trackingNumber: '1Z999', carrierName: 'ups' });
    const sent = lossy.calls.length;
    await shop.admin('meta', { order, name: 'other', value: 1 });
    await shop.runScheduled();
    expect(lossy.calls).toHaveLength(sent);
  });

  it('is repeated six times in growing intervals, and then noted for the last time', async () => {
    const [order] = await paidOrder();
    const failing = await sign(order, 100_00);
    await fairterm.transactions.cancel(failing);
    await shop.admin('change', { order, fields: { transaction_id: failing } });
    const startedAt = Date.now() / 1_000;
    await setStatus(order, 'completed');
    const waits: number[] = [];
    for (let pending = shop.pending(); pending.length > 0; pending = await shop.runScheduled()) {
      waits.push(pending[0]!.at - startedAt);
    }
    expect(waits.map((seconds) => Math.round(seconds / 60))).toEqual([1, 10, 60, 360, 1_440, 4_320]);
    const notes = shop.order(order).notes.filter((note) => note.startsWith('Fairterm, settle'));
    expect(notes).toHaveLength(7);
    expect(notes.at(-1)).toContain('it is not tried again');
  });
});

describe('Action Scheduler', () => {
  it('polls a new order until it is paid', async () => {
    const order = await placeOrder({ address: { country: 'US' } });
    await shop.admin('pay', { order });
    expect((await shop.runScheduled()).map(({ args }) => args)).toEqual([[order, 'poll', 2]]);
    const own = await sign(order);
    expect(await shop.runScheduled()).toEqual([]);
    expect(shop.order(order)).toMatchObject({ status: 'processing', transaction_id: own });
  });

  it('stops polling after a week', async () => {
    const order = await placeOrder({ address: { country: 'US' } });
    await shop.admin('pay', { order });
    let polls = 0;
    for (let pending = shop.pending(); pending.length > 0; pending = await shop.runScheduled()) polls += 1;
    expect(polls).toBe(6);
    expect(shop.order(order)).toMatchObject({ status: 'pending', notes: [] });
  });

  it('polls each of several orders', async () => {
    const orders = [await placeOrder({ address: {} }), await placeOrder({ address: {} })];
    for (const order of orders) await shop.admin('pay', { order });
    const purchases = [await sign(orders[0]!), await sign(orders[1]!)];
    expect(await shop.runScheduled()).toEqual([]);
    expect(orders.map((order) => shop.order(order).transaction_id)).toEqual(purchases);
  });
});

describe('A shop that stores orders as posts', () => {
  it('sends the tracking number of an order that was completed before', async () => {
    const posts = await startShop({ storage: 'posts' });
    const order = await placeOrder({}, posts);
    const own = await sign(order);
    expect(await posts.callback(own, order)).toBe(204);
    await setStatus(order, 'completed', posts);
    const value = [
      { custom_tracking_provider: 'Bike', tracking_number: 'B-1' },
      { tracking_provider: 'ups', custom_tracking_provider: '', tracking_number: '1Z999' },
      { tracking_provider: 'ups', tracking_number: '' },
    ];
    await posts.admin('meta', { order, name: '_wc_shipment_tracking_items', value });
    expect(await posts.runScheduled()).toEqual([]);
    expect(await purchase(own)).toMatchObject({ status: 'SETTLED', trackingNumber: 'B-1, 1Z999', carrierName: 'Bike, ups' });
  });
});

describe('The README of the plug-in', () => {
  const guide = 'widget/recipes/woocommerce/README.md';

  it('shows constants and a filter for other tracking numbers that work', async () => {
    const wpConfig = codeBlock(guide, 'config').replace("'…'", `'${secret}'`).replace('whsec_…', secrets[0]!);
    const documented = await startWordPress(
      'https://shop.example',
      { FAIRTERM_URL: lossy.url, FAIRTERM_KEY: apiKey },
      { wpConfig, theme: codeBlock(guide, 'shipment'), callbackSecret: secrets[0]! },
    );
    const order = await placeOrder({}, documented);
    const own = await sign(order);
    expect(await documented.callback(own, order)).toBe(204);
    await documented.admin('meta', { order, name: 'my_tracking_number', value: '1Z9' });
    expect(await documented.runScheduled()).toEqual([]);
    expect(await purchase(own)).toMatchObject({ trackingNumber: '1Z9', carrierName: 'UPS' });
  });
});

afterAll(() => {
  // The texts that these tests have used are in the template of translations, and so in the Spanish ones.
  const template = readFileSync('widget/recipes/woocommerce/languages/fairterm.pot', 'utf8');
  const texts = [...template.matchAll(/^msgid "(.+)"$/gm)].map(([, text]) => text);
  expect(texts).toEqual(expect.arrayContaining(shop.texts()));
});
