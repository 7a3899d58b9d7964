import { html } from '@lit-labs/ssr';
import { nothing, type TemplateResult } from 'lit';

/** The contents of a page. */
export interface Page {
  title: string;
  main: TemplateResult;
  /** Base URL of the service, set on pages with a financing button. */
  widgetServiceUrl?: string;
}

const BRAND = 'Alder & Tone';

/** Returns the complete HTML document of a page. */
export function layout({ title, main, widgetServiceUrl }: Page, bagCount: number): TemplateResult {
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
        ${widgetServiceUrl ? widgetTags(widgetServiceUrl) : nothing}
      </head>
      <body>
        <a class="skip" href="#main">Skip to content</a>
        <header>
          <a class="brand" href="/"><img src="/assets/mark.svg" alt="" width="28" height="28" />${BRAND}</a>
          <nav aria-label="Shop">
            <a href="/#collection">Collection</a>
            <a href="/bag">Bag<span class="visually-hidden">,</span> <span class="count">${bagCount}<span class="visually-hidden"> ${bagCount === 1 ? 'item' : 'items'}</span></span></a>
          </nav>
        </header>
        <main id="main">${main}</main>
        <footer>
          <p><strong>${BRAND}</strong> is a demonstration shop. Nothing is for sale here, and no loan is made.</p>
        </footer>
      </body>
    </html>
  `;
}

/**
 * Renders the tags that load the financing button: a style sheet that reserves its space, the shop's listeners to its events, which are
 * added before the first event, and the script.
 */
function widgetTags(serviceUrl: string): TemplateResult {
  return html`
    <link rel="stylesheet" href=${`${serviceUrl}/widget/v1/reserve.css`} />
    <script type="module" src="/assets/shop.js"></script>
    <script type="module" src=${`${serviceUrl}/widget/v1/financing-button.js`}></script>
  `;
}

/** Renders a label and its value in a list. */
export function labeledValue(label: string, value: string | TemplateResult, className = ''): TemplateResult {
  return html`
    <div class=${className}>
      <dt>${label}</dt>
      <dd>${value}</dd>
    </div>
  `;
}
