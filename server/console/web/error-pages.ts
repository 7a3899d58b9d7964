import { html } from '@lit-labs/ssr';
import { type ErrorCode, type Reason, type ServiceError, httpStatusOf } from '../../base/errors.ts';
import { messagePage } from '../../http/pages/page.ts';
import { buttonLink } from './elements.ts';
import type { ConsolePage } from './screen.ts';

const PAGES = {
  'not-found': { title: 'We could not find this page', lead: 'It does not exist, or you do not have access to it.' },
  forbidden: { title: 'Your role does not permit this', lead: 'Ask an administrator of your team for another role.' },
  repeated: { title: 'This form was submitted already', lead: 'The change was made. Its result is shown only once.' },
  fault: {
    title: 'Something went wrong on our side',
    lead: 'Nothing may have changed. Look at the page again before you repeat it.',
  },
  tooMany: {
    title: 'Please wait a moment',
    lead: 'We received too many requests. Open this page again in a minute.',
  },
  unavailable: {
    title: 'The console is not available for a moment',
    lead: 'What you sent may have been saved, or not. Look at the page again in a minute before you repeat it.',
  },
  invalid: { title: 'We could not read this request', lead: 'Go back, and try again.' },
};

const PAGES_OF_CODES: Partial<Record<ErrorCode, { title: string; lead: string }>> = {
  'rate-limited': PAGES.tooMany,
  'database-unavailable': PAGES.unavailable,
};

/** Messages of rejected actions by code of the error. Others have the message of the API. */
const MESSAGES: Partial<Record<ErrorCode, string>> = {
  'wrong-state': 'The status of the order does not allow this any more. Check it below.',
  'amount-too-large': 'The amount is larger than what remains of the order.',
  'quantity-too-large': 'The quantity is larger than what remains of the order.',
  'card-declined': 'The card was declined. Try again in 1 to 3 business days, or cancel its part of the order.',
  'card-unavailable': 'The card gateway is unavailable. Nothing was changed: try again.',
  'database-unavailable': 'This may have been saved, or not. Check it in a minute, and repeat it only if it was not.',
  'changed-meanwhile': 'Someone else changed the same at this moment. Check it, and try again.',
  'idempotency-key-in-use': 'This form is being processed. Wait a moment, and look at the page again.',
  'idempotency-key-reused': 'This form was submitted already, with other values. Check what was changed, and submit it again.',
  'rate-limited': 'This was done too often. Wait, and try again.',
  'cart-closed': 'The cart has ended.',
  'recipient-opted-out':
    'This person does not want e-mails with links from your store. Nothing was sent. Share the link in another way.',
  'not-configured': 'This service cannot send e-mails.',
};

/** Messages of actions that were rejected for a reason that their code does not have. */
const MESSAGES_OF_REASONS: Record<Reason, string> = {
  'last-key': 'This is the last active key. Create another one first.',
  'too-many-webhooks': 'No more webhooks are possible. Remove one first.',
  'webhook-disabled': 'The webhook is disabled. Enable it first.',
  'not-removable': 'This origin is not registered, or it is the address of the store.',
  'passkey-expired': 'The passkey could not be verified, or was created too late. Add it again.',
  'too-many-passkeys': 'No more passkeys are possible, or this one was added already.',
  'own-account': 'You cannot invite, change or remove yourself.',
  'needs-approval': 'This refund needs the approval of another person. Request it below.',
};

/** The page of a request that could not be answered. @param error - Undefined for an unexpected one. */
export function errorPage(error: ServiceError | 'not-found' | 'forbidden' | 'repeated' | undefined): ConsolePage {
  const back = html`<p>${buttonLink('Back to the console', '/console')}</p>`;
  const page = (text: { title: string; lead: string }, status: number): ConsolePage => ({
    ...messagePage('error', text, back),
    status,
  });
  if (error === 'not-found') return page(PAGES['not-found'], 404);
  if (error === 'forbidden') return page(PAGES.forbidden, 403);
  if (error === 'repeated') return page(PAGES.repeated, 409);
  if (error === undefined) return page(PAGES.fault, 500);
  return page(PAGES_OF_CODES[error.code] ?? PAGES.invalid, httpStatusOf(error.code, 2));
}

/** Returns the message of an action that was rejected. */
export function rejectionMessage({ code, message, reason }: ServiceError): string {
  return (reason ? MESSAGES_OF_REASONS[reason] : MESSAGES[code]) ?? `This is not possible. ${message}`;
}
