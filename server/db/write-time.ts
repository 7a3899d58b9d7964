import { type Expression, sql } from 'kysely';
import { instantOf, type Instant } from '../base/time.ts';
import type { Query, Tx } from './database.ts';
import { connectionOf, engineOf } from './engine.ts';
import { APPLICATION_NAME } from './postgres.ts';

/** Returns the time of a write in real time, even if the sandbox's clock was moved: a list in this order can be followed over the move. */
export function realTimeOfWrite(tx: Tx): Expression<Instant> {
  return timeAt(tx, connectionOf(tx).realWriteTime, 0);
}

/**
 * Returns the time of a write, as the value of a column. On SQLite, it is taken under the write lock; on PostgreSQL, it is later than the
 * start of the database transaction. Together with `listHorizon`, a list in its order can be followed without missing a row
 * (decisions/0045).
 *
 * @param writeTime - On SQLite, the time of the connection.
 * @param offsetMs - By which the sandbox's clock was moved.
 */
export function timeAt(tx: Query, writeTime: Instant | undefined, offsetMs: number): Expression<Instant> {
  return engineOf(tx) === 'sqlite' ? sql`${writeTime}` : instantAt(sql`statement_timestamp()`, offsetMs);
}

/**
 * The delay of a list behind the clock where the start of other database transactions is not visible. No database transaction of the
 * service lasts longer, unless several of its statements reach their timeout.
 */
const BLIND_SECONDS = 60;

/**
 * Returns the instant before which no row can be added any more with `DATABASE_NOW`: the start of the oldest database transaction of the
 * service. Undefined on SQLite, where each write is committed before the next one takes its time.
 *
 * It must be read in a statement before the rows: a database transaction that is not in progress then has committed, so that the next
 * statement reads its rows, or it will start later.
 */
export function listHorizon(query: Query): Promise<Instant | undefined> {
  return horizonAt(query, connectionOf(query).clockOffsetMs ?? 0);
}

/** Returns the instant before which no row can be added any more by `realTimeOfWrite`. */
export function realListHorizon(query: Query): Promise<Instant | undefined> {
  return horizonAt(query, 0);
}

async function horizonAt(query: Query, offsetMs: number): Promise<Instant | undefined> {
  if (engineOf(query) === 'sqlite') return undefined;
  // The statement itself is one of the database transactions. An engine without this view has no rows, and the sessions of another role
  // are hidden.
  const { rows } = await sql<{ horizon: Instant }>`
    select ${instantAt(
      sql`least(min(xact_start), case
        when count(*) filter (where pid = pg_backend_pid() and xact_start is not null) = 0
          or bool_or(query = '<insufficient privilege>')
        then clock_timestamp() - ${BLIND_SECONDS} * interval '1 second' end)`,
      offsetMs,
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

  return (dataVersion) => {
    let ms = nowMs();
    // Waits for the next millisecond if another process may have written in this one, or if its microseconds are used up. Another process
    // cannot write again before the lock is released.
    const isShared = dataVersion !== lastVersion || (ms === lastMs && microseconds === 999);
    if (isShared) for (const from = ms; ms === from;) ms = nowMs();
    microseconds = ms === lastMs ? microseconds + 1 : 0;
    lastVersion = dataVersion;
    lastMs = ms;
    return instantOf(ms, String(microseconds).padStart(3, '0'));
  };
}

/**
 * Returns the real time of the database transaction that has the write lock.
 *
 * @param dataVersion - `pragma data_version`, which changes when another connection has written.
 */
export type WriteClock = (dataVersion: number) => Instant;
