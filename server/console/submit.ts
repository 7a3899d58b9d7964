import { createHash } from 'node:crypto';
import { httpStatusOf } from '../base/errors.ts';
import type { Database } from '../db/database.ts';
import { serviceErrorOf } from '../http/errors.ts';
import { emptyForm, type FormState } from '../http/pages/elements.ts';
import { idOfToken, isCrossSite, tokenIn } from '../http/pages/form.ts';
import { seeOther } from '../http/pages/html.ts';
import { type Message, redisplayedForm } from '../http/pages/read-form.ts';
import { requireWithin } from '../http/rate-limit.ts';
import { type KeyedRequest, once, type Run } from '../merchants/idempotency/once.ts';
import { ABSENT, type ConsoleSite, type ScreenRequest, reject, requestOf, show, showScreen, withDone } from './show.ts';
import { requireSignedIn } from './users/sessions.ts';
import { errorPage, rejectionMessage } from './web/error-pages.ts';
import type { ActionResult, ConsoleFile, ScreenAction } from './web/screen.ts';
import { t } from './web/texts.ts';
import { confirmAt, type ConsoleContext, verifyOwnForm } from './web/visit.ts';

/** Verifies the token of a form, runs its action once, and responds with the result. */
export async function submit(site: ConsoleSite, screenRequest: ScreenRequest, action: ScreenAction): Promise<void> {
  const { ctx } = screenRequest;
  const { forms } = site.responder;
  const tokenStatus = verifyOwnForm(ctx, forms);
  // Another site does not choose what a form contains.
  const values = isCrossSite(ctx.headers, forms.ownOrigin) ? {} : redisplayedForm(ctx.request.body);
  if (tokenStatus === 'forged') return showScreen(site, screenRequest, 403, { ...withError(() => t.form.invalidToken), values });
  if (tokenStatus === 'expired') return showScreen(site, screenRequest, 422, { ...withError(() => t.form.tooOld), values });
  try {
    await submitOnce(site, screenRequest, action);
  } catch (thrown) {
    const error = serviceErrorOf(thrown);
    if (!error || ABSENT.has(error.code)) throw thrown;
    reject(ctx, error);
    if (error.code === 'unauthenticated') return seeOther(ctx, '/console/sign-in');
    // The same form was submitted a moment ago. Showing it again would invite to repeat it.
    if (error.code === 'idempotency-key-in-use') return show(site, screenRequest, errorPage('repeated'));
    // Version 2 of the API has the statuses that HTTP defines; version 1 has 500 for a rejected refund.
    await showScreen(site, screenRequest, httpStatusOf(error.code, 2), { ...withError(() => rejectionMessage(error)), values });
  }
}

async function submitOnce(site: ConsoleSite, screenRequest: ScreenRequest, action: ScreenAction): Promise<void> {
  const { ctx, merchant } = screenRequest;
  const { ownOrigin } = site.responder.forms;
  if (action.permission === 'export') requireWithin(ctx, site.exportLimit, merchant.tenantId);
  const run = await once(site.deps.database, site.deps.realClock, submissionOf(screenRequest));
  // The same form was submitted before: the response that was stored.
  if ('status' in run) {
    const location = run.headers['location'];
    return location ? confirmAt(ctx, ownOrigin, location) : show(site, screenRequest, errorPage('repeated'));
  }
  const result = await submitIn(run, site, screenRequest, action);
  site.deps.wakeDelivery();
  if (!result) return show(site, screenRequest, errorPage('not-found'));
  if ('redirect' in result) return confirmAt(ctx, ownOrigin, withDone(result));
  if ('content' in result) return show(site, screenRequest, result);
  if ('file' in result) return sendFile(ctx, result);
  await showScreen(site, screenRequest, 422, result);
}

/**
 * Runs an action, and stores where it leads, so that a form has its effect once, however often it is submitted. It writes nothing after
 * the session has ended.
 */
async function submitIn(run: Run, site: ConsoleSite, screenRequest: ScreenRequest, action: ScreenAction): Promise<ActionResult> {
  const request = await requestOf(site, screenRequest, emptyForm());
  const write: Database['write'] = (work) =>
    run.database.write(async (tx) => {
      await requireSignedIn(tx, request.browserToken, site.deps.realClock.now());
      return work(tx);
    });
  try {
    const ofRun = { ...site.deps, database: { ...run.database, write } };
    const result = await action.submit({ ...request, deps: ofRun }, screenRequest.ctx.request.body);
    const isDone = result && ('redirect' in result || 'content' in result);
    // A page that is shown once may contain a secret, which is not stored.
    const headers: Record<string, string> = isDone && 'redirect' in result ? { location: withDone(result) } : {};
    await (isDone ? run.saveResponse({ status: 303, headers, body: '' }) : run.discard());
    return result;
  } catch (thrown) {
    // The form is shown again with another key, so that nothing repeats this run, and the stored results of its writes may contain a
    // purchase. The first error is the one to report.
    await run.discard().catch((failure: unknown) => screenRequest.ctx.app.emit('error', failure, screenRequest.ctx));
    throw thrown;
  }
}

/** Identifies a submitted form. The same one with other values is another request, which is rejected. */
function submissionOf({ ctx, merchant }: ScreenRequest): KeyedRequest {
  const { body } = ctx.request;
  const fingerprint = createHash('sha256')
    .update(JSON.stringify([ctx.path, body]))
    .digest('hex');
  return { merchantId: merchant.id, key: `console-form ${idOfToken(tokenIn(body))}`, fingerprint };
}

function sendFile(ctx: ConsoleContext, { file: { name, type, body } }: ConsoleFile): void {
  ctx.attachment(name);
  ctx.type = type;
  ctx.body = body;
}

function withError(formError: Message): FormState {
  return { ...emptyForm(), formError };
}
