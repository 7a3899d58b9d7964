import type { KeyObject } from 'node:crypto';
import { create } from 'superstruct';
import { type CartItem, CreateCartRequest } from '../../../shared/wire/cart.ts';
import type { ActionRequest } from '../../../shared/wire/transaction.ts';
import { CAPITAL_ZIPS } from '../../../shared/wire/us-states.ts';
import type { Actor } from '../../base/actor.ts';
import type { Config } from '../../base/config/config.ts';
import type { Operator } from '../../base/config/operator.ts';
import { ServiceError } from '../../base/errors.ts';
import type { Counter } from '../../base/progress.js';
import { DAY_MS, HOUR_MS, type Instant, type MovableClock, plusMs, systemClock } from '../../base/time.ts';
import { expireCart } from '../../checkout/decision/actions.ts';
import { runCheckoutJob } from '../../checkout/job.ts';
import type { CheckoutDeps } from '../../checkout/session/deps.ts';
import { codeKeyOf } from '../../checkout/signing/one-time-code.ts';
import type { Database } from '../../db/database.ts';
import type { Lender } from '../../lending/lenders/lender.ts';
import { requireMerchant } from '../../merchants/store.ts';
import { noticeKeyOf } from '../../messages/notices.ts';
import { sandboxGateway } from '../../purchases/cards/sandbox-gateway.ts';
import { createCart } from '../../purchases/carts/carts.ts';
import { recordExpiries } from '../../purchases/carts/expiry.ts';
import { lastEndedDay, runSettlements } from '../../purchases/settlements/run.ts';
import { expireTransactions } from '../../purchases/transactions/expire.ts';
import { createTransactions } from '../../purchases/transactions/transactions.ts';
import { type Outcome, takeSteps } from './run-checkout.ts';

/** The parts of a service that does not listen yet. */
export interface UnstartedService {
  config: Config;
  database: Database;
  clock: MovableClock;
  lender: Lender;
  operator: Operator;
  serviceKey: KeyObject;
  publicUrl: string;
}

/** The merchant of the orders, the actor that changes them, the user of the console who creates its links, and what is sold. */
interface Shop {
  merchantId: string;
  actor: Actor;
  user: { id: string; name: string };
  items: readonly CartItem[];
}

/** The days of the orders. */
export const SAMPLE_DAYS = 30;

/** Order of a buyer: the days since it was made, its items, and the outcome of its checkout; without one, the link is not opened. */
interface Sample {
  daysAgo: number;
  items: readonly number[];
  outcome?: Outcome;
  /** The last step of a buyer who leaves the checkout. */
  lastStep?: 'details' | 'apply' | 'plans';
  /** A link of the console, which the merchant may cancel. */
  link?: 'open' | 'canceled';
  /** The actions of the merchant, each with the days after the order. Without them, the transaction stays PENDING, and expires. */
  actions?: readonly (readonly [days: number, request: ActionRequest])[];
}

const authorize = [0.02, { type: 'authorize' }] as const;
const settled = [authorize, [0.05, { type: 'settle' }]] as const;
const settledLater = [authorize, [1.5, { type: 'settle' }]] as const;
const refund = (days: number, amount?: number) => [days, { type: 'refund', ...(amount && { amount }) }] as const;
const cancel = (days: number, amount?: number) => [days, { type: 'cancel', ...(amount && { amount }) }] as const;
const approved = 'approved';

