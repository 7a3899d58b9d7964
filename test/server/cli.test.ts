import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, it } from 'vitest';
import { describeOnEveryEngine, givenDatabaseUrl } from '../support/engines.ts';

const cli = fileURLToPath(new URL('../../dist/server/cli.js', import.meta.url));

describeOnEveryEngine('The command line', (engine) => {
  let databaseUrl: string;
  beforeAll(async () => {
    const { url, remove } = await givenDatabaseUrl(engine);
    databaseUrl = url;
    return remove;
  });

  function fairterm(args: string[], env: Record<string, string> = {}) {
    const environment = { PATH: process.env['PATH'], DATABASE_URL: databaseUrl, ...env };
    return new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
      execFile(process.execPath, [cli, ...args], { env: environment }, (error, stdout, stderr) =>
        resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
      );
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

  it.each<[string, string[], Record<string, string>, string]>([
    ['no command', ['nonsense'], {}, 'Expected one of:'],
    ['an unknown option', ['merchant', 'create', '--nmae', 'Acme'], {}, "Unknown option '--nmae'"],
    ['a missing option', ['merchant', 'create', '--name', 'Acme'], {}, 'expected --store-url'],
    [
      'an address that is none',
      ['merchant', 'create', '--name', 'A', '--store-url', 'shop'],
      {},
      'Expected an http or https address, but received "shop"',
    ],
    ['an impossible port', ['serve'], { PORT: '99999' }, 'PORT: expected a port from 0 to 65535, but received "99999"'],
    ['a mode that cannot be served', ['serve'], { MODE: 'live' }, 'MODE: expected "sandbox", but received "live"'],
    [
      'a public address that is none',
      ['serve'],
      { PUBLIC_URL: 'here' },
      'PUBLIC_URL: expected an http or https address, but received "here"',
    ],
    ['another kind of database', ['migrate'], { DATABASE_URL: 'mysql://x' }, 'DATABASE_URL: expected sqlite:FILE or postgres://'],
  ])('refuses %s in one sentence', async (_what, args, env, sentence) => {
    const { code, stdout, stderr } = await fairterm(args, env);
    expect([code > 0, stdout]).toEqual([true, '']);
    expect(stderr).toContain(sentence);
    expect(stderr).not.toMatch(/^\s+at /m);
  });
});
