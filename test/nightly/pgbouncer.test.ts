/** Two processes of the service behind PgBouncer, with the settings of `server/docs/scale.md`. */
import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:net';
import { once } from 'node:events';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { createMerchant } from '../../server/merchants/merchants.ts';
import { systemClock } from '../../server/base/time.ts';
import { differencesOf } from '../support/audit.ts';
import { chair } from '../support/checkout.ts';
import { onCleanup } from '../support/cleanup.ts';
import { openTestDatabase } from '../support/databases.ts';
import { codeBlock } from '../support/docs.ts';
import { freePort } from '../support/network.mjs';
import { createPostgresDatabase, runOnPostgres } from '../support/postgres.ts';
import { unprivileged } from '../support/postgres-server.mjs';
import { buildProject, type ReachableService, startReachableProcess } from '../support/process.ts';
import { clientOf } from '../support/service.ts';
import { installSystemPackages, isExecutable } from '../support/system-packages.mjs';
import { until } from '../support/time.ts';

const GUIDE = 'server/docs/scale.md';
const PROGRAM = '/usr/sbin/pgbouncer';
/** Fewer connections to the server than the processes have to PgBouncer. */
const POOL_SIZE = 5;
const BUYERS = 16;
const PURCHASES = 5;

const shop = { name: 'Acme Goods', storeUrl: 'https://shop.example/', origins: [] };

/** The role of the guide, whose database is empty. */
const role = { username: 'fairterm', password: 'fairterm-password' };
let serverUrl: string;

beforeAll(async () => {
  await buildProject();
  if (!isExecutable(PROGRAM)) installSystemPackages('PgBouncer, for the tests,', { 'apt-get': ['pgbouncer'] });
  expect(isExecutable(PROGRAM)).toBe(true);
  await runOnPostgres(inject('postgresUrl'), `create role fairterm login password '${role.password}'`);
  onCleanup(() => runOnPostgres(inject('postgresUrl'), 'drop role fairterm'));
});

/** Starts PgBouncer in front of an empty database. Returns the URL of the database through it. */
async function startPgBouncer(mode: 'session' | 'transaction'): Promise<string> {
  const { url, drop } = await createPostgresDatabase(inject('postgresUrl'));
  const { hostname, port: serverPort, pathname } = new URL(url);
  const name = pathname.slice(1);
  await runOnPostgres(url, `alter database ${name} owner to fairterm`);
  serverUrl = Object.assign(new URL(url), role).href;
  const folder = mkdtempSync(join(tmpdir(), 'fairterm-pgbouncer-'));
  chmodSync(folder, 0o755);
  const port = await freePort();
  const users = join(folder, 'userlist.txt');
  writeFileSync(users, `"${role.username}" "${role.password}"\n`);
  const replacements: [RegExp, string][] = [
    [/host=\S+ port=\d+ dbname=\S+/, `host=${hostname} port=${serverPort} dbname=${name}`],
    [/listen_port = \d+/, `listen_port = ${port}`],
    [/auth_file = .*/, `auth_file = ${users}`],
    [/pool_mode = .*/, `pool_mode = ${mode}`],
    [/default_pool_size = .*/, `default_pool_size = ${mode === 'session' ? 50 : POOL_SIZE}`],
  ];
  let settings = codeBlock(GUIDE, 'pgbouncer');
  for (const [pattern, replacement] of replacements) {
    expect(settings).toMatch(pattern);
    settings = settings.replace(pattern, replacement);
  }
  const file = join(folder, 'pgbouncer.ini');
  writeFileSync(file, `${settings}\nunix_socket_dir =\n`);
  const pooler = spawn(PROGRAM, ['-q', file], { ...unprivileged(), cwd: '/', stdio: ['ignore', 'inherit', 'inherit'] });
  onCleanup(async () => {
    pooler.kill('SIGQUIT');
    if (pooler.exitCode === null) await once(pooler, 'exit');
    rmSync(folder, { recursive: true, force: true });
    await drop();
  });
  await until(() => canConnect(port));
  return `postgres://${role.username}:${role.password}@127.0.0.1:${port}/fairterm`;
}

