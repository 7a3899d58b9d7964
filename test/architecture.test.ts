import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { describe, expect, it, test } from 'vitest';

/** Files of the server by their rooms, as paths. */
const inRooms = (names: Record<string, string>, suffix = '.ts') =>
  Object.entries(names).flatMap(([room, files]) => files.split(' ').map((name) => posix.join('server', room, name + suffix)));

/** What decides and computes, and is handed all it needs. */
const rules = inRooms({
  applications: 'contact expiry lifecycle listing/filters listing/parameters listing/present listing/scope listing/shown-codes',
  'as-low-as': 'parsed quotes standard-program versions',
  carts: 'lifecycle present redirect-urls totals',
  checkout:
    'decision/adverse-action session/present session/purchase session/secret session/session session/state signing/agreement steps/application/form steps/details/form texts/index web/headers web/read-form web/redirects web/shown-items web/typed-text web/way',
  cards: 'gateway sandbox-gateway',
  http: 'client-address rate',
  storefront: 'opened-cart fragment/markup fragment/words',
  lenders: 'answers credit-file lender no-lender rules strict-json',
  merchants: 'keys',
  'widget-files': 'release',
  tokens: 'claims compact key-age oauth/client-credentials oauth/metadata',
  notifications: 'addresses messages outcome retries signature',
  transactions: 'adjustments lifecycle line-items line-values present replay card-audit card-part hold',
});

