/** The sample orders of `npm start`, with the reference lender. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { catalog } from '../../../../demo/catalog.ts';
import { itemOf } from '../../../../demo/checkout.ts';
import { createLender } from '../../../../demo/lender/lender.ts';
import { lenderIn } from '../../../../server/base/config/lender.ts';
import { epochMs, plusDays, systemClock } from '../../../../server/base/time.ts';
import { inviteUser } from '../../../../server/console/users/users.ts';
import { remoteLoanBook } from '../../../../server/lending/lenders/loan-book.ts';
import { sandboxProgram } from '../../../../server/lending/programs/standard-program.ts';
import { createMerchant } from '../../../../server/merchants/merchants.ts';
import { makeSamples, SAMPLE_DAYS, type UnstartedService } from '../../../../server/operations/sandbox/samples.ts';
import { auditTransactions } from '../../../../server/purchases/transactions/audit.ts';
import { onCleanup } from '../../../support/cleanup.ts';
import { describeOnEveryEngine } from '../../../support/databases.ts';
import { SECRET } from '../../../support/lenders.ts';
import { freePort } from '../../../support/network.mjs';
import { clientOf, startService } from '../../../support/service.ts';
import { until } from '../../../support/time.ts';
import { createRemoteLender } from '../../lending/lenders/credit-request.ts';

const DAY_MS = 86_400_000;

describeOnEveryEngine('The sample orders', async (engine) => {
  const server = createLender([SECRET]).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onCleanup(() => server.close().closeAllConnections());
  const { port } = server.address() as AddressInfo;
  const lender = lenderIn({ LENDER_URL: `http://127.0.0.1:${port}`, LENDER_SECRET: SECRET }, 'sandbox')!;

  /** Makes the orders, and returns their merchant and what was observed. */
  async function make(unstarted: UnstartedService) {
    const { database, clock, publicUrl, operator } = unstarted;
    const before = plusDays(clock.now(), -SAMPLE_DAYS - 1);
    const storeUrl = 'http://localhost:4001';
    const seller = { name: 'Alder & Tone', storeUrl, origins: [], program: sandboxProgram };
    const created = await createMerchant(database, 'sandbox', seller, before);
    const owner = { ...created, email: 'owner@shop.example', name: 'Alex Alder', role: 'admin' } as const;
    const { user } = await inviteUser(database, owner, undefined, { publicUrl, operator, handling: 'recorded' }, before);
    const items = catalog.map((product) => itemOf(product, storeUrl));
    const progress: [done: number, total: number][] = [];
    const shop = { merchantId: created.merchantId, actor: 'console', user, items } as const;
    await makeSamples(unstarted, shop, { count: (done, total = 0) => void progress.push([done, total]) });
    const isListening = await fetch(publicUrl).then(
      () => true,
      () => false,
    );
    return { ...created, progress, isListening, differenceMs: epochMs(clock.now()) - epochMs(systemClock.now()) };
  }

  let made!: Awaited<ReturnType<typeof make>>;
  const service = await startService(engine, { lender, port: await freePort() }, undefined, async (unstarted) => {
    made = await make(unstarted);
  });
  const { query } = service.database;
  const merchant = clientOf(service.publicUrl, made);
  const listed = async <Row>(name: string): Promise<Row[]> => (await merchant.get(`/${name}?limit=100`)).body[name];

  it('cover a month before the service listens, and the clock is at the real time afterwards', async () => {
    const transactions = await listed<{ createdAt: string }>('transactions');
    const agesMs = transactions.map(({ createdAt }) => Date.now() - Date.parse(createdAt));

    expect(transactions.length).toBeGreaterThanOrEqual(28);
    expect(transactions.length).toBeLessThanOrEqual(32);
    expect(Math.max(...agesMs)).toBeGreaterThan((SAMPLE_DAYS - 1) * DAY_MS);
    expect(Math.min(...agesMs)).toBeLessThan(DAY_MS);
    expect(made.isListening).toBe(false);
    expect(Math.abs(made.differenceMs)).toBeLessThan(1_000);
    expect(made.progress.map(([done]) => done)).toEqual(made.progress.map((_, index) => index + 1));
    expect(made.progress.at(-1)![0]).toBe(made.progress.at(-1)![1]);
  });

  it('have one order of each status, links, refunds, and settlements with fees', async () => {
    const statuses = async (name: string) => new Set((await listed<{ status: string }>(name)).map(({ status }) => status));
    const applications = await query.selectFrom('applications').select('status').execute();
    const settlements = await listed<{ fee: number }>('settlements');
    const links = await query.selectFrom('carts').select('status').where('userId', 'is not', null).execute();

    expect(await statuses('transactions')).toEqual(
      new Set(['PENDING', 'AUTHORIZED', 'SETTLED', 'REFUNDED', 'CANCELED', 'EXPIRED']),
    );
    expect(await statuses('carts')).toEqual(new Set(['open', 'in-progress', 'completed', 'ended', 'expired']));
    expect(new Set(applications.map(({ status }) => status))).toEqual(
      new Set([
        'STARTED',
        'NEEDS_ACTION',
        'APPROVED',
        'DENIED',
        'CANCELLED',
        'EXPIRED',
        'CHECKOUT_PREPARED',
        'CHECKOUT_COMPLETED',
      ]),
    );
    const events = await query.selectFrom('events').select('occurredAt').where('occurredAt', 'is not', null).execute();

    expect(settlements.length).toBeGreaterThan(10);
    // Figures of days are counted by events, too.
    expect(new Set(events.map(({ occurredAt }) => occurredAt!.slice(0, 10))).size).toBeGreaterThan(20);
    expect(settlements.every(({ fee }) => fee !== 0)).toBe(true);
    expect(new Set(links.map(({ status }) => status))).toEqual(new Set(['OPEN', 'COMPLETED', 'EXPIRED']));
  });

  it('leave no callback, e-mail or event for the lender that fails, and the lender has the same loans', async () => {
    const waiting = () => query.selectFrom('outbox').select(['channel', 'lastFailure']).where('dueAt', 'is not', null).execute();
    await until(async () => (await waiting()).length === 0);
    const outbox = await query.selectFrom('outbox').select(['channel', 'lastFailure']).execute();

    expect(outbox.filter(({ lastFailure }) => lastFailure !== '')).toEqual([]);
    expect(new Set(outbox.map(({ channel }) => channel))).toEqual(new Set(['email', 'lender']));
    const differences = [];
    for await (const found of auditTransactions(query, remoteLoanBook(createRemoteLender({ endpoint: lender })))) {
      differences.push(...found);
    }
    expect(differences).toEqual([]);
    expect(service.logged.filter((line) => JSON.parse(line).level > 30)).toEqual([]);
  });
});
