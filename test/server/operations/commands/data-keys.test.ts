import { beforeAll, describe, expect, it } from 'vitest';
import { Fairterm } from '@fairterm/client';
import { readConfig } from '../../../../server/base/config/config.ts';
import { serve } from '../../../../server/main.ts';
import { openDatabase } from '../../../../server/db/open-database.ts';
import { newDataKey, parseKeyRing } from '../../../../server/base/key-ring.ts';
import { forgetUnusedDataKeys, rotateRows } from '../../../../server/db/data-keys.ts';
import { AUTHENTICATED_TABLES, type AuthenticatedTable, SEALED_TABLES, type SealedTable } from '../../../../server/db/sealed.ts';
import { newId, newToken } from '../../../../server/base/ids.ts';
import { addRefundRequest, findRefundRequest } from '../../../../server/console/approvals/store.ts';
import { plusDays, systemClock } from '../../../../server/base/time.ts';
import { beginSession, findSignedIn } from '../../../../server/console/users/sessions.ts';
import { sql } from 'kysely';
import { createDatabaseUrl, describeOnEveryEngine } from '../../../support/databases.ts';
import { buildProject, startReachableProcess } from '../../../support/process.ts';
import {
  captureLog,
  fetchResponse,
  listApplications,
  requestToken,
  startService,
  widgetFolder,
} from '../../../support/service.ts';
import { chair } from '../../../support/checkout.ts';
import { fairterm } from './fairterm.ts';

describe('fairterm data-key create', () => {
  it('prints a key for DATA_KEYS without a database', async () => {
    const { code, stdout, stderr } = await fairterm(['data-key', 'create']);
    expect([code, stdout.length]).toEqual([0, 1]);
    expect(stdout[0]).toMatch(/^20261121-[0-9a-f]{4}:[A-Za-z0-9+/]{43}=$/);
    expect(parseKeyRing(stdout[0]!, 'DATA_KEYS').ids).toHaveLength(1);
    expect(stderr.join()).toMatch(/after the current one.*restart all processes.*first.*data-key rotate/);
    const { key } = JSON.parse((await fairterm(['data-key', 'create', '--json'])).stdout[0]!);
    expect(key).not.toBe(stdout[0]);
  });
});

