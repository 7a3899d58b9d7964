import { seeOther } from '../http/pages/html.ts';
import Router from '@koa/router';
import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import type { Database } from '../db/database.ts';
import { ServiceError, httpStatusOf } from '../base/errors.ts';
import { formBody, readFormWithFile } from '../http/body.ts';
import type { Middleware, State } from '../http/context.ts';
import { serviceErrorOf, setRejection } from '../http/errors.ts';
import { clientNetworks, type Limiter, requireWithin } from '../http/rate-limit.ts';
import { createStylesheet, FOREVER_SECONDS, staticFile } from '../http/static-files.ts';
import { type KeyedRequest, once, type Run } from '../merchants/idempotency/once.ts';
import { isId } from '../base/ids.ts';
import { findMerchant, type Merchant } from '../merchants/store.ts';
import { emptyForm, type FormState } from '../http/pages/elements.ts';
import { idOfToken, isCrossSite, type OwnForms, tokenIn } from '../http/pages/form.ts';
import { type Message, redisplayedForm } from '../http/pages/read-form.ts';
import { localesOf } from '../lending/programs/programs.ts';
import { isPermitted } from './users/roles.ts';
import { findLastUser, findSignedIn, isRecent, requireSignedIn, type SignedIn } from './users/sessions.ts';
import type { User } from './users/store.ts';
import { isVisibleTo } from './users/users.ts';
import { actions, screens } from './screens.ts';
import { type SignInDeps, signInRoutes } from './sign-in/routes.ts';
import { errorPage, rejectionMessage } from './web/error-pages.ts';
import type { Tab } from './web/list.ts';
import { type Responder, showPage } from './web/page.ts';
import {
  type ActionResult,
  type ConsoleFile,
  type ConsolePage,
  type ConsoleRequest,
  type Screen,
  type ScreenAction,
  sectionOf,
  SECTIONS,
} from './web/screen.ts';
import { saveDraft, takeDraft } from './web/form-draft.ts';
import { t } from './web/texts.ts';
import {
  browserTokenIn,
  confirmAt,
  CONSOLE_HEADERS,
  type ConsoleContext,
  type ConsoleState,
  ownForm,
  verifyOwnForm,
} from './web/visit.ts';

/** Dependencies of the console. */
export interface ConsoleRouteDeps extends SignInDeps {
  forms: OwnForms;
  /** Limits requests of a user, or else of an address. */
  pageLimit: Limiter;
  /** Limits the files of a tenant. */
  exportLimit: Limiter;
}

/** A request of a user who sees the merchant of the address. */
interface Entry {
  ctx: ConsoleContext;
  signedIn: SignedIn;
  merchant: Merchant;
  screen: Screen;
}

/**
 * The console, `/console`: pages for the people of a merchant, `/console/MERCHANT_ID/…`. Every page and form of `screens.ts` passes the
 * same checks here: the session, the merchant, the permission, a recent sign-in, and the token of the form.
 */
