import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildProject, cli } from '../support/process.ts';
import { onCleanup } from '../support/cleanup.ts';
import { createDatabaseUrl, createMigratedDatabaseUrl, describeOnEveryEngine } from '../support/databases.ts';
import { openDatabase } from '../../server/db/open-database.ts';
import { TEST_DATA_KEYS, testKeys } from '../support/data-keys.ts';
import { freePort } from '../support/network.mjs';
import { program } from '../support/checkout.ts';
import { fairterm } from './operations/commands/fairterm.ts';

const shop = ['--name', 'Acme', '--store-url', 'https://shop.example/en'];

describe('The command line', () => {
  let databaseUrl: string;
  beforeAll(async () => {
    databaseUrl = await createMigratedDatabaseUrl();
  });
  it.each([[[]], [['help']], [['--help']], [['-h']]])('lists its commands for %j', async (args) => {
    const { code, stdout, stderr } = await fairterm(args);
    expect([code, stderr]).toEqual([0, []]);
    for (const name of ['serve', 'migrate', 'merchant create', 'program import FILE', 'program list', 'program show']) {
      expect(stdout.join('\n')).toContain(`  fairterm ${name}`);
    }
  });

  it('lists the subcommands for the name of a group', async () => {
    const { code, stdout, stderr } = await fairterm(['key']);
    expect([code, stdout]).toEqual([2, []]);
    expect(stderr.join('\n').match(/ {2}fairterm \w+ \w+/g)).toEqual([
      '  fairterm key rotate',
      '  fairterm key list',
      '  fairterm key retire',
    ]);
  });

  it('shows the usage of one command with --help', async () => {
    expect(await fairterm(['program', 'list', '--help'])).toEqual({
      code: 0,
      stdout: ['  fairterm program list [--merchant M] [--json]', expect.stringContaining('--env FILE')],
      stderr: [],
    });
  });

  it.each([
    ['serve', 'PORT', '99999'],
    ['serve', 'MODE', 'test'],
    ['serve', 'PUBLIC_URL', 'here'],
    ['migrate', 'DATABASE_URL', 'mysql://x'],
  ])('rejects in %s the variable %s=%s with an error message without a stack trace', async (command, name, value) => {
    const { code, stdout, stderr } = await fairterm([command], { databaseUrl, env: { [name]: value } });
    expect([code, stdout]).toEqual([1, []]);
    expect(stderr.join('\n')).toContain(`${name}: expected`);
    expect(stderr.join('\n')).not.toMatch(/^\s+at /m);
  });
});

describeOnEveryEngine('A command other than `migrate` and `serve`', (engine) => {
  const commands = [['merchant', 'list'], ['merchant', 'create', ...shop], ['audit']];

  it.each(commands)('does not create a database (%s %s)', async (...args) => {
    const url = await createDatabaseUrl(engine);
    const databaseUrl = engine === 'sqlite' ? url : `${url}_missing`;
    const { code, stdout, stderr } = await fairterm(args, { databaseUrl });
    expect([code, stdout]).toEqual([args[0] === 'audit' ? 2 : 1, []]);
    expect(stderr.join()).toMatch(/but found none; `fairterm migrate` creates it|does not exist/);
    if (engine === 'sqlite') expect(existsSync(databaseUrl.slice('sqlite:'.length))).toBe(false);
  });

  it.each(commands)('neither migrates an empty database nor runs on it (%s %s)', async (...args) => {
    const url = await createDatabaseUrl(engine);
    if (engine === 'sqlite') writeFileSync(url.slice('sqlite:'.length), '');
    const { code, stdout, stderr } = await fairterm(args, { databaseUrl: url });
    expect([code, stdout]).toEqual([args[0] === 'audit' ? 2 : 1, []]);
    expect(stderr.join()).toContain('migrations are pending; run `fairterm migrate`');
    const database = openDatabase(url, testKeys);
    expect(await database.query.introspection.getTables()).toEqual([]);
    await database.close();
  });

  it('names the variables of the data keys if the file of the sandbox does not exist', async () => {
    const databaseUrl = await createMigratedDatabaseUrl(engine);
    if (engine === 'sqlite') rmSync(`${databaseUrl.slice('sqlite:'.length)}.keys`);
    const { code, stdout, stderr } = await fairterm(['merchant', 'list'], { databaseUrl, env: { DATA_KEYS: '' } });
    expect([code, stdout]).toEqual([1, []]);
    const file = engine === 'sqlite' ? /test\.db\.keys/ : /data\/sandbox\.keys/;
    expect(stderr).toEqual([
      expect.stringMatching(/^fairterm merchant list: DATA_KEYS: expected DATA_KEYS or DATA_KEYS_FILE .+$/),
    ]);
    expect(stderr[0]).toMatch(file);
  });

  it('runs with invalid variables of other parts of the service', async () => {
    const databaseUrl = await createMigratedDatabaseUrl(engine);
    const env = { LENDER_SECRET: 'whsec_c2VjcmV0', SMTP_URL: 'nonsense', TOKEN_ISSUER: 'nonsense', PENDING_DAYS: 'soon' };
    expect(await fairterm(['merchant', 'list'], { databaseUrl, env })).toEqual({ code: 0, stdout: [], stderr: [] });
    const served = await fairterm(['serve'], { databaseUrl, env: { LENDER_SECRET: env.LENDER_SECRET } });
    expect([served.code, served.stderr.join()]).toEqual([1, expect.stringContaining('because LENDER_SECRET is set')]);
  });
});

