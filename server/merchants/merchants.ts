import { keysOf } from '../../shared/objects.ts';
import { parseUrl } from '../../shared/url.ts';
import { line, WebUrl } from '../../shared/wire/fields.ts';
import type { Actor } from '../base/actor.ts';
import type { Program } from '../../shared/programs/program.ts';
import { standardProgram } from '../lending/programs/standard-program.ts';
import { addProgram, addVersion } from '../lending/programs/store.ts';
import type { Database, Query, Tx } from '../db/database.ts';
import { invalidRequest, ServiceError } from '../base/errors.ts';
import { newId } from '../base/ids.ts';
import type { Mode } from '../base/mode.ts';
import type { Instant } from '../base/time.ts';
import { addSecurityEvents, newSecurityEvent } from './security-events.ts';
import { accentOf, type BrandPart, logoOf, supportOf, withoutParts } from './brand.ts';
import { newCallbackSecret } from './callback-secrets.ts';
import { keyIdOf, type KeyPair, newKeyPair, saveKeyPair } from './keys.ts';
import {
  addCallbacks,
  addCallbackSecret,
  addMerchant,
  addOrigins,
  addTenant,
  callbacksOf,
  findTenant,
  isRegisteredOrigin,
  lockMerchant,
  type Merchant,
  originsOf,
  removeCallbacks,
  removeOrigins,
  saveLogo,
  updateMerchant,
} from './store.ts';

export interface NewMerchant {
  name: string;
  /** Buyers return to it from a cart without other URLs. */
  storeUrl: string;
  /** Further origins that may use the button. The origin of the store is always registered. */
  origins: readonly string[];
  /** An existing tenant. By default, a new tenant is created. */
  tenantId?: string | undefined;
  /** The default program. By default, the standard program. */
  program?: Program;
}

export interface CreatedMerchant extends KeyPair {
  tenantId: string;
  merchantId: string;
}

/**
 * Creates a merchant with a key pair, the standard program and a callback secret. Only the returned value contains the secret of the
 * key pair.
 *
 * The standard program has no actual lender. In live mode it is retired, so that nothing is sold before a program is imported as the
 * default.
 *
 * @throws ServiceError `invalid-request` - an address is neither https nor, in the sandbox, http, or the tenant is unknown.
 */
export async function createMerchant(
  database: Database,
  mode: Mode,
  merchant: NewMerchant,
  now: Instant,
): Promise<CreatedMerchant> {
  requireName(merchant.name);
  const { program = standardProgram } = merchant;
  const ofPages = merchant.origins.map((origin) => pageOriginOf('origin', origin, mode));
  const origins = new Set([pageOriginOf('store-url', merchant.storeUrl, mode), ...ofPages]);
  const tenantId = merchant.tenantId ?? newId();
  const merchantId = newId();
  const programId = newId();
  const keyPair = newKeyPair(mode);
  const callbackSecret = newCallbackSecret(merchantId, now);
  const about = { actor: 'console', merchantId } as const;
  const events = [
    newSecurityEvent({ ...about, kind: 'merchant-created', tenantId, details: { origins: [...origins] } }, now),
    newSecurityEvent({ ...about, kind: 'key-created', details: { keyId: keyIdOf(keyPair.apiKey) } }, now),
    newSecurityEvent({ ...about, kind: 'callback-secret-created', details: { secretId: callbackSecret.id } }, now),
  ];

  await database.write(async (tx) => {
    if (merchant.tenantId === undefined) await addTenant(tx, { id: tenantId, name: merchant.name, createdAt: now });
    else if (!(await findTenant(tx, tenantId))) {
      throw invalidRequest('tenant', 'the id of a tenant', `"${tenantId}"`);
    }
    const { name, storeUrl } = merchant;
    const added = { id: merchantId, tenantId, name, storeUrl, defaultProgramId: programId, createdAt: now };
    await addMerchant(tx, added, [...origins]);
    await addProgram(tx, { id: programId, merchantId, code: program.id, createdAt: now });
    await addVersion(tx, programId, mode === 'live' ? { ...program, status: 'retired' } : program, now);
    await saveKeyPair(tx, keyPair, merchantId, now, 'console');
    await addCallbackSecret(tx, callbackSecret);
    await addSecurityEvents(tx, ...events);
  });
  return { tenantId, merchantId, ...keyPair };
}

