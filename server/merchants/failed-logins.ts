import type { Database } from '../db/database.ts';
import { type Job, startJob } from '../base/job.ts';
import { type Instant, instantOf, epochMs } from '../base/time.ts';
import { countSecurityEvent, newSecurityEvent, type SecurityEvent } from './security-events.ts';

export type FailedLoginKind =
  | 'merchant-login-failed'
  | 'token-request-failed'
  | 'bearer-token-rejected'
  | 'document-proof-failed'
  | 'user-sign-in-failed'
  | 'user-locked-out';

/** Rows in memory, and so per run of the job. Failed logins of further networks are counted together, by kind and minute. */
const MAX_ROWS = 100;

/** Network of the failed logins that did not get a row of their own. */
const OTHER_NETWORKS = 'other';

/**
 * Counts failed logins in memory, by kind, network and minute.
 *
 * Anyone can fail to log in. That must neither write to the database during the request, nor fill it.
 */
export class FailedLogins {
  #rows = new Map<string, SecurityEvent>();

  /** @param network - See `truncatedNetwork`. */
  add(kind: FailedLoginKind, network: string, now: Instant): void {
    const occurredAt = instantOf(epochMs(now) - (epochMs(now) % 60_000));
    this.#count(newSecurityEvent({ kind, actor: 'unknown', network, details: {} }, occurredAt));
  }

  /** Adds the counts to the database. If that fails, they are added to the next ones. */
  async save(database: Database): Promise<void> {
    // In the order of their keys, so that processes that save at the same time cannot deadlock.
    const rows = [...this.#rows.entries()].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row);
    if (rows.length === 0) return;
    this.#rows = new Map();
    try {
      await database.write(async (tx) => {
        for (const row of rows) await countSecurityEvent(tx, row);
      });
    } catch (thrown) {
      for (const row of rows) this.#count(row);
      throw thrown;
    }
  }

  #count(row: SecurityEvent): void {
    const isFull = this.#rows.size >= MAX_ROWS && !this.#rows.has(keyOf(row));
    const added = isFull ? { ...row, network: OTHER_NETWORKS } : row;
    const counted = this.#rows.get(keyOf(added));
    this.#rows.set(keyOf(added), counted ? { ...counted, count: counted.count + row.count } : added);
  }
}

function keyOf({ kind, network, occurredAt }: Pick<SecurityEvent, 'kind' | 'network' | 'occurredAt'>): string {
  return [occurredAt, kind, network].join(' ');
}

const INTERVAL_MS = 60_000;

/** Starts the job that saves failed logins, every minute and when it is stopped. */
export function startFailedLoginJob(database: Database, failedLogins: FailedLogins, onError: (thrown: unknown) => void): Job {
  return startJob(INTERVAL_MS, () => failedLogins.save(database), onError, { runsAtEnd: true });
}
