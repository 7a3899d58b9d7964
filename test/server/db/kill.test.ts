import { sql } from 'kysely';
import { beforeAll, expect, it } from 'vitest';
import { buildProject, startProcess } from '../../support/process.ts';
import { describeOnEveryEngine, createDatabaseUrl, openTestDatabase } from '../../support/databases.ts';
import { until } from '../../support/time.ts';

describeOnEveryEngine('A process that is killed during writes', (engine) => {
  beforeAll(buildProject);

  it('leaves all acknowledged writes and no partial write in the database', async () => {
    const url = await createDatabaseUrl(engine);
    const database = openTestDatabase(url);
    await database.migrate();

    const { child, lines: acknowledged, ended } = startProcess('test/server/db/process.mjs', ['write', url]);
    await until(() => acknowledged.length >= 500, 25_000);
    child.kill('SIGKILL');
    await ended;

    const tenants = await database.query.selectFrom('tenants').select('id').execute();
    const merchants = await database.query.selectFrom('merchants').select('id').execute();
    const written = new Set(tenants.map(({ id }) => id));
    expect(acknowledged.filter((id) => !written.has(id))).toEqual([]);
    expect(merchants.map(({ id }) => id).toSorted()).toEqual([...written].toSorted());
    if (engine === 'sqlite') {
      const { rows } = await sql`pragma integrity_check`.execute(database.query);
      expect(rows).toEqual([{ integrityCheck: 'ok' }]);
    }
  });
});
