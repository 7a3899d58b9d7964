import Router from '@koa/router';
import { fileURLToPath } from 'node:url';
import { formBody, readFormWithFile, USER_FORM } from '../http/body.ts';
import type { Middleware } from '../http/context.ts';
import { serviceErrorOf } from '../http/errors.ts';
import type { OwnForms } from '../http/pages/form.ts';
import { clientNetworks, type Limiter, requireWithin } from '../http/rate-limit.ts';
import { createStylesheet, ownFileRoutes, staticFile } from '../http/static-files.ts';
import { emptyForm } from '../http/pages/elements.ts';
import { isId } from '../base/ids.ts';
import { seeOther } from '../http/pages/html.ts';
import { findMerchant } from '../merchants/store.ts';
import { actions, screens } from './screens.ts';
import { type ConsoleSite, notFound, reject, showScreen, addressOf, type ScreenRequest, show } from './show.ts';
import { signInRoutes } from './sign-in/routes.ts';
import { submit } from './submit.ts';
import { findSignedIn, findLastUser, isRecent } from './users/sessions.ts';
import { errorPage } from './web/error-pages.ts';
import { takeDraft, saveDraft } from './web/form-draft.ts';
import { showPage } from './web/page.ts';
import type { Screen, ScreenAction } from './web/screen.ts';
import { browserTokenIn, CONSOLE_HEADERS, type ConsoleContext, type ConsoleState, verifyOwnForm } from './web/visit.ts';
import { isPermitted } from './users/roles.ts';
import { isVisibleTo } from './users/users.ts';

/** Dependencies of the console. */
export interface ConsoleRouteDeps extends Omit<ConsoleSite, 'responder'> {
  forms: OwnForms;
  /** Limits requests of a user, or else of an address. */
  pageLimit: Limiter;
}

/** The console, `/console`: pages for the people of a merchant, `/console/MERCHANT_ID/…`. `screens.ts` lists them with their forms. */
export function consoleRoutes({ forms, pageLimit, ...rest }: ConsoleRouteDeps): Middleware[] {
  const pathOf = (file: string) => fileURLToPath(new URL(`./web/${file}`, import.meta.url));
  const stylesheet = createStylesheet(
    [pathOf('../../http/pages/elements.css'), pathOf('../../http/pages/chart.css'), pathOf('console.css')],
    '/console/console.css',
  );
  const script = staticFile(pathOf('console.js'), '/console');
  const site: ConsoleSite = { ...rest, responder: { forms, mode: rest.deps.mode, stylesheet, script } };

  const pages = new Router<ConsoleState>({ prefix: '/console/:merchantId' });
  for (const screen of screens) pages.get(`/${screen.path}`, pageOf(site, screen));
  for (const action of actions) pages.post(`/${action.path}`, formOf(site, action));

  const [formOfStranger, formOfUser] = [formBody(), formBody(USER_FORM)];
  const readForm: Middleware<ConsoleState> = (ctx, next) => (ctx.state.visit.signedIn ? formOfUser : formOfStranger)(ctx, next);
  const reloadAfterBody: Middleware<ConsoleState> = async (ctx, next) => {
    if (ctx.method === 'POST') await reload(site, ctx);
    await next();
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `visit` sets the state that the others read
  return [
    ownFileRoutes(stylesheet, script).middleware(),
    visit(site, pageLimit),
    // Reads no form with a file: only an action with `hasFile` does.
    readForm,
    reloadAfterBody,
    signInRoutes(site).middleware(),
    pages.middleware(),
    (ctx: ConsoleContext) => notFound(site, ctx),
  ] as Middleware[];
}

/** Loads the session, limits requests, and maps errors to pages. */
function visit({ deps, limits, responder }: ConsoleSite, pageLimit: Limiter): Middleware<ConsoleState> {
  return async (context, next) => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the router adds the parameters of the path
    const ctx = context as ConsoleContext;
    ctx.set(CONSOLE_HEADERS);
    const now = deps.realClock.now();
    const browserToken = browserTokenIn(ctx, responder.forms.ownOrigin);
    ctx.state.visit = { browserToken, signedIn: undefined, now };
    try {
      const signedIn = await findSignedIn(deps.database, browserToken, limits, now);
      ctx.state.visit.signedIn = signedIn;
      // Counted by user, because people of one office have one address.
      requireWithin(ctx, pageLimit, ...(signedIn ? [signedIn.user.id] : clientNetworks(ctx)));
      await next();
    } catch (thrown) {
      const error = serviceErrorOf(thrown);
      if (error) reject(ctx, error);
      else {
        ctx.state.isFault = true;
        ctx.app.emit('error', thrown, ctx);
      }
      showPage(ctx, responder, errorPage(error));
    }
  };
}

