import type { CivilDate } from '../../../shared/dates.ts';
import { MAX_CENTS } from '../../../shared/money.ts';
import type { Program } from '../../../shared/programs/program.ts';
import type { CartOptions, CreateCartRequest } from '../../../shared/wire/cart.ts';
import { type ApplicationProgress, findProgressOfCart } from '../../lending/applications/store.ts';
import { findProgramOn, findSoldProgram, getSoldProgram } from '../../lending/programs/programs.ts';
import type { Database, Query } from '../../db/database.ts';
import { ServiceError } from '../../base/errors.ts';
import { newId, newToken } from '../../base/ids.ts';
import type { ProgramOwner } from '../../lending/programs/store.ts';
import type { CallbackRules } from '../../messages/callback-address.ts';
import { type Instant, lastUsDate, plusDays, dateIn } from '../../base/time.ts';
import { type PageRules, requireCallbackUrl, requirePageUrls, withoutForeignUrls } from './redirect-urls.ts';
import { addCart, type Cart, getCart } from './store.ts';
import { cartTotals } from './totals.ts';

const DEFAULT_CREATED_BY = 'Merchant API';

/** Default number of days until a checkout link expires. */
const DEFAULT_CART_DAYS = 7;

/** `createdBy` of a cart that a shop page created with the API key alone (decisions/0025). */
export const CREATED_BY_PAGE = 'Storefront';

/** A cart with its program, which is undefined if it is no longer sold. */
export interface PricedCart {
  cart: Cart;
  program: Program | undefined;
  /** The state of its current application; undefined without one. */
  progress: ApplicationProgress | undefined;
}

/**
 * Stores a new cart with an unguessable checkout link.
 *
 * @param userId - The user of the console who creates it.
 * @param callbacks - The addresses that callbacks may be sent to.
 * @param page - The registration of the merchant's pages, if a page creates the cart: its URLs must be registered, and those of its
 *   items are dropped otherwise.
 * @throws ServiceError `invalid-request` - the expiration has passed, the total is out of range or below the tax, a URL is not
 *   registered, or callbacks cannot be sent to `callbackUrl`;
 *   `program-not-found` - neither the program of the request nor the default one is sold now.
 */
export async function createCart(
  database: Database,
  merchant: ProgramOwner,
  request: CreateCartRequest,
  now: Instant,
  { callbacks, page, userId }: { callbacks: CallbackRules; page?: PageRules; userId?: string },
): Promise<PricedCart> {
  const { cartName = request.cartName } = request.options;
  const { items } = request.options;
  const ownItems = page ? items?.map((item) => withoutForeignUrls(item, page.origins)) : items;
  const options: CartOptions = { ...request.options, cartName, items: ownItems };
  const id = newId();
  const code = newToken(16);
  requirePayable(options);
  if (page) requirePageUrls(options, page, callbacks);
  requireCallbackUrl(options, callbacks);

  // Undefined if an earlier run of the same request has stored the cart.
  let created: PricedCart | undefined;
  // Everything that depends on the time is inside the write. Its result is stored with an idempotency key, and therefore only an id.
  const cartId = await database.write(async (tx) => {
    const expiresOn = request.expiration ?? dateIn(plusDays(now, DEFAULT_CART_DAYS), 'UTC');
    requireFutureDay(expiresOn, lastUsDate(now));

    // Clients may send program ids of another provider; such a cart gets the default program (decisions/0003).
    const named = options.financingProgramId && (await findSoldProgram(tx, merchant.id, options.financingProgramId, now));
    const { programId, program } = named || (await getSoldProgram(tx, merchant, undefined, now));

    const cart: Cart = {
      id,
      merchantId: merchant.id,
      code,
      status: 'OPEN',
      createdBy: request.createdBy ?? options.createdBy ?? DEFAULT_CREATED_BY,
      expiresOn,
      programId,
      options,
      transactionId: null,
      userId: userId ?? null,
      openedAt: null,
      contactsDeletedAt: null,
      submissions: 0,
      createdAt: now,
    };
    await addCart(tx, cart, (options.billingContact ?? options.shippingContact)?.email);
    created = { cart, program, progress: undefined };
    return id;
  });
  return created ?? readCart(database.query, merchant.id, cartId, now);
}

/** @throws ServiceError `cart-not-found` */
export async function readCart(query: Query, merchantId: string, id: string, now: Instant): Promise<PricedCart> {
  const cart = await getCart(query, merchantId, id);
  const program = await findProgramOn(query, cart.programId, now);
  return { cart, program, progress: await findProgressOfCart(query, cart.id) };
}

/** Returns the status of a cart at an instant. An open cart expires when its last day has ended in every US time zone. */
export function cartStatusAt({ status, expiresOn }: Pick<Cart, 'status' | 'expiresOn'>, now: Instant): Cart['status'] {
  return status === 'OPEN' && expiresOn < lastUsDate(now) ? 'EXPIRED' : status;
}

function requireFutureDay(expiresOn: CivilDate, earliest: CivilDate): void {
  if (expiresOn < earliest) {
    throw new ServiceError(
      'invalid-request',
      `At path: expiration -- Expected ${earliest} or a later day, but received "${expiresOn}"`,
    );
  }
}

/** The total must be in range with each shipping option, and include the tax. */
function requirePayable(options: CartOptions): void {
  const { customTotal, tax } = options;
  if (customTotal !== undefined && (tax ?? 0) > customTotal) {
    throw new ServiceError(
      'invalid-request',
      `At path: options.tax -- Expected at most the \`customTotal\` of ${customTotal} cents, which includes it, but received ${tax}`,
    );
  }
  const choices = options.shippingOptions?.length ? options.shippingOptions : [undefined];
  const totals = choices.map((shipping) => cartTotals(options, shipping).totalCents);
  const invalid = totals.find((total) => total < 1 || total > MAX_CENTS);
  if (invalid !== undefined) {
    throw new ServiceError(
      'invalid-request',
      `At path: options -- Expected items, discounts, shipping and tax to add up to 1 to ${MAX_CENTS} cents, but received ${invalid}`,
    );
  }
}
