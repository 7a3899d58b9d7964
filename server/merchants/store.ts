import { type Insertable, type RawBuilder, type Selectable, sql } from 'kysely';
import type { Actor } from '../base/actor.ts';
import type { Query, Tx } from '../db/database.ts';
import { engineOf } from '../db/engine.ts';
import { prepared } from '../db/prepared.ts';
import { isAuthentic, macOf, openRows, seal, unseal } from '../db/sealed.ts';
import type { CallbackSecretTable, MerchantCallbackTable, MerchantKeyTable, MerchantTable, TenantTable } from '../db/schema.ts';
import { invalidRequest } from '../base/errors.ts';
import type { Instant } from '../base/time.ts';
import type { Brand, Logo } from './brand.ts';

type MerchantRow = Selectable<MerchantTable>;

export type Merchant = Omit<MerchantRow, 'mac'>;

/** The merchant of a request, without the columns that few requests use. */
export type CallingMerchant = Pick<Merchant, 'id' | 'tenantId' | 'defaultProgramId'> & {
  /** The latest version of the default program. */
  latestVersion: number;
};

/** Returns the merchant of an active API key and the hash of the key's secret; undefined if the key is unknown or retired. */
export async function findMerchantByKey(
  query: Query,
  apiKey: string,
): Promise<{ merchant: CallingMerchant; secretHash: string } | undefined> {
  const [row] = await merchantByKey(query, apiKey);
  if (!row) return undefined;
  const { secretHash, keyCreatedAt, keyMac: mac, ...merchant } = row;
  const key = {
    apiKey,
    merchantId: merchant.id,
    secretHash,
    createdAt: keyCreatedAt,
    retiredAt: null,
    mac,
  };
  return isAuthentic(query, 'merchant_keys', key) ? { merchant, secretHash } : undefined;
}

const merchantByKey = prepared((query, apiKey: string) =>
  query
    .selectFrom('merchant_keys')
    .innerJoin('merchants', 'merchants.id', 'merchant_keys.merchantId')
    .select(['merchants.id', 'merchants.tenantId', 'merchants.defaultProgramId'])
    .select(['merchant_keys.secretHash', 'merchant_keys.createdAt as keyCreatedAt', 'merchant_keys.mac as keyMac'])
    .select(
      sql<number>`(select max(version) from program_versions where program_id = merchants.default_program_id)`.as(
        'latestVersion',
      ),
    )
    .where('merchant_keys.apiKey', '=', apiKey)
    .where('merchant_keys.retiredAt', 'is', null),
);

/** The merchant of a checkout, with the origins that may use its API key and frame its checkout. */
export type MerchantWithOrigins = Omit<Merchant, 'postalAddress'> & { origins: string[] };

/** Returns the merchant with that id. @throws ServiceError `invalid-request` - the merchant does not exist. */
export async function requireMerchant(query: Query, merchantId: string): Promise<Merchant> {
  const merchant = await findMerchant(query, merchantId);
  if (merchant) return merchant;
  throw invalidRequest('merchant', 'the id of a merchant', `"${merchantId}"`);
}

/**
 * Returns the merchant and locks its row. Call it before changing the merchant, its keys, secrets, origins or programs. Carts of the merchant
 * can still be created.
 *
 * @throws ServiceError `invalid-request` - the merchant does not exist.
 */
export async function lockMerchant(tx: Tx, merchantId: string): Promise<Merchant> {
  const locked = await tx
    .selectFrom('merchants')
    .selectAll()
    .where('id', '=', merchantId)
    // On PostgreSQL, `for no key update` does not block inserts of carts, whose foreign key locks the row of the merchant.
    .forNoKeyUpdate()
    .executeTakeFirst();
  return locked ? withAuthenticSum(tx, locked) : requireMerchant(tx, merchantId);
}

/** Returns a merchant, with the sum of refunds that was saved with a data key. */
export async function findMerchant(query: Query, merchantId: string): Promise<Merchant | undefined> {
  const row = await query.selectFrom('merchants').selectAll().where('id', '=', merchantId).executeTakeFirst();
  return row && withAuthenticSum(query, row);
}

