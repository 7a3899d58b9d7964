/**
 * A million applications of 20 tenants for a benchmark, the same in every run.
 *
 * The rows are copies of sample checkouts (`application-samples.ts`) with other ids, owners, statuses and times. The file is reused
 * until the migrations or this generator change.
 */
import { createHash, createHmac } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { projectRoot } from '../../server/setup/project.mjs';
import type { SealedColumns } from '../../server/db/sealed.ts';
import { createSamples } from './application-samples.ts';
import { benchKeys, dist } from './built.ts';

const { associatedDataOf } = await dist('server/db/sealed.js');

const MIGRATIONS = join(projectRoot, 'dist', 'server', 'db', 'migrations');
const SOURCES = ['applications-seed.ts', 'application-samples.ts'].map((name) => fileURLToPath(new URL(name, import.meta.url)));
const TENANTS = 20;
const MERCHANTS_PER_TENANT = 8;
const FIRST_DAY_MS = Date.UTC(2024, 0, 1);
const DAYS = 700;
const DAY_MS = 86_400_000;
const OPEN_CODES = new Set(['100000', '200000', '510000']);
const LAST_MS = FIRST_DAY_MS + DAYS * DAY_MS;

/** Share of applications with each status code, and the maximum number of days between creation and last update. */
const DISTRIBUTION = [
  { code: '800100', share: 0.3, days: 30 },
  { code: '610000', share: 0.28, days: 2 },
  { code: '800200', share: 0.14, days: 9 },
  { code: '300000', share: 0.06, days: 0.01 },
  { code: '300200', share: 0.05, days: 0.01 },
  { code: '300300', share: 0.02, days: 0.01 },
  { code: '300400', share: 0.01, days: 0.01 },
  { code: '700100', share: 0.06, days: 3 },
  { code: '700200', share: 0.03, days: 20 },
  { code: '100000', share: 0.02, days: 1 },
  { code: '200000', share: 0.02, days: 1 },
  { code: '510000', share: 0.01, days: 1 },
];

/** The path of the database, and the owners of the most applications: a tenant of about half of them, whose merchant and program have most. */
export interface SeededApplications {
  file: string;
  tenantId: string;
  merchantId: string;
  programId: string;
  buyerId: string;
  addressHash: string;
}

type Samples = Awaited<ReturnType<typeof createSamples>>;
type Tenant = ReturnType<typeof population>['tenants'][number];
/** Returns a function that inserts a row of a table. */
type Insert = (table: string) => (row: object) => unknown;

export async function seededApplications(count = 1_000_000): Promise<SeededApplications> {
  const version = createHash('sha256').update(String(count));
  const migrations = readdirSync(MIGRATIONS).filter((name) => name.endsWith('.js'));
  for (const source of [...SOURCES, ...migrations.toSorted().map((name) => join(MIGRATIONS, name))])
    version.update(readFileSync(source));
  const file = join(projectRoot, 'data', `bench-applications-${version.digest('hex').slice(0, 12)}.db`);
  if (!existsSync(file)) {
    mkdirSync(dirname(file), { recursive: true });
    for (const name of readdirSync(dirname(file))) if (name.startsWith('bench-applications-')) rmSync(join(dirname(file), name));
    const startedAtMs = performance.now();
    const samples = await createSamples(`${file}.new`);
    await fill(`${file}.new`, samples, count);
    renameSync(`${file}.new`, file);
    console.log(`${count} applications written in ${((performance.now() - startedAtMs) / 1000).toFixed(0)} s`);
  }
  const { tenants, buyerOf, addressOf } = population();
  const { id: tenantId, merchants } = tenants[0]!;
  return {
    file,
    tenantId,
    merchantId: merchants[0]!.id,
    programId: merchants[0]!.programs[0]!,
    buyerId: buyerOf(7),
    addressHash: addressOf(7),
  };
}

/** Returns tenants with merchants with two programs each. The first of each has the most applications. */
function population() {
  const idOf = (kind: string, ...numbers: number[]) => {
    const hex = createHash('sha256')
      .update(`${kind}/${numbers.join('/')}`)
      .digest('hex');
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
  };
  const numbered = <T>(length: number, make: (number: number) => T) => Array.from({ length }, (_, number) => make(number));
  const tenants = numbered(TENANTS, (tenant) => ({
    id: idOf('tenant', tenant),
    merchants: numbered(MERCHANTS_PER_TENANT, (merchant) => ({
      id: idOf('merchant', tenant, merchant),
      programs: numbered(2, (program) => idOf('program', tenant, merchant, program)),
    })),
  }));
  const addressOf = (number: number) => createHash('sha256').update(`address/${number}`).digest('hex');
  return { tenants, idOf, buyerOf: (number: number) => idOf('buyer', number), addressOf };
}

