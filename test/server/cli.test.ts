import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, it } from 'vitest';
import { buildService } from '../support/built.ts';
import { describeOnEveryEngine, givenDatabaseUrl } from '../support/engines.ts';
import { program } from '../support/given.ts';

const cli = fileURLToPath(new URL('../../dist/server/cli.js', import.meta.url));

describeOnEveryEngine('The command line', (engine) => {
  let databaseUrl: string;
  beforeAll(async () => {
    await buildService();
    const { url, remove } = await givenDatabaseUrl(engine);
    databaseUrl = url;
    return remove;
  });

  function fairterm(args: string[], env: Record<string, string> = {}, piped = '') {
    const environment = { PATH: process.env['PATH'], DATABASE_URL: databaseUrl, ...env };
    return new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
      const child = execFile(process.execPath, [cli, ...args], { env: environment }, (error, stdout, stderr) =>
        resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
      );
      child.stdin!.end(piped);
    });
  }
  const shop = ['--name', 'Acme', '--store-url', 'https://shop.example/en'];

  it('creates a merchant and prints nothing but JSON with --json', async () => {
    const { code, stdout } = await fairterm(['merchant', 'create', ...shop, '--origin', 'https://m.shop.example', '--json']);
    expect(code).toBe(0);
    const created = JSON.parse(stdout);
    expect(created).toEqual({
      tenantId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      merchantId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      apiKey: expect.stringMatching(/^ft_sandbox_key_[\w-]{22}$/),
      secret: expect.stringMatching(/^ft_sandbox_secret_[\w-]{43}$/),
    });
    expect(await fairterm(['merchant', 'check', '--api-key', created.apiKey, '--json'])).toMatchObject({
      code: 0,
      stdout: '{"known":true}\n',
    });
  });

  it('adds a merchant to a tenant that is there, and refuses one that is not', async () => {
    const { tenantId } = JSON.parse((await fairterm(['merchant', 'create', ...shop, '--json'])).stdout);
    const second = JSON.parse((await fairterm(['merchant', 'create', ...shop, '--tenant', tenantId, '--json'])).stdout);
    expect(second.tenantId).toBe(tenantId);
    const refused = await fairterm(['merchant', 'create', ...shop, '--tenant', 'nobody', '--json']);
    expect(refused).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('expected the id of a tenant, but received "nobody"'),
    });
  });

  it('says with its exit code that a key is unknown', async () => {
    expect(await fairterm(['merchant', 'check', '--api-key', 'ft_nobody', '--json'])).toMatchObject({
      code: 1,
      stdout: '{"known":false}\n',
    });
  });

  it('migrates, as often as asked', async () => {
    for (let times = 0; times < 2; times++) expect(await fairterm(['migrate'])).toMatchObject({ code: 0, stdout: '' });
  });

  it('imports a program that is piped in, lists it, shows it and quotes from it', async () => {
    const { merchantId } = JSON.parse((await fairterm(['merchant', 'create', ...shop, '--json'])).stdout);
    const campaign = JSON.stringify({ ...program, id: 'campaign' });
    const imported = await fairterm(['program', 'import', '-', '--merchant', merchantId, '--default', '--json'], {}, campaign);
    expect(imported).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(imported.stdout)).toMatchObject({ program: 'campaign', merchants: [{ merchantId, outcome: 'added' }] });

    const list = await fairterm(['program', 'list', '--merchant', merchantId, '--json']);
    expect(JSON.parse(list.stdout)).toMatchObject([{ program: 'campaign', isDefault: true }, { program: 'standard' }]);
    const show = await fairterm(['program', 'show', 'campaign', '--merchant', merchantId]);
    expect(show).toMatchObject({ code: 0, stdout: expect.stringContaining('Standard (campaign), version 1') });
    const quote = await fairterm(['quote', '500', '--merchant', merchantId, '--json']);
    expect(JSON.parse(quote.stdout)).toMatchObject({ program: 'campaign', asLowAs: { monthly: 2_307 } });
  });

  it('quotes from the built-in program where there is no database', async () => {
    const quote = await fairterm(['quote', '$500.00'], { DATABASE_URL: 'nonsense', MODE: 'nonsense' });
    expect(quote).toMatchObject({ code: 0, stdout: expect.stringContaining('As low as $23.07 a month'), stderr: '' });
  });

  it.each([[[]], [['help']], [['--help']], [['-h']]])('lists its commands for %j', async (args) => {
    const { code, stdout, stderr } = await fairterm(args);
    expect([code, stderr]).toEqual([0, '']);
    for (const name of ['serve', 'migrate', 'merchant create', 'program import FILE', 'program list', 'program show', 'quote']) {
      expect(stdout).toContain(`  fairterm ${name}`);
    }
  });

  it('lists those of a family for its name alone', async () => {
    const { code, stdout, stderr } = await fairterm(['key']);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr.match(/ {2}fairterm \w+ \w+/g)).toEqual([
      '  fairterm key rotate',
      '  fairterm key list',
      '  fairterm key retire',
    ]);
  });

  it('shows the usage of one command with --help', async () => {
    expect(await fairterm(['program', 'list', '--help'])).toEqual({
      code: 0,
      stdout: '  fairterm program list [--merchant M] [--json]\n',
      stderr: '',
    });
  });

  it.each<[string, string[], string]>([
    ['no command', ['nonsense'], 'Expected one of:'],
    ['half a command', ['program'], 'Expected one of:'],
    ['an unknown option', ['merchant', 'create', '--nmae', 'Acme'], "Unknown option '--nmae'"],
    ['an option that a command does not have', ['migrate', '--json'], "Unknown option '--json'"],
    ['a missing option', ['merchant', 'create', '--name', 'Acme'], 'expected --store-url'],
    ['a missing argument', ['quote'], 'expected AMOUNT'],
  ])('ends with 2 and says how it is written for %s', async (_what, args, sentence) => {
    const { code, stdout, stderr } = await fairterm(args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(sentence);
    expect(stderr).toMatch(/\n  fairterm \w+/);
  });

  it.each<[string, string[], Record<string, string>, string]>([
    [
      'an address that is none',
      ['merchant', 'create', '--name', 'A', '--store-url', 'shop'],
      {},
      'store-url: expected an http or https address without a user name, but received "shop"',
    ],
    [
      'an origin that is none',
      ['merchant', 'create', '--name', 'A', '--store-url', 'https://shop.example', '--origin', 'https://a:b@shop.example'],
      {},
      'origin: expected an http or https address without a user name',
    ],
    [
      'a name without end',
      ['merchant', 'create', '--name', 'A'.repeat(201), '--store-url', 'https://shop.example'],
      {},
      'name: Expected a string of 1 to 200 characters, but received one of 201',
    ],
    ['an impossible port', ['serve'], { PORT: '99999' }, 'PORT: expected a port from 0 to 65535, but received "99999"'],
    ['a mode that there is not', ['serve'], { MODE: 'test' }, 'MODE: expected "sandbox" or "live", but received "test"'],
    [
      'a public address that is none',
      ['serve'],
      { PUBLIC_URL: 'here' },
      'PUBLIC_URL: expected an http or https address, but received "here"',
    ],
    ['another kind of database', ['migrate'], { DATABASE_URL: 'mysql://x' }, 'DATABASE_URL: expected sqlite:FILE or postgres://'],
  ])('refuses %s in one sentence', async (_what, args, env, sentence) => {
    const { code, stdout, stderr } = await fairterm(args, env);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain(sentence);
    expect(stderr).not.toMatch(/^\s+at /m);
  });
});