/**
 * Returns a merchant whose `refundApprovalCents` can be relied on. If it was changed without a data key, it is 0: a second person must then
 * approve every refund. The merchants of other functions are for their other fields.
 */
function withAuthenticSum(query: Query, row: MerchantRow): Merchant {
  const { mac: _, ...merchant } = row;
  return isAuthentic(query, 'merchants', row) ? merchant : { ...merchant, refundApprovalCents: 0 };
}

/** Returns the oldest merchant of a tenant. */
export async function firstMerchantOf(query: Query, tenantId: string): Promise<Merchant | undefined> {
  const merchant = await query
    .selectFrom('merchants')
    .selectAll()
    // Not `=`: PostgreSQL would read merchants of all tenants in the order of ids until it finds one of a large tenant.
    .where('tenantId', '>=', tenantId)
    .orderBy('tenantId')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  return merchant?.tenantId === tenantId ? merchant : undefined;
}

/** Which merchants of a tenant a list has. */
export interface MerchantFilter {
  tenantId: string;
  /** Only this one. */
  merchantId?: string | undefined;
  /** A part of the name, in upper or lower case. */
  name: string;
  /** The id of the last merchant of the previous page. */
  after?: string | undefined;
  limit: number;
}

/** Returns merchants of a tenant, the oldest first. */
export async function merchantsOf(
  query: Query,
  { tenantId, merchantId, name, after, limit }: MerchantFilter,
): Promise<Pick<Merchant, 'id' | 'name' | 'storeUrl'>[]> {
  let merchants = query.selectFrom('merchants').select(['id', 'name', 'storeUrl']).where('tenantId', '=', tenantId);
  if (merchantId !== undefined) merchants = merchants.where('id', '=', merchantId);
  if (after !== undefined) merchants = merchants.where('id', '>', after);
  if (name !== '') merchants = merchants.where(nameContains(query, name));
  return merchants.orderBy('id').limit(limit).execute();
}

/**
 * Returns the condition that a name contains a text, in upper or lower case. Each letter is a class of both, because SQLite knows the case
 * of ASCII letters only, and PostgreSQL that of its locale.
 */
