/**
 * A server of a benchmark, in a process of its own, whose processor time is counted: tells its parent where it listens, and,
 * whenever it is asked, how much of the processor it has used so far.
 *
 * `measured-server.mjs service DATABASE` is the built service, put together by its own `serve`, with its log on standard output and
 * without rate limits: a benchmark sends more from one address than anybody may. `limited-service` has the default ones.
 * `DATABASE` is the file of a SQLite database, or the address of a PostgreSQL one.
 * `measured-server.mjs floor DATABASE` is Koa with the same libraries and nothing of ours: what such a request costs at the least.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import Router from '@koa/router';
import Koa from 'koa';
import bodyParser from 'koa-bodyparser';
import { mask } from 'superstruct';

const [kind, file] = process.argv.slice(2);
const dist = (path) => import(new URL(`../../dist/${path}`, import.meta.url).href);
const UNLIMITED = {
  STOREFRONT_CARTS_PER_ADDRESS: '0',
  STOREFRONT_CARTS_PER_MERCHANT: '0',
  STOREFRONT_READS_PER_ADDRESS: '0',
  CHECKOUT_PAGES_PER_ADDRESS: '0',
  FAILED_LOGINS_PER_ADDRESS: '0',
};
const services = { service: UNLIMITED, 'limited-service': {} };
const { port, close } = services[kind] ? await startService(services[kind]) : await startFloor();

/** What the floor answers, by the path that is asked. */
let responses = {};
/** The read of the floor, `{ sql, parameters }`, and which of its columns hold JSON. */
let read;
process.on('message', (message) => {
  if (message.responses) responses = message.responses;
  if (message.read) read = message.read;
  const { user, system } = process.cpuUsage();
  // Where node was told to let it be asked for.
  globalThis.gc?.();
  const { rss, heapUsed } = process.memoryUsage();
  process.send({ cpuUs: user + system, rss, heapUsed });
});
process.once('disconnect', () => void close());
process.send({ origin: `http://127.0.0.1:${port}` });

async function startService(limits) {
  const { readConfig } = await dist('server/config/config.js');
  const { serve } = await dist('server/main.js');
  const databaseUrl = file.startsWith('postgres:') ? file : `sqlite:${file}`;
  const service = await serve(readConfig({ ...limits, PORT: '0', DATABASE_URL: databaseUrl }), 'dist/widget');
  return { port: new URL(service.publicUrl).port, close: service.close };
}

/** A row as JSON: what is stored as such is no text in it. */
function withParsedJson(row) {
  const parsed = {};
  for (const name in row) {
    if (name.endsWith('_json')) parsed[name.slice(0, -5)] = JSON.parse(row[name]);
    else parsed[name] = row[name];
  }
  return parsed;
}

/** Reads the same row as the service; checks the same bodies by the same structs, and answers as much JSON as the service does. */
async function startFloor() {
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
  router.get('/api/application', (ctx) => {
    read.statement ??= database.prepare(read.sql);
    ctx.body = { applications: read.statement.all(read.parameters).slice(0, -1).map(withParsedJson) };
  });
  router.get('/pages/:name', (ctx) => {
    ctx.type = 'html';
    ctx.body = responses[ctx.params.name];
  });
  const checkedBy = (struct, name) => (ctx) => {
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
  const closeFloor = () => {
    server.close();
    server.closeAllConnections();
    database.close();
  };
  return { port: server.address().port, close: closeFloor };
}
