import { beforeAll, expect, it } from 'vitest';
import { type Database } from '../../../../server/db/database.ts';
import { FailedLogins } from '../../../../server/merchants/failed-logins.ts';
import { createMigratedDatabaseUrl, describeOnEveryEngine, openTestDatabase } from '../../../support/databases.ts';
import { fairterm, fairtermJson, now } from './fairterm.ts';

describeOnEveryEngine('fairterm security-events', (engine) => {
  let databaseUrl: string;
  let database: Database;
  const secrets: string[] = [];
  let merchantId: string;
  let tenantId: string;
  const keyIds: string[] = [];
  beforeAll(async () => {
    databaseUrl = await createMigratedDatabaseUrl(engine);
    database = openTestDatabase(databaseUrl);
    const created = await json('merchant', 'create', '--name', 'Jane Doe', '--store-url', 'https://shop.example');
    ({ merchantId, tenantId } = created);
    const rotated = await json('key', 'rotate', '--merchant', merchantId);
    secrets.push(created.secret, rotated.secret, created.apiKey, rotated.apiKey, 'Jane');
    keyIds.push(created.apiKey.slice(-8), rotated.apiKey.slice(-8));
  });
  const run = (...args: string[]) => fairterm(args, { databaseUrl });
  const json = (...args: string[]) => fairtermJson(args, { databaseUrl });
  const eventsOf = async (...args: string[]) => (await json('security-events', ...args)).events;

  it('lists a created merchant and its keys with their actor, the newest first', async () => {
    expect(await eventsOf('--kind', 'merchant-created')).toEqual([
      {
        id: expect.any(String),
        occurredAt: now,
        kind: 'merchant-created',
        actor: 'console',
        merchantId,
        tenantId,
        network: null,
        count: 1,
        details: { origins: ['https://shop.example'] },
      },
    ]);
    const keys = await eventsOf('--kind', 'key-created');
    expect(keys.map(({ details }: { details: { keyId: string } }) => details.keyId)).toEqual(keyIds.toReversed());
    expect(keys).toMatchObject([{ merchantId, actor: 'console' }, { merchantId }]);
  });

  it('lists changes of keys, callback secrets, signing keys and merchants without secrets or names', async () => {
    const { secret, apiKey } = await json('key', 'rotate', '--merchant', merchantId);
    await run('key', 'retire', '--api-key', apiKey);
    await run('key', 'retire', '--api-key', apiKey);
    const callbackSecrets = (await json('callback-secret', 'rotate', '--merchant', merchantId)).secrets;
    await run('callback-secret', 'retire', '--merchant', merchantId);
    const first = await json('signing-key', 'rotate');
    await run('signing-key', 'rotate');
    await run('signing-key', 'retire', '--kid', first.kid);
    const change = ['--name', 'Jane Roe', '--add-origin', 'https://m.shop.example'];
    await run('merchant', 'update', '--merchant', merchantId, ...change);
    await run('merchant', 'update', '--merchant', merchantId, '--remove-origin', 'https://m.shop.example');
    await run('merchant', 'update', '--merchant', merchantId, '--add-callback', 'https://shop.example/callback');

    expect(await eventsOf('--kind', 'key-retired')).toMatchObject([{ merchantId, details: { keyId: apiKey.slice(-8) } }]);
    expect((await eventsOf('--kind', 'callback-secret-created'))[0]).toMatchObject({
      details: { secretId: callbackSecrets[0].id },
    });
    expect(await eventsOf('--kind', 'callback-secret-retired')).toMatchObject([{ details: { secretId: callbackSecrets[1].id } }]);
    expect((await eventsOf('--kind', 'signing-key-created')).length).toBe(2);
    expect(await eventsOf('--kind', 'signing-key-retired')).toMatchObject([{ details: { kid: first.kid }, merchantId: null }]);
    const [registered, removed, added] = await eventsOf('--kind', 'merchant-changed');
    expect(added.details).toEqual({ changed: ['name'], addedOrigins: ['https://m.shop.example'], removedOrigins: [] });
    expect(removed.details).toEqual({ changed: [], addedOrigins: [], removedOrigins: ['https://m.shop.example'] });
    const { stdout } = await run('security-events', '--kind', 'merchant-changed');
    expect(stdout.join('\n')).toMatch(/ {2}removedOrigins https:\/\/m\.shop\.example$/m);

    expect(registered.details).toMatchObject({ addedCallbacks: ['https://shop.example/callback'], removedCallbacks: [] });

    const everything = JSON.stringify(await eventsOf());
    for (const value of [...secrets, secret, callbackSecrets[0].secret, callbackSecrets[1].secret, 'Jane Roe'])
      expect(everything).not.toContain(value);
  });

  it('lists minted tokens with what they give access to, without the token', async () => {
    const mint = ['token', 'mint', '--tenant', tenantId, '--merchant', merchantId, '--minutes', '5', '--json'];
    const minted = await fairterm(mint, { databaseUrl, env: { PUBLIC_URL: 'https://pay.example' } });
    const { token } = JSON.parse(minted.stdout[0]!);
    const events = await eventsOf('--kind', 'token-minted');
    const details = { scope: 'r:application', minutes: '5' };
    expect(events).toMatchObject([{ actor: 'console', tenantId, merchantId, details }]);
    expect(JSON.stringify(events)).not.toContain(token);
  });

  it('does not list rejected changes', async () => {
    const before = (await eventsOf()).length;
    expect((await run('merchant', 'update', '--merchant', merchantId, '--remove-origin', 'https://x.example')).code).toBe(1);
    expect((await run('key', 'rotate', '--merchant', 'unknown')).code).toBe(1);
    expect((await eventsOf()).length).toBe(before);
  });

  it('filters by date and limits the number', async () => {
    const failedLogins = new FailedLogins();
    failedLogins.add('token-request-failed', '203.0.113.0/24', '2026-11-23T10:00:59.000000Z');
    await failedLogins.save(database);
    expect(await eventsOf('--since', '2026-11-23')).toMatchObject([{ occurredAt: '2026-11-23T10:00:00.000000Z', count: 1 }]);
    expect((await eventsOf('--limit', '2')).length).toBe(2);
    const { stdout } = await run('security-events', '--limit', '1');
    expect(stdout).toEqual([
      'occurred             kind                  count  actor    network         merchant  details',
      '2026-11-23T10:00:00  token-request-failed      1  unknown  203.0.113.0/24',
    ]);
  });
});
