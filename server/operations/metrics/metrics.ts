import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { keysOf } from '../../../shared/objects.ts';
import { codeOf, isUnavailable, ServiceError } from '../../base/errors.ts';
import { epochMs, type Instant } from '../../base/time.ts';
import type { Database, DatabaseUsage } from '../../db/database.ts';
import type { Channel } from '../../db/schema.ts';
import { type ObserveRequest, OTHER_ROUTE } from '../../http/request-log.ts';
import type { Attempt } from '../../lending/lenders/signed-client.ts';
import type { Outcome, Send } from '../../messages/attempt.ts';
import type { Backlog } from './store.ts';

const CHANNELS = ['callback', 'webhook', 'email', 'text', 'card', 'lender'] as const satisfies readonly Channel[];
const KINDS = ['decision', 'agreement', 'undecided', 'schedule', 'bureau'] as const;
const LENDER_CALLS = ['POST /decisions', 'GET /decisions', 'POST /agreements', 'POST /events'];

/** The causes of writes that the database did not make, by the codes of SQLite, of PostgreSQL and of the operating system. */
const WRITE_FAILURES = {
  disk: /^(SQLITE_(FULL|IOERR\w*)|53100|58\w{3}|ENOSPC|EDQUOT)$/,
  'read-only': /^(SQLITE_READONLY\w*|25006)$/,
  unavailable: /^(SQLITE_(BUSY|CANTOPEN)\w*|DATABASE_MOVED|(08|53|57)\w{3}|E[A-Z]{4,})$/,
};

export type Metrics = ReturnType<typeof createMetrics>;

/**
 * Creates the metrics of a process, in a registry for it alone. No label identifies a merchant or a person, and each has few values: the
 * names of routes, statuses, channels, jobs and kinds of the service.
 */
