import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { createServer } from 'node:tls';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { beforeEach, describe, expect, it } from 'vitest';
import { newDataKey } from '../../../../server/base/key-ring.ts';
import { type Setting, SETTING_GROUPS, SETTINGS } from '../../../../server/base/config/settings.ts';
import { onCleanup } from '../../../support/cleanup.ts';
import { createDatabaseUrl } from '../../../support/databases.ts';
import { certificate } from '../../../support/http.ts';
import { freePort } from '../../../support/network.mjs';
import { type CommandResult, fairterm } from './fairterm.ts';

/** The helper passes both, and an empty variable is not set. */
const noEnv = { DATABASE_URL: '', DATA_KEYS: '' };

let file: string;

beforeEach(() => {
  const folder = mkdtempSync(join(tmpdir(), 'fairterm-settings-'));
  onCleanup(() => rmSync(folder, { recursive: true }));
  file = join(folder, 'settings');
});

const run = (args: string[], env: Record<string, string> = {}) => fairterm(args, { env: { ...noEnv, ...env } });

/** Returns the problems in the output, and the status. */
async function check(content: string | undefined, env: Record<string, string> = {}) {
  if (content !== undefined) writeFileSync(file, content);
  const args = content === undefined ? [] : ['--env', file];
  const { code, stdout, stderr }: CommandResult = await run(['config', 'check', ...args], env);
  const problems = stdout.flatMap((line) => /^problem {2}(.+)$/.exec(line)?.[1] ?? []);
  return { code, stdout: stdout.join('\n'), problems, stderr };
}

/** Returns complete settings of a live service, whose lender, mail server and address are at a port. */
function liveSettings(databaseUrl: string, port: number): string {
  return [
    'MODE=live',
    `DATABASE_URL=${databaseUrl}`,
    `DATA_KEYS=${newDataKey('a')}`,
    `PUBLIC_URL=https://127.0.0.1:${port}`,
    'TRUST_PROXY=1',
    `LENDER_URL=https://127.0.0.1:${port}`,
    `LENDER_SECRET=whsec_${Buffer.alloc(32, 7).toString('base64')}`,
    `SMTP_URL=smtp://127.0.0.1:${port}`,
    'MAIL_FROM=mail@acme-pay.com',
    'OPERATOR_NAME=Acme Pay',
    'OPERATOR_ADDRESS=2 Plaza, Wilmington, DE 19801',
    'OPERATOR_PHONE=1-800-446-0103',
    'OPERATOR_EMAIL=help@acme-pay.com',
  ].join('\n');
}

