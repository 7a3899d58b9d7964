import { html } from '@lit-labs/ssr';
import { nothing } from 'lit';
import { LANGUAGES } from '../../../shared/languages/index.ts';
import { fill } from '../../../shared/languages/texts.ts';
import { accentPath, logoPath } from '../../merchants/brand.ts';
import { errorMessage, labeledValue } from '../../http/pages/elements.ts';
import { renderFrame } from '../../http/pages/frame.ts';
import { referenceOf } from '../../lending/applications/reference.ts';
import type { Html } from '../../http/pages/html.ts';
import { contactRows } from '../../messages/contacts.ts';
import { contactLink, phoneLink } from '../../http/pages/phones.ts';
import { type Texts, texts } from '../../base/texts.ts';
import { type Session, isCancellable } from '../session/session.ts';
import type { Instant } from '../../base/time.ts';
import {
  announcement,
  type Departure,
  leadsToShop,
  LEAVES_AFTER_SECONDS,
  leavingMessage,
  openerMessage,
} from './notify-opener.ts';
import { orderSummary } from './order-summary.ts';
import { recipientSummary } from './recipients.ts';
import type { View } from './urls.ts';

export interface PageFrame extends Departure {
  /** Name of the page: the step, or by default the state of the checkout. */
  step?: string;
  title: string;
  heading: string;
  /** URLs of the style sheet and the client script. */
  stylesheet: string;
  script?: string;
  /** Path of the page below the address of the checkout. */
  path?: string;
  /** Labels of the buyer's steps and the index of the current one, on the page of a step. */
  progress?: { labels: readonly string[]; current: number };
  /** Shown above the content, as an alert. */
  notice?: string | undefined;
  /** True if the page ends a checkout because the service failed. */
  isFailure?: boolean;
  content: Html;
  /** The time at which it is shown. */
  now: Instant;
}

/** The frame of every checkout page: merchant, progress, order and footer. */
export function layout(frame: PageFrame, view: View): Html {
  const { step, title, heading, stylesheet, script, path = '', progress, session, notice, content, now } = frame;
  const { t, urls } = view;
  const merchant = session?.merchant;
  const accent = merchant?.accent ? [accentPath(merchant.accent)] : [];
  return renderFrame({
    language: t.language,
    title: `${title} · ${merchant?.name ?? 'Fairterm'}`,
    stylesheets: [stylesheet, ...accent],
    script: session && script,
    layout: progress ? 'with-order' : 'single',
    header: header(frame, view),
    aside: session && progress ? orderSummary(t, session, now) : nothing,
    step: step ?? session?.state,
    main: html`${progress ? progressBar(t, progress) : nothing}
      <h1>${heading}</h1>
      ${leadsToShop(frame, urls) ? announcement(frame.session, path, view) : nothing} ${notice ? errorMessage(notice) : nothing} ${content}
      ${session && path !== 'cancel' ? leave(session, view) : nothing} ${session ? openerChannel(session, frame, view) : nothing}`,
    footer: html`${session ? lenderLine(t, session) : nothing}
      <details>
        <summary>${t.layout.whoIsWho}</summary>
        <p>${recipientSummary(session, view)}</p>
        ${session ? license(session) : nothing} ${contacts(session, view)}
      </details>`,
  });
}

function header({ session, path = '' }: PageFrame, view: View): Html {
  const { t } = view;
  return html`<header>
    <div class="masthead">
      <p class="merchant" dir="auto">${session ? merchantMark(session.merchant) : 'Fairterm'}</p>
      ${session ? letterhead(t, session) : html`<p class="attribution">${t.layout.by}</p>`} ${otherLanguages(view, path)}
    </div>
    ${view.isSandbox ? html`<p class="sandbox"><strong>${t.layout.sandbox}</strong> ${t.layout.sandboxMeaning}</p>` : nothing}
  </header>`;
}

