import { html } from '@lit-labs/ssr';
import { nothing } from 'lit';
import { type Html, renderHtml, sendCompressed } from '../../http/pages/html.ts';
import type { StaticFile } from '../../http/static-files.ts';
import { accentPath, logoPath } from '../../merchants/brand.ts';
import type { Merchant } from '../../merchants/store.ts';
import type { Mode } from '../../base/mode.ts';
import { renderFrame } from '../../http/pages/frame.ts';
import { isCrossSite, type OwnForms } from '../../http/pages/form.ts';
import type { User } from '../users/store.ts';
import { formErrors, submitButton } from './elements.ts';
import { type Tab, tabs } from './list.ts';
import type { ConsoleDocument, ConsolePage, Section } from './screen.ts';
import { ROLE_TEXTS, timeZoneName } from './texts.ts';
import { CONSOLE_POLICY, type ConsoleContext, ownForm, takeConfirmation } from './visit.ts';

/** The names of the sections, and the lines of their icons in 24 units. */
const SECTION_TEXTS: Record<Section, { name: string; icon: string }> = {
  home: { name: 'Home', icon: 'M3 11 12 4l9 7M5.5 9.5V20h4.5v-6h4v6h4.5V9.5' },
  orders: { name: 'Orders', icon: 'M5.5 8h13l1 12h-15zM9 11V7a3 3 0 0 1 6 0v4' },
  links: {
    name: 'Links',
    icon: 'M10 14a4 4 0 0 0 6 .4l3-3A4 4 0 0 0 13.3 5.7L12 7M14 10a4 4 0 0 0-6-.4l-3 3a4 4 0 0 0 5.7 5.7L12 17',
  },
  money: { name: 'Money', icon: 'M3 6h18v12H3zM12 9.5a2.5 2.5 0 1 0 .01 0zM6.5 12h.01M17.5 12h.01' },
  developers: { name: 'Developers', icon: 'm8 7-5 5 5 5M16 7l5 5-5 5M13.5 5l-3 14' },
  settings: {
    name: 'Settings',
    icon: 'M4 7h9M18.5 7H20M4 17h1.5M11 17h9M16 4.5a2.5 2.5 0 1 0 .01 0zM8 14.5a2.5 2.5 0 1 0 .01 0z',
  },
};

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
  if (page.hasFrame) ctx.set('content-security-policy', `${CONSOLE_POLICY}; frame-src 'self'`);
  sendHtml(ctx, responder, renderHtml(layout(ctx, responder, page, inside)));
}

/** Responds with a document for a frame of a page of the console. */
export function showDocument(ctx: ConsoleContext, responder: Responder, { document, policy }: ConsoleDocument): void {
  ctx.set({ 'content-security-policy': `${policy}; frame-ancestors 'self'`, 'x-frame-options': 'SAMEORIGIN' });
  sendHtml(ctx, responder, document);
}

function sendHtml(ctx: ConsoleContext, { forms }: Responder, text: string): void {
  ctx.type = 'html';
  if (isCrossSite(ctx.headers, forms.ownOrigin)) ctx.body = text;
  else sendCompressed(ctx, text);
}

/** The frame of every page: navigation, merchant and user around the content. */
function layout(
  ctx: ConsoleContext,
  { forms, mode, stylesheet, script }: Responder,
  page: ConsolePage,
  inside: Inside | undefined,
): Html {
  const { timeZone } = ctx.state.visit;
  const done = takeConfirmation(ctx, forms.ownOrigin);
  const accent = inside?.merchant.accent;
  return renderFrame({
    language: 'en',
    title: `${page.title} · ${inside?.merchant.name ?? 'Console'}`,
    stylesheets: [stylesheet.url, ...(accent ? [accentPath(accent)] : [])],
    script: script.url,
    layout: inside ? 'inside' : 'outside',
    skip: 'Skip to the content',
    header: inside ? navigation(ctx, forms, inside) : html`<header class="bar"><p class="brand">Fairterm</p></header>`,
    main: html`${done ? html`<p class="done" role="status">${done}</p>` : nothing}
      <div class="title">
        <h1>${page.title}</h1>
        ${timeZone === undefined ? nothing : html`<p class="zone">Times in ${timeZoneName(timeZone)}</p>`}
        ${mode === 'sandbox' ? html`<p class="sandbox">Sandbox: nothing here is real.</p>` : nothing}
      </div>
      ${inside && inside.tabs.length > 0 ? tabs(SECTION_TEXTS[inside.section].name, inside.tabs) : nothing}
      ${page.formState ? formErrors(page.formState) : nothing} ${page.content}`,
  });
}

function navigation(ctx: ConsoleContext, forms: OwnForms, { user, merchant, section, sections }: Inside): Html {
  const home = sections[0]?.address ?? '/console';
  return html`<header class="bar">
    <div class="merchant">
      <a href="${home}" dir="auto">${merchant.logo ? html`<img src="${logoPath(merchant.logo)}" alt="${merchant.name}" height="24" />` : merchant.name}</a>
      ${user.merchantId === null ? html`<a class="switch" href="/console/merchants">All merchants</a>` : nothing}
    </div>
    <nav class="sections" aria-label="Sections">
      ${sections.map(
        ({ name, address }) =>
          html`<a href="${address}" class="${name}" aria-current="${name === section ? 'page' : nothing}"><svg viewBox="0 0 24 24" width="20" height="20" fill="none" stroke="currentColor" stroke-width="1.75" stroke-linejoin="round" stroke-linecap="round" aria-hidden="true"><path d="${SECTION_TEXTS[name].icon}"></path></svg>${SECTION_TEXTS[name].name}</a>`,
      )}
    </nav>
    <details class="user">
      <summary><span dir="auto">${user.name || user.email}</span></summary>
      <div>
        <p>${user.email}<br />${ROLE_TEXTS[user.role].name}</p>
        ${ownForm(ctx, forms, '/console/sign-out', submitButton('Sign out', 'quiet'))}
      </div>
    </details>
  </header>`;
}
