import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { readConfig } from '../../../../server/base/config/config.ts';
import { readDataKeys } from '../../../../server/base/config/data-keys.ts';
import { newDataKey } from '../../../../server/base/key-ring.ts';
import { onCleanup } from '../../../support/cleanup.ts';
import { createDatabaseUrl } from '../../../support/databases.ts';
import { buildProject, startServiceProcess } from '../../../support/process.ts';

const folder = mkdtempSync(join(tmpdir(), 'fairterm-keys-'));
onCleanup(() => rmSync(folder, { recursive: true, force: true }));
const keysOf = (env: Record<string, string>) => readDataKeys(readConfig(env));

beforeAll(buildProject);

it('The data keys are read from DATA_KEYS or from DATA_KEYS_FILE, and not from both', () => {
  const DATA_KEYS = `${newDataKey('b')},${newDataKey('a')}`;
  const DATA_KEYS_FILE = join(folder, 'keys');
  writeFileSync(DATA_KEYS_FILE, DATA_KEYS.replace(',', '\n'));
  for (const MODE of ['sandbox', 'live']) {
    expect(keysOf({ MODE, DATA_KEYS }).ids).toEqual(['b', 'a']);
    expect(keysOf({ MODE, DATA_KEYS_FILE }).ids).toEqual(['b', 'a']);
  }
  expect(() => keysOf({ DATA_KEYS, DATA_KEYS_FILE })).toThrow(/^DATA_KEYS: expected no value, because DATA_KEYS_FILE is set$/);
  expect(() => keysOf({ DATA_KEYS_FILE: join(folder, 'missing') })).toThrow(/^DATA_KEYS_FILE: ENOENT/);
});

it('A live service requires data keys, and its error names the command that creates one', async () => {
  expect(() => keysOf({ MODE: 'live' })).toThrow(
    /^DATA_KEYS: expected DATA_KEYS or DATA_KEYS_FILE .*`fairterm data-key create`$/,
  );
  const url = await createDatabaseUrl();
  const operator = {
    OPERATOR_NAME: 'Example Pay',
    OPERATOR_ADDRESS: '2 Example Plaza',
    OPERATOR_PHONE: '1-800-446-0103',
    OPERATOR_EMAIL: 'help@operator-pay.com',
    SMTP_URL: 'smtp://127.0.0.1:1',
    MAIL_FROM: 'mail@operator-pay.com',
    LENDER_URL: 'https://127.0.0.1:1',
    LENDER_SECRET: `whsec_${Buffer.alloc(32).toString('base64')}`,
  };
  const env = { MODE: 'live', DATA_KEYS: '', PUBLIC_URL: 'https://pay.example', TRUST_PROXY: '1', PORT: '0', ...operator };
  const { code, stderr } = await startServiceProcess(url, env).ended;
  expect(code).toBe(1);
  expect(stderr).toContain(
    'fairterm serve: DATA_KEYS: expected comma-separated entries such as `fairterm data-key create` prints for a live service',
  );
});

it('A sandbox creates a key once next to its database, readable by its user only', () => {
  const file = join(folder, 'sandbox.db');
  const env = { DATABASE_URL: `sqlite:${file}` };
  const first = keysOf(env);
  const second = keysOf(env);
  expect(statSync(`${file}.keys`).mode & 0o777).toBe(0o600);
  expect(readFileSync(`${file}.keys`, 'utf8')).toMatch(/^sandbox:[A-Za-z0-9+/]{43}=\n$/);
  expect(second.open(first.seal('text', ['carts', 'a']), ['carts', 'a'])).toBe('text');
  expect(existsSync(file)).toBe(false);
});