/** The orders of a month, the oldest first: most are settled, and each state of an order, of a link and of an application occurs. */
const samples: readonly Sample[] = [
  { daysAgo: 30, items: [0], outcome: approved, actions: settled },
  { daysAgo: 29, items: [4, 7], outcome: approved, actions: settledLater },
  { daysAgo: 28, items: [3], outcome: approved, actions: [...settled, refund(9)] },
  { daysAgo: 27, items: [6], outcome: approved, actions: settled },
  { daysAgo: 26, items: [1], outcome: 'denied', lastStep: 'apply' },
  { daysAgo: 25, items: [1, 2], outcome: approved, actions: settledLater },
  { daysAgo: 24, items: [5], outcome: approved },
  { daysAgo: 23, items: [0, 6], outcome: approved, actions: [...settled, refund(6, 74_900)] },
  { daysAgo: 22, items: [2], outcome: approved, actions: settledLater, link: 'open' },
  { daysAgo: 21, items: [4], outcome: approved, actions: settled },
  { daysAgo: 20, items: [3], link: 'open' },
  { daysAgo: 19, items: [1], outcome: approved, actions: settled },
  { daysAgo: 19, items: [6, 7], outcome: approved, actions: settled },
  { daysAgo: 18, items: [0, 2], outcome: 'partly-approved', actions: [authorize] },
  { daysAgo: 17, items: [6], outcome: approved, actions: [authorize, cancel(1)] },
  { daysAgo: 16, items: [5, 7], outcome: approved, actions: settledLater },
  { daysAgo: 15, items: [0], outcome: approved, actions: [...settled, refund(5, 10_000)] },
  { daysAgo: 14, items: [2], outcome: approved, lastStep: 'plans', link: 'canceled' },
  { daysAgo: 13, items: [3], outcome: approved, actions: settledLater, link: 'open' },
  { daysAgo: 12, items: [1], outcome: approved, lastStep: 'apply' },
  { daysAgo: 11, items: [4], outcome: approved, actions: settled },
  { daysAgo: 10, items: [0, 1, 2], outcome: approved, actions: [authorize, cancel(0.03, 89_900), ...settled.slice(1)] },
  { daysAgo: 9, items: [6], outcome: approved, actions: settledLater },
  { daysAgo: 8, items: [2], outcome: approved, actions: [...settled, refund(4)] },
  { daysAgo: 7, items: [0], outcome: approved, actions: settled },
  { daysAgo: 6, items: [3], outcome: 'denied', lastStep: 'apply' },
  { daysAgo: 5, items: [5], outcome: approved, actions: settledLater },
  { daysAgo: 4, items: [1], outcome: 'needs-action', lastStep: 'apply' },
  { daysAgo: 3, items: [2, 4], outcome: approved, actions: settled },
  { daysAgo: 3, items: [6], outcome: approved, lastStep: 'plans' },
  { daysAgo: 2, items: [5], outcome: approved, actions: settled },
  { daysAgo: 2, items: [2], outcome: approved, lastStep: 'apply' },
  { daysAgo: 2, items: [0], outcome: 'remainder-declined', actions: [authorize] },
  { daysAgo: 2, items: [3], outcome: approved, actions: [authorize] },
  { daysAgo: 1, items: [1], outcome: approved, actions: [authorize] },
  { daysAgo: 1, items: [4], outcome: approved, actions: [authorize, cancel(0.2)] },
  { daysAgo: 1, items: [0], outcome: approved, lastStep: 'details' },
  { daysAgo: 0.9, items: [0], outcome: approved, actions: [authorize] },
  { daysAgo: 0.5, items: [6], link: 'open' },
  { daysAgo: 0.2, items: [4, 7], outcome: approved },
];

/** Buyers, in turn. */
const buyers = [
  { firstName: 'Maya', lastName: 'Okafor', city: 'Boston', state: 'MA' },
  { firstName: 'Daniel', lastName: 'Reyes', city: 'Austin', state: 'TX' },
  { firstName: 'Priya', lastName: 'Raman', city: 'Sacramento', state: 'CA' },
  { firstName: 'Tom', lastName: 'Lindqvist', city: 'Saint Paul', state: 'MN' },
  { firstName: 'Grace', lastName: 'Park', city: 'Denver', state: 'CO' },
  { firstName: 'Luis', lastName: 'Moreno', city: 'Phoenix', state: 'AZ' },
  { firstName: 'Hannah', lastName: 'Weiss', city: 'Columbus', state: 'OH' },
  { firstName: 'Samuel', lastName: 'Adeyemi', city: 'Atlanta', state: 'GA' },
  { firstName: 'Ines', lastName: 'Duarte', city: 'Providence', state: 'RI' },
] as const;

/**
 * Makes a month of sample orders at a service that does not listen yet, with the functions that the API, the sandbox and the jobs call: it
 * moves the clock through the days, and ends at the real time. Messages are only recorded, and no order has a callback.
 *
 * @param progress - Counts the orders.
 */
