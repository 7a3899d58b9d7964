import { createReadStream } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { WebUrl } from '../../../shared/wire/fields.ts';
import type { CommandConfig } from '../../base/config/config.ts';
import type { Database } from '../../db/database.ts';
import { invalidRequest } from '../../base/errors.ts';
import { BRAND_PARTS, logoPath, MAX_LOGO_BYTES, supportContacts } from '../../merchants/brand.ts';
import { callbackSecretsOf, retireOlderCallbackSecret, rotateCallbackSecret } from '../../merchants/callback-secrets.ts';
import { addKeyPair, listKeys, retireKey } from '../../merchants/keys.ts';
import { changeMerchant, createMerchant } from '../../merchants/merchants.ts';
import {
  allCallbacks,
  allMerchants,
  callbacksOf,
  type CallbackSecret,
  keysOfMerchant,
  type Merchant,
  originsOf,
  requireMerchant,
} from '../../merchants/store.ts';
import { callbackUrlProblem } from '../../messages/callback-address.ts';
import { sandboxProgram, standardProgram } from '../../lending/programs/standard-program.ts';
import type { Instant } from '../../base/time.ts';
import { type Command, command, databaseCommand, option, printResult, UsageError, withDatabase } from './command.ts';

/** Commands for merchants, their key pairs and their callback secrets. */
export const merchantCommands: Record<string, Command> = {
  'merchant create': databaseCommand(
    '--name N --store-url U [--origin O ...] [--tenant T] [--json]',
    { name: option.required, 'store-url': option.required, origin: option.list, tenant: option.text },
    async ({ name, 'store-url': storeUrl, origin: origins, tenant: tenantId }, database, { config: { mode }, now }) => {
      const program = mode === 'sandbox' ? sandboxProgram : standardProgram;
      const created = await createMerchant(database, mode, { name, storeUrl, origins, tenantId, program }, now);
      const messages = ['Save the secret: only its hash is stored, so it cannot be shown again.'];
      return { value: created, lines: fieldLines({ ...created }), messages };
    },
  ),

  'merchant list': databaseCommand('[--json]', {}, async (_values, { query }) => {
    const registered = await allCallbacks(query);
    const merchants = (await allMerchants(query)).map((row) => {
      const callbacks = registered.filter(({ merchantId }) => merchantId === row.id).map(({ url }) => url);
      return { ...presentMerchant(row), callbacks };
    });
    const lines = merchants.map(({ merchantId, name, storeUrl, callbacks }) =>
      [merchantId, name, storeUrl, ...callbacks.map((url) => `callback ${url}`)].join('  '),
    );
    return { value: merchants, lines };
  }),

  'merchant show': databaseCommand(
    '--merchant M [--json]',
    { merchant: option.required },
    async ({ merchant: merchantId }, { query }) => {
      const merchant = await requireMerchant(query, merchantId);
      const keys = await keysOfMerchant(query, merchantId);
      const shown = {
        ...presentMerchant(merchant),
        ...presentBrand(merchant),
        origins: await originsOf(query, merchantId),
        callbacks: await callbacksOf(query, merchantId),
        apiKeys: keys.filter(({ retiredAt }) => retiredAt === null).map(({ apiKey }) => apiKey),
      };
      return { value: shown, lines: fieldLines(shown) };
    },
  ),

  'merchant update': command(
    '--merchant M [--name N] [--store-url U] [--category C] [--postal-address A] [--logo FILE] [--accent COLOR] [--support CONTACT ...] [--remove PART ...] [--add-origin O ...] [--remove-origin O ...] [--add-callback U ...] [--remove-callback U ...] [--json]',
    {
      merchant: option.required,
      name: option.text,
      'store-url': option.text,
      category: option.text,
      'postal-address': option.text,
      logo: option.text,
      accent: option.text,
      support: option.list,
      remove: { ...option.list, ...option.choice(BRAND_PARTS) },
      'add-origin': option.list,
      'remove-origin': option.list,
      'add-callback': option.list,
      'remove-callback': option.list,
      json: option.flag,
    },
    async (values, context) => {
      const { merchant: merchantId, json, ...change } = values;
      // Absent options are undefined, or empty lists, which `flat` removes.
      if (
        Object.values(change)
          .flat()
          .every((value) => value === undefined)
      ) {
        throw new UsageError(
          'expected --name, --store-url, --category, --postal-address, --logo, --accent, --support, --remove, --add-origin, --remove-origin, --add-callback or --remove-callback',
        );
      }
      const { name, 'store-url': storeUrl, 'add-origin': addOrigins, 'remove-origin': removeOrigins } = change;
      const { 'add-callback': addCallbacks, 'remove-callback': removeCallbacks, accent, support, category } = change;
      const { 'postal-address': postalAddress } = change;
      const logo = change.logo === undefined ? undefined : await readLogo(change.logo);
      const brand = { logo, accent, support, removeBrand: change.remove };
      const row = await withDatabase(context, (database, config) => {
        for (const url of addCallbacks) requireCallback(url, config);
        const registered = { addOrigins, removeOrigins, addCallbacks, removeCallbacks };
        return changeMerchant(
          database,
          config.mode,
          merchantId,
          { name, storeUrl, category, postalAddress, ...brand, ...registered },
          context.clock.now(),
        );
      });
      const updated = { ...presentMerchant(row), ...presentBrand(row), origins: row.origins, callbacks: row.callbacks };
      printResult(context, json, updated, fieldLines(updated));
    },
  ),

  'key rotate': databaseCommand(
    '--merchant M [--json]',
    { merchant: option.required },
    async ({ merchant }, database, { config, now }) => {
      const { apiKey, secret } = await addKeyPair(database, config.mode, merchant, now);
      return {
        value: { apiKey, secret },
        lines: [`apiKey ${apiKey}`, `secret ${secret}`],
        messages: [
          'Save the secret: only its hash is stored, so it cannot be shown again. Earlier keys are valid until they are retired.',
        ],
      };
    },
  ),

  'key list': databaseCommand('--merchant M [--json]', { merchant: option.required }, async ({ merchant }, { query }) => {
    const rows = await listKeys(query, merchant);
    const keys = rows.map(({ apiKey, createdAt, retiredAt }) => ({ apiKey, createdAt, retiredAt }));
    const lines = keys.map(
      ({ apiKey, createdAt, retiredAt }) =>
        `${apiKey}  created ${createdAt}  ${retiredAt === null ? 'active' : `retired ${retiredAt}`}`,
    );
    return { value: keys, lines };
  }),

  'key retire': databaseCommand(
    '--api-key K [--json]',
    { 'api-key': option.required },
    async ({ 'api-key': apiKey }, database, { now }) => {
      const { retiredAt } = await retireKey(database, apiKey, now);
      return { value: { apiKey, retiredAt }, lines: [`${apiKey}  retired ${retiredAt}`] };
    },
  ),

  'callback-secret list': callbackSecretCommand(({ query }, merchantId) => callbackSecretsOf(query, merchantId)),
  'callback-secret rotate': callbackSecretCommand(rotateCallbackSecret),
  'callback-secret retire': callbackSecretCommand(retireOlderCallbackSecret),
};

