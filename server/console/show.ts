import { ServiceError } from '../base/errors.ts';
import { setRejection } from '../http/errors.ts';
import type { FormState } from '../http/pages/elements.ts';
import type { Limiter } from '../http/rate-limit.ts';
import { localesOf } from '../lending/programs/programs.ts';
import type { Merchant } from '../merchants/store.ts';
import { screens } from './screens.ts';
import type { SignInSite } from './sign-in/routes.ts';
import { isPermitted } from './users/roles.ts';
import type { SignedIn } from './users/sessions.ts';
import type { User } from './users/store.ts';
import { errorPage } from './web/error-pages.ts';
import type { Tab } from './web/list.ts';
import { showDocument, showPage } from './web/page.ts';
import { type ConsolePage, type ConsoleRedirect, type ConsoleRequest, type Screen, sectionOf, SECTIONS } from './web/screen.ts';
import { shortTime, t } from './web/texts.ts';
import { confirmAt, type ConsoleContext, ownForm } from './web/visit.ts';

/** Dependencies of the handlers of pages and forms. */
export interface ConsoleSite extends SignInSite {
  /** Limits the files of a tenant. */
  exportLimit: Limiter;
}

/** A request of a user who sees the merchant of the address. */
export interface ScreenRequest {
  ctx: ConsoleContext;
  signedIn: SignedIn;
  merchant: Merchant;
  screen: Screen;
}

export function notFound({ responder }: ConsoleSite, ctx: ConsoleContext): void {
  showPage(ctx, responder, errorPage('not-found'));
}

/** Shows a page within the frame of the merchant. */
export function show(site: ConsoleSite, screenRequest: ScreenRequest, page: ConsolePage, tabs: readonly Tab[] = []): void {
  const { ctx, merchant, screen } = screenRequest;
  const { user } = screenRequest.signedIn;
  const shown = shownTo(site, user);
  const sections = SECTIONS.flatMap((name) => {
    const first = shown.find((each) => sectionOf(each) === name);
    return first ? [{ name, address: addressOf(merchant.id, first.path) }] : [];
  });
  showPage(ctx, site.responder, page, { user, merchant, section: sectionOf(screen), sections, tabs });
}

/** Shows the screen of a request, or the page of an object that does not exist. */
export async function showScreen(
  site: ConsoleSite,
  screenRequest: ScreenRequest,
  status: number,
  formState: FormState,
): Promise<void> {
  const request = await requestOf(site, screenRequest, formState);
  const shown = await screenRequest.screen.show(request).catch(absent);
  if (!shown) return show(site, screenRequest, errorPage('not-found'));
  if ('redirect' in shown) return confirmAt(screenRequest.ctx, site.responder.forms.ownOrigin, withDone(shown));
  if ('document' in shown) return showDocument(screenRequest.ctx, site.responder, shown);
  show(site, screenRequest, { status, formState, ...shown }, tabsOf(site, screenRequest));
}

/** Returns the screens that exist in this mode and that the role of a user permits. */
function shownTo({ deps }: ConsoleSite, { role }: User): Screen[] {
  return screens.filter(
    ({ permission, isSandboxOnly }) => isPermitted(role, permission) && (deps.mode === 'sandbox' || !isSandboxOnly),
  );
}

/** Returns the links between the pages of a section; an empty list if the screen is not one of them. */
function tabsOf(site: ConsoleSite, { merchant, signedIn: { user }, screen }: ScreenRequest): Tab[] {
  const all = shownTo(site, user).filter((each) => screen.tab && each.tab && sectionOf(each) === sectionOf(screen));
  return all.map((each) => ({
    label: each.tab!,
    address: addressOf(merchant.id, each.path),
    isCurrent: each === screen,
  }));
}

/** Returns the request that a screen or an action receives. */
export async function requestOf(
  { deps, responder: { forms } }: ConsoleSite,
  { ctx, merchant, signedIn: { user } }: ScreenRequest,
  formState: FormState,
): Promise<ConsoleRequest> {
  const { visit } = ctx.state;
  const now = deps.clock.now();
  const { timeZone, currency } = await localesOf(deps.database.query, merchant);
  const to: ConsoleRequest['to'] = (path, parameters = {}) => {
    const query = Object.entries(parameters).flatMap(([name, value]) => (value ? [[name, value]] : []));
    return addressOf(merchant.id, path) + (query.length > 0 ? `?${new URLSearchParams(query).toString()}` : '');
  };
  return {
    deps,
    user,
    browserToken: visit.browserToken ?? '',
    merchant,
    actor: `user:${user.id}`,
    id: ctx.params['id'] ?? '',
    params: ctx.params,
    query: new URLSearchParams(ctx.querystring),
    now,
    formState,
    to,
    can: (permission) => isPermitted(user.role, permission),
    form: (path, content, options) => ownForm(ctx, forms, to(path, options?.parameters), content, options),
    money: (cents) => t.money(cents, currency),
    timeZone,
    time: (instant) => shortTime(instant, (visit.timeZone = timeZone), now),
  };
}

/** Errors about an object that does not exist, or belongs to another merchant. */
export const ABSENT: ReadonlySet<string> = new Set([
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

export function reject(ctx: ConsoleContext, error: ServiceError): void {
  const { retryAfterSeconds } = error.details ?? {};
  if (retryAfterSeconds !== undefined) ctx.set('retry-after', retryAfterSeconds);
  setRejection(ctx, error);
}

/** Returns the address of a path of a merchant's console. */
export function addressOf(merchantId: string, path: string): string {
  return `/console/${merchantId}${path && `/${path}`}`;
}

/** Returns the address of a redirect with the name of its confirmation, which `takeConfirmation` shows. */
export function withDone({ redirect, done }: ConsoleRedirect): string {
  return done === undefined ? redirect : `${redirect}${redirect.includes('?') ? '&' : '?'}done=${done}`;
}
