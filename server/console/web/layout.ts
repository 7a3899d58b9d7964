import { html } from '@lit-labs/ssr';
import { nothing } from 'lit';
import { type Language, LANGUAGES } from '../../../shared/languages/index.ts';
import type { Html } from '../../http/html.ts';
import { accentPath, logoPath } from '../../merchants/brand.ts';
import type { Merchant } from '../../merchants/store.ts';
import { ICON } from '../../pages/elements.ts';
import { texts } from '../../texts.ts';
import type { User } from '../../users/store.ts';
import { submitButton } from './form.ts';
import type { ConsolePage, Section } from './screen.ts';
import type { Visit } from './visit.ts';

export interface Frame extends Pick<Visit, 'language' | 't'> {
  page: ConsolePage;
  /** URLs of the style sheet and the script. */
  stylesheet: string;
  script: string;
  isSandbox: boolean;
  /** A confirmation, shown above the content. */
  done?: string | undefined;
  /** Path and query of the page, to show it in another language. */
  path: string;
  query: string;
  /** The signed-in user and the merchant, whose sections the page leads to. */
  inside?: Inside | undefined;
}

export interface Inside {
  user: User;
  merchant: Merchant;
  /** The current section, and those that the role of the user permits. */
  section: Section | undefined;
  sections: readonly { name: Section; address: string }[];
  /** The form that signs out. */
  signOut: (content: Html) => Html;
}

/** The frame of every page: navigation, merchant and user around the content. */
export function layout(frame: Frame): Html {
  const { page, language, t, stylesheet, script, isSandbox, done, inside } = frame;
  const { layout: own } = t.console;
  const accent = inside?.merchant.accent;
  return html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <title>${page.title} · ${inside?.merchant.name ?? own.console}</title>
        <link rel="stylesheet" href="${stylesheet}" />
        ${accent ? html`<link rel="stylesheet" href="${accentPath(accent)}" />` : nothing}
        <script type="module" src="${script}"></script>
        <link rel="icon" href="${ICON}" />
      </head>
      <body class="${inside ? 'inside' : 'outside'}">
        <a class="skip" href="#main">${own.skip}</a>
        ${inside ? navigation(frame, inside) : html`<header class="bar"><p class="brand">Fairterm</p>${otherLanguages(frame)}</header>`}
        <main id="main" tabindex="-1" data-screen="${inside?.section ?? nothing}">
          ${done ? html`<p class="done" role="status">${done}</p>` : nothing}
          <div class="title">
            <h1>${page.title}</h1>
            ${isSandbox ? html`<p class="sandbox">${own.sandbox}</p>` : nothing}
          </div>
          ${page.content}
        </main>
      </body>
    </html>`;
}

function navigation(frame: Frame, { user, merchant, section, sections, signOut }: Inside): Html {
  const { t } = frame;
  const own = t.console.layout;
  const home = sections[0]?.address ?? '/console';
  return html`<header class="bar">
    <div class="merchant">
      <a href="${home}" dir="auto">${merchant.logo ? html`<img src="${logoPath(merchant.logo)}" alt="" height="24" />` : nothing} ${merchant.name}</a>
      ${user.merchantId === null ? html`<a class="switch" href="/console/merchants">${own.otherMerchants}</a>` : nothing}
    </div>
    <nav class="sections" aria-label="${own.sections}">
      ${sections.map(
        ({ name, address }) =>
          html`<a href="${address}" class="${name}" aria-current="${name === section ? 'page' : nothing}">${t.console[name].name}</a>`,
      )}
    </nav>
    <details class="user">
      <summary><span dir="auto">${user.name || user.email}</span></summary>
      <div>
        <p>${user.email}<br />${t.console.roles[user.role].name}</p>
        <p>${otherLanguages(frame)}</p>
        ${signOut(submitButton(own.signOut, 'quiet'))}
      </div>
    </details>
  </header>`;
}

/** Links to the same page in every other language. */
function otherLanguages({ language, path, query }: Frame): Html[] {
  const addressIn = (other: Language) => `${path}?${withLanguage(query, other)}`;
  return LANGUAGES.filter((other) => other !== language).map(
    (other) =>
      html`<a class="language" href="${addressIn(other)}" lang="${other}" hreflang="${other}">${texts[other].languageName}</a>`,
  );
}

function withLanguage(query: string, language: Language): string {
  const parameters = new URLSearchParams(query);
  parameters.set('lang', language);
  parameters.delete('done');
  return parameters.toString();
}
