import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { html } from '@lit-labs/ssr';
import { nothing } from 'lit';
import { newToken } from '../../base/ids.ts';
import { DAY_MS, epochMs, type Instant } from '../../base/time.ts';
import type { Html } from './html.ts';
import { hiddenField } from './read-form.ts';

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

export interface FormOptions {
  /** Further hidden fields. Those without a value are left out. */
  hidden?: Readonly<Record<string, string>>;
  /** True for a form in a row, such as one button, which has no space around it. */
  isInline?: boolean;
  /** True for a form with a file. */
  hasFile?: boolean;
  /** True if the client script submits the form repeatedly until the response is another page. */
  isPolled?: boolean;
}

/**
 * Renders a form that is posted to an address. It has `novalidate`, because the server validates it and responds in the language of the page.
 *
 * @param token - See `issueToken`.
 */
export function signedForm(
  action: string,
  token: string,
  content: Html,
  { hidden = {}, isInline = false, hasFile = false, isPolled = false }: FormOptions = {},
): Html {
  const fields = Object.entries({ formToken: token, ...hidden }).filter(([, value]) => value !== '');
  return html`<form method="post" action="${action}" class="${isInline ? 'inline' : nothing}" enctype="${hasFile ? 'multipart/form-data' : nothing}" novalidate data-polls="${isPolled ? '' : nothing}">
    ${fields.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)} ${content}
  </form>`;
}

/**
 * Returns the hidden token of a form, which proves that this service issued it: a random id, the second of issue, and the base64url of an
 * HMAC-SHA256 over both and the form's identity: `ID.1795255200.MAC`.
 *
 * The id differs for each response, so that the size of a compressed page does not reveal the token, and it identifies the submission.
 *
 * @param identity - Who the form was shown to, and where it is posted. Only the last part may contain `|`.
 */
export function issueToken(key: KeyObject, identity: readonly string[], issuedAt: Instant, id = newToken(16)): string {
  const seconds = String(Math.floor(epochMs(issuedAt) / 1_000));
  return `${id}.${seconds}.${macOf(key, [id, seconds, ...identity]).toString('base64url')}`;
}

/**
 * Verifies a token. One of another identity is forged.
 *
 * @param token - Unknown input.
 */
export function verifyToken(key: KeyObject, identity: readonly string[], token: unknown, now: Instant): FormTokenStatus {
  const parts = typeof token === 'string' ? TOKEN.exec(token) : null;
  if (!parts) return 'forged';
  const [, id, seconds, sent] = parts;
  if (!timingSafeEqual(macOf(key, [id!, seconds!, ...identity]), Buffer.from(sent!, 'base64url'))) return 'forged';
  // The clock of a sandbox may have been set back since.
  const ageMs = Math.abs(epochMs(now) - Number(seconds) * 1_000);
  return ageMs <= FORM_TOKEN_MS ? 'valid' : 'expired';
}

/** Returns the id of a token. Trust it only if the token is valid. */
export function idOfToken(token: string): string {
  return token.slice(0, ID_LENGTH);
}

const ID_LENGTH = 22;

/** 32 bytes have one encoding of 43 base64url characters: the last one holds four bits. */
const TOKEN = /^([\w-]{22})\.(\d{1,12})\.([\w-]{42}[AEIMQUYcgkosw048])$/;

function macOf(key: KeyObject, parts: readonly string[]): Buffer {
  return createHmac('sha256', key).update(parts.join('|')).digest();
}

/** A posted form, as Koa has it. */
export interface PostedForm {
  headers: IncomingHttpHeaders;
  body?: unknown;
}

/** Returns the token of a posted form; empty if it has none. */
export function tokenIn(body: unknown): string {
  return hiddenField(body, 'formToken');
}

/**
 * Verifies that this service issued a posted form for an identity. A cross-site request is forged even with a valid token, which an attacker
 * gets from a page of their own.
 */
export function verifyForm(
  { key, ownOrigin }: OwnForms,
  { headers, body }: PostedForm,
  identity: readonly string[],
  now: Instant,
): FormTokenStatus {
  return isCrossSite(headers, ownOrigin) ? 'forged' : verifyToken(key, identity, tokenIn(body), now);
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
