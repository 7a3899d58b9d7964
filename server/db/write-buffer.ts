import { type Job, startJob } from '../base/job.ts';
import type { Database, Tx } from './database.ts';

/** Rows in memory. While the database cannot be written, the oldest ones are dropped. */
const MAX_ROWS = 10_000;

/** Rows per insert. */
const BATCH_SIZE = 200;

/** Collects rows that a job writes in batches, so that requests do not wait for them. */
export class WriteBuffer<Row> {
  readonly #write: (tx: Tx, rows: readonly Row[]) => Promise<void>;
  #rows: Row[] = [];

  /** @param write - Writes rows, at least one. */
  constructor(write: (tx: Tx, rows: readonly Row[]) => Promise<void>) {
    this.#write = write;
  }

  add(row: Row): void {
    this.#rows.push(row);
    if (this.#rows.length > MAX_ROWS) this.#rows.shift();
  }

  /** Writes the collected rows. If that fails, they are written later. */
  async save(database: Database): Promise<void> {
    while (this.#rows.length > 0) {
      const batch = this.#rows.slice(0, BATCH_SIZE);
      await database.write((tx) => this.#write(tx, batch));
      this.#rows = this.#rows.filter((row) => !batch.includes(row));
    }
  }
}

const INTERVAL_MS = 1_000;

/** Starts the job that saves the rows, every second and when it is stopped. */
export function startSaving<Row>(database: Database, buffer: WriteBuffer<Row>, onError: (thrown: unknown) => void): Job {
  return startJob(INTERVAL_MS, () => buffer.save(database), onError, { runsAtEnd: true });
}