export function consoleRoutes({ forms, pageLimit, exportLimit, ...signIn }: ConsoleRouteDeps): Middleware[] {
  const { deps, limits, trustProxy } = signIn;
  const { database, mode, clock, realClock } = deps;
  const pathOf = (file: string) => fileURLToPath(new URL(`./web/${file}`, import.meta.url));
  const stylesheet = createStylesheet([pathOf('../../http/pages/elements.css'), pathOf('console.css')], '/console/console.css');
  const script = staticFile(pathOf('console.js'), '/console');
  const responder: Responder = { forms, mode, stylesheet, script };

  const assets = new Router<State>();
  for (const file of [stylesheet, script]) {
    assets.get(file.path, (ctx) => {
      ctx.set('cross-origin-resource-policy', 'same-origin');
      file.send(ctx, FOREVER_SECONDS);
    });
  }

  /** Loads the session, limits requests, and maps errors to pages. */
  const visit: Middleware<ConsoleState> = async (context, next) => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the router adds the parameters of the path
    const ctx = context as ConsoleContext;
    ctx.set(CONSOLE_HEADERS);
    const { ownOrigin } = forms;
    const now = realClock.now();
    const browserToken = browserTokenIn(ctx, ownOrigin);
    ctx.state.visit = { browserToken, signedIn: undefined, now };
    try {
      const signedIn = await findSignedIn(database, browserToken, limits, now);
      ctx.state.visit.signedIn = signedIn;
      // People of one office have their own limits.
      requireWithin(ctx, pageLimit, ...(signedIn ? [signedIn.user.id] : clientNetworks(ctx.req, trustProxy)));
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

  /** Runs `respond` for a signed-in user who sees the merchant and has the permission. Otherwise shows another page. */
  const enter =
    (
      screen: Screen,
      { permission, isSensitive }: Pick<Screen, 'permission' | 'isSensitive'>,
      respond: (entry: Entry) => Promise<void>,
    ) =>
    async (ctx: ConsoleContext): Promise<void> => {
      const { signedIn, browserToken, now } = ctx.state.visit;
      const isPost = ctx.method === 'POST';
      const { merchantId = '' } = ctx.params;
      const signInAgain = async (): Promise<void> => {
        const address = isPost ? addressOf(merchantId, filled(screen.path, ctx.params)) : ctx.url;
        const userId = isPost && verifyOwnForm(ctx, forms) === 'valid' && (await findLastUser(database.query, browserToken, now));
        if (userId) await saveDraft(ctx, forms, userId, address);
        seeOther(ctx, `/console/sign-in?${new URLSearchParams({ to: address }).toString()}`);
      };
      if (!signedIn) return signInAgain();
      const merchant = isId(merchantId) ? await findMerchant(database.query, merchantId) : undefined;
      if (!merchant || !isVisibleTo({ tenantId: merchant.tenantId, merchantId: merchant.id }, signedIn.user))
        return notFound(ctx);
      const entry = { ctx, signedIn, merchant, screen };
      if (screen.isSandboxOnly && mode !== 'sandbox') return show(entry, errorPage('not-found'));
      if (!isPermitted(signedIn.user.role, permission)) {
        return show(entry, errorPage('forbidden'));
      }
      if (isSensitive && !isRecent(signedIn, now)) return signInAgain();
      await respond(entry);
    };

  const notFound = (ctx: ConsoleContext): void => showPage(ctx, responder, errorPage('not-found'));

  /** Shows a page within the frame of the merchant. */
  const show = ({ ctx, merchant, signedIn: { user }, screen }: Entry, page: ConsolePage, tabs: readonly Tab[] = []): void => {
    const sections = SECTIONS.flatMap((name) => {
      const entry = shownTo(user).find((each) => sectionOf(each) === name);
      return entry ? [{ name, address: addressOf(merchant.id, entry.path) }] : [];
    });
    showPage(ctx, responder, page, { user, merchant, section: sectionOf(screen), sections, tabs });
  };

  /** Returns the screens that exist in this mode and that the role of a user permits. */
  const shownTo = ({ role }: User): Screen[] =>
    screens.filter(({ permission, isSandboxOnly }) => isPermitted(role, permission) && (mode === 'sandbox' || !isSandboxOnly));

  /** Returns the links between the pages of a section; an empty list if the screen is not one of them. */
  const tabsOf = ({ merchant, signedIn: { user }, screen }: Entry): Tab[] => {
    const all = shownTo(user).filter((each) => screen.tab && each.tab && sectionOf(each) === sectionOf(screen));
    return all.map((each) => ({
      label: each.tab!,
      address: addressOf(merchant.id, each.path),
      isCurrent: each === screen,
    }));
  };

  /** Returns the request that a screen or an action receives. */
  const requestOf = async ({ ctx, merchant, signedIn: { user } }: Entry, formState: FormState): Promise<ConsoleRequest> => {
    const { browserToken = '' } = ctx.state.visit;
    const now = clock.now();
    const { timeZone, currency } = await localesOf(database.query, merchant);
    const to: ConsoleRequest['to'] = (path, parameters = {}) => {
      const query = Object.entries(parameters).flatMap(([name, value]) => (value ? [[name, value]] : []));
      return addressOf(merchant.id, path) + (query.length > 0 ? `?${new URLSearchParams(query).toString()}` : '');
    };
    return {
      deps,
      user,
      browserToken,
      merchant,
      params: ctx.params,
      query: new URLSearchParams(ctx.querystring),
      now,
      formState,
      to,
      can: (permission) => isPermitted(user.role, permission),
      form: (path, content, options) => ownForm(ctx, forms, to(path, options?.parameters), content, options),
      money: (cents) => t.money(cents, currency),
      // Breaks a line only before the time zone.
      time: (instant) => t.moment(instant, { timeZone }, 'short').replace(/ (?!\S+$)/g, '\u00a0'),
    };
  };

  const showScreen = async (entry: Entry, status = 200, formState = emptyForm()): Promise<void> => {
    const { ctx } = entry;
    const shown = await entry.screen.show(await requestOf(entry, formState)).catch(absent);
    if (!shown) return show(entry, errorPage('not-found'));
    if ('redirect' in shown) return confirmAt(ctx, forms.ownOrigin, withDone(shown));
    show(entry, { status, formState, ...shown }, tabsOf(entry));
  };

  /**
   * Runs an action, and stores where it leads, so that a form has its effect once, however often it is submitted. It writes nothing after
   * the session has ended.
   */
  const submitIn = async (run: Run, entry: Entry, action: ScreenAction): Promise<ActionResult> => {
    const request = await requestOf(entry, emptyForm());
    const write: Database['write'] = (work) =>
      run.database.write(async (tx) => {
        await requireSignedIn(tx, request.browserToken, realClock.now());
        return work(tx);
      });
    try {
      const ofRun = { ...deps, database: { ...run.database, write } };
      const result = await action.submit({ ...request, deps: ofRun }, entry.ctx.request.body);
      const isDone = result && ('redirect' in result || 'content' in result);
      // A page that is shown once may contain a secret, which is not stored.
      const headers: Record<string, string> = isDone && 'redirect' in result ? { location: withDone(result) } : {};
      await (isDone ? run.saveResponse({ status: 303, headers, body: '' }) : run.discard());
      return result;
    } catch (thrown) {
      // The page has another form, and the results of the writes may contain a purchase. The first error is the one to report.
      await run.discard().catch((failure: unknown) => entry.ctx.app.emit('error', failure, entry.ctx));
      throw thrown;
    }
  };

  const submit = async (entry: Entry, action: ScreenAction): Promise<void> => {
    const { ctx } = entry;
    const { body } = ctx.request;
    const tokenStatus = verifyOwnForm(ctx, forms);
    // Another site does not choose what a form contains.
    const values = isCrossSite(ctx.headers, forms.ownOrigin) ? {} : redisplayedForm(body);
    if (tokenStatus === 'forged') return showScreen(entry, 403, { ...withError(() => t.form.invalidToken), values });
    if (tokenStatus === 'expired') return showScreen(entry, 422, { ...withError(() => t.form.tooOld), values });
    try {
      if (action.permission === 'export') requireWithin(ctx, exportLimit, entry.merchant.tenantId);
      const run = await once(database, realClock, submissionOf(entry));
      if ('status' in run) {
        const location = run.headers['location'];
        return location ? confirmAt(ctx, forms.ownOrigin, location) : show(entry, errorPage('repeated'));
      }
      const result = await submitIn(run, entry, action);
      if (!result) return show(entry, errorPage('not-found'));
      if ('redirect' in result) return confirmAt(ctx, forms.ownOrigin, withDone(result));
      if ('content' in result) return show(entry, result);
      if ('file' in result) return sendFile(ctx, result);
      await showScreen(entry, 422, result);
    } catch (thrown) {
      const error = serviceErrorOf(thrown);
      if (!error || ABSENT.has(error.code)) throw thrown;
      reject(ctx, error);
      if (error.code === 'unauthenticated') return seeOther(ctx, '/console/sign-in');
      // The same form was submitted a moment ago. Showing it again would invite to repeat it.
      if (error.code === 'idempotency-key-in-use') return show(entry, errorPage('repeated'));
      await showScreen(entry, httpStatusOf(error.code, 2), { ...withError(() => rejectionMessage(error)), values });
    }
  };

  const pages = new Router<ConsoleState>({ prefix: '/console/:merchantId' });
  for (const screen of screens)
    pages.get(
      `/${screen.path}`,
      // With what was typed before the user had to sign in again.
      enter(screen, screen, async (entry) => {
        const values = await takeDraft(entry.ctx, forms, entry.signedIn.user.id);
        await showScreen(entry, 200, { ...emptyForm(), values });
      }),
    );
  for (const action of actions) {
    const submitForm = enter(action.screen, action, (entry) => submit(entry, action));
    // Reading a file is work, which only a user who may send it can cause.
    const readAndSubmit = enter(action.screen, { ...action, isSensitive: false }, async ({ ctx }) => {
      if (ctx.request.is('multipart/form-data')) {
        ctx.request.body = await readFormWithFile(ctx);
        await reload(ctx);
      }
      await submitForm(ctx);
    });
    pages.post(`/${action.path}`, action.hasFile ? readAndSubmit : submitForm);
  }

  /** Loads the session again after the body of a form, for which a client takes its time. The user may have been removed meanwhile. */
  const reload = async ({ state }: { state: ConsoleState }): Promise<void> => {
    const { signedIn, browserToken } = state.visit;
    if (signedIn) state.visit.signedIn = await findSignedIn(database, browserToken, limits, realClock.now());
  };
  const reloadAfterBody: Middleware<ConsoleState> = async (ctx, next) => {
    if (ctx.method === 'POST') await reload(ctx);
    await next();
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `visit` sets the state that the others read
  return [
    assets.middleware(),
    visit,
    // A form with a file is one without fields, unless its action reads it.
    formBody(),
    reloadAfterBody,
    signInRoutes(signIn, responder).middleware(),
    pages.middleware(),
    notFound,
  ] as Middleware[];
}

/** Errors about an object that does not exist, or belongs to another merchant. */
const ABSENT: ReadonlySet<string> = new Set([
  'transaction-not-found',
  'cart-not-found',
  'webhook-not-found',
  'event-not-found',
  'settlement-not-found',
]);

function absent(thrown: unknown): undefined {
  if (thrown instanceof ServiceError && ABSENT.has(thrown.code)) return undefined;
  throw thrown;
}

function reject(ctx: ConsoleContext, error: ServiceError): void {
  const { retryAfterSeconds } = error.details ?? {};
  if (retryAfterSeconds !== undefined) ctx.set('retry-after', retryAfterSeconds);
  setRejection(ctx, error);
}

function sendFile(ctx: ConsoleContext, { file: { name, type, body } }: ConsoleFile): void {
  ctx.attachment(name);
  ctx.type = type;
  ctx.body = body;
}

/** Identifies a submitted form. The same one with other values is another request, which is rejected. */
function submissionOf({ ctx, merchant }: Entry): KeyedRequest {
  const { body } = ctx.request;
  const fingerprint = createHash('sha256')
    .update(JSON.stringify([ctx.path, body]))
    .digest('hex');
  return { merchantId: merchant.id, key: `console-form ${idOfToken(tokenIn(body))}`, fingerprint };
}

/** Returns the address of a path of a merchant's console. */
function addressOf(merchantId: string, path: string): string {
  return `/console/${merchantId}${path && `/${path}`}`;
}

/** Replaces the variables of a path. */
function filled(path: string, params: Readonly<Record<string, string>>): string {
  return path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
}

function withDone({ redirect, done }: { redirect: string; done?: string }): string {
  return done === undefined ? redirect : `${redirect}${redirect.includes('?') ? '&' : '?'}done=${done}`;
}

function withError(formError: Message): FormState {
  return { ...emptyForm(), formError };
}
