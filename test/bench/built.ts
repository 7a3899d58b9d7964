/** Modules and databases of the built service. */
import { createHash } from 'node:crypto';
import { ensureBuilt } from '../../server/setup/build.mjs';

await ensureBuilt();

/** The modules of `dist/` that benchmarks import, with the types of their sources: the compiler may run before the build. */
interface Modules {
  'server/agreements/agreement.js': typeof import('../../server/agreements/agreement.ts');
  'server/base/config/config.js': typeof import('../../server/base/config/config.ts');
  'server/base/config/operator.js': typeof import('../../server/base/config/operator.ts');
  'server/base/ids.js': typeof import('../../server/base/ids.ts');
  'server/base/key-ring.js': typeof import('../../server/base/key-ring.ts');
  'server/base/time.js': typeof import('../../server/base/time.ts');
  'server/checkout/session/load.js': typeof import('../../server/checkout/session/load.ts');
  'server/checkout/session/store.js': typeof import('../../server/checkout/session/store.ts');
  'server/checkout/steps/details/submit.js': typeof import('../../server/checkout/steps/details/submit.ts');
  'server/checkout/steps/plan.js': typeof import('../../server/checkout/steps/plan.ts');
  'server/checkout/waiting/request-decision.js': typeof import('../../server/checkout/waiting/request-decision.ts');
  'server/console/routes.js': typeof import('../../server/console/routes.ts');
  'server/console/users/sessions.js': typeof import('../../server/console/users/sessions.ts');
  'server/console/users/sign-in.js': typeof import('../../server/console/users/sign-in.ts');
  'server/console/users/users.js': typeof import('../../server/console/users/users.ts');
  'server/db/driver.js': typeof import('../../server/db/driver.ts');
  'server/db/json.js': typeof import('../../server/db/json.ts');
  'server/db/mode.js': typeof import('../../server/db/mode.ts');
  'server/db/open-database.js': typeof import('../../server/db/open-database.ts');
  'server/db/order-words.js': typeof import('../../server/db/order-words.ts');
  'server/db/sealed.js': typeof import('../../server/db/sealed.ts');
  'server/db/sqlite.js': typeof import('../../server/db/sqlite.ts');
  'server/lending/applications/store.js': typeof import('../../server/lending/applications/store.ts');
  'server/lending/lenders/sandbox-lender.js': typeof import('../../server/lending/lenders/sandbox-lender.ts');
  'server/lending/programs/standard-program.js': typeof import('../../server/lending/programs/standard-program.ts');
  'server/lending/programs/store.js': typeof import('../../server/lending/programs/store.ts');
  'server/main.js': typeof import('../../server/main.ts');
  'server/merchants/failed-logins.js': typeof import('../../server/merchants/failed-logins.ts');
  'server/merchants/merchants.js': typeof import('../../server/merchants/merchants.ts');
  'server/merchants/store.js': typeof import('../../server/merchants/store.ts');
  'server/messages/outbox.js': typeof import('../../server/messages/outbox.ts');
  'server/operations/retention/sweep.js': typeof import('../../server/operations/retention/sweep.ts');
  'server/operations/sandbox/run-checkout.js': typeof import('../../server/operations/sandbox/run-checkout.ts');
  'server/platform/listing/routes.js': typeof import('../../server/platform/listing/routes.ts');
  'server/platform/tokens/issue.js': typeof import('../../server/platform/tokens/issue.ts');
  'server/purchases/cards/sandbox-gateway.js': typeof import('../../server/purchases/cards/sandbox-gateway.ts');
  'server/purchases/carts/carts.js': typeof import('../../server/purchases/carts/carts.ts');
  'server/purchases/carts/list.js': typeof import('../../server/purchases/carts/list.ts');
  'server/purchases/carts/present.js': typeof import('../../server/purchases/carts/present.ts');
  'server/purchases/carts/store.js': typeof import('../../server/purchases/carts/store.ts');
  'server/purchases/transactions/list.js': typeof import('../../server/purchases/transactions/list.ts');
  'server/purchases/transactions/present.js': typeof import('../../server/purchases/transactions/present.ts');
  'server/purchases/transactions/save-change.js': typeof import('../../server/purchases/transactions/save-change.ts');
  'server/purchases/transactions/store.js': typeof import('../../server/purchases/transactions/store.ts');
  'server/purchases/transactions/transactions.js': typeof import('../../server/purchases/transactions/transactions.ts');
  'shared/languages/index.js': typeof import('../../shared/languages/index.ts');
  'shared/programs/rate-sheet.js': typeof import('../../shared/programs/rate-sheet.ts');
  'shared/wire/as-low-as.js': typeof import('../../shared/wire/as-low-as.ts');
  'shared/wire/cart.js': typeof import('../../shared/wire/cart.ts');
  'shared/wire/status-codes.js': typeof import('../../shared/wire/status-codes.ts');
  'shared/wire/transaction.js': typeof import('../../shared/wire/transaction.ts');
}

/** Imports a module of `dist/`. */
export const dist = <Path extends keyof Modules>(path: Path): Promise<Modules[Path]> =>
  import(new URL(`../../dist/${path}`, import.meta.url).href);

// Also for the processes that benchmarks start.
const dataKeys = (process.env['DATA_KEYS'] ??= `bench:${createHash('sha256').update('bench').digest('base64')}`);

const { parseKeyRing } = await dist('server/base/key-ring.js');

/** Returns the keys of the databases of benchmarks. */
export const benchKeys = () => parseKeyRing(dataKeys, 'DATA_KEYS');
