import { CallbackError, FairtermError, NoAnswerError } from 'fairterm/client';
import type { Middleware } from 'koa';
import { StructError } from 'superstruct';
import type { Page } from './pages/layout.ts';
import { brokenPage, notFoundPage, refusedPage, serviceDownPage } from './pages/message.ts';
import { showPage } from './respond.ts';

type Log = (line: string) => void;

/** Turns whatever is thrown, and what nobody answered, into a friendly page. The reason goes to the log alone. */
export function friendlyErrors(log: Log): Middleware {
  return async (ctx, next) => {
    try {
      await next();
      if (ctx.status === 404 && !ctx.body) showPage(ctx, notFoundPage, { status: 404 });
    } catch (error) {
      const status = isServiceFault(error) ? 502 : statusOf(error);
      log(`${ctx.method} ${ctx.path} answered ${status}: ${messageOf(error)}`);
      showPage(ctx, pageFor(status), { status });
    }
  };
}

/** Answers a machine in one line. A service that cannot be asked is a 500, so that its callback is sent again. */
export function plainErrors(log: Log): Middleware {
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      const status = statusOf(error);
      log(`${ctx.method} ${ctx.path} answered ${status}: ${messageOf(error)}`);
      ctx.status = status;
      ctx.body = status < 500 ? messageOf(error) : 'Please send this again later';
    }
  };
}

function pageFor(status: number): Page {
  if (status === 502) return serviceDownPage;
  return status < 500 ? refusedPage : brokenPage;
}

/** Whether the financing service said no or could not be asked: nothing that a visitor can put right. */
export function isServiceFault(error: unknown): error is FairtermError | NoAnswerError {
  return error instanceof FairtermError || error instanceof NoAnswerError;
}

/** What the parsers throw carries the status it is to have, and an unusable body is a 400; anything else is our fault. */
function statusOf(error: unknown): number {
  if (error instanceof StructError) return 400;
  if (error instanceof CallbackError) return 401;
  if (isServiceFault(error)) return 500;
  return error instanceof Error && 'status' in error && typeof error.status === 'number' ? error.status : 500;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
