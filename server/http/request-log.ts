import { propertyOf } from '../../shared/objects.ts';
import type { Logger } from 'pino';
import { newId } from '../base/ids.ts';
import { type Job, startJob } from '../base/job.ts';
import { type Context, type Middleware, callerFieldsOf } from './context.ts';
import { rejectionOf } from './errors.ts';

/** The route of requests that no route matches, or that are rejected before. */
export const OTHER_ROUTE = 'other';

/** Receives each request when it ends. `route` is the pattern of its path. */
export type ObserveRequest = (request: { method: string; route: string; status: number; durationMs: number }) => void;

/**
 * Logs one line for each request, with the id that its response has in `x-request-id`, and with its caller if it was authenticated.
 * Requests without a caller are sampled. The line of a rejected request has the code of its error, whatever its status, and that of a failed
 * one has `fault`; only faults are also logged as errors.
 *
 * Logs the pattern of the route instead of the path, because paths can contain secrets, such as checkout links. Queries, headers and
 * bodies are never logged.
 */
export function requestLog(log: Logger, anonymous: AnonymousRequests, observe: ObserveRequest): Middleware {
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
      observe(line);
      if (ctx.state.isFault) log.info({ ...line, code: 'fault' });
      else if (caller !== undefined) log.info({ ...line, ...(code !== undefined && { code }) });
      else if (code === undefined) anonymous.logAnswered(line);
      else anonymous.logRejected(code, line);
    }
  };
}

function routeOf(ctx: Context): string {
  const route = propertyOf(ctx, '_matchedRoute');
  return typeof route === 'string' ? route : OTHER_ROUTE;
}

/** Requests that are logged between two summaries, for each code, or else for each route and status. */
const LOGGED_OF_GROUP = 20;

/** Logs requests of callers that were not authenticated. Anyone can send them, and must not be able to fill the log. */
export class AnonymousRequests {
  readonly #log: Logger;
  /** By the fields of the group's summary. */
  #counts = new Map<string, number>();

  constructor(log: Logger) {
    this.#log = log;
  }

  /** Logs a rejected request, unless enough with its code were logged since the last summary. */
  logRejected(code: string, fields: object): void {
    this.#add({ at: 'rejected-requests', code }, { ...fields, code });
  }

  /** Logs another request, unless enough of its route and status were logged since the last summary. */
  logAnswered(line: { method: string; route: string; status: number }): void {
    const { method, route, status } = line;
    this.#add({ at: 'anonymous-requests', method, route, status }, line);
  }

  #add(group: object, line: object): void {
    const key = JSON.stringify(group);
    const count = (this.#counts.get(key) ?? 0) + 1;
    this.#counts.set(key, count);
    if (count <= LOGGED_OF_GROUP) this.#log.info(line);
  }

  /** Logs how many requests of each group were not logged since the last summary. */
  summarize(): void {
    for (const [key, count] of this.#counts) {
      if (count <= LOGGED_OF_GROUP) continue;
      const group: object = JSON.parse(key);
      this.#log.info({ ...group, notLogged: count - LOGGED_OF_GROUP });
    }
    this.#counts = new Map();
  }
}

const SUMMARY_INTERVAL_MS = 60_000;

/** Starts the job that logs the summary, every minute and when it is stopped. */
export function startAnonymousRequestsJob(anonymous: AnonymousRequests): Job {
  const summarize = async (): Promise<void> => anonymous.summarize();
  return startJob(SUMMARY_INTERVAL_MS, summarize, () => undefined, { runsAtEnd: true });
}
