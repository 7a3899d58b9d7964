import { html } from '@lit-labs/ssr';
import { type ErrorCode, type Reason, type ServiceError, statusOf } from '../../errors.ts';
import type { Texts } from '../../texts.ts';
import type { ConsolePage } from './screen.ts';

/** The page of a request that could not be answered. @param error - Undefined for an unexpected one. */
export function errorPage(
  { console: { errors } }: Texts,
  error: ServiceError | 'not-found' | 'forbidden' | 'repeated' | undefined,
): ConsolePage {
  const page = ({ title, lead }: { title: string; lead: string }, status: number): ConsolePage => ({
    title,
    status,
    content: html`<p class="lead">${lead}</p><p><a class="button" href="/console">${errors.back}</a></p>`,
  });
  if (error === 'not-found') return page(errors.notFound, 404);
  if (error === 'forbidden') return page(errors.forbidden, 403);
  if (error === 'repeated') return page(errors.repeated, 409);
  if (error === undefined) return page(errors.fault, 500);
  return page(error.code === 'rate-limited' ? errors.tooMany : errors.invalid, statusOf(error.code, 2));
}

/** Returns the message of an action that was rejected. Others than the usual reasons have the message of the API. */
export function rejectionMessage({ console: { reasons, rejections } }: Texts, { code, message, reason }: ServiceError): string {
  const byReason: Record<Reason, string> = reasons;
  const byCode: Partial<Record<ErrorCode, string>> = rejections;
  if (reason) return byReason[reason];
  return byCode[code] ?? `${rejections['invalid-request']} ${message}`;
}
