import { parsedUrl } from '../../../shared/url.ts';
import type { CartItem, CartOptions } from '../../../shared/wire/cart.ts';

/** Limits the cost of rendering a page. */
const MAX_ITEMS = 50;

/** Limits the length of the content security policy, which proxies restrict. */
const MAX_IMAGE_ORIGINS = 20;

/** The items of a cart as the pages show them. */
export interface ShownItems {
  /** The first items. `image` is `hidden` if the page must not load pictures from its host. */
  items: (CartItem & { image: { url: string } | 'hidden' | undefined })[];
  /** Number and cost of the other items. */
  more: { count: number; cents: number } | undefined;
  /** Origins of the pictures. */
  imageOrigins: readonly string[];
}

/** Limits the items and the picture hosts of a page, for carts of any size. */
export function shownItems({ items = [] }: Pick<CartOptions, 'items'>): ShownItems {
  const [shown, others] = [items.slice(0, MAX_ITEMS), items.slice(MAX_ITEMS)];
  const origins = shown.map(({ imageUrl }) => originInPolicy(imageUrl));
  const imageOrigins = new Set([...new Set(origins.filter((origin) => origin !== undefined))].slice(0, MAX_IMAGE_ORIGINS));
  return {
    items: shown.map((item, index) => ({ ...item, image: imageOf(item, imageOrigins.has(origins[index]!)) })),
    more: others.length > 0 ? { count: others.length, cents: costOf(others) } : undefined,
    imageOrigins: [...imageOrigins],
  };
}

function imageOf({ imageUrl }: CartItem, isLoaded: boolean): ShownItems['items'][number]['image'] {
  if (!/^https?:/i.test(imageUrl)) return undefined;
  return isLoaded ? { url: imageUrl } : 'hidden';
}

function costOf(items: readonly CartItem[]): number {
  return items.reduce((cents, { price, quantity }) => cents + price * quantity, 0);
}

/**
 * Returns the origin of a URL for a content security policy. Undefined for anything but http and https, and for host names with
 * semicolons or asterisks, which have a meaning in a policy.
 */
export function originInPolicy(address: string): string | undefined {
  const origin = parsedUrl(address)?.origin ?? '';
  return /^https?:\/\/[a-z0-9.:[\]-]+$/.test(origin) ? origin : undefined;
}