describe('A settings file of init', () => {
  it.each([['sandbox'], ['live']])(
    'for a %s has each setting once, and is read alike by Node.js and the service',
    async (mode) => {
      const args = mode === 'live' ? ['--live'] : [];
      expect(await run(['init', file, ...args])).toMatchObject({ code: 0 });
      expect(statSync(file).mode & 0o777).toBe(0o600);
      const text = readFileSync(file, 'utf8');
      const named = [...text.matchAll(/^#?([A-Z_]+)=/gm)].map(([, name]) => name);
      expect(named).toEqual(Object.keys(SETTINGS).filter((name) => !name.startsWith('DEMO_')));
      const { code, stdout } = await run(['config', 'check', '--json', '--env', file]);
      const { settings, problems } = JSON.parse(stdout[0]!);
      const given = Object.entries(parseEnv(text)).filter(([, value]) => value !== '');
      for (const [name, value] of given) {
        const shown = { DATA_KEYS: '********', DATABASE_URL: expect.stringMatching(/^sqlite:\/.+\.db$/) }[name];
        expect(settings).toContainEqual({ name, source: 'file', value: shown ?? value });
      }
      // Of a live service, everything is missing that only its operator knows.
      expect([code, problems.length]).toEqual(mode === 'live' ? [1, 9] : [0, 0]);
    },
  );

  it('has other data keys each time, and never replaces a file', async () => {
    await run(['init', file]);
    const first = readFileSync(file, 'utf8');
    expect(await run(['init', file])).toMatchObject({
      code: 1,
      stderr: [`fairterm init: ${file}: expected a file that does not exist`],
    });
    expect(readFileSync(file, 'utf8')).toBe(first);
    await run(['init', `${file}2`]);
    const keysOf = (text: string) => /^DATA_KEYS=2026:(.+)$/m.exec(text)![1];
    expect(keysOf(readFileSync(`${file}2`, 'utf8'))).not.toBe(keysOf(first));
  });
});

describe('config check', () => {
  it('lists all problems of a file at once, without secrets', async () => {
    const { code, problems, stdout } = await check(
      [
        'MODE=live',
        'PORT=99999',
        'PUBLIC_URL=http://pay.acme-pay.com',
        'LENDR_URL=https://lender.acme-pay.com',
        'COLOR=blue',
        'OPERATOR_NAME=Acme Pay',
        'OPERATOR_PHONE=1-800-555-0199',
        'SMTP_URL=smtp:hidden',
        'MAIL_FROM=Pay <mail@acme-pay.com>',
        'PENDING_DAYS=0',
        'DATA_KEYS=hidden',
        'DATABASE_URL=postgres://me:hidden@db.acme-pay.com/shop',
        'TLS_CERT=cert.pem',
      ].join('\n'),
    );
    expect(code).toBe(1);
    const names = problems.map((problem) => problem.split(':', 1)[0]!).toSorted((one, other) => one.localeCompare(other));
    expect(names.join(' ')).toBe(
      'COLOR DATA_KEYS DATABASE_URL LENDER_SECRET LENDER_URL LENDR_URL OPERATOR_ADDRESS OPERATOR_EMAIL OPERATOR_PHONE ' +
        'PENDING_DAYS PORT PUBLIC_URL SMTP_URL TLS_CERT TRUST_PROXY',
    );
    expect(problems).toContain('LENDR_URL: expected the name of a setting; did you mean LENDER_URL?');
    expect(stdout).toContain('postgres://me@db.acme-pay.com/shop');
    expect(stdout).not.toContain('hidden');
  });

  it('shows where a setting comes from: the environment is before the file, and a secret can be in a file of its own', async () => {
    const keyFile = `${file}.keys`;
    writeFileSync(keyFile, `${newDataKey('a')}\n`);
    const url = await createDatabaseUrl();
    const { stdout, problems } = await check('PORT=4100\nPENDING_DAYS=3\n', {
      PORT: '4200',
      DATA_KEYS_FILE: keyFile,
      DATABASE_URL: url,
    });
    expect(stdout).toMatch(/^PORT +environment +4200$/m);
    expect(stdout).toMatch(/^PENDING_DAYS +file +3$/m);
    expect(stdout).toMatch(/^AUTHORIZED_DAYS +default +90$/m);
    expect(stdout).toMatch(new RegExp(`^DATA_KEYS +secret file +${keyFile}$`, 'm'));
    expect(problems).toEqual([]);
  });

  it.each([
    ['LENDR_URL', 'LENDER_URL'],
    ['SMTP_UR', 'SMTP_URL'],
    ['DATA_KEY_FILE', 'DATA_KEYS_FILE'],
    ['OPERATER_NAME', 'OPERATOR_NAME'],
  ])('suspects a misspelling in the environment variable %s', async (name, expected) => {
    const { code, problems } = await check(undefined, { [name]: 'x' });
    expect([code, problems]).toEqual([1, [`${name}: expected the name of a setting; did you mean ${expected}?`]]);
  });

  it('ignores the environment variables of other programs', async () => {
    const others = {
      HOME: '/root',
      NODE: '/usr/bin/node',
      PATH: '/bin',
      PGHOST: 'db',
      HOSTNAME: 'a',
      npm_config_cache: 'b',
      TERM: 'c',
    };
    expect(await check(undefined, { ...others, DATABASE_URL: await createDatabaseUrl() })).toMatchObject({
      code: 0,
      problems: [],
    });
  });

  it.each([
    ['NAME="x"', 'line 1: expected NAME=value without quotes'],
    ["A='x'", 'line 1: expected NAME=value without quotes'],
    ['# a comment\nSMTP_URL=smtp://me:pa$s@host', 'line 2: expected NAME=value without quotes'],
    ['SMTP_URL=smtp://me:pa#s@host', 'line 1: expected NAME=value without quotes'],
    ['OPERATOR_NAME=a\\tb', 'line 1: expected NAME=value without quotes'],
    ['export PORT=1', 'line 1: expected NAME=value without quotes'],
    ['PORT=1\nPORT=2', 'line 2: expected PORT once'],
  ])('rejects a file with %j, which programs read differently', async (content, message) => {
    const { code, stderr } = await check(content);
    expect(code).toBe(1);
    expect(stderr.join('\n')).toContain(`${file} ${message}`);
    expect(stderr.join('\n')).not.toMatch(/pa[$#]s/);
  });

  it('names a file that is missing or not given', async () => {
    expect(await run(['config', 'check', '--env', file])).toMatchObject({
      code: 1,
      stderr: [expect.stringContaining('--env: ENOENT')],
    });
    expect(await run(['config', 'check', '--env'])).toMatchObject({ code: 2 });
  });

  it('connects to the database, the lender, the mail server and its own address, and says which of them does not respond', async () => {
    const closed = await freePort();
    const { code, problems, stdout } = await check(liveSettings(`sqlite:${file}.db`, closed));
    expect(code).toBe(1);
    expect(stdout).toContain(`ok       database: sqlite:${file}.db does not exist yet`);
    expect(stdout).toMatch(/^ok {7}disk: [\d.]+ GB free in /m);
    expect(problems.map((problem) => problem.split(':', 1)[0])).toEqual(['lender', 'mail server', 'certificate']);
    expect(problems[0]).toContain('ECONNREFUSED');
  });

  it('names the reason for which the database cannot be used, and rejects a path that depends on the folder of each command', async () => {
    const closed = await freePort();
    const { problems } = await check(liveSettings(`postgres://fairterm:hidden@127.0.0.1:${closed}/shop`, closed));
    expect(problems[0]).toBe(`database: connect ECONNREFUSED 127.0.0.1:${closed}`);
    const relative = await check(liveSettings('sqlite:data/live.db', closed));
    expect(relative.problems[0]).toMatch(
      /^database: expected an absolute path, because sqlite:data\/live\.db is another file in/,
    );
  });

  it('says that a certificate is not valid', async () => {
    const server = createServer({ cert: certificate.ca, key: readFileSync(certificate.keyFile) }).listen(0, '127.0.0.1');
    onCleanup(() => new Promise((resolve) => server.close(resolve)));
    await once(server, 'listening');
    const { problems } = await check(liveSettings(`sqlite:${file}.db`, (server.address() as AddressInfo).port));
    expect(problems[0]).toMatch(/^lender: 127\.0\.0\.1:\d+ has no valid certificate \(\w+\)$/);
  });
});

it('The guide has the settings of the code', async () => {
  const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ');
  const defaultOf = ({ default: fallback }: Setting) => {
    const [sandbox, live] = [fallback('sandbox'), fallback('live')];
    if (sandbox === live) return sandbox && `\`${sandbox}\``;
    return [live && `\`${live}\``, sandbox && `\`${sandbox}\` in the sandbox`].filter(Boolean).join('; ');
  };
  const row = ([name, setting]: [string, Setting]) => {
    const value = `${setting.expected('live')}${setting.isSecret ? ', secret' : ''}`;
    return `| \`${name}\` | ${cell(value)} | ${cell(defaultOf(setting))} | ${cell(setting.purpose)} |`;
  };
  const groups = Object.entries<Record<string, Setting>>(SETTING_GROUPS);
  const live = groups.flatMap(([, settings]) => Object.entries(settings).filter(([, setting]) => setting.live));
  expect(live).toHaveLength(14);
  const tableOf = (settings: [string, Setting][]) =>
    ['| Setting | Value | Default | Purpose |', '|---|---|---|---|', ...settings.map(row)].join('\n');
  const intro = readFileSync('server/docs/settings.md', 'utf8').split('\n## The 14 settings')[0]!;
  const page = [
    intro.trimEnd(),
    '',
    '## The 14 settings of a live service',
    '',
    `A live service requires them, except ${live
      .filter(([, setting]) => setting.live === 'recommended')
      .map(([name]) => `\`${name}\``)
      .join(' and ')}.`,
    '',
    tableOf(live),
    ...groups.flatMap(([group, settings]) => {
      const others = Object.entries(settings).filter(([, setting]) => !setting.live);
      return others.length === 0 ? [] : ['', `## ${group}`, '', tableOf(others)];
    }),
    '',
  ].join('\n');
  await expect(page).toMatchFileSnapshot('../../../../server/docs/settings.md');
});