/** Returns a command that prints the active secrets after `work`, the newest first. */
function callbackSecretCommand(
  work: (database: Database, merchantId: string, now: Instant) => Promise<CallbackSecret[]>,
): Command {
  return databaseCommand('--merchant M [--json]', { merchant: option.required }, async ({ merchant }, database, { now }) => {
    const secrets = (await work(database, merchant, now)).map(({ id, secret, createdAt }) => ({ id, secret, createdAt }));
    return { value: { secrets }, lines: secrets.map(({ secret, createdAt }) => `${secret}  created ${createdAt}`) };
  });
}

/** @throws ServiceError `invalid-request` - callbacks would never be sent to the URL. */
function requireCallback(url: string, { mode, callbackAllow: allowedHosts }: CommandConfig): void {
  // `changeMerchant` rejects other texts.
  const problem = WebUrl.is(url) ? callbackUrlProblem(url, { mode, allowLoopback: mode === 'sandbox', allowedHosts }) : undefined;
  if (problem) throw invalidRequest('add-callback', problem.expected, JSON.stringify(url));
}

function presentMerchant({ id, tenantId, name, storeUrl, createdAt }: Merchant) {
  return { merchantId: id, tenantId, name, storeUrl, createdAt };
}

/** Returns what is set of a brand, with the path of the logo. */
function presentBrand(merchant: Merchant) {
  const { logo, accent, category, postalAddress } = merchant;
  const support = supportContacts(merchant);
  return {
    ...(category && { category }),
    ...(postalAddress && { postalAddress }),
    ...(logo && { logo: logoPath(logo) }),
    ...(accent && { accent }),
    ...(support.length > 0 && { support }),
  };
}

/** Reads a file as far as needed to recognize that it is too large. */
function readLogo(file: string): Promise<Buffer> {
  return buffer(createReadStream(file, { end: MAX_LOGO_BYTES }));
}

/** Formats one field per line. Values of a list are separated by spaces. */
function fieldLines(fields: Record<string, string | string[]>): string[] {
  return Object.entries(fields).map(([name, value]) => `${name.padEnd(11)} ${[value].flat().join(' ')}`);
}