function canConnect(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true));
    socket.on('error', () => resolve(false)).on('connect', () => socket.destroy());
  });
}

/** Buys on alternate processes. Returns the responses other than 200. */
async function buy(services: readonly ReachableService[]): Promise<unknown[]> {
  const database = openTestDatabase(serverUrl);
  const created = await createMerchant(database, 'sandbox', shop, systemClock.now());
  const clients = services.map(({ url }) => clientOf(url, created));
  const failures: unknown[] = [];
  let sent = 0;
  const post = async (path: string, body: object) => {
    const { status, body: answer } = await clients[sent++ % clients.length]!.call('POST', path, {
      body: JSON.stringify(body),
      headers: { 'idempotency-key': `purchase-${sent}` },
    });
    if (status !== 200) failures.push({ path, status, answer });
    return answer;
  };
  const buyer = async () => {
    for (let count = 0; count < PURCHASES; count += 1) {
      const cart = await post('/carts', { options: { items: [chair] } });
      const { transactionId } = await post('/sandbox/checkouts', { cartId: cart.id });
      const path = `/transactions/actions/${transactionId}`;
      for (const type of ['authorize', 'settle']) await post(path, { type });
      expect(await post(path, { type: 'refund', amount: 10_000 })).toMatchObject({ adjustedTotal: chair.price - 10_000 });
    }
  };
  await Promise.all(Array.from({ length: BUYERS }, buyer));
  const settled = await database.query.selectFrom('transactions').select('id').where('status', '=', 'SETTLED').execute();
  expect(settled.length).toBe(BUYERS * PURCHASES);
  expect(await differencesOf(database.query)).toEqual([]);
  return failures;
}

const linesOf = ({ stdout }: ReachableService, level: number) =>
  stdout()
    .split('\n')
    .filter((line) => line.startsWith(`{"level":${level}`));

describe.each([
  ['session', {}],
  ['transaction', { DATABASE_PREPARE: 'off' }],
] as const)('Behind PgBouncer in %s mode', (mode, env) => {
  it('two processes serve concurrent purchases, and the audit finds no difference', async () => {
    const url = await startPgBouncer(mode);
    const warned = await startReachableProcess(url, env);
    await until(() => linesOf(warned, 40).length > 1);
    const remedies = linesOf(warned, 40).map((line) => /alter role \\?"?fairterm\\?"? set (\w+)/.exec(line)?.[1] ?? '');
    expect(remedies.toSorted()).toEqual(['idle_in_transaction_session_timeout', 'statement_timeout']);
    await warned.kill();

    await runOnPostgres(inject('postgresUrl'), codeBlock(GUIDE, 'timeouts'));
    await runOnPostgres(
      inject('postgresUrl'),
      `select pg_terminate_backend(pid, 10000) from pg_stat_activity where usename = 'fairterm'`,
    );
    const services = [await startReachableProcess(url, env), await startReachableProcess(url, env)];
    expect(await buy(services)).toEqual([]);
    for (const service of services) expect([...linesOf(service, 50), ...linesOf(service, 40)]).toEqual([]);
    for (const { kill } of services) await kill();
    await runOnPostgres(inject('postgresUrl'), 'alter role fairterm reset all');
  }, 300_000);
});

it('Control: with named statements, requests fail behind PgBouncer in transaction mode', async () => {
  const service = await startReachableProcess(await startPgBouncer('transaction'));
  const client = clientOf(service.url, await createMerchant(openTestDatabase(serverUrl), 'sandbox', shop, systemClock.now()));
  // Each takes the connection of the server that is free.
  await until(async () => {
    await Promise.all(Array.from({ length: BUYERS }, () => client.get('/carts')));
    return linesOf(service, 50).some((line) => /"code":"(26000|42P05)"/.test(line));
  });
  await service.kill();
});
