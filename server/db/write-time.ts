import { type Expression, sql } from 'kysely';
import { instantOf, type Instant } from '../time.ts';
import type { Query, Tx } from './database.ts';
import { connectionOf } from './engine.ts';
import { APPLICATION_NAME } from './postgres.ts';

/**
 * The time of a write, as the value of a column. On SQLite, it is taken under the write lock; on PostgreSQL, it is later than the start
 * of the database transaction. Together with `listHorizon`, a list in its order can be followed without missing a row (decisions/0045).
 */
export function timeOfWrite(tx: Tx): Expression<Instant> {
  const { engine, clockOffsetMs = 0, writeTime } = connectionOf(tx);
  return engine === 'sqlite' ? sql`${writeTime}` : instantAt(sql`statement_timestamp()`, clockOffsetMs);
}

/**
 * The delay of a list behind the clock where the start of other database transactions is not visible. No database transaction of the
 * service lasts longer, unless several of its statements reach their timeout.
 */
const BLIND_SECONDS = 60;

/**
 * Returns the instant before which no row can be added any more by `timeOfWrite`: the start of the oldest database transaction of the
 * service. Undefined on SQLite, where each write is committed before the next one takes its time.
 *
 * It must be read in a statement before the rows: a database transaction that is not in progress then has committed, so that the next
 * statement reads its rows, or it will start later.
 */
export async function listHorizon(query: Query): Promise<Instant | undefined> {
  const { engine, clockOffsetMs = 0 } = connectionOf(query);
  if (engine === 'sqlite') return undefined;
  // The statement itself is one of the database transactions. An engine without this view has no rows, and the sessions of another role
  // are hidden.
  const { rows } = await sql<{ horizon: Instant }>`
    select ${instantAt(
      sql`least(min(xact_start), case
        when count(*) filter (where pid = pg_backend_pid() and xact_start is not null) = 0
          or bool_or(query = '<insufficient privilege>')
        then clock_timestamp() - ${BLIND_SECONDS} * interval '1 second' end)`,
      clockOffsetMs,
    )} as horizon
    from pg_stat_activity
    where datname = current_database() and application_name = ${APPLICATION_NAME}`.execute(query);
  return rows[0]!.horizon;
}

/** Formats a time of PostgreSQL, moved by the offset of the sandbox's clock. */
function instantAt(time: Expression<unknown>, offsetMs: number): Expression<Instant> {
  const moved = sql`${time} + cast(${offsetMs} as double precision) * interval '1 millisecond'`;
  return sql`to_char((${moved}) at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
}

/**
 * Returns a clock for the database transactions of a SQLite file. Each gets a later time than all earlier ones, including those of other
 * processes on the same machine.
 */
export function writeClock(nowMs: () => number = Date.now): WriteClock {
  let lastVersion: number | undefined;
  let lastMs = 0;
  let microseconds = 0;

  return (dataVersion, offsetMs) => {
    let ms = nowMs();
    // Another process has written since, maybe in this millisecond. It cannot write again before the lock is released.
    const isShared = dataVersion !== lastVersion || (ms === lastMs && microseconds === 999);
    if (isShared) for (const from = ms; ms === from;) ms = nowMs();
    microseconds = ms === lastMs ? microseconds + 1 : 0;
    [lastVersion, lastMs] = [dataVersion, ms];
    return instantOf(ms + offsetMs, String(microseconds).padStart(3, '0'));
  };
}

/**
 * Returns the time of the database transaction that has the write lock.
 *
 * @param dataVersion - `pragma data_version`, which changes when another connection has written.
 * @param offsetMs - By which the sandbox's clock was moved.
 */
export type WriteClock = (dataVersion: number, offsetMs: number) => Instant;
