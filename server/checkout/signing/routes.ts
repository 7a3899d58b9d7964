import Router from '@koa/router';
import { html } from '@lit-labs/ssr';
import type { Context } from 'koa';
import { fill } from '../../../shared/disclosure/texts.ts';
import { findApplication } from '../../applications/store.ts';
import type { Database } from '../../db/database.ts';
import { sendCompressed } from '../../http/html.ts';
import { type PageContent, unknownLink } from '../web/error-pages.ts';
import { findDocument } from '../session/store.ts';
import type { ShowPage } from '../web/pages.ts';
import type { View } from '../web/urls.ts';
import { type PaymentAgreement, signedAgreement } from './agreement.ts';
import { documentPolicy, isAsSigned } from './document.ts';

/** The buyer's copy of a signed agreement, at a link that only the buyer gets. */
export function documentRoutes(database: Database, showPage: ShowPage): Router {
  const router = new Router({ prefix: '/a/:code' });

  router.get('/', async (ctx: Context & { params: Record<string, string> }) => {
    const document = await findDocument(database.query, ctx.params['code']!);
    if (!document) return showPage(ctx, 404, unknownLink);
    const application = await findApplication(database.query, document.application_id);
    const signed = application && signedAgreement(application);
    if (!isAsSigned(document, signed)) {
      ctx.app.emit('error', new ChangedDocument(), ctx);
      return showPage(ctx, 500, (view) => changedDocument(signed, view));
    }
    ctx.status = 200;
    ctx.set('content-language', document.language);
    ctx.set('content-security-policy', documentPolicy(document.html));
    ctx.set('x-frame-options', 'DENY');
    ctx.type = 'html';
    sendCompressed(ctx, document.html);
  });

  return router;
}

/** A stored document is not the signed one: the database was modified. */
class ChangedDocument extends Error {
  override readonly name = 'ChangedDocument';
}

/** Shown instead of a stored document that is not the signed one. */
function changedDocument(agreement: PaymentAgreement | undefined, { t }: View): PageContent {
  const lender = agreement?.disclosure.creditor.name ?? t.copy.theLender;
  return { title: t.completed.copy, content: html`<p class="lead">${fill(t.completed.notIntact, { lender })}</p>` };
}
