import { CompiledQuery, type Kysely } from 'kysely';
import type { Tx } from './database.ts';
import { withEngine } from './engine.ts';
import type { Schema } from './schema.ts';

/** A write that waits for its commit. `run` keeps its result until it is settled. */
export interface Job {
  run(tx: Tx): Promise<void>;
  resolve(): void;
  reject(reason: unknown): void;
}

/** Compiled once: they surround a write that may be refused. */
const SAVEPOINT = CompiledQuery.raw('savepoint job');
const ROLLBACK = CompiledQuery.raw('rollback to job');
const RELEASE = CompiledQuery.raw('release job');

/**
 * Runs jobs in one database transaction, with one fsync for all, and answers them once it is on disk. When one of them is refused,
 * all are run again, each behind a savepoint, so that the refusal undoes only itself.
 */
export async function commitTogether(writer: Kysely<Schema>, jobs: readonly Job[]): Promise<void> {
  try {
    await writer.transaction().execute(async (tx) => {
      withEngine(tx, 'sqlite');
      for (const job of jobs) await job.run(tx);
    });
    for (const job of jobs) job.resolve();
  } catch (thrown) {
    if (jobs.length === 1) jobs[0]!.reject(thrown);
    else await commitApart(writer, jobs);
  }
}

/** One commit still, but a savepoint for each: what one of them is refused, the others keep. */
async function commitApart(writer: Kysely<Schema>, jobs: readonly Job[]): Promise<void> {
  const refusals = new Map<Job, unknown>();
  try {
    await writer.transaction().execute(async (tx) => {
      withEngine(tx, 'sqlite');
      for (const job of jobs) {
        await tx.executeQuery(SAVEPOINT);
        await job.run(tx).catch(async (refusal: unknown) => {
          refusals.set(job, refusal);
          // A full disk has undone the whole transaction by itself: there is no savepoint left to go back to.
          await tx.executeQuery(ROLLBACK).catch(() => Promise.reject(refusal));
        });
        await tx.executeQuery(RELEASE);
      }
    });
  } catch (failure) {
    for (const job of jobs) job.reject(refusals.has(job) ? refusals.get(job) : failure);
    return;
  }
  for (const job of jobs) {
    if (refusals.has(job)) job.reject(refusals.get(job));
    else job.resolve();
  }
}