/** The merchant, the operator and the lender, with their addresses and where to complain. The lender's phone is above. */
function contacts(session: Session | undefined, { t, operator }: View): Html {
  const lender = session && { ...session.program.lender, phone: undefined };
  return html`<dl class="contacts">
    ${contactRows(
      { operator, lender, merchant: session?.merchant, state: session?.application?.billingContact.state },
      t.language,
    ).map(([label, parts]) =>
      labeledValue(
        label,
        parts.map((part, index) => html`${index > 0 ? ', ' : nothing}${contactLink(part)}`),
      ),
    )}
  </dl>`;
}

/** The origins that the client script posts messages to, the message of this page, if any, and the one when it leads to the shop. */
function openerChannel(session: Session, frame: PageFrame, { urls, isSandbox }: View): Html | typeof nothing {
  const { display } = urls;
  if (display === 'page') return nothing;
  const message = openerMessage(session, frame.isFailure);
  // A sandbox also notifies pages on any port of the developer's machine, and `postMessage` has no other way to name them.
  const origins = isSandbox ? '*' : session.merchant.origins.join(' ');
  return html`<div
    hidden
    data-origins="${origins}"
    data-shown="${display}"
    data-message="${message ? JSON.stringify(message) : nothing}"
    data-leaving="${leadsToShop(frame, urls) ? JSON.stringify(leavingMessage(session)) : nothing}"
    data-leaves-after="${leadsToShop(frame, urls) ? LEAVES_AFTER_SECONDS : nothing}"
  ></div>`;
}

/** Links to the same page in every other language. */
function otherLanguages({ urls }: View, path: string): Html[] {
  return LANGUAGES.filter((language) => language !== urls.lang).map(
    (language) =>
      html`<a class="language" href="${urls.in(language).to(path)}" lang="${language}" hreflang="${language}">${texts[language].languageName}</a>`,
  );
}

function progressBar(t: Texts, { labels, current }: NonNullable<PageFrame['progress']>): Html {
  return html`<ol class="progress ${labels.length > 4 ? 'with-card' : ''}" aria-label="${t.layout.steps}">
    ${labels.map(
      (label, index) =>
        html`<li class="${index < current ? 'done' : index === current ? 'current' : ''}" aria-current="${index === current ? 'step' : 'false'}">
          <span>${label}</span>
        </li>`,
    )}
  </ol>`;
}

/** The link to cancel, while there is an application to cancel. */
function leave(session: Session, { t, urls }: View): Html | typeof nothing {
  return isCancellable(session) ? html`<p class="cancel-link"><a href="${urls.to('cancel')}">${t.layout.leave}</a></p>` : nothing;
}

/** The merchant's logo, or its name. */
function merchantMark({ logo, name }: Session['merchant']): Html | string {
  return logo ? html`<img src="${logoPath(logo)}" alt="${name}" height="40" />` : name;
}

/** The lender, with its logo, at the top of a page. */
function letterhead(t: Texts, { program: { lender } }: Session): Html {
  const { name, logo } = lender;
  return html`<p class="attribution">
    ${logo ? html`<img src="${logo}" alt="" height="28" />` : nothing}<span dir="auto">${fill(t.layout.byLender, { lender: name })}</span>
  </p>`;
}

/** The lender's phone number, the reference of the application and the lender's privacy notice, on one line at the end of a page. */
function lenderLine(t: Texts, { program: { lender }, application }: Session): Html | typeof nothing {
  const { name, phone, privacyNotice } = lender;
  if (!phone && !application && !privacyNotice) return nothing;
  return html`<p>
    ${phone ? html`<span>${fill(t.layout.help, { lender: name })} ${phoneLink(phone)}</span>` : nothing}
    ${application ? html`<span>${t.emails.reference}: ${referenceOf(application.id)}</span>` : nothing}
    ${privacyNotice ? html`<a href="${privacyNotice.url}" target="_blank" rel="noopener noreferrer">${fill(t.layout.privacyNotice, { lender: name })}</a>` : nothing}
  </p>`;
}

/** The license of the lender in the buyer's state. */
function license({ program: { lender }, application }: Session): Html | typeof nothing {
  const found = application && lender.licenses[application.billingContact.state];
  return found ? html`<p>${lender.name}, ${[found.type, found.number].filter(Boolean).join(' ')}</p>` : nothing;
}
