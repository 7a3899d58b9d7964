import { parseArgs } from 'node:util';
import { revokeDocumentLink } from '../agreements/revoke-link.ts';
import { type Command, printResult, requireValue, withDatabase } from './command.ts';

/** Commands for the signed agreements of buyers. */
export const documentCommands: Record<string, Command> = {
  'document revoke': {
    usage: 'document revoke --application A [--json]   (permanently disables the link to its signed agreement)',
    run: async (args, context) => {
      const { values } = parseArgs({ args, options: { application: { type: 'string' }, json: { type: 'boolean' } } });
      const applicationId = requireValue('--application', values.application);
      const revokedAt = await withDatabase(context, (database) =>
        revokeDocumentLink(database, applicationId, context.clock.now()),
      );
      printResult(context, values.json, { applicationId, revokedAt }, [`${applicationId}  link revoked ${revokedAt}`]);
    },
  },
};
