import { createCipheriv, hash, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { findApplication } from '../../../server/applications/store.ts';
import { findCartByCode, getCart } from '../../../server/carts/store.ts';
import { findDocument } from '../../../server/agreements/store.ts';
import { getFormKey } from '../../../server/checkout/session/store.ts';
import { upgradeRows } from '../../../server/db/data-keys.ts';
import { type Database, openDatabase } from '../../../server/db/database.ts';
import { onDamagedRow } from '../../../server/db/engine.ts';
import { newDataKey, parseKeyRing, type AssociatedData, SealedDataError } from '../../../server/db/key-ring.ts';
import { lookupHash, unseal } from '../../../server/db/sealed.ts';
import { migrateInMode } from '../../../server/db/mode.ts';
import { findKey, findWrite } from '../../../server/idempotency/store.ts';
import { hashSecret } from '../../../server/merchants/keys.ts';
import { activeCallbackSecrets, findMerchantByKey } from '../../../server/merchants/store.ts';
import { findDelivery } from '../../../server/notifications/store.ts';
import { activePublicKeys, newestActiveKey } from '../../../server/tokens/store.ts';
import { getTransaction } from '../../../server/transactions/store.ts';
import { createDatabaseUrl, describeOnEveryEngine } from '../../support/databases.ts';
import { TEST_DATA_KEYS, testKeys } from '../../support/data-keys.ts';
import { buildProject, startProcess } from '../../support/process.ts';
import { fairterm } from '../commands/fairterm.ts';

const at = '2026-11-21T09:30:00.000000Z';
const ROWS = 5;
const SEALED_TABLES = [
  'agreement_documents',
  'applications',
  'callback_secrets',
  'carts',
  'form_keys',
  'idempotency_responses',
  'idempotency_writes',
  'lookup_keys',
  'outbox',
  'signing_keys',
  'transactions',
] as const;

/** Seals a value as releases with the first version did: only the table and the primary key are authenticated. */
function sealFirstVersion(text: string, place: AssociatedData): string {
  const [id, key] = TEST_DATA_KEYS.split(':') as [string, string];
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', Buffer.from(key, 'base64'), nonce).setAAD(Buffer.from(JSON.stringify(place)));
  const sealed = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  return `v1.${id}.${sealed.toString('base64url')}`;
}

const sha256 = (text: string) => hash('sha256', text, 'hex');
/** An id that a store accepts: a UUID that ends with a number. */
const idAt = (number: number) => `00000000-0000-7000-8000-00000000000${number}`;
const codeAt = (number: number) => String(number).repeat(22);

describeOnEveryEngine('Rows of the first version', (engine) => {
  beforeAll(buildProject);

  /** Creates a database as a release before the second version left it, with rows in every sealed table. */
  async function createEarlierDatabase() {
    const url = await createDatabaseUrl(engine);
    const database = openDatabase(url, testKeys);
    onTestFinished(async () => {
      await database.close();
    });
    await database.migrate('0001-initial');
    await database.write(async (tx) => {
      const insert = async (table: string, row: Record<string, unknown>) => {
        const columns = sql.join(Object.keys(row).map((column) => sql.ref(column)));
        await sql`insert into ${sql.table(table)} (${columns}) values (${sql.join(Object.values(row))})`.execute(tx);
      };
      const insertSealed = (table: string, key: Record<string, string | number>, value: unknown, rest: object = {}) =>
        insert(table, { ...key, ...rest, sealed: sealFirstVersion(JSON.stringify(value), [table, ...Object.values(key)]) });

      await sql`update data_keys set check_value = ${sealFirstVersion('Fairterm data key', ['data_keys', 'test'])}`.execute(tx);
      for (const table of ['form_keys', 'lookup_keys']) {
        await sql`delete from ${sql.table(table)}`.execute(tx);
        await insertSealed(table, { id: 1 }, Buffer.from(table.padEnd(32, '.')).toString('base64url'));
      }
      await insert('environment', { id: 1, mode: 'sandbox' });
      await insert('tenants', { id: 't', name: 'Acme', createdAt: at });
      const merchant = {
        id: 'm',
        tenantId: 't',
        name: 'Acme',
        storeUrl: 'https://shop.example',
        defaultProgramId: 'p',
        createdAt: at,
      };
      await insert('merchants', merchant);
      await insert('programs', { id: 'p', merchantId: 'm', createdAt: at });
      const ofMerchant = { merchantId: 'm', createdAt: at };
      for (let number = 1; number <= ROWS; number++) {
        const id = idAt(number);
        const secretHash = hashSecret(`secret ${number}`);
        await insert('merchant_keys', { apiKey: `key ${number}`, ...ofMerchant, secretHash });
        await insertSealed('callback_secrets', { id }, `whsec_${number}`, ofMerchant);
        const cart = {
          status: 'OPEN',
          createdByHash: '',
          expiresOn: '2030-01-01',
          programId: 'p',
          codeHash: sha256(codeAt(number)),
        };
        await insertSealed(
          'carts',
          { id },
          { code: codeAt(number), createdBy: '', options: { orderRef: `order ${number}` } },
          { ...ofMerchant, ...cart },
        );
        const application = {
          tenantId: 't',
          buyerId: 'b',
          programId: 'p',
          cartId: id,
          sessionHash: sha256(id),
          status: 'STARTED',
          statusCode: '',
          currency: 'USD',
          offersJson: '[]',
          updatedAt: at,
          expiresAt: at,
          revision: 1,
        };
        await insertSealed('applications', { id }, { cardLabel: `card ${number}` }, { ...ofMerchant, ...application });
        const document = { applicationId: id, language: 'en', codeHash: sha256(codeAt(number)) };
        await insertSealed('agreement_documents', { id }, { html: `page ${number}`, sha256: '' }, { ...ofMerchant, ...document });
        const transaction = {
          cartId: id,
          applicationId: id,
          status: 'PENDING',
          orderRef: '',
          merchantOrderId: '',
          updatedAt: at,
          revision: 1,
          totalCents: 0,
          adjustedTotalCents: 0,
          shippingCents: 0,
          shippingMethodCode: '',
          shippingMethodName: '',
          carrierName: '',
        };
        const contact = { fullName: 'Ada Lovelace', phone: '5550100100' };
        const sealed = { trackingNumber: `track ${number}`, billingContact: contact, shippingContact: contact };
        await insertSealed('transactions', { id }, sealed, { ...ofMerchant, ...transaction });
        const delivery = { channel: 'card', endpoint: 'card', transactionId: id, attempts: 0, lastFailure: '' };
        await insertSealed('outbox', { id }, { url: `card:${number}`, body: '{}' }, { ...ofMerchant, ...delivery });
        await insert('idempotency_keys', {
          merchantId: 'm',
          key: id,
          fingerprint: '',
          holder: '',
          leasedUntil: '',
          expiresAt: at,
        });
        await insertSealed(
          'idempotency_responses',
          { merchantId: 'm', key: id },
          { headers: {}, body: `body ${number}` },
          { status: 200 },
        );
        await insertSealed('idempotency_writes', { merchantId: 'm', key: id, ordinal: 0 }, { result: number });
        const key = { algorithm: 'ES256', publicJwkJson: `{"kid":"${number}"}`, createdAt: at };
        await insertSealed('signing_keys', { kid: String(number) }, `private ${number}`, key);
      }
    });
    return { database, url };
  }

  /** Reads every row through its store. */
  async function expectAllOpen({ query, write }: Database) {
    for (let number = 1; number <= ROWS; number++) {
      const id = idAt(number);
      expect(await findMerchantByKey(query, `key ${number}`)).toMatchObject({ secretHash: hashSecret(`secret ${number}`) });
      expect(await getCart(query, 'm', id)).toMatchObject({ options: { orderRef: `order ${number}` } });
      expect(await findCartByCode(query, codeAt(number))).toMatchObject({ id });
      expect(await findApplication(query, id)).toMatchObject({ cardLabel: `card ${number}`, sessionHash: sha256(id) });
      expect(await findDocument(query, codeAt(number))).toMatchObject({ html: `page ${number}` });
      expect(await getTransaction(query, 'm', id)).toMatchObject({ trackingNumber: `track ${number}` });
      expect(await findDelivery(query, id)).toMatchObject({ url: `card:${number}` });
      expect(await findKey(query, { merchantId: 'm', key: id })).toMatchObject({ response: { body: `body ${number}` } });
      expect(await write((tx) => findWrite(tx, { merchantId: 'm', key: id }, 0))).toEqual({ result: number });
    }
    expect((await activeCallbackSecrets(query, 'm')).map(({ secret }) => secret)).toEqual(
      [5, 4, 3, 2, 1].map((number) => `whsec_${number}`),
    );
    expect(await newestActiveKey(query)).toMatchObject({ kid: '5', privateJwkJson: 'private 5' });
    expect(await activePublicKeys(query)).toHaveLength(ROWS);
    expect((await getFormKey(query)).export().toString()).toBe('form_keys'.padEnd(32, '.'));
    expect(await lookupHash(query, 'email', 'ada@example.com')).toMatch(/^[0-9a-f]{64}$/);
  }

  /** Returns the number of rows with each version, in all sealed tables. */
  async function versions({ query }: Database): Promise<Record<string, number>> {
    const counts: Record<string, number> = {};
    for (const table of SEALED_TABLES) {
      const { rows } = await sql<{ version: string }>`select substr(sealed, 1, 2) as version from ${sql.table(table)}`.execute(
        query,
      );
      for (const { version } of rows) counts[version] = (counts[version] ?? 0) + 1;
    }
    return counts;
  }

  const ALL = 9 * ROWS + 2;

  it('are converted when the database is migrated, after which all of them open', async () => {
    const { database } = await createEarlierDatabase();
    expect(await versions(database)).toEqual({ v1: ALL });

    await migrateInMode(database, 'sandbox');

    expect(await versions(database)).toEqual({ v2: ALL });
    expect(await database.isMigrated()).toBe(true);
    await expectAllOpen(database);
  });

  it('are converted by another migration after an interruption, until which the database is not up to date', async () => {
    const { database, url } = await createEarlierDatabase();
    await database.migrate('0003-authenticated-rows');
    let writes = 0;
    const interrupted: Database = {
      ...database,
      write: async (work) => {
        if (++writes > 10) throw new Error('interrupted');
        return database.write(work);
      },
    };

    await expect(upgradeRows(interrupted, 2)).rejects.toThrow('interrupted');

    const { v1, v2 } = await versions(database);
    expect([v1! > 0, v2! > 0]).toEqual([true, true]);
    expect(await database.isMigrated()).toBe(false);
    const audit = await fairterm(['audit'], { databaseUrl: url });
    expect(audit).toMatchObject({ code: 2, stderr: [expect.stringContaining('run `fairterm migrate`')] });

    await migrateInMode(database, 'sandbox');
    expect(await versions(database)).toEqual({ v2: ALL });
    expect(await database.isMigrated()).toBe(true);
    await expectAllOpen(database);
  });

  it('are converted by several processes at the same time', async () => {
    const { database, url } = await createEarlierDatabase();

    const processes = Array.from({ length: 4 }, () => startProcess('test/server/db/process.mjs', ['migrate', url]));

    expect(await Promise.all(processes.map(({ ended }) => ended))).toEqual([0, 0, 0, 0]);
    expect(await versions(database)).toEqual({ v2: ALL });
    await expectAllOpen(database);
  });

  it('are converted after a rotation of the data keys was interrupted', async () => {
    const { database, url } = await createEarlierDatabase();
    const next = parseKeyRing(`${newDataKey('next')},${TEST_DATA_KEYS}`, 'DATA_KEYS');
    const rotating = openDatabase(url, () => next);
    onTestFinished(() => rotating.close());

    await migrateInMode(rotating, 'sandbox');

    await expectAllOpen(rotating);
    const keys = await rotating.query.selectFrom('data_keys').selectAll().orderBy('id').execute();
    expect(keys.map(({ id, checkValue }) => checkValue.startsWith(`v2.${id}.`))).toEqual([true, true]);
    await expect(migrateInMode(database, 'sandbox')).rejects.toThrow('expected the key next');
  });

  it('are left as they are without their key', async () => {
    const { database, url } = await createEarlierDatabase();
    const other = openDatabase(url, () => parseKeyRing(newDataKey('test'), 'DATA_KEYS'));
    onTestFinished(() => other.close());

    await expect(other.migrate()).rejects.toThrow('received another key with its id');

    expect(await versions(database)).toEqual({ v1: ALL });
    await migrateInMode(database, 'sandbox');
    await expectAllOpen(database);
  });

  it('are reported and left out if they are damaged, and do not stop the conversion of the others', async () => {
    const { database } = await createEarlierDatabase();
    const damaged: string[] = [];
    onDamagedRow(database, ({ table, rowId }) => damaged.push(`${table} ${rowId}`));
    await database.write((tx) => sql`update carts set sealed = 'v1.test.AAAA' where id = ${idAt(2)}`.execute(tx));

    await migrateInMode(database, 'sandbox');

    // By the conversion, and by the copy of the references of carts.
    expect(new Set(damaged)).toEqual(new Set([`carts ${idAt(2)}`]));
    expect(await versions(database)).toEqual({ v1: 1, v2: ALL - 1 });
    expect(await getCart(database.query, 'm', idAt(3))).toMatchObject({ options: { orderRef: 'order 3' } });
    await expect(getCart(database.query, 'm', idAt(2))).rejects.toThrow(SealedDataError);
  });

  it('are rejected once all of them were converted, as are keys without a code, and are not converted again', async () => {
    const { database } = await createEarlierDatabase();
    const { query } = database;
    const earlier = await sql<{ id: string; sealed: string }>`select id, sealed from carts where id = ${idAt(1)}`.execute(query);
    const lookupKey = await sql<{ sealed: string }>`select sealed from lookup_keys`.execute(query);
    await migrateInMode(database, 'sandbox');
    await database.write(async (tx) => {
      await sql`update carts set sealed = ${earlier.rows[0]!.sealed} where id = ${idAt(1)}`.execute(tx);
      await sql`update merchant_keys set mac = '' where api_key = 'key 1'`.execute(tx);
    });

    await migrateInMode(database, 'sandbox');

    await expect(getCart(query, 'm', idAt(1))).rejects.toThrow(SealedDataError);
    expect(await findMerchantByKey(query, 'key 1')).toBeUndefined();
    expect(() => unseal(query, 'lookup_keys', { id: 1, sealed: lookupKey.rows[0]!.sealed })).toThrow(SealedDataError);
    expect(() => unseal(query, 'lookup_keys', { id: 1, sealed: lookupKey.rows[0]!.sealed.replace('v1', 'v2') })).toThrow(
      SealedDataError,
    );
  });
});
