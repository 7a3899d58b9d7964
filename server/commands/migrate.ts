import { parseArgs } from 'node:util';
import { type Command, withDatabase } from './command.ts';

export const migrateCommands: Record<string, Command> = {
  migrate: {
    usage: 'migrate',
    run: async (args, surroundings) => {
      parseArgs({ args });
      await withDatabase(surroundings, async () => undefined);
      surroundings.remark('The database is up to date.');
    },
  },
};
