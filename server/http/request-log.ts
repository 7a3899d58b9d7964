import { propertyOf } from '../../shared/objects.ts';
import type { Logger } from 'pino';
import { newId } from '../ids.ts';
import { type Job, startJob } from '../job.ts';
import { callerFieldsOf } from './caller.ts';
import type { Context, Middleware } from './context.ts';
import { rejectionOf } from './errors.ts';

/**
 * Logs one line for each request, with the id that its response has in `x-request-id`, and with its caller if it was authenticated.
 * Rejected requests without a caller are sampled. The line of a rejected request has the code of its error, whatever its status, and that
 * of a failed one has `fault`; only faults are also logged as errors.
 *
 * Logs the pattern of the route instead of the path, because paths can contain secrets, such as checkout links. Queries, headers and
 * bodies are never logged.
 */
export function requestLog(log: Logger, rejected: RejectedRequests): Middleware {
  return async (ctx, next) => {
    const startedAt = performance.now();
    const requestId = newId();
    ctx.state.requestId = requestId;
    ctx.set('x-request-id', requestId);
    try {
      await next();
    } finally {
      const durationMs = Math.round((performance.now() - startedAt) * 10) / 10;
      const { method, status } = ctx;
      const caller = callerFieldsOf(ctx);
      const code = rejectionOf(ctx);
      const line = { requestId, method, route: routeOf(ctx), status, durationMs, ...caller };
      if (ctx.state.isFault) log.info({ ...line, code: 'fault' });
      else if (code === undefined) log.info(line);
      else if (caller === undefined) rejected.log(code, line);
      else log.info({ ...line, code });
    }
  };
}

function routeOf(ctx: Context): string {
  const route = propertyOf(ctx, '_matchedRoute');
  return typeof route === 'string' ? route : 'other';
}

/** Rejected requests that are logged between two summaries, for each code. */
const LOGGED_PER_CODE = 20;

/** Logs rejected requests of callers that were not authenticated. Anyone can send them, and must not be able to fill the log. */
export class RejectedRequests {
  readonly #log: Logger;
  #counts = new Map<string, number>();

  constructor(log: Logger) {
    this.#log = log;
  }

  /** Logs a rejected request, unless enough with its code were logged since the last summary. */
  log(code: string, fields: object): void {
    const count = (this.#counts.get(code) ?? 0) + 1;
    this.#counts.set(code, count);
    if (count <= LOGGED_PER_CODE) this.#log.info({ ...fields, code });
  }

  /** Logs how many requests with each code were not logged since the last summary. */
  summarize(): void {
    for (const [code, count] of this.#counts) {
      if (count > LOGGED_PER_CODE) this.#log.info({ at: 'rejected-requests', code, notLogged: count - LOGGED_PER_CODE });
    }
    this.#counts = new Map();
  }
}

const SUMMARY_INTERVAL_MS = 60_000;

/** Starts the job that logs the summary, every minute and when it is stopped. */
export function startRejectedRequestsJob(rejected: RejectedRequests): Job {
  const summarize = async (): Promise<void> => rejected.summarize();
  return startJob(SUMMARY_INTERVAL_MS, summarize, () => undefined, { runsAtEnd: true });
}
