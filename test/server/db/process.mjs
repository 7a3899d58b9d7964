/**
 * A process for tests with several processes on one database: `node test/server/db/process.mjs COMMAND URL...`. Imports from `dist`, because Node 20 does not run TypeScript.
 */
import { sql } from 'kysely';
import { openDatabase } from '../../../dist/server/db/open-database.js';
import { parseKeyRing } from '../../../dist/server/base/key-ring.js';
import { migrations } from '../../../dist/server/db/migrate.js';

const [command, ...urls] = process.argv.slice(2);
const dataKeys = () => parseKeyRing(process.env.DATA_KEYS, 'DATA_KEYS');

const commands = {
  async migrate() {
    for (const url of urls) {
      const database = openDatabase(url, dataKeys);
      await database.migrate();
      await database.close();
    }
  },

  /** Runs the migrations of a made-up next release. */
  async 'migrate-next'() {
    addNextMigration();
    await commands.migrate();
  },

  /** Runs the service of that release, on `DATABASE_URL`. */
  async 'serve-next'() {
    addNextMigration();
    process.argv = [...process.argv.slice(0, 2), 'serve'];
    await import('../../../dist/server/cli.js');
  },

  /** Writes tenants with a merchant each until it is stopped, 32 concurrently, and prints the id of each committed one. */
  async write() {
    const database = openDatabase(urls[0], dataKeys);
    const now = '2026-11-21T09:30:00.000000Z';
    let next = 0;
    const writeForever = async () => {
      for (;;) {
        const id = `t_${next++}`;
        await database.write(async (tx) => {
          await tx.insertInto('tenants').values({ id, name: 'Acme', createdAt: now }).execute();
          const merchant = { id, tenantId: id, name: 'Acme', storeUrl: '', defaultProgramId: '', createdAt: now };
          await tx.insertInto('merchants').values(merchant).execute();
        });
        console.log(id);
      }
    };
    await Promise.all(Array.from({ length: 32 }, writeForever));
  },
};

function addNextMigration() {
  migrations['9999-region'] = async (database) => {
    await sql`alter table transactions add column region text`.execute(database);
    await sql`update transactions set region = time_zone`.execute(database);
  };
}

await commands[command]();
