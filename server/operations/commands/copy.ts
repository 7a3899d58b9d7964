import { existsSync } from 'node:fs';
import { copyToPostgres } from '../../db/copy.ts';
import { type Command, command, option, tableLines, withDatabase, withOpenDatabase } from './command.ts';
import { serviceCommands } from './service.ts';

export const copyCommands: Record<string, Command> = {
  copy: command(
    '--from sqlite:FILE --to postgres://…   (moves a database into an empty one of PostgreSQL, and audits it; stop the service before)',
    { from: option.required, to: option.required },
    async ({ from, to }, context) => {
      if (!from.startsWith('sqlite:')) throw new Error('--from: expected sqlite:FILE');
      if (!/^postgres(ql)?:\/\//.test(to)) throw new Error('--to: expected postgres://…');
      const { env, log, print, progress } = context;
      const file = from.slice('sqlite:'.length);
      if (!existsSync(file)) throw new Error(`--from: expected a database at ${file}, but found none`);
      const envOf = (url: string) => ({ ...env, DATABASE_URL: url, DATABASE_URL_FILE: undefined });
      // Both have the same keys. Those of a sandbox can be in a file next to its database.
      const keyFile = env['DATA_KEYS'] || env['DATA_KEYS_FILE'] ? undefined : `${file}.keys`;
      const target = { ...context, env: { ...envOf(to), ...(keyFile && { DATA_KEYS_FILE: keyFile }) } };
      // Requires a migrated database of the mode, and its keys.
      await withDatabase({ ...context, env: envOf(from) }, async () => undefined);
      const { tables, keyIds } = await withOpenDatabase(target, { mayCreate: true }, (database) =>
        copyToPostgres(file, database, progress),
      );
      const lines = tableLines(tables, [
        ['table', ({ name }) => name],
        ['rows', ({ rows }) => rows.toLocaleString('en-US'), 'number'],
        ['sha256', ({ hash }) => hash],
      ]);
      for (const line of lines) print(line);
      log(`The service needs the same data keys: ${keyIds.join(', ')}${keyFile ? ` (DATA_KEYS_FILE=${keyFile})` : ''}`);
      progress.start('Auditing the copy');
      return serviceCommands['audit']!.run([], target);
    },
  ),
};
