import { type Kysely, sql } from 'kysely';
import type { Engine } from '../migrate.ts';

/**
 * Programs get versions, which are only ever added, and a code that merchants know them by. Applications keep the version they
 * were decided under, and the day whose offers were approved.
 */
export async function up(database: Kysely<unknown>, engine: Engine): Promise<void> {
  const versions = database.schema
    .createTable('program_versions')
    .addColumn('program_id', 'text', (column) => column.notNull().references('programs.id'))
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('effective_from', 'text', (column) => column.notNull())
    .addColumn('effective_to', 'text')
    .addColumn('document_json', 'text', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('program_versions_pk', ['program_id', 'version'] as never);
  await (engine === 'sqlite' ? versions.modifyEnd(sql`strict`) : versions).execute();
  await moveDocuments(database);
  await makeFinal(database, engine);

  // SQLite adds no column that must have a value unless it knows one; every program there is so far is the built-in one.
  await database.schema
    .alterTable('programs')
    .addColumn('code', 'text', (column) => column.notNull().defaultTo('standard'))
    .execute();
  await database.schema.dropIndex('programs_by_merchant').execute();
  await database.schema
    .createIndex('programs_by_code')
    .on('programs')
    .columns(['merchant_id', 'code'] as never)
    .unique()
    .execute();
  await database.schema.alterTable('programs').dropColumn('version').execute();
  await database.schema.alterTable('programs').dropColumn('document_json').execute();

  await database.schema.alterTable('applications').addColumn('program_version', 'integer').execute();
  await database.schema.alterTable('applications').addColumn('approved_on', 'text').execute();
  await sql`update applications set program_version = 1 where status <> 'STARTED'`.execute(database);
  // An approval held for seven days.
  const approvedOn =
    engine === 'sqlite'
      ? sql`date(substr(expires_at, 1, 10), '-7 days')`
      : sql`to_char(cast(substr(expires_at, 1, 10) as date) - 7, 'YYYY-MM-DD')`;
  await sql`update applications set approved_on = ${approvedOn} where tier_id is not null`.execute(database);
}

async function moveDocuments(database: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ id: string; document_json: string; created_at: string }>`
    select id, document_json, created_at from programs`.execute(database);
  for (const { id, document_json, created_at } of rows) {
    const document = completed(JSON.parse(document_json) as OldDocument);
    const { status, effective } = document;
    await sql`
      insert into program_versions (program_id, version, status, effective_from, effective_to, document_json, created_at)
      values (${id}, 1, ${status}, ${effective.from}, ${effective.to}, ${JSON.stringify(document)}, ${created_at})`.execute(
      database,
    );
  }
}

/** Lets no row be changed or removed, except by an owner of the table who drops the triggers first. */
async function makeFinal(database: Kysely<unknown>, engine: Engine): Promise<void> {
  const statements =
    engine === 'sqlite'
      ? [
          ...['update', 'delete'].map(
            (change) =>
              `create trigger program_versions_without_${change} before ${change} on program_versions
                 begin select raise(abort, 'A version of a program is never changed'); end`,
          ),
          // "insert or replace" removes what is in its way without asking the trigger on delete.
          `create trigger program_versions_without_replace before insert on program_versions
             when exists (select 1 from program_versions where program_id = new.program_id and version = new.version)
             begin select raise(abort, 'A version of a program is never changed'); end`,
        ]
      : [
          `create function refuse_changed_program_version() returns trigger language plpgsql as
             $$ begin raise exception 'A version of a program is never changed'; end $$`,
          `create trigger program_versions_are_final before update or delete on program_versions
             for each row execute function refuse_changed_program_version()`,
          `create trigger program_versions_stay before truncate on program_versions
             for each statement execute function refuse_changed_program_version()`,
        ];
  for (const statement of statements) await sql.raw(statement).execute(database);
}

/** The built-in program as it was stored before. */
interface OldDocument {
  lender: { name: string };
  amount: { minCents: number; maxCents: number };
  tiers: object[];
  offers: object[];
}

function completed({ lender, amount, tiers, offers }: OldDocument) {
  return {
    id: 'standard',
    name: 'Standard',
    version: 1,
    status: 'active',
    effective: { from: '1970-01-01', to: null },
    currency: 'USD',
    lender: { ...lender, stateLicences: {} },
    creditType: 'loan',
    disclosureRegime: 'reg-z-closed-end',
    amount: { ...amount, basis: 'cartTotal', mayHaveGaps: false },
    downPayment: { percentBps: 0, minCents: 0 },
    rounding: { payment: 'half-up', interest: 'half-up', lastPayment: 'absorb' },
    schedule: {
      interval: 'month',
      accrual: '30/360',
      firstPaymentAfter: { months: 1, days: 0 },
      oddDaysInterest: 'none',
      firstPeriodPolicy: 'exact',
    },
    fees: [],
    tiers,
    offers: offers.map((offer) => ({ ...offer, promo: null })),
    deferredInterest: 'unsupported',
    caps: { maxAprBps: 3_599, maprCapBps: 3_600, stateAprCapBps: {} },
    states: { excluded: [], overrides: {}, notices: {} },
    late: { flatCents: 0, percentBps: 0 },
    prepayment: { penalty: false },
  };
}
