import { sql } from 'kysely';
import { expect, it } from 'vitest';
import type { CivilDate } from '../../../../shared/dates.ts';
import { openDatabase } from '../../../../server/db/open-database.ts';
import { duePurchases } from '../../../../server/operations/retention/store.ts';
import { sweepOnce } from '../../../../server/operations/retention/sweep.ts';
import { type Instant, plusDays } from '../../../../server/base/time.ts';
import { onCleanup } from '../../../support/cleanup.ts';
import { testConfig, testKeys } from '../../../support/data-keys.ts';
import { createMigratedDatabaseUrl, describeOnEveryEngine } from '../../../support/databases.ts';
import { plannerOf } from '../../../support/programs.ts';
import { createBuyer } from '../../../support/purchases.ts';

const AT = '2026-11-21T09:30:00.000000Z';

describeOnEveryEngine('Purchases whose personal data is due', (engine) => {
  it('are read from an index of the transactions that still have contacts, and once each', async () => {
    const url = await createMigratedDatabaseUrl(engine);
    const database = openDatabase(url, testKeys);
    const planner = plannerOf(engine, url, 'transactions');
    onCleanup(async () => {
      await planner.close();
      await database.close();
    });
    const { createPurchase } = await createBuyer(database, AT);
    const settled = (day: number, loanEndsOn: CivilDate | '') =>
      createPurchase({ status: 'SETTLED', statusSince: plusDays(AT, day), loanEndsOn });
    const ended = await settled(0, '2034-11-07');
    const withoutLoan = await settled(1, '');
    await settled(2, '');
    const running = await settled(0, '2034-11-08');
    await createPurchase({ status: 'AUTHORIZED', statusSince: AT });
    const due = (now: Instant) => duePurchases(database.query, now, '2034-11-08', 100);
    const sweep = () => {
      const realClock = { now: () => plusDays(AT, 3_000) };
      const retention = { ...testConfig.retention, purchaseDays: 2_998, securityEventDays: 3_650 };
      return sweepOnce({ database, realClock, retention, onError: (thrown) => expect.fail(String(thrown)) });
    };

    expect((await due(plusDays(AT, 2))).map(({ id }) => id)).toEqual([ended, withoutLoan]);
    expect(await sweep()).toMatchObject({ purchases: 2 });
    expect(await due(plusDays(AT, 2))).toEqual([]);
    expect((await duePurchases(database.query, plusDays(AT, 1), '2034-11-09', 100)).map(({ id }) => id)).toEqual([running]);
    const { rows } = await sql`select id from transactions where contacts_deleted_at is null`.execute(database.query);
    expect(rows).toHaveLength(3);
    const plan = await planner.planOf((query) => duePurchases(query, AT, '2034-11-08', 100));
    expect(plan).toMatchObject({ indexes: ['transactions_with_contacts'], sorts: false });
  });
});
