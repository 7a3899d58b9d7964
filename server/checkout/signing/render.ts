import { readFileSync } from 'node:fs';
import { renderHtml } from '../../http/html.ts';
import { agreementDocument } from './document-template.ts';
import type { Texts } from '../texts/texts.ts';
import { type AgreementDocument, sha256Of } from './document.ts';
import type { SignedFacts } from './facts.ts';

const styles = readFileSync(new URL('./document.css', import.meta.url), 'utf8');

/** The page of what is signed, made once: what is stored is shown as it is, whatever becomes of templates and programs. */
export function documentOf(facts: SignedFacts, t: Texts): AgreementDocument {
  // Nothing a buyer or a merchant wrote is before the style element, and none of it can be a tag.
  const html = renderHtml(agreementDocument(facts, t)).replace('<style></style>', () => `<style>\n${styles}</style>`);
  return { language: t.language, html, sha256: sha256Of(html) };
}
