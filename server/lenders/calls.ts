import type { Database } from '../db/database.ts';
import { newId } from '../ids.ts';
import { type Job, startJob } from '../job.ts';
import type { Attempt } from './signed-client.ts';
import { addCalls, type LenderCall } from './store.ts';

/** Calls in memory. While the database cannot be written, the oldest ones are dropped, which are also in the log if they failed. */
const MAX_CALLS = 10_000;

/** Rows per insert. */
const BATCH_SIZE = 200;

/** Records calls to and from the lender, in batches, so that no call waits for the record. */
export class LenderCalls {
  #calls: LenderCall[] = [];

  add(direction: LenderCall['direction'], { id: subjectId, ...attempt }: Attempt): void {
    this.#calls.push({ id: newId(), direction, subjectId, ...attempt });
    if (this.#calls.length > MAX_CALLS) this.#calls.shift();
  }

  /** Adds the recorded calls to the database. If that fails, they are added later. */
  async save(database: Database): Promise<void> {
    while (this.#calls.length > 0) {
      const batch = this.#calls.slice(0, BATCH_SIZE);
      await database.write((tx) => addCalls(tx, batch));
      this.#calls = this.#calls.filter((call) => !batch.includes(call));
    }
  }
}

const INTERVAL_MS = 1_000;

/** Starts the job that saves the calls, every second and when it is stopped. */
export function startLenderCallsJob(database: Database, calls: LenderCalls, onError: (thrown: unknown) => void): Job {
  return startJob(INTERVAL_MS, () => calls.save(database), onError, { runsAtEnd: true });
}
