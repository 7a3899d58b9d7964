import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createMigratedDatabaseUrl } from '../../../support/databases.ts';
import { openDatabase } from '../../../../server/db/open-database.ts';
import { addOrigins } from '../../../../server/merchants/store.ts';
import { testKeys } from '../../../support/data-keys.ts';
import { PICTURES } from '../../../support/pictures.ts';
import { fairterm, fairtermJson, now } from './fairterm.ts';

const databaseUrl = await createMigratedDatabaseUrl();

describe('A merchant on the command line', () => {
  const run = (...args: string[]) => fairterm(['merchant', ...args], { databaseUrl });
  const json = (...args: string[]) => fairtermJson(['merchant', ...args], { databaseUrl });
  const addMerchant = (...origins: string[]) =>
    json('create', '--name', 'Acme', '--store-url', 'https://shop.example/en', ...origins.flatMap((one) => ['--origin', one]));
  const show = (merchantId: string) => json('show', '--merchant', merchantId);

  it('is shown with its origins and active API keys, without secrets', async () => {
    const { tenantId, merchantId, apiKey, secret } = await addMerchant('https://m.shop.example');
    const second = await fairtermJson(['key', 'rotate', '--merchant', merchantId], { databaseUrl });
    await fairterm(['key', 'retire', '--api-key', apiKey], { databaseUrl });

    expect(await show(merchantId)).toEqual({
      merchantId,
      tenantId,
      name: 'Acme',
      storeUrl: 'https://shop.example/en',
      createdAt: now,
      origins: ['https://m.shop.example', 'https://shop.example'],
      callbacks: [],
      apiKeys: [second.apiKey],
    });
    const { stdout } = await run('show', '--merchant', merchantId);
    expect(stdout).toContain('origins     https://m.shop.example https://shop.example');
    expect(stdout.join()).not.toContain(secret);
  });

  it('is listed with all other merchants', async () => {
    const one = await addMerchant();
    const other = await addMerchant();
    const listed = (await json('list')) as { merchantId: string }[];
    expect(listed.map(({ merchantId }) => merchantId)).toEqual(expect.arrayContaining([one.merchantId, other.merchantId]));
    expect(listed.at(-1)).toEqual({
      merchantId: expect.any(String),
      tenantId: expect.any(String),
      name: 'Acme',
      storeUrl: 'https://shop.example/en',
      createdAt: now,
      callbacks: [],
    });
    const { stdout } = await run('list');
    expect(stdout).toContain(`${one.merchantId}  Acme  https://shop.example/en`);
  });

  it('has the added origins and not the removed ones, even if the command is repeated', async () => {
    const { merchantId } = await addMerchant('https://m.shop.example');
    const change = ['update', '--merchant', merchantId, '--add-origin', 'https://www.shop.example/path'];
    const updated = await json(...change, '--add-origin', 'http://shop.test:8080', '--remove-origin', 'https://m.shop.example');
    const origins = ['http://shop.test:8080', 'https://shop.example', 'https://www.shop.example'];
    expect(updated).toMatchObject({ merchantId, name: 'Acme', origins });
    expect(await json(...change)).toMatchObject({ origins });
    expect(await show(merchantId)).toMatchObject({ origins });
  });

  it('has the added callback URLs and not the removed ones, also in the list', async () => {
    const { merchantId } = await addMerchant();
    const change = ['update', '--merchant', merchantId, '--add-callback', 'https://Shop.example/callback?a=1#top'];
    const callbacks = ['https://erp.example/callback', 'https://shop.example/callback?a=1'];
    expect(await json(...change, '--add-callback', 'https://erp.example:443/callback')).toMatchObject({ callbacks });
    expect(await json(...change)).toMatchObject({ callbacks });
    expect(await show(merchantId)).toMatchObject({ callbacks });
    expect(await json('list')).toContainEqual(expect.objectContaining({ merchantId, callbacks }));
    expect((await run('list')).stdout).toContainEqual(expect.stringMatching(`${merchantId}.*callback ${callbacks[0]}`));

    await json('update', '--merchant', merchantId, '--remove-callback', callbacks[0]!);
    expect(await show(merchantId)).toMatchObject({ callbacks: [callbacks[1]] });
  });

  it('has no callback URL that a live service would not send callbacks to', async () => {
    const url = await createMigratedDatabaseUrl();
    const live = (...args: string[]) => fairterm(['merchant', ...args], { databaseUrl: url, env: { MODE: 'live' } });
    const { stdout } = await live('create', '--name', 'Acme', '--store-url', 'https://shop.example/', '--json');
    const { merchantId } = JSON.parse(stdout[0]!);
    const { code, stderr } = await live('update', '--merchant', merchantId, '--add-callback', 'http://shop.example/callback');
    expect([code, stderr.join()]).toEqual([1, expect.stringContaining('add-callback: expected an https URL')]);
  });

  it('has the new name, the new store URL, and the origin of that URL in addition to its other origins', async () => {
    const { merchantId } = await addMerchant();
    const change = ['update', '--merchant', merchantId];
    await json(...change, '--name', 'Acme Goods', '--store-url', 'https://new.example/');
    expect(await show(merchantId)).toMatchObject({
      name: 'Acme Goods',
      storeUrl: 'https://new.example/',
      origins: ['https://new.example', 'https://shop.example'],
    });
    await json(...change, '--remove-origin', 'https://shop.example');
    expect(await show(merchantId)).toMatchObject({ origins: ['https://new.example'] });
  });

  it('has a logo, an accent color and support contacts until they are removed, with a security event for each change', async () => {
    const { merchantId } = await addMerchant();
    const file = join(await mkdtemp(join(tmpdir(), 'logo-')), 'logo.svg');
    await writeFile(file, PICTURES.webp);
    const change = ['update', '--merchant', merchantId];
    const support = ['help@shop.example', '1-800-555-0111', 'https://shop.example/help'];
    const brand = { logo: expect.stringMatching(/^\/brand\/logo\/[0-9a-f]{32}\.webp$/), accent: '#7a1f2b' };

    const contacts = support.toReversed().flatMap((contact) => ['--support', contact]);
    expect(await json(...change, '--logo', file, '--accent', '#7A1F2B', ...contacts)).toMatchObject({ ...brand, support });
    const other = ['help@shop.example', '1-800-555-0122', 'https://shop.example/help'];
    expect(await json(...change, '--support', other[1]!)).toMatchObject({ ...brand, support: other });
    expect(await show(merchantId)).toMatchObject({ ...brand, support: other });

    const removed = await json(...change, '--remove', 'logo', '--remove', 'support', '--accent', '#000000');
    expect(removed).not.toHaveProperty('logo');
    expect(removed).not.toHaveProperty('support');
    expect(removed).toMatchObject({ accent: '#000000' });
    const events = await fairterm(['security-events', '--kind', 'merchant-changed', '--json'], { databaseUrl });
    const listed = JSON.parse(events.stdout[0]!).events as { merchantId: string; details: { changed: string[] } }[];
    const changed = listed.flatMap((event) => (event.merchantId === merchantId ? [event.details.changed.toSorted()] : []));
    const contactFields = ['supportEmail', 'supportPhone', 'supportUrl'];
    expect(changed).toEqual([['accent', 'logo', ...contactFields], ['supportPhone'], ['accent', 'logo', ...contactFields]]);
  });

  it('has a postal address on one line until an empty one removes it', async () => {
    const { merchantId } = await addMerchant();
    const change = ['update', '--merchant', merchantId, '--postal-address'];
    const postalAddress = '12 Elm Street, Springfield, IL 62701';
    expect(await json(...change, postalAddress)).toMatchObject({ postalAddress });
    await json('update', '--merchant', merchantId, '--name', 'Acme Goods');
    expect(await show(merchantId)).toMatchObject({ name: 'Acme Goods', postalAddress });
    for (const invalid of ['Springfield', '12 Elm Street\nSpringfield', `1${'x'.repeat(200)}`]) {
      expect(await run(...change, invalid)).toMatchObject({
        code: 1,
        stderr: [expect.stringContaining('postal-address: expected')],
      });
    }
    expect(await json(...change, '')).not.toHaveProperty('postalAddress');
  });

  it('has only https addresses in live mode, in which http addresses can still be removed', async () => {
    const url = await createMigratedDatabaseUrl();
    const live = (...args: string[]) => fairterm(['merchant', ...args], { databaseUrl: url, env: { MODE: 'live' } });
    const create = ['create', '--name', 'Acme', '--json', '--store-url'];
    const isRejected = (option: string) => ({
      code: 1,
      stdout: [],
      stderr: [expect.stringContaining(`${option}: expected an https address in live mode, but received "http://shop.example"`)],
    });
    expect(await live(...create, 'http://shop.example')).toEqual(isRejected('store-url'));
    expect(await live(...create, 'https://shop.example', '--origin', 'http://shop.example')).toEqual(isRejected('origin'));
    const { merchantId } = JSON.parse((await live(...create, 'https://shop.example')).stdout[0]!);
    const update = (...args: string[]) => live('update', '--merchant', merchantId, ...args);
    expect(await update('--store-url', 'http://shop.example')).toEqual(isRejected('store-url'));
    expect(await update('--add-origin', 'http://shop.example')).toEqual(isRejected('add-origin'));

    const database = openDatabase(url, testKeys);
    await database.write((tx) => addOrigins(tx, merchantId, ['http://shop.example']));
    await database.close();
    expect(await update('--remove-origin', 'http://shop.example')).toMatchObject({ code: 0 });
  });
});
