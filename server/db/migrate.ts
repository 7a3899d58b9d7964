import { type Kysely, type Migration, Migrator, sql } from 'kysely';
import * as foundation from './migrations/0001-foundation.ts';
import * as programVersions from './migrations/0002-program-versions.ts';
import * as transactionJournal from './migrations/0003-transaction-journal.ts';
import * as notifications from './migrations/0004-notifications.ts';
import * as idempotency from './migrations/0005-idempotency.ts';
import * as mode from './migrations/0006-mode.ts';
import * as transactionGuards from './migrations/0007-transaction-guards.ts';
import * as applicationStates from './migrations/0008-application-states.ts';
import * as cards from './migrations/0009-cards.ts';
import * as formKey from './migrations/0010-form-key.ts';
import * as agreementDocuments from './migrations/0011-agreement-documents.ts';
import * as originLookup from './migrations/0012-origin-lookup.ts';
import * as widgetFiles from './migrations/0013-widget-files.ts';
import * as platform from './migrations/0014-platform.ts';
import * as checkoutSessions from './migrations/0016-checkout-sessions.ts';
import * as publicUrl from './migrations/0019-public-url.ts';
import type { Query } from './database.ts';
import type { Schema } from './schema.ts';

export type Engine = 'sqlite' | 'postgres';

/** Every migration in order. A released one is never edited; the next is added below it. */
const migrations: Record<string, (database: Kysely<unknown>, engine: Engine) => Promise<void>> = {
  '0001-foundation': foundation.up,
  '0002-program-versions': programVersions.up,
  '0003-transaction-journal': transactionJournal.up,
  '0004-notifications': notifications.up,
  '0005-idempotency': idempotency.up,
  '0006-mode': mode.up,
  '0007-transaction-guards': transactionGuards.up,
  '0008-application-states': applicationStates.up,
  '0009-cards': cards.up,
  '0010-form-key': formKey.up,
  '0011-agreement-documents': agreementDocuments.up,
  '0012-origin-lookup': originLookup.up,
  '0013-widget-files': widgetFiles.up,
  '0014-platform': platform.up,
  '0016-checkout-sessions': checkoutSessions.up,
  '0019-public-url': publicUrl.up,
};

export function createMigrator(database: Kysely<Schema>, engine: Engine): Migrator {
  const provided = Object.entries(migrations).map(([name, up]): [string, Migration] => [name, { up: (tx) => up(tx, engine) }]);
  return new Migrator({ db: database, provider: { getMigrations: async () => Object.fromEntries(provided) } });
}

export async function migrateToLatest(migrator: Migrator): Promise<void> {
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) throw error;
}

export async function hasPendingMigrations(migrator: Migrator): Promise<boolean> {
  const known = await migrator.getMigrations();
  return known.some(({ executedAt }) => executedAt === undefined);
}

/** @throws Error - a later build has changed the tables, in ways this one knows nothing of. */
export async function requireKnownMigrations(query: Query): Promise<void> {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name desc`.execute(query);
  const unknown = rows.find(({ name }) => !Object.hasOwn(migrations, name));
  if (!unknown) return;
  throw new Error(
    `DATABASE_URL: expected a database of this release or an earlier one, but received one of a later release (${unknown.name})`,
  );
}
