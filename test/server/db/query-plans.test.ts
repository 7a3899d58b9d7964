/** Plans by which the database reads its large tables, for every statement that requests and jobs execute. */
import { sql } from 'kysely';
import pg from 'pg';
import { expect, it, onTestFinished, vi } from 'vitest';
import { addDays } from '../../../shared/dates.ts';
import { deleteUnusedCarts } from '../../../server/purchases/carts/cleanup.ts';
import { recordExpiries } from '../../../server/purchases/carts/expiry.ts';
import { runCheckoutJob } from '../../../server/checkout/job.ts';
import { runRetryJob } from '../../../server/checkout/waiting/job.ts';
import type { Database } from '../../../server/db/database.ts';
import { Sqlite } from '../../../server/db/driver.ts';
import type { Schema } from '../../../server/db/schema.ts';
import { idOf, newId } from '../../../server/base/ids.ts';
import { sandboxLender } from '../../../server/lending/lenders/sandbox-lender.ts';
import { addException, findLatestException, listExceptions } from '../../../server/lending/exceptions/store.ts';
import { firstMerchantOf, requireMerchant } from '../../../server/merchants/store.ts';
import { operationsIn } from '../../../server/http/openapi/document.ts';
import { readStatus } from '../../../server/operations/metrics/status.ts';
import { eraseBuyer, exportBuyer } from '../../../server/operations/retention/buyer-data.ts';
import { sweepOnce } from '../../../server/operations/retention/sweep.ts';
import { reconcile } from '../../../server/purchases/settlements/reconcile.ts';
import { runSettlements } from '../../../server/purchases/settlements/run.ts';
import { plusDays, plusMs, systemClock } from '../../../server/base/time.ts';
import { expireTransactions } from '../../../server/purchases/transactions/expire.ts';
import { getTransaction } from '../../../server/purchases/transactions/store.ts';
import {
  checkoutDeps,
  completeCheckout,
  createCart,
  elsewhere,
  open,
  reachAgreement,
  reachDecision,
  sessionUrl,
  submit,
} from '../../support/checkout.ts';
import { onCleanup } from '../../support/cleanup.ts';
import { testConfig } from '../../support/data-keys.ts';
import { describeOnEveryEngine, type Engine } from '../../support/databases.ts';
import {
  fetchResponse,
  listApplications,
  requestToken,
  startService,
  type TestMerchant,
  type TestService,
} from '../../support/service.ts';
import { until } from '../../support/time.ts';
import { transactions } from '../../support/purchases.ts';

const LARGE_TABLES = [
  'carts',
  'applications',
  'transactions',
  'outbox',
  'email_opt_outs',
  'events',
  'merchant_requests',
  'exceptions',
  'settlements',
  'settlement_lines',
] as const;
const ROWS = 10_000;
const MERCHANTS = 20;
const LONG_AGO = '2015-01-01T00:00:00.000000Z';

/** Statements by their text, with the values of their last execution. */
type Statements = Map<string, readonly unknown[]>;

/** Marks statements of this test, which are not recorded. */
const OWN = sql.raw('/* test */');

/** Length of the inserts of this test. */
const LONG = 20_000;

/** Records every statement that reads or writes rows, from now on. */
function recordStatements(engine: Engine): Statements {
  const statements: Statements = new Map();
  const record = (text: string, values: readonly unknown[] = []) => {
    if (/^\s*(select|insert|update|delete|with)\b/.test(text) && text.length < LONG) statements.set(text, values);
  };
  if (engine === 'sqlite') {
    const { prepare } = Sqlite.prototype;
    vi.spyOn(Sqlite.prototype, 'prepare').mockImplementation(function (this: typeof Sqlite.prototype, text: string) {
      record(text);
      return prepare.call(this, text);
    });
  } else {
    const { query } = pg.Client.prototype as { query: (...args: unknown[]) => unknown };
    vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: pg.Client, ...args: unknown[]) {
      const [first, values] = args as [string | { text: string; values?: unknown[] }, unknown[]?];
      if (typeof first === 'string') record(first, values);
      else record(first.text, first.values);
      return query.apply(this, args) as never;
    });
  }
  onTestFinished(() => void vi.restoreAllMocks());
  return statements;
}

