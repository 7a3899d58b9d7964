/**
 * Fail-over of PostgreSQL with the configuration of `server/docs/failover/`: Patroni with etcd, HAProxy, a leader and a synchronous standby,
 * and two processes of the service behind nginx. The leader is killed under load again and again.
 */
import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, copyFileSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { Agent, fetch as fetchWith } from 'undici';
import { beforeAll, describe, expect, it } from 'vitest';
import { projectRoot } from '../../server/setup/project.mjs';
import { onCleanup } from '../support/cleanup.ts';
import { TEST_DATA_KEYS } from '../support/data-keys.ts';
import { codeBlock } from '../support/docs.ts';
import { bodiesOf, certificate, type Receiver, startReceiver } from '../support/http.ts';
import { freePort } from '../support/network.mjs';
import { startNginx } from '../support/nginx.mjs';
import { cli, type ServiceProcess, startServiceProcess } from '../support/process.ts';
import { ensurePrograms, isRoot } from '../support/system-packages.mjs';
import { until } from '../support/time.ts';

const run = promisify(execFile);

/** Number of times that the leader is killed. */
const KILLS = 5;
/** Time from the promotion of the standby to the next answered write. */
const RECOVERY_MS = 10_000;
/** Callers that buy at the same time. */
const SHOPPERS = 4;
const REFUND_CENTS = 1_000;

const folder = mkdtempSync(join(tmpdir(), 'fairterm-fail-over-'));
onCleanup(() => rmSync(folder, { recursive: true, force: true }));

/** PostgreSQL does not run as root. Its packages create this user. */
const idOf = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));

/** Starts a program as the user of PostgreSQL. Its output is a file in the folder of this test. */
function start(name: string, command: string, args: readonly string[], variables: Record<string, string> = {}): ChildProcess {
  const log = openSync(join(folder, `${name}.log`), 'a');
  const user = isRoot ? { uid: idOf('-u'), gid: idOf('-g') } : {};
  const env = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C', ...variables };
  const child = spawn(command, args, { ...user, cwd: folder, env, stdio: ['ignore', log, log] });
  onCleanup(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGTERM');
    await once(child, 'exit');
  });
  return child;
}

/** Replaces texts of a sample file, and writes the result into the folder of this test. */
function configure(sample: string, name: string, replacements: readonly [pattern: RegExp, value: string][]): string {
  const text = readFileSync(join(projectRoot, 'server/docs/failover', sample), 'utf8');
  const file = join(folder, name);
  const replaced = replacements.reduce((before, [pattern, value]) => {
    expect([sample, String(pattern), before.search(pattern) >= 0]).toEqual([sample, String(pattern), true]);
    return before.replace(pattern, value);
  }, text);
  writeFileSync(file, replaced);
  return file;
}

/** Returns the key of the certificate as a file that PostgreSQL accepts: its own, and no one else's. */
function privateKey(): string {
  const file = join(folder, 'db.key');
  copyFileSync(certificate.keyFile, file);
  chmodSync(file, 0o600);
  if (isRoot) chownSync(file, idOf('-u'), idOf('-g'));
  return file;
}

/** A server of PostgreSQL and its Patroni. */
class Server {
  readonly name: string;
  readonly port: number;
  readonly restPort: number;
  readonly #file: string;
  readonly #data: string;
  #patroni!: ChildProcess;

