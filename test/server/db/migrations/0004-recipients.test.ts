import { expect, it } from 'vitest';
import { sql } from 'kysely';
import { createDatabaseAt, describeOnEveryEngine } from '../../../support/databases.ts';

const at = '2026-11-21T09:30:00.000000Z';

describeOnEveryEngine('Migration 0004', (engine) => {
  it('keeps the counted attempts of persons', async () => {
    const database = await createDatabaseAt('0001-initial', engine);
    const hash = 'a'.repeat(64);
    await database.write((tx) => sql`insert into application_attempts values (${hash}, ${`["${at}"]`}, ${at})`.execute(tx));

    await database.migrate();

    expect(await database.query.selectFrom('limited_attempts').selectAll().execute()).toEqual([
      { subject_hash: hash, attempts_json: `["${at}"]`, last_attempt_at: at },
    ]);
  });
});
