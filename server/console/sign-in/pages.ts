import { html } from '@lit-labs/ssr';
import { nothing } from 'lit';
import { fill } from '../../../shared/languages/texts.ts';
import type { Html } from '../../http/html.ts';
import type { Merchant } from '../../merchants/store.ts';
import { type FormState, textField } from '../../pages/elements.ts';
import type { Texts } from '../../texts.ts';
import type { LinkState } from '../../users/sign-in.ts';
import { submitButton } from '../web/form.ts';
import { list } from '../web/list.ts';
import type { ConsolePage } from '../web/screen.ts';

/** Renders a form that is posted to an address of the console, with its token. */
export type OwnForm = (address: string, content: Html) => Html;

export interface SignInOptions {
  /** Address at which the user continues, as a query: `?to=…`. */
  query: string;
  /** E-mail address of the signed-in user, who proves again who they are. */
  knownEmail: string | undefined;
  state: FormState;
  /** The options of a passkey, for the script. */
  passkeyOptions: unknown;
  isSandbox: boolean;
}

/** The page on which a user signs in, or proves again who they are. */
export function signInPage(
  t: Texts,
  form: OwnForm,
  { query, knownEmail, state, passkeyOptions, isSandbox }: SignInOptions,
): ConsolePage {
  const own = t.console.signIn;
  return {
    title: knownEmail === undefined ? own.title : own.againTitle,
    formState: state,
    content: html`${knownEmail === undefined ? nothing : html`<p class="lead">${own.againLead}</p>`}
      <div class="scripted">
        ${form(
          `/console/passkey${query}`,
          html`<input type="hidden" name="credential" />
            <button data-passkey="${JSON.stringify(passkeyOptions)}" data-failed="${own.passkeyFailed}">${own.withPasskey}</button>`,
        )}
        <p class="or">${own.or}</p>
      </div>
      ${form(
        `/console/sign-in${query}`,
        knownEmail === undefined
          ? html`${textField(t, state, { name: 'email', label: own.email, autocomplete: 'username', type: 'email' })}
            ${submitButton(own.sendLink, 'quiet')}`
          : html`<p>${fill(own.linkTo, { email: knownEmail })}</p>${submitButton(own.sendLink, 'quiet')}`,
      )}
      ${isSandbox ? html`<p class="hint">${own.sandboxHint}</p>` : nothing}`,
  };
}

/** The page after a link was requested. It does not depend on whether there is a user with the address. */
export function linkSentPage(t: Texts): ConsolePage {
  const own = t.console.signIn;
  return {
    title: own.sentTitle,
    content: html`<p class="lead">${own.sentLead}</p><p><a href="/console/sign-in">${own.again}</a></p>`,
  };
}

/** The page of an e-mailed link. */
export function linkPage(
  t: Texts,
  form: OwnForm,
  state: LinkState,
  merchant: Merchant | undefined,
  address: string,
): ConsolePage {
  const own = t.console.signIn;
  if (state.status !== 'usable') {
    const { title, lead } = state.status === 'expired' ? own.expired : own.otherBrowser;
    return {
      title,
      status: state.status === 'expired' ? 410 : 403,
      content: html`<p class="lead">${lead}</p><p><a class="button" href="/console/sign-in">${own.again}</a></p>`,
    };
  }
  const { user, link } = state;
  const { title, lead, button } = link.purpose === 'invitation' ? own.invitation : own.link;
  const shown = { merchant: merchant?.name ?? '', email: user.email, role: t.console.roles[user.role].name };
  return {
    title: fill(title, shown),
    content: html`<p class="lead">${fill(lead, shown)}</p>${form(address, submitButton(button))}`,
  };
}

/** Merchants on one page of the list. */
export const MERCHANTS_PER_PAGE = 50;

/**
 * The merchants of a tenant, which a user can change between.
 *
 * @param found - One more than are shown if there is another page.
 */
export function merchantsPage(
  t: Texts,
  found: readonly Pick<Merchant, 'id' | 'name' | 'storeUrl'>[],
  search: string,
): ConsolePage {
  const own = t.console.merchants;
  const rows = found.slice(0, MERCHANTS_PER_PAGE);
  const next = new URLSearchParams({ ...(search !== '' && { q: search }), after: rows.at(-1)?.id ?? '' });
  return {
    title: own.title,
    content: list(t, {
      caption: own.title,
      rows,
      next: found.length > rows.length ? `/console/merchants?${next.toString()}` : undefined,
      empty: own.empty,
      filters: html`<form class="filters" role="search">
        <label class="hidden" for="q">${own.search}</label>
        <input id="q" name="q" type="search" value="${search}" placeholder="${own.search}" autocomplete="off" />
        ${submitButton(own.search, 'quiet')}
      </form>`,
      columns: [
        { label: own.name, cell: ({ id, name }) => html`<a href="/console/${id}" dir="auto">${name}</a>` },
        { label: own.store, cell: ({ storeUrl }) => storeUrl },
      ],
    }),
  };
}
