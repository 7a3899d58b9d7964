import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import { DAY_MS, epochMs, type Instant } from '../time.ts';

/** The hidden field of a form that holds its token. */
export const FORM_TOKEN_FIELD = 'formToken';

/** For how long a form that was shown can be sent. */
export const FORM_TOKEN_MS = DAY_MS;

/** `expired`: it is ours, for this very form, and too old. */
export type FormTokenVerdict = 'genuine' | 'expired' | 'forged';

/**
 * What a form carries, hidden, to show that it was made here for one cart and one step of its checkout:
 * `1795255200.` and the base64url of HMAC-SHA256 over `cartId|step|1795255200`.
 *
 * @param step - What the form leads to: the name of a step, or of an action beside the steps.
 */
export function formToken(key: KeyObject, cartId: string, step: string, issuedAt: Instant): string {
  const seconds = String(Math.floor(epochMs(issuedAt) / 1_000));
  return `${seconds}.${seal(key, cartId, step, seconds).toString('base64url')}`;
}

/**
 * What a token that came back is worth. One of another cart, or of another step, is forged.
 *
 * @param token - As it came: anything.
 */
export function judgeFormToken(key: KeyObject, cartId: string, step: string, token: unknown, now: Instant): FormTokenVerdict {
  const parts = typeof token === 'string' ? TOKEN.exec(token) : null;
  if (!parts) return 'forged';
  const [, seconds, sent] = parts;
  if (!timingSafeEqual(seal(key, cartId, step, seconds!), Buffer.from(sent!, 'base64url'))) return 'forged';
  // A clock that was set back, as a sandbox's may be, leaves forms that come from its future.
  const ageMs = Math.abs(epochMs(now) - Number(seconds) * 1_000);
  return ageMs <= FORM_TOKEN_MS ? 'genuine' : 'expired';
}

/** 32 bytes are 43 letters of base64url, in one way only: the last of them holds four bits. */
const TOKEN = /^(\d{1,12})\.([\w-]{42}[AEIMQUYcgkosw048])$/;

function seal(key: KeyObject, cartId: string, step: string, seconds: string): Buffer {
  return createHmac('sha256', key).update(`${cartId}|${step}|${seconds}`).digest();
}
