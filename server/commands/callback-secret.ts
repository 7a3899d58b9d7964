import { parseArgs } from 'node:util';
import type { Database } from '../db/database.ts';
import { callbackSecretsOf, retireOlderCallbackSecret, rotateCallbackSecret } from '../merchants/callback-secrets.ts';
import type { CallbackSecretRow } from '../merchants/store.ts';
import type { Instant } from '../time.ts';
import { type Command, required, withDatabase } from './command.ts';

/** What merchants verify callbacks with. Each command answers the secrets that are live after it, the newest first. */
export const callbackSecretCommands: Record<string, Command> = {
  'callback-secret list': commandThat('list', ({ query }, merchantId) => callbackSecretsOf(query, merchantId)),
  'callback-secret rotate': commandThat('rotate', rotateCallbackSecret),
  'callback-secret retire': commandThat('retire', retireOlderCallbackSecret),
};

function commandThat(
  verb: string,
  work: (database: Database, merchantId: string, now: Instant) => Promise<CallbackSecretRow[]>,
): Command {
  return {
    usage: `callback-secret ${verb} --merchant M [--json]`,
    run: async (args, surroundings) => {
      const { values } = parseArgs({ args, options: { merchant: { type: 'string' }, json: { type: 'boolean' } } });
      const merchantId = required('--merchant', values.merchant);
      const { clock, answer } = surroundings;
      const rows = await withDatabase(surroundings, (database) => work(database, merchantId, clock.now()));
      const secrets = rows.map(({ id, secret, created_at: createdAt }) => ({ id, secret, createdAt }));
      if (values.json) answer(JSON.stringify({ secrets }));
      else for (const { secret, createdAt } of secrets) answer(`${secret}  since ${createdAt}`);
    },
  };
}
