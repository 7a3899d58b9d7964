import { sql } from 'kysely';
import { isUnavailable, ServiceError } from '../base/errors.ts';
import type { Database, Tx } from './database.ts';
import type { Connection } from './engine.ts';

/** Does not claim that nothing happened: the connection may have been lost after the commit. */
const MESSAGE =
  'The database is unavailable. A write may have had its effect: send the same request again, with the same idempotency key.';

/**
 * Reports that the database is unavailable, and returns the error for the caller.
 *
 * @param cause - The error of the driver. Each engine has the list of the errors that mean this.
 */
export function unavailable(connection: Connection, cause: unknown): ServiceError {
  connection.reportFailure(cause);
  return new ServiceError('database-unavailable', MESSAGE, { cause });
}

/** Adds `isWritable` to the writes of an engine. */
export function checkedWrites(write: Database['write']): Pick<Database, 'write' | 'isWritable'> {
  let hasFailed = false;
  let check: Promise<void> | undefined;
  return {
    write: async (work) => {
      try {
        return await write(work);
      } catch (thrown) {
        hasFailed ||= isUnavailable(thrown);
        throw thrown;
      }
    },
    isWritable: async () => {
      if (hasFailed) {
        // One at a time: a write may wait for longer than the caller.
        check ??= write(addAndDeleteRow).finally(() => (check = undefined));
        await check;
        hasFailed = false;
      }
      return true;
    },
  };
}

/** Changes pages of the file, unlike an update to the same values, which SQLite omits. */
async function addAndDeleteRow(tx: Tx): Promise<void> {
  const hash = '0'.repeat(64);
  await sql`insert into limited_attempts (subject_hash, attempts_json, last_attempt_at) values (${hash}, '[]', '')`.execute(tx);
  await sql`delete from limited_attempts where subject_hash = ${hash}`.execute(tx);
}