describeOnEveryEngine('fairterm data-key rotate', (engine) => {
  const earlier = newDataKey('earlier');
  const next = newDataKey('next');
  const both = `${next},${earlier}`;
  let databaseUrl: string;
  beforeAll(async () => {
    await buildProject();
    databaseUrl = await createDatabaseUrl(engine);
  });
  const sessionLimits = { idleMinutes: 30, sessionHours: 12 };
  const run = (args: string[], DATA_KEYS: string, progress: string[] = []) =>
    fairterm(args, { databaseUrl, env: { DATA_KEYS }, progress });
  const json = async (args: string[], keys: string) => JSON.parse((await run([...args, '--json'], keys)).stdout[0]!);
  const dataKeysOf = (DATA_KEYS: string) => readConfig({ DATA_KEYS }).dataKeys;
  const openWith = (keys: string) => openDatabase(databaseUrl, () => parseKeyRing(keys, 'DATA_KEYS'));

  it('encrypts all rows again while another process serves, after which the earlier key can be removed', async () => {
    await run(['migrate'], earlier);
    const shop = ['merchant', 'create', '--name', 'Acme', '--store-url', 'https://shop.example'];
    const { apiKey, secret, merchantId } = await json(shop, earlier);
    const scope = ['--merchant', merchantId, '--email', 'ada@acme.example', '--role', 'viewer'];
    const { userId } = await json(['user', 'add', ...scope], earlier);
    const withSession = openWith(earlier);
    const session = newToken(32);
    await withSession.write((tx) => beginSession(tx, userId, session, sessionLimits, systemClock.now()));
    await withSession.close();
    const callbackSecrets = await json(['callback-secret', 'list', '--merchant', merchantId], earlier);
    const authorization = `Basic ${Buffer.from(`${apiKey}:${secret}`).toString('base64')}`;
    const contact = { fullName: 'Ada Lovelace', email: 'ada@example.com', address: '1 Main St', city: 'Peoria', state: 'IL' };
    const buyAt = async (serviceUrl: string, index: number) => {
      const merchant = new Fairterm({ serviceUrl, apiKey, secret });
      const cart = await merchant.carts.create({ options: { items: [chair], billingContact: contact, orderRef: `O-${index}` } });
      const { transactionId } = await merchant.sandbox.checkout({ cartId: cart.id });
      return { cart, transactionId };
    };

    const before = await startService(engine, { databaseUrl, dataKeys: dataKeysOf(earlier) });
    const bought = [];
    for (let index = 0; index < 5; index++) bought.push(await buyAt(before.publicUrl, index));
    const { transactionId: refunded } = bought[0]!;
    const requestedAt = systemClock.now();
    const refund = { id: newId(), merchantId, transactionId: refunded, revision: 1, amountCents: 100, requestedBy: userId };
    const pending = {
      status: 'pending',
      requestedAt,
      expiresAt: plusDays(requestedAt, 7),
      decidedBy: null,
      decidedAt: null,
    } as const;
    await before.database.write((tx) => addRefundRequest(tx, { ...refund, ...pending, action: { type: 'refund', amount: 100 } }));
    const token = await requestToken(before.publicUrl, { apiKey, secret });
    const keyed = { authorization, 'idempotency-key': 'before' };
    const request = { method: 'POST', headers: keyed, body: JSON.stringify({ options: { items: [chair] } }) };
    const response = await fetchResponse(`${before.publicUrl}/carts`, request);
    const { port } = new URL(before.publicUrl);
    await before.close();

    const during = await startReachableProcess(databaseUrl, { DATA_KEYS: both, PORT: port });
    const rotation = new AbortController();
    const buying = (async () => {
      for (let index = 100; !rotation.signal.aborted; index++) bought.push(await buyAt(during.url, index));
    })();
    // Interrupt a first rotation after three batches.
    const database = openWith(both);
    let batches = 0;
    for await (const { rows } of rotateRows(database, 2)) if (rows > 0 && ++batches === 3) break;
    await database.close();
    const progress: string[] = [];
    const rotated = JSON.parse((await run(['data-key', 'rotate', '--json'], both, progress)).stdout[0]!);
    rotation.abort();
    await buying;
    expect(rotated).toEqual({
      keyId: 'next',
      rows: expect.any(Number),
      removableKeyIds: ['earlier'],
      outdatedRows: 0,
      damagedRows: 0,
    });
    expect(rotated.rows).toBeGreaterThan(20);
    expect(progress[0]).toBe('0:00, Encrypting rows again');
    // The line is removed at the end.
    expect(progress.slice(-2)).toEqual([
      expect.stringMatching(/^[\d,]+ of [\d,]+, [\d.,]+\/s, \d+:\d\d, Encrypting rows again$/),
      '',
    ]);
    await during.kill();

    const after = await startService(engine, { databaseUrl, dataKeys: dataKeysOf(next), port: Number(port) });
    const merchant = new Fairterm({ serviceUrl: after.publicUrl, apiKey, secret });
    for (const { cart, transactionId } of bought) {
      expect(await merchant.carts.retrieve(cart.id)).toMatchObject({ url: cart.url, options: { billingContact: contact } });
      expect(await merchant.transactions.retrieve(transactionId)).toMatchObject({
        billingContact: { email: expect.any(String) },
      });
      expect((await fetchResponse(cart.url)).status).toBe(200);
    }
    expect(await fetchResponse(`${after.publicUrl}/carts`, request)).toMatchObject({ status: 200, text: response.text });
    expect((await listApplications(after.publicUrl, token)).body.applications).toHaveLength(bought.length);
    expect(await json(['callback-secret', 'list', '--merchant', merchantId], next)).toEqual(callbackSecrets);
    expect(await findSignedIn(after.database, session, sessionLimits, systemClock.now())).toMatchObject({ user: { id: userId } });
    expect(await findRefundRequest(after.database.query, refund.id)).toMatchObject(refund);
    const { events } = await json(['security-events', '--kind', 'data-keys-rotated'], next);
    expect(events).toMatchObject([{ actor: 'console', details: { keyId: 'next', removableKeyIds: ['earlier'] } }]);
  });

  it('changes nothing when it is run again, and reports rows that were written with the earlier key meanwhile', async () => {
    expect(await json(['data-key', 'rotate'], next)).toMatchObject({ rows: 0, removableKeyIds: [], outdatedRows: 0 });
    const database = openWith(both);
    const row = await database.query.selectFrom('lookup_keys').selectAll().executeTakeFirstOrThrow();
    const key = parseKeyRing(both, 'DATA_KEYS').open(row.sealed, ['lookup_keys', 1]);
    const sealed = parseKeyRing(earlier, 'DATA_KEYS').seal(key, ['lookup_keys', 1]);
    await database.write((tx) => tx.updateTable('lookup_keys').set({ sealed }).execute());
    expect(await forgetUnusedDataKeys(database)).toEqual({ forgotten: [], outdatedRows: 1 });
    await database.close();
    expect(await json(['data-key', 'rotate'], both)).toMatchObject({ rows: 1, outdatedRows: 0 });
  });

  it('leaves no row with the earlier key', async () => {
    const database = openWith(next);
    for (const table of Object.keys(SEALED_TABLES) as SealedTable[]) {
      const { rows } = await sql<{ sealed: string }>`select sealed from ${sql.table(table)}`.execute(database.query);
      expect(rows.filter(({ sealed }) => !sealed.startsWith('v2.next.'))).toEqual([]);
    }
    for (const table of Object.keys(AUTHENTICATED_TABLES) as AuthenticatedTable[]) {
      const { rows } = await sql<{ mac: string }>`select mac from ${sql.table(table)}`.execute(database.query);
      expect([table, rows.length > 0, rows.filter(({ mac }) => !mac.startsWith('v2.next.'))]).toEqual([table, true, []]);
    }
    await database.close();
  });

  it.each([
    ['a missing key', earlier, 'expected the key next, with which this database is encrypted, but received only earlier'],
    [
      'another key with its id',
      newDataKey('next'),
      'expected the key next with which this database is encrypted, but received another',
    ],
  ])('makes the new key mandatory: a service with %s does not start', async (_case, DATA_KEYS, problem) => {
    const config = readConfig({ DATABASE_URL: databaseUrl, DATA_KEYS, PORT: '0' });
    await expect(serve(config, widgetFolder, { log: captureLog().log })).rejects.toThrow(`DATA_KEYS: ${problem}`);
    expect(await run(['audit'], DATA_KEYS)).toMatchObject({ code: 2 });
  });
});
