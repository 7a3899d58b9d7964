import { describe, expect, it } from 'vitest';
import { retireKey } from '../../../../server/merchants/keys.ts';
import { createMerchant } from '../../../../server/merchants/merchants.ts';
import { fetchResponse, startService } from '../../../support/service.ts';
import { fairterm, now } from './fairterm.ts';

interface Pair {
  apiKey: string;
  secret: string;
}

const service = await startService();
const { databaseUrl } = service;

describe('The keys of a merchant', () => {
  const addMerchant = () =>
    createMerchant(service.database, 'sandbox', { name: 'Acme', storeUrl: 'https://shop.example', origins: [] }, now);
  const run = (...args: string[]) => fairterm(args, { databaseUrl });
  const rotateKey = async (merchantId: string): Promise<Pair> =>
    JSON.parse((await run('key', 'rotate', '--merchant', merchantId, '--json')).stdout[0]!) as Pair;
  const statusWith = async ({ apiKey, secret }: Pair) => {
    const authorization = `Basic ${Buffer.from(`${apiKey}:${secret}`).toString('base64')}`;
    const url = `${service.publicUrl}/aslowas`;
    return (await fetchResponse(url, { method: 'POST', headers: { authorization }, body: '{"customTotal":50000}' })).status;
  };

  it('can be rotated: a second pair is accepted with the first, and a retired pair is rejected immediately', async () => {
    const first = await addMerchant();
    const result = await run('key', 'rotate', '--merchant', first.merchantId, '--json');
    expect([result.code, result.stdout.length]).toEqual([0, 1]);
    const second = JSON.parse(result.stdout[0]!) as Pair;
    expect(second).toEqual({
      apiKey: expect.stringMatching(/^ft_sandbox_key_[\w-]{22}$/),
      secret: expect.stringMatching(/^ft_sandbox_secret_[\w-]{43}$/),
    });
    expect(result.stderr.join()).toContain('cannot be shown again');
    expect([await statusWith(first), await statusWith(second)]).toEqual([200, 200]);
    expect(await statusWith({ apiKey: second.apiKey, secret: first.secret })).toBe(401);

    const retired = await run('key', 'retire', '--api-key', first.apiKey, '--json');
    expect([retired.code, JSON.parse(retired.stdout[0]!)]).toEqual([0, { apiKey: first.apiKey, retiredAt: now }]);
    expect([await statusWith(first), await statusWith(second)]).toEqual([401, 200]);
    const programs = (key: string) => fetchResponse(`${service.publicUrl}/storefront/programs?key=${key}`);
    expect([(await programs(first.apiKey)).status, (await programs(second.apiKey)).status]).toEqual([401, 200]);
  });

  it('are listed with their times and without their secrets', async () => {
    const first = await addMerchant();
    const second = await rotateKey(first.merchantId);
    await run('key', 'retire', '--api-key', first.apiKey);

    const asJson = await run('key', 'list', '--merchant', first.merchantId, '--json');
    expect(JSON.parse(asJson.stdout.join(''))).toEqual(
      [
        { apiKey: first.apiKey, createdAt: now, retiredAt: now },
        { apiKey: second.apiKey, createdAt: now, retiredAt: null },
      ].toSorted((a, b) => (a.apiKey < b.apiKey ? -1 : 1)),
    );
    const asText = await run('key', 'list', '--merchant', first.merchantId);
    expect(asText.stdout.toSorted()).toEqual(
      [`${first.apiKey}  created ${now}  retired ${now}`, `${second.apiKey}  created ${now}  active`].toSorted(),
    );
    expect(JSON.stringify([asJson, asText])).not.toContain('secret');
  });

  it('cannot all be retired', async () => {
    const { apiKey, merchantId } = await addMerchant();
    const rejected = await run('key', 'retire', '--api-key', apiKey);
    expect(rejected).toMatchObject({ code: 1, stdout: [] });
    expect(rejected.stderr.join()).toContain(`this is the last active key of merchant ${merchantId}`);

    const second = await rotateKey(merchantId);
    const outcomes = await Promise.allSettled([apiKey, second.apiKey].map((key) => retireKey(service.database, key, now)));
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  });

  it('can be retired again, which has no effect', async () => {
    const { apiKey, merchantId } = await addMerchant();
    await rotateKey(merchantId);
    const first = await run('key', 'retire', '--api-key', apiKey);
    expect(await run('key', 'retire', '--api-key', apiKey)).toEqual(first);
  });
});
