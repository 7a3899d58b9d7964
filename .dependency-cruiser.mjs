/** Rules of imports. `npm test` and `npm run check` verify them; decision 1 gives the reasons. */

/** The rooms of `server/`, from the top: a room imports only rooms in lines below its own. `docs/`, `decisions/` and `setup/` are beside them. */
const layers = [
  ['cli'],
  ['main'],
  ['app'],
  ['operations'],
  ['console'],
  ['platform'],
  ['checkout'],
  ['agreements'],
  ['purchases'],
  ['messages'],
  ['merchants'],
  ['lending'],
  ['http'],
  ['db'],
  ['base'],
];

/** The parts of `server/checkout/`, from the top. */
const checkoutLayers = [
  ['routes', 'preview'],
  ['job', 'step-registry'],
  ['outcomes'],
  ['steps'],
  ['web'],
  ['waiting'],
  ['signing', 'decision'],
  ['session'],
];

const rulesOf = (table, folder) => {
  const anyOf = (names) => `^${folder}(${names.join('|')})(/|\\.ts$)`;
  return table.flatMap((layer, index) =>
    layer.map((name) => ({
      name: `${folder}${name} imports only what is below it`,
      from: { path: anyOf([name]) },
      to: { path: anyOf([...table.slice(0, index).flat(), ...layer.filter((other) => other !== name)]) },
    })),
  );
};

const layerRules = [...rulesOf(layers, 'server/'), ...rulesOf(checkoutLayers, 'server/checkout/')];

/** Libraries that only some files import. */
const libraries = [
  {
    library: '(@types/)?(@koa/|koa)',
    files: '(routes\\.ts$|^server/(http/|app\\.ts|merchants/(access|idempotency)/|checkout/(web|routes)/))',
  },
  { library: 'kysely', files: '([/-]store\\.ts$|/outbox\\.ts$|^server/db/)' },
  { library: '(@types/)?(better-sqlite3|pg|pg-.*)/', files: '^server/db/' },
  { library: 'stripe', files: '^server/purchases/cards/' },
].map(({ library, files }) => ({
  name: `${library} has its place`,
  from: { path: '^server/', pathNot: [files, '^server/setup/'] },
  to: { path: `^node_modules/${library}` },
}));

const rules = [
  { name: 'no import cycles of folders', scope: 'folder', from: {}, to: { circular: true } },
  {
    name: 'shared imports superstruct and itself',
    from: { path: '^shared/' },
    to: { pathNot: '^(shared/|node_modules/superstruct/)' },
  },
  { name: 'the widget imports lit and shared', from: { path: '^widget/[^.]*\\.ts$' }, to: { path: '^(server|demo|test)/' } },
  {
    name: 'the demo is a merchant',
    from: { path: '^demo/' },
    to: { path: '^(server/(?!setup/|base/progress\\.js$)|widget|shared|test)' },
  },
  {
    name: 'the service imports neither users nor clients',
    from: { path: '^server/' },
    to: { path: '^(widget|demo|test|shared/client)/' },
  },
  {
    name: 'routes are mounted by app.ts',
    from: { path: '^server/([^/]+)', pathNot: '^server/app\\.ts$' },
    to: { path: '/routes\\.ts$', pathNot: '^server/$1/' },
  },
  ...layerRules,
  ...libraries,
];

export default {
  forbidden: rules.map((rule) => ({ severity: 'error', ...rule })),
  options: {
    // The parser of TypeScript 7 has no public API.
    parser: 'swc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)dist/|^widget/recipes/' },
  },
};
