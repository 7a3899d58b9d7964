import { addDays } from '../../../shared/dates.ts';
import type { Mode } from '../../base/mode.ts';
import { packageVersion } from '../../base/package-version.ts';
import { epochMs, type Instant } from '../../base/time.ts';
import type { Database, Query } from '../../db/database.ts';
import { databaseName } from '../../db/open-database.ts';
import { listCalls } from '../../lending/lenders/store.ts';
import { dayOf, saleProblems, versionOn } from '../../lending/programs/programs.ts';
import { allPrograms, getVersion, versionsOf } from '../../lending/programs/store.ts';
import { lastEndedDay } from '../../purchases/settlements/run.ts';
import { listSettlements, listUnsettled } from '../../purchases/settlements/store.ts';
import { type Backlog, MAX_COUNTED, readBacklog } from './store.ts';

/** The state of a service, without personal data. */
export interface Status {
  /** Sentences about what needs the attention of a person; empty if all is well. */
  attention: readonly string[];
  readAt: Instant;
  version: string;
  mode: Mode;
  database: string;
  pendingMigrations: readonly string[];
  /** Undefined if migrations are pending, because the tables are those of another version. */
  state?: State;
}

interface State {
  backlog: Backlog;
  /** The latest requests to the lender; null before the first one. */
  lender: { lastAnswerAt: Instant | null; latencyMs: number | null; failedSince: number; lastFailure: string } | null;
  /** Programs with a version in effect. A version that is withheld has problems. */
  programs: { sold: number; withheld: { merchantId: string; program: string; version: number; problems: string[] }[] };
  /** `isLate`: lines of a day that ended more than a day ago are in no settlement. */
  settlements: { lastDay: string | null; createdAt: Instant | null; isLate: boolean };
}

/** Reads the state of a service. @throws Error - the database does not respond. */
export async function readStatus(
  database: Database,
  { mode, databaseUrl }: { mode: Mode; databaseUrl: string },
  now: Instant,
): Promise<Status> {
  const pendingMigrations = await database.pendingMigrations();
  const state = pendingMigrations.length === 0 ? await readState(database.query, now) : undefined;
  return {
    attention: state ? attentionTo(state, now) : [`Migrations are pending: ${pendingMigrations.join(', ')}`],
    readAt: now,
    version: packageVersion(),
    mode,
    database: databaseName(databaseUrl),
    pendingMigrations,
    ...(state && { state }),
  };
}

/** Days within which the last settlement is searched. */
const SETTLEMENT_DAYS = 90;

async function readState(query: Query, now: Instant): Promise<State> {
  const backlog = await readBacklog(query, now);
  const lastDay = lastEndedDay(now);
  const [last] = await listSettlements(query, { from: addDays(lastDay, -SETTLEMENT_DAYS), limit: 1 });
  const late = await listUnsettled(query, { through: addDays(lastDay, -1), limit: 1 });
  return {
    backlog,
    lender: await readLender(query),
    programs: await readPrograms(query, now),
    settlements: { lastDay: last?.day ?? null, createdAt: last?.createdAt ?? null, isLate: late.length > 0 },
  };
}

/** Calls among which the lender's last answer is searched. */
const RECENT_CALLS = 100;

async function readLender(query: Query): Promise<State['lender']> {
  const calls = (await listCalls(query, { limit: RECENT_CALLS })).filter(({ direction }) => direction === 'sent');
  const answer = calls.find(({ failure }) => failure === '');
  return calls[0]
    ? {
        lastAnswerAt: answer?.startedAt ?? null,
        latencyMs: answer?.durationMs ?? null,
        failedSince: answer ? calls.indexOf(answer) : calls.length,
        lastFailure: calls[0].failure,
      }
    : null;
}

/** Reads the first `MAX_COUNTED` programs. */
async function readPrograms(query: Query, now: Instant): Promise<State['programs']> {
  const programs: State['programs'] = { sold: 0, withheld: [] };
  let count = 0;
  for await (const { id, merchantId, code } of allPrograms(query)) {
    if ((count += 1) > MAX_COUNTED) break;
    const versions = await versionsOf(query, id);
    const current = versionOn(versions, await dayOf(query, id, versions, now));
    if (!current) continue;
    const problems = saleProblems(query, await getVersion(query, id, current.version));
    const texts = problems.map(({ path, message }) => `${path}: ${message}`);
    if (problems.length === 0) programs.sold += 1;
    else programs.withheld.push({ merchantId, program: code, version: current.version, problems: texts });
  }
  return programs;
}

/** Times after which work is late, and a webhook needs attention. The guide "Monitoring" states both. */
const LATE_MS = 300_000;
const FAILING_MS = 3_600_000;

/** Channels of receivers that the operator chose: if most of what waits for one has failed before, it is probably down. */
const OWN_CHANNELS = ['email', 'text', 'card', 'lender'];
const MIN_FAILING = 3;