export async function makeSamples(service: UnstartedService, shop: Shop, progress: Counter): Promise<void> {
  const { clock } = service;
  const until = systemClock.now();
  try {
    const work = createWork(service, shop);
    /** The remaining work: orders, actions and the jobs of each day. */
    const timeline: { at: Instant; run: () => Promise<void> }[] = [];
    const schedule = (at: Instant, run: () => Promise<void>) => at < until && timeline.push({ at, run });
    let done = 0;
    for (const [index, sample] of samples.entries()) {
      const at = plusMs(until, -sample.daysAgo * DAY_MS - ((index * 5) % 9) * HOUR_MS);
      schedule(at, async () => {
        done += 1;
        const transactionId = await work.order(sample, done);
        progress.count(done, samples.length);
        if (transactionId === undefined) return;
        for (const [days, action] of sample.actions ?? [])
          schedule(plusMs(at, days * DAY_MS), () => work.act(transactionId, action));
      });
    }
    for (let day = SAMPLE_DAYS; day >= 0; day--) schedule(plusMs(until, -day * DAY_MS - 1), work.runJobs);
    for (;;) {
      timeline.sort((one, other) => (one.at < other.at ? -1 : 1));
      const next = timeline.shift();
      if (!next) return;
      clock.moveTo(next.at);
      await next.run();
    }
  } finally {
    clock.moveTo(systemClock.now());
  }
}

/** Returns the functions that the orders call. */
function createWork(service: UnstartedService, { merchantId, actor, user, items }: Shop) {
  const { config, database, clock, lender, operator, serviceKey, publicUrl } = service;
  const mail = {
    publicUrl,
    operator,
    handling: 'recorded',
    textHandling: 'recorded',
    mode: config.mode,
    documentLinkDays: config.retention.documentLinkDays,
    noticeKey: noticeKeyOf(serviceKey),
  } as const;
  const cards = sandboxGateway;
  const transactions = createTransactions({ lifetimes: config, cards, mail });
  const deps: CheckoutDeps = {
    database,
    lender,
    cards,
    approvals: config,
    mail,
    codeKey: codeKeyOf(serviceKey),
    onException: () => undefined,
    wakeDelivery: () => undefined,
  };
  const callbacks = { mode: config.mode, allowLoopback: false, allowedHosts: [] };
  const rethrow = (thrown: unknown) => {
    throw thrown;
  };

  return {
    /** Creates the cart of an order, and completes its checkout. Returns its transaction, if it has one. */
    async order({ items: bought, outcome, lastStep, link }: Sample, number: number): Promise<string | undefined> {
      const merchant = await requireMerchant(database.query, merchantId);
      const buyer = buyers[number % buyers.length]!;
      const email = `${buyer.firstName}.${buyer.lastName}@example.com`.toLowerCase();
      const contact = { ...buyer, email, address: '12 Elm Street', zip: CAPITAL_ZIPS[buyer.state] };
      const ordered = { orderRef: `SAMPLE-${number}`, items: bought.map((item) => items[item]!) };
      const options = { ...ordered, billingContact: contact, shippingContact: contact };
      const request = create({ createdBy: link && user.name, options }, CreateCartRequest);
      const created = { callbacks, ...(link && { userId: user.id }) };
      const { cart } = await createCart(database, merchant, request, clock.now(), created);
      const steps = outcome && { outcome, ...(lastStep && { lastStep }) };
      const completed = steps && (await takeSteps(deps, merchantId, cart.id, steps, clock.now()));
      if (link === 'canceled') await expireCart(deps, merchantId, cart.id, clock.now(), user.id);
      return completed?.transactionId;
    },

    async act(id: string, action: ActionRequest): Promise<void> {
      try {
        await transactions.act({ database, actor }, { merchantId, id }, action, clock.now());
      } catch (thrown) {
        // The card of one buyer is declined, as it should be.
        if (!(thrown instanceof ServiceError) || thrown.code !== 'card-declined') throw thrown;
      }
    },

    /** Does what the jobs do at the end of a day. */
    async runJobs(): Promise<void> {
      const now = clock.now();
      await expireTransactions({ database, transactions, now, onError: rethrow });
      await runCheckoutJob({ deps, clock, retention: config.retention, onError: rethrow });
      await recordExpiries({ database, clock, onError: rethrow });
      for await (const _ of runSettlements(database, { through: lastEndedDay(now), merchantId }, now));
    },
  };
}
