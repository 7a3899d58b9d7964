/** A merchant whose pages in the console have everything that they can show. */
import type { CartOptions } from '../../shared/wire/cart.ts';
import { createCart } from '../../server/purchases/carts/carts.ts';
import { listRequests } from '../../server/merchants/requests/store.ts';
import { requireMerchant } from '../../server/merchants/store.ts';
import { importProgram } from '../../server/lending/programs/import.ts';
import { newId } from '../../server/base/ids.ts';
import { addRefundRequest } from '../../server/console/approvals/store.ts';
import { getTransaction } from '../../server/purchases/transactions/store.ts';
import { DAY_MS, plusMs, systemClock } from '../../server/base/time.ts';
import type { Role } from '../../server/console/users/roles.ts';
import { addPasskey } from '../../server/console/users/store.ts';
import { inviteUser } from '../../server/console/users/users.ts';
import { saveWebhookState } from '../../server/messages/webhooks/store.ts';
import { chair, completeCheckoutAndAct, testOperator } from './checkout.ts';
import { contactsOfCart } from './page-measures.ts';
import { createProgram } from './programs.ts';
import { startService, type TestMerchant, type TestService } from './service.ts';

export interface ConsoleShop {
  service: TestService;
  merchant: TestMerchant;
  /** Ids of an object for each path of a screen with one. */
  ids: Record<'order' | 'longOrder' | 'link' | 'settlement' | 'member' | 'webhook' | 'request' | 'message', string>;
  /** Address of the first page of the merchant. */
  home: string;
  /** Invites an administrator, who has a passkey that no browser can use. @returns The address of the invitation, and the id of the passkey. */
  invite(email: string, options?: { hasPasskey?: boolean }): Promise<{ address: string; passkeyId: string }>;
}

const people: [name: string, email: string, role: Role][] = [
  ['Grace Hopper', 'grace@alder-and-tone.example', 'finance'],
  ['Katherine Johnson', 'katherine@alder-and-tone.example', 'support'],
  ['Mary Jackson', 'mary@alder-and-tone.example', 'developer'],
  ['Dorothy Vaughan', 'dorothy@alder-and-tone.example', 'viewer'],
];

const lamp = { ...chair, name: 'Arc floor lamp, brushed brass', sku: 'LAMP-BRASS-2', price: 24_950, quantity: 3 };
const turntable = { ...chair, name: 'Turntable', sku: 'TURNTABLE-1', price: 129_900 };
const settle = [{ type: 'authorize' }, { type: 'settle' }];
const line = { sku: lamp.sku, quantity: 1 };

type Sold = [
  daysAgo: number,
  buyer: [firstName: string, lastName: string],
  items: (typeof chair)[],
  actions: readonly { type: string }[],
];

/** Orders of three weeks in every status. */
const sold: Sold[] = [
  [21, ['Ada', 'Lovelace'], [chair, lamp], [...settle, { type: 'refund' }]],
  [19, ['Alan', 'Turing'], [turntable], settle],
  [18, ['Barbara', 'Liskov'], [chair], [{ type: 'authorize' }, { type: 'cancel' }]],
  [16, ['Donald', 'Knuth'], [lamp], settle],
  [16, ['Edsger', 'Dijkstra'], [turntable, chair], settle],
  [13, ['Frances', 'Allen'], [chair], settle],
  [12, ['Grete', 'Hermann'], [turntable], settle],
  [9, ['Hedy', 'Lamarr'], [lamp, turntable], settle],
  [8, ['Ida', 'Rhodes'], [chair], settle],
  [6, ['Jean', 'Bartik'], [turntable], settle],
  [5, ['Karen', 'Spärck Jones'], [lamp], settle],
  [3, ['Lynn', 'Conway'], [turntable, lamp], settle],
  [2, ['María Fernanda', 'Hernández-Villanueva'], [chair], [{ type: 'authorize' }]],
  [1, ['Niklaus', 'Wirth'], [turntable], [{ type: 'authorize' }]],
  [1, ['Radia', 'Perlman'], [lamp], []],
  [
    0,
    ['Ada', 'Lovelace'],
    [chair, lamp],
    [...settle, { type: 'refund', lineItems: [line], reason: 'damaged' } as { type: string }],
  ],
];

