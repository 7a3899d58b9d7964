import { decodeJwt, decodeProtectedHeader } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import { programsOf } from '../../../server/as-low-as/store.ts';
import { openDatabase } from '../../../server/db/database.ts';
import { type CreatedMerchant, createMerchant } from '../../../server/merchants/merchants.ts';
import { systemClock } from '../../../server/time.ts';
import { addressOf, buildService, startServiceProcess } from '../../support/process.ts';
import { createDatabaseUrl } from '../../support/databases.ts';
import { fetchResponse } from '../../support/service.ts';
import { until } from '../../support/time.ts';
import { fairterm, now, type CommandResult } from './fairterm.ts';

const unknownId = '01990000-0000-7000-8000-00000000000a';
const NIL = '00000000-0000-0000-0000-000000000000';

// The service is another process than the commands, and hears of what they write by the database alone.
describe('Tokens and signing keys on the command line', () => {
  let databaseUrl: string;
  let port: string;
  let serviceUrl: string;
  let ours: CreatedMerchant & { programId: string };
  let sister: CreatedMerchant & { programId: string };
  let theirs: CreatedMerchant & { programId: string };
  beforeAll(async () => {
    await buildService();
    const { url, remove } = await createDatabaseUrl();
    databaseUrl = url;
    const running = startServiceProcess(databaseUrl, { PORT: '0' });
    serviceUrl = await addressOf(running);
    ({ port } = new URL(serviceUrl));
    const database = openDatabase(databaseUrl);
    const given = async (tenantId?: string) => {
      const created = await createMerchant(
        database,
        'sandbox',
        { name: 'Acme', storeUrl: 'https://shop.example', origins: [], tenantId },
        now,
      );
      return { ...created, programId: (await programsOf(database.query, created.merchantId))[0]!.id };
    };
    ours = await given();
    sister = await given(ours.tenantId);
    theirs = await given();
    await database.close();
    return async () => {
      await running.kill();
      await remove();
    };
  });

  const run = (args: string[], env: Record<string, string> = {}) =>
    fairterm(args, { databaseUrl, env: { PORT: port, ...env }, clock: systemClock });
  const json = async (...args: string[]) => {
    const { code, stdout, stderr } = await run([...args, '--json']);
    expect([code, stdout.length, code === 0 ? '' : stderr.join()]).toEqual([0, 1, '']);
    return JSON.parse(stdout[0]!);
  };
  const mint = async (...args: string[]): Promise<string> => (await json('token', 'mint', ...args)).token;
  const request = async (token: string, query = '') => {
    const { status, body } = await fetchResponse(`${serviceUrl}/api/application${query}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    return [status, body.reason ?? 'listed'];
  };

  it('mints a token for a tenant, which the running service accepts', async () => {
    const result = await run(['token', 'mint', '--tenant', ours.tenantId, '--json']);
    const { token } = JSON.parse(result.stdout[0]!);
    expect([result.code, result.stdout]).toEqual([0, [JSON.stringify({ token })]]);
    expect(result.stderr.join()).not.toContain(token);
    const claims = decodeJwt(token);
    expect(claims).toEqual({
      iss: `http://localhost:${port}`,
      aud: `http://localhost:${port}`,
      sub: ours.tenantId,
      iat: expect.any(Number),
      exp: claims.iat! + 3_600,
      TenantID: ours.tenantId,
      scope: 'r:application',
    });
    expect(await request(token)).toEqual([200, 'listed']);
    expect(await request(token, `?merchantID.eq=${ours.merchantId}`)).toEqual([200, 'listed']);
  });

  it('mints one for a merchant, a program and a buyer, with the given lifetime', async () => {
    const { merchantId, programId, tenantId } = ours;
    const whole = ['--tenant', tenantId.toUpperCase(), '--merchant', merchantId, '--program', programId, '--buyer', unknownId];
    const token = await mint(...whole, '--minutes', '5', '--scope', 'openid r:application');
    const { iat, exp, ...claims } = decodeJwt(token);
    expect(exp! - iat!).toBe(300);
    expect(claims).toMatchObject({
      TenantID: tenantId,
      MerchantID: merchantId,
      ProgramID: programId,
      BuyerID: unknownId,
      sub: unknownId,
    });
    expect(await request(token)).toEqual([200, 'listed']);
    expect(await request(token, `?merchantID.eq=${sister.merchantId}`)).toEqual([403, 'MERCHANT_CONFLICT']);
    expect(await request(await mint('--tenant', tenantId, '--program', sister.programId))).toEqual([200, 'listed']);
  });

  it('mints a token with another scope, and warns that it lists nothing', async () => {
    const result = await run(['token', 'mint', '--tenant', ours.tenantId, '--scope', 'openid', '--json']);
    expect(result.stderr.join()).toContain('The token cannot list applications, which requires the scope r:application.');
    expect(await request(JSON.parse(result.stdout[0]!).token)).toEqual([403, 'SCOPE_MISSING']);
  });

  it.each([{}, { PORT: '4000' }, { PORT: '0' }])('mints one that the running service accepts with %j', async (env) => {
    const { stdout } = await fairterm(['token', 'mint', '--tenant', ours.tenantId], { databaseUrl, env, clock: systemClock });
    expect(await request(stdout[0]!)).toEqual([200, 'listed']);
  });

  it('mints no token for another URL than that of the service, and prints both', async () => {
    const result = await run(['token', 'mint', '--tenant', ours.tenantId], { PUBLIC_URL: 'https://pay.example' });
    expectRejected(result, 1, `PUBLIC_URL: expected http://localhost:${port}, the address of the service on this database`);
    expect(result.stderr.join()).toContain('received https://pay.example');
  });

  it('warns that no service accepts the token before one has started on the database', async () => {
    const { url, remove } = await createDatabaseUrl();
    const before = (args: string[], env: Record<string, string> = {}) =>
      fairterm(args, { databaseUrl: url, env, clock: systemClock });
    const shop = ['merchant', 'create', '--name', 'Acme', '--store-url', 'https://shop.example', '--json'];
    const { tenantId } = JSON.parse((await before(shop)).stdout[0]!);
    const mintBefore = (env: Record<string, string>) => before(['token', 'mint', '--tenant', tenantId], env);

    const { stdout, stderr } = await mintBefore({ PUBLIC_URL: 'https://pay.example' });
    expect(decodeJwt(stdout[0]!).iss).toBe('https://pay.example');
    expect(stderr.join()).toContain('no service was started on this database yet');
    expectRejected(await mintBefore({ PORT: '0' }), 1, 'PUBLIC_URL: expected the address');
    await remove();
  });

  it.each<[string, () => string[], number, string]>([
    ['no tenant', () => [], 2, 'expected --tenant'],
    ['a tenant that is a word', () => ['--tenant', 'acme'], 1, 'tenant: expected a UUID that is not nil, but received "acme"'],
    ['the nil tenant', () => ['--tenant', NIL], 1, 'tenant: expected a UUID that is not nil'],
    ['an unknown tenant', () => ['--tenant', unknownId], 1, `tenant: expected the id of a tenant, but received "${unknownId}"`],
    ['a merchant for a tenant', () => ['--tenant', ours.merchantId], 1, 'tenant: expected the id of a tenant'],
    [
      'a merchant of another tenant',
      () => ['--tenant', ours.tenantId, '--merchant', theirs.merchantId],
      1,
      'merchant: expected the id of a merchant of the tenant',
    ],
    [
      'an unknown merchant',
      () => ['--tenant', ours.tenantId, '--merchant', unknownId],
      1,
      'merchant: expected the id of a merchant',
    ],
    ['an empty merchant', () => ['--tenant', ours.tenantId, '--merchant', ''], 1, 'merchant: expected a UUID'],
    [
      'a program of another tenant',
      () => ['--tenant', ours.tenantId, '--program', theirs.programId],
      1,
      'program: expected the id of a program of the tenant',
    ],
    [
      'a program of another merchant',
      () => ['--tenant', ours.tenantId, '--merchant', ours.merchantId, '--program', sister.programId],
      1,
      'program: expected the id of a program of the merchant',
    ],
    ['the code of a program', () => ['--tenant', ours.tenantId, '--program', 'standard'], 1, 'program: expected a UUID'],
    ['a buyer that is a name', () => ['--tenant', ours.tenantId, '--buyer', 'Jane'], 1, 'buyer: expected a UUID'],
    [
      'an empty scope',
      () => ['--tenant', ours.tenantId, '--scope', ''],
      1,
      'scope: expected space-separated scopes such as r:application',
    ],
    [
      'two blanks in a scope',
      () => ['--tenant', ours.tenantId, '--scope', 'a  b'],
      1,
      'scope: expected space-separated scopes such as r:application',
    ],
    ['no minute', () => ['--tenant', ours.tenantId, '--minutes', '0'], 1, '--minutes: expected a whole number from 1 to 43200'],
    ['a year', () => ['--tenant', ours.tenantId, '--minutes', '525600'], 1, '--minutes: expected a whole number from 1 to 43200'],
    ['half a minute', () => ['--tenant', ours.tenantId, '--minutes', '0.5'], 1, '--minutes: expected a whole number'],
    ['an option there is not', () => ['--tenant', ours.tenantId, '--role', 'admin'], 2, "Unknown option '--role'"],
  ])('mints no token for %s', async (_name, args, code, sentence) => {
    expectRejected(await run(['token', 'mint', ...args(), '--json']), code, sentence);
  });

  it('rotates the key: a new key signs, and tokens of earlier keys stay valid until they are retired', async () => {
    const old = await mint('--tenant', ours.tenantId);
    const { kid: first } = decodeProtectedHeader(old);
    const made = await json('signing-key', 'rotate');
    expect(made).toEqual({
      kid: expect.stringMatching(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/),
      createdAt: expect.stringMatching(/Z$/),
    });

    const fresh = await mint('--tenant', ours.tenantId);
    expect(decodeProtectedHeader(fresh).kid).toBe(made.kid);
    // The service, which has another process, gives such, too.
    const pair = { apiKey: ours.apiKey, secret: ours.secret };
    const given = await fetchResponse(`${serviceUrl}/api/auth/service/authorize`, { method: 'POST', body: JSON.stringify(pair) });
    expect(decodeProtectedHeader(given.body.token).kid).toBe(made.kid);
    expect([await request(old), await request(fresh)]).toEqual([
      [200, 'listed'],
      [200, 'listed'],
    ]);
    expect(await published()).toEqual(expect.arrayContaining([first, made.kid]));

    const listed = (await json('signing-key', 'list')) as { kid: string }[];
    expect(listed[0]).toEqual({ ...made, algorithm: 'ES256', retiredAt: null, isSigning: true });
    expect(listed.find(({ kid }) => kid === first)).toMatchObject({ retiredAt: null, isSigning: false });

    const retired = await json('signing-key', 'retire', '--kid', first!);
    expect(retired).toEqual({ kid: first, retiredAt: expect.stringMatching(/Z$/) });
    const isOver = async () => (await request(old))[1] === 'TOKEN_KEY_UNKNOWN';
    // On PostgreSQL, the service checks for new keys once a second.
    await until(isOver);
    expect(await request(fresh)).toEqual([200, 'listed']);
    expect(await published()).not.toContain(first);
    expect(await json('signing-key', 'retire', '--kid', first!)).toEqual(retired);
  });

  it('deletes the private part of a retired key, and prints no key material', async () => {
    const { kid } = await json('signing-key', 'rotate');
    const another = await json('signing-key', 'rotate');
    await json('signing-key', 'retire', '--kid', kid);
    const database = openDatabase(databaseUrl);
    const rows = await database.query.selectFrom('signing_keys').selectAll().execute();
    await database.close();
    expect(rows.find((row) => row.kid === kid)).toMatchObject({ private_jwk_json: '', retired_at: expect.any(String) });
    const privately = rows
      .filter(({ private_jwk_json }) => private_jwk_json !== '')
      .map(({ private_jwk_json }) => JSON.parse(private_jwk_json).d as string);
    expect(privately.length).toBeGreaterThan(0);
    const result = [await run(['signing-key', 'list']), await run(['signing-key', 'list', '--json'])] as const;
    const list = result[0].stdout.join('\n');
    expect(list).toMatch(new RegExp(`^${another.kid}  created \\S+  signs and verifies$`, 'm'));
    expect(list).toMatch(new RegExp(`^${kid}  created \\S+  retired \\S+$`, 'm'));
    for (const half of privately) expect(JSON.stringify(result)).not.toContain(half);
  });

  it('never retires the last key', async () => {
    const live = ((await json('signing-key', 'list')) as { kid: string; retiredAt: string | null }[]).filter(
      ({ retiredAt }) => retiredAt === null,
    );
    for (const { kid } of live.slice(1)) await json('signing-key', 'retire', '--kid', kid);
    const rejected = await run(['signing-key', 'retire', '--kid', live[0]!.kid]);
    expectRejected(rejected, 1, 'create another first: signing-key rotate');
    expect(await request(await mint('--tenant', ours.tenantId))).toEqual([200, 'listed']);
  });

  it.each([
    [['signing-key', 'retire', '--kid', 'nobody'], 1, 'kid: expected the id of a signing key'],
    [['signing-key', 'retire'], 2, 'expected --kid'],
    [['signing-key', 'rotate', '--kid', 'x'], 2, "Unknown option '--kid'"],
    [['signing-key'], 2, 'fairterm signing-key list'],
    [['token'], 2, 'fairterm token mint'],
  ])('%j is rejected', async (args, code, sentence) => {
    expectRejected(await run(args), code, sentence);
  });

  async function published(): Promise<string[]> {
    const { body } = await fetchResponse(`${serviceUrl}/.well-known/jwks.json`);
    return body.keys.map(({ kid }: { kid: string }) => kid);
  }
});

function expectRejected({ stdout, stderr, code }: CommandResult, expected: number, sentence: string): void {
  expect([code, stdout]).toEqual([expected, []]);
  expect(stderr.join('\n')).toContain(sentence);
}