  constructor(name: string, port: number, restPort: number, etcdPort: number) {
    this.name = name;
    this.port = port;
    this.restPort = restPort;
    this.#data = join(folder, name);
    this.#file = configure('patroni.yml', `${name}.yml`, [
      [/name: db1/, `name: ${name}`],
      [/10\.0\.0\.1:8008/g, `127.0.0.1:${restPort}`],
      [/\[10\.0\.0\.1:2379.*\]/, `127.0.0.1:${etcdPort}`],
      [/10\.0\.0\.1:5432/g, `127.0.0.1:${port}`],
      [/10\.0\.0\.0\/24/g, '127.0.0.1/32'],
      [/\/var\/lib\/postgresql\/15\/fairterm/, this.#data],
      [/^ {2}parameters:$/m, `  parameters:\n    unix_socket_directories: ${folder}`],
      [/\/etc\/patroni\/db\.pem/, certificate.certFile],
      [/\/etc\/patroni\/db\.key/, privateKey()],
    ]);
  }

  start(): void {
    this.#patroni = start(this.name, 'patroni', [this.#file]);
  }

  /** Kills PostgreSQL and its Patroni, as the loss of their machine would. */
  async kill(): Promise<void> {
    const [postmaster] = readFileSync(join(this.#data, 'postmaster.pid'), 'utf8').split('\n');
    const ended = once(this.#patroni, 'exit');
    this.#patroni.kill('SIGKILL');
    process.kill(Number(postmaster), 'SIGKILL');
    await ended;
  }

  /** Whether Patroni reports this role. */
  is(role: 'primary' | 'synchronous' | 'replica'): Promise<boolean> {
    return fetch(`http://127.0.0.1:${this.restPort}/${role}`).then(
      ({ status }) => status === 200,
      () => false,
    );
  }

  /** Changes the configuration of the cluster. */
  async configure(change: object): Promise<void> {
    const init = { method: 'PATCH', body: JSON.stringify(change) };
    expect((await fetch(`http://127.0.0.1:${this.restPort}/config`, init)).status).toBe(200);
  }

  /** Runs a statement as the superuser, and returns the first column of its rows. */
  async query(sql: string): Promise<unknown[]> {
    const connectionString = `postgres://postgres:CHANGE-ME-1@localhost:${this.port}/postgres`;
    const client = new Client({ connectionString, ssl: { ca: certificate.ca } });
    await client.connect();
    try {
      const { rows } = await client.query<unknown[]>({ text: sql, rowMode: 'array' });
      return rows.map(([first]) => first);
    } finally {
      await client.end();
    }
  }
}

/** An order, with the writes about it that were answered. */
interface Order {
  cartId?: string;
  transactionId?: string;
  answered: ('authorize' | 'settle' | 'refund')[];
}

/** The API, as a merchant calls it through nginx. */
class Shop {
  readonly #url: string;
  readonly #headers: Record<string, string>;
  readonly #dispatcher = new Agent({ connect: { ca: certificate.ca } });
  readonly #callbackUrl: string;
  /** Times of answered writes. */
  readonly answeredAtMs: number[] = [];
  /** Statuses of other responses, and their numbers; 0: no response. */
  readonly failures: Record<string, number> = {};

  constructor(url: string, { apiKey, secret }: { apiKey: string; secret: string }, callbackUrl: string) {
    this.#url = url;
    this.#callbackUrl = callbackUrl;
    // In version 1 of the statuses, an unknown transaction is a fault.
    this.#headers = { authorization: `Basic ${btoa(`${apiKey}:${secret}`)}`, 'fairterm-version': '2' };
  }

  /** Returns the status and the body of a response; the status is 0 without one. */
  async call(path: string, body?: object): Promise<{ status: number; body: Record<string, unknown> }> {
    const init = {
      dispatcher: this.#dispatcher,
      headers: this.#headers,
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    };
    try {
      const response = await fetchWith(this.#url + path, init);
      return { status: response.status, body: (await response.json()) as Record<string, unknown> };
    } catch {
      return { status: 0, body: {} };
    }
  }

  /** Sends a write. @throws Error - it was not answered by success, and may have happened or not. */
  async #write(path: string, sent: object): Promise<Record<string, unknown>> {
    const { status, body } = await this.call(path, sent);
    if (status === 200) {
      this.answeredAtMs.push(performance.now());
      return body;
    }
    this.failures[status] = (this.failures[status] ?? 0) + 1;
    throw new Error(`Responded ${status}`);
  }

  /** Places an order, and changes its transaction. Ends with the first write that is not answered. */
  async buy(): Promise<Order> {
    const order: Order = { answered: [] };
    try {
      const options = { customTotal: 129_900, callbackUrl: this.#callbackUrl };
      order.cartId = String((await this.#write('/carts', { options }))['id']);
      order.transactionId = String((await this.#write('/sandbox/checkouts', { cartId: order.cartId }))['transactionId']);
      for (const type of ['authorize', 'settle', 'refund'] as const) {
        await this.#write(`/transactions/actions/${order.transactionId}`, {
          type,
          ...(type === 'refund' && { amount: REFUND_CENTS }),
        });
        order.answered.push(type);
      }
    } catch {
      // As a shop would, before it lets another buyer try.
      await delay(100);
    }
    return order;
  }

  /** Returns the answered writes of an order that the service no longer has. */
  async lostOf({ cartId, transactionId, answered }: Order): Promise<string[]> {
    if (cartId === undefined) return [];
    const found = async (path: string) => {
      const { status, body } = await this.call(path);
      expect([path, status]).toEqual([path, expect.toBeOneOf([200, 404])]);
      return status === 200 ? body : undefined;
    };
    const cart = await found(`/carts/${cartId}`);
    const transaction = transactionId === undefined ? undefined : await found(`/transactions/${transactionId}`);
    const isRefunded = transaction?.['adjustedTotal'] === Number(transaction?.['total']) - REFUND_CENTS;
    const isKept = {
      authorize: /^(AUTHORIZED|SETTLED)$/.test(String(transaction?.['status'])),
      settle: transaction?.['status'] === 'SETTLED',
      refund: isRefunded,
    };
    return [
      ...(cart ? [] : ['cart']),
      ...(transactionId === undefined || transaction ? [] : ['transaction']),
      ...answered.filter((type) => !isKept[type]),
    ];
  }

  /** Returns all answered writes that were lost. */
  async lost(orders: readonly Order[]): Promise<string[]> {
    const all: string[] = [];
    for (const order of orders) all.push(...(await this.lostOf(order)));
    return all;
  }
}

describe('Fail-over of PostgreSQL', () => {
  let servers: [Server, Server];
  let services: ServiceProcess[];
  let shop: Shop;
  let receiver: Receiver;
  let fairterm: (...args: string[]) => Promise<string>;
  const orders: Order[] = [];

  const leader = () =>
    until(async () => ((await servers[0].is('primary')) ? servers[0] : (await servers[1].is('primary')) && servers[1]));
  const other = (server: Server) => servers.find((each) => each !== server)!;

  beforeAll(async () => {
    ensurePrograms({ patroni: 'patroni', etcd: 'etcd-server', haproxy: 'haproxy', pg_ctlcluster: 'postgresql-15' });
    chmodSync(folder, 0o755);
    if (isRoot) chownSync(folder, idOf('-u'), idOf('-g'));
    const ports = [];
    for (let count = 0; count < 9; count++) ports.push(await freePort());
    const [etcd, etcdPeer, proxy, one, oneRest, two, twoRest, service, secondService] = ports as [
      number,
      number,
      number,
      number,
      number,
      number,
      number,
      number,
      number,
    ];
    const peer = `http://127.0.0.1:${etcdPeer}`;
    const client = `http://127.0.0.1:${etcd}`;
    const settings = configure('etcd', 'etcd.env', [
      [/\/var\/lib\/etcd\/fairterm/, join(folder, 'etcd')],
      [/,etcd2=.*,etcd3=.*/, ''],
      [/http:\/\/10\.0\.0\.1:2379/g, client],
      [/http:\/\/10\.0\.0\.1:2380/g, peer],
    ]);
    const lines = readFileSync(settings, 'utf8').matchAll(/^(\w+)=(.*)$/gm);
    start('etcd', 'etcd', [], Object.fromEntries([...lines].map(([, name, value]) => [name!, value!])));
    await until(() =>
      fetch(`${client}/health`).then(
        ({ ok }) => ok,
        () => false,
      ),
    );
    servers = [new Server('db1', one, oneRest, etcd), new Server('db2', two, twoRest, etcd)];
    const haproxy = configure('haproxy.cfg', 'haproxy.cfg', [
      [/127\.0\.0\.1:5432\n/, `127.0.0.1:${proxy}\n`],
      [/10\.0\.0\.1:5432 check port 8008/, `127.0.0.1:${one} check port ${oneRest}`],
      [/10\.0\.0\.2:5432 check port 8008/, `127.0.0.1:${two} check port ${twoRest}`],
    ]);
    await run('haproxy', ['-c', '-f', haproxy]);
    servers[0].start();
    await until(() => servers[0].is('primary'));
    servers[1].start();
    await until(() => servers[1].is('synchronous'));
    start('haproxy', 'haproxy', ['-db', '-f', haproxy]);
    // As the user of PostgreSQL, by the socket.
    const commands = `sudo() { shift 2; ${isRoot ? 'runuser --user postgres -- ' : ''}"$@"; }\n${codeBlock('server/docs/scale.md', 'fail-over-database')}`;
    const login = { PGHOST: isRoot ? folder : 'localhost', PGPORT: String(one), PGUSER: 'postgres', PGPASSWORD: 'CHANGE-ME-1' };
    // Without a terminal, the password is read from the standard input.
    const created = run('setsid', ['--wait', 'bash', '-ec', commands], { env: { PATH: process.env['PATH'], ...login } });
    created.child.stdin!.end('secret\nsecret\n');
    await created;

    const databaseUrl = `postgres://fairterm:secret@localhost:${proxy}/fairterm?sslmode=verify-full&sslrootcert=${certificate.certFile}`;
    const limits = [
      'APPLICATIONS_PER_IDENTITY_PER_DAY',
      'APPLICATIONS_PER_RECIPIENT_PER_DAY',
      'APPLICATIONS_PER_ADDRESS_PER_HOUR',
    ];
    const env = { PUBLIC_URL: 'https://localhost', TRUST_PROXY: '1', ...Object.fromEntries(limits.map((name) => [name, '0'])) };
    fairterm = async (...args) =>
      (await run(process.execPath, [cli, ...args], { env: { ...env, DATABASE_URL: databaseUrl, DATA_KEYS: TEST_DATA_KEYS } }))
        .stdout;
    await until(() =>
      fairterm('migrate').then(
        () => true,
        () => false,
      ),
    );
    services = [service, secondService].map((port) => startServiceProcess(databaseUrl, { ...env, PORT: String(port) }));
    for (const each of services) await until(() => each.stderr().includes(' serves '));
    const nginx = await startNginx({ servicePort: service, secondPort: secondService, ...certificate });
    onCleanup(nginx.stop);
    const merchant = await fairterm('merchant', 'create', '--name', 'Acme', '--store-url', 'https://shop.example', '--json');
    receiver = await startReceiver();
    shop = new Shop(`https://localhost:${nginx.port}`, JSON.parse(merchant), receiver.url);
  }, 300_000);

  it(`loses no answered write and no callback while the leader is killed ${KILLS} times under load`, async () => {
    const opening = new AbortController();
    const shoppers = Array.from({ length: SHOPPERS }, async () => {
      while (!opening.signal.aborted) orders.push(await shop.buy());
    });
    for (let kills = 1; kills <= KILLS; kills++) {
      const killed = await leader();
      const standby = other(killed);
      await until(() => standby.is('synchronous'));
      // Under load, also right before.
      const answered = shop.answeredAtMs.length;
      await until(() => shop.answeredAtMs.length > answered + 100);
      await killed.kill();
      const killedAtMs = performance.now();
      await until(() => standby.is('primary'));
      const promotedAtMs = performance.now();
      await until(() => shop.answeredAtMs.at(-1)! > promotedAtMs, 2 * RECOVERY_MS);
      const recoveredAtMs = shop.answeredAtMs.find((time) => time > promotedAtMs)!;
      console.log(
        `kill ${kills} of ${killed.name}: promoted after ${Math.round(promotedAtMs - killedAtMs)} ms, answers ${Math.round(recoveredAtMs - promotedAtMs)} ms later`,
      );
      expect(recoveredAtMs - promotedAtMs).toBeLessThan(RECOVERY_MS);
      killed.start();
      await until(() => killed.is('synchronous'));
    }
    opening.abort();
    await Promise.all(shoppers);
    console.log(
      `${shop.answeredAtMs.length} answered writes of ${orders.length} orders; other responses: ${JSON.stringify(shop.failures)}`,
    );

    expect(await shop.lost(orders)).toEqual([]);
    const answered = orders.flatMap(({ transactionId }) => transactionId ?? []);
    const called = () => new Set(bodiesOf(receiver).map((body) => (JSON.parse(body) as { transactionId: string }).transactionId));
    await until(() => answered.every((id) => called().has(id)), 600_000);
    await until(
      async () => JSON.parse(await fairterm('deliveries', 'list', '--state', 'pending', '--json')).deliveries.length === 0,
      600_000,
    );
    expect(services.map(({ child }) => child.exitCode)).toEqual([null, null]);
    expect(await fairterm('audit')).toContain('differing from their journal: 0.');
  }, 1_800_000);

  it('loses answered writes that an asynchronous standby has not received', async () => {
    const killed = await leader();
    const standby = other(killed);
    await killed.configure({ synchronous_mode: false, maximum_lag_on_failover: 2 ** 30 });
    await until(async () => (await killed.query('show synchronous_standby_names'))[0] === '');
    // The leader sends nothing to the standby.
    const [sender] = await killed.query('select pid from pg_stat_replication');
    process.kill(Number(sender), 'SIGSTOP');
    const later: Order[] = [];
    for (let count = 0; count < 3; count++) later.push(await shop.buy());
    expect(later.map(({ answered }) => answered.length)).toEqual([3, 3, 3]);
    await killed.kill();
    process.kill(Number(sender), 'SIGKILL');
    await until(() => standby.is('primary'));
    await until(async () => (await shop.call('/carts')).status === 200);
    expect(await shop.lost(later)).toContain('cart');
    expect(await shop.lost(orders)).toEqual([]);
  }, 300_000);
});
