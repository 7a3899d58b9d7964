import { languages } from '../../shared/disclosure/languages.ts';
import type { EmailCartRequest, TextCartRequest } from '../../shared/wire/cart.ts';
import { findApplicationOfCart } from '../applications/store.ts';
import { quoteOf } from '../as-low-as/quotes.ts';
import type { Database, Tx } from '../db/database.ts';
import { ServiceError } from '../errors.ts';
import { newId } from '../ids.ts';
import type { MerchantRow } from '../merchants/store.ts';
import { enqueueMessage, type Outlet } from '../notifications/outbox.ts';
import { dateOf, type Instant } from '../time.ts';
import { optionsOf, readCart } from './carts.ts';
import { cartEmail, type CartToShare } from './email.ts';
import { cartStateAt } from './lifecycle.ts';
import { checkoutUrl } from './present.ts';
import { textMessage } from './text-message.ts';
import { cartTotals, preselectedShipping } from './totals.ts';

/** What sharing takes beside the request. */
export interface Sharing {
  /** Where buyers reach the service, without a slash at the end. */
  publicUrl: string;
  /** What becomes of the message. */
  outlet: Outlet;
  now: Instant;
}

/**
 * Promises an e-mail with the cart's link. It leaves afterwards.
 *
 * @throws ServiceError `cart-not-found`, `cart-closed`, or `not-configured` - this service has no server for e-mails.
 */
export async function emailCart(
  database: Database,
  merchant: MerchantRow,
  cartId: string,
  { email, name }: EmailCartRequest,
  sharing: Sharing,
): Promise<void> {
  const id = newId();
  await database.write(async (tx) => {
    const cart = await cartToShare(tx, merchant, cartId, sharing);
    const content = { name, ...cartEmail(cart, name) };
    await enqueueMessage(tx, { ...promise(id, merchant, sharing), channel: 'email', to: email, content });
  });
}

/**
 * Promises a text message with the cart's link. It leaves afterwards.
 *
 * @throws ServiceError `cart-not-found`, `cart-closed`, or `not-configured` - this service has no way to send texts.
 */
export async function textCart(
  database: Database,
  merchant: MerchantRow,
  cartId: string,
  { phone }: TextCartRequest,
  sharing: Sharing,
): Promise<void> {
  const id = newId();
  await database.write(async (tx) => {
    const cart = await cartToShare(tx, merchant, cartId, sharing);
    const content = { text: textMessage(cart.merchantName, cart.url) };
    await enqueueMessage(tx, { ...promise(id, merchant, sharing), channel: 'text', to: phone, content });
  });
}

function promise(id: string, { id: merchantId }: MerchantRow, { outlet, now }: Sharing) {
  if (outlet === 'refused') throw new ServiceError('not-configured', 'This service is not set up to send such messages.');
  return { id, merchantId, outlet, createdAt: now };
}

async function cartToShare(tx: Tx, merchant: MerchantRow, cartId: string, { publicUrl, now }: Sharing): Promise<CartToShare> {
  const { cart, program } = await readCart(tx, merchant, cartId, now);
  const state = cartStateAt(cart, now);
  if (state === 'COMPLETED') throw new ServiceError('cart-closed', 'The cart has been bought, and cannot be bought again.');
  if (state !== 'OPEN') throw new ServiceError('cart-closed', 'The cart is expired; its link leads nowhere.');
  if (!program) throw new ServiceError('cart-closed', 'The financing program of the cart has ended; its link leads nowhere.');

  const options = optionsOf(cart);
  const shipping = preselectedShipping(options);
  const { totalCents } = cartTotals(options, shipping);
  // The interface has no language for a cart: a buyer who has applied gets theirs.
  const language = (await findApplicationOfCart(tx, cart.id))?.language ?? 'en';
  const price = totalCents > 0 ? quoteOf(program, totalCents, dateOf(now), languages[language]).asLowAs : undefined;
  return {
    language,
    merchantName: merchant.name,
    url: checkoutUrl(publicUrl, cart.code),
    lastDay: cart.expires_on,
    totalCents,
    isBeforeShipping: options.customTotal === undefined && !shipping && (options.shippingOptions?.length ?? 0) > 0,
    currency: program.currency,
    asLowAs: price,
  };
}
