import { seeOther } from '../../http/pages/html.ts';
import Router from '@koa/router';
import { Email } from '../../../shared/wire/contact-fields.ts';
import { clientNetworks, truncatedNetwork } from '../../http/rate-limit.ts';
import { isId } from '../../base/ids.ts';
import { merchantsOf } from '../../merchants/store.ts';
import { emptyForm, type FormState } from '../../http/pages/elements.ts';
import { hiddenField, type Message, readForm } from '../../http/pages/read-form.ts';
import type { FailedLogins } from '../../merchants/failed-logins.ts';
import { merchantOfScope } from '../users/link-email.ts';
import { requestOptions, signInWithPasskey } from '../users/passkeys.ts';
import { isRecent, newBrowserToken, type SessionLimits, signOut } from '../users/sessions.ts';
import { countSignIn, readLink, sendSignInLinks, type SignInLimits, signInWithLink } from '../users/sign-in.ts';
import type { User } from '../users/store.ts';
import { pathOfLink } from '../users/users.ts';
import { textRule } from '../web/form.ts';
import { type Responder, showPage } from '../web/page.ts';
import type { ConsoleDeps } from '../web/screen.ts';
import { deleteDraft } from '../web/form-draft.ts';
import {
  cookieName,
  ownAddress,
  ownForm,
  setBrowserToken,
  setCookie,
  type ConsoleContext,
  type ConsoleState,
  verifyOwnForm,
} from '../web/visit.ts';
import { t } from '../web/texts.ts';
import { linkPage, linkSentPage, MERCHANTS_PER_PAGE, merchantsPage, type OwnForm, signInPage } from './pages.ts';
import type { Context } from '../../http/context.ts';
import { idOfToken, issueToken, type OwnForms, verifyToken } from '../../http/pages/form.ts';
import type { Instant } from '../../base/time.ts';

/** Dependencies of the pages on which users sign in. */
export interface SignInDeps {
  deps: ConsoleDeps;
  limits: SessionLimits & SignInLimits;
  failedLogins: FailedLogins;
  trustProxy: boolean;
}

