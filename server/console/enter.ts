import { isId } from '../base/ids.ts';
import { seeOther } from '../http/pages/html.ts';
import { findMerchant } from '../merchants/store.ts';
import { addressOf, type ConsoleSite, type ScreenRequest, notFound, show } from './show.ts';
import { isPermitted } from './users/roles.ts';
import { findLastUser, isRecent } from './users/sessions.ts';
import { isVisibleTo } from './users/users.ts';
import { errorPage } from './web/error-pages.ts';
import { saveDraft } from './web/form-draft.ts';
import type { Screen } from './web/screen.ts';
import { type ConsoleContext, verifyOwnForm } from './web/visit.ts';

/**
 * Returns the handler of a page or a form, which runs `respond` for a signed-in user who sees the merchant, has the permission, and has
 * signed in recently where that is required. Otherwise shows another page.
 */
export function enter(
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
