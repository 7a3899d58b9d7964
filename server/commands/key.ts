import { parseArgs } from 'node:util';
import { addKeyPair, listKeys, retireKey } from '../merchants/key-pairs.ts';
import { type Command, required, withDatabase } from './command.ts';

/** A merchant's key pairs: a second one beside the first, then the first is retired. */
export const keyCommands: Record<string, Command> = {
  'key rotate': {
    usage: 'key rotate --merchant M [--json]',
    run: async (args, surroundings) => {
      const { values } = parseArgs({ args, options: { merchant: { type: 'string' }, json: { type: 'boolean' } } });
      const merchantId = required('--merchant', values.merchant);
      const { clock, answer, remark } = surroundings;
      const { apiKey, secret } = await withDatabase(surroundings, (database, { mode }) =>
        addKeyPair(database, mode, merchantId, clock.now()),
      );
      if (values.json) answer(JSON.stringify({ apiKey, secret }));
      else for (const [name, value] of Object.entries({ apiKey, secret })) answer(`${name.padEnd(6)} ${value}`);
      remark(
        'Keep the secret: it is stored as a hash only and cannot be shown again. The earlier keys work until they are retired.',
      );
    },
  },

  'key list': {
    usage: 'key list --merchant M [--json]',
    run: async (args, surroundings) => {
      const { values } = parseArgs({ args, options: { merchant: { type: 'string' }, json: { type: 'boolean' } } });
      const merchantId = required('--merchant', values.merchant);
      const rows = await withDatabase(surroundings, ({ query }) => listKeys(query, merchantId));
      const keys = rows.map((row) => ({ apiKey: row.api_key, createdAt: row.created_at, retiredAt: row.retired_at }));
      if (values.json) surroundings.answer(JSON.stringify(keys));
      else for (const { apiKey, createdAt, retiredAt } of keys) surroundings.answer(lineOf(apiKey, createdAt, retiredAt));
    },
  },

  'key retire': {
    usage: 'key retire --api-key K [--json]',
    run: async (args, surroundings) => {
      const { values } = parseArgs({ args, options: { 'api-key': { type: 'string' }, json: { type: 'boolean' } } });
      const apiKey = required('--api-key', values['api-key']);
      const { clock, answer } = surroundings;
      const { retired_at: retiredAt } = await withDatabase(surroundings, (database) => retireKey(database, apiKey, clock.now()));
      answer(values.json ? JSON.stringify({ apiKey, retiredAt }) : `${apiKey} is retired since ${retiredAt}`);
    },
  },
};

function lineOf(apiKey: string, createdAt: string, retiredAt: string | null): string {
  return `${apiKey}  created ${createdAt}  ${retiredAt === null ? 'works' : `retired ${retiredAt}`}`;
}
