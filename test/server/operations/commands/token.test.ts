import { decodeJwt, decodeProtectedHeader } from 'jose';
import { describe, expect, it } from 'vitest';
import { programsOf } from '../../../../server/lending/programs/store.ts';
import { createMerchant } from '../../../../server/merchants/merchants.ts';
import { systemClock } from '../../../../server/base/time.ts';
import { addressOf, buildProject, startServiceProcess } from '../../../support/process.ts';
import { createDatabaseUrl, createMigratedDatabaseUrl, openTestDatabase } from '../../../support/databases.ts';
import { fetchResponse } from '../../../support/service.ts';
import { until } from '../../../support/time.ts';
import { fairterm, fairtermJson, now, type CommandResult } from './fairterm.ts';
import { testKeys } from '../../../support/data-keys.ts';

const unknownId = '01990000-0000-7000-8000-00000000000a';

await buildProject();
const databaseUrl = await createDatabaseUrl();
const running = startServiceProcess(databaseUrl, { PORT: '0' });
const serviceUrl = await addressOf(running);
const { port } = new URL(serviceUrl);
const database = openTestDatabase(databaseUrl);
const addMerchant = async (tenantId?: string) => {
  const created = await createMerchant(
    database,
    'sandbox',
    { name: 'Acme', storeUrl: 'https://shop.example', origins: [], tenantId },
    now,
  );
  return { ...created, programId: (await programsOf(database.query, created.merchantId))[0]!.id };
};
const merchant = await addMerchant();
const sameTenant = await addMerchant(merchant.tenantId);

