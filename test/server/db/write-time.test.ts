/** The times of writes, and the end of lists in their order (server/decisions/0045). */
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Database, Tx } from '../../../server/db/database.ts';
import { openPostgres } from '../../../server/db/postgres.ts';
import { preparedSaving } from '../../../server/db/prepared.ts';
import type { TenantTable } from '../../../server/db/schema.ts';
import { listHorizon, realTimeOfWrite, writeClock } from '../../../server/db/write-time.ts';
import { newId } from '../../../server/base/ids.ts';
import { DATABASE_NOW, epochMs, plusMs, systemClock, type Instant } from '../../../server/base/time.ts';
import { onCleanup } from '../../support/cleanup.ts';
import { testKeys } from '../../support/data-keys.ts';
import { createMigratedDatabaseUrl, describeOnEveryEngine, openTestDatabase } from '../../support/databases.ts';
import { until } from '../../support/time.ts';

/** Stores a row with the time of its write, calls `meanwhile` before the commit, and returns the time. */
function write(database: Database, meanwhile: () => Promise<unknown> = async () => undefined): Promise<Instant> {
  return database.write(async (tx) => {
    const createdAt = await addTenant(tx);
    await meanwhile();
    return createdAt;
  });
}

async function addTenant(tx: Tx): Promise<Instant> {
  const { rows } = await insertTenant(tx, { id: newId(), name: '', createdAt: DATABASE_NOW });
  return rows[0]!.createdAt;
}

const insertTenant = preparedSaving((tx, row: TenantTable) => tx.insertInto('tenants').values(row).returning('createdAt'));

describeOnEveryEngine('The time of a write', (engine) => {
  let databases: Database[];

  beforeAll(async () => {
    const url = await createMigratedDatabaseUrl(engine);
    databases = [openTestDatabase(url), openTestDatabase(url)];
  });

  it('is later than the times of all committed writes, also within a millisecond and of other processes', async () => {
    const times: string[] = [];
    for (let turn = 0; turn < 300; turn += 1) times.push(await write(databases[turn % 3 === 0 ? 1 : 0]!));
    expect(new Set(times).size).toBe(times.length);
    expect(times).toEqual(times.toSorted());
  });

  it('has microseconds and moves with the clock of the sandbox', async () => {
    const [database] = databases as [Database];
    database.setClockOffset(-86_400_000);
    const time = await write(database);
    database.setClockOffset(0);
    expect(time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
    const differenceMs = epochMs(systemClock.now()) - 86_400_000 - epochMs(time);
    expect(Math.abs(differenceMs)).toBeLessThan(60_000);
  });

  it('is also available without the offset of the sandbox', async () => {
    const [database] = databases as [Database];
    const { rows } = await database.write(async (tx) => {
      database.setClockOffset(-86_400_000);
      return sql<{ time: Instant }>`select ${realTimeOfWrite(tx)} as time`.execute(tx);
    });
    database.setClockOffset(0);
    expect(Math.abs(epochMs(systemClock.now()) - epochMs(rows[0]!.time))).toBeLessThan(60_000);
  });
});

describe('A list in the order of writes on SQLite', () => {
  it('needs no end, because each write is committed before the next one takes its time', async () => {
    const url = await createMigratedDatabaseUrl('sqlite');
    const database = openTestDatabase(url);
    expect(await listHorizon(database.query)).toBeUndefined();
  });
});

describe('A list in the order of writes on PostgreSQL', () => {
  const TIMEOUT_MS = 1_000;
  let url: string;
  let database: Database;
  const openOther = (otherUrl = url) => {
    const other = openPostgres(otherUrl, testKeys, { statementTimeoutMs: TIMEOUT_MS });
    onCleanup(() => other.close());
    return other;
  };

  beforeAll(async () => {
    url = await createMigratedDatabaseUrl('postgres');
    database = openTestDatabase(url);
  });

  it('contains a committed write if no other write is in progress', async () => {
    const time = await write(database);
    expect((await listHorizon(database.query))! > time).toBe(true);
  });

  it('ends before a write of another process until it is committed, whatever its URL names the connection', async () => {
    const named = new URL(url);
    named.searchParams.set('application_name', 'other');
    let duringWrite: string | undefined;
    const time = await write(openOther(named.href), async () => {
      duringWrite = await listHorizon(database.query);
    });
    expect(duringWrite! <= time).toBe(true);
    expect((await listHorizon(database.query))! > time).toBe(true);
  });

  it('ends before a write that has waited for a lock and not yet taken its time', async () => {
    let horizon: string | undefined;
    const time = await openOther().write(async (tx) => {
      await tx.selectFrom('environment').selectAll().forUpdate().execute();
      horizon = await listHorizon(database.query);
      return addTenant(tx);
    });
    expect(horizon! <= time).toBe(true);
  });

  it('continues after a stuck database transaction was ended by its timeout', async () => {
    let finish = () => {};
    const stuck = write(openOther(), () => new Promise<void>((resolve) => (finish = resolve))).catch((thrown: unknown) => thrown);
    const startedAt = await until(async () => {
      const horizon = await listHorizon(database.query);
      return horizon! < plusMs(systemClock.now(), -TIMEOUT_MS / 4) && horizon;
    });
    await until(async () => (await listHorizon(database.query))! > plusMs(startedAt, TIMEOUT_MS), 30 * TIMEOUT_MS);
    finish();
    expect(await stuck).toBeInstanceOf(Error);
  });

  it('ends a minute ago if the start of database transactions is not visible', async () => {
    const blind = new URL(url);
    blind.searchParams.set('options', '-c track_activities=off');
    const horizon = await listHorizon(openOther(blind.href).query);
    const behindMs = epochMs(systemClock.now()) - epochMs(horizon!);
    expect(behindMs).toBeGreaterThan(59_000);
    expect(behindMs).toBeLessThan(120_000);
  });

  it('moves with the clock of the sandbox', async () => {
    const other = openOther();
    other.setClockOffset(86_400_000);
    const time = await write(other);
    expect((await listHorizon(other.query))! > time).toBe(true);
    expect((await listHorizon(database.query))! < time).toBe(true);
  });
});

describe('The clock of writes on SQLite', () => {
  it('counts microseconds within a millisecond', () => {
    let nowMs = 5;
    const clock = writeClock(() => nowMs++);
    expect(clock(1)).toBe('1970-01-01T00:00:00.006000Z');
    nowMs = 6;
    expect(clock(1)).toBe('1970-01-01T00:00:00.006001Z');
    nowMs = 6;
    expect(clock(1)).toBe('1970-01-01T00:00:00.006002Z');
    expect(clock(1)).toBe('1970-01-01T00:00:00.007000Z');
  });

  it('waits for the next millisecond if another process has written, or if all microseconds are used', () => {
    const clock = writeClock(() => nowMs++ >> 2);
    let nowMs = 4 << 2;
    clock(1);
    expect(clock(2)).toBe('1970-01-01T00:00:00.006000Z');
    for (let count = 1; count < 1_000; count += 1) {
      nowMs = 6 << 2;
      clock(2);
    }
    nowMs = 6 << 2;
    expect(clock(2)).toBe('1970-01-01T00:00:00.007000Z');
  });
});
