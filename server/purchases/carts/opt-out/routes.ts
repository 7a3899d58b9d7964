import Router from '@koa/router';
import { html } from '@lit-labs/ssr';
import { fill } from '../../../../shared/languages/texts.ts';
import type { Database } from '../../../db/database.ts';
import type { Clock } from '../../../base/time.ts';
import type { Context, State } from '../../../http/context.ts';
import { messagePage, type PageContent, type PageView, type ShowPage, unknownLinkPage } from '../../../http/pages/page.ts';
import { requireMerchant } from '../../../merchants/store.ts';
import { recipientIn } from './link.ts';
import { addOptOut, hasOptedOut, type LinkRecipient } from './store.ts';

export interface OptOutRouteDeps {
  database: Database;
  clock: Clock;
  showPage: ShowPage;
}

type TokenContext = Context & { params: Record<string, string> };

/**
 * The page at which the recipient of a cart's link opts out, `/u/TOKEN`. Opening it changes nothing, because mail scanners open links. Any
 * POST request opts out at once, and is not redirected: mail programs send one without cookies or fields of the page (RFC 8058, 3.1 and 3.2).
 */
export function optOutRoutes({ database, clock, showPage }: OptOutRouteDeps): Router<State> {
  const router = new Router<State>({ prefix: '/u/:token' });

  router.get('/', async (ctx: TokenContext) => {
    const recipient = await recipientOf(ctx);
    if (recipient) await showState(ctx, recipient, await hasOptedOut(database.query, recipient));
  });

  router.post('/', async (ctx: TokenContext) => {
    const recipient = await recipientOf(ctx);
    if (!recipient) return;
    await database.write((tx) => addOptOut(tx, recipient, clock.now()));
    await showState(ctx, recipient, true);
  });

  /** Returns the recipient of a link, or responds 404 to an unknown link. */
  async function recipientOf(ctx: TokenContext): Promise<LinkRecipient | undefined> {
    const recipient = await recipientIn(database.query, ctx.params['token'] ?? '');
    if (!recipient) showPage(ctx, 404, unknownLinkPage);
    return recipient;
  }

  async function showState(ctx: TokenContext, { merchantId }: LinkRecipient, isOptedOut: boolean): Promise<void> {
    const { name } = await requireMerchant(database.query, merchantId);
    showPage(ctx, 200, (view) => (isOptedOut ? optedOut(name, view) : optOutForm(name, view)));
  }

  return router;
}

function optOutForm(merchant: string, { t, urls }: PageView): PageContent {
  const { title, lead, others, submit } = t.optOut;
  return messagePage(
    'opt-out',
    { title: fill(title, { merchant }), lead: fill(lead, { merchant }) },
    html`<p>${others}</p>
      <form method="post" action="${urls.to()}">
        <div class="actions"><button type="submit">${submit}</button></div>
      </form>`,
  );
}

function optedOut(merchant: string, { t }: PageView): PageContent {
  const { doneTitle, done, others } = t.optOut;
  return messagePage('opted-out', { title: doneTitle, lead: fill(done, { merchant }) }, html`<p>${others}</p>`);
}