/** Starts a service with a merchant that has orders, links, settlements, people, webhooks, keys and requests. */
export async function startConsoleShop(): Promise<ConsoleShop> {
  const service = await startService();
  const { database, clock, publicUrl } = service;
  const merchant = await service.createMerchant({ name: 'Alder & Tone' });
  const { tenantId, merchantId } = merchant;
  const now = clock.now();
  const program = createProgram({ id: 'shop', merchantDiscount: { bps: 290, fixedCents: 30 } });
  await importProgram(database, program, [merchantId], { asDefault: true }, now);
  const mail = { publicUrl, operator: testOperator, handling: 'recorded' } as const;
  const inviteAs = (name: string, email: string, role: Role) =>
    inviteUser(database, { tenantId, merchantId, role, email, name }, undefined, mail, systemClock.now());
  const members = [];
  for (const person of people) members.push(await inviteAs(...person));
  const { id: webhook } = await merchant.fairterm.webhooks.create({ url: 'http://127.0.0.1:65535/webhooks/financing' });
  // As if it had received its test before it failed.
  await database.write((tx) => saveWebhookState(tx, webhook, { confirmedAt: now }));

  let order = '';
  for (const [index, [daysAgo, [firstName, lastName], items, actions]] of sold.entries()) {
    clock.moveTo(plusMs(now, -daysAgo * DAY_MS));
    const email = `${firstName}@example.com`.normalize('NFD').replaceAll(/[^\w@.]/g, '');
    const billingContact = { ...contactsOfCart.billingContact, firstName, lastName, email };
    const options = { items, orderRef: `A-${1_042 + index}`, billingContact, tax: 4_125 };
    order = (await completeCheckoutAndAct(merchant, actions, options)).id;
    if (daysAgo > 2) await merchant.fairterm.sandbox.settle();
  }
  clock.moveTo(now);
  const longOrder = await sellManyItems(merchant);
  const { settlements } = (await merchant.post('/sandbox/settlements')).body;
  const [request] = await listRequests(database.query, merchantId, { onlyFailed: false, limit: 1 });
  await merchant.post('/carts', { options: {} });
  await merchant.post(`/transactions/actions/${order}`, { type: 'settle' });

  const member = members[0]!.user.id;
  await requestRefund(service, merchantId, longOrder, member);
  const link = await createLink(service, merchantId, member, { orderRef: 'PHONE-7', items: [chair, lamp] });
  await createLink(service, merchantId, member, { orderRef: 'SHOWROOM-3', items: [turntable] });
  await merchant.post(`/carts/${link}/email`, { email: 'ada@example.com', name: 'Ada Lovelace' });
  const [{ id: message }] = (await merchant.get('/sandbox/messages')).body.messages;
  return {
    service,
    merchant,
    ids: { order, longOrder, link, settlement: settlements[0].id, member, webhook, request: request!.id, message },
    home: `${publicUrl}/console/${merchantId}`,
    invite: async (email, { hasPasskey = true } = {}) => {
      const { user, path } = await inviteAs('Ada Lovelace', email, 'admin');
      const passkeyId = Buffer.from(email).toString('base64url');
      const at = systemClock.now();
      const passkey = { id: passkeyId, userId: user.id, counter: 0, name: 'Work laptop', publicKey: 'AA' };
      if (hasPasskey) await database.write((tx) => addPasskey(tx, { ...passkey, challengedAt: at, createdAt: at }));
      return { address: publicUrl + path, passkeyId };
    },
  };
}

/** Sells an order with 30 items, of which ten are refunded one by one. */
async function sellManyItems(merchant: TestMerchant): Promise<string> {
  const items = Array.from({ length: 30 }, (_, index) => ({
    ...chair,
    name: `Cushion cover, linen, color ${index + 1} of 30`,
    sku: `CUSHION-COVER-LINEN-${index + 1}`,
    price: 4_900,
    quantity: 2,
  }));
  const refund = ({ sku }: (typeof items)[number]) => ({
    type: 'refund',
    lineItems: [{ sku, quantity: 1 }],
    reason: 'changed-mind',
    reference: `RMA-2026-${sku}`,
  });
  const actions = [...settle, ...items.slice(0, 10).map(refund)];
  return (await completeCheckoutAndAct(merchant, actions, { items, orderRef: 'B-2001', tax: 24_255 })).id;
}

/** Requests a refund that another person has to approve. */
async function requestRefund({ database, clock }: TestService, merchantId: string, transactionId: string, requestedBy: string) {
  const { revision } = await getTransaction(database.query, merchantId, transactionId);
  const requestedAt = clock.now();
  const pending = {
    status: 'pending',
    requestedAt,
    expiresAt: plusMs(requestedAt, DAY_MS),
    decidedBy: null,
    decidedAt: null,
  } as const;
  const request = {
    id: newId(),
    merchantId,
    transactionId,
    revision,
    requestedBy,
    action: { type: 'refund', amount: 4_900 },
    amountCents: 4_900,
  } as const;
  await database.write((tx) => addRefundRequest(tx, { ...request, ...pending }));
}

async function createLink({ database, clock }: TestService, merchantId: string, userId: string, shown: Partial<CartOptions>) {
  const merchant = await requireMerchant(database.query, merchantId);
  const callbacks = { mode: 'sandbox', allowLoopback: true, allowedHosts: [] } as const;
  const options = { disableEditShipping: false, requireShippingContact: false, ...shown };
  const request = { options, createdBy: 'Grace Hopper' };
  return (await createCart(database, merchant, request, clock.now(), { callbacks, userId })).cart.id;
}
