import { createHash } from 'node:crypto';
import { Email } from '../../shared/wire/contact-fields.ts';
import { WebUrl } from '../../shared/wire/fields.ts';
import { invalidRequest } from '../base/errors.ts';
import type { MerchantLogoTable, MerchantTable } from '../db/schema.ts';
import { pictureIn } from './picture.ts';

/** The merchant's logo, accent color and contacts on checkout pages and in e-mails. Null: not set. */
export type Brand = Pick<MerchantTable, 'logo' | 'accent' | 'supportEmail' | 'supportPhone' | 'supportUrl'>;

/** Parts of a brand that can be removed. */
export const BRAND_PARTS = ['logo', 'accent', 'support'] as const;
export type BrandPart = (typeof BRAND_PARTS)[number] | (typeof KINDS)[number][0];

/** A picture, named after the hash of its content: `9f86d081884c7d659a2feaa0c55ad015.png` */
export type Logo = Omit<MerchantLogoTable, 'merchantId'>;

/** The accent color of the service, for merchants without one. */
export const DEFAULT_ACCENT = '#0b5d4e';

export const MAX_LOGO_BYTES = 65_536;

/** A small file can have so many that a browser needs gigabytes to show it. */
const MAX_LOGO_PIXELS = 4_000_000;

/** Returns the path of a logo on this service. */
export function logoPath(name: string): string {
  return `/brand/logo/${name}`;
}

/** Returns the path of the style sheet of an accent color. */
export function accentPath(accent: string): string {
  return `/brand/accent/${accent.slice(1)}.css`;
}

/** Returns true if a file can be a logo. SVG is not accepted, because it can contain scripts. */
export function isLogo(bytes: Buffer): boolean {
  const picture = bytes.length <= MAX_LOGO_BYTES ? pictureIn(bytes) : undefined;
  return picture !== undefined && picture.width * picture.height <= MAX_LOGO_PIXELS;
}

/** Returns true for a color such as `#0b5d4e`. */
export function isAccent(color: string): boolean {
  return /^#[\da-f]{6}$/i.test(color);
}

/** @throws ServiceError `invalid-request` - the file is too large, not a PNG, JPEG or WebP picture, or has too many pixels. */
export function logoOf(bytes: Buffer): Logo {
  if (bytes.length > MAX_LOGO_BYTES) {
    throw invalidRequest('logo', `a picture of at most ${MAX_LOGO_BYTES} bytes`, 'a larger one');
  }
  const picture = pictureIn(bytes);
  if (!picture) throw invalidRequest('logo', 'a complete PNG, JPEG or WebP picture', 'another file');
  const { extension, width, height } = picture;
  if (width * height > MAX_LOGO_PIXELS) {
    throw invalidRequest('logo', `a picture of at most ${MAX_LOGO_PIXELS} pixels`, `${width} × ${height}`);
  }
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 32);
  return { name: `${hash}.${extension}`, base64: bytes.toString('base64') };
}

/** @throws ServiceError `invalid-request` */
export function accentOf(color: string): string {
  if (!isAccent(color)) throw invalidRequest('accent', 'a color such as "#0b5d4e"', JSON.stringify(color.slice(0, 40)));
  return color.toLowerCase();
}

/** Returns the fields of support contacts, recognized by their form. @throws ServiceError `invalid-request` */
export function supportOf(contacts: readonly string[]): Partial<Brand> {
  const support: Partial<Brand> = {};
  for (const contact of contacts.map((each) => each.trim())) {
    const field = KINDS.find(([, isOfKind]) => isOfKind(contact))?.[0];
    if (!field)
      throw invalidRequest('support', 'an e-mail address, a phone number or an https URL', JSON.stringify(contact.slice(0, 100)));
    if (support[field] !== undefined) throw invalidRequest('support', 'one contact of each kind', JSON.stringify(contact));
    support[field] = contact;
  }
  return support;
}

/** For display: `1-800-555-0100`, `(800) 555-0100`. */
const PHONE = /^[+(]?\d[\d ().-]{5,37}\d$/;
const MAX_URL_LENGTH = 200;
const KINDS: ['supportEmail' | 'supportPhone' | 'supportUrl', (contact: string) => boolean][] = [
  ['supportEmail', (contact) => Email.is(contact)],
  ['supportPhone', (contact) => PHONE.test(contact)],
  ['supportUrl', (contact) => contact.startsWith('https:') && contact.length <= MAX_URL_LENGTH && WebUrl.is(contact)],
];

/** Returns true if a text can be the contact of this field. */
export function isSupportContact(field: (typeof KINDS)[number][0], contact: string): boolean {
  return KINDS.some(([name, isOfKind]) => name === field && isOfKind(contact));
}

/** Returns the contacts that are set. */
export function supportContacts({ supportEmail, supportPhone, supportUrl }: Brand): string[] {
  return [supportEmail, supportPhone, supportUrl].filter((contact) => contact !== null);
}

/** Returns the fields that are cleared with parts of a brand. */
export function withoutParts(parts: readonly BrandPart[]): Partial<Brand> {
  return Object.assign({}, ...parts.map((part) => CLEARED[part]));
}

const CLEARED: Record<BrandPart, Partial<Brand>> = {
  logo: { logo: null },
  accent: { accent: null },
  support: { supportEmail: null, supportPhone: null, supportUrl: null },
  supportEmail: { supportEmail: null },
  supportPhone: { supportPhone: null },
  supportUrl: { supportUrl: null },
};
