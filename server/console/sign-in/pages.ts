import { html } from '@lit-labs/ssr';
import { nothing } from 'lit';
import type { Html } from '../../http/pages/html.ts';
import type { Merchant } from '../../merchants/store.ts';
import { type FormState, textField } from '../../http/pages/elements.ts';
import type { LinkState } from '../users/sign-in.ts';
import { submitButton } from '../web/elements.ts';
import { list } from '../web/list.ts';
import type { ConsolePage } from '../web/screen.ts';
import { ROLE_TEXTS, t } from '../web/texts.ts';

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
export function signInPage(form: OwnForm, { query, knownEmail, state, passkeyOptions, isSandbox }: SignInOptions): ConsolePage {
  return {
    title: knownEmail === undefined ? 'Sign in to the console' : 'Confirm that it is you',
    formState: state,
    content: html`${knownEmail === undefined ? nothing : html`<p class="lead">Sign in again to continue. This is asked for changes of money, keys and people, 10 minutes after the last sign-in.</p>`}
      <div class="scripted">
        ${form(
          `/console/passkey${query}`,
          html`<input type="hidden" name="credential" />
            <button data-passkey="${JSON.stringify(passkeyOptions)}" data-failed="The passkey was not accepted. Try again, or use an e-mailed link.">Sign in with a passkey</button>`,
        )}
        <p class="or">or</p>
      </div>
      ${form(
        `/console/sign-in${query}`,
        knownEmail === undefined
          ? html`${textField(t, state, { name: 'email', label: 'E-mail address', autocomplete: 'username', type: 'email' })}
            ${submitButton('E-mail me a link', 'quiet')}`
          : html`<p>The link is sent to ${knownEmail}.</p>${submitButton('E-mail me a link', 'quiet')}`,
      )}
      ${isSandbox ? html`<p class="hint">The sandbox sends no e-mails. npm start and the command fairterm user add print a link to sign in.</p>` : nothing}`,
  };
}

/** The page after a link was requested. It does not depend on whether there is a user with the address. */
export function linkSentPage(): ConsolePage {
  return {
    title: 'Check your e-mail',
    content: html`<p class="lead">If a user has this address, we have sent a link. Open it in this browser within 15 minutes.</p><p><a href="/console/sign-in">Ask for another link</a></p>`,
  };
}

/** The page of an e-mailed link. */
export function linkPage(form: OwnForm, state: LinkState, merchant: Merchant | undefined, address: string): ConsolePage {
  if (state.status !== 'usable') {
    const isExpired = state.status === 'expired';
    return {
      title: isExpired ? 'This link no longer works' : 'Open the link in the other browser',
      status: isExpired ? 410 : 403,
      content: html`<p class="lead">${
        isExpired
          ? 'It was used already, or it has expired.'
          : 'A link to sign in works only in the browser in which it was requested. Open it there, or ask for another one here.'
      }</p>
        <p><a class="button" href="/console/sign-in">Ask for another link</a></p>`,
    };
  }
  const { user, link } = state;
  const name = merchant?.name ?? '';
  if (link.purpose === 'invitation')
    return {
      title: `Welcome to the console of ${name}`,
      content: html`<p class="lead">You accept the invitation as ${user.email}, with the role ${ROLE_TEXTS[user.role].name}.</p>
        ${form(address, submitButton('Accept the invitation'))}`,
    };
  return {
    title: 'Sign in',
    content: html`<p class="lead">You sign in to the console of ${name} as ${user.email}.</p>${form(address, submitButton('Sign in'))}`,
  };
}

/** Merchants on one page of the list. */
export const MERCHANTS_PER_PAGE = 50;

/**
 * The merchants of a tenant, which a user can change between.
 *
 * @param found - One more than are shown if there is another page.
 */
export function merchantsPage(found: readonly Pick<Merchant, 'id' | 'name' | 'storeUrl'>[], search: string): ConsolePage {
  const rows = found.slice(0, MERCHANTS_PER_PAGE);
  const next = new URLSearchParams({ ...(search !== '' && { q: search }), after: rows.at(-1)?.id ?? '' });
  return {
    title: 'Merchants',
    content: list({
      caption: 'Merchants',
      rows,
      next: found.length > rows.length ? `/console/merchants?${next.toString()}` : undefined,
      empty: 'No merchant has this name.',
      filters: html`<form class="filters" role="search">
        <label class="hidden" for="q">Search</label>
        <input id="q" name="q" type="search" value="${search}" placeholder="Search" autocomplete="off" />
        ${submitButton('Search', 'quiet')}
      </form>`,
      columns: [
        { label: 'Name', cell: ({ id, name }) => html`<a href="/console/${id}" dir="auto">${name}</a>` },
        { label: 'Store', cell: ({ storeUrl }) => storeUrl },
      ],
    }),
  };
}
