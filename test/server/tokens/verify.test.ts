import { createLocalJWKSet, type JWTPayload } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import type { TrustedIssuer } from '../../../server/config/issuer.ts';
import { type Clock, instantOf } from '../../../server/time.ts';

import type { KeySet, KeySource } from '../../../server/tokens/remote-keys.ts';
import { trustedIssuers } from '../../../server/tokens/issuers.ts';
import { createTokenIssuer } from '../../../server/tokens/issue.ts';
import { retireSigningKey, rotateSigningKey, signingKey } from '../../../server/tokens/signing-keys.ts';
import { allSigningKeys } from '../../../server/tokens/store.ts';
import { tokenVerification } from '../../../server/tokens/verify.ts';
import { type Database, openDatabase } from '../../../server/db/database.ts';
import { migrateInMode } from '../../../server/db/mode.ts';
import { onCleanup } from '../../support/cleanup.ts';
import { describeOnEveryEngine, createDatabase, createDatabaseUrl } from '../../support/databases.ts';
import { startIssuer, newKey, ownKey, publishing, signed, type TestIssuer, type TestKey } from '../../support/tokens.ts';

const publicUrl = 'https://pay.example';
const iss = 'https://id.example';
const startMs = Date.UTC(2026, 10, 21);
const [second, minute, hour] = [1_000, 60_000, 3_600_000];

/** Creates a token verifier with a manual clock, and collects the reported errors. */
function givenAdmission(database: Database, trusted?: TrustedIssuer) {
  let nowMs = startMs;
  const failures: string[] = [];
  const clock: Clock = { now: () => instantOf(nowMs) };
  const issuers = trustedIssuers({ database, clock, publicUrl, trusted, onFailure: (failure) => failures.push(failure) });
  const admit = tokenVerification(issuers, clock, (claims: JWTPayload) => ({ tenantId: String(claims['TenantID']) }));
  const pass = (ms: number) => {
    nowMs += ms;
  };
  /** Returns `good`, or the error code. */
  const outcome = (token: string) =>
    admit(token).then(
      () => 'good',
      ({ code }: { code: string }) => code,
    );
  const claims = (over: object = {}) => ({
    iss,
    aud: publicUrl,
    iat: startMs / 1_000,
    exp: startMs / 1_000 + 86_400,
    TenantID: 't',
    ...over,
  });
  return { pass, outcome, claims, failures };
}