/** Pages on which users sign in and out, and change between merchants. They work in browsers without a session. */
export function signInRoutes({ deps, limits, failedLogins, trustProxy }: SignInDeps, responder: Responder): Router<ConsoleState> {
  const { database, mode, passkeySite, publicUrl, operator, messageHandlings, onEnqueued } = deps;
  const { forms } = responder;
  const router = new Router<ConsoleState>({ prefix: '/console' });

  const formOf =
    (ctx: ConsoleContext): OwnForm =>
    (address, content) =>
      ownForm(ctx, forms, address, content);
  const networkOf = (ctx: ConsoleContext) => truncatedNetwork(clientNetworks(ctx.req, trustProxy));
  /** The parameter that contains where the user continues. */
  const queryOf = (ctx: ConsoleContext) => {
    const to = ctx.query['to'];
    return to === undefined ? '' : `?${new URLSearchParams({ to: ownAddress(to) }).toString()}`;
  };

  const showSignIn = async (ctx: ConsoleContext, status: number, change: Partial<FormState> = {}): Promise<void> => {
    const { visit } = ctx.state;
    visit.browserToken ??= setBrowserToken(ctx, forms.ownOrigin, newBrowserToken());
    const passkeyOptions = await requestOptions(passkeySite, visit.browserToken, visit.now);
    const knownEmail = visit.signedIn?.user.email;
    const state = { ...emptyForm(), ...change };
    const options = { query: queryOf(ctx), knownEmail, state, passkeyOptions, isSandbox: mode === 'sandbox' };
    showPage(ctx, responder, { ...signInPage(formOf(ctx), options), status });
  };

  /** Returns true if the form is of this browser. Otherwise shows the page to sign in again. */
  const isOwnForm = async (ctx: ConsoleContext): Promise<boolean> => {
    if (verifyOwnForm(ctx, forms) === 'valid') return true;
    await showSignIn(ctx, 403, { formError: () => t.form.invalidToken });
    return false;
  };

  /** The tokens of a browser that signs in: the earlier one is not used again. */
  const tokensOf = ({ state }: ConsoleContext) => ({ before: state.visit.browserToken, after: newBrowserToken() });

  const continueAs = (ctx: ConsoleContext, { email }: User, after: string, address: string): void => {
    setBrowserToken(ctx, forms.ownOrigin, after);
    rememberDevice(ctx, forms, email, ctx.state.visit.now);
    seeOther(ctx, address);
  };

  router.get('/sign-in', async (ctx) => {
    const { signedIn, now } = ctx.state.visit;
    if (signedIn && isRecent(signedIn, now)) return seeOther(ctx, ownAddress(ctx.query['to']));
    await showSignIn(ctx, 200);
  });

  router.post('/sign-in', async (ctx) => {
    if (!(await isOwnForm(ctx))) return;
    const { visit } = ctx.state;
    const browserToken = visit.browserToken!;
    const known = visit.signedIn?.user.email;
    const body = known === undefined ? ctx.request.body : { email: known };
    const read = readForm({ email: emailRule }, body);
    if (!read.ok) return showSignIn(ctx, 422, read);
    const { email } = read.values;
    const session = known === undefined ? undefined : browserToken;
    const device = deviceOf(ctx, forms, email, visit.now);
    const attempt = { email, networks: clientNetworks(ctx.req, trustProxy), session, device };
    const waitSeconds = await countSignIn(database, attempt, limits, visit.now);
    if (waitSeconds > 0) {
      failedLogins.add('user-locked-out', networkOf(ctx), visit.now);
      ctx.set('retry-after', String(waitSeconds));
      return showSignIn(ctx, 429, { values: { email }, formError: locked(waitSeconds) });
    }
    // Without the query of the page, which may contain the name that a person has searched for.
    const query = queryOf(ctx).replace(/%3F.*$/, '');
    const request = { email, browserToken, query };
    const mail = { publicUrl, operator, handling: messageHandlings.email };
    // After the response, whose time must not depend on whether there is a user with this address.
    setImmediate(() => {
      sendSignInLinks(database, request, mail, visit.now)
        .then(onEnqueued)
        .catch((thrown: unknown) => ctx.app.emit('error', thrown, ctx));
    });
    seeOther(ctx, '/console/sign-in/sent');
  });

  router.get('/sign-in/sent', (ctx) => showPage(ctx, responder, linkSentPage()));

  router.post('/passkey', async (ctx) => {
    if (!(await isOwnForm(ctx))) return;
    const tokens = tokensOf(ctx);
    const { now } = ctx.state.visit;
    const credential = hiddenField(ctx.request.body, 'credential');
    const user = await signInWithPasskey(database, passkeySite, credential, tokens, limits, now);
    if (user) return continueAs(ctx, user, tokens.after, ownAddress(ctx.query['to']));
    failedLogins.add('user-sign-in-failed', networkOf(ctx), now);
    await showSignIn(ctx, 422, { formError: () => 'The passkey was not accepted. Try again, or use an e-mailed link.' });
  });

  router.get('/link/:token', async (ctx) => {
    const { token = '' } = ctx.params;
    const { browserToken, now } = ctx.state.visit;
    const state = await readLink(database.query, token, browserToken, now);
    const merchant = state.status === 'usable' ? await merchantOfScope(database.query, state.user) : undefined;
    showPage(ctx, responder, linkPage(formOf(ctx), state, merchant, pathOfLink(token) + queryOf(ctx)));
  });

  router.post('/link/:token', async (ctx) => {
    if (!(await isOwnForm(ctx))) return;
    const { token = '' } = ctx.params;
    const tokens = tokensOf(ctx);
    const { now } = ctx.state.visit;
    const state = await signInWithLink(database, token, tokens, limits, now);
    if (state.status === 'usable') {
      const { link, user } = state;
      return continueAs(ctx, user, tokens.after, await firstAddress(ctx, link.purpose, user));
    }
    failedLogins.add('user-sign-in-failed', networkOf(ctx), now);
    showPage(ctx, responder, linkPage(formOf(ctx), state, undefined, ''));
  });

  /** Invited users add a passkey first. */
  const firstAddress = async (ctx: ConsoleContext, purpose: 'invitation' | 'sign-in', user: User): Promise<string> => {
    if (purpose === 'sign-in') return ownAddress(ctx.query['to']);
    return `/console/${(await merchantOfScope(database.query, user)).id}/settings/passkeys`;
  };

  router.post('/sign-out', async (ctx) => {
    if (!(await isOwnForm(ctx))) return;
    const { signedIn, browserToken, now } = ctx.state.visit;
    if (signedIn) await signOut(database, signedIn, browserToken!, now);
    setBrowserToken(ctx, forms.ownOrigin, newBrowserToken());
    deleteDraft(ctx, forms.ownOrigin);
    seeOther(ctx, '/console/sign-in');
  });

  router.get('/', async (ctx) => {
    const { signedIn } = ctx.state.visit;
    if (!signedIn) return seeOther(ctx, '/console/sign-in');
    seeOther(ctx, `/console/${(await merchantOfScope(database.query, signedIn.user)).id}`);
  });

  router.get('/merchants', async (ctx) => {
    const { signedIn } = ctx.state.visit;
    if (!signedIn) return seeOther(ctx, '/console/sign-in');
    const { tenantId, merchantId } = signedIn.user;
    const { q, after } = ctx.query;
    const name = typeof q === 'string' ? q.slice(0, 100) : '';
    const merchants = await merchantsOf(database.query, {
      tenantId,
      merchantId: merchantId ?? undefined,
      name,
      after: typeof after === 'string' && isId(after) ? after : undefined,
      limit: MERCHANTS_PER_PAGE + 1,
    });
    showPage(ctx, responder, merchantsPage(merchants, name));
  });

  return router;
}

const emailRule = textRule(Email, () => 'Enter your e-mail address, such as name@example.com');

/** Returns the message of a user who has requested too many links. */
function locked(waitSeconds: number): Message {
  return () =>
    `Too many links were requested for this address or from this network. Try again in ${Math.ceil(waitSeconds / 60)} minutes, or use a passkey.`;
}

const DEVICE_COOKIE = 'fairterm-device';
const YEAR_SECONDS = 31_536_000;

/**
 * Stores in a cookie that a person has signed in with this browser, for whom a number of links is reserved. It proves nothing else: it signs
 * no one in.
 */
function rememberDevice(ctx: Pick<Context, 'append'>, { key, ownOrigin }: OwnForms, email: string, now: Instant): void {
  const value = issueToken(key, identityOf(email), now);
  setCookie(ctx, ownOrigin, `${cookieName(DEVICE_COOKIE, ownOrigin)}=${value}; Max-Age=${YEAR_SECONDS}`);
}

/** Returns the id of a browser with which the person with this e-mail address has signed in; undefined for other browsers. */
function deviceOf(ctx: Pick<Context, 'cookies'>, { key, ownOrigin }: OwnForms, email: string, now: Instant): string | undefined {
  const value = ctx.cookies.get(cookieName(DEVICE_COOKIE, ownOrigin)) ?? '';
  // The browser deletes the cookie after a year; a form would have expired before.
  return verifyToken(key, identityOf(email), value, now) === 'forged' ? undefined : idOfToken(value);
}

function identityOf(email: string): string[] {
  return ['device', email.trim().toLowerCase()];
}
