import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import { DAY_MS, epochMs, type Instant } from '../../time.ts';

/** For how long a form that was shown can be sent. */
export const FORM_TOKEN_MS = DAY_MS;

/** `expired`: it is ours, for this very form, and too old. */
export type FormTokenVerdict = 'genuine' | 'expired' | 'forged';

/** Which form a token is for. */
export interface FormIdentity {
  cartId: string;
  /** Of the session whose page shows the form; undefined at the cart's link. */
  secret: string | undefined;
  /** What the form leads to: a step, or an action beside the steps. */
  place: string;
  /** The secret that the checkout continues under once the form is accepted; empty where it stays as it is. */
  nextSecret: string;
}

/**
 * What a form carries, hidden, to show that it was made here, for one session of one cart and one step of its checkout:
 * `1795255200.` and the base64url of an HMAC-SHA256 over the form's identity and that second.
 */
export function formToken(key: KeyObject, form: FormIdentity, issuedAt: Instant): string {
  const seconds = String(Math.floor(epochMs(issuedAt) / 1_000));
  return `${seconds}.${macOf(key, form, seconds).toString('base64url')}`;
}

/**
 * What a token that came back is worth. One of another cart, session or step is forged.
 *
 * @param token - As received: anything.
 */
export function judgeFormToken(key: KeyObject, form: FormIdentity, token: unknown, now: Instant): FormTokenVerdict {
  const parts = typeof token === 'string' ? TOKEN.exec(token) : null;
  if (!parts) return 'forged';
  const [, seconds, sent] = parts;
  if (!timingSafeEqual(macOf(key, form, seconds!), Buffer.from(sent!, 'base64url'))) return 'forged';
  // A clock that was set back, as a sandbox's may be, leaves forms that come from its future.
  const ageMs = Math.abs(epochMs(now) - Number(seconds) * 1_000);
  return ageMs <= FORM_TOKEN_MS ? 'genuine' : 'expired';
}

/** 32 bytes are 43 letters of base64url, in one way only: the last of them holds four bits. */
const TOKEN = /^(\d{1,12})\.([\w-]{42}[AEIMQUYcgkosw048])$/;

/** No part can hold the separator: ids, secrets, places and digits. */
function macOf(key: KeyObject, { cartId, secret = '', place, nextSecret }: FormIdentity, seconds: string): Buffer {
  return createHmac('sha256', key).update([cartId, secret, place, nextSecret, seconds].join('|')).digest();
}
