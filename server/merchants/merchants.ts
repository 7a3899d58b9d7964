import { line, WebUrl } from '../../shared/wire/fields.ts';
import { standardProgram } from '../as-low-as/standard-program.ts';
import { addProgram, addVersion } from '../as-low-as/store.ts';
import type { Database } from '../db/database.ts';
import { ServiceError } from '../errors.ts';
import { newId } from '../ids.ts';
import type { Instant } from '../time.ts';
import { newCallbackSecret } from './callback-secrets.ts';
import { hashSecret, type KeyPair, newKeyPair } from './keys.ts';
import {
  addCallbackSecret,
  addKey,
  addMerchant,
  addOrigins,
  addTenant,
  findTenant,
  type MerchantRow,
  originsOf,
  removeOrigins,
  requireMerchant,
  updateMerchant,
} from './store.ts';
import type { Mode } from '../mode.ts';

export interface NewMerchant {
  name: string;
  /** Where buyers return to when a cart names no other address. */
  storeUrl: string;
  /** Further origins whose pages may carry the button; the store's own is always among them. */
  origins: readonly string[];
  /** An existing tenant; left out, the merchant gets one of its own. */
  tenantId?: string | undefined;
}

export interface CreatedMerchant extends KeyPair {
  tenantId: string;
  merchantId: string;
}

/**
 * Registers a merchant with a key pair, the standard financing program, and a secret that its callbacks are signed with.
 *
 * The answer is the only place where the key pair's secret is ever seen.
 *
 * @throws ServiceError `invalid-request` - an address is not http or https, or the tenant is unknown.
 */
export async function createMerchant(
  database: Database,
  mode: Mode,
  merchant: NewMerchant,
  now: Instant,
): Promise<CreatedMerchant> {
  requireName(merchant.name);
  const ofPages = merchant.origins.map((origin) => originOf('origin', origin));
  const origins = new Set([originOf('store-url', merchant.storeUrl), ...ofPages]);
  const tenantId = merchant.tenantId ?? newId();
  const merchantId = newId();
  const programId = newId();
  const keyPair = newKeyPair(mode);
  const callbackSecret = newCallbackSecret(merchantId, now);

  await database.write(async (tx) => {
    if (merchant.tenantId === undefined) await addTenant(tx, { id: tenantId, name: merchant.name, created_at: now });
    else if (!(await findTenant(tx, tenantId))) {
      throw new ServiceError('invalid-request', `tenant: expected the id of a tenant, but received "${tenantId}"`);
    }
    const { name, storeUrl } = merchant;
    await addMerchant(
      tx,
      { id: merchantId, tenant_id: tenantId, name, store_url: storeUrl, default_program_id: programId, created_at: now },
      [...origins],
    );
    await addProgram(tx, { id: programId, merchant_id: merchantId, code: standardProgram.id, created_at: now });
    await addVersion(tx, programId, standardProgram, now);
    await addKey(tx, {
      api_key: keyPair.apiKey,
      merchant_id: merchantId,
      secret_hash: hashSecret(keyPair.secret),
      created_at: now,
      retired_at: null,
    });
    await addCallbackSecret(tx, callbackSecret);
  });
  return { tenantId, merchantId, ...keyPair };
}

/** What changes of a merchant; what is left out stays. */
export interface MerchantChange {
  name?: string | undefined;
  /** Its origin is registered. The origin of the former address stays registered until it is removed. */
  storeUrl?: string | undefined;
  addOrigins?: readonly string[];
  removeOrigins?: readonly string[];
}

/**
 * Changes a merchant's name, address or registered origins. Removes origins before it adds others.
 *
 * @returns The merchant with its origins after the change.
 * @throws ServiceError `invalid-request` - the merchant is unknown, an address is not http or https, or an origin to remove is not
 *   registered or that of the store.
 */
export async function changeMerchant(
  database: Database,
  merchantId: string,
  { name, storeUrl, addOrigins: added = [], removeOrigins: removed = [] }: MerchantChange,
): Promise<MerchantRow & { origins: string[] }> {
  if (name !== undefined) requireName(name);
  const addedOrigins = added.map((origin) => originOf('add-origin', origin));
  const removedOrigins = removed.map((origin) => originOf('remove-origin', origin));
  const storeOrigin = storeUrl === undefined ? undefined : originOf('store-url', storeUrl);

  return database.write(async (tx) => {
    const merchant = (await updateMerchant(tx, merchantId, { name, storeUrl })) ?? (await requireMerchant(tx, merchantId));
    const registered = await originsOf(tx, merchantId);
    for (const origin of removedOrigins) {
      if (!registered.includes(origin)) throw notRemovable('a registered origin', registered, origin);
      if (origin === originOf('store-url', merchant.store_url)) {
        throw notRemovable(`an origin other than that of the store-url ${merchant.store_url}`, registered, origin);
      }
    }
    await removeOrigins(tx, merchantId, removedOrigins);
    await addOrigins(tx, merchantId, storeOrigin === undefined ? addedOrigins : [storeOrigin, ...addedOrigins]);
    return { ...merchant, origins: await originsOf(tx, merchantId) };
  });
}

function notRemovable(expected: string, registered: readonly string[], received: string): ServiceError {
  return new ServiceError(
    'invalid-request',
    `remove-origin: expected ${expected} (registered: ${registered.join(', ')}), but received "${received}"`,
  );
}

function originOf(what: string, address: string): string {
  const url = WebUrl.is(address) ? new URL(address) : undefined;
  if (!url || url.username !== '' || url.password !== '') {
    const expected = 'expected an http or https address without a user name';
    throw new ServiceError('invalid-request', `${what}: ${expected}, but received ${JSON.stringify(address.slice(0, 100))}`);
  }
  return url.origin;
}

function requireName(name: string): void {
  const [fault] = line(MAX_NAME, 1).validate(name);
  if (fault) throw new ServiceError('invalid-request', `name: ${fault.message}`);
}

/** As long as the name of a buyer may be. */
const MAX_NAME = 200;
