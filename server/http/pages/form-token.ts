import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { DAY_MS, epochMs, type Instant } from '../../base/time.ts';

/** Time in which a form can be submitted after it was shown. */
export const FORM_TOKEN_MS = DAY_MS;

/** `expired`: issued for this form, but too old. */
export type FormTokenStatus = 'valid' | 'expired' | 'forged';

/** Key and origin with which posted forms are verified. */
export interface OwnForms {
  key: KeyObject;
  /** Origin of this service, `https://pay.example`. */
  ownOrigin: string;
}

/**
 * Returns the hidden token of a form, which proves that this service issued it: the second of issue and the base64url of an HMAC-SHA256
 * over the form's identity and that second, `1795255200.…`.
 *
 * @param identity - Who the form was shown to, and where it is posted. Only the last part may contain `|`.
 */
export function issueToken(key: KeyObject, identity: readonly string[], issuedAt: Instant): string {
  const seconds = String(Math.floor(epochMs(issuedAt) / 1_000));
  return `${seconds}.${macOf(key, identity, seconds).toString('base64url')}`;
}

/**
 * Verifies a posted token. A token of another identity is forged.
 *
 * @param token - Unknown input.
 */
export function verifyToken(key: KeyObject, identity: readonly string[], token: unknown, now: Instant): FormTokenStatus {
  const parts = typeof token === 'string' ? TOKEN.exec(token) : null;
  if (!parts) return 'forged';
  const [, seconds, sent] = parts;
  if (!timingSafeEqual(macOf(key, identity, seconds!), Buffer.from(sent!, 'base64url'))) return 'forged';
  // The clock of a sandbox may have been set back since.
  const ageMs = Math.abs(epochMs(now) - Number(seconds) * 1_000);
  return ageMs <= FORM_TOKEN_MS ? 'valid' : 'expired';
}

/** 32 bytes have one encoding of 43 base64url characters: the last one holds four bits. */
const TOKEN = /^(\d{1,12})\.([\w-]{42}[AEIMQUYcgkosw048])$/;

function macOf(key: KeyObject, identity: readonly string[], seconds: string): Buffer {
  return createHmac('sha256', key)
    .update([...identity, seconds].join('|'))
    .digest();
}

/**
 * Returns true if the headers are from a browser on a page of another site. Requests without these headers are from other clients or
 * old browsers.
 *
 * Pages without a referrer and sandboxed frames send `Origin: null`. Only `Sec-Fetch-Site`, which pages cannot set, distinguishes them.
 *
 * @param ownOrigin - Public origin of the service, `https://pay.example`. Does not use `Host`, which proxies may change.
 */
export function isCrossSite({ origin, ...headers }: IncomingHttpHeaders, ownOrigin: string): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return true;
  return origin !== undefined && origin !== 'null' && origin !== ownOrigin;
}
