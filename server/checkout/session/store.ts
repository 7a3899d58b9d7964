import { createSecretKey, type KeyObject } from 'node:crypto';
import { sql } from 'kysely';
import { type Application, findApplicationOfCart, openApplication } from '../../lending/applications/store.ts';
import { type Cart, openCart } from '../../purchases/carts/store.ts';
import type { Query, Tx } from '../../db/database.ts';
import { prepared } from '../../db/prepared.ts';
import { unseal } from '../../db/sealed.ts';
import { hashOfCode, isCode, isId } from '../../base/ids.ts';
import type { MerchantWithOrigins } from '../../merchants/store.ts';

/** Returns the key of the form tokens, from which others are derived. All processes on this database share it. */
export async function getServiceKey(query: Query): Promise<KeyObject> {
  const row = await query.selectFrom('form_keys').selectAll().executeTakeFirstOrThrow();
  // A key object does not print its bytes.
  return createSecretKey(Buffer.from(unseal(query, 'form_keys', row), 'base64url'));
}

export interface CheckoutRows {
  cart: Cart;
  merchant: MerchantWithOrigins;
  /** The latest version of the cart's program. */
  latestVersion: number;
  /** The current application of the cart, or the one that was named. */
  application: Application | undefined;
}

/** Returns the checkout of a cart's link. */
export async function findCheckoutByCode(query: Query, code: string): Promise<CheckoutRows | undefined> {
  const [row] = isCode(code) ? await checkoutByCode(query, hashOfCode(code)) : [];
  return row && openRows(query, row);
}

export async function findCheckoutOfCart(query: Query, merchantId: string, cartId: string): Promise<CheckoutRows | undefined> {
  const [row] = isId(cartId) ? await checkoutOfCart(query, merchantId, cartId) : [];
  return row && openRows(query, row);
}

/** Returns the checkout of an application, which may be superseded. */
export async function findCheckout(query: Query, applicationId: string): Promise<CheckoutRows | undefined> {
  const [row] = await checkoutOfApplication(query, applicationId);
  return row && openRows(query, row);
}

/**
 * Returns the checkout of an application, and locks its cart and the application until the database transaction ends.
 *
 * On PostgreSQL, a statement that has waited for a lock reads the latest version of the rows that it locks (decisions/0033).
 */
export async function lockCheckout(tx: Tx, cartId: string, applicationId: string): Promise<CheckoutRows | undefined> {
  const [row] = await checkoutForUpdate(tx, cartId, applicationId);
  return row && openRows(tx, row);
}

/**
 * Returns the checkout of a cart's link, and locks the cart with all its applications until the database transaction ends.
 *
 * The lock is a separate statement, so that under READ COMMITTED the read after it includes the commits of the previous lock holder.
 */
export async function lockCheckoutByCode(tx: Tx, code: string): Promise<CheckoutRows | undefined> {
  const [row] = isCode(code) ? await linkForUpdate(tx, hashOfCode(code)) : [];
  return row && { ...openLink(tx, row), application: await findApplicationOfCart(tx, row.idOfCart) };
}

/** The columns of a cart and its merchant. Those that an application also has are renamed. */
const columns = [
  'carts.id as idOfCart',
  'carts.merchantId as merchantOfCart',
  'carts.codeHash',
  'carts.status as statusOfCart',
  'carts.createdByHash',
  'carts.emailHash as emailHashOfCart',
  'carts.orderRef',
  'carts.expiresOn',
  'carts.expiryDueOn',
  'carts.programId as programOfCart',
  'carts.transactionId',
  'carts.userId',
  'carts.openedAt',
  'carts.contactsDeletedAt',
  'carts.submissions',
  'carts.createdAt as createdAtOfCart',
  'carts.sealed as sealedOfCart',
  'merchants.tenantId as tenantOfMerchant',
  'merchants.name',
  'merchants.storeUrl',
  'merchants.defaultProgramId',
  'merchants.logo',
  'merchants.accent',
  'merchants.supportEmail',
  'merchants.supportPhone',
  'merchants.supportUrl',
  'merchants.category',
  'merchants.refundApprovalCents',
  'merchants.createdAt as createdAtOfMerchant',
] as const;