/** Returns what a person has to look at. A program that is withheld is no problem as long as others are sold. */
function attentionTo({ backlog, lender, programs, settlements }: State, now: Instant): string[] {
  const ageMs = (since: Instant | null) => (since === null ? 0 : epochMs(now) - epochMs(since));
  const failing = backlog.failingWebhooks.filter(({ failingSince }) => ageMs(failingSince) >= FAILING_MS).length;
  const late = Object.entries(backlog.dueSince).filter(([, since]) => ageMs(since) >= LATE_MS);
  const refused = backlog.deliveries.filter(
    ({ kind, count, retriedCount }) =>
      OWN_CHANNELS.includes(kind) && retriedCount >= MIN_FAILING && retriedCount > count - retriedCount,
  );
  const { failedCardOperations } = backlog;
  return [
    ...late.map(([job, since]) => `The job ${job} is late: its first work has been due for ${duration(ageMs(since))}`),
    ...refused.map(
      ({ kind, count, retriedCount }) => `Deliveries by ${kind} fail: ${retriedCount} of ${counted(count)} were tried before`,
    ),
    ...backlog.exceptions.map(({ kind, count }) => `Exceptions of kind ${kind} to resolve: ${counted(count)}`),
    ...(failing > 0 ? [`Webhooks that have failed for an hour: ${counted(failing)}`] : []),
    ...(failedCardOperations > 0 ? [`Card operations that failed and are not retried: ${counted(failedCardOperations)}`] : []),
    ...(lender && lender.failedSince > 0 ? [`The last request to the lender failed: ${lender.lastFailure}`] : []),
    ...(programs.sold === 0 && programs.withheld.length > 0 ? ['No program is sold'] : []),
    ...(settlements.isLate ? ['A day that ended more than a day ago is not settled'] : []),
  ];
}

/** Failing webhooks and withheld programs that are listed. */
const MAX_LISTED = 20;

/** Returns the labels and values of the status, for a page and for a terminal. */
export function statusRows({
  readAt,
  version,
  mode,
  database,
  pendingMigrations,
  state,
}: Status): [label: string, value: string][] {
  const service: [string, string][] = [
    ['Version', `${version}, ${mode}`],
    ['Database', database],
    ['Pending migrations', pendingMigrations.join(', ') || 'none'],
  ];
  if (!state) return service;
  const { backlog, lender, programs, settlements } = state;
  const age = (at: Instant | null) => (at === null ? '' : `, the oldest ${duration(epochMs(readAt) - epochMs(at))} old`);
  const orNone = (texts: string[]) => texts.join('; ') || 'none';
  const { deliveries, lenderRequests, exceptions, failingWebhooks, failedCardOperations } = backlog;
  return [
    ...service,
    [
      'Deliveries',
      orNone(
        deliveries.map(
          (each) => `${each.kind} ${counted(each.count)}${age(each.oldestAt)}, ${each.retriedCount} after a failure`,
        ),
      ),
    ],
    ['Waiting for the lender', orNone(lenderRequests.map((each) => `${each.kind} ${counted(each.count)}${age(each.oldestAt)}`))],
    ['Exceptions', orNone(exceptions.map((each) => `${each.kind} ${counted(each.count)}`))],
    ['Failed card operations', counted(failedCardOperations)],
    ['Failing webhooks', counted(failingWebhooks.length)],
    ...failingWebhooks
      .slice(0, MAX_LISTED)
      .map((each): [string, string] => [each.id, `of merchant ${each.merchantId}, since ${time(each.failingSince)}`]),
    ['Last answer of the lender', lender?.lastAnswerAt ? `${time(lender.lastAnswerAt)}, in ${lender.latencyMs} ms` : 'none'],
    ['Failed requests since then', lender?.failedSince ? `${lender.failedSince}; ${lender.lastFailure}` : '0'],
    ['Programs sold', counted(programs.sold)],
    ['Programs withheld', counted(programs.withheld.length)],
    ...programs.withheld
      .slice(0, MAX_LISTED)
      .map((each): [string, string] => [
        `${each.program} ${each.version}`,
        `of merchant ${each.merchantId}: ${each.problems.join(' ')}`,
      ]),
    ['Last settlement', settlements.createdAt ? `of ${settlements.lastDay}, created ${time(settlements.createdAt)}` : 'none'],
  ];
}

function counted(count: number): string {
  return count >= MAX_COUNTED ? `${MAX_COUNTED}+` : String(count);
}

/** `2026-11-21 09:30:00 UTC` */
export function time(at: Instant): string {
  return `${at.slice(0, 19).replace('T', ' ')} UTC`;
}

const UNITS = [
  ['days', 86_400_000],
  ['hours', 3_600_000],
  ['minutes', 60_000],
] as const;

/** Returns a duration in the largest unit of which it has at least two: `90 seconds`, `3 hours`. */
function duration(ms: number): string {
  const [name, unitMs] = UNITS.find(([, each]) => ms >= 2 * each) ?? ['seconds', 1_000];
  return `${Math.max(0, Math.floor(ms / unitMs))} ${name}`;
}
