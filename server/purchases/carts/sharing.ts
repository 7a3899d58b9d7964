import { disclosureTexts } from '../../../shared/languages/index.ts';
import type { EmailCartRequest, TextCartRequest } from '../../../shared/wire/cart.ts';
import { findApplicationOfCart } from '../../lending/applications/store.ts';
import { quoteOf } from '../../lending/programs/as-low-as/quotes.ts';
import type { MessageLimits } from '../../base/config/config.ts';
import type { Database, Tx } from '../../db/database.ts';
import { ServiceError } from '../../base/errors.ts';
import { newId } from '../../base/ids.ts';
import { requireMerchant } from '../../merchants/store.ts';
import { type MailOptions, merchantInEmail } from '../../messages/buyer-email.ts';
import { requireWithinDay } from '../../messages/limits.ts';
import { enqueueMessage, type MessageHandling } from '../../messages/outbox.ts';
import { texts } from '../../base/texts.ts';
import type { Instant } from '../../base/time.ts';
import { cartStatusAt, readCart } from './carts.ts';
import { cartEmail, type CartMessage, textMessage } from './messages.ts';
import { optOutUrlOf } from './opt-out/link.ts';
import { hasOptedOut, linkRecipient } from './opt-out/store.ts';
import { checkoutUrl } from './present.ts';
import { cartTotals, preselectedShipping } from './totals.ts';

export interface SharingOptions {
  mail: MailOptions & { textHandling: MessageHandling };
  messageLimits: MessageLimits;
}

/**
 * Queues an e-mail with the checkout link.
 *
 * @throws ServiceError `cart-not-found`, `cart-closed`, `recipient-opted-out`, `rate-limited`, or `not-configured` - no SMTP server is
 *   configured.
 */
export async function emailCart(
  database: Database,
  merchantId: string,
  cartId: string,
  { email, name }: EmailCartRequest,
  { mail, messageLimits }: SharingOptions,
  now: Instant,
): Promise<void> {
  const id = newId();
  await database.write(async (tx) => {
    const cart = await cartMessage(tx, merchantId, cartId, mail, now);
    const row = { ...messageRow(id, merchantId, mail.handling, now), cartId, channel: 'email', to: email } as const;
    const recipient = await linkRecipient(tx, merchantId, email);
    if (await hasOptedOut(tx, recipient)) {
      throw new ServiceError(
        'recipient-opted-out',
        'At path: email -- Expected a recipient of your links, but received one who has opted out. Nothing was sent.',
      );
    }
    await requireWithinDay(tx, row, messageLimits.email, now);
    const optOutUrl = await optOutUrlOf(tx, mail.publicUrl, recipient, cart.language);
    await enqueueMessage(tx, { ...row, content: cartEmail(cart, name, optOutUrl) });
  });
}

/**
 * Queues a text message with the checkout link.
 *
 * @throws ServiceError `cart-not-found`, `cart-closed`, `rate-limited`, or `not-configured` - no text message service is configured.
 */
export async function textCart(
  database: Database,
  merchantId: string,
  cartId: string,
  { phone }: TextCartRequest,
  { mail, messageLimits }: SharingOptions,
  now: Instant,
): Promise<void> {
  const id = newId();
  await database.write(async (tx) => {
    const cart = await cartMessage(tx, merchantId, cartId, mail, now);
    const row = { ...messageRow(id, merchantId, mail.textHandling, now), cartId, channel: 'text', to: phone } as const;
    await requireWithinDay(tx, row, messageLimits.text, now);
    await enqueueMessage(tx, { ...row, content: { text: textMessage(cart.language, cart.merchantName, cart.url) } });
  });
}

function messageRow(id: string, merchantId: string, handling: MessageHandling, now: Instant) {
  if (handling === 'unavailable') throw new ServiceError('not-configured', 'This service is not set up to send such messages.');
  return { id, merchantId, handling, createdAt: now };
}

async function cartMessage(
  tx: Tx,
  merchantId: string,
  cartId: string,
  { publicUrl, operator }: MailOptions,
  now: Instant,
): Promise<CartMessage> {
  const { cart, program } = await readCart(tx, merchantId, cartId, now);
  const status = cartStatusAt(cart, now);
  if (status === 'COMPLETED') throw new ServiceError('cart-closed', 'Expected an open cart, but its checkout is completed.');
  if (status !== 'OPEN') throw new ServiceError('cart-closed', 'Expected an open cart, but it is expired.');
  if (!program) throw new ServiceError('cart-closed', 'Expected an open cart, but its financing program is no longer sold.');

  const merchant = await requireMerchant(tx, merchantId);
  const options = cart.options;
  const shipping = preselectedShipping(options);
  const { totalCents } = cartTotals(options, shipping);
  // A cart has no language. A buyer who has applied gets messages in the language of the application.
  const language = (await findApplicationOfCart(tx, cart.id))?.language ?? 'en';
  const example = totalCents > 0 ? quoteOf(program, totalCents, now, disclosureTexts[language]).asLowAs : undefined;
  return {
    language,
    merchantName: merchantInEmail(merchant.name, texts[language]),
    postalAddress: merchant.postalAddress,
    url: checkoutUrl(publicUrl, cart.code),
    lastDay: cart.expiresOn,
    totalCents,
    isBeforeShipping: options.customTotal === undefined && !shipping && (options.shippingOptions?.length ?? 0) > 0,
    currency: program.currency,
    asLowAs: example,
    contacts: { operator, lender: program.lender, merchant, publicUrl },
  };
}