const latestVersion = sql<number>`(select max(version) from program_versions where program_id = carts.program_id)`;
/** Separated by spaces, which an origin does not contain. */
const origins = sql<string | null>`(
  select string_agg(origin, ' ' order by origin) from merchant_origins where merchant_id = merchants.id)`;

function links(query: Query) {
  return query
    .selectFrom('carts')
    .innerJoin('merchants', 'merchants.id', 'carts.merchantId')
    .select([...columns, latestVersion.as('latestVersion'), origins.as('origins')]);
}

function currentCheckouts(query: Query) {
  return links(query)
    .leftJoin('applications', (join) =>
      join.onRef('applications.cartId', '=', 'carts.id').on('applications.supersededAt', 'is', null),
    )
    .selectAll('applications');
}

function checkouts(query: Query) {
  return links(query).innerJoin('applications', 'applications.cartId', 'carts.id').selectAll('applications');
}

const linkForUpdate = prepared((query, hash: string) => links(query).where('carts.codeHash', '=', hash).forUpdate('carts'));
const checkoutByCode = prepared((query, hash: string) => currentCheckouts(query).where('carts.codeHash', '=', hash));
const checkoutOfCart = prepared((query, merchantId: string, id: string) =>
  currentCheckouts(query).where('carts.id', '=', id).where('carts.merchantId', '=', merchantId),
);
const checkoutOfApplication = prepared((query, id: string) => checkouts(query).where('applications.id', '=', id));
const checkoutForUpdate = prepared((query, cartId: string, id: string) =>
  checkouts(query).where('carts.id', '=', cartId).where('applications.id', '=', id).forUpdate(['carts', 'applications']),
);

type LinkRow = Awaited<ReturnType<typeof linkForUpdate>>[number];
type CurrentRow = Awaited<ReturnType<typeof checkoutByCode>>[number];
type CheckoutRow = Awaited<ReturnType<typeof checkoutForUpdate>>[number];

function openLink(query: Query, row: LinkRow): Omit<CheckoutRows, 'application'> {
  const cart = openCart(query, {
    id: row.idOfCart,
    merchantId: row.merchantOfCart,
    codeHash: row.codeHash,
    status: row.statusOfCart,
    createdByHash: row.createdByHash,
    emailHash: row.emailHashOfCart,
    orderRef: row.orderRef,
    expiresOn: row.expiresOn,
    expiryDueOn: row.expiryDueOn,
    programId: row.programOfCart,
    transactionId: row.transactionId,
    contactsDeletedAt: row.contactsDeletedAt,
    submissions: row.submissions,
    userId: row.userId,
    openedAt: row.openedAt,
    createdAt: row.createdAtOfCart,
    sealed: row.sealedOfCart,
  });
  const merchant = {
    id: row.merchantOfCart,
    tenantId: row.tenantOfMerchant,
    name: row.name,
    storeUrl: row.storeUrl,
    defaultProgramId: row.defaultProgramId,
    logo: row.logo,
    accent: row.accent,
    supportEmail: row.supportEmail,
    supportPhone: row.supportPhone,
    supportUrl: row.supportUrl,
    category: row.category,
    refundApprovalCents: row.refundApprovalCents,
    createdAt: row.createdAtOfMerchant,
    origins: row.origins?.split(' ') ?? [],
  };
  return { cart, merchant, latestVersion: row.latestVersion };
}

function openRows(query: Query, row: CurrentRow): CheckoutRows {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the columns of a left join are all null, or none
  const application = row.id === null ? undefined : openApplication(query, row as CheckoutRow);
  return { ...openLink(query, row), application };
}
