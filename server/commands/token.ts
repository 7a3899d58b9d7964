import { parseArgs } from 'node:util';
import { addressIn, type Config } from '../config/config.ts';
import type { Readable } from '../db/database.ts';
import { savedPublicUrl } from '../db/mode.ts';
import { issuing, SERVICE_SCOPE } from '../tokens/issue.ts';
import { checkedGrant } from '../tokens/grant.ts';
import { type Command, required, withDatabase } from './command.ts';
import { wholeOption } from './options.ts';

/** Thirty days. No token can be taken back by itself: retiring its key ends all that were signed with it. */
const MAX_MINUTES = 43_200;

const HOUR_MINUTES = 60;

/** Bearer tokens for the platform API, also such as are bound to no merchant, which no key pair is given. */
export const tokenCommands: Record<string, Command> = {
  'token mint': {
    usage: 'token mint --tenant T [--merchant M] [--program P] [--buyer B] [--scope S] [--minutes N] [--json]',
    run: async (args, surroundings) => {
      const { values } = parseArgs({
        args,
        options: {
          tenant: { type: 'string' },
          merchant: { type: 'string' },
          program: { type: 'string' },
          buyer: { type: 'string' },
          scope: { type: 'string', default: SERVICE_SCOPE },
          minutes: { type: 'string' },
          json: { type: 'boolean' },
        },
      });
      const { merchant: merchantId, program: programId, buyer: buyerId, scope } = values;
      const written = { tenantId: required('--tenant', values.tenant), merchantId, programId, buyerId, scope };
      const minutes = wholeOption('--minutes', values.minutes, { least: 1, most: MAX_MINUTES }) ?? HOUR_MINUTES;
      const { clock, answer, remark } = surroundings;
      const token = await withDatabase(surroundings, async (database, config) => {
        const issuer = await issuerOf(database, config, remark);
        return issuing(database, clock, issuer)(await checkedGrant(database, written), minutes * 60);
      });
      answer(values.json ? JSON.stringify({ token }) : token);
      if (!scope.split(' ').includes(SERVICE_SCOPE)) remark(`It lists no applications: that takes the scope ${SERVICE_SCOPE}.`);
      remark(`Good for ${minutes} minutes. It gives access to personal data: treat it like a password.`);
    },
  },
};

/**
 * The issuer whose tokens the service accepts: the address under which it was started last on this database.
 *
 * @throws Error - the environment names another address, or none is known.
 */
async function issuerOf(database: Readable, config: Config, remark: (line: string) => void): Promise<string> {
  const saved = await savedPublicUrl(database);
  if (saved !== undefined && config.publicUrl !== undefined && config.publicUrl !== saved) {
    throw new Error(
      `PUBLIC_URL: expected ${saved}, the address of the service on this database, but received ${config.publicUrl}. ` +
        'The service accepts tokens of its own address only; start it with the new one first',
    );
  }
  const issuer = saved ?? addressIn(config);
  if (issuer === undefined) throw new Error('PUBLIC_URL: expected the address of the service, because PORT is 0');
  if (saved === undefined) {
    remark(`warning: no service was started on this database yet; only one whose PUBLIC_URL is ${issuer} accepts the token`);
  }
  return issuer;
}
