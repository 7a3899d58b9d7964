import { beforeAll, expect, it } from 'vitest';
import { findApplication, findApplicationOfCart } from '../../../../server/lending/applications/store.ts';
import { runCheckoutJob } from '../../../../server/checkout/job.ts';
import type { Database } from '../../../../server/db/database.ts';
import { requireMerchant } from '../../../../server/merchants/store.ts';
import { epochMs, type Instant, plusMs, systemClock } from '../../../../server/base/time.ts';
import { createTokenIssuer } from '../../../../server/platform/tokens/issue.ts';
import { startApp, type TestApp } from '../../../support/app.ts';
import { checkoutDeps, open, type Page, reachAgreement, sessionUrl, submit } from '../../../support/checkout.ts';
import { createDatabase, describeOnEveryEngine } from '../../../support/databases.ts';
import { listApplications } from '../../../support/service.ts';

const HOUR_MS = 3_600_000;

describeOnEveryEngine('The details of a buyer without a decision', (engine) => {
  let database: Database;
  let app: TestApp;
  beforeAll(async () => {
    database = await createDatabase(engine);
    // Starts the app without its jobs, so that only the tests run them.
    app = await startApp(database, {});
  });

  const run = async (now: Instant) => {
    const errors: unknown[] = [];
    database.setClockOffset(epochMs(now) - Date.now());
    await runCheckoutJob({
      deps: checkoutDeps(database),
      clock: { now: () => now },
      retention: { unfinishedApplicationHours: 24 },
      onError: (thrown) => errors.push(thrown),
    });
    database.setClockOffset(0);
    expect(errors).toEqual([]);
  };
  const rowOf = async (cartId: string) => (await findApplicationOfCart(database.query, cartId))!;
  /** Runs the job after the buyer has left a checkout for a number of hours. */
  const runAfter = async (cartId: string, hours: number) => run(plusMs((await rowOf(cartId)).updatedAt, hours * HOUR_MS));
  /** A buyer whose data occurs nowhere else. */
  const canary = (name: string) => ({
    firstName: `First${name}`,
    lastName: `Last${name}`,
    email: `mail-${name}@example.com`,
    address: `12 ${name} Road`,
  });
  const start = async (name: string, over: Record<string, string> = {}): Promise<{ id: string; url: string; page: Page }> => {
    const { id, url } = await app.createCart();
    return { id, url, page: await submit(await open(url), { ...canary(name), ...over }) };
  };
  /** Contacts are encrypted, so that each application is read as the service does. */
  const isStored = async (name: string) => {
    const rows = await database.query.selectFrom('applications').select('id').execute();
    const applications = await Promise.all(rows.map(({ id }) => findApplication(database.query, id)));
    return JSON.stringify(applications).includes(name);
  };

  const cancel = async ({ page }: { page: Page }) => submit(await open(`${sessionUrl(page)}/cancel`));
  const expireCart = ({ id }: { id: string }) => app.post(`/carts/${id}/expire`, undefined);

  it.each<[string, (cart: { id: string; url: string; page: Page }) => Promise<unknown>]>([
    ['started', async () => undefined],
    ['canceled by the buyer', cancel],
    ['canceled by the merchant', expireCart],
    ['replaced by another', async ({ url }) => submit(await open(`${url}/restart`), { firstName: 'Grace', lastName: 'Hopper' })],
    ['not received by any lender', ({ page }) => submit(page, { taxIdLast4: '5001' })],
  ])('are deleted 24 hours after the last change of an application that was %s', async (what, end) => {
    const name = `Canary${what.replaceAll(' ', '')}`;
    const started = await start(name);
    await end(started);
    const cartId = started.id;
    await runAfter(cartId, 23.9);
    expect(await isStored(name)).toBe(true);
    await runAfter(cartId, 24.1);
    expect(await isStored(name)).toBe(false);
  });

  it.each<[string, (cart: { id: string; page: Page }) => Promise<unknown>, string]>([
    ['expired', async ({ id }) => run((await rowOf(id)).expiresAt), 'EXPIRED'],
    ['was canceled by the buyer', cancel, 'CANCELLED'],
    ['was canceled by the merchant', expireCart, 'NEEDS_ACTION'],
  ])('are retained if the lender needed an action and the application %s', async (what, end, status) => {
    const name = `Unfreezing${what.replaceAll(' ', '')}`;
    const { id, page } = await start(name);
    await end({ id, page: await submit(page, { taxIdLast4: '4001' }) });
    expect(await rowOf(id)).toMatchObject({ status, requestId: null });
    await runAfter(id, 25);
    expect(await isStored(name)).toBe(true);
  });

  it('are deleted in batches, and each row only once', async () => {
    const carts = [await start('Once'), await start('Twice')];
    await runAfter(carts[1]!.id, 25);
    const before = await Promise.all(carts.map(({ id }) => rowOf(id)));
    await runAfter(carts[1]!.id, 26);
    expect(await Promise.all(carts.map(({ id }) => rowOf(id)))).toEqual(before);
  });

  it.each([
    ['approved', '1001'],
    ['denied', '2001'],
    ['found ineligible by the lender', '3001'],
    ['waiting for the lender', '5002'],
  ])('are retained if the application was %s', async (_case, taxIdLast4) => {
    const name = `Decided${taxIdLast4.replace(/\d/g, (digit) => 'abcdefghij'[Number(digit)]!)}`;
    const { id, page } = await start(name);
    await submit(page, { taxIdLast4 });
    await runAfter(id, 25);
    expect(await rowOf(id)).toMatchObject({
      detailsDeletedAt: null,
      billingContact: { firstName: expect.stringContaining(name) },
    });
  });

  it('are entered again by a buyer who continues later, and deleted again', async () => {
    const { id, page } = await start('Returning');
    const typedBefore = await open(page.url);
    await runAfter(id, 25);

    expect(await submit(typedBefore)).toMatchObject({ step: 'details' });
    const again = await open(sessionUrl(page));
    expect(again.step).toBe('details');
    expect(again.text).not.toContain('Returning');
    const applying = await submit(again, canary('Back'));
    expect(applying.step).toBe('apply');
    expect(await rowOf(id)).toMatchObject({ status: 'STARTED', detailsDeletedAt: null });
    await runAfter(id, 25);
    expect(await isStored('FirstBack')).toBe(false);
    const last = await submit(await open(sessionUrl(applying)));
    expect(await submit(last)).toMatchObject({ step: 'plans' });
  });

  it('are not needed by test checkouts, nor by a restart', async () => {
    const { id, url } = await start('Sandbox');
    await runAfter(id, 25);
    expect(await app.post('/sandbox/checkouts', { cartId: id })).toMatchObject({ status: 200 });
    expect((await rowOf(id)).status).toBe('CHECKOUT_COMPLETED');
    expect(await open(url)).toMatchObject({ step: 'bought' });

    const other = await start('Restarted');
    await runAfter(other.id, 25);
    expect(await submit(await open(`${other.url}/restart`))).toMatchObject({ step: 'apply' });
  });

  it('are entered again if no plan is offered in the state of the deleted address', async () => {
    const { id, page } = await start('Excluded');
    await database.write((tx) =>
      tx.updateTable('applications').set({ status: 'INELIGIBLE', statusCode: '310100' }).where('cartId', '=', id).execute(),
    );
    await runAfter(id, 25);
    expect(await isStored('FirstExcluded')).toBe(false);
    expect(await open(sessionUrl(page))).toMatchObject({ status: 200, step: 'excluded' });
    expect(await submit(await open(`${sessionUrl(page)}/details`))).toMatchObject({ step: 'apply' });
  });

  it('disappear from the platform API, which still lists the application but does not find it by its address', async () => {
    const { tenantId } = await requireMerchant(database.query, app.merchantId);
    const token = await createTokenIssuer(database, systemClock, app.publicUrl)({ tenantId, scope: 'r:application' });
    const { id } = await start('Listed');
    const { id: applicationId, normalizedAddressHash: hash } = await rowOf(id);
    const listed = async (query: string) =>
      (await listApplications(app.publicUrl, token, query)).body.applications as { id: string }[];
    const isOwn = (each: { id: string }) => each.id === applicationId;
    const before = (await listed(`normalizedAddressHash.eq=${hash}`)).find(isOwn);
    expect(before).toMatchObject({ id: applicationId });

    await runAfter(id, 25);

    expect((await listed(`normalizedAddressHash.eq=${hash}`)).filter(isOwn)).toEqual([]);
    expect((await listed('limit=200')).find(isOwn)).toEqual(before);
  });

  it('of a completed purchase are retained', async () => {
    const { id, url } = await app.createCart();
    await submit(await reachAgreement(url, canary('Purchased')));
    await runAfter(id, 1_000);
    expect((await rowOf(id)).billingContact.firstName).toContain('FirstPurchased');
  });
});