// Tests that need a process: output streams, exit code, standard input, environment and termination.
describe('The command line as a process', () => {
  let databaseUrl: string;
  beforeAll(async () => {
    await buildProject();
    databaseUrl = await createMigratedDatabaseUrl();
  });

  it('creates a merchant, prints only JSON with --json, and reads standard input', async () => {
    const environment = { DATABASE_URL: databaseUrl, DATA_KEYS: TEST_DATA_KEYS };
    const { code, stdout } = await start(
      ['merchant', 'create', ...shop, '--origin', 'https://m.shop.example', '--json'],
      environment,
    );
    expect(code).toBe(0);
    const created = JSON.parse(stdout);
    expect(created).toEqual({
      tenantId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      merchantId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      apiKey: expect.stringMatching(/^ft_sandbox_key_[\w-]{22}$/),
      secret: expect.stringMatching(/^ft_sandbox_secret_[\w-]{43}$/),
    });
    const shown = await start(['merchant', 'show', '--merchant', created.merchantId, '--json'], environment);
    expect(JSON.parse(shown.stdout)).toMatchObject({ apiKeys: [created.apiKey] });
    const imported = await start(
      ['program', 'import', '-', '--merchant', created.merchantId, '--json'],
      environment,
      JSON.stringify({ ...program, id: 'campaign' }),
    );
    expect(imported).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/^Database: \S+\nImporting for merchants\.\.\.\n$/),
    });
    expect(JSON.parse(imported.stdout)).toMatchObject({ program: 'campaign', merchants: [{ outcome: 'added' }] });
  });

  it('prints an error on one line of standard error', async () => {
    const environment = { DATABASE_URL: databaseUrl, DATA_KEYS: TEST_DATA_KEYS };
    const rejected = await start(['merchant', 'create', ...shop, '--tenant', 'unknown', '--json'], environment);
    expect(rejected).toMatchObject({ code: 1, stdout: '' });
    expect(rejected.stderr).toMatch(
      /^Database: \S+\nfairterm merchant create: .*expected the id of a tenant, but received "unknown".*\n$/,
    );
  });

  const invalidEnvironment = { DATABASE_URL: 'nonsense', MODE: 'nonsense', PORT: 'nonsense' };

  it('prints the usage and the schema of programs even if the environment is invalid', async () => {
    const help = await start(['help'], invalidEnvironment);
    const schema = await start(['program', 'schema'], invalidEnvironment);
    expect(help).toMatchObject({ code: 0, stdout: expect.stringContaining('  fairterm serve [--no-jobs]\n'), stderr: '' });
    expect(schema).toMatchObject({ code: 0, stdout: expect.stringContaining('Fairterm financing program'), stderr: '' });
  });

  it('prints the URL of the database on standard error, and whether it is the default', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'fairterm-cli-'));
    onCleanup(() => rmSync(folder, { recursive: true }));
    const merchant = ['merchant', 'create', ...shop, '--json'];
    expect(await start(['migrate'], {}, '', folder)).toMatchObject({ code: 0 });
    const withoutUrl = await start(merchant, {}, '', folder);
    expect(withoutUrl).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\{.*\}\n$/) });
    const file = join(realpathSync(folder), 'data', 'sandbox.db');
    expect(withoutUrl.stderr).toContain(`Database: sqlite:${file} (the default: DATABASE_URL is not set`);
    const withUrl = await start(merchant, { DATABASE_URL: 'sqlite:named.db' }, '', folder);
    expect(withUrl.stderr).toContain(`Database: sqlite:${join(realpathSync(folder), 'named.db')}\n`);
  });

  it('never prints the password of a database', async () => {
    const urlWithPassword = `postgres://ada:hush@127.0.0.1:${await freePort()}/shop?password=hush`;
    const { code, stdout, stderr } = await start(['program', 'list'], { DATABASE_URL: urlWithPassword });
    expect(code).toBe(1);
    expect(stderr).toMatch(/^Database: postgres:\/\/ada@127\.0\.0\.1:\d+\/shop\n/);
    expect(stdout + stderr).not.toContain('hush');
  });

  it('exits with 2 and prints the usage on standard error for an invalid command', async () => {
    const { code, stdout, stderr } = await start(['merchant', 'create', '--nmae', 'Acme']);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/Unknown option '--nmae'[^]*\n {2}fairterm merchant create/);
  });
});

function start(args: string[], env: Record<string, string> = {}, piped = '', cwd?: string) {
  const environment = { PATH: process.env['PATH'], ...env };
  return new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    const child = execFile(process.execPath, [cli, ...args], { env: environment, cwd }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    );
    child.stdin!.end(piped);
  });
}
