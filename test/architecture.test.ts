import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { describe, expect, it, test } from 'vitest';

/** Who may not import whom. Each row is a sentence of server/decisions/0001-rooms.md. */
const forbidden: [what: string, importer: RegExp, imported: RegExp][] = [
  ['shared/ stands on superstruct alone', /^shared\//, /^(?!shared\/|superstruct$)/],
  ['the widget sees lit and shared/ alone', /^widget\/(?!vite\.config)/, /^(?!widget\/|shared\/|lit$|lit\/)/],
  ['the server never sees the widget', /^server\//, /^widget\//],
  ['only the HTTP rooms know Koa', /^server\/(?!.*\/(routes|pages)\.ts$|http\/|app\.ts|main\.ts)/, /^(koa|koa-.*|@koa\/router)$/],
  ['only sqlite.ts knows its driver', /^(?!server\/db\/sqlite\.ts$)/, /^better-sqlite3$/],
  ['only postgres.ts knows its driver', /^(?!server\/db\/postgres\.ts$)/, /^pg$/],
  ['only the database and the stores build queries', /^server\/(?!db\/|.*\/(store|outbox|audit-store)\.ts$)/, /^kysely$/],
  [
    'rules know no database, no HTTP, no feature',
    /^server\/\w[\w-]*\/(lifecycle|adjustments|line-values|line-items|replay|totals|redirects|steps|retries|signature|addresses|agreement|standard-program|versions|keys)\.ts$/,
    /^server\/(db|http)\/|\/(routes|pages)\.ts$|^koa/,
  ],
  ['nobody imports a command but cli.ts', /^server\/(?!cli\.ts|commands\/)/, /^server\/commands\//],
  ['nobody imports a route module but app.ts', /^(?!server\/app\.ts$)/, /\/routes\.ts$/],
  [
    'nobody imports checkout/ but app.ts, main.ts and sandbox/',
    /^server\/(?!app\.ts|main\.ts|checkout\/|sandbox\/)/,
    /^server\/checkout\//,
  ],
  [
    'carts know as-low-as and the outbox, and no feature behind them',
    /^server\/carts\//,
    /^server\/(checkout|applications|transactions|notifications\/(?!outbox\.ts$)|sandbox)/,
  ],
  [
    'transactions know no other feature',
    /^server\/transactions\//,
    /^server\/(carts|checkout|applications|notifications|sandbox|as-low-as)\//,
  ],
  [
    'applications know no other feature',
    /^server\/applications\//,
    /^server\/(carts|checkout|transactions|notifications|sandbox|as-low-as)\//,
  ],
  [
    'notifications know the merchants, and no other feature',
    /^server\/notifications\//,
    /^server\/(carts|checkout|transactions|applications|sandbox|as-low-as)\//,
  ],
  ['as-low-as knows no other feature', /^server\/as-low-as\//, /^server\/(?!as-low-as\/|db\/|http\/|errors\.ts|time\.ts)/],
  [
    'the storefront knows as-low-as and merchants alone',
    /^server\/storefront\//,
    /^server\/(carts|checkout|applications|transactions|notifications|sandbox)\//,
  ],
  [
    'idempotency knows no feature',
    /^server\/idempotency\//,
    /^server\/(?!idempotency\/|db\/|errors\.ts|ids\.ts|periodic\.ts|time\.ts)/,
  ],
  [
    'the description of the API knows what goes over the wire, and no feature',
    /^server\/openapi\//,
    /^server\/(?!openapi\/|http\/|errors\.ts)/,
  ],
  ['nobody imports the description of the API but app.ts', /^server\/(?!app\.ts|openapi\/)/, /^server\/openapi\//],
  ['nobody imports the demo shop', /^(?!demo\/)/, /^demo\//],
  ['the demo shop knows the published client alone', /^demo\//, /^(server|widget|shared)\/(?!setup\/)|^fairterm(?!\/client$)/],
  [
    'nobody in the product imports the client but the demo shop',
    /^(server|widget|shared)\/(?!client\/)/,
    /^shared\/client\/|^fairterm(\/|$)/,
  ],
  ['the product never imports its tests', /^(shared|server|widget|demo)\//, /^test\//],
];

const files = ['shared', 'widget', 'server', 'demo'].flatMap((room) =>
  readdirSync(room, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => posix.join(room, name)),
);
const sources = new Map(files.map((file) => [file, readFileSync(file, 'utf8')]));
const imports = files.flatMap((file) =>
  [...sources.get(file)!.matchAll(/^(?:import|export)\b[^;]*?\bfrom '([^']+)'|^import '([^']+)'|\bimport\('([^']+)'\)/gm)].map(
    (found) => {
      const name = (found[1] ?? found[2] ?? found[3])!;
      return { file, name: name.startsWith('.') ? posix.join(posix.dirname(file), name) : name };
    },
  ),
);

describe('Rooms', () => {
  test.each(forbidden)('%s', (_what, importer, imported) => {
    expect(imports.filter(({ file, name }) => importer.test(file) && imported.test(name))).toEqual([]);
  });

  it('are all looked into', () => {
    expect(imports.length).toBeGreaterThan(150);
  });
});

describe('Sources', () => {
  const containing = (what: RegExp, among: RegExp) =>
    [...sources].filter(([file, text]) => among.test(file) && what.test(text)).map(([file]) => file);

  it('read the environment in main.ts and cli.ts only', () => {
    expect(containing(/process\.env/, /^server\/(?!main\.ts|cli\.ts)/)).toEqual([]);
  });

  it('ask no clock and no chance in a rule', () => {
    const rules =
      /^server\/.*\/(lifecycle|adjustments|line-values|line-items|replay|totals|redirects|steps|retries|signature|addresses|letter|agreement|versions|amount|details-form|forms)\.ts$|^server\/openapi\/|^shared\//;
    expect(containing(/Date\.now|new Date\(\)|Math\.random|randomBytes|performance\.now/, rules)).toEqual([
      'shared/client/platform.ts',
    ]);
  });

  it('build the structs of the wire of bricks that keep their limits', () => {
    const forgetful =
      /import [^;]*\b(integer|min|max|size|refine|nullable|optional|defaulted|define|dynamic|coerce|nonempty|pattern|record|tuple|union)\b[^;]*from 'superstruct'/;
    expect(containing(forgetful, /^shared\/wire\/(?!bricks|fields)/)).toEqual([]);
    expect(containing(forgetful, /^shared\/wire\//)).toEqual(['shared/wire/bricks.ts', 'shared/wire/fields.ts']);
  });

  it('build queries in the stores only, each on its own tables', () => {
    const owners: Record<string, RegExp> = {
      'server/merchants/store.ts': /^(tenants|merchants|merchant_origins|merchant_keys|callback_secrets)$/,
      'server/as-low-as/store.ts': /^(programs|program_versions)$/,
      'server/carts/store.ts': /^carts$/,
      'server/applications/store.ts': /^applications$/,
      'server/transactions/store.ts': /^(transactions|transaction_events)$/,
      'server/transactions/audit-store.ts': /^(transactions|transaction_events)$/,
      'server/notifications/outbox.ts': /^outbox$/,
      'server/idempotency/store.ts': /^(idempotency_keys|idempotency_answers|idempotency_writes)$/,
      'server/notifications/store.ts': /^(outbox|delivery_attempts)$/,
    };
    const queries = [...sources]
      .filter(([file]) => file.startsWith('server/') && !file.startsWith('server/db/'))
      .flatMap(([file, text]) =>
        [
          ...text.matchAll(/\b(?:selectFrom|insertInto|updateTable|deleteFrom|innerJoin|preparedInsert|preparedSave)\('(\w+)'/g),
        ].map(([, table]) => ({
          file,
          table: table!,
        })),
      );
    expect(queries.filter(({ file, table }) => !owners[file]?.test(table))).toEqual([]);
    expect(new Set(queries.map(({ file }) => file))).toEqual(new Set(Object.keys(owners)));
  });

  it('never change a version of a program', () => {
    expect(containing(/(updateTable|deleteFrom|preparedSave)\('program_versions'/, /./)).toEqual([]);
  });

  it('never change the journal of a transaction', () => {
    expect(containing(/(updateTable|deleteFrom|preparedSave)\('transaction_events'/, /./)).toEqual([]);
  });

  it('leave nothing for later', () => {
    expect(containing(/\b(TODO|FIXME|XXX|HACK)\b/, /./)).toEqual([]);
  });

  it('are files of one idea: none above 250 lines', () => {
    expect([...sources].filter(([, text]) => text.split('\n').length > 250).map(([file]) => file)).toEqual([]);
  });
});
