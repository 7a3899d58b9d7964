import { parsedUrl } from '../../../shared/url.ts';
import type { CartItem, CartOptions } from '../../../shared/wire/cart.ts';

/** A page of more items costs too much to make. */
const MAX_ITEMS = 50;

/** More hosts make the content security policy too long for proxies in between. */
const MAX_IMAGE_ORIGINS = 20;

/** The part of a cart's items that a page of the checkout shows. */
export interface ShownItems {
  /** The first items. `image` is their picture, or `hidden` where it is on a host that the page may not load from. */
  items: (CartItem & { image: { url: string } | 'hidden' | undefined })[];
  /** The others: how many lines they are, and what they cost together. */
  more: { count: number; cents: number } | undefined;
  /** Where the pictures are loaded from. */
  imageOrigins: readonly string[];
}

/** Folds the items of a cart: whatever it holds, a page has a limited number of items and of hosts that it loads pictures from. */
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
 * Returns the origin of a web address as it may stand in a content security policy. Undefined for anything else, and for host names
 * with semicolons or stars, which mean something in a policy.
 */
export function originInPolicy(address: string): string | undefined {
  const origin = parsedUrl(address)?.origin ?? '';
  return /^https?:\/\/[a-z0-9.:[\]-]+$/.test(origin) ? origin : undefined;
}