async function fill(file: string, samples: Samples, count: number) {
  const { Sqlite } = await dist('server/db/driver.js');
  const { tenants, idOf, buyerOf, addressOf } = population();
  const chance = seeded(14);
  // The first element is chosen with the probability `first`, the second with the same probability of the rest, and so on.
  const skewed = <T>(list: readonly T[], first: number) =>
    list[Math.min(list.length - 1, Math.floor(Math.log(1 - chance()) / Math.log(1 - first)))]!;
  const database = new Sqlite(file);
  for (const setting of [
    'journal_mode = delete',
    'journal_mode = off',
    'synchronous = off',
    'foreign_keys = off',
    'cache_size = -1000000',
  ])
    database.pragma(setting);
  const indexes = database
    .prepare<[], { name: string; sql: string }>(
      "select name, sql from sqlite_schema where type = 'index' and sql is not null and tbl_name in ('applications', 'carts')",
    )
    .all();
  for (const { name } of indexes) database.exec(`drop index ${name}`);
  const columnsOf = (table: string) =>
    database.prepare<[string], string>('select name from pragma_table_info(?)').pluck().all(table);
  const insert: Insert = (table) => {
    const columns = columnsOf(table);
    const values = columns.map((column) => `@${propertyOf(column)}`);
    const statement = database.prepare(`insert into ${table} (${columns.join()}) values (${values.join()})`);
    return (row) => statement.run({ mac: '', ...row });
  };
  database.exec('begin; delete from applications; delete from carts');
  addOwners(insert, tenants, samples);

  const addApplication = insert('applications');
  const addCart = insert('carts');
  const keyRing = benchKeys();
  const lookupKey = JSON.parse(
    keyRing.open(database.prepare<[], string>('select sealed from lookup_keys').pluck().get()!, ['lookup_keys', 1]),
  );
  const lookupHash = (purpose: string, value: string) =>
    createHmac('sha256', Buffer.from(lookupKey, 'base64url'))
      .update(JSON.stringify([purpose, value]))
      .digest('hex');
  // As in the stores, the sealed values are those without a column, and the hash that the column has a keyed hash of.
  const plain = {
    carts: new Set(columnsOf('carts').map(propertyOf)),
    applications: new Set(columnsOf('applications').map(propertyOf)),
  };
  plain.applications.delete('normalizedAddressHash');
  const seal = <Table extends keyof typeof plain>(table: Table, row: SealedColumns<Table>) => {
    const sealed = Object.entries(row).filter(([name]) => !plain[table].has(name));
    return keyRing.seal(JSON.stringify(Object.fromEntries(sealed)), associatedDataOf(table, row));
  };
  for (let number = 0; number < count; number++) {
    const tenant = skewed(tenants, 0.5);
    const merchant = skewed(tenant.merchants, 0.7);
    const program = chance() < 0.8 ? merchant.programs[0] : merchant.programs[1];
    const id = idOf('application', number);
    const cartId = idOf('cart', number);
    const createdMs = FIRST_DAY_MS + ((number + chance()) / count) * DAYS * DAY_MS;
    const { code, days } = outcomeOf(chance())!;
    // Nothing happens after the last day.
    const changedMs = createdMs + chance() * Math.min(days * DAY_MS, LAST_MS - createdMs);
    const ofCode = samples.applications[code]!;
    const sample = ofCode[Math.floor(chance() * ofCode.length)]!;
    const createdAt = instant(createdMs);
    const updatedAt = instant(changedMs);
    const owners = { tenantId: tenant.id, merchantId: merchant.id, programId: program!, cartId };
    const addressHash = sample.normalizedAddressHash && addressOf(Math.floor(chance() ** 2 * count));
    const codeHash = createHash('sha256').update(cartId).digest('hex');
    const cart = {
      ...samples.cart,
      id: cartId,
      merchantId: merchant.id,
      programId: program!,
      code: cartId,
      codeHash,
      createdAt,
    };
    addCart({ ...cart, createdByHash: '', emailHash: '', orderRef: '', expiryDueOn: null, sealed: seal('carts', cart) });
    const application = { ...sample, id, ...owners, buyerId: buyerOf(Math.floor(chance() ** 2 * count)) };
    addApplication({
      ...application,
      normalizedAddressHash: addressHash && lookupHash('address', addressHash),
      emailHash: '',
      sealed: seal('applications', application),
      statusCode: code,
      createdAt,
      updatedAt,
      // A service that opens the file must not expire open applications.
      expiresAt: OPEN_CODES.has(code) ? '9999-12-31T00:00:00.000000Z' : instant(createdMs + 30 * DAY_MS),
    });
  }
  database.exec('commit');
  for (const { sql } of indexes) database.exec(sql);
  database.close();
}

/** Returns the name in code of a column, as the service's database does. */
function propertyOf(column: string): string {
  return column.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function addOwners(insert: Insert, tenants: readonly Tenant[], { tenant, merchant, program }: Samples) {
  const addTenant = insert('tenants');
  const addMerchant = insert('merchants');
  const addProgram = insert('programs');
  for (const { id: tenantId, merchants } of tenants) {
    addTenant({ ...tenant, id: tenantId });
    for (const { id: merchantId, programs } of merchants) {
      addMerchant({ ...merchant, id: merchantId, tenantId, defaultProgramId: programs[0] });
      programs.forEach((id, number) => addProgram({ ...program, id, merchantId, code: `program-${number}` }));
    }
  }
}

function outcomeOf(fraction: number) {
  let left = fraction;
  return DISTRIBUTION.find(({ share }) => (left -= share) < 0) ?? DISTRIBUTION[0];
}

function instant(ms: number) {
  return new Date(ms).toISOString().replace('Z', '000Z');
}

/** Mulberry32, a seeded random number generator. */
function seeded(seed: number) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
