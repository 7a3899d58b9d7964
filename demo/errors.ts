import { CallbackError, FairtermError, UnknownOutcomeError } from '@fairterm/client';
import type { Middleware } from 'koa';
import { StructError } from 'superstruct';
import type { Page } from './pages/layout.ts';
import { internalErrorPage, notFoundPage, badRequestPage, serviceUnavailablePage } from './pages/message.ts';
import { showPage } from './respond.ts';

type Log = (line: string) => void;

/** Responds to errors and unknown paths with a page. The cause is logged, but not shown. */
export function errorPages(log: Log): Middleware {
  return async (ctx, next) => {
    try {
      await next();
      if (ctx.status === 404 && !ctx.body) showPage(ctx, notFoundPage, { status: 404 });
    } catch (error) {
      // For a visitor, the financing service is behind this shop: 502 Bad Gateway.
      const status = isServiceError(error) ? 502 : statusOf(error);
      log(`${ctx.method} ${ctx.path} responded ${status}: ${messageOf(error)}`);
      showPage(ctx, pageFor(status), { status });
    }
  };
}

/** Responds to the errors of a callback in plain text, for the financing service. It retries after any status except 2xx. */
export function plainTextErrors(log: Log): Middleware {
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      const status = statusOf(error);
      log(`${ctx.method} ${ctx.path} responded ${status}: ${messageOf(error)}`);
      ctx.status = status;
      ctx.body = status < 500 ? messageOf(error) : 'Retry later';
    }
  };
}

function pageFor(status: number): Page {
  if (status === 502) return serviceUnavailablePage;
  return status < 500 ? badRequestPage : internalErrorPage;
}

/** Returns true if the financing service rejected a request or did not respond, which a visitor cannot correct. */
export function isServiceError(error: unknown): error is FairtermError | UnknownOutcomeError {
  return error instanceof FairtermError || error instanceof UnknownOutcomeError;
}

/** Returns the status of an error. Errors of Koa's body parser have a status. */
function statusOf(error: unknown): number {
  if (error instanceof StructError || error instanceof CallbackError) return 400;
  // The `status` of the error is that of the service's response to the shop, not that of the shop's own response.
  if (isServiceError(error)) return 500;
  return error instanceof Error && 'status' in error && typeof error.status === 'number' ? error.status : 500;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
