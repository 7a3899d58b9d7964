import { expect, it } from 'vitest';
import { FailedLogins } from '../../server/merchants/failed-logins.ts';
import { listSecurityEvents } from '../../server/merchants/security-events.ts';
import type { Instant } from '../../server/base/time.ts';
import { describeOnEveryEngine } from '../support/databases.ts';
import { concurrently, startServices } from './processes.ts';

describeOnEveryEngine('Failed logins that several processes save', (engine) => {
  it('are added to one row for each minute', async () => {
    const { databases } = await startServices(engine, {});
    const minutes: Instant[] = ['2026-11-21T09:30:00.000000Z', '2026-11-21T09:31:00.000000Z'];

    await concurrently(async (index) => {
      const counter = new FailedLogins();
      for (const minute of index % 2 ? minutes : minutes.toReversed()) {
        counter.add('merchant-login-failed', '203.0.113.0/24', minute);
        counter.add('merchant-login-failed', '198.51.100.0/24', minute);
      }
      await counter.save(databases[index % databases.length]!);
    }, 10);

    const events = await listSecurityEvents(databases[0]!.query, { limit: 10, kind: 'merchant-login-failed' });
    expect(events).toHaveLength(4);
    expect(new Set(events.map(({ count, actor }) => `${count} ${actor}`))).toEqual(new Set(['10 unknown']));
  });
});
