/** The rows of earlier releases after the migrations that convert them. */
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { addDocument, findDocument } from '../../../server/agreements/store.ts';
import { unfinishedApplications } from '../../../server/applications/store.ts';
import { dueExpiries, listCarts, saveCartOpened } from '../../../server/carts/store.ts';
import type { Database } from '../../../server/db/database.ts';
import { connectionOf, onDamagedRow } from '../../../server/db/engine.ts';
import { toJson } from '../../../server/db/json.ts';
import { copyOrderRefs } from '../../../server/db/order-refs.ts';
import { addMissingWords, hashesOfWords } from '../../../server/db/order-words.ts';
import { seal } from '../../../server/db/sealed.ts';
import { addException, closeExceptions } from '../../../server/exceptions/store.ts';
import { hashOfCode, idOf, newId } from '../../../server/ids.ts';
import { addRequest, listRequests, saveRequests } from '../../../server/merchant-requests/store.ts';
import { changeMerchant } from '../../../server/merchants/merchants.ts';
import { activeKeysCreatedBy, callbacksOf, requireMerchant } from '../../../server/merchants/store.ts';
import { findPendingRequest } from '../../../server/refund-requests/store.ts';
import { dueApplications } from '../../../server/retention/store.ts';
import { listSecurityEvents } from '../../../server/security-events/store.ts';
import { findSettlement, saveReceipt } from '../../../server/settlements/store.ts';
import { auditTransactions } from '../../../server/transactions/audit.ts';
import { type Instant, plusDays, systemClock } from '../../../server/time.ts';
import { receivingWebhooks } from '../../../server/webhooks/store.ts';
import { addUser, lockUser, saveUser } from '../../../server/users/store.ts';
import { createDatabaseAt, describeOnEveryEngine } from '../../support/databases.ts';
import { PICTURES } from '../../support/pictures.ts';

const AT = '2026-11-21T09:30:00.000000Z';
const LATER = '2026-11-22T09:30:00.000000Z';

type Row = Record<string, string | number | null>;

/** Inserts rows with columns of an earlier schema, which the types of the current one do not describe. */
async function insert(database: Database, table: string, ...rows: Row[]): Promise<void> {
  await database.write(async (tx) => {
    for (const row of rows) {
      const columns = sql.join(Object.keys(row).map((column) => sql.ref(column)));
      await sql`insert into ${sql.table(table)} (${columns}) values (${sql.join(Object.values(row))})`.execute(tx);
    }
  });
}

/** Inserts merchants of one tenant, each with a program of the same id. */
async function insertShops(database: Database, ...ids: string[]): Promise<void> {
  await insert(database, 'tenants', { id: 'tenant', name: 'Acme', createdAt: AT });
  const merchant = { tenantId: 'tenant', name: 'Acme', storeUrl: 'https://shop.example/', createdAt: AT };
  await insert(database, 'merchants', ...ids.map((id) => ({ id, defaultProgramId: id, ...merchant })));
  await insert(database, 'programs', ...ids.map((id) => ({ id, merchantId: id, createdAt: AT })));
}

const ofShop = { merchantId: 'shop', createdAt: AT, sealed: '' };
const cart = (id: string): Row => ({
  id,
  ...ofShop,
  programId: 'shop',
  codeHash: id.padEnd(64, '0'),
  status: 'OPEN',
  createdByHash: '',
  expiresOn: '2026-11-28',
});
/** Returns an application of the cart with the same id. */
const application = (id: string, change: Row = {}): Row => ({
  id,
  ...ofShop,
  tenantId: 'tenant',
  programId: 'shop',
  buyerId: 'buyer',
  cartId: id,
  status: 'DENIED',
  statusCode: '300000',
  currency: 'USD',
  offersJson: '[]',
  updatedAt: AT,
  expiresAt: AT,
  revision: 1,
  ...change,
});
/** Returns a transaction of the cart and the application with the same id. */
const transaction = (id: string, change: Row = {}): Row => ({
  id,
  ...ofShop,
  cartId: id,
  applicationId: id,
  status: 'SETTLED',
  statusSince: AT,
  orderRef: '',
  merchantOrderId: '',
  totalCents: 5_000,
  adjustedTotalCents: 5_000,
  shippingCents: 0,
  shippingMethodCode: '',
  shippingMethodName: '',
  carrierName: '',
  updatedAt: AT,
  revision: 1,
  ...change,
});

