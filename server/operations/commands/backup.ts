import { resolve } from 'node:path';
import { backUpSqlite } from '../../db/backup.ts';
import { type Command, command, option, printResult, readDatabaseConfig } from './command.ts';

export const backupCommands: Record<string, Command> = {
  backup: command(
    'FILE [--json]   (copies a SQLite database into a new file and checks it; the service may be running)',
    { FILE: option.argument, json: option.flag },
    async ({ FILE, json }, context) => {
      // Pending migrations are allowed: a backup precedes them.
      const { databaseUrl } = readDatabaseConfig(context);
      if (!databaseUrl.startsWith('sqlite:')) {
        throw new Error(
          'DATABASE_URL: expected a SQLite database. PostgreSQL is backed up with pg_dump: see "PostgreSQL" in the guide "Backups, moves and upgrades", server/docs/backup.md',
        );
      }
      const file = resolve(FILE);
      const startedAtMs = performance.now();
      const { bytes, keyIds } = await backUpSqlite(databaseUrl.slice('sqlite:'.length), file, context.progress);
      const durationMs = Math.round(performance.now() - startedAtMs);
      printResult(context, json, { file, bytes, durationMs, keyIds }, [
        `Backup: ${file}, ${bytes.toLocaleString('en-US')} bytes, in ${(durationMs / 1_000).toFixed(1)} s`,
        `Data keys that it needs, and does not contain: ${keyIds.join(', ')}`,
      ]);
    },
  ),
};