/** Imports that server/decisions/0001-features-as-folders.md rules out. */
const forbidden: [what: string, importer: RegExp, imported: RegExp][] = [
  ['shared/ stands on superstruct alone', /^shared\//, /^(?!shared\/|superstruct$)/],
  [
    'the widget sees lit and shared/ alone',
    /^widget\/(?!vite\.config|build\/|manifest\/|recipes\/|react\.ts$)/,
    /^(?!widget\/|shared\/|lit$|lit\/)/,
  ],
  ['the component for React sees the widget and React alone', /^widget\/react\.ts$/, /^(?!widget\/|react$|@lit\/react$)/],
  ['nobody imports the component for React', /./, /^widget\/react\.ts$/],
  ['the server never sees the widget', /^server\//, /^widget\//],
  ['only the HTTP rooms know Koa', /^server\/(?!.*\/(routes|pages)\.ts$|http\/|app\.ts|main\.ts)/, /^(koa|koa-.*|@koa\/router)$/],
  ['only driver.ts knows the package behind SQLite', /^(?!server\/db\/driver\.ts$)/, /^better-sqlite3(-13)?$/],
  ['only postgres.ts knows its driver', /^(?!server\/db\/postgres\.ts$)/, /^pg$/],
  ['only cards/ knows Stripe', /^(?!server\/cards\/stripe-\w+\.ts$)/, /^stripe$/],
  ['only the database and the stores build queries', /^(?!server\/(db\/|.*\/(store|outbox|audit-store)\.ts$))/, /^kysely$/],
  ['rules know no database and no HTTP', new RegExp(`^(${rules.join('|')})$`), /^server\/(db|http)\/|\/(routes|pages)\.ts$|^koa/],
  ['nobody imports a route module but app.ts', /^(?!server\/app\.ts$)/, /\/routes\.ts$/],
  ['nobody imports the demo shop', /^(?!demo\/)/, /^demo\//],
  ['the demo shop knows the published client alone', /^demo\//, /^(server|widget|shared)\/(?!setup\/)|^fairterm(?!\/client$)/],
  ['recipes know the published package alone', /^widget\/recipes\//, /^(server|shared|demo|dist)\/|^widget\/(?!recipes\/)/],
  ['nobody imports a recipe', /^(?!widget\/recipes\/)/, /^widget\/recipes\//],
  [
    'nobody in the product imports the client but the demo shop and recipes',
    /^(server|widget\/(?!recipes\/)|shared\/(?!client\/))/,
    /^shared\/client\/|^fairterm(\/|$)/,
  ],
  ['the product never imports its tests', /^(shared|server|widget|demo)\//, /^test\//],
];

const files = ['shared', 'widget', 'server', 'demo'].flatMap((room) =>
  readdirSync(room, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(tsx?|mjs)$/.test(name))
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

const decisions = readdirSync('server/decisions').map((name) => posix.join('server/decisions', name));

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
    expect(containing(/process\.env/, /^server\/(?!main\.ts|cli\.ts|setup\/)/)).toEqual([]);
  });

  it('ask the clock, chance or for an id in no rule, and elsewhere only where it is listed', () => {
    const asking =
      /Date\.now|new Date\(\)|performance\.now|Math\.random|\brandom(Bytes|FillSync|Int|UUID)\b|getRandomValues|\bsystemClock\b|\bnew(Id|Token)\(/;
    const askers = [
      ...inRooms({
        '': 'time ids main cli',
        carts: 'carts sharing',
        checkout:
          'decision/decide decision/request signing/complete signing/sign steps/card/submit steps/details/submit web/pages',
        db: 'postgres sqlite sqlite-dialect migrations/0004-notifications migrations/0010-form-key',
        http: 'raw-answer request-log',
        idempotency: 'once',
        merchants: 'callback-secrets import-program keys merchants',
        notifications: 'deliver send text',
        tokens: 'signing-keys',
      }),
      ...inRooms({ setup: 'build dependencies lock ports' }, '.mjs'),
      'demo/callback.ts',
      'demo/orders.ts',
      'shared/client/platform.ts',
      'widget/estimate.ts',
      'widget/programs.ts',
      'widget/recipes/shop/orders.ts',
      'widget/recipes/shopify/financing.ts',
    ];
    expect(containing(asking, /./).toSorted()).toEqual(askers.toSorted());
    // Keys are made of chance and hashed beside it.
    expect(rules.filter((rule) => askers.includes(rule))).toEqual(['server/merchants/keys.ts']);
  });

  it('have every rule that is named here', () => {
    expect(rules.filter((rule) => !sources.has(rule))).toEqual([]);
  });

  it('build the structs of the wire of bricks that keep their limits', () => {
    const forgetful =
      /import [^;]*\b(integer|min|max|size|refine|nullable|optional|defaulted|define|dynamic|coerce|nonempty|pattern|record|tuple|union)\b[^;]*from 'superstruct'/;
    expect(containing(forgetful, /^shared\/wire\/(?!bricks|fields|contact-fields)/)).toEqual([]);
    expect(containing(forgetful, /^shared\/wire\//)).toEqual([
      'shared/wire/bricks.ts',
      'shared/wire/contact-fields.ts',
      'shared/wire/fields.ts',
    ]);
  });

  it('build queries in the stores only, each on its own tables', () => {
    const owners: Record<string, RegExp> = {
      'server/merchants/store.ts': /^(tenants|merchants|merchant_origins|merchant_keys|callback_secrets)$/,
      'server/as-low-as/store.ts': /^(programs|program_versions)$/,
      'server/carts/store.ts': /^carts$/,
      'server/applications/store.ts': /^applications$/,
      'server/applications/listing/store.ts': /^applications$/,
      'server/tokens/store.ts': /^signing_keys$/,
      'server/checkout/session/store.ts': /^(form_keys|agreement_documents)$/,
      'server/transactions/store.ts': /^(transactions|transaction_events)$/,
      'server/transactions/audit-store.ts': /^(transactions|transaction_events)$/,
      'server/notifications/outbox.ts': /^outbox$/,
      'server/widget-files/store.ts': /^widget_files$/,
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

  it('never change what was signed', () => {
    expect(containing(/(updateTable|deleteFrom|preparedSave)\('agreement_documents'/, /./)).toEqual([]);
  });

  it('never change the journal of a transaction', () => {
    expect(containing(/(updateTable|deleteFrom|preparedSave)\('transaction_events'/, /./)).toEqual([]);
  });

  it('read addresses in one way, which Node 20 does not change its mind about', () => {
    expect(containing(/\bcanParse\b/, /^(?!shared\/url\.ts$)/)).toEqual([]);
  });

  it('are what the benchmarks load of the build', () => {
    const benchmarks = readdirSync('test/bench').filter((name) => name.endsWith('.mjs'));
    const loaded = benchmarks.flatMap((name) => {
      const paths = readFileSync(posix.join('test/bench', name), 'utf8').matchAll(
        /(?:dist\('|dist\/)((?:server|shared)\/[\w./-]+)\.js'/g,
      );
      return [...paths].map(([, path]) => `${path}.ts`);
    });
    expect(loaded).not.toEqual([]);
    expect(loaded.filter((path) => !existsSync(path))).toEqual([]);
  });

  it('leave nothing for later', () => {
    expect(containing(/\b(TODO|FIXME|XXX|HACK)\b/, /./)).toEqual([]);
  });
});

describe('Documents', () => {
  it.each(['README.md', ...decisions])('%s names only files that are there', (document) => {
    const text = readFileSync(document, 'utf8');
    const paths = [...text.matchAll(/`((?:server|shared|widget|demo|test)\/[\w./-]*|[\w-]+\/[\w./-]+\.(?:ts|mjs|css))`/g)];
    const named = paths.map(([, path]) => path!);
    // A decision may leave out that it speaks of the server.
    expect(named.filter((path) => !existsSync(path) && !existsSync(join('server', path)))).toEqual([]);
  });
});
