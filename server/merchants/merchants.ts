import { line, WebUrl } from '../../shared/wire/fields.ts';
import { standardProgram } from '../as-low-as/standard-program.ts';
import { addProgram, addVersion } from '../as-low-as/store.ts';
import type { Database } from '../db/database.ts';
import { ServiceError } from '../errors.ts';
import { newId } from '../ids.ts';
import type { Instant } from '../time.ts';
import { newCallbackSecret } from './callback-secrets.ts';
import { hashSecret, type KeyPair, newKeyPair } from './keys.ts';
import { addCallbackSecret, addKey, addMerchant, addTenant, findTenant } from './store.ts';
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

function originOf(what: 'store-url' | 'origin', address: string): string {
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