describeOnEveryEngine('The migration', (engine) => {
  it('0002 dates the deletion of the contacts of transactions as that of their applications', async () => {
    const database = await createDatabaseAt('0001-initial', engine);
    await insertShops(database, 'shop');
    await insert(database, 'carts', cart('a'), cart('b'));
    await insert(database, 'applications', application('a'), application('b', { detailsDeletedAt: LATER }));
    await insert(database, 'transactions', transaction('a'), transaction('b'));

    await database.migrate();

    const rows = await database.query.selectFrom('transactions').select(['id', 'contactsDeletedAt']).orderBy('id').execute();
    expect(rows).toEqual([
      { id: 'a', contactsDeletedAt: null },
      { id: 'b', contactsDeletedAt: LATER },
    ]);
  });

  it('0004 keeps the counted attempts of persons', async () => {
    const database = await createDatabaseAt('0003-authenticated-rows', engine);
    const hash = 'a'.repeat(64);
    await database.write((tx) => sql`insert into application_attempts values (${hash}, ${`["${AT}"]`}, ${AT})`.execute(tx));

    await database.migrate();

    expect(await database.query.selectFrom('limited_attempts').selectAll().execute()).toEqual([
      { subjectHash: hash, attemptsJson: `["${AT}"]`, lastAttemptAt: AT },
    ]);
  });

  it('0004 attributes e-mails to the only application of their recipient at their merchant', async () => {
    const database = await createDatabaseAt('0003-authenticated-rows', engine);
    await insertShops(database, 'shop', 'other');
    const recipients = { ada: 'ada', 'grace-1': 'grace', 'grace-2': 'grace', 'no-address': '' };
    for (const [id, emailHash] of Object.entries(recipients)) {
      await insert(database, 'carts', cart(id));
      await insert(database, 'applications', application(id, { emailHash }));
    }
    const message = (id: string, channel: string, recipientHash: string, merchantId = 'shop'): Row => {
      const unsent = { endpoint: channel, sealed: '', attempts: 0, lastFailure: '', createdAt: AT };
      return { id, merchantId, channel, recipientHash, ...unsent };
    };
    await insert(
      database,
      'outbox',
      message('1-to-ada', 'email', 'ada'),
      message('2-to-grace', 'email', 'grace'),
      message('3-of-other', 'email', 'ada', 'other'),
      message('4-text', 'text', 'phone'),
      message('5-callback', 'callback', ''),
    );

    await database.migrate();

    const rows = await database.query.selectFrom('outbox').select(['id', 'cartId', 'applicationId']).orderBy('id').execute();
    expect(rows).toEqual([
      { id: '1-to-ada', cartId: 'ada', applicationId: 'ada' },
      ...['2-to-grace', '3-of-other', '4-text', '5-callback'].map((id) => ({ id, cartId: null, applicationId: null })),
    ]);
  });

  it('0005 lets callback URLs be registered for merchants from before it, and rejects unknown merchants', async () => {
    const database = await createDatabaseAt('0004-recipients', engine);
    await insertShops(database, 'shop');
    const merchantId = 'shop';

    await database.migrate();

    expect(await callbacksOf(database.query, merchantId)).toEqual([]);
    const url = 'https://shop.example/callback';
    for (let times = 0; times < 2; times++) await changeMerchant(database, 'sandbox', merchantId, { addCallbacks: [url] }, AT);
    expect(await callbacksOf(database.query, merchantId)).toEqual([url]);
    const unknown = database.write((tx) => tx.insertInto('merchant_callbacks').values({ merchantId: 'unknown', url }).execute());
    await expect(unknown).rejects.toThrow(/foreign key/i);
  });

  it('0006 counts completed purchases as returned, and applications with a request or with details as requests', async () => {
    const database = await createDatabaseAt('0001-initial', engine);
    await insertShops(database, 'shop');
    const applications: Record<string, Row[]> = {
      completed: [{ status: 'CHECKOUT_COMPLETED', requestId: 'r' }],
      erased: [{ status: 'DENIED', requestId: 'r', detailsDeletedAt: AT }],
      unfinished: [{ status: 'EXPIRED', detailsDeletedAt: AT }],
      restarted: [
        { status: 'CANCELLED', detailsDeletedAt: AT, supersededAt: AT },
        { status: 'DENIED', requestId: 'r' },
      ],
      'needs-action': [{ status: 'NEEDS_ACTION' }],
      empty: [],
    };
    for (const [cartId, rows] of Object.entries(applications)) {
      await insert(database, 'carts', cart(cartId));
      await insert(database, 'applications', ...rows.map((row, index) => application(`${cartId}-${index}`, { cartId, ...row })));
    }

    await database.migrate();

    const carts = await database.query.selectFrom('carts').select(['id', 'submissions']).execute();
    expect(Object.fromEntries(carts.map(({ id, submissions }) => [id, submissions]))).toEqual({
      completed: 1,
      erased: 1,
      unfinished: 0,
      restarted: 1,
      'needs-action': 1,
      empty: 0,
    });
    const returned = await database.query.selectFrom('applications').select('status').where('returnedAt', '=', AT).execute();
    expect(returned).toEqual([{ status: 'CHECKOUT_COMPLETED' }]);
    const unused = database.query.selectFrom('applications').select('id').where('cardReturnHash', '!=', '');
    expect(await unused.execute()).toEqual([]);
  });

  it('0007 keeps the rows of the journal, without an amount that they requested, and new rows can have one', async () => {
    const database = await createDatabaseAt('0001-initial', engine);
    await insertShops(database, 'shop');
    await insert(database, 'carts', cart('a'));
    await insert(database, 'applications', application('a'));
    await insert(database, 'transactions', transaction('a', { adjustedTotalCents: 4_000, refundedCents: 1_000, revision: 2 }));
    const event = { transactionId: 'a', actor: 'system', at: AT } as const;
    await insert(
      database,
      'transaction_events',
      { ...event, sequence: 1, type: 'created', amountCents: 5_000 },
      { ...event, sequence: 2, type: 'refunded', amountCents: 1_000 },
    );

    await database.migrate();

    const row = { ...event, type: 'refunded', linesJson: toJson([]) } as const;
    const large = { ...row, sequence: 3, amountCents: 4_000, cardCents: 0, requestedCents: 99_999_999_999 };
    await database.write((tx) => tx.insertInto('transaction_events').values(large).execute());
    const journal = database.query.selectFrom('transaction_events').select(['sequence', 'amountCents', 'requestedCents']);
    expect(await journal.orderBy('sequence').execute()).toEqual([
      { sequence: 1, amountCents: 5_000, requestedCents: null },
      { sequence: 2, amountCents: 1_000, requestedCents: null },
      { sequence: 3, amountCents: 4_000, requestedCents: 99_999_999_999 },
    ]);
  });

  it('0008 keeps signed documents from before it, and lets new ones share texts', async () => {
    const database = await createDatabaseAt('0007-requested-amounts', engine);
    await insertShops(database, 'shop');
    for (const id of ['a', 'b', 'c']) {
      await insert(database, 'carts', cart(id));
      await insert(database, 'applications', application(id));
    }
    const document = { merchantId: 'shop', language: 'en', createdAt: AT } as const;
    const content = { html: '<p>The text of an agreement</p>', sha256: 'a'.repeat(64) };
    const codeOf = (character: string) => character.repeat(22);
    const row = { ...document, id: 'a', applicationId: 'a', codeHash: hashOfCode(codeOf('a')) };
    await database.write(async (tx) => {
      await tx
        .insertInto('agreement_documents')
        .values({ ...row, sealed: seal(tx, 'agreement_documents', row, content) })
        .execute();
    });

    await database.migrate();

    for (const id of ['b', 'c']) {
      const next = { ...document, ...content, id, applicationId: id, sharedTexts: ['The text of an agreement'] };
      await database.write((tx) => addDocument(tx, next, codeOf(id)));
    }
    for (const id of ['a', 'b', 'c']) {
      expect(await findDocument(database.query, codeOf(id))).toEqual({ ...document, ...content, id, applicationId: id });
    }
    const texts = await database.query.selectFrom('document_texts').select('textsJson').execute();
    expect(texts).toEqual([{ textsJson: '["The text of an agreement"]' }]);
  });

  it('0009 lets merchants from before it, which have no brand, have one', async () => {
    const database = await createDatabaseAt('0008-document-texts', engine);
    await insertShops(database, 'shop', 'other');

    await database.migrate();

    expect(await requireMerchant(database.query, 'shop')).toMatchObject({ logo: null, accent: null, supportEmail: null });
    const logo = PICTURES.png;
    for (const id of ['shop', 'other']) await changeMerchant(database, 'sandbox', id, { logo, accent: '#0B5D4E' }, AT);
    const name = expect.stringMatching(/^[0-9a-f]{32}\.png$/);
    expect(await requireMerchant(database.query, 'other')).toMatchObject({ logo: name, accent: '#0b5d4e' });
    const kept = await database.query.selectFrom('merchant_logos').select('merchantId').execute();
    expect(kept.map(({ merchantId }) => merchantId).toSorted()).toEqual(['other', 'shop']);
  });

  it('0013 marks the changes that the lender received no events of, and adds the request and the time zone', async () => {
    const database = await createDatabaseAt('0012-lender-events', engine);
    await insertShops(database, 'shop');
    const document = { programId: 'shop', status: 'active', effectiveFrom: '2026-11-21', createdAt: AT };
    const versions = [{ timeZone: 'America/Chicago' }, {}].map((program, index) => ({
      ...document,
      version: index + 1,
      documentJson: toJson(program),
    }));
    await insert(database, 'program_versions', ...versions);
    for (const [id, change] of Object.entries<[Row, Row]>({
      a: [
        { requestId: 'request', programVersion: 1 },
        { cardCents: 1_000, cardReference: 'card', revision: 2 },
      ],
      b: [{ programVersion: 2 }, {}],
    })) {
      await insert(database, 'carts', cart(id));
      await insert(database, 'applications', application(id, change[0]));
      await insert(database, 'transactions', transaction(id, change[1]));
    }
    await insert(database, 'transaction_events', {
      transactionId: 'a',
      sequence: 1,
      type: 'created',
      amountCents: 5_000,
      actor: 'system',
      at: AT,
    });

    await database.migrate();

    const rows = database.query
      .selectFrom('transactions')
      .select(['id', 'requestId', 'timeZone', 'eventsAfter', 'cardReducedCents', 'merchantDiscountBps', 'merchantDiscountCents'])
      .orderBy('id');
    const unchanged = { cardReducedCents: 0, merchantDiscountBps: 0, merchantDiscountCents: 0 };
    expect(await rows.execute()).toEqual([
      { id: 'a', requestId: 'request', timeZone: 'America/Chicago', eventsAfter: 2, ...unchanged },
      { id: 'b', requestId: null, timeZone: 'UTC', eventsAfter: 1, ...unchanged },
    ]);
    const [row] = await database.query.selectFrom('transaction_events').select('cardCents').execute();
    expect(row).toEqual({ cardCents: 0 });
    for (const cents of [1_001, -1]) {
      const invalid = database.write((tx) =>
        tx.updateTable('transactions').set({ cardReducedCents: cents }).where('id', '=', 'a').execute(),
      );
      await expect(invalid).rejects.toThrow(/check/i);
    }
  });

  it('0014 lets pending applications outlive their carts, and keeps the times at which requests are due', async () => {
    const database = await createDatabaseAt('0013-servicing', engine);
    await insertShops(database, 'shop');
    const requested = { status: 'STARTED', statusCode: '100100', requestId: 'request', requestLeasedUntil: LATER };
    for (const [id, change] of Object.entries<Row>({
      pending: requested,
      'pending-for-weeks': { ...requested, updatedAt: '2026-10-01T09:30:00.000000Z' },
      signed: { status: 'ATTEMPTED_CHECKOUT', statusCode: '600000', requestLeasedUntil: LATER },
      incomplete: { status: 'NEEDS_ACTION', statusCode: '400100' },
      started: { status: 'STARTED', statusCode: '100000' },
    })) {
      await insert(database, 'carts', cart(id));
      await insert(database, 'applications', application(id, change));
    }

    await database.migrate();

    const rows = await database.query
      .selectFrom('applications')
      .select(['id', 'requestLeasedUntil', 'requestDueAt', 'requestAttempts', 'warnAt', 'expiresAt'])
      .execute();
    const unchanged = { requestLeasedUntil: null, requestDueAt: null, requestAttempts: 0, warnAt: null, expiresAt: AT };
    const due = { ...unchanged, requestLeasedUntil: LATER, requestDueAt: LATER };
    expect(Object.fromEntries(rows.map(({ id, ...row }) => [id, row]))).toEqual({
      pending: { ...due, warnAt: '2026-12-16T09:30:00.000000Z', expiresAt: '2026-12-21T09:30:00.000000Z' },
      'pending-for-weeks': { ...due, warnAt: '2026-10-26T09:30:00.000000Z', expiresAt: '2026-10-31T09:30:00.000000Z' },
      signed: due,
      incomplete: unchanged,
      started: unchanged,
    });
    const raised = { applicationId: 'pending', merchantId: 'shop', kind: 'decision', raisedAt: AT } as const;
    const add = (id: string) => database.write((tx) => addException(tx, { id, ...raised }));
    expect(await add('first')).toMatchObject({ id: 'first' });
    expect(await add('second')).toBeUndefined();
    await database.write((tx) => closeExceptions(tx, 'pending', LATER));
    expect(await add('third')).toMatchObject({ id: 'third' });
  });

  it('0020 finds earlier purchases by e-mail address and reference, and copies sealed references of carts in batches', async () => {
    const database = await createDatabaseAt('0018-push', engine);
    await insertShops(database, 'shop');
    const sealedCart = (id: string, options: object): Row => {
      const row = cart(id);
      const place = { id, merchantId: 'shop', codeHash: String(row['codeHash']) };
      const value = { code: id, createdBy: '', options } as unknown as Parameters<typeof seal<'carts'>>[3];
      return { ...row, sealed: seal(database.query, 'carts', place, value) };
    };
    await insert(database, 'carts', sealedCart('a', { orderRef: 'ORDER-1' }), sealedCart('b', {}), cart('damaged'));
    await insert(database, 'applications', application('a', { emailHash: 'ada' }), application('b', { emailHash: 'ada' }));
    await insert(database, 'transactions', transaction('a'), transaction('b', { contactsDeletedAt: LATER }));
    const damaged: string[] = [];
    onDamagedRow(database, ({ message }) => damaged.push(message));

    await database.migrate('0020-find');
    expect(await database.isMigrated()).toBe(false);
    await copyOrderRefs(database, 1);

    expect(await database.query.selectFrom('carts').select(['id', 'orderRef']).orderBy('id').execute()).toEqual([
      { id: 'a', orderRef: 'ORDER-1' },
      { id: 'b', orderRef: '' },
      { id: 'damaged', orderRef: '' },
    ]);
    expect(damaged.length).toBe(1);
    const rows = await database.query.selectFrom('transactions').select(['id', 'emailHash']).orderBy('id').execute();
    expect(rows).toEqual([
      { id: 'a', emailHash: 'ada' },
      { id: 'b', emailHash: '' },
    ]);
    await database.migrate();
    expect(await database.isMigrated()).toBe(true);
  });

  it('0025 adds the words of earlier purchases in batches, and lets users change the journal', async () => {
    const database = await createDatabaseAt('0024-users', engine);
    await insertShops(database, 'shop');
    const contact = (fullName: string) => ({ fullName, phone: '5550100177' });
    const sealedPurchase = (id: string, fullName: string): Row => {
      const place = { id, merchantId: 'shop', cartId: id, applicationId: id };
      const value = { billingContact: contact(fullName), shippingContact: contact(fullName) };
      const sealed = seal(database.query, 'transactions', place, value as unknown as Parameters<typeof seal<'transactions'>>[3]);
      return transaction(id, { sealed });
    };
    for (const id of ['a', 'b', 'c', 'damaged']) {
      await insert(database, 'carts', { ...cart(id), orderRef: '' });
      await insert(database, 'applications', application(id));
    }
    const erased = { ...sealedPurchase('c', ''), contactsDeletedAt: LATER };
    await insert(database, 'transactions', sealedPurchase('a', 'Ada Lovelace'), sealedPurchase('b', 'Ada'), erased);
    await insert(database, 'transactions', transaction('damaged'));
    const entry = (sequence: number, change: Row = {}): Row => ({
      transactionId: 'a',
      sequence,
      type: 'shipped',
      amountCents: 0,
      actor: 'key:1234',
      at: AT,
      ...change,
    });
    await insert(database, 'transaction_events', entry(1, { reference: 'R-1' }), entry(2, { requestedCents: 7 }));
    const journal = () => database.query.selectFrom('transaction_events').selectAll().orderBy('sequence').execute();
    const before = await journal();
    const damaged: string[] = [];
    onDamagedRow(database, ({ message }) => damaged.push(message));

    await database.migrate('0025-order-search');
    expect(await database.isMigrated()).toBe(false);
    await addMissingWords(database, 1);

    await database.migrate();
    expect(await database.isMigrated()).toBe(true);
    expect(damaged.length).toBe(1);
    const words = await database.query.selectFrom('order_words').selectAll().orderBy('transactionId').execute();
    expect(words.map(({ transactionId, createdAt }) => [transactionId, createdAt])).toEqual([
      ['a', AT],
      ['a', AT],
      ['a', AT],
      ['b', AT],
      ['b', AT],
    ]);
    expect(new Set(words.map(({ hash }) => hash)).size).toBe(3);
    expect(await journal()).toEqual(before);
    const user = 'user:0193a000-0000-7000-8000-000000000000';
    await insert(database, 'transaction_events', entry(3, { actor: user }));
    expect((await journal()).at(-1)?.actor).toBe(user);
    for (const invalid of [entry(4, { actor: 'unknown' }), entry(3), entry(5), entry(4, { cardCents: -1 })]) {
      await expect(insert(database, 'transaction_events', invalid)).rejects.toThrow();
    }
    const change = sql`update transaction_events set at = ${LATER}`;
    await expect(database.write((tx) => change.execute(tx))).rejects.toThrow('The journal of a transaction cannot be changed');
    const removal = sql`delete from transaction_events`;
    await expect(database.write((tx) => removal.execute(tx))).rejects.toThrow('The journal of a transaction cannot be changed');
  });

  it('0021 records the expiry of carts that are open, and not of those that had expired before', async () => {
    const database = await createDatabaseAt('0018-push', engine);
    await insertShops(database, 'shop');
    await insert(
      database,
      'carts',
      { ...cart('open'), expiresOn: '2999-01-01' },
      { ...cart('expired'), expiresOn: '2020-01-01' },
      { ...cart('completed'), expiresOn: '2999-01-01', status: 'COMPLETED' },
    );
    await database.migrate();
    const due = await dueExpiries(database.query, '2999-01-02', 10);
    expect(due.map(({ id }) => id)).toEqual(['open']);
  });

  it('0019 retains applications that a lender has received, also those that it needed an action for', async () => {
    const database = await createDatabaseAt('0018-push', engine);
    await insertShops(database, 'shop');
    for (const [id, change] of Object.entries<Row>({
      approved: { status: 'APPROVED', statusCode: '200000', requestId: 'request' },
      incomplete: { status: 'NEEDS_ACTION', statusCode: '400100' },
      changing: { status: 'STARTED', statusCode: '100200' },
      'expired-incomplete': { status: 'EXPIRED', statusCode: '800300' },
      started: { status: 'STARTED', statusCode: '100000' },
      canceled: { status: 'CANCELLED', statusCode: '700100' },
    })) {
      await insert(database, 'carts', cart(id));
      await insert(database, 'applications', application(id, change));
    }

    await database.migrate();

    const unfinished = await unfinishedApplications(database.query, LATER, 10);
    expect(unfinished.map(({ id }) => id)).toEqual(['canceled', 'started']);
    const due = await dueApplications(database.query, LATER, 10);
    expect(due.map(({ id }) => id)).toEqual(['expired-incomplete']);
  });

  it('0022 adds the settlement lines of purchases that were settled before, from their journals', async () => {
    const database = await createDatabaseAt('0021-events', engine);
    await insertShops(database, 'shop', 'other');
    type Step = [type: string, amountCents: number, cardCents?: number, at?: string];
    const discount = { merchantDiscountBps: 290, merchantDiscountCents: 30 };
    const withCard = { cardCents: 2_000, cardReference: 'card', cardReducedCents: 0 };
    const purchases: Record<string, { row: Row; journal: Step[] }> = {
      // 04:59 UTC is the day before in New York.
      loan: {
        row: {
          ...discount,
          timeZone: 'America/New_York',
          status: 'REFUNDED',
          adjustedTotalCents: 0,
          canceledCents: 1_000,
          refundedCents: 4_000,
        },
        journal: [
          ['created', 5_000],
          ['authorized', 5_000],
          ['canceled', 1_000],
          ['settled', 4_000, 0, '2026-11-21T04:59:00.000000Z'],
          ['shipped', 0],
          ['refunded', 1_000, 0, LATER],
          ['refunded', 3_000, 0, LATER],
        ],
      },
      card: {
        row: { ...withCard, adjustedTotalCents: 1_500, refundedCents: 3_500, merchantId: 'other' },
        journal: [
          ['created', 5_000],
          ['authorized', 5_000],
          ['settled', 5_000],
          ['card-capture-failed', 2_000],
          ['refunded', 3_000, 0, LATER],
          ['refunded', 500, 0, LATER],
        ],
      },
      declined: {
        row: { ...withCard, cardReducedCents: 2_000, adjustedTotalCents: 3_000, canceledCents: 2_000 },
        journal: [
          ['created', 5_000],
          ['authorized', 5_000],
          ['card-declined', 2_000],
          ['canceled', 2_000, 2_000],
          ['settled', 3_000],
        ],
      },
      pending: {
        row: { status: 'AUTHORIZED' },
        journal: [
          ['created', 5_000],
          ['authorized', 5_000],
        ],
      },
    };
    for (const [id, { row, journal }] of Object.entries(purchases)) {
      const { merchantId = 'shop' } = row;
      const owned = { merchantId, programId: merchantId };
      await insert(database, 'carts', { ...cart(id), ...owned });
      await insert(database, 'applications', application(id, { ...owned, currency: merchantId === 'shop' ? 'USD' : 'CAD' }));
      await insert(database, 'transactions', transaction(id, { ...row, revision: journal.length }));
      const events = journal.map(([type, amountCents, cardCents = 0, at = AT], index) => {
        return { transactionId: id, sequence: index + 1, type, amountCents, cardCents, actor: 'system', at };
      });
      await insert(database, 'transaction_events', ...events);
    }

    await database.migrate();

    const { query } = database;
    const lines = await query
      .selectFrom('settlement_lines')
      .selectAll()
      .orderBy('transactionId')
      .orderBy('sequence')
      .orderBy('type')
      .execute();
    expect(lines.every(({ settlementId }) => settlementId === null)).toBe(true);
    const shown = lines.map((line) =>
      [line.transactionId, line.sequence, line.type, line.grossCents, line.feeCents, line.day].join(' '),
    );
    expect(shown).toEqual([
      'card 3 settled 3000 0 2026-11-21',
      'card 3 settled-by-card 0 0 2026-11-21',
      'card 5 refunded -3000 0 2026-11-22',
      'card 6 refunded-to-card 0 0 2026-11-22',
      'declined 5 settled 3000 0 2026-11-21',
      'loan 4 settled 4000 146 2026-11-20',
      'loan 6 refunded -1000 -29 2026-11-22',
      'loan 7 refunded -3000 -117 2026-11-22',
    ]);
    expect([...new Set(lines.map(({ merchantId, currency }) => `${merchantId} ${currency}`))]).toEqual(['other CAD', 'shop USD']);
    // The audit derives the same lines.
    for await (const differences of auditTransactions(query)) {
      expect(differences.filter(({ what }) => what === 'settlement' || what === 'journal')).toEqual([]);
    }
    const change = (set: object) => database.write((tx) => tx.updateTable('settlement_lines').set(set).execute());
    await expect(change({ feeCents: 0 })).rejects.toThrow('cannot be changed');
    await expect(database.write((tx) => tx.deleteFrom('settlement_lines').execute())).rejects.toThrow('cannot be changed');
  });

  it('0023 protects notices from changes, and in live mode from deletion within 25 months', async () => {
    const database = await createDatabaseAt('0022-settlements', engine);
    await insertShops(database, 'shop');
    await insert(database, 'environment', { id: 1, mode: 'live' });
    const now = systemClock.now();
    const ofOutbox = { ...ofShop, channel: 'email', endpoint: 'email', sealed: 'v2.test.one', attempts: 0, lastFailure: '' };
    const notice = (id: string, createdAt: Instant) => ({ ...ofOutbox, id, createdAt, notice: 'denial', dueAt: AT });
    await insert(database, 'outbox', notice('recent', plusDays(now, -758)), notice('old', plusDays(now, -763)));
    await insert(database, 'outbox', { ...ofOutbox, id: 'message', dueAt: AT });

    await database.migrate();

    const run = (statement: string) => database.write((tx) => sql.raw(statement).execute(tx));
    const values = `'recent', 'shop', 'email', 'email', 'v2.test.two', 0, '', '${AT}'`;
    const columns = 'id, merchant_id, channel, endpoint, sealed, attempts, last_failure, created_at';
    for (const statement of [
      "update outbox set sealed = 'v2.test.two' where id = 'recent'",
      "update outbox set sealed = 'v1.next.two' where id = 'recent'",
      "update outbox set notice = null where id = 'recent'",
      `update outbox set created_at = '${AT}' where id = 'recent'`,
      "update outbox set recipient_hash = 'other' where id = 'old'",
      "update outbox set application_id = 'other' where id = 'recent'",
      "delete from outbox where id = 'recent'",
      ...(engine === 'sqlite'
        ? [`insert or replace into outbox (${columns}) values (${values})`]
        : [
            'truncate outbox cascade',
            `insert into outbox (${columns}) values (${values}) on conflict (id) do update set notice = ''`,
          ]),
    ]) {
      await expect(run(statement)).rejects.toThrow('A notice to a buyer cannot be changed');
    }
    for (const statement of [
      "update outbox set due_at = null, delivered_at = 'now', attempts = 1, began_at = 'now' where id = 'recent'",
      "update outbox set sealed = 'v2.next.two' where id = 'recent'",
      "update outbox set sealed = 'v2.test.two' where id = 'message'",
      "delete from outbox where id in ('old', 'message')",
      "update environment set mode = 'sandbox'",
      "delete from outbox where id = 'recent'",
    ]) {
      await run(statement);
    }
    expect(await database.query.selectFrom('outbox').select('id').execute()).toEqual([]);
  });

  it('0024 adds users, of whom a merchant has one with an e-mail address', async () => {
    const database = await createDatabaseAt('0023-final-notices', engine);
    await insertShops(database, 'shop', 'sibling');
    await database.migrate();

    const user = { tenantId: 'tenant', merchantId: 'shop', role: 'viewer', refundLimitCents: null, name: '' } as const;
    const identity = { email: 'ada@acme.example', emailHash: 'a'.repeat(64), createdAt: AT, removedAt: null } as const;
    const add = (id: string, change: { merchantId?: string | null } = {}) =>
      database.write((tx) => addUser(tx, { id, ...user, ...identity, ...change }));
    const first = idOf('', 0, AT);
    expect([await add(first), await add('second')]).toEqual([true, false]);
    expect([await add('of-sibling', { merchantId: 'sibling' }), await add('of-all', { merchantId: null })]).toEqual([true, true]);
    expect(await add('also-of-all', { merchantId: null })).toBe(false);
    await database.write(async (tx) => saveUser(tx, { ...(await lockUser(tx, first))!, removedAt: LATER }));
    expect(await add('again')).toBe(true);
  });

  it('0026 adds the requests of merchants', async () => {
    const database = await createDatabaseAt('0024-users', engine);
    await database.migrate();

    const request = {
      id: idOf('', 0, AT),
      merchantId: 'shop',
      keyId: 'aB3_x9Zq',
      method: 'POST',
      path: '/carts',
      status: 200,
      code: null,
    } as const;
    const rejected = { ...request, id: idOf('', 0, LATER), status: 400, code: 'invalid-request' };
    await database.write((tx) => addRequest(tx, request));
    await database.write((tx) => saveRequests(tx, [rejected, { ...request, status: 204 }]));
    const list = (onlyFailed: boolean) => listRequests(database.query, 'shop', { onlyFailed, limit: 9 });
    expect(await list(false)).toEqual([rejected, { ...request, status: 204 }]);
    expect(await list(true)).toEqual([rejected]);
  });

  it('0028 leaves carts without a user of the console', async () => {
    const database = await createDatabaseAt('0026-merchant-requests', engine);
    await insertShops(database, 'shop');
    await insert(database, 'carts', cart('cart'));
    await database.migrate();

    const ofUsers = () => listCarts(database.query, 'shop', { isOfUser: true }, { limit: 9 });
    expect(await ofUsers()).toEqual([]);
    await database.write(async (tx) => {
      const identity = { email: 'ada@acme.example', emailHash: 'a'.repeat(64), createdAt: AT, removedAt: null } as const;
      const user = { tenantId: 'tenant', merchantId: 'shop', role: 'viewer', refundLimitCents: null, name: '' } as const;
      await addUser(tx, { id: 'user', ...user, ...identity });
      await tx.updateTable('carts').set({ userId: 'user' }).execute();
      await saveCartOpened(tx, 'cart', AT);
      await saveCartOpened(tx, 'cart', LATER);
    });
    expect(await ofUsers()).toMatchObject([{ id: 'cart', openedAt: AT }]);
  });

  it('0030 leaves refunds without a second approval', async () => {
    const database = await createDatabaseAt('0028-figures', engine);
    await insertShops(database, 'shop');
    await database.migrate();
    expect(await requireMerchant(database.query, 'shop')).toMatchObject({ refundApprovalCents: null });
    const save = (refundApprovalCents: number) => changeMerchant(database, 'sandbox', 'shop', { refundApprovalCents }, AT);
    expect(await save(50_000)).toMatchObject({ refundApprovalCents: 50_000, name: 'Acme' });
    await expect(save(0)).rejects.toThrow();
    expect(await changeMerchant(database, 'sandbox', 'shop', { name: 'New' }, AT)).toMatchObject({ refundApprovalCents: 50_000 });
  });

  it('0031 leaves settlements without a payout file', async () => {
    const database = await createDatabaseAt('0028-figures', engine);
    await insertShops(database, 'shop');
    const amounts = { lineCount: 0, grossCents: 0, feeCents: 0, carriedCents: 0 };
    await insert(database, 'settlements', {
      id: 'one',
      merchantId: 'shop',
      currency: 'USD',
      day: '2026-11-20',
      ...amounts,
      createdAt: AT,
    });
    await database.migrate();

    const none = { receivedCents: null, receivedOn: null, receivedDifference: null };
    expect(await findSettlement(database.query, 'one')).toMatchObject(none);
    const receipt = { receivedCents: 5, receivedOn: '2026-11-23', receivedDifference: 'amount' } as const;
    await database.write((tx) => saveReceipt(tx, { settlementId: 'one', ...receipt }));
    expect(await findSettlement(database.query, 'one')).toMatchObject({ bankReference: null, ...receipt });
  });

  it('0038 lets webhooks from before it receive events without another test', async () => {
    const database = await createDatabaseAt('0032-tenant-events', engine);
    await insertShops(database, 'shop');
    await insert(database, 'webhooks', { id: newId(), merchantId: 'shop', typesJson: '[]', createdAt: AT, sealed: '' });

    await database.migrate();

    const receiving = await database.write((tx) => receivingWebhooks(tx, ['shop']));
    expect(receiving).toMatchObject([{ confirmedAt: AT }]);
  });

  it('0032 lists earlier events of a tenant that are of no merchant', async () => {
    const database = await createDatabaseAt('0028-figures', engine);
    const event = { occurredAt: AT, kind: 'user-invited', actor: 'console', network: null, count: 1, detailsJson: '{}' };
    const scopes = { tenant: ['t', null], shop: ['t', 'shop'], sibling: ['t', 'sibling'], other: ['other', null] } as const;
    const rows = Object.entries(scopes).map(([id, [tenantId, merchantId]]) => ({ id, tenantId, merchantId, ...event }));
    await insert(database, 'security_events', ...rows);
    await database.migrate();

    const of = { merchantId: 'shop', tenantId: 't' };
    const idsOf = (events: { id: string }[]) => events.map(({ id }) => id);
    const [first, second] = await listSecurityEvents(database.query, { ...of, limit: 9 });
    expect([first?.id, second?.id]).toEqual(['tenant', 'shop']);
    expect(idsOf(await listSecurityEvents(database.query, { ...of, limit: 1 }))).toEqual(['tenant']);
    expect(idsOf(await listSecurityEvents(database.query, { ...of, after: first, limit: 9 }))).toEqual(['shop']);
    const explain = sql.raw(engine === 'sqlite' ? 'explain query plan' : 'explain');
    if (engine === 'postgres') await sql`set enable_seqscan = off`.execute(database.query);
    const plan = await sql`${explain} select * from security_events where tenant_id = 't' and merchant_id is null
      order by occurred_at desc, id desc limit 9`.execute(database.query);
    expect(JSON.stringify(plan.rows)).toMatch(/security_events_by_tenant/);
  });

  it('0034 stores the words of purchases anew by the present rules, also those that an earlier release still adds', async () => {
    const database = await createDatabaseAt('0032-tenant-events', engine);
    await insertShops(database, 'shop');
    const addPurchase = async (id: string, fullName: string, change: Row = {}) => {
      const contact = { fullName, phone: '5550100177' };
      const place = { id, merchantId: 'shop', cartId: id, applicationId: id };
      const value = { billingContact: contact, shippingContact: contact };
      const sealed = seal(database.query, 'transactions', place, value as unknown as Parameters<typeof seal<'transactions'>>[3]);
      await insert(database, 'carts', { ...cart(id), orderRef: '' });
      await insert(database, 'applications', application(id));
      await insert(database, 'transactions', transaction(id, { sealed, wordsVersion: 1, ...change }));
      await insert(database, 'order_words', { hash: `hash of đặng in ${id}`, createdAt: AT, transactionId: id });
    };
    const wordsOf = async (id: string) => {
      const rows = await database.query.selectFrom('order_words').select('hash').where('transactionId', '=', id).execute();
      return rows.map(({ hash }) => hash).toSorted();
    };
    const expected = [
      ...(await hashesOfWords(database.query, 'shop', 'order-name', ['minh', 'dang'])),
      ...(await hashesOfWords(database.query, 'shop', 'order-phone', ['5550100177'])),
    ].toSorted();
    for (const id of ['a', 'b', 'c']) await addPurchase(id, 'Minh Đặng');
    await addPurchase('erased', 'Minh Đặng', { contactsDeletedAt: LATER });
    await database.migrate('0039-open-exceptions');
    expect(await database.isMigrated()).toBe(false);

    // In batches, as after an interruption.
    await addMissingWords(database, 2);
    for (const id of ['a', 'b', 'c']) expect(await wordsOf(id)).toEqual(expected);
    expect(await wordsOf('erased'), 'nothing is added to erased purchases').toEqual(['hash of đặng in erased']);
    expect(await database.isMigrated()).toBe(true);

    await addPurchase('late', 'Minh Đặng');
    expect(await database.isMigrated()).toBe(false);
    await database.migrate();
    expect(await wordsOf('late')).toEqual(expected);
    expect(await wordsOf('a'), 'words are stored once').toEqual(expected);
    expect(await database.isMigrated()).toBe(true);

    const explain = sql.raw(engine === 'sqlite' ? 'explain query plan' : 'explain');
    if (engine === 'postgres') await sql`set enable_seqscan = off`.execute(database.query);
    const plan = await sql`${explain} select id from transactions
      where (words_version is null or words_version < 2) and contacts_deleted_at is null order by id limit 500`.execute(
      database.query,
    );
    expect(JSON.stringify(plan.rows)).toMatch(/transactions_without_words/);
  });

  it('0035 authenticates the sums and the requests of refunds that exist, and finds who has created a key', async () => {
    const database = await createDatabaseAt('0032-tenant-events', engine);
    await insertShops(database, 'shop', 'sibling');
    await insert(database, 'carts', cart('a'));
    await insert(database, 'applications', application('a'));
    await insert(database, 'transactions', transaction('a'));
    const user = { tenantId: 'tenant', merchantId: 'shop', role: 'finance', refundLimitCents: null, createdAt: AT, sealed: '' };
    await insert(database, 'users', { id: 'ada', ...user, emailHash: 'a'.repeat(64) });
    const pending = { id: 'request', merchantId: 'shop', transactionId: 'a', revision: 1, amountCents: 100, requestedBy: 'ada' };
    const action = { type: 'refund', amount: 100 };
    const times = { requestedAt: AT, expiresAt: LATER, status: 'pending', decidedBy: null, decidedAt: null };
    await insert(database, 'refund_requests', { ...pending, ...times, actionJson: JSON.stringify(action) });
    const key = (apiKey: string) => ({ apiKey, merchantId: 'shop', secretHash: '', createdAt: AT, retiredAt: null });
    const keys = [key('ft_sandbox_key_aB3_x9Zq'), key('ft_sandbox_key_of-admin')];
    const { keyRing } = connectionOf(database.query);
    const mac = ({ apiKey }: (typeof keys)[number]) => keyRing.mac(['merchant_keys', apiKey, 'shop', '', AT, null]);
    await insert(database, 'merchant_keys', ...keys.map((each) => ({ ...each, mac: mac(each) })));
    const event = { occurredAt: AT, kind: 'key-created', merchantId: 'shop', count: 1 };
    await insert(
      database,
      'security_events',
      { id: 'one', ...event, actor: 'user:ada', detailsJson: JSON.stringify({ keyId: 'aB3_x9Zq' }) },
      { id: 'two', ...event, actor: 'console', detailsJson: JSON.stringify({ keyId: 'of-admin' }) },
    );
    await database.write((tx) => sql`update merchants set refund_approval_cents = 50000 where id = 'shop'`.execute(tx));

    await database.migrate();

    const sumOf = async (id: string) => (await requireMerchant(database.query, id)).refundApprovalCents;
    expect([await sumOf('shop'), await sumOf('sibling')]).toEqual([50_000, null]);
    expect(await findPendingRequest(database.query, 'a', AT)).toEqual({ ...pending, ...times, action });
    expect(await activeKeysCreatedBy(database.query, 'user:ada')).toMatchObject([keys[0]]);
    expect(await activeKeysCreatedBy(database.query, 'user:bob')).toEqual([]);
  });
});