/** Fields to change. Others remain as they are. */
export interface MerchantChange {
  name?: string | undefined;
  /** Its origin is registered. The origin of the previous URL remains registered until it is removed. */
  storeUrl?: string | undefined;
  /** The kind of goods that the merchant sells: `furniture`. */
  category?: string | undefined;
  /** `12 Elm Street, Springfield, IL 62701`. Empty: removes it. */
  postalAddress?: string | undefined;
  addOrigins?: readonly string[];
  removeOrigins?: readonly string[];
  /** Callback URLs that pages may name. */
  addCallbacks?: readonly string[];
  removeCallbacks?: readonly string[];
  /** Content of a PNG, JPEG or WebP file. */
  logo?: Buffer | undefined;
  /** `#0b5d4e` */
  accent?: string | undefined;
  /** E-mail address, phone number and https URL, recognized by their form. */
  support?: readonly string[];
  removeBrand?: readonly BrandPart[];
}

/** A merchant with what is registered for its pages. */
export type RegisteredMerchant = Merchant & { origins: string[]; callbacks: string[] };

/**
 * Changes a merchant's name, address, brand, registered origins or registered callback URLs. Removes before it adds others.
 *
 * @returns The merchant with its origins and callback URLs after the change.
 * @throws ServiceError `invalid-request` - the merchant is unknown, an address is neither https nor, in the sandbox, http, an origin or
 *   callback URL to remove is not registered, an origin to remove is that of the store, or a part of the brand is invalid.
 */
export async function changeMerchant(
  database: Database,
  mode: Mode,
  merchantId: string,
  { name, storeUrl, category, postalAddress, ...change }: MerchantChange,
  now: Instant,
  actor: Actor = 'console',
): Promise<RegisteredMerchant> {
  if (name !== undefined) requireName(name);
  if (category !== undefined) requireCategory(category);
  if (postalAddress !== undefined && !isPostalAddress(postalAddress)) {
    throw invalidRequest('postal-address', POSTAL_ADDRESS, JSON.stringify(postalAddress.slice(0, 100)));
  }
  const addedOrigins = (change.addOrigins ?? []).map((origin) => pageOriginOf('add-origin', origin, mode));
  const removedOrigins = (change.removeOrigins ?? []).map((origin) => originOf('remove-origin', origin));
  const addedCallbacks = (change.addCallbacks ?? []).map((url) => callbackOf('add-callback', url));
  const removedCallbacks = (change.removeCallbacks ?? []).map((url) => callbackOf('remove-callback', url));
  const storeOrigin = storeUrl === undefined ? undefined : pageOriginOf('store-url', storeUrl, mode);

  const logo = change.logo && logoOf(change.logo);
  const brand = {
    ...withoutParts(change.removeBrand ?? []),
    ...(logo && { logo: logo.name }),
    ...(change.accent !== undefined && { accent: accentOf(change.accent) }),
    ...supportOf(change.support ?? []),
  };
  const fields = { name, storeUrl, category, postalAddress };
  const changed = [...keysOf(fields).filter((field) => fields[field] !== undefined), ...keysOf(brand)];
  const registered = storeOrigin === undefined ? addedOrigins : [storeOrigin, ...addedOrigins];
  const callbackDetails = addedCallbacks.length + removedCallbacks.length > 0 && { addedCallbacks, removedCallbacks };
  const details = { changed, addedOrigins: registered, removedOrigins, ...callbackDetails };
  const event = newSecurityEvent({ kind: 'merchant-changed', actor, merchantId, details }, now);

  return database.write(async (tx) => {
    await lockMerchant(tx, merchantId);
    const merchant = await updateMerchant(tx, merchantId, { ...fields, ...brand });
    const before = await originsOf(tx, merchantId);
    for (const origin of removedOrigins) {
      if (!before.includes(origin)) throw notRemovable('remove-origin', 'a registered origin', before, origin);
      if (origin === originOf('store-url', merchant.storeUrl)) {
        throw notRemovable('remove-origin', `an origin other than that of the store-url ${merchant.storeUrl}`, before, origin);
      }
    }
    const callbacksBefore = await callbacksOf(tx, merchantId);
    for (const url of removedCallbacks) {
      if (!callbacksBefore.includes(url))
        throw notRemovable('remove-callback', 'a registered callback URL', callbacksBefore, url);
    }
    if (brand.logo !== undefined) await saveLogo(tx, merchantId, logo ?? null);
    await removeOrigins(tx, merchantId, removedOrigins);
    await addOrigins(tx, merchantId, registered);
    await removeCallbacks(tx, merchantId, removedCallbacks);
    await addCallbacks(tx, merchantId, addedCallbacks);
    await addSecurityEvents(tx, event);
    return { ...merchant, origins: await originsOf(tx, merchantId), callbacks: await callbacksOf(tx, merchantId) };
  });
}