// The service runs in another process than the commands. They share only the database.
describe('Tokens and signing keys on the command line', () => {
  const run = (args: string[], env: Record<string, string> = {}) =>
    fairterm(args, { databaseUrl, env: { PORT: port, ...env }, clock: systemClock });
  const json = (...args: string[]) => fairtermJson(args, { databaseUrl, env: { PORT: port }, clock: systemClock });
  const mint = async (...args: string[]): Promise<string> => (await json('token', 'mint', ...args)).token;
  const request = async (token: string, query = '') => {
    const { status, body } = await fetchResponse(`${serviceUrl}/api/application${query}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    return [status, body.reason ?? 'listed'];
  };

  it('mints a token for a tenant, which the running service accepts', async () => {
    const result = await run(['token', 'mint', '--tenant', merchant.tenantId, '--json']);
    const { token } = JSON.parse(result.stdout[0]!);
    expect([result.code, result.stdout]).toEqual([0, [JSON.stringify({ token })]]);
    expect(result.stderr.join()).not.toContain(token);
    const claims = decodeJwt(token);
    expect(claims).toEqual({
      iss: `http://localhost:${port}`,
      aud: `http://localhost:${port}`,
      sub: merchant.tenantId,
      iat: expect.any(Number),
      exp: claims.iat! + 3_600,
      TenantID: merchant.tenantId,
      scope: 'r:application',
    });
    expect(await request(token)).toEqual([200, 'listed']);
    expect(await request(token, `?merchantID.eq=${merchant.merchantId}`)).toEqual([200, 'listed']);
  });

  it('mints a token for a merchant, a program and a buyer, with a lifetime in minutes', async () => {
    const { merchantId, programId, tenantId } = merchant;
    const claimOptions = [
      '--tenant',
      tenantId.toUpperCase(),
      '--merchant',
      merchantId,
      '--program',
      programId,
      '--buyer',
      unknownId,
    ];
    const token = await mint(...claimOptions, '--minutes', '5', '--scope', 'openid r:application');
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
    expect(await request(token, `?merchantID.eq=${sameTenant.merchantId}`)).toEqual([403, 'MERCHANT_CONFLICT']);
    expect(await request(await mint('--tenant', tenantId, '--program', sameTenant.programId))).toEqual([200, 'listed']);
  });

  it('mints a token with another scope, and warns that it cannot list applications', async () => {
    const result = await run(['token', 'mint', '--tenant', merchant.tenantId, '--scope', 'openid', '--json']);
    expect(result.stderr.join()).toContain('The token cannot list applications, which requires the scope r:application.');
    expect(await request(JSON.parse(result.stdout[0]!).token)).toEqual([403, 'SCOPE_MISSING']);
  });

  it.each([{}, { PORT: '4000' }, { PORT: '0' }])(
    'mints a token that the running service accepts, even in the environment %j',
    async (env) => {
      const { stdout } = await fairterm(['token', 'mint', '--tenant', merchant.tenantId], {
        databaseUrl,
        env,
        clock: systemClock,
      });
      expect(await request(stdout[0]!)).toEqual([200, 'listed']);
    },
  );

  it('rejects a PUBLIC_URL that differs from the URL of the service', async () => {
    const result = await run(['token', 'mint', '--tenant', merchant.tenantId], { PUBLIC_URL: 'https://pay.example' });
    expectRejected(result, 1, `PUBLIC_URL: expected http://localhost:${port}, the address of the service on this database`);
    expect(result.stderr.join()).toContain('received https://pay.example');
  });

  it('warns if no service was started on the database yet', async () => {
    const url = await createMigratedDatabaseUrl();
    const runHere = (args: string[], env: Record<string, string> = {}) =>
      fairterm(args, { databaseUrl: url, env, clock: systemClock });
    const shop = ['merchant', 'create', '--name', 'Acme', '--store-url', 'https://shop.example', '--json'];
    const { tenantId } = JSON.parse((await runHere(shop)).stdout[0]!);
    const mintHere = (env: Record<string, string>) => runHere(['token', 'mint', '--tenant', tenantId], env);

    const { stdout, stderr } = await mintHere({ PUBLIC_URL: 'https://pay.example' });
    expect(decodeJwt(stdout[0]!).iss).toBe('https://pay.example');
    expect(stderr.join()).toContain('no service was started on this database yet');
    expectRejected(await mintHere({ PORT: '0' }), 1, 'PUBLIC_URL: expected the address');
  });

  it('rotates the signing key: the new key signs, and tokens of an earlier key are valid until it is retired', async () => {
    const oldToken = await mint('--tenant', merchant.tenantId);
    const { kid: first } = decodeProtectedHeader(oldToken);
    const newKey = await json('signing-key', 'rotate');
    expect(newKey).toEqual({
      kid: expect.stringMatching(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/),
      createdAt: expect.stringMatching(/Z$/),
    });

    const newToken = await mint('--tenant', merchant.tenantId);
    expect(decodeProtectedHeader(newToken).kid).toBe(newKey.kid);
    // The service signs with the new key, too.
    const pair = { apiKey: merchant.apiKey, secret: merchant.secret };
    const authorized = await fetchResponse(`${serviceUrl}/api/auth/service/authorize`, {
      method: 'POST',
      body: JSON.stringify(pair),
    });
    expect(decodeProtectedHeader(authorized.body.token).kid).toBe(newKey.kid);
    expect([await request(oldToken), await request(newToken)]).toEqual([
      [200, 'listed'],
      [200, 'listed'],
    ]);
    expect(await publishedKeyIds()).toEqual(expect.arrayContaining([first, newKey.kid]));

    const listed = (await json('signing-key', 'list')) as { kid: string }[];
    expect(listed[0]).toEqual({ ...newKey, algorithm: 'ES256', retiredAt: null, isSigning: true });
    expect(listed.find(({ kid }) => kid === first)).toMatchObject({ retiredAt: null, isSigning: false });

    const retired = await json('signing-key', 'retire', '--kid', first!);
    expect(retired).toEqual({ kid: first, retiredAt: expect.stringMatching(/Z$/) });
    // On PostgreSQL, the service checks for new keys once a second.
    await until(async () => (await request(oldToken))[1] === 'TOKEN_KEY_UNKNOWN');
    expect(await request(newToken)).toEqual([200, 'listed']);
    expect(await publishedKeyIds()).not.toContain(first);
    expect(await json('signing-key', 'retire', '--kid', first!)).toEqual(retired);
  });

  it('deletes the private part of a retired key, and prints no private part', async () => {
    const { kid } = await json('signing-key', 'rotate');
    const another = await json('signing-key', 'rotate');
    await json('signing-key', 'retire', '--kid', kid);
    const rows = await database.query.selectFrom('signing_keys').selectAll().execute();
    expect(rows.find((row) => row.kid === kid)).toMatchObject({ sealed: '', retiredAt: expect.any(String) });
    const privateParts = rows
      .filter(({ sealed }) => sealed !== '')
      .map(({ kid: id, sealed }) => JSON.parse(testKeys().open(sealed, ['signing_keys', id])) as string)
      .map((privateJwk) => JSON.parse(privateJwk).d as string);
    expect(privateParts.length).toBeGreaterThan(0);
    const result = [await run(['signing-key', 'list']), await run(['signing-key', 'list', '--json'])] as const;
    const list = result[0].stdout.join('\n');
    expect(list).toMatch(new RegExp(`^${another.kid}  created \\S+  signs and verifies$`, 'm'));
    expect(list).toMatch(new RegExp(`^${kid}  created \\S+  retired \\S+$`, 'm'));
    for (const privatePart of privateParts) expect(JSON.stringify(result)).not.toContain(privatePart);
  });

  it('does not retire the last key', async () => {
    const activeKeys = ((await json('signing-key', 'list')) as { kid: string; retiredAt: string | null }[]).filter(
      ({ retiredAt }) => retiredAt === null,
    );
    for (const { kid } of activeKeys.slice(1)) await json('signing-key', 'retire', '--kid', kid);
    const rejected = await run(['signing-key', 'retire', '--kid', activeKeys[0]!.kid]);
    expectRejected(rejected, 1, 'create another first: signing-key rotate');
    expect(await request(await mint('--tenant', merchant.tenantId))).toEqual([200, 'listed']);
  });

  async function publishedKeyIds(): Promise<string[]> {
    const { body } = await fetchResponse(`${serviceUrl}/.well-known/jwks.json`);
    return body.keys.map(({ kid }: { kid: string }) => kid);
  }
});

function expectRejected({ stdout, stderr, code }: CommandResult, expectedCode: number, message: string): void {
  expect([code, stdout]).toEqual([expectedCode, []]);
  expect(stderr.join('\n')).toContain(message);
}
