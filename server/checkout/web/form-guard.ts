import type { KeyObject } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { isCrossSite } from '../../http/cross-site.ts';
import type { Instant } from '../../time.ts';
import { type FormIdentity, type FormTokenVerdict, judgeFormToken } from './form-token.ts';
import { isSessionSecret } from '../session/secret.ts';

/** What it takes to know our own forms again. */
export interface OwnForms {
  key: KeyObject;
  /** Where browsers reach us, `https://pay.example`. */
  ownOrigin: string;
}

/**
 * Whether a posted form is one of ours, for this cart, session and place. What another site sends is forged, whatever it holds: a
 * link that somebody made themselves gives them tokens, too.
 */
export function judgeForm(
  { key, ownOrigin }: OwnForms,
  { headers, body }: { headers: IncomingHttpHeaders; body?: unknown },
  form: Omit<FormIdentity, 'nextSecret'>,
  now: Instant,
): FormTokenVerdict {
  if (isCrossSite(headers, ownOrigin)) return 'forged';
  const { formToken } = (body ?? {}) as Record<string, unknown>;
  return judgeFormToken(key, { ...form, nextSecret: nextSecretIn(body) ?? '' }, formToken, now);
}

/** The secret that a form names for the checkout to continue under. Trust it only with a genuine token. */
export function nextSecretIn(body: unknown): string | undefined {
  const { nextSecret } = (body ?? {}) as Record<string, unknown>;
  return isSessionSecret(nextSecret) ? nextSecret : undefined;
}
