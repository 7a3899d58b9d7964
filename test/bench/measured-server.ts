/**
 * A server of a benchmark, in its own process. Sends its origin to its parent, and replies to each message with the processor time and
 * memory used so far, and the p99 of the event-loop delay since the message before.
 *
 * - `measured-server.mjs service DATABASE`: the built service without rate limits, which a benchmark would exceed. Logs to standard
 *   output. `DATABASE` is the path of a SQLite file or the URL of a PostgreSQL database.
 * - `measured-server.mjs baseline DATABASE`: a minimal Koa server with the same libraries, the lower bound for the cost of a request.
 */
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import Router from '@koa/router';
import type { Statement } from 'better-sqlite3';
import Koa from 'koa';
import bodyParser from 'koa-bodyparser';
import { mask, type Struct } from 'superstruct';
import { dist } from './built.ts';

const [kind = '', file = ''] = process.argv.slice(2);
const UNLIMITED = {
  STOREFRONT_CARTS_PER_ADDRESS: '0',
  STOREFRONT_CARTS_PER_MERCHANT: '0',
  STOREFRONT_READS_PER_ADDRESS: '0',
  CHECKOUT_PAGES_PER_ADDRESS: '0',
  CONSOLE_PAGES_PER_USER: '0',
  FAILED_LOGINS_PER_ADDRESS: '0',
  APPLICATIONS_PER_ADDRESS_PER_HOUR: '0',
  APPLICATIONS_PER_IDENTITY_PER_DAY: '0',
  APPLICATIONS_PER_RECIPIENT_PER_DAY: '0',
};
const { port, close } = kind === 'service' ? await startService() : await startBaseline();

const eventLoopDelay = monitorEventLoopDelay();
eventLoopDelay.enable();

/** Responses of the baseline by the last segment of the path. */
let responses: Record<string, unknown> = {};
/** The query of the baseline. */
let read: { sql: string; parameters: unknown[] };
process.on('message', (message: { responses?: typeof responses; read?: typeof read }) => {
  if (message.responses) responses = message.responses;
  if (message.read) read = message.read;
  const { user, system } = process.cpuUsage();
  // Only defined with `--expose-gc`.
  globalThis.gc?.();
  const { rss, heapUsed } = process.memoryUsage();
  process.send?.({ cpuUs: user + system, rss, heapUsed, eventLoopP99Ms: eventLoopDelay.percentile(99) / 1e6 });
  eventLoopDelay.reset();
});
process.once('disconnect', () => void close());
process.send?.({ origin: `http://127.0.0.1:${port}` });

async function startService() {
  const { readConfig } = await dist('server/base/config/config.js');
  const { serve } = await dist('server/main.js');
  const databaseUrl = file.startsWith('postgres:') ? file : `sqlite:${file}`;
  const { DATA_KEYS, TRUST_PROXY } = process.env;
  const service = await serve(
    readConfig({ ...UNLIMITED, PORT: '0', DATABASE_URL: databaseUrl, DATA_KEYS, TRUST_PROXY }),
    'dist/widget',
  );
  return { port: new URL(service.publicUrl).port, close: service.close };
}

/** Returns a row with parsed JSON columns. */
function withParsedJson(row: Record<string, unknown>) {
  const parsed: Record<string, unknown> = {};
  for (const name in row) {
    if (name.endsWith('_json')) parsed[name.slice(0, -5)] = JSON.parse(String(row[name]));
    else parsed[name] = row[name];
  }
  return parsed;
}

/** Reads the same rows as the service, validates the same bodies with the same structs, and responds with the same JSON. */
async function startBaseline() {
  const { AsLowAsRequest } = await dist('shared/wire/as-low-as.js');
  const { CreateCartRequest } = await dist('shared/wire/cart.js');
  const { ActionRequest } = await dist('shared/wire/transaction.js');
  const { Sqlite } = await dist('server/db/driver.js');
  const database = new Sqlite(file, { readonly: true });
  const transactionById = database.prepare('select * from transactions where id = ?');

  const router = new Router();
  router.get('/transactions/:id', (ctx) => {
    ctx.body = transactionById.get(ctx.params.id);
  });
  let statement: Statement<unknown[], Record<string, unknown>> | undefined;
  router.get('/api/application', (ctx) => {
    statement ??= database.prepare<unknown[], Record<string, unknown>>(read.sql);
    ctx.body = { applications: statement.all(read.parameters).slice(0, -1).map(withParsedJson) };
  });
  router.get('/pages/:name', (ctx) => {
    ctx.type = 'html';
    ctx.body = responses[ctx.params['name']!];
  });
  const checkedBy =
    <T, S>(struct: Struct<T, S>, name: string) =>
    (ctx: Koa.Context) => {
      mask(ctx.request.body, struct);
      ctx.body = responses[name];
    };
  router.post('/aslowas', checkedBy(AsLowAsRequest, 'aslowas'));
  router.post('/carts', checkedBy(CreateCartRequest, 'carts'));
  router.post('/transactions/actions/:id', checkedBy(ActionRequest, 'authorize'));

  const app = new Koa();
  app.use(bodyParser());
  app.use(router.routes());
  const handle = app.callback();
  const server = createServer((request, response) => void handle(request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const closeBaseline = () => {
    server.close();
    server.closeAllConnections();
    database.close();
  };
  return { port: (server.address() as AddressInfo).port, close: closeBaseline };
}
