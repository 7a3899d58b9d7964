import { html } from '@lit-labs/ssr';
import { nothing } from 'lit';
import { type Language, LANGUAGES } from '../../../shared/languages/index.ts';
import { type Html, renderHtml, sendCompressed } from '../../http/html.ts';
import type { StaticFile } from '../../http/static-files.ts';
import { accentPath, logoPath } from '../../merchants/brand.ts';
import type { Merchant } from '../../merchants/store.ts';
import type { Mode } from '../../mode.ts';
import { ICON } from '../../pages/elements.ts';
import { isCrossSite, type OwnForms } from '../../pages/form-token.ts';
import { type Texts, texts } from '../../texts.ts';
import type { User } from '../../users/store.ts';
import { formErrors, submitButton } from './form.ts';
import { type Tab, tabs } from './list.ts';
import type { ConsolePage, Section } from './screen.ts';
import { type ConsoleContext, ownForm, takeConfirmation } from './visit.ts';

/** Dependencies of all pages. */
export interface Responder {
  forms: OwnForms;
  mode: Mode;
  stylesheet: StaticFile;
  script: StaticFile;
}

/** The signed-in user and the merchant of a page. */
export interface Inside {
  user: User;
  merchant: Merchant;
  /** The current section, and those that the role of the user permits. */
  section: Section;
  sections: readonly { name: Section; address: string }[];
  /** Links to the pages of the section; empty on a page that is not one of them. */
  tabs: readonly Tab[];
}

/**
 * Responds with a page.
 *
 * A response to a link of another site is not compressed: it could repeat parts of the address, and an attacker who sees the sizes of
 * responses could guess what is next to them (BREACH).
 *
 * @param inside - Undefined for a page that is not one of a merchant.
 */
export function showPage(ctx: ConsoleContext, responder: Responder, page: ConsolePage, inside?: Inside): void {
  ctx.status = page.status ?? 200;
  ctx.set('content-language', ctx.state.visit.language);
  ctx.type = 'html';
  const text = renderHtml(layout(ctx, responder, page, inside));
  if (isCrossSite(ctx.headers, responder.forms.ownOrigin)) ctx.body = text;
  else sendCompressed(ctx, text);
}

/** The frame of every page: navigation, merchant and user around the content. */
function layout(
  ctx: ConsoleContext,
  { forms, mode, stylesheet, script }: Responder,
  page: ConsolePage,
  inside: Inside | undefined,
): Html {
  const { language, t } = ctx.state.visit;
  const { layout: own } = t.console;
  const done = confirmation(t, takeConfirmation(ctx, forms.ownOrigin));
  const accent = inside?.merchant.accent;
  return html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <title>${page.title} · ${inside?.merchant.name ?? own.console}</title>
        <link rel="stylesheet" href="${stylesheet.url}" />
        ${accent ? html`<link rel="stylesheet" href="${accentPath(accent)}" />` : nothing}
        <script type="module" src="${script.url}"></script>
        <link rel="icon" href="${ICON}" />
      </head>
      <body class="${inside ? 'inside' : 'outside'}">
        <a class="skip" href="#main">${own.skip}</a>
        ${inside ? navigation(ctx, forms, inside) : html`<header class="bar"><p class="brand">Fairterm</p>${otherLanguages(ctx)}</header>`}
        <main id="main" tabindex="-1" data-screen="${inside?.section ?? nothing}">
          ${done ? html`<p class="done" role="status">${done}</p>` : nothing}
          <div class="title">
            <h1>${page.title}</h1>
            ${mode === 'sandbox' ? html`<p class="sandbox">${own.sandbox}</p>` : nothing}
          </div>
          ${inside && inside.tabs.length > 0 ? tabs(t.console[inside.section].name, inside.tabs) : nothing}
          ${page.formState ? formErrors(t, page.formState) : nothing} ${page.content}
        </main>
      </body>
    </html>`;
}

function navigation(ctx: ConsoleContext, forms: OwnForms, { user, merchant, section, sections }: Inside): Html {
  const { t } = ctx.state.visit;
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
        <p>${otherLanguages(ctx)}</p>
        ${ownForm(ctx, forms, '/console/sign-out', submitButton(own.signOut, 'quiet'))}
      </div>
    </details>
  </header>`;
}

/** Links to the same page in every other language. */
function otherLanguages({ state, path, querystring }: ConsoleContext): Html[] {
  const addressIn = (other: Language) => `${path}?${withLanguage(querystring, other)}`;
  return LANGUAGES.filter((other) => other !== state.visit.language).map(
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

/** Returns the text of a confirmation. @param key - `settings.invited`: unknown input. */
function confirmation({ console: all }: Texts, key = ''): string | undefined {
  const [section, name] = key.split('.');
  const found = Object.entries(all).find(([each]) => each === section)?.[1];
  if (!found || !('done' in found)) return undefined;
  return Object.entries(found.done).find(([each]) => each === name)?.[1];
}
