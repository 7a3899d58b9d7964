import { sql } from 'kysely';
import { expect, it } from 'vitest';
import type { CivilDate } from '../../../../shared/dates.ts';
import type { Query } from '../../../../server/db/database.ts';
import { openDatabase } from '../../../../server/db/open-database.ts';
import { newId } from '../../../../server/base/ids.ts';
import { htmlHash } from '../../../../server/messages/notices.ts';
import { enqueueMessage } from '../../../../server/messages/outbox.ts';
import { duePurchases } from '../../../../server/operations/retention/store.ts';
import { sweepOnce } from '../../../../server/operations/retention/sweep.ts';
import { type Instant, plusDays, plusMs } from '../../../../server/base/time.ts';
import { onCleanup } from '../../../support/cleanup.ts';
import { testConfig, testKeys } from '../../../support/data-keys.ts';
import { createMigratedDatabaseUrl, describeOnEveryEngine } from '../../../support/databases.ts';
import { plannerOf } from '../../../support/programs.ts';
import { createBuyer } from '../../../support/purchases.ts';

const AT = '2026-11-21T09:30:00.000000Z';

describeOnEveryEngine('Purchases whose personal data is due', (engine) => {
  it('are read from an index of the transactions that still have contacts, once each, and not before their last letter is old enough', async () => {
    const url = await createMigratedDatabaseUrl(engine);
    const database = openDatabase(url, testKeys);
    const planner = plannerOf(engine, url, 'transactions');
    const outboxPlanner = plannerOf(engine, url, 'outbox');
    onCleanup(async () => {
      await planner.close();
      await outboxPlanner.close();
      await database.close();
    });
    const { createPurchase, merchantId } = await createBuyer(database, AT);
    const settled = (day: number, loanEndsOn: CivilDate | '') =>
      createPurchase({ status: 'SETTLED', statusSince: plusDays(AT, day), loanEndsOn });
    const ended = await settled(0, '2034-11-07');
    const withoutLoan = await settled(1, '');
    await settled(2, '');
    const running = await settled(0, '2034-11-08');
    await createPurchase({ status: 'AUTHORIZED', statusSince: AT });
    const lettered = await settled(0, '');
    await database.write((tx) =>
      enqueueMessage(tx, {
        id: newId(),
        merchantId,
        applicationId: lettered,
        handling: 'recorded',
        createdAt: plusDays(AT, 2_500),
        channel: 'email',
        to: 'ada@example.com',
        content: { name: '', subject: '', text: '', html: '' },
        notice: { kinds: ['card'], language: 'en', sha256: htmlHash('') },
      }),
    );
    const due = (now: Instant) => duePurchases(database.query, now, '2034-11-08', now, 100);
    const sweep = () => {
      const realClock = { now: () => plusDays(AT, 3_000) };
      const retention = { ...testConfig.retention, purchaseDays: 2_998, securityEventDays: 3_650 };
      return sweepOnce({ database, realClock, retention, onError: (thrown) => expect.fail(String(thrown)) });
    };

    expect((await due(plusDays(AT, 2))).map(({ id }) => id)).toEqual([ended, withoutLoan]);
    expect(await sweep()).toMatchObject({ purchases: 2 });
    expect(await due(plusDays(AT, 2))).toEqual([]);
    const noticedBefore = plusDays(AT, 2_500);
    const idsBefore = async (noticed: Instant) =>
      (await duePurchases(database.query, plusDays(AT, 1), '2034-11-09', noticed, 100)).map(({ id }) => id);
    expect(await idsBefore(noticedBefore)).toEqual([running]);
    expect(await idsBefore(plusMs(noticedBefore, 1))).toEqual([running, lettered]);
    const { rows } = await sql`select id from transactions where contacts_deleted_at is null`.execute(database.query);
    expect(rows).toHaveLength(4);
    const read = (query: Query) => duePurchases(query, AT, '2034-11-08', AT, 100);
    expect(await planner.planOf(read)).toMatchObject({ indexes: ['transactions_with_contacts'], sorts: false });
    expect(await outboxPlanner.planOf(read)).toMatchObject({ indexes: ['outbox_by_application'] });
  });
});
