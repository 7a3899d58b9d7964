import { CompiledQuery, type Kysely } from 'kysely';
import type { Tx } from './database.ts';
import { connectionOf, withConnection } from './engine.ts';
import { epochMs, instantOf } from '../base/time.ts';
import type { Schema } from './schema.ts';
import type { WriteClock } from './write-time.ts';

/** A write that is waiting for its commit. */
export interface Job {
  run(tx: Tx): Promise<void>;
  resolve(): void;
  reject(reason: unknown): void;
}

/** A number that changes when another connection has written: see `WriteClock`. */
const DATA_VERSION = CompiledQuery.raw('pragma data_version');
const SAVEPOINT = CompiledQuery.raw('savepoint job');
const ROLLBACK = CompiledQuery.raw('rollback to job');
const RELEASE = CompiledQuery.raw('release job');

/**
 * Runs jobs in one database transaction with one fsync, and resolves them after the commit. If a job fails, all run again, each in a
 * savepoint, so that only the failed job is rolled back.
 */
export async function commitTogether(writer: Kysely<Schema>, clock: WriteClock, jobs: readonly Job[]): Promise<void> {
  try {
    await writer.transaction().execute(async (tx) => {
      await startWrite(tx, writer, clock);
      for (const job of jobs) await job.run(tx);
    });
    for (const job of jobs) job.resolve();
  } catch (thrown) {
    if (jobs.length === 1) jobs[0]!.reject(thrown);
    else await commitWithSavepoints(writer, clock, jobs);
  }
}

/** Takes the time of a database transaction, which has the write lock. */
async function startWrite(tx: Tx, writer: Kysely<Schema>, clock: WriteClock): Promise<void> {
  const connection = connectionOf(writer);
  withConnection(tx, connection);
  const { rows } = await tx.executeQuery<{ dataVersion: number }>(DATA_VERSION);
  const time = clock(rows[0]!.dataVersion);
  connection.realWriteTime = time;
  connection.writeTime = instantOf(epochMs(time) + (connection.clockOffsetMs ?? 0), time.slice(-4, -1));
}

/** Runs jobs in one database transaction, each in a savepoint. */
async function commitWithSavepoints(writer: Kysely<Schema>, clock: WriteClock, jobs: readonly Job[]): Promise<void> {
  const failures = new Map<Job, unknown>();
  try {
    await writer.transaction().execute(async (tx) => {
      await startWrite(tx, writer, clock);
      for (const job of jobs) {
        await tx.executeQuery(SAVEPOINT);
        await job.run(tx).catch(async (failure: unknown) => {
          failures.set(job, failure);
          // If the disk is full, SQLite has rolled back the whole transaction, including the savepoint.
          await tx.executeQuery(ROLLBACK).catch(() => Promise.reject(failure));
        });
        await tx.executeQuery(RELEASE);
      }
    });
  } catch (thrown) {
    for (const job of jobs) job.reject(failures.has(job) ? failures.get(job) : thrown);
    return;
  }
  for (const job of jobs) {
    if (failures.has(job)) job.reject(failures.get(job));
    else job.resolve();
  }
}
