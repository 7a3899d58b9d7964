import { createHash } from 'node:crypto';
import type { Language } from '../../../shared/disclosure/texts.ts';
import type { PaymentAgreement } from './agreement.ts';

/** The page a buyer keeps of what they signed. */
export interface AgreementDocument {
  language: Language;
  /** All of it, its styles included. */
  html: string;
  /** SHA-256 of `html` in UTF-8, hexadecimal. */
  sha256: string;
}

export function sha256Of(html: string): string {
  return createHash('sha256').update(html).digest('hex');
}

/** Whether a stored document is the one that came with the signature. What is not must never be shown as if it were. */
export function isAsSigned(
  { html, sha256 }: Pick<AgreementDocument, 'html' | 'sha256'>,
  signed: PaymentAgreement | undefined,
): boolean {
  return signed !== undefined && sha256 === signed.documentHash && sha256Of(html) === sha256;
}

/**
 * What a browser may do with a document: show it, with the styles in it. They stand in the page so that it is the same when it
 * was saved, and after the style sheets of the checkout have changed; their hash is what lets them in.
 */
export function documentPolicy(html: string): string {
  const styles = /<style>([^]*?)<\/style>/.exec(html)?.[1] ?? '';
  const hash = createHash('sha256').update(styles).digest('base64');
  return [
    "default-src 'none'",
    `style-src 'sha256-${hash}'`,
    'img-src data:',
    "form-action 'none'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ');
}
