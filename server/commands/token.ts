import { parseArgs } from 'node:util';
import { addressIn } from '../config/config.ts';
import { issuing, SERVICE_SCOPE } from '../tokens/issue.ts';
import { checkedGrant } from '../tokens/checked-grant.ts';
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
        const issuer = addressIn(config);
        if (issuer === undefined) throw new Error('PUBLIC_URL: expected the address of the service, because PORT is 0');
        return issuing(database, clock, issuer)(await checkedGrant(database, written), minutes * 60);
      });
      answer(values.json ? JSON.stringify({ token }) : token);
      if (!scope.split(' ').includes(SERVICE_SCOPE)) remark(`It lists no applications: that takes the scope ${SERVICE_SCOPE}.`);
      remark(`Good for ${minutes} minutes. Whoever has it can read what it is for: hand it over as you would a password.`);
    },
  },
};
