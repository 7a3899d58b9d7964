import type { KeyObject } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { isCrossSite } from '../http/cross-site.ts';
import type { Instant } from '../time.ts';
import { FORM_TOKEN_FIELD, type FormTokenVerdict, judgeFormToken } from './form-token.ts';

/** What it takes to know our own forms again. */
export interface OwnForms {
  key: KeyObject;
  /** Where browsers reach us, `https://pay.example`. */
  ownOrigin: string;
}

/**
 * Whether a posted form is one of ours, for this cart and this place. What another site sends is forged, whatever it holds: a link
 * that somebody made themselves gives them tokens, too.
 */
export function judgeForm(
  { key, ownOrigin }: OwnForms,
  { headers, body }: { headers: IncomingHttpHeaders; body?: unknown },
  cartId: string,
  place: string,
  now: Instant,
): FormTokenVerdict {
  if (isCrossSite(headers, ownOrigin)) return 'forged';
  return judgeFormToken(key, cartId, place, (body as Record<string, unknown> | null | undefined)?.[FORM_TOKEN_FIELD], now);
}