describe('The keys of an external issuer', () => {
  let database: Database;
  let key: TestKey;
  let newer: TestKey;
  beforeAll(async () => {
    database = await createDatabase('sqlite');
    [key, newer] = [await newKey('one'), await newKey('two')];
  });

  async function given() {
    const issuer = await startIssuer([key]);
    return { issuer, ...givenAdmission(database, { issuer: iss, jwksUrl: issuer.jwksUrl, tenants: 'all' }) };
  }
  const isDown = (issuer: TestIssuer) => (issuer.respond = (_request, response) => void response.writeHead(503).end());

  it('are fetched once for concurrent requests, and cached for ten minutes', async () => {
    const { issuer, outcome, claims, pass } = await given();
    const tokens = Array.from({ length: 50 }, (_, n) => signed(key, claims({ n })));
    expect(new Set(await Promise.all(tokens.map(outcome)))).toEqual(new Set(['good']));
    expect(issuer.requestCount).toBe(1);
    pass(10 * minute - 1);
    expect(await outcome(tokens[0]!)).toBe('good');
    expect(issuer.requestCount).toBe(1);
    pass(1);
    await Promise.all(tokens.map(outcome));
    expect(issuer.requestCount).toBe(2);
  });

  it('are fetched again for a new key ID, but not for every unknown key ID', async () => {
    const { issuer, outcome, claims, pass } = await given();
    expect(await outcome(signed(key, claims()))).toBe('good');
    issuer.respond = publishing([key, newer]);
    // The keys have just been fetched.
    expect(await outcome(signed(newer, claims()))).toBe('token-key-unknown');
    pass(30 * second);
    const both = await Promise.all([outcome(signed(newer, claims())), outcome(signed(newer, claims({ n: 1 })))]);
    expect([both, issuer.requestCount]).toEqual([['good', 'good'], 2]);
    for (let n = 0; n < 100; n++) expect(await outcome(signed(key, claims(), { kid: `none-${n}` }))).toBe('token-key-unknown');
    expect(issuer.requestCount).toBe(2);
    pass(30 * second);
    for (let n = 0; n < 100; n++) await outcome(signed(key, claims(), { kid: `none-${n}` }));
    expect(issuer.requestCount).toBe(3);
  });

  it('invalidate their tokens when the issuer removes them, including tokens already verified', async () => {
    const { issuer, outcome, claims, pass } = await given();
    const token = signed(key, claims());
    expect(await outcome(token)).toBe('good');
    issuer.respond = publishing([newer]);
    pass(10 * minute);
    expect(await outcome(token)).toBe('token-key-unknown');
    expect(await outcome(signed(newer, claims()))).toBe('good');
  });

  it('remain valid for one day while the issuer is down', async () => {
    const { issuer, outcome, claims, pass, failures } = await given();
    const token = signed(key, claims());
    expect(await outcome(token)).toBe('good');
    isDown(issuer);
    pass(10 * minute);
    expect([await outcome(token), await outcome(signed(key, claims({ n: 1 })))]).toEqual(['good', 'good']);
    // The service does not request the keys for each token.
    expect([issuer.requestCount, failures]).toEqual([2, ['expected the status 200, but received 503']]);
    pass(30 * second);
    expect([await outcome(token), issuer.requestCount]).toEqual(['good', 3]);
    pass(24 * hour - 10 * minute - 30 * second - 1);
    expect(await outcome(token)).toBe('good');
    pass(1);
    expect(await outcome(token)).toBe('issuer-unavailable');
    issuer.respond = publishing([key]);
    pass(5 * second);
    expect(await outcome(token)).toBe('good');
  });

  it('do not cause an unknown-key error while the issuer is down', async () => {
    const { issuer, outcome, claims, pass } = await given();
    expect(await outcome(signed(key, claims()))).toBe('good');
    isDown(issuer);
    pass(30 * second);
    expect(await outcome(signed(newer, claims()))).toBe('issuer-unavailable');
    const requestsBefore = issuer.requestCount;
    for (let n = 0; n < 50; n++) await outcome(signed(key, claims(), { kid: `none-${n}` }));
    expect([issuer.requestCount, await outcome(signed(key, claims()))]).toEqual([requestsBefore, 'good']);
  });

  it('are requested again after five seconds when no fetch has succeeded', async () => {
    const { issuer, outcome, claims, pass } = await given();
    isDown(issuer);
    const token = signed(key, claims());
    for (let n = 0; n < 10; n++) expect(await outcome(token)).toBe('issuer-unavailable');
    expect(issuer.requestCount).toBe(1);
    issuer.respond = publishing([key]);
    pass(5 * second);
    expect(await outcome(token)).toBe('good');
  });

  it('are not requested for a token that is malformed or has an untrusted issuer or a rejected algorithm', async () => {
    const { issuer, outcome, claims } = await given();
    const tokens = [
      signed(key, claims({ iss: 'x' })),
      'x',
      signed(key, claims(), { alg: 'none' }),
      signed(key, claims(), { crit: ['x'] }),
    ];
    expect(await Promise.all(tokens.map(outcome))).toEqual([
      'token-issuer-unknown',
      'token-malformed',
      'token-algorithm-refused',
      'token-malformed',
    ]);
    expect(issuer.requestCount).toBe(0);
  });
});

describe('A verified token', () => {
  it('is verified once until its issuer changes the keys', async () => {
    const key = await newKey('one');
    let looked = 0;
    const setOf = (): KeySet => {
      const keys = createLocalJWKSet({ keys: [key.publicJwk] });
      const counting = (...args: Parameters<KeySet>) => (looked++, keys(...args));
      return Object.assign(counting, { jwks: keys.jwks });
    };
    let keySet = setOf();
    const keys: KeySource = { current: async () => keySet, newest: async () => keySet };
    const issuer = { name: iss, audience: publicUrl, algorithms: ['ES256'], keys, tenants: 'all' } as const;
    const admit = tokenVerification([issuer], { now: () => instantOf(startMs) }, () => ({ tenantId: 't' }));
    const token = signed(key, { iss, aud: publicUrl, exp: startMs / 1_000 + 60 });
    for (let times = 0; times < 10; times++) await admit(token);
    expect(looked).toBe(1);
    keySet = setOf();
    for (let times = 0; times < 10; times++) await admit(token);
    expect(looked).toBe(2);
  });

  it('is checked for expiry on every use', async () => {
    const database = await createDatabase('sqlite');
    const { pass, outcome, claims } = givenAdmission(database);
    const key = await ownKey(database);
    const nowSeconds = Math.floor(startMs / 1_000);
    const token = signed(key, claims({ iss: publicUrl, exp: nowSeconds + 100, nbf: nowSeconds + 60 }));
    expect(await outcome(token)).toBe('token-not-yet-valid');
    pass(30 * second);
    expect([await outcome(token), await outcome(token)]).toEqual(['good', 'good']);
    pass(99 * second);
    expect(await outcome(token)).toBe('good');
    pass(second);
    expect([await outcome(token), await outcome(token)]).toEqual(['token-expired', 'token-expired']);
    // The clock was set back.
    pass(-20 * second);
    expect(await outcome(token)).toBe('good');
  });

  it('is distinguished from a token with the same claims and another signature', async () => {
    const database = await createDatabase('sqlite');
    const { outcome, claims } = givenAdmission(database);
    const token = signed(await ownKey(database), claims({ iss: publicUrl }));
    expect(await outcome(token)).toBe('good');
    const forged = token.replace(/[^.]*$/, Buffer.alloc(64, 7).toString('base64url'));
    expect([await outcome(forged), await outcome(token), await outcome(forged)]).toEqual([
      'token-signature-wrong',
      'good',
      'token-signature-wrong',
    ]);
  });
});

