import { MAX_CENTS } from '../../shared/money.ts';
import type { Program } from '../../shared/programs/program.ts';
import type { CartOptions, CreateCartRequest } from '../../shared/wire/cart.ts';
import { findProgramOn, findSoldProgram, getSoldProgram } from '../as-low-as/programs.ts';
import type { Database, Query } from '../db/database.ts';
import { ServiceError } from '../errors.ts';
import { newId, newToken } from '../ids.ts';
import type { MerchantRow } from '../merchants/store.ts';
import { dateOf, type Instant, lastUsDate, plusDays } from '../time.ts';
import { DEFAULT_CART_DAYS } from './lifecycle.ts';
import { refuseForeignAddresses } from './redirect-urls.ts';
import { addCart, type CartRow, getCart } from './store.ts';
import { cartTotals } from './totals.ts';

const DEFAULT_CREATED_BY = 'Merchant API';

/** Who made a cart that was opened from a page, with the public half of a key (decisions/0025). */
export const CREATED_BY_PAGE = 'Storefront';

/** A cart and the program its prices come from, which may have ended since. */
export interface PricedCart {
  cart: CartRow;
  program: Program | undefined;
}

/**
 * Stores a new cart with an unguessable checkout link.
 *
 * @param onlyOrigins - The merchant's registered origins, for a cart that comes from a page with the public half of a key: it may
 *   lead nowhere else. Left out, the merchant's own server says where.
 * @throws ServiceError `invalid-request` - the last day has passed, the costs add up to nothing that can be paid, or it leads
 *   elsewhere; `program-not-found` - neither the program it names nor the default one is sold today.
 */
export async function createCart(
  database: Database,
  merchant: MerchantRow,
  request: CreateCartRequest,
  now: Instant,
  { onlyOrigins }: { onlyOrigins?: readonly string[] } = {},
): Promise<PricedCart> {
  const { cartName = request.cartName } = request.options;
  const options: CartOptions = { ...request.options, cartName };
  const today = dateOf(now);
  const [id, code] = [newId(), newToken(16)];
  refuseUnpayable(options);
  if (onlyOrigins) refuseForeignAddresses(options, onlyOrigins);

  // Within the write, and so part of what an idempotency key remembers, is all that another day may answer otherwise.
  return database.write(async (tx) => {
    const expiresOn = request.expiration ?? dateOf(plusDays(now, DEFAULT_CART_DAYS));
    refusePastDay(expiresOn, lastUsDate(now));

    // Clients send program ids of their former provider along; such a cart gets the default program (decisions/0003).
    const named = options.financingProgramId && (await findSoldProgram(tx, merchant.id, options.financingProgramId, today));
    const { programId, program } = named || (await getSoldProgram(tx, merchant, undefined, today));

    const cart: CartRow = {
      id,
      merchant_id: merchant.id,
      code,
      status: 'OPEN',
      created_by: request.createdBy ?? options.createdBy ?? DEFAULT_CREATED_BY,
      expires_on: expiresOn,
      program_id: programId,
      options_json: JSON.stringify(options),
      transaction_id: null,
      created_at: now,
    };
    await addCart(tx, cart);
    return { cart, program };
  });
}

/** @throws ServiceError `cart-not-found` */
export async function readCart(query: Query, merchant: MerchantRow, id: string, now: Instant): Promise<PricedCart> {
  const cart = await getCart(query, merchant.id, id);
  return { cart, program: await findProgramOn(query, cart.program_id, dateOf(now)) };
}

export function optionsOf(cart: CartRow): CartOptions {
  return JSON.parse(cart.options_json) as CartOptions;
}

function refusePastDay(expiresOn: string, earliest: string): void {
  if (expiresOn < earliest) {
    throw new ServiceError(
      'invalid-request',
      `At path: expiration -- Expected ${earliest} or a later day, but received "${expiresOn}"`,
    );
  }
}

/** Whichever way of shipping the buyer picks, something must be left to pay, and no more than we can count. */
function refuseUnpayable(options: CartOptions): void {
  const choices = options.shippingOptions?.length ? options.shippingOptions : [undefined];
  const totals = choices.map((shipping) => cartTotals(options, shipping).totalCents);
  const offending = totals.find((total) => total < 1 || total > MAX_CENTS);
  if (offending !== undefined) {
    throw new ServiceError(
      'invalid-request',
      `At path: options -- Expected items, discounts, shipping and tax to add up to 1 to ${MAX_CENTS} cents, but received ${offending}`,
    );
  }
}