/** Loads the session again after the body of a form, for which a client takes its time. The user may have been removed meanwhile. */
async function reload({ deps, limits }: ConsoleSite, { state }: { state: ConsoleState }): Promise<void> {
  const { signedIn, browserToken } = state.visit;
  if (signedIn) state.visit.signedIn = await findSignedIn(deps.database, browserToken, limits, deps.realClock.now());
}

/** Returns the handler of a page, with what was typed before the user had to sign in again. */
function pageOf(site: ConsoleSite, screen: Screen): (ctx: ConsoleContext) => Promise<void> {
  return enter(site, screen, screen, async (screenRequest) => {
    const values = await takeDraft(screenRequest.ctx, site.responder.forms, screenRequest.signedIn.user.id);
    await showScreen(site, screenRequest, 200, { ...emptyForm(), values });
  });
}

/** Returns the handler of a form. */
function formOf(site: ConsoleSite, action: ScreenAction): (ctx: ConsoleContext) => Promise<void> {
  const submitForm = enter(site, action.screen, action, (screenRequest) => submit(site, screenRequest, action));
  if (!action.hasFile) return submitForm;
  // Reading a file is work, which only a user who may send it can cause. A recent sign-in is required afterwards, by `submitForm`, so that
  // what was typed is kept meanwhile.
  return enter(site, action.screen, { ...action, isSensitive: false }, async ({ ctx }) => {
    if (ctx.request.is('multipart/form-data')) {
      ctx.request.body = await readFormWithFile(ctx);
      await reload(site, ctx);
    }
    await submitForm(ctx);
  });
}

/**
 * Returns the handler of a page or a form, which runs `respond` for a signed-in user who sees the merchant, has the permission, and has
 * signed in recently where that is required. Otherwise shows another page.
 */
function enter(
  site: ConsoleSite,
  screen: Screen,
  { permission, isSensitive }: Pick<Screen, 'permission' | 'isSensitive'>,
  respond: (screenRequest: ScreenRequest) => Promise<void>,
): (ctx: ConsoleContext) => Promise<void> {
  const { database, mode } = site.deps;
  return async (ctx) => {
    const { signedIn, now } = ctx.state.visit;
    const { merchantId = '' } = ctx.params;
    if (!signedIn) return signInAgain(site, ctx, screen);
    const merchant = isId(merchantId) ? await findMerchant(database.query, merchantId) : undefined;
    if (!merchant || !isVisibleTo({ tenantId: merchant.tenantId, merchantId: merchant.id }, signedIn.user))
      return notFound(site, ctx);
    const screenRequest = { ctx, signedIn, merchant, screen };
    if (screen.isSandboxOnly && mode !== 'sandbox') return show(site, screenRequest, errorPage('not-found'));
    if (!isPermitted(signedIn.user.role, permission)) return show(site, screenRequest, errorPage('forbidden'));
    if (isSensitive && !isRecent(signedIn, now)) return signInAgain(site, ctx, screen);
    await respond(screenRequest);
  };
}

/** Leads to the page to sign in, and back to the screen, with what was typed in a form. */
async function signInAgain({ deps, responder }: ConsoleSite, ctx: ConsoleContext, { path }: Screen): Promise<void> {
  const { browserToken, now } = ctx.state.visit;
  const isPost = ctx.method === 'POST';
  const address = isPost ? addressOf(ctx.params['merchantId'] ?? '', filled(path, ctx.params)) : ctx.url;
  const { forms } = responder;
  const userId = isPost && verifyOwnForm(ctx, forms) === 'valid' && (await findLastUser(deps.database.query, browserToken, now));
  if (userId) await saveDraft(ctx, forms, userId, address);
  seeOther(ctx, `/console/sign-in?${new URLSearchParams({ to: address }).toString()}`);
}

/** Replaces the variables of a path. */
function filled(path: string, params: Readonly<Record<string, string>>): string {
  return path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
}