/** Stores copies of the rows of a purchase for other merchants, and updates the statistics. Their sealed values cannot be opened. */
async function multiply(service: TestService, database: Database): Promise<void> {
  const merchants: { merchantId: string; tenantId: string; programId: string }[] = [];
  for (let count = 0; count < MERCHANTS; count += 1) {
    const { merchantId, tenantId } = await service.createMerchant();
    const { defaultProgramId: programId } = await requireMerchant(database.query, merchantId);
    merchants.push({ merchantId, tenantId, programId });
  }
  const copies = Array.from({ length: ROWS }, (_, number) => {
    const { merchantId, tenantId, programId } = merchants[number % MERCHANTS]!;
    const id = newId();
    const hash = number.toString(16).padStart(64, '0');
    const at = plusMs(systemClock.now(), -number * 120_000);
    const day = addDays('2000-01-01', Math.floor(number / MERCHANTS));
    return { id, hash, at, day, merchantId, tenantId, programId };
  });
  const insert = async (table: keyof Schema, change: (copy: (typeof copies)[number]) => object) => {
    const { rows: found } = await sql<object>`${OWN} select * from ${sql.table(table)} limit 1`.execute(database.query);
    for (let start = 0; start < ROWS; start += 500) {
      const rows = copies.slice(start, start + 500).map((copy) => ({ ...found[0], ...change(copy) }));
      await database.write((tx) =>
        tx
          .insertInto(table)
          .values(rows as never)
          .execute(),
      );
    }
  };
  await insert('carts', ({ id, hash, at, merchantId, programId }) => ({
    id,
    merchantId,
    programId,
    transactionId: id,
    codeHash: hash,
    createdByHash: hash.slice(-1),
    emailHash: hash,
    orderRef: id,
    createdAt: at,
  }));
  await insert('applications', ({ id, hash, at, merchantId, tenantId, programId }) => ({
    id,
    merchantId,
    tenantId,
    programId,
    cartId: id,
    buyerId: newId(),
    requestId: newId(),
    createdAt: at,
    updatedAt: at,
    sessionHash: hash,
    emailHash: hash,
    normalizedAddressHash: hash,
  }));
  await insert('transactions', ({ id, at, merchantId }) => ({
    id,
    merchantId,
    cartId: id,
    applicationId: id,
    status: 'SETTLED',
    statusSince: at,
    createdAt: at,
    updatedAt: at,
  }));
  await insert('outbox', ({ id, hash, at, merchantId }) => ({
    id,
    merchantId,
    dueAt: null,
    deliveredAt: at,
    createdAt: at,
    recipientHash: hash,
    applicationId: id,
  }));
  await insert('email_opt_outs', ({ at, hash, merchantId }) => ({ recipientHash: hash, merchantId, createdAt: at }));
  await insert('merchant_requests', ({ at, hash, merchantId }) => ({ id: idOf(hash, 0, at), merchantId }));
  await insert('events', ({ id, at, merchantId }) => ({ id, merchantId, transactionId: newId(), createdAt: at }));
  await insert('exceptions', ({ id, at, merchantId }) => ({ id, merchantId, applicationId: id, raisedAt: at, closedAt: at }));
  await insert('settlements', ({ id, at, merchantId, day }) => ({ id, merchantId, day, createdAt: at }));
  await insert('settlement_lines', ({ id, at, merchantId }) => ({ merchantId, transactionId: id, settlementId: id, at }));
  // SQLite has no statistics in production.
  if (database.engine === 'postgres') await database.write((tx) => sql`analyze`.execute(tx));
}

