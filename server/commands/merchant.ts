import { parseArgs } from 'node:util';
import { createMerchant } from '../merchants/merchants.ts';
import { findMerchantByKey } from '../merchants/store.ts';
import { type Command, required, withDatabase } from './command.ts';

export const merchantCommands: Record<string, Command> = {
  'merchant create': {
    usage: 'merchant create --name N --store-url U [--origin O ...] [--tenant T] [--json]',
    run: async (args, surroundings) => {
      const { values } = parseArgs({
        args,
        options: {
          name: { type: 'string' },
          'store-url': { type: 'string' },
          origin: { type: 'string', multiple: true, default: [] },
          tenant: { type: 'string' },
          json: { type: 'boolean', default: false },
        },
      });
      const [name, storeUrl] = [required('--name', values.name), required('--store-url', values['store-url'])];
      const merchant = { name, storeUrl, origins: values.origin, tenantId: values.tenant };
      const { clock, answer, remark } = surroundings;
      const created = await withDatabase(surroundings, (database, { mode }) =>
        createMerchant(database, mode, merchant, clock.now()),
      );
      if (values.json) answer(JSON.stringify(created));
      else for (const [key, value] of Object.entries(created)) answer(`${key.padEnd(11)} ${value}`);
      remark('Keep the secret: it is stored as a hash only and cannot be shown again.');
    },
  },

  'merchant check': {
    usage: 'merchant check --api-key K [--json]',
    run: async (args, surroundings) => {
      const { values } = parseArgs({ args, options: { 'api-key': { type: 'string' }, json: { type: 'boolean' } } });
      const apiKey = required('--api-key', values['api-key']);
      const found = await withDatabase(surroundings, ({ query }) => findMerchantByKey(query, apiKey));
      surroundings.answer(values.json ? JSON.stringify({ known: found !== undefined }) : found ? 'known' : 'unknown');
      return found ? 0 : 1;
    },
  },
};
