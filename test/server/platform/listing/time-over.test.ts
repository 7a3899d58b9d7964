import { describe, expect, it } from 'vitest';
import { runCheckoutJob } from '../../../../server/checkout/job.ts';
import { requireMerchant } from '../../../../server/merchants/store.ts';
import { type Instant, plusMs, systemClock } from '../../../../server/base/time.ts';
import { readApplicationPage } from '../../../../server/platform/listing/routes.ts';
import { createTokenIssuer } from '../../../../server/platform/tokens/issue.ts';
import { checkoutDeps, open, submit } from '../../../support/checkout.ts';
import { createDatabase } from '../../../support/databases.ts';
import { startApp } from '../../../support/app.ts';
import { listApplications } from '../../../support/service.ts';

describe('An expired application', () => {
  it('is EXPIRED from its instant on, and the job that saves it only updates its timestamp', async () => {
    const database = await createDatabase();
    // Without background jobs, so that only this test runs the job.
    const { publicUrl, merchantId, createCart } = await startApp(database, {});
    const { tenantId } = await requireMerchant(database.query, merchantId);
    const token = await createTokenIssuer(database, systemClock, publicUrl)({ tenantId, scope: 'r:application' });
    const list = async (query = '') => (await listApplications(publicUrl, token, query)).body.applications;

    await submit(await open((await createCart()).url));
    const expiresAt = '2026-01-01T00:00:00.000000Z';
    await database.write((tx) => tx.updateTable('applications').set({ expiresAt }).execute());

    const [before] = await list();
    expect(before).toMatchObject({ status: 'EXPIRED', statusCode: '800100', expiresAt });
    const headers = { authorization: `Bearer ${token}` };
    expect(await (await fetch(`${publicUrl}/api/application/${before.id}`, { headers })).json()).toEqual(before);
    const expiredAt = async (now: Instant) =>
      (await readApplicationPage(database, { 'status.eq': 'EXPIRED' }, { tenantId }, now)).applications.length;
    expect([await expiredAt(plusMs(expiresAt, -1)), await expiredAt(expiresAt)]).toEqual([0, 1]);

    const errors: unknown[] = [];
    await runCheckoutJob({
      deps: checkoutDeps(database),
      clock: systemClock,
      retention: { unfinishedApplicationHours: 24 },
      onError: (thrown) => errors.push(thrown),
    });
    expect(errors).toEqual([]);

    const [after] = await list('status.eq=EXPIRED');
    expect(after).toMatchObject({ id: before.id, status: 'EXPIRED', statusCode: '800100', expiresAt });
    // Expiry updates `updatedAt`, so clients that poll for changes see it.
    expect(after.updatedAt > before.updatedAt).toBe(true);
    expect(await list('status.eq=STARTED')).toEqual([]);
    expect(await list('showExpired.eq=false')).toEqual([]);
  });
});
