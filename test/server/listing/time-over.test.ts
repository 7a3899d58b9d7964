import { describe, expect, it } from 'vitest';
import { runCheckoutJob } from '../../../server/checkout/job.ts';
import { requireMerchant } from '../../../server/merchants/store.ts';
import { systemClock } from '../../../server/time.ts';
import { createTokenIssuer } from '../../../server/tokens/issue.ts';
import { checkoutDeps, open, submit } from '../../support/checkout.ts';
import { createDatabase } from '../../support/databases.ts';
import { startApp } from '../../support/app.ts';
import { listApplications } from '../../support/service.ts';

describe('An expired application', () => {
  it('is listed with its stored status until a job expires it, which sets its status code and updates its timestamp', async () => {
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
    expect(before).toMatchObject({ status: 'STARTED', statusCode: '100000', expiresAt });
    // Filters by status use the stored status, too.
    expect(await list('status.eq=STARTED')).toEqual([before]);
    expect(await list('status.eq=STARTED&showExpired.eq=false')).toEqual([]);
    expect(await list('showExpired.eq=false&sort=updatedAt.asc')).toEqual([]);
    expect(await list('status.eq=EXPIRED')).toEqual([]);

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
