import { revokeDocumentLink } from '../agreements/revoke-link.ts';
import { type Command, command, flag, printResult, required, withDatabase } from './command.ts';

/** Commands for the signed agreements of buyers. */
export const documentCommands: Record<string, Command> = {
  'document revoke': command(
    '--application A [--json]   (permanently disables the link to its signed agreement)',
    { application: required, json: flag },
    async ({ application: applicationId, json }, context) => {
      const revokedAt = await withDatabase(context, (database) =>
        revokeDocumentLink(database, applicationId, context.clock.now()),
      );
      printResult(context, json, { applicationId, revokedAt }, [`${applicationId}  link revoked ${revokedAt}`]);
    },
  ),
};