/**
 * Changes the sum of refunds above which a second person must approve in the console. Null: no approval is required. Locks the merchant, and
 * returns it before and after the change.
 *
 * @throws ServiceError `invalid-request` - the merchant is unknown.
 */
export async function changeRefundApproval(
  tx: Tx,
  merchantId: string,
  refundApprovalCents: number | null,
  now: Instant,
  actor: Actor = 'console',
): Promise<{ before: Merchant; after: Merchant }> {
  const before = await lockMerchant(tx, merchantId);
  const after = await updateMerchant(tx, merchantId, { refundApprovalCents });
  const textOf = (merchant: Merchant) => String(merchant.refundApprovalCents ?? 'none');
  const details = { changed: [], addedOrigins: [], removedOrigins: [], before: textOf(before), after: textOf(after) };
  await addSecurityEvents(tx, newSecurityEvent({ kind: 'refund-approval-changed', actor, merchantId, details }, now));
  return { before, after };
}

/** @throws ServiceError `invalid-request` */
function requireCategory(category: string): void {
  if (line(100).is(category.trim())) return;
  throw new ServiceError('invalid-request', 'category: expected one line of at most 100 characters, such as "furniture"');
}

const POSTAL_ADDRESS = 'one line of at most 200 characters, such as "12 Elm Street, Springfield, IL 62701", or nothing';

/** Returns true for a postal address on one line, which has the number of a house or a box, or for an empty text. */
export function isPostalAddress(text: string): boolean {
  return text === '' || (line(200).is(text) && /\d/.test(text));
}

function notRemovable(option: string, expected: string, registered: readonly string[], received: string): ServiceError {
  return invalidRequest(option, `${expected} (registered: ${registered.join(', ')})`, `"${received}"`, 'not-removable');
}

/** Returns true for the address of a page that leads to the checkout, which a live service requires to be https. */
export function isPageAddress(address: string, mode: Mode): boolean {
  const url = webAddress(address);
  return url !== undefined && (mode === 'sandbox' || url.protocol === 'https:');
}

function pageOriginOf(option: string, address: string, mode: Mode): string {
  const origin = originOf(option, address);
  if (isPageAddress(address, mode)) return origin;
  throw invalidRequest(option, 'an https address in live mode', JSON.stringify(address.slice(0, 100)));
}

function originOf(option: string, address: string): string {
  return addressOf(option, address).origin;
}

function callbackOf(option: string, address: string): string {
  return normalizedCallback(addressOf(option, address).href)!;
}

function addressOf(option: string, address: string): URL {
  const url = webAddress(address);
  if (url) return url;
  throw invalidRequest(option, 'an http or https address without a user name', JSON.stringify(address.slice(0, 100)));
}

function webAddress(address: string): URL | undefined {
  const url = WebUrl.is(address) ? new URL(address) : undefined;
  return url?.username === '' && url.password === '' ? url : undefined;
}

/** Returns a callback URL as it is registered: parsed, and without a fragment, which is not sent. Undefined if it cannot be parsed. */
export function normalizedCallback(address: string): string | undefined {
  const url = parseUrl(address);
  if (url) url.hash = '';
  return url?.href;
}

function requireName(name: string): void {
  const [error] = line(MAX_NAME, 1).validate(name);
  if (error) throw new ServiceError('invalid-request', `name: ${error.message}`);
}

const MAX_NAME = 200;

/** Origins on a developer's machine, as in a content security policy. They are registered for every merchant of a sandbox. */
const LOCAL_ORIGINS = ['localhost', '127.0.0.1', '[::1]'].flatMap((host) => [`http://${host}:*`, `https://${host}:*`]);

/** Returns the origins that may use a merchant's API key, frame its checkout and receive its messages. `:*` is any port. */
export async function pageOriginsOf(query: Query, merchantId: string, mode: Mode): Promise<string[]> {
  return withLocalOrigins(await originsOf(query, merchantId), mode);
}

/** Adds the origins of a developer's machine in a sandbox. */
export function withLocalOrigins(registered: readonly string[], mode: Mode): string[] {
  return mode === 'sandbox' ? [...registered, ...LOCAL_ORIGINS] : [...registered];
}

/** Returns true if the value of an `Origin` header is one of `origins`. */
export function matchesOrigin(origin: string, origins: readonly string[]): boolean {
  return origins.includes(origin) || origins.includes(origin.replace(/(:\d+)?$/, ':*'));
}

/** Returns true if any merchant has registered the origin. */
export async function isKnownOrigin(query: Query, origin: string, mode: Mode): Promise<boolean> {
  return matchesOrigin(origin, withLocalOrigins([], mode)) || isRegisteredOrigin(query, origin);
}
