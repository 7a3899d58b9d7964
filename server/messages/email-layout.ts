import { html } from '@lit-labs/ssr';
import { LRUCache } from 'lru-cache';
import { accentColors } from '../../shared/accent.ts';
import type { Language } from '../../shared/languages/index.ts';
import type { Html } from '../http/pages/html.ts';
import { DEFAULT_ACCENT, logoPath } from '../merchants/brand.ts';
import type { EmailContacts } from './contacts.ts';
import { emailPhoneLink, withPhones } from '../http/pages/phones.ts';

/** Inline styles, which e-mail clients support more than style sheets. Clients without dark mode show the light colors. */
const STYLES = {
  page: 'margin: 0; padding: 1.5rem 0.75rem; background: #f6f5f2; color: #1b1d22; font: 16px/1.5 Arial, Helvetica, sans-serif; overflow-wrap: anywhere',
  card: 'max-width: 34rem; margin: 0 auto; padding: 1.5rem; background: #ffffff; border: 1px solid #dedcd5; border-radius: 12px',
  mark: 'margin: 0 0 1.5rem; font-size: 1.125em; font-weight: bold',
  logo: 'max-width: 100%; padding: 2px; border-radius: 4px',
  heading: 'margin: 1.5em 0 0; font-size: 1.125em',
  button: 'display: inline-block; padding: 0.75em 1.5em; border-radius: 10px; font-weight: bold; text-decoration: none',
  url: 'color: #5a606b; font-size: 0.8125em',
  table: 'width: 100%; margin: 1em 0; border-collapse: collapse',
  label:
    'padding: 0.5em 1em 0.5em 0; border-bottom: 1px solid #dedcd5; color: #5a606b; font-weight: normal; text-align: left; white-space: nowrap',
  value: 'padding: 0.5em 0; border-bottom: 1px solid #dedcd5; font-weight: bold; text-align: right',
  footerRow: 'margin: 0 0 0.5em',
  footer: 'max-width: 34rem; margin: 1rem auto 0; padding: 0 1.5rem; color: #5a606b; font-size: 0.8125em',
};

/**
 * Renders an e-mail around its content: the merchant's logo, the content, and the footer: the reference and the companies behind it. Its style
 * element is empty: `buyerEmail` inserts `emailStyles`, because templates do not render into style elements.
 */
export function emailHtml(
  language: Language,
  subject: string,
  content: Html,
  { merchant, publicUrl }: EmailContacts,
  footer: readonly (readonly [label: string, text: string])[],
): Html {
  const { logo, name } = merchant;
  const mark = logo
    ? html`<img src="${publicUrl}${logoPath(logo)}" alt="${name}" height="40" class="logo" style="${STYLES.logo}" />`
    : name;
  return html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${subject}</title>
        <style></style>
      </head>
      <body class="page" style="${STYLES.page}">
        <div class="card" style="${STYLES.card}">
          <p style="${STYLES.mark}">${mark}</p>
          ${content}
        </div>
        <div class="soft" style="${STYLES.footer}">${footer.map(([label, text]) => html`<p style="${STYLES.footerRow}">${label}: ${withPhones(text, emailPhoneLink)}</p>`)}</div>
      </body>
    </html>`;
}

/** By accent color. */
const accents = new LRUCache<string, ReturnType<typeof accentColors>>({ max: 500, memoMethod: (color) => accentColors(color) });

/** Returns the style sheet of an e-mail: what inline styles cannot express. */
export function emailStyles(accent: string | null): string {
  const { light, dark } = accents.memo(accent ?? DEFAULT_ACCENT);
  return `
a { color: ${light.accent}; }
.button { background: ${light.accent}; color: ${light.ink}; }
@media (prefers-color-scheme: dark) {
  .page { background: #14161a !important; color: #eceef2 !important; }
  .card { background: #1c1f25 !important; border-color: #343944 !important; }
  .soft, .soft a { color: #a6adba !important; }
  .row > * { border-color: #343944 !important; }
  .logo { background: #ffffff; color: #1b1d22; }
  a { color: ${dark.accent}; }
  .button { background: ${dark.accent} !important; color: ${dark.ink} !important; }
}
`;
}

/** Returns the parts of blocks with the inline styles of an e-mail. */
export function emailParts(accent: string | null) {
  const { light } = accents.memo(accent ?? DEFAULT_ACCENT);
  return {
    phone: emailPhoneLink,
    heading: STYLES.heading,
    rows: (rows: readonly (readonly [label: string, value: string])[]): Html =>
      html`<table style="${STYLES.table}">
        ${rows.map(
          ([label, value]) =>
            html`<tr class="row">
              <th scope="row" class="soft" style="${STYLES.label}">${label}</th>
              <td style="${STYLES.value}">${withPhones(value, emailPhoneLink)}</td>
            </tr>`,
        )}
      </table>`,
    button: (label: string, url: string): Html =>
      html`<p>
          <a class="button" href="${url}" style="${`${STYLES.button}; background: ${light.accent}; color: ${light.ink}`}">${label}</a>
        </p>
        <p class="soft" style="${STYLES.url}">${url}</p>`,
  };
}

/** The content security policy of an e-mail that is shown as a page. Its styles are inline, and it has a logo of this service at most. */
export const NOTICE_POLICY = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  "img-src 'self'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ');
