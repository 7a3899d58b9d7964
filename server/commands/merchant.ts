import { parseArgs } from 'node:util';
import { changeMerchant, createMerchant } from '../merchants/merchants.ts';
import { allMerchants, findMerchantByKey, keysOf, type MerchantRow, originsOf, requireMerchant } from '../merchants/store.ts';
import { type Command, required, type Surroundings, UsageError, withDatabase } from './command.ts';

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
      const { clock, remark } = surroundings;
      const created = await withDatabase(surroundings, (database, { mode }) =>
        createMerchant(database, mode, merchant, clock.now()),
      );
      answerWith(surroundings, { ...created }, values.json);
      remark('Keep the secret: it is stored as a hash only and cannot be shown again.');
    },
  },

  'merchant list': {
    usage: 'merchant list [--json]',
    run: async (args, surroundings) => {
      const { values } = parseArgs({ args, options: { json: { type: 'boolean' } } });
      const merchants = (await withDatabase(surroundings, ({ query }) => allMerchants(query))).map(presentMerchant);
      if (values.json) surroundings.answer(JSON.stringify(merchants));
      else for (const { merchantId, name, storeUrl } of merchants) surroundings.answer(`${merchantId}  ${name}  ${storeUrl}`);
    },
  },

  'merchant show': {
    usage: 'merchant show --merchant M [--json]',
    run: async (args, surroundings) => {
      const { values } = parseArgs({ args, options: { merchant: { type: 'string' }, json: { type: 'boolean' } } });
      const merchantId = required('--merchant', values.merchant);
      const shown = await withDatabase(surroundings, async ({ query }) => {
        const merchant = presentMerchant(await requireMerchant(query, merchantId));
        const keys = await keysOf(query, merchantId);
        const apiKeys = keys.filter(({ retired_at }) => retired_at === null).map(({ api_key }) => api_key);
        return { ...merchant, origins: await originsOf(query, merchantId), apiKeys };
      });
      answerWith(surroundings, shown, values.json);
    },
  },

  'merchant update': {
    usage: 'merchant update --merchant M [--name N] [--store-url U] [--add-origin O ...] [--remove-origin O ...] [--json]',
    run: async (args, surroundings) => {
      const { values } = parseArgs({
        args,
        options: {
          merchant: { type: 'string' },
          name: { type: 'string' },
          'store-url': { type: 'string' },
          'add-origin': { type: 'string', multiple: true },
          'remove-origin': { type: 'string', multiple: true },
          json: { type: 'boolean' },
        },
      });
      const { merchant, json, ...change } = values;
      const merchantId = required('--merchant', merchant);
      if (Object.keys(change).length === 0) {
        throw new UsageError('expected --name, --store-url, --add-origin or --remove-origin');
      }
      const { name, 'store-url': storeUrl, 'add-origin': addOrigins = [], 'remove-origin': removeOrigins = [] } = change;
      const updated = await withDatabase(surroundings, (database) =>
        changeMerchant(database, merchantId, { name, storeUrl, addOrigins, removeOrigins }),
      );
      answerWith(surroundings, { ...presentMerchant(updated), origins: updated.origins }, json);
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

function presentMerchant({ id, tenant_id: tenantId, name, store_url: storeUrl, created_at: createdAt }: MerchantRow) {
  return { merchantId: id, tenantId, name, storeUrl, createdAt };
}

/** One field a line; a list has its values on one. */
function answerWith({ answer }: Surroundings, fields: Record<string, string | string[]>, json = false): void {
  if (json) return answer(JSON.stringify(fields));
  for (const [name, value] of Object.entries(fields)) answer(`${name.padEnd(11)} ${[value].flat().join(' ')}`);
}
