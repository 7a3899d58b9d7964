/** Platforms that follow the list in ascending order (server/decisions/0045). */
import { beforeAll, expect, it } from 'vitest';
import { openDatabase } from '../../../../server/db/open-database.ts';
import { startJob } from '../../../../server/base/job.ts';
import { type CreatedMerchant, createMerchant } from '../../../../server/merchants/merchants.ts';
import { systemClock } from '../../../../server/base/time.ts';
import type { Application } from '../../../../shared/wire/application.ts';
import { isNightly } from '../../../support/campaign.ts';
import { testKeys } from '../../../support/data-keys.ts';
import { createMigratedDatabaseUrl, describeOnEveryEngine } from '../../../support/databases.ts';
import { buildProject, startReachableProcess } from '../../../support/process.ts';
import { listApplications, requestToken } from '../../../support/service.ts';
import { until } from '../../../support/time.ts';

const BUYERS = 12;
const PURCHASES_PER_BUYER = isNightly ? 10 : 3;
const POLL_MS = 10;

beforeAll(() => buildProject());

/** Follows a list until it is stopped. `received` has the last version of each application that it received. */
async function follow(url: string, merchant: CreatedMerchant, by: 'createdAt' | 'updatedAt') {
  const token = await requestToken(url, merchant);
  const received = new Map<string, Application>();
  let last: Application | undefined;
  const poll = async () => {
    const cursor = last && `&lastTimestamp.eq=${last[by]}&lastID.eq=${last.id}`;
    const { body } = await listApplications(url, token, `sort=${by}.asc&limit=200${cursor ?? ''}`);
    for (const application of body.applications as Application[]) received.set((last = application).id, application);
  };
  const errors: unknown[] = [];
  const job = startJob(POLL_MS, poll, (thrown) => errors.push(thrown));
  const stop = async () => {
    await job.stop();
    expect(errors).toEqual([]);
  };
  return { received, stop };
}

describeOnEveryEngine('The list of applications in ascending order', (engine) => {
  it('delivers every application and every change while two processes serve 12 buyers', { timeout: 180_000 }, async () => {
    const url = await createMigratedDatabaseUrl(engine);
    const database = openDatabase(url, testKeys);
    const shop = { name: 'Acme Goods', storeUrl: 'https://shop.example/', origins: [] };
    const merchant = await createMerchant(database, 'sandbox', shop, systemClock.now());
    await database.close();
    const services = [await startReachableProcess(url), await startReachableProcess(url)];
    const authorization = `Basic ${Buffer.from(`${merchant.apiKey}:${merchant.secret}`).toString('base64')}`;
    const post = async (path: string, body: unknown, turn: number) => {
      const origin = services[turn % services.length]!.url;
      const response = await fetch(origin + path, { method: 'POST', headers: { authorization }, body: JSON.stringify(body) });
      expect(response.status).toBe(200);
      return (await response.json()) as { id: string };
    };
    const created = await follow(services[0]!.url, merchant, 'createdAt');
    const changed = await follow(services[1]!.url, merchant, 'updatedAt');

    const cartIds: string[] = [];
    const buy = async (buyer: number) => {
      for (let turn = buyer; turn < buyer + PURCHASES_PER_BUYER; turn += 1) {
        const { id: cartId } = await post('/carts', { options: { customTotal: 75_000 } }, turn);
        await post('/sandbox/checkouts', { cartId }, turn + 1);
        cartIds.push(cartId);
      }
    };
    await Promise.all(Array.from({ length: BUYERS }, (_, buyer) => buy(buyer)));

    const notDelivered = () => {
      const cartsOf = (applications: Iterable<Application>) => new Set([...applications].map(({ cartID }) => cartID));
      const completed = [...changed.received.values()].filter(({ status }) => status === 'CHECKOUT_COMPLETED');
      const inCreated = cartsOf(created.received.values());
      const inChanged = cartsOf(completed);
      return {
        created: cartIds.filter((id) => !inCreated.has(id)).length,
        changed: cartIds.filter((id) => !inChanged.has(id)).length,
      };
    };
    const none = { created: 0, changed: 0 };
    // Everything is committed, so an application that is not delivered within seconds is never delivered.
    await until(() => JSON.stringify(notDelivered()) === JSON.stringify(none), 5_000).catch(() => undefined);
    await Promise.all([created.stop(), changed.stop()]);
    expect(cartIds).toHaveLength(BUYERS * PURCHASES_PER_BUYER);
    expect(notDelivered()).toEqual(none);
  });
});
