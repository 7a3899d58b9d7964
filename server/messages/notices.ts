import { createHash, createHmac, createSecretKey, hkdfSync, type KeyObject, timingSafeEqual } from 'node:crypto';
import type { Language } from '../../shared/languages/index.ts';
import { NOTICE_KINDS, type NoticeKind } from '../lending/lenders/events.ts';

/** Days after which a notice behind a link is reported to the lender as not opened. */
export const OPENING_DAYS = 7;

/** A notice that an e-mail contains or links to. */
export interface NewNotice {
  kinds: readonly NoticeKind[];
  language: Language;
  /** SHA-256 of the HTML in UTF-8, hexadecimal. */
  sha256: string;
  /** Omitted if it is the HTML of the e-mail, or the signed agreement. */
  html?: string;
}

const SEPARATOR = ' ';

/** Returns the kinds of a notice as they are stored: `approval score-disclosure`. */
export function joinKinds(kinds: readonly NoticeKind[]): string {
  return kinds.join(SEPARATOR);
}

/** Returns the kinds of a stored notice. */
export function kindsIn(joined: string): NoticeKind[] {
  const stored = joined.split(SEPARATOR);
  return NOTICE_KINDS.filter((kind) => stored.includes(kind));
}

export function htmlHash(html: string): string {
  return createHash('sha256').update(html).digest('hex');
}

/** Derives the key of the links to notices from the key of form tokens. RFC 5869. */
export function noticeKeyOf(serviceKey: KeyObject): KeyObject {
  return createSecretKey(Buffer.from(hkdfSync('sha256', serviceKey, '', 'notice links', 32)));
}

const ID_BYTES = 16;
/** 128 bits. */
const MAC_BYTES = 16;

function macOf(key: KeyObject, id: Buffer): Buffer {
  return createHmac('sha256', key).update(id).digest().subarray(0, MAC_BYTES);
}

/** Returns the address of a notice. Its token has the id of the notice and a code that cannot be guessed. */
export function noticeUrl(
  { publicUrl, noticeKey }: { publicUrl: string; noticeKey: KeyObject },
  id: string,
  language: Language,
): string {
  const bytes = Buffer.from(id.replaceAll('-', ''), 'hex');
  const token = Buffer.concat([bytes, macOf(noticeKey, bytes)]).toString('base64url');
  return `${publicUrl}/n/${token}?lang=${language}`;
}

/**
 * Returns the id of the notice that a token was issued for.
 *
 * @param token - Unknown input.
 */
export function noticeIdIn(noticeKey: KeyObject, token: string): string | undefined {
  const bytes = Buffer.from(token, 'base64url');
  if (bytes.length !== ID_BYTES + MAC_BYTES) return undefined;
  const id = bytes.subarray(0, ID_BYTES);
  if (!timingSafeEqual(macOf(noticeKey, id), bytes.subarray(ID_BYTES))) return undefined;
  return id.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