function nameContains(query: Query, text: string): RawBuilder<boolean> {
  const isPostgres = engineOf(query) === 'postgres';
  const special = isPostgres ? /[^\p{L}\p{N}\s]/u : /[*?[]/;
  // PostgreSQL accepts no NUL, which no name contains.
  const parts = Array.from(text.replaceAll('\0', ''), (character) => {
    const cases = [...new Set([character.toLowerCase(), character.toUpperCase()])].filter((each) => /^.$/u.test(each));
    if (cases.length > 1) return `[${cases.join('')}]`;
    if (!special.test(character)) return character;
    return isPostgres ? `\\${character}` : `[${character}]`;
  });
  return isPostgres ? sql`name ~ ${parts.join('')}` : sql`name glob ${`*${parts.join('')}*`}`;
}

/** Returns all merchants, the oldest first. */
export async function allMerchants(query: Query): Promise<Merchant[]> {
  return query.selectFrom('merchants').selectAll().orderBy('createdAt').orderBy('id').execute();
}

/** Returns the origins that may use the merchant's API key and frame its checkout. */
export async function originsOf(query: Query, merchantId: string): Promise<string[]> {
  const rows = await query
    .selectFrom('merchant_origins')
    .select('origin')
    .where('merchantId', '=', merchantId)
    .orderBy('origin')
    .execute();
  return rows.map(({ origin }) => origin);
}

type MerchantFields = Record<'name' | 'storeUrl' | 'category' | 'postalAddress', string | undefined> & {
  refundApprovalCents: number | null;
};

/** Changes fields of a merchant whose row is locked, and returns it. */
export async function updateMerchant(
  tx: Tx,
  merchantId: string,
  { name, storeUrl, category, postalAddress, refundApprovalCents, ...brand }: Partial<MerchantFields & Brand>,
): Promise<Merchant> {
  const isSumChanged = refundApprovalCents !== undefined;
  const row = await tx
    .updateTable('merchants')
    .set(({ ref }) => ({
      name: name ?? ref('name'),
      storeUrl: storeUrl ?? ref('storeUrl'),
      category: category ?? ref('category'),
      postalAddress: postalAddress ?? ref('postalAddress'),
      ...(isSumChanged && { refundApprovalCents, mac: macOf(tx, 'merchants', { id: merchantId, refundApprovalCents }) }),
      ...brand,
    }))
    .where('id', '=', merchantId)
    .returningAll()
    .executeTakeFirstOrThrow();
  return withAuthenticSum(tx, row);
}

/** Replaces the picture of a merchant. @param logo - Null: removes it. */
export async function saveLogo(tx: Tx, merchantId: string, logo: Logo | null): Promise<void> {
  await tx.deleteFrom('merchant_logos').where('merchantId', '=', merchantId).execute();
  if (logo)
    await tx
      .insertInto('merchant_logos')
      .values({ merchantId, ...logo })
      .execute();
}

/** Returns the content of a logo, which several merchants may have. */
export async function findLogo(query: Query, name: string): Promise<Buffer | undefined> {
  const logo = await query.selectFrom('merchant_logos').select('base64').where('name', '=', name).limit(1).executeTakeFirst();
  return logo && Buffer.from(logo.base64, 'base64');
}

export async function addOrigins(tx: Tx, merchantId: string, origins: readonly string[]): Promise<void> {
  if (origins.length === 0) return;
  await tx
    .insertInto('merchant_origins')
    .values(origins.map((origin) => ({ merchantId, origin })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function removeOrigins(tx: Tx, merchantId: string, origins: readonly string[]): Promise<void> {
  if (origins.length === 0) return;
  await tx.deleteFrom('merchant_origins').where('merchantId', '=', merchantId).where('origin', 'in', origins).execute();
}

/** Returns the callback URLs that pages of the merchant may name. */
export async function callbacksOf(query: Query, merchantId: string): Promise<string[]> {
  const rows = await query
    .selectFrom('merchant_callbacks')
    .select('url')
    .where('merchantId', '=', merchantId)
    .orderBy('url')
    .execute();
  return rows.map(({ url }) => url);
}

/** Returns the callback URLs that pages of all merchants may name. */
export function allCallbacks(query: Query): Promise<Selectable<MerchantCallbackTable>[]> {
  return query.selectFrom('merchant_callbacks').selectAll().orderBy('merchantId').orderBy('url').execute();
}

export async function addCallbacks(tx: Tx, merchantId: string, urls: readonly string[]): Promise<void> {
  if (urls.length === 0) return;
  await tx
    .insertInto('merchant_callbacks')
    .values(urls.map((url) => ({ merchantId, url })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function removeCallbacks(tx: Tx, merchantId: string, urls: readonly string[]): Promise<void> {
  if (urls.length === 0) return;
  await tx.deleteFrom('merchant_callbacks').where('merchantId', '=', merchantId).where('url', 'in', urls).execute();
}

/** Returns true if any merchant has registered the origin. */
export async function isRegisteredOrigin(query: Query, origin: string): Promise<boolean> {
  const [row] = await merchantByOrigin(query, origin);
  return row !== undefined;
}

const merchantByOrigin = prepared((query, origin: string) =>
  query.selectFrom('merchant_origins').select('merchantId').where('origin', '=', origin).limit(1),
);

export async function findTenant(query: Query, tenantId: string): Promise<Selectable<TenantTable> | undefined> {
  return query.selectFrom('tenants').selectAll().where('id', '=', tenantId).executeTakeFirst();
}

export async function addTenant(tx: Tx, tenant: Insertable<TenantTable>): Promise<void> {
  await tx.insertInto('tenants').values(tenant).execute();
}

export async function addMerchant(
  tx: Tx,
  merchant: Omit<Insertable<MerchantTable>, 'mac' | 'refundApprovalCents'>,
  origins: readonly string[],
): Promise<void> {
  const row = { ...merchant, refundApprovalCents: null };
  await tx
    .insertInto('merchants')
    .values({ ...row, mac: macOf(tx, 'merchants', row) })
    .execute();
  await addOrigins(tx, merchant.id, origins);
}

/** A key without the authentication code of its row. */
export type MerchantKey = Omit<Selectable<MerchantKeyTable>, 'mac'>;

export async function addKey(tx: Tx, key: MerchantKey): Promise<void> {
  await tx
    .insertInto('merchant_keys')
    .values({ ...key, mac: macOf(tx, 'merchant_keys', key) })
    .execute();
}

/** Selects keys, the oldest first. */
const oldestKeys = (query: Query) => query.selectFrom('merchant_keys').selectAll().orderBy('createdAt').orderBy('apiKey');

/** Returns all keys of a merchant, including retired ones, the oldest first. */
export async function keysOfMerchant(query: Query, merchantId: string): Promise<MerchantKey[]> {
  const rows = await oldestKeys(query).where('merchantId', '=', merchantId).execute();
  return rows.filter((row) => isAuthentic(query, 'merchant_keys', row));
}

/** Returns the active keys that someone has created, of all merchants, the oldest first. */
export async function activeKeysCreatedBy(query: Query, createdBy: Actor): Promise<MerchantKey[]> {
  const rows = await oldestKeys(query).where('createdBy', '=', createdBy).where('retiredAt', 'is', null).execute();
  return rows.filter((row) => isAuthentic(query, 'merchant_keys', row));
}

/** Returns a key, retired or not. */
export async function findKey(query: Query, apiKey: string): Promise<MerchantKey | undefined> {
  const row = await query.selectFrom('merchant_keys').selectAll().where('apiKey', '=', apiKey).executeTakeFirst();
  return row && isAuthentic(query, 'merchant_keys', row) ? row : undefined;
}

/** Retires a key, and returns it. The caller has locked its merchant. */
export async function saveKeyRetirement(tx: Tx, key: MerchantKey, retiredAt: Instant): Promise<MerchantKey> {
  const retired = { ...key, retiredAt };
  const mac = macOf(tx, 'merchant_keys', retired);
  await tx.updateTable('merchant_keys').set({ retiredAt, mac }).where('apiKey', '=', key.apiKey).execute();
  return retired;
}

/** A callback secret with its opened secret. */
export type CallbackSecret = Omit<Selectable<CallbackSecretTable>, 'sealed'> & {
  /** `whsec_` and 32 random bytes in base64. */
  secret: string;
};

/** Returns the active secrets that sign the merchant's callbacks, the newest first. */
export async function activeCallbackSecrets(query: Query, merchantId: string): Promise<CallbackSecret[]> {
  const rows = await activeSecrets(query, merchantId);
  return openRows(query, rows, (stored) => {
    const { sealed: _, ...row } = stored;
    return { ...row, secret: unseal(query, 'callback_secrets', stored) };
  });
}

const activeSecrets = prepared((query, merchantId: string) =>
  query
    .selectFrom('callback_secrets')
    .selectAll()
    .where('merchantId', '=', merchantId)
    .where('retiredAt', 'is', null)
    .orderBy('id', 'desc'),
);

export async function addCallbackSecret(tx: Tx, { secret, ...row }: CallbackSecret): Promise<void> {
  const sealed = seal(tx, 'callback_secrets', row, secret);
  await tx
    .insertInto('callback_secrets')
    .values({ ...row, sealed })
    .execute();
}

/** Retires a secret: erases its value and keeps its row. */
export async function retireCallbackSecret(tx: Tx, id: string, now: Instant): Promise<void> {
  await tx.updateTable('callback_secrets').set({ sealed: '', retiredAt: now }).where('id', '=', id).execute();
}