export function createMetrics(info: { version: string; mode: string; engine: string }) {
  const registry = new Registry();
  const registers = [registry];
  const counter = <Label extends string = never>(name: string, help: string, labelNames: readonly Label[] = []) =>
    new Counter({ name, help, labelNames, registers });
  const gauge = <Label extends string = never>(name: string, help: string, labelNames: readonly Label[] = []) =>
    new Gauge({ name, help, labelNames, registers });

  gauge('fairterm_info', 'Version, mode and engine of the process; always 1', keysOf(info)).set(info, 1);
  const requests = new Histogram({
    name: 'fairterm_http_request_duration_seconds',
    help: 'Requests by the pattern of their route',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers,
  });
  const lenderRequests = new Histogram({
    name: 'fairterm_lender_request_duration_seconds',
    help: 'Attempts of requests to the lender',
    labelNames: ['call', 'outcome'],
    buckets: [0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  });
  const faults = counter('fairterm_faults_total', 'Unexpected errors by the part of the service', ['at']);
  const failedWrites = counter('fairterm_failed_writes_total', 'Writes that the database did not make', ['cause']);
  const deliveries = counter('fairterm_delivery_attempts_total', 'Attempts of deliveries', ['channel', 'outcome']);
  const commits = counter('fairterm_commits_total', 'Commits of the database');
  const writes = counter('fairterm_committed_writes_total', 'Writes in these commits: SQLite commits those that wait together');
  const connections = gauge('fairterm_database_connections', 'Open connections to the database', ['state']);
  const waiting = gauge('fairterm_database_waiting', 'Queries that wait for a connection, or writes that wait for a commit');
  const isUp = gauge('fairterm_database_up', 'Whether the database responds');

  const pending = gauge('fairterm_outbox_pending', 'Deliveries that are due now or later, at most 1000 together', ['channel']);
  const retried = gauge('fairterm_outbox_retried', 'Pending deliveries whose last attempt failed', ['channel']);
  const age = gauge('fairterm_outbox_age_seconds', 'Age of the oldest pending delivery', ['channel']);
  const lenderPending = gauge('fairterm_lender_pending', 'Requests to the lender without an outcome, at most 1000', ['kind']);
  const lenderAge = gauge('fairterm_lender_pending_age_seconds', 'Age of the oldest of these applications', ['kind']);
  const exceptions = gauge('fairterm_exceptions_open', 'Exceptions that a person has to resolve, at most 1000', ['kind']);
  const failingWebhooks = gauge('fairterm_webhooks_failing', 'Webhooks whose last attempts failed, at most 1000');
  const failedCards = gauge('fairterm_card_operations_failed', 'Captures, releases and refunds that failed, at most 1000');
  const lag = gauge('fairterm_job_lag_seconds', 'Time for which the first work of a kind has been due', ['work']);
  const ofBacklog = [pending, retried, age, lenderPending, lenderAge, exceptions, failingWebhooks, failedCards, lag];

  // Prometheus does not see the first increase of a counter that did not have the value 0 before.
  for (const cause of keysOf(WRITE_FAILURES)) failedWrites.inc({ cause }, 0);
  for (const outcome of ['success', 'no-response', 'error-response'] as const) {
    for (const call of LENDER_CALLS) lenderRequests.zero({ call, outcome });
  }
  for (const outcome of ['delivered', 'failed', 'rejected'] as const) {
    for (const channel of CHANNELS) deliveries.inc({ channel, outcome }, 0);
  }

  const observeRequest: ObserveRequest = ({ method, route, status, durationMs }) => {
    // Clients choose the method of a request without a route.
    requests.observe({ method: route === OTHER_ROUTE ? OTHER_ROUTE : method, route, status }, durationMs / 1_000);
  };

  function showUsage(usage: DatabaseUsage): void {
    connections.set({ state: 'used' }, usage.connections - usage.idleConnections);
    connections.set({ state: 'idle' }, usage.idleConnections);
    waiting.set(usage.waiting);
    commits.reset();
    commits.inc(usage.commits);
    writes.reset();
    writes.inc(usage.writes);
  }

  function showBacklog(backlog: Backlog, now: Instant): void {
    const secondsSince = (since: Instant | null | undefined) =>
      since ? Math.max(0, (epochMs(now) - epochMs(since)) / 1_000) : 0;
    for (const channel of CHANNELS) {
      const found = backlog.deliveries.find(({ kind }) => kind === channel);
      pending.set({ channel }, found?.count ?? 0);
      retried.set({ channel }, found?.retriedCount ?? 0);
      age.set({ channel }, secondsSince(found?.oldestAt));
    }
    for (const kind of ['decision', 'agreement'] as const) {
      const found = backlog.lenderRequests.find((each) => each.kind === kind);
      lenderPending.set({ kind }, found?.count ?? 0);
      lenderAge.set({ kind }, secondsSince(found?.oldestAt));
    }
    for (const kind of KINDS) exceptions.set({ kind }, backlog.exceptions.find((each) => each.kind === kind)?.count ?? 0);
    failingWebhooks.set(backlog.failingWebhooks.length);
    failedCards.set(backlog.failedCardOperations);
    for (const work of keysOf(backlog.dueSince)) lag.set({ work }, secondsSince(backlog.dueSince[work]));
  }

  return {
    contentType: registry.contentType,

    /** Also collects the metrics of Node.js and of the process, such as the delay of the event loop. */
    collectProcess: () => collectDefaultMetrics({ register: registry }),

    observeRequest,

    observeLenderRequest: ({ method, path, statusCode, failure, durationMs }: Attempt): void => {
      const outcome = failure === '' ? 'success' : statusCode === null ? 'no-response' : 'error-response';
      lenderRequests.observe({ call: `${method} /${path.split('/')[1]}`, outcome }, durationMs / 1_000);
    },

    /** Returns a function that counts unexpected errors of a part of the service. */
    faultCounter: (at: string): (() => void) => {
      faults.inc({ at }, 0);
      return () => faults.inc({ at });
    },

    /** Returns a database that counts the writes that it does not make. A write that its own work rejects is not counted. */
    countingFailedWrites: (database: Database): Database => ({
      ...database,
      write: (work) =>
        database.write(work).catch((thrown: unknown) => {
          const code = codeOf(thrown instanceof ServiceError ? thrown.cause : thrown);
          const known = keysOf(WRITE_FAILURES).find((name) => WRITE_FAILURES[name].test(code));
          const cause = known ?? (isUnavailable(thrown) ? 'unavailable' : undefined);
          if (cause) failedWrites.inc({ cause });
          throw thrown;
        }),
    }),

    /** Returns senders that count the outcomes of attempts. */
    countingAttempts: (senders: Partial<Record<Channel, Send>>): Partial<Record<Channel, Send>> =>
      Object.fromEntries(
        keysOf(senders).map((channel) => {
          const send: Send = async (row) => {
            const outcome = await senders[channel]!(row);
            deliveries.inc({ channel, outcome: resultOf(outcome) });
            return outcome;
          };
          return [channel, send];
        }),
      ),

    /** Returns all metrics in the text format of Prometheus. @param backlog - Undefined if the database does not respond. */
    text: (usage: DatabaseUsage, backlog: Backlog | undefined, now: Instant): Promise<string> => {
      showUsage(usage);
      isUp.set(backlog ? 1 : 0);
      if (backlog) showBacklog(backlog, now);
      // An old value would look like a current one.
      else for (const each of ofBacklog) forget(each);
      return registry.metrics();
    },
  };
}

function resultOf({ failure, isPermanent }: Outcome): 'delivered' | 'failed' | 'rejected' {
  if (failure === '') return 'delivered';
  return isPermanent ? 'rejected' : 'failed';
}

/** Removes all values of a gauge. */
function forget(gauge: Gauge): void {
  gauge.reset();
  // A gauge without labels is reset to 0.
  gauge.remove({});
}
