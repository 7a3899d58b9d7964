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
import { textRule } from '../web/elements.ts';
import { type Responder, showPage } from '../web/page.ts';
import type { ConsoleDeps } from '../web/screen.ts';
import { deleteDraft } from '../web/form-draft.ts';
import {
  readCookie,
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
export interface SignInSite {
  deps: ConsoleDeps;
  limits: SessionLimits & SignInLimits;
  failedLogins: FailedLogins;
  responder: Responder;
}

/** A page or a form. The token of every form is verified, and a page for a user leads browsers without a session to the page to sign in. */
type SignInRoute = { method: 'get' | 'post'; path: string } & (
  | { respond: (site: SignInSite, ctx: ConsoleContext) => void | Promise<void> }
  | { respondTo: (site: SignInSite, ctx: ConsoleContext, user: User) => Promise<void> }
);

const routes: readonly SignInRoute[] = [
  { method: 'get', path: '/', respondTo: showFirstMerchant },
  { method: 'get', path: '/merchants', respondTo: showMerchants },
  { method: 'get', path: '/sign-in', respond: showSignInOnce },
  { method: 'post', path: '/sign-in', respond: sendLink },
  { method: 'get', path: '/sign-in/sent', respond: ({ responder }, ctx) => showPage(ctx, responder, linkSentPage()) },
  { method: 'post', path: '/passkey', respond: acceptPasskey },
  { method: 'get', path: '/link/:token', respond: showLink },
  { method: 'post', path: '/link/:token', respond: acceptLink },
  { method: 'post', path: '/sign-out', respond: endSession },
];

/** Pages on which users sign in and out, and change between merchants. They work in browsers without a session. */
export function signInRoutes(site: SignInSite): Router<ConsoleState> {
  const router = new Router<ConsoleState>({ prefix: '/console' });
  for (const route of routes) {
    router[route.method](route.path, async (ctx) => {
      if (route.method === 'post' && verifyOwnForm(ctx, site.responder.forms) !== 'valid') {
        return showSignIn(site, ctx, 403, { formError: () => t.form.invalidToken });
      }
      if ('respond' in route) return route.respond(site, ctx);
      const { signedIn } = ctx.state.visit;
      if (!signedIn) return seeOther(ctx, '/console/sign-in');
      await route.respondTo(site, ctx, signedIn.user);
    });
  }
  return router;
}

async function showFirstMerchant({ deps }: SignInSite, ctx: ConsoleContext, user: User): Promise<void> {
  seeOther(ctx, `/console/${(await merchantOfScope(deps.database.query, user)).id}`);
}

async function showMerchants({ deps, responder }: SignInSite, ctx: ConsoleContext, user: User): Promise<void> {
  const { tenantId, merchantId } = user;
  const { q, after } = ctx.query;
  const name = typeof q === 'string' ? q.slice(0, 100) : '';
  const merchants = await merchantsOf(deps.database.query, {
    tenantId,
    merchantId: merchantId ?? undefined,
    name,
    after: typeof after === 'string' && isId(after) ? after : undefined,
    limit: MERCHANTS_PER_PAGE + 1,
  });
  showPage(ctx, responder, merchantsPage(merchants, name));
}

/** Shows the page to sign in, unless the user has signed in recently. */
async function showSignInOnce(site: SignInSite, ctx: ConsoleContext): Promise<void> {
  const { signedIn, now } = ctx.state.visit;
  if (signedIn && isRecent(signedIn, now)) return seeOther(ctx, ownAddress(ctx.query['to']));
  await showSignIn(site, ctx, 200);
}

async function showSignIn(
  { deps, responder }: SignInSite,
  ctx: ConsoleContext,
  status: number,
  change: Partial<FormState> = {},
): Promise<void> {
  const { visit } = ctx.state;
  visit.browserToken ??= setBrowserToken(ctx, responder.forms.ownOrigin, newBrowserToken());
  const passkeyOptions = await requestOptions(deps.passkeySite, visit.browserToken, visit.now);
  const knownEmail = visit.signedIn?.user.email;
  const state = { ...emptyForm(), ...change };
  const options = { query: queryOf(ctx), knownEmail, state, passkeyOptions, isSandbox: deps.mode === 'sandbox' };
  showPage(ctx, responder, { ...signInPage(formOf(ctx, responder.forms), options), status });
}

/** E-mails a link to sign in, within the limits. */
async function sendLink(site: SignInSite, ctx: ConsoleContext): Promise<void> {
  const { limits, failedLogins } = site;
  const { database, mail, wakeDelivery } = site.deps;
  const { visit } = ctx.state;
  const browserToken = visit.browserToken!;
  const known = visit.signedIn?.user.email;
  const body = known === undefined ? ctx.request.body : { email: known };
  const read = readForm({ email: emailRule }, body);
  if (!read.ok) return showSignIn(site, ctx, 422, read);
  const { email } = read.values;
  const session = known === undefined ? undefined : browserToken;
  const device = deviceOf(ctx, site.responder.forms, email, visit.now);
  const attempt = { email, networks: clientNetworks(ctx), session, device };
  const waitSeconds = await countSignIn(database, attempt, limits, visit.now);
  if (waitSeconds > 0) {
    failedLogins.add('user-locked-out', networkOf(ctx), visit.now);
    ctx.set('retry-after', String(waitSeconds));
    return showSignIn(site, ctx, 429, { values: { email }, formError: locked(waitSeconds) });
  }
  // Without the query of the page (after `%3F`, the encoded question mark), which may contain the name that a person has searched for.
  const [query = ''] = queryOf(ctx).split('%3F', 1);
  const request = { email, browserToken, query };
  // After the response, whose time must not depend on whether there is a user with this address.
  setImmediate(() => {
    sendSignInLinks(database, request, mail, visit.now)
      .then(wakeDelivery)
      .catch((thrown: unknown) => ctx.app.emit('error', thrown, ctx));
  });
  seeOther(ctx, '/console/sign-in/sent');
}

async function acceptPasskey(site: SignInSite, ctx: ConsoleContext): Promise<void> {
  const { deps, limits, failedLogins } = site;
  const tokens = tokensOf(ctx);
  const { now } = ctx.state.visit;
  const credential = hiddenField(ctx.request.body, 'credential');
  const user = await signInWithPasskey(deps.database, deps.passkeySite, credential, tokens, limits, now);
  if (user) return continueAs(site, ctx, user, tokens.after, ownAddress(ctx.query['to']));
  failedLogins.add('user-sign-in-failed', networkOf(ctx), now);
  await showSignIn(site, ctx, 422, { formError: () => 'The passkey was not accepted. Try again, or use an e-mailed link.' });
}

async function showLink({ deps, responder }: SignInSite, ctx: ConsoleContext): Promise<void> {
  const { query } = deps.database;
  const { token = '' } = ctx.params;
  const { browserToken, now } = ctx.state.visit;
  const state = await readLink(query, token, browserToken, now);
  const merchant = state.status === 'usable' ? await merchantOfScope(query, state.user) : undefined;
  showPage(ctx, responder, linkPage(formOf(ctx, responder.forms), state, merchant, pathOfLink(token) + queryOf(ctx)));
}

/** Signs in with a link. Invited users add a passkey first, unless the link leads elsewhere. */
async function acceptLink(site: SignInSite, ctx: ConsoleContext): Promise<void> {
  const { database } = site.deps;
  const { token = '' } = ctx.params;
  const tokens = tokensOf(ctx);
  const { now } = ctx.state.visit;
  const state = await signInWithLink(database, token, tokens, site.limits, now);
  if (state.status !== 'usable') {
    site.failedLogins.add('user-sign-in-failed', networkOf(ctx), now);
    return showPage(ctx, site.responder, linkPage(formOf(ctx, site.responder.forms), state, undefined, ''));
  }
  const { link, user } = state;
  const address =
    link.purpose === 'sign-in' || ctx.query['to'] !== undefined
      ? ownAddress(ctx.query['to'])
      : `/console/${(await merchantOfScope(database.query, user)).id}/settings/passkeys`;
  continueAs(site, ctx, user, tokens.after, address);
}

async function endSession({ deps, responder: { forms } }: SignInSite, ctx: ConsoleContext): Promise<void> {
  const { signedIn, browserToken, now } = ctx.state.visit;
  if (signedIn) await signOut(deps.database, signedIn, browserToken!, now);
  setBrowserToken(ctx, forms.ownOrigin, newBrowserToken());
  deleteDraft(ctx, forms.ownOrigin);
  seeOther(ctx, '/console/sign-in');
}

/** The tokens of a browser that signs in: the earlier one is not used again. */
const tokensOf = ({ state }: ConsoleContext) => ({ before: state.visit.browserToken, after: newBrowserToken() });

function continueAs(
  { responder: { forms } }: SignInSite,
  ctx: ConsoleContext,
  { email }: User,
  after: string,
  address: string,
): void {
  setBrowserToken(ctx, forms.ownOrigin, after);
  rememberDevice(ctx, forms, email, ctx.state.visit.now);
  seeOther(ctx, address);
}

function formOf(ctx: ConsoleContext, forms: OwnForms): OwnForm {
  return (address, content) => ownForm(ctx, forms, address, content);
}

function networkOf(ctx: ConsoleContext): string {
  return truncatedNetwork(clientNetworks(ctx));
}

/** Returns the parameter that contains where the user continues. */
function queryOf(ctx: ConsoleContext): string {
  const to = ctx.query['to'];
  return to === undefined ? '' : `?${new URLSearchParams({ to: ownAddress(to) }).toString()}`;
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
  setCookie(ctx, ownOrigin, DEVICE_COOKIE, value, YEAR_SECONDS);
}

/** Returns the id of a browser with which the person with this e-mail address has signed in; undefined for other browsers. */
function deviceOf(ctx: Pick<Context, 'cookies'>, { key, ownOrigin }: OwnForms, email: string, now: Instant): string | undefined {
  const value = readCookie(ctx, ownOrigin, DEVICE_COOKIE) ?? '';
  // An expired token is valid here: its lifetime is for forms, and the browser deletes the cookie after a year.
  return verifyToken(key, identityOf(email), value, now) === 'forged' ? undefined : idOfToken(value);
}

function identityOf(email: string): string[] {
  return ['device', email.trim().toLowerCase()];
}
