import { addDays, type CivilDate } from '../../../shared/dates.ts';
import { type Database, pagesOf, type Tx } from '../../db/database.ts';
import { newId } from '../../base/ids.ts';
import { type Job, startJob } from '../../base/job.ts';
import { lockMerchant } from '../../merchants/store.ts';
import { type Clock, type Instant, lastUsDate, dateIn } from '../../base/time.ts';
import { type Account, addSettlement, balanceOf, findLatest, findUnsettledDay, listUnsettled, type Settlement } from './store.ts';

/** Accounts that a run reads at a time. */
const BATCH = 100;

export interface Run {
  /** The last day to settle. */
  through: CivilDate;
  /** Undefined for all merchants. */
  merchantId?: string | undefined;
}

/**
 * Settles all lines through a day: one settlement for each account and day with lines. A settlement never changes: lines that were saved
 * after the settlement of their day are in the next one. Each settlement is one database transaction, so that several processes share
 * the work, and an interrupted run is continued by the next one.
 *
 * @yields Settlements that this run created.
 */
export async function* runSettlements(
  database: Database,
  { through, merchantId }: Run,
  now: Instant,
): AsyncGenerator<Settlement, void, undefined> {
  const unsettled = (after?: Account) => listUnsettled(database.query, { through, merchantId, after, limit: BATCH });
  for await (const accounts of pagesOf(BATCH, unsettled)) {
    for (const account of accounts) {
      for (;;) {
        const id = newId();
        const settlement = await database.write((tx) => settleNextDay(tx, account, through, { id, createdAt: now }));
        if (!settlement) break;
        yield settlement;
      }
    }
  }
}

/** Settles all lines of a merchant, those of today included, as a sandbox does on request. */
export async function settleToday(database: Database, merchantId: string, now: Instant): Promise<Settlement[]> {
  const settlements: Settlement[] = [];
  const run = runSettlements(database, { through: dateIn(now, 'UTC'), merchantId }, now);
  for await (const settlement of run) settlements.push(settlement);
  return settlements;
}

/** Settles the next day of an account with lines that are not in a settlement; returns null after the last one. */
async function settleNextDay(
  tx: Tx,
  account: Account,
  through: CivilDate,
  created: Pick<Settlement, 'id' | 'createdAt'>,
): Promise<Settlement | null> {
  await lockMerchant(tx, account.merchantId);
  const latest = await findLatest(tx, account);
  const day =
    (await findUnsettledDay(tx, account, { after: latest?.day, through })) ?? (await lateDay(tx, account, latest, through));
  if (day === undefined) return null;
  const carriedCents = latest ? balanceOf(latest).balanceCents : 0;
  return addSettlement(tx, { ...created, ...account, day, carriedCents });
}

/**
 * Returns the day of an additional settlement: `through`, if lines were saved after the settlement of their day, and no later day has lines
 * to settle them with.
 */
async function lateDay(
  tx: Tx,
  account: Account,
  latest: Settlement | undefined,
  through: CivilDate,
): Promise<CivilDate | undefined> {
  if (!latest || latest.day >= through) return undefined;
  return (await findUnsettledDay(tx, account, { through })) && through;
}

/** Returns the last day that has ended in every US time zone. */
export function lastEndedDay(now: Instant): CivilDate {
  return addDays(lastUsDate(now), -1);
}

const INTERVAL_MS = 600_000;

/** Starts the job that settles the days that have ended. */
export function startSettlementJob(database: Database, clock: Clock, onError: (thrown: unknown) => void): Job {
  return startJob(
    INTERVAL_MS,
    async (isRunning) => {
      const now = clock.now();
      for await (const _ of runSettlements(database, { through: lastEndedDay(now) }, now)) if (!isRunning()) return;
    },
    onError,
  );
}
