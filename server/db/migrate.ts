import { type Kysely, type Migration, Migrator, sql } from 'kysely';
import * as initial from './migrations/0001-initial.ts';
import * as boundedQueries from './migrations/0002-bounded-queries.ts';
import * as authenticatedRows from './migrations/0003-authenticated-rows.ts';
import * as recipients from './migrations/0004-recipients.ts';
import * as merchantCallbacks from './migrations/0005-merchant-callbacks.ts';
import * as checkoutSessions from './migrations/0006-checkout-sessions.ts';
import * as requestedAmounts from './migrations/0007-requested-amounts.ts';
import * as documentTexts from './migrations/0008-document-texts.ts';
import * as merchantBrands from './migrations/0009-merchant-brands.ts';
import * as references from './migrations/0010-references.ts';
import * as lenderEvents from './migrations/0012-lender-events.ts';
import * as servicing from './migrations/0013-servicing.ts';
import * as lifetime from './migrations/0014-lifetime.ts';
import * as lenderCalls from './migrations/0016-lender-calls.ts';
import * as push from './migrations/0018-push.ts';
import * as notices from './migrations/0019-notices.ts';
import * as find from './migrations/0020-find.ts';
import * as events from './migrations/0021-events.ts';
import * as settlements from './migrations/0022-settlements.ts';
import * as finalNotices from './migrations/0023-final-notices.ts';
import * as users from './migrations/0024-users.ts';
import * as orderSearch from './migrations/0025-order-search.ts';
import * as merchantRequests from './migrations/0026-merchant-requests.ts';
import * as figures from './migrations/0028-figures.ts';
import * as refundRequests from './migrations/0030-refund-requests.ts';
import * as payoutDifferences from './migrations/0031-payout-differences.ts';
import * as tenantEvents from './migrations/0032-tenant-events.ts';
import * as foldedWords from './migrations/0034-folded-words.ts';
import * as authenticatedRefunds from './migrations/0035-authenticated-refunds.ts';
import * as confirmedWebhooks from './migrations/0038-confirmed-webhooks.ts';
import * as openExceptions from './migrations/0039-open-exceptions.ts';
import type { Query } from './database.ts';
import type { Connection } from './engine.ts';
import type { Schema } from './schema.ts';

type Migrations = Record<string, (database: Kysely<unknown>, connection: Connection) => Promise<void>>;

/** All migrations in order. A released migration is never edited: add the next one below it. */
export const migrations: Migrations = {
  '0001-initial': initial.up,
  '0002-bounded-queries': boundedQueries.up,
  '0003-authenticated-rows': authenticatedRows.up,
  '0004-recipients': recipients.up,
  '0005-merchant-callbacks': merchantCallbacks.up,
  '0006-checkout-sessions': checkoutSessions.up,
  '0007-requested-amounts': requestedAmounts.up,
  '0008-document-texts': documentTexts.up,
  '0009-merchant-brands': merchantBrands.up,
  '0010-references': references.up,
  '0012-lender-events': lenderEvents.up,
  '0013-servicing': servicing.up,
  '0014-lifetime': lifetime.up,
  '0016-lender-calls': lenderCalls.up,
  '0018-push': push.up,
  '0019-notices': notices.up,
  '0020-find': find.up,
  '0021-events': events.up,
  '0022-settlements': settlements.up,
  '0023-final-notices': finalNotices.up,
  '0024-users': users.up,
  '0025-order-search': orderSearch.up,
  '0026-merchant-requests': merchantRequests.up,
  '0028-figures': figures.up,
  '0030-refund-requests': refundRequests.up,
  '0031-payout-differences': payoutDifferences.up,
  '0032-tenant-events': tenantEvents.up,
  '0034-folded-words': foldedWords.up,
  '0035-authenticated-refunds': authenticatedRefunds.up,
  '0038-confirmed-webhooks': confirmedWebhooks.up,
  '0039-open-exceptions': openExceptions.up,
};

export function createMigrator(database: Kysely<Schema>, connection: Connection, provided = migrations): Migrator {
  const entries = Object.entries(provided).map(([name, up]): [string, Migration] => [name, { up: (tx) => up(tx, connection) }]);
  // Migrations contain the names of columns as they are in the database.
  return new Migrator({ db: database.withoutPlugins(), provider: { getMigrations: async () => Object.fromEntries(entries) } });
}

/** Runs pending migrations in order, up to and including `last`, or all of them. */
export async function runMigrations(migrator: Migrator, last?: string): Promise<void> {
  const { error } = await (last === undefined ? migrator.migrateToLatest() : migrator.migrateTo(last));
  if (error !== undefined) throw error;
}

export async function hasPendingMigrations(migrator: Migrator): Promise<boolean> {
  const states = await migrator.getMigrations();
  return states.some(({ executedAt }) => executedAt === undefined);
}

/** @throws Error if a later release has migrated the database. */
export async function requireKnownMigrations(query: Query): Promise<void> {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name desc`.execute(query);
  const unknown = rows.find(({ name }) => !Object.hasOwn(migrations, name));
  if (!unknown) return;
  throw new Error(
    `DATABASE_URL: expected a database of this release or an earlier one, but received one of a later release (${unknown.name})`,
  );
}