describeOnEveryEngine('Our own keys', (engine) => {
  /** Opens one database twice, as two processes would. */
  async function given() {
    const { url, remove } = await createDatabaseUrl(engine);
    const [here, elsewhere] = [openDatabase(url), openDatabase(url)];
    await migrateInMode(here, 'sandbox');
    onCleanup(async () => {
      await Promise.all([here.close(), elsewhere.close()]);
      await remove();
    });
    return { here, elsewhere, ...givenAdmission(here) };
  }
  const now = instantOf(startMs);

  it('invalidate their tokens when another process retires them, and other keys stay valid', async () => {
    const { here, elsewhere, outcome, claims, pass } = await given();
    const first = await ownKey(here);
    const old = signed(first, claims({ iss: publicUrl }));
    expect(await outcome(old)).toBe('good');

    await rotateSigningKey(elsewhere, now);
    const next = await ownKey(elsewhere);
    const fresh = signed(next, claims({ iss: publicUrl }));
    expect(next.kid).not.toBe(first.kid);
    // A new key is available at once on every engine.
    expect([await outcome(fresh), await outcome(old)]).toEqual(['good', 'good']);

    await retireSigningKey(elsewhere, first.kid, now);
    if (engine === 'postgres') pass(2_000);
    else await new Promise((resolve) => void setImmediate(resolve));
    expect([await outcome(old), await outcome(fresh)]).toEqual(['token-key-unknown', 'good']);
  });

  it('start with one key, even when several processes start at the same time', async () => {
    const { here, elsewhere } = await given();
    const pending = Array.from({ length: 20 }, (_, n) => signingKey(n % 2 ? here : elsewhere, now));
    expect(new Set((await Promise.all(pending)).map(({ kid }) => kid)).size).toBe(1);
    expect(await allSigningKeys(here.query)).toHaveLength(1);
  });

  it('sign in the order of their creation, even when the clocks of two machines differ', async () => {
    const { here, elsewhere } = await given();
    await signingKey(here, now);
    for (const early of [now, instantOf(startMs - hour), instantOf(startMs - 2 * hour)]) {
      const { kid, ...known } = await rotateSigningKey(elsewhere, early);
      expect(known).not.toHaveProperty('private_jwk_json');
      expect((await signingKey(here, now)).kid).toBe(kid);
    }
  });

  it('always include an active key, even when several are retired at the same time', async () => {
    const { here, elsewhere } = await given();
    const [first, next] = [await signingKey(here, now), await rotateSigningKey(here, now)];
    const outcomes = await Promise.allSettled([
      retireSigningKey(here, first.kid, now),
      retireSigningKey(elsewhere, next.kid, now),
    ]);
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    const issue = createTokenIssuer(here, { now: () => now }, publicUrl);
    await expect(issue({ tenantId: 't', scope: 'x' })).resolves.toBeTypeOf('string');
  });

  it('stop signing once they are retired, even for a cached token', async () => {
    const { here, elsewhere, outcome } = await given();
    const issue = createTokenIssuer(here, { now: () => now }, publicUrl);
    const grant = { tenantId: 't', scope: 'x' };
    expect(await outcome(await issue(grant))).toBe('good');
    const { kid } = await signingKey(here, now);
    await rotateSigningKey(elsewhere, now);
    await retireSigningKey(elsewhere, kid, now);
    expect(await outcome(await issue(grant))).toBe('good');
  });

  it('invalidate their tokens at once in the process that retires them', async () => {
    const { here, outcome, claims, pass } = await given();
    const first = await ownKey(here);
    const token = signed(first, claims({ iss: publicUrl }));
    expect(await outcome(token)).toBe('good');
    await rotateSigningKey(here, now);
    await retireSigningKey(here, first.kid, now);
    if (engine === 'postgres') pass(2_000);
    expect(await outcome(token)).toBe('token-key-unknown');
  });
});
