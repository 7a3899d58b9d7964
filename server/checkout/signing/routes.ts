import Router from '@koa/router';
import type { Context } from 'koa';
import { findApplication } from '../../applications/store.ts';
import type { Database } from '../../db/database.ts';
import { signedAgreement } from './agreement.ts';
import { sendCompressed } from '../../http/compressed.ts';
import type { ShowPage } from '../web/pages.ts';
import { changedDocument } from '../outcomes/completed.ts';
import { unknownLink } from '../outcomes/outcomes.ts';
import { documentPolicy, isAsSigned } from './document.ts';
import { findDocument } from './store.ts';

/** What a buyer signed, at a link that they alone know. Shows it while it proves to be that, and changes nothing. */
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

/** What is stored is not what was signed: somebody wrote in the database. */
class ChangedDocument extends Error {
  override readonly name = 'ChangedDocument';
}