/** Sends every request of the OpenAPI document and submits every form of a checkout. Returns the operations that were sent. */
async function sendRequests({ publicUrl }: TestService, merchant: TestMerchant): Promise<Set<string>> {
  const sent = new Set<string>();
  const operations = operationsIn('sandbox').map(({ method, path }) => ({
    name: `${method} ${path}`,
    pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
    method,
  }));
  const { fetch: original } = globalThis;
  vi.spyOn(globalThis, 'fetch').mockImplementation((input, init) => {
    const { pathname } = new URL(input instanceof Request ? input.url : input);
    const method = (init?.method ?? 'GET').toLowerCase();
    const operation = operations.find((each) => each.method === method && each.pattern.test(pathname));
    if (operation) sent.add(operation.name);
    return original(input, init);
  });

  for (const { name, method } of operations.filter(({ name: each }) => !each.includes('{'))) {
    if (method === 'get') await merchant.get(name.slice('get '.length));
  }
  await merchant.post('/aslowas', { customTotal: 75_000 });
  await merchant.post('/oauth/token', new URLSearchParams({ grant_type: 'client_credentials' }).toString());
  const keyed = { body: JSON.stringify({ options: { customTotal: 75_000 } }), headers: { 'idempotency-key': newId() } };
  for (let attempt = 0; attempt < 2; attempt += 1) await merchant.call('POST', '/carts', keyed);
  const pageCart = { key: merchant.apiKey, idempotencyKey: newId(), options: { customTotal: 75_000 } };
  const fromPage = { body: JSON.stringify(pageCart), headers: { origin: 'https://shop.example' } };
  await merchant.call('POST', '/storefront/carts', fromPage);

  const contact = {
    firstName: 'Ada',
    lastName: 'Lovelace',
    address: '1 Main',
    city: 'Austin',
    state: 'TX',
    email: 'a@b.example',
  };
  const shared = await createCart(merchant, { callbackUrl: 'http://127.0.0.1:65535/', billingContact: contact });
  await merchant.get(`/carts/${shared.id}`);
  await merchant.post(`/carts/${shared.id}/email`, { email: 'ada@example.com', name: 'Ada' });
  await merchant.post(`/carts/${shared.id}/text`, { phone: '5550100100' });
  await submit(await open(shared.url));
  const plans = await submit(await submit(await open(`${shared.url}/restart`), { ...elsewhere, lastName: 'Byron' }));
  await open(`${sessionUrl(plans)}/cancel`);
  await merchant.post(`/carts/${shared.id}/expire`);
  const denied = await createCart(merchant);
  await reachDecision(denied.url, { taxIdLast4: '2001' });
  await open(denied.url);
  const canceled = await createCart(merchant);
  const page = await submit(await open(canceled.url));
  await submit(await open(`${sessionUrl(page)}/cancel`));
  const signed = await createCart(merchant, { callbackUrl: 'http://127.0.0.1:65535/' });
  const completed = await submit(await reachAgreement(signed.url));
  await open(sessionUrl(completed));
  const { text: messages } = await merchant.get('/sandbox/messages');
  const copy = await open(new RegExp(`${publicUrl}/a/[\\w-]+`).exec(messages)![0]);
  await submit(copy, { email: 'ada@example.com' });
  await submit(await open(new RegExp(`${publicUrl}/u/[\\w-]+`).exec(messages)![0]));

  const card = { taxIdLast4: '1003' };
  for (const over of [card, {}]) {
    const id = await completeCheckout(merchant, over);
    await merchant.get(`/transactions/${id}`);
    await merchant.get(`/transactions/${id}/adjustments`);
    await merchant.call('PUT', `/transactions/${id}`, { body: '{"merchantOrderId":"1"}' });
    await merchant.post(`/transactions/actions/${id}`, { type: 'authorize' });
    await merchant.post(`/transactions/actions/${id}`, { type: 'settle' });
    await merchant.post(`/transactions/${id}/shipment`, { trackingNumber: '1' });
    await merchant.post(`/transactions/actions/${id}`, { type: 'refund', amount: 100 });
  }
  const { body: run } = await merchant.post('/sandbox/settlements');
  await merchant.get(`/settlements/${run.settlements[0].id}`);
  const lists = {
    transactions: ['orderRef=A', 'merchantOrderId=A', `cartId=${newId()}`, 'status=PENDING', 'email=ada@example.com'],
    carts: ['orderRef=A', 'status=open', 'status=expired', 'email=ada@example.com'],
  };
  for (const [list, filters] of Object.entries(lists)) {
    const { headers } = await merchant.get(`/${list}?limit=1&createdAt[gte]=2026-01-01`);
    const [, next] = /<[^?]*\?([^>]*)>/.exec(headers.get('link') ?? '') ?? [];
    for (const query of [next, ...filters]) await merchant.get(`/${list}?${query}`);
  }
  const token = await requestToken(publicUrl, merchant);
  const { body: found } = await listApplications(publicUrl, token);
  await fetchResponse(`${publicUrl}/api/application/${found.applications[0].id}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  for (const sort of ['createdAt.asc', 'createdAt.desc', 'updatedAt.asc', 'updatedAt.desc']) {
    for (const filter of ['', 'showExpired.eq=false', `buyerID.eq=${newId()}`, 'updatedAt.gte=2026-01-01', 'status.eq=DENIED']) {
      const { headers } = await listApplications(publicUrl, token, `sort=${sort}&limit=2&${filter}`);
      const next = /<[^?]*\?([^>]*)>/.exec(headers.get('link') ?? '')?.[1];
      if (next) await listApplications(publicUrl, token, next);
    }
  }
  const { body: webhook } = await merchant.post('/webhooks', { url: 'http://127.0.0.1:65535/' });
  for (const path of ['secrets', 'enable', 'test']) await merchant.post(`/webhooks/${webhook.id}/${path}`);
  await completeCheckout(merchant);
  const { body: purchase } = await merchant.get('/events?type=transaction.settled');
  const [{ id: event, data }] = purchase.events;
  await merchant.get(`/events/${event}`);
  await merchant.get(`/events?after=${event}&createdAt[gte]=2026-01-01&createdAt[lt]=2999-01-01`);
  await merchant.post(`/webhooks/${webhook.id}/deliveries`, { eventId: event });
  await merchant.get(`/webhooks/${webhook.id}`);
  await merchant.get(`/webhooks/${webhook.id}/deliveries?after=${event}`);
  await merchant.call('DELETE', `/webhooks/${webhook.id}`);
  await merchant.get(`/events?transactionId=${data.transactionId}`);
  await merchant.post('/sandbox/clock', { now: new Date().toISOString() });
  return sent;
}

/** Raises an exception of the application of a purchase, which a person has to resolve. */
async function raiseException(
  { database, clock }: TestService,
  { merchantId }: TestMerchant,
  transactionId: string,
): Promise<void> {
  const { applicationId } = await getTransaction(database.query, merchantId, transactionId);
  const raised = { id: newId(), applicationId, merchantId, kind: 'undecided', raisedAt: clock.now() } as const;
  await database.write((tx) => addException(tx, raised));
  expect(await findLatestException(database.query, applicationId, raised.kind)).toMatchObject({ id: raised.id });
}

/** Executes what commands of operators read: the data of a buyer, exceptions, the status, and the days to settle. */
async function runCommands({ database, databaseUrl, clock }: TestService, { merchantId }: TestMerchant): Promise<void> {
  const buyer = { email: 'ada@example.com' };
  await exportBuyer(database, buyer, clock.now());
  for (const of of [{ merchantId, isOpen: true }, { merchantId, isOpen: false }, { isOpen: true }]) {
    await listExceptions(database.query, { ...of, limit: 10 });
  }
  await readStatus(database, { mode: 'sandbox', databaseUrl }, clock.now());
  for await (const run of runSettlements(database, { through: '2999-01-01' }, clock.now())) expect(run).toBeDefined();
  const settled = sql<{
    transactionId: string;
    revision: number;
    netCents: number;
  }>`${OWN} select transaction_id as "transactionId",
    sequence as revision, gross_cents - fee_cents as "netCents" from settlement_lines
    where merchant_id = ${merchantId} and type = 'settled' and settlement_id is not null and gross_cents > 0 limit 1`;
  const [line] = (await settled.execute(database.query)).rows;
  const payout = { ...line!, bankReference: 'BANK-1', paidOn: '2026-11-23', number: 2 } as const;
  await reconcile(database, [payout], { replace: true, now: clock.now() });
  // Purchases must be retained, so that nothing is erased.
  await expect(eraseBuyer(database, buyer, clock.now())).rejects.toThrow('must be retained');
}

/** Dates the rows of a merchant in the past, so that the jobs have work to do, and runs the jobs. */
async function runJobs({ database, clock }: TestService, merchant: TestMerchant): Promise<void> {
  const { merchantId } = merchant;
  const { id: cartId } = await createCart(merchant);
  await merchant.post('/sandbox/checkouts', { cartId });
  const started = await createCart(merchant);
  await submit(await open(started.url));
  await until(async () => {
    const due = sql`${OWN} select 1 from outbox where due_at <= ${clock.now()} limit 1`;
    return (await due.execute(database.query)).rows.length === 0;
  });
  const errors: unknown[] = [];
  const onError = (thrown: unknown) => errors.push(thrown);
  await recordExpiries({ database, clock: { now: () => plusDays(clock.now(), 40) }, onError });
  const date = (table: (typeof LARGE_TABLES)[number], column: string, value = LONG_AGO) =>
    database.write((tx) =>
      sql`${OWN} update ${sql.table(table)} set ${sql.ref(column)} = ${value} where merchant_id = ${merchantId}`.execute(tx),
    );
  await date('applications', 'updatedAt');
  await date('applications', 'expiresAt');
  await date('transactions', 'statusSince');
  await date('carts', 'expiresOn', LONG_AGO.slice(0, 10));
  const ofMessages = sql`${OWN} update outbox set created_at = ${LONG_AGO} where merchant_id = ${merchantId} and notice is null`;
  await database.write((tx) => ofMessages.execute(tx));
  // Notices cannot be dated back, and a purchase is kept for some time after the last one.
  const notices = sql`${OWN} delete from outbox where merchant_id = ${merchantId} and notice is not null`;
  await database.write((tx) => notices.execute(tx));
  await date('events', 'createdAt');
  const deps = { database, lender: sandboxLender(), cards: undefined, approvals: { approvalDays: 7, extensionDays: 7 } };
  const checkout = checkoutDeps(database, deps);
  await runRetryJob({ deps: checkout, clock, onError });
  await runCheckoutJob({ deps: checkout, clock, retention: { unfinishedApplicationHours: 24 }, onError });
  await expireTransactions({ database, transactions, now: clock.now(), onError });
  expect(await deleteUnusedCarts(database, 30, clock.now())).toBeGreaterThan(0);
  await date('transactions', 'statusSince');
  const swept = await sweepOnce({ database, realClock: systemClock, retention: testConfig.retention, onError });
  for (const kind of ['applications', 'purchases', 'carts', 'messages', 'merchantRequests', 'events'] as const) {
    expect(swept[kind], `deleted ${kind}`).toBeGreaterThan(0);
  }
  expect(errors).toEqual([]);
}

const isLarge = (table: string | undefined, tables: readonly (string | undefined)[] = LARGE_TABLES) => tables.includes(table);

/** Returns the steps of a statement that read a whole large table, or a whole index of it. Partial indexes contain only what is due. */
type FindScans = (text: string, values: readonly unknown[]) => Promise<string[]>;

function sqliteScans(databaseUrl: string, tables: readonly string[] = LARGE_TABLES): FindScans {
  const file = new Sqlite(databaseUrl.slice('sqlite:'.length));
  onCleanup(() => void file.close());
  const partial = file.prepare("select name from sqlite_schema where type = 'index' and sql like '% where %'").pluck().all();
  return async (text) => {
    const statement = file.prepare(`explain query plan ${text}`);
    const steps = statement.all(Array.from(text.matchAll(/\?/g), () => null)) as { detail: string }[];
    return steps
      .map(({ detail }) => detail)
      .filter((detail) => {
        // A status is that of many rows.
        const isOfStatus = / \(status(_code)?=\?\)$/.test(detail);
        const [, step, table, index] = /^(SCAN|SEARCH) (\w+)(?: USING (?:COVERING )?INDEX (\w+))?/.exec(detail) ?? [];
        if (step === 'SEARCH' && !isOfStatus) return false;
        return isLarge(table, tables) && !partial.includes(index);
      });
  };
}

interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Index Cond'?: string;
  Plans?: Plan[];
}

async function postgresScans(databaseUrl: string, tables: readonly string[] = LARGE_TABLES): Promise<FindScans> {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  onCleanup(() => client.end());
  const { rows } = await client.query("select indexname from pg_indexes where indexdef like '% WHERE %'");
  const partial = new Set(rows.map(({ indexname }: { indexname: string }) => indexname));
  const nodesIn = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesIn)];
  return async (text, values) => {
    const { rows: explained } = await client.query(`explain (format json) ${text}`, [...values]);
    const [{ Plan: root }] = (explained[0] as { 'QUERY PLAN': [{ Plan: Plan }] })['QUERY PLAN'];
    return nodesIn(root)
      .filter((node) => {
        const isWhole = node['Node Type'] === 'Seq Scan' || (node['Node Type'].startsWith('Index') && !node['Index Cond']);
        return isLarge(node['Relation Name'], tables) && isWhole && !partial.has(node['Index Name'] ?? '');
      })
      .map((node) => `${node['Node Type']} on ${node['Relation Name']} ${node['Index Name'] ?? ''}`);
  };
}

interface Column {
  child: string;
  column: string;
}

/** All foreign keys. A delete of the referenced row looks for rows that refer to it, which no plan shows. */
function foreignKeys(engine: Engine) {
  return engine === 'sqlite'
    ? sql<Column & { referenced: string }>`
        select tables.name as child, keys."from" as "column", keys."table" as referenced
        from sqlite_schema as tables, pragma_foreign_key_list(tables.name) as keys where tables.type = 'table'`
    : sql<Column & { referenced: string }>`
        select conrelid::regclass::text as child, attname as "column", confrelid::regclass::text as referenced
        from pg_constraint join pg_attribute on attrelid = conrelid and attnum = conkey[1] where contype = 'f'`;
}

/** The first columns of all indexes of whole tables. */
function leadingColumns(engine: Engine) {
  return engine === 'sqlite'
    ? sql<Column>`
        select tables.name as child, columns.name as "column"
        from sqlite_schema as tables, pragma_index_list(tables.name) as indexes, pragma_index_info(indexes.name) as columns
        where tables.type = 'table' and indexes.partial = 0 and columns.seqno = 0`
    : sql<Column>`
        select indrelid::regclass::text as child, attname as "column"
        from pg_index join pg_attribute on attrelid = indrelid and attnum = indkey[0] where indpred is null`;
}

describeOnEveryEngine('Requests and jobs', (engine) => {
  it('never read a whole table of carts, applications, transactions or messages', { timeout: 300_000 }, async () => {
    const statements = recordStatements(engine);
    const service = await startService(engine);
    const merchant = await service.createMerchant({ origins: ['https://shop.example'] });
    const id = await completeCheckout(merchant, { callbackUrl: 'http://127.0.0.1:65535/' });
    const other = await service.createMerchant();
    const settled = await completeCheckout(other);
    for (const type of ['authorize', 'settle']) await other.post(`/transactions/actions/${settled}`, { type });
    await other.post('/sandbox/settlements');
    await raiseException(service, merchant, id);
    await multiply(service, service.database);

    const sent = await sendRequests(service, merchant);
    await runCommands(service, merchant);
    await runJobs(service, merchant);

    expect(
      operationsIn('sandbox').flatMap(({ method, path }) => (sent.has(`${method} ${path}`) ? [] : [`${method} ${path}`])),
    ).toEqual([]);
    const recorded = [...statements].filter(([text]) => LARGE_TABLES.some((table) => new RegExp(`\\b${table}\\b`).test(text)));
    expect(recorded.length).toBeGreaterThan(60);
    const scansOf = engine === 'sqlite' ? sqliteScans(service.databaseUrl) : await postgresScans(service.databaseUrl);
    const scans: Record<string, string[]> = {};
    for (const [text, values] of recorded) {
      const found = await scansOf(text, values);
      if (found.length > 0) scans[text] = found;
    }
    expect(scans).toEqual({});
  });

  it('find the first merchant of a large tenant by an index, without those of other tenants', async () => {
    const { createMerchant, database, databaseUrl } = await startService(engine);
    const other = await createMerchant();
    const own = await createMerchant();
    const found = await database.query.selectFrom('merchants').selectAll().limit(1).executeTakeFirstOrThrow();
    const copies = [other, own].flatMap(({ tenantId }) =>
      Array.from({ length: 500 }, () => ({ ...found, id: newId(), tenantId })),
    );
    await database.write(async (tx) => {
      await tx.insertInto('merchants').values(copies).execute();
      await sql`analyze`.execute(tx);
    });
    const statements = recordStatements(engine);
    expect(await firstMerchantOf(database.query, newId())).toBeUndefined();
    expect(await firstMerchantOf(database.query, own.tenantId)).toMatchObject({ id: own.merchantId });
    const [[text, values] = ['', []]] = [...statements].filter(([each]) => each.includes('merchants'));
    const scansOf =
      engine === 'sqlite' ? sqliteScans(databaseUrl, ['merchants']) : await postgresScans(databaseUrl, ['merchants']);
    expect([text.includes('merchants'), await scansOf(text, values)]).toEqual([true, []]);
  });

  it('find the rows that refer to a deleted row by an index', async () => {
    const { database } = await startService(engine);
    const { rows } = await foreignKeys(engine).execute(database.query);
    const toLarge = rows.filter(({ referenced }) => isLarge(referenced)).map(({ child, column }) => `${child}.${column}`);
    const { rows: indexes } = await leadingColumns(engine).execute(database.query);
    const indexed = new Set(indexes.map(({ child, column }) => `${child}.${column}`));
    expect(toLarge.length).toBeGreaterThan(5);
    expect(toLarge.filter((name) => !indexed.has(name))).toEqual([]);
  });
});
