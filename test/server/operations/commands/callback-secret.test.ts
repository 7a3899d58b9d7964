import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createMigratedDatabaseUrl } from '../../../support/databases.ts';
import { fairterm, fairtermJson, now } from './fairterm.ts';

describe('fairterm callback-secret', () => {
  let databaseUrl: string;
  let created: Record<string, string>;
  let merchant: string;
  beforeAll(async () => {
    databaseUrl = await createMigratedDatabaseUrl();
  });
  beforeEach(async () => {
    const create = ['merchant', 'create', '--name', 'Acme', '--store-url', 'https://shop.example'];
    created = await fairtermJson(create, { databaseUrl });
    merchant = created['merchantId']!;
  });
  const runCommand = (verb: string, ...args: string[]) =>
    fairterm(['callback-secret', verb, '--merchant', merchant, ...args], { databaseUrl });
  const secrets = async (verb: string): Promise<object[]> =>
    (await fairtermJson(['callback-secret', verb, '--merchant', merchant], { databaseUrl })).secrets;

  it('prints secrets, which `merchant create` does not', () => {
    expect(Object.keys(created)).toEqual(['tenantId', 'merchantId', 'apiKey', 'secret']);
  });

  it('lists the secret that a merchant is created with', async () => {
    expect(await secrets('list')).toEqual([
      { id: expect.any(String), secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/), createdAt: now },
    ]);
    expect((await runCommand('list')).stdout).toEqual([expect.stringMatching(/^whsec_\S+ {2}created 2026-11-21T/)]);
  });

  it('adds a second secret, lists the newest first, and retires the older one', async () => {
    const [first] = await secrets('list');

    const [second, ...rest] = await secrets('rotate');
    expect(rest).toEqual([first]);
    expect(await secrets('list')).toEqual([second, first]);

    expect(await secrets('retire')).toEqual([second]);
    expect(await secrets('list')).toEqual([second]);
  });

  it('does not add a third secret, and does not retire the last one', async () => {
    expect(await runCommand('retire', '--json')).toMatchObject({
      code: 1,
      stdout: [],
      stderr: [expect.stringContaining('no second')],
    });
    await secrets('rotate');
    const before = await secrets('list');
    expect(await runCommand('rotate', '--json')).toMatchObject({
      code: 1,
      stdout: [],
      stderr: [expect.stringContaining('retire')],
    });
    expect(await secrets('list')).toEqual(before);
  });
});
