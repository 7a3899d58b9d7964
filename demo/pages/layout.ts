import { html } from '@lit-labs/ssr';
import { nothing, type TemplateResult } from 'lit';

/** What differs from page to page. */
export interface Page {
  title: string;
  main: TemplateResult;
  /** Where the financing widget comes from, on pages that have one. */
  widgetFrom?: string;
}

const BRAND = 'Alder & Tone';

/** The whole document around a page. */
export function layout({ title, main, widgetFrom }: Page, bagCount: number): TemplateResult {
  return html`
    <!DOCTYPE html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title} · ${BRAND}</title>
        <link rel="icon" href="/assets/mark.svg" type="image/svg+xml" />
        <link rel="stylesheet" href="/assets/shop.css" />
        ${widgetFrom ? widget(widgetFrom) : nothing}
      </head>
      <body>
        <a class="skip" href="#main">Skip to content</a>
        <header>
          <a class="brand" href="/"><img src="/assets/mark.svg" alt="" width="28" height="28" />${BRAND}</a>
          <nav aria-label="Shop">
            <a href="/#collection">Collection</a>
            <a href="/bag">Bag <span class="count">${bagCount}<span class="unseen"> in it</span></span></a>
          </nav>
        </header>
        <main id="main">${main}</main>
        <footer>
          <p><strong>${BRAND}</strong> is a demonstration shop. Nothing is for sale here, and no loan is made.</p>
          <p><a href="/orders">Back office</a></p>
        </footer>
      </body>
    </html>
  `;
}

/** The two lines that bring the financing button: space kept for it, and the tag itself. */
function widget(serviceUrl: string): TemplateResult {
  return html`
    <link rel="stylesheet" href=${`${serviceUrl}/widget/v1/reserve.css`} />
    <script type="module" src=${`${serviceUrl}/widget/v1/financing-button.js`}></script>
  `;
}
