import { parseArgs } from 'node:util';
import { listSigningKeys, retireSigningKey, rotateSigningKey } from '../tokens/signing-keys.ts';
import { type Command, required, withDatabase } from './command.ts';

/** The keys that tokens are signed with: a new one beside the others, then an old one is retired, and its tokens with it. */
export const signingKeyCommands: Record<string, Command> = {
  'signing-key list': {
    usage: 'signing-key list [--json]',
    run: async (args, surroundings) => {
      const { values } = parseArgs({ args, options: { json: { type: 'boolean' } } });
      const rows = await withDatabase(surroundings, ({ query }) => listSigningKeys(query));
      const keys = rows.map(({ kid, algorithm, created_at: createdAt, retired_at: retiredAt, isSigning }) => ({
        kid,
        algorithm,
        createdAt,
        retiredAt,
        isSigning,
      }));
      if (values.json) surroundings.answer(JSON.stringify(keys));
      else for (const key of keys) surroundings.answer(lineOf(key));
    },
  },

  'signing-key rotate': {
    usage: 'signing-key rotate [--json]',
    run: async (args, surroundings) => {
      const { values } = parseArgs({ args, options: { json: { type: 'boolean' } } });
      const { clock, answer, remark } = surroundings;
      const made = await withDatabase(surroundings, (database) => rotateSigningKey(database, clock.now()));
      const { kid, created_at: createdAt } = made;
      answer(values.json ? JSON.stringify({ kid, createdAt }) : `${kid} signs from here on`);
      remark('Tokens of the earlier keys stay good until they expire, or their key is retired.');
    },
  },

  'signing-key retire': {
    usage: 'signing-key retire --kid K [--json]',
    run: async (args, surroundings) => {
      const { values } = parseArgs({ args, options: { kid: { type: 'string' }, json: { type: 'boolean' } } });
      const kid = required('--kid', values.kid);
      const { clock, answer } = surroundings;
      const retired = await withDatabase(surroundings, (database) => retireSigningKey(database, kid, clock.now()));
      const { retired_at: retiredAt } = retired;
      answer(values.json ? JSON.stringify({ kid, retiredAt }) : `${kid} is retired since ${retiredAt}`);
    },
  },
};

interface ListedKey {
  kid: string;
  createdAt: string;
  retiredAt: string | null;
  isSigning: boolean;
}

function lineOf({ kid, createdAt, retiredAt, isSigning }: ListedKey): string {
  const state = retiredAt !== null ? `retired ${retiredAt}` : isSigning ? 'signs' : 'is believed';
  return `${kid}  created ${createdAt}  ${state}`;
}
