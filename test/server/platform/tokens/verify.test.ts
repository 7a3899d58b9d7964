import { createLocalJWKSet, type JWTPayload, type JWTVerifyGetKey } from 'jose';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { TrustedIssuer } from '../../../../server/base/config/issuer.ts';
import { type Clock, instantOf } from '../../../../server/base/time.ts';
import { trustedIssuers } from '../../../../server/platform/tokens/issuers.ts';
import { createTokenIssuer } from '../../../../server/platform/tokens/issue.ts';
import { retireSigningKey, rotateSigningKey, signingKey } from '../../../../server/platform/tokens/signing-keys.ts';
import { tokenVerification } from '../../../../server/platform/tokens/verify.ts';
import type { Database } from '../../../../server/db/database.ts';
import { migrateInMode } from '../../../../server/db/mode.ts';
import { describeOnEveryEngine, createDatabase, createDatabaseUrl, openTestDatabase } from '../../../support/databases.ts';
import { startIssuer, newKey, ownKey, publishing, signed, type TestIssuer } from '../../../support/tokens.ts';

const publicUrl = 'https://pay.example';
const iss = 'https://id.example';
const startMs = Date.UTC(2026, 10, 21);
const second = 1_000;
const minute = 60_000;
const hour = 3_600_000;

/** Creates a token verifier with a manual clock, and collects the reported errors. */
function createVerifier(database: Database, trusted?: TrustedIssuer) {
  let nowMs = startMs;
  const failures: string[] = [];
  const clock: Clock = { now: () => instantOf(nowMs) };
  const issuers = trustedIssuers({ database, clock, publicUrl, trusted, onFailure: (failure) => failures.push(failure) });
  const verifyToken = tokenVerification(issuers, clock, (claims: JWTPayload) => ({ tenantId: String(claims['TenantID']) }));
  const advanceClock = (ms: number) => {
    nowMs += ms;
  };
  /** Returns `valid` or the error code. */
  const outcome = (token: string) =>
    verifyToken(token).then(
      () => 'valid',
      ({ code }: { code: string }) => code,
    );
  const claims = (overrides: object = {}) => ({
    iss,
    aud: publicUrl,
    iat: startMs / 1_000,
    exp: startMs / 1_000 + 86_400,
    TenantID: 't',
    ...overrides,
  });
  return { advanceClock, outcome, claims, failures };
}

const database = await createDatabase('sqlite');
const key = await newKey('one');
const newer = await newKey('two');

describe('The keys of a trusted issuer', () => {
  // The cache of jose uses the clock of the system.
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: startMs }));
  afterEach(() => void vi.useRealTimers());

  async function createIssuer() {
    const issuer = await startIssuer([key]);
    const verifier = createVerifier(database, { issuer: iss, jwksUrl: issuer.jwksUrl, tenants: 'all' });
    const advanceClock = (ms: number) => {
      verifier.advanceClock(ms);
      vi.setSystemTime(Date.now() + ms);
    };
    return { issuer, ...verifier, advanceClock };
  }
  const makeUnavailable = (issuer: TestIssuer) => (issuer.respond = (_request, response) => void response.writeHead(503).end());

  it('are fetched once for concurrent requests, and cached for ten minutes', async () => {
    const { issuer, outcome, claims, advanceClock } = await createIssuer();
    const tokens = Array.from({ length: 50 }, (_, n) => signed(key, claims({ n })));
    expect(new Set(await Promise.all(tokens.map(outcome)))).toEqual(new Set(['valid']));
    expect(issuer.requestCount).toBe(1);
    advanceClock(10 * minute - 1);
    expect(await outcome(tokens[0]!)).toBe('valid');
    expect(issuer.requestCount).toBe(1);
    advanceClock(1);
    await Promise.all(tokens.map(outcome));
    expect(issuer.requestCount).toBe(2);
  });

  it('are fetched again for an unknown key id, but at most every 30 seconds', async () => {
    const { issuer, outcome, claims, advanceClock } = await createIssuer();
    expect(await outcome(signed(key, claims()))).toBe('valid');
    issuer.respond = publishing([key, newer]);
    // The keys have just been fetched.
    expect(await outcome(signed(newer, claims()))).toBe('token-key-unknown');
    advanceClock(30 * second);
    const both = await Promise.all([outcome(signed(newer, claims())), outcome(signed(newer, claims({ n: 1 })))]);
    expect([both, issuer.requestCount]).toEqual([['valid', 'valid'], 2]);
    for (let n = 0; n < 100; n++) expect(await outcome(signed(key, claims(), { kid: `none-${n}` }))).toBe('token-key-unknown');
    expect(issuer.requestCount).toBe(2);
    advanceClock(30 * second);
    for (let n = 0; n < 100; n++) await outcome(signed(key, claims(), { kid: `none-${n}` }));
    expect(issuer.requestCount).toBe(3);
  });

  it('invalidate their tokens when the issuer removes them, even if these were verified before', async () => {
    const { issuer, outcome, claims, advanceClock } = await createIssuer();
    const token = signed(key, claims());
    expect(await outcome(token)).toBe('valid');
    issuer.respond = publishing([newer]);
    advanceClock(10 * minute);
    expect(await outcome(token)).toBe('token-key-unknown');
    expect(await outcome(signed(newer, claims()))).toBe('valid');
  });

  it('remain valid for one day while the issuer is unavailable', async () => {
    const { issuer, outcome, claims, advanceClock, failures } = await createIssuer();
    const token = signed(key, claims());
    expect(await outcome(token)).toBe('valid');
    makeUnavailable(issuer);
    advanceClock(10 * minute);
    expect([await outcome(token), await outcome(signed(key, claims({ n: 1 })))]).toEqual(['valid', 'valid']);
    // After a failure, the keys are not requested for each token.
    expect([issuer.requestCount, failures]).toEqual([2, ['expected the status 200, but received 503']]);
    advanceClock(5 * second);
    expect([await outcome(signed(key, claims({ n: 2 }))), issuer.requestCount]).toEqual(['valid', 3]);
    advanceClock(24 * hour - 10 * minute - 5 * second - 1);
    expect(await outcome(token)).toBe('valid');
    advanceClock(1);
    const another = signed(key, claims({ n: 3 }));
    expect(await outcome(another)).toBe('issuer-unavailable');
    issuer.respond = publishing([key]);
    advanceClock(5 * second);
    expect(await outcome(another)).toBe('valid');
  });

  it('verify new tokens after the server of the issuer was shut down', async () => {
    const { issuer, outcome, claims, advanceClock, failures } = await createIssuer();
    expect(await outcome(signed(key, claims()))).toBe('valid');
    await issuer.stop();
    advanceClock(10 * minute);
    expect(await outcome(signed(key, claims({ n: 1 })))).toBe('valid');
    expect(await outcome(signed(newer, claims()))).toBe('issuer-unavailable');
    expect(failures).toEqual([expect.stringContaining('expected a response')]);
  });

  it('that are unknown are reported as issuer-unavailable while the issuer is unavailable', async () => {
    const { issuer, outcome, claims, advanceClock } = await createIssuer();
    expect(await outcome(signed(key, claims()))).toBe('valid');
    makeUnavailable(issuer);
    advanceClock(30 * second);
    expect(await outcome(signed(newer, claims()))).toBe('issuer-unavailable');
    const requestsBefore = issuer.requestCount;
    for (let n = 0; n < 50; n++) await outcome(signed(key, claims(), { kid: `none-${n}` }));
    expect([issuer.requestCount, await outcome(signed(key, claims()))]).toEqual([requestsBefore, 'valid']);
  });

  it('are requested again after five seconds if no request has succeeded', async () => {
    const { issuer, outcome, claims, advanceClock } = await createIssuer();
    makeUnavailable(issuer);
    const token = signed(key, claims());
    for (let n = 0; n < 10; n++) expect(await outcome(token)).toBe('issuer-unavailable');
    expect(issuer.requestCount).toBe(1);
    issuer.respond = publishing([key]);
    advanceClock(5 * second);
    expect(await outcome(token)).toBe('valid');
  });

  it('are not requested for a token that is malformed or has an untrusted issuer or a rejected algorithm', async () => {
    const { issuer, outcome, claims } = await createIssuer();
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

describe('A valid token', () => {
  it('has its signature verified once until its issuer changes the keys', async () => {
    let lookupCount = 0;
    const published = createLocalJWKSet({ keys: [key.publicJwk] });
    const newKeys = (): JWTVerifyGetKey => (header) => {
      lookupCount += 1;
      return published(header);
    };
    let current = newKeys();
    const keys = async () => current;
    const issuer = { name: iss, audience: publicUrl, algorithms: ['ES256'], keys, tenants: 'all' } as const;
    const verifyToken = tokenVerification([issuer], { now: () => instantOf(startMs) }, () => ({ tenantId: 't' }));
    const token = signed(key, { iss, aud: publicUrl, exp: startMs / 1_000 + 60 });
    for (let times = 0; times < 10; times++) await verifyToken(token);
    expect(lookupCount).toBe(1);
    current = newKeys();
    for (let times = 0; times < 10; times++) await verifyToken(token);
    expect(lookupCount).toBe(2);
  });

  it('is checked for expiry on every use', async () => {
    const { advanceClock, outcome, claims } = createVerifier(database);
    const own = await ownKey(database);
    const nowSeconds = Math.floor(startMs / 1_000);
    const token = signed(own, claims({ iss: publicUrl, exp: nowSeconds + 100, nbf: nowSeconds + 60 }));
    expect(await outcome(token)).toBe('token-not-yet-valid');
    advanceClock(30 * second);
    expect([await outcome(token), await outcome(token)]).toEqual(['valid', 'valid']);
    advanceClock(99 * second);
    expect(await outcome(token)).toBe('valid');
    advanceClock(second);
    expect([await outcome(token), await outcome(token)]).toEqual(['token-expired', 'token-expired']);
    // After the clock was set back.
    advanceClock(-20 * second);
    expect(await outcome(token)).toBe('valid');
  });

  it('is distinguished from a token with the same claims and another signature', async () => {
    const { outcome, claims } = createVerifier(database);
    const token = signed(await ownKey(database), claims({ iss: publicUrl }));
    expect(await outcome(token)).toBe('valid');
    const forged = token.replace(/[^.]*$/, Buffer.alloc(64, 7).toString('base64url'));
    expect([await outcome(forged), await outcome(token), await outcome(forged)]).toEqual([
      'token-signature-wrong',
      'valid',
      'token-signature-wrong',
    ]);
  });
});

describeOnEveryEngine('The keys of the service', (engine) => {
  /** Opens one database twice, as two processes do. */
  async function startTwoProcesses() {
    const url = await createDatabaseUrl(engine);
    const local = openTestDatabase(url);
    const other = openTestDatabase(url);
    await migrateInMode(local, 'sandbox');
    return { local, other, ...createVerifier(local) };
  }
  const now = instantOf(startMs);

  it('invalidate their tokens when another process retires them, while other keys stay valid', async () => {
    const { local, other, outcome, claims, advanceClock } = await startTwoProcesses();
    const first = await ownKey(local);
    const old = signed(first, claims({ iss: publicUrl }));
    expect(await outcome(old)).toBe('valid');

    await rotateSigningKey(other, now);
    const next = await ownKey(other);
    const fresh = signed(next, claims({ iss: publicUrl }));
    expect(next.kid).not.toBe(first.kid);
    // On both engines, a new key is available immediately.
    expect([await outcome(fresh), await outcome(old)]).toEqual(['valid', 'valid']);

    await retireSigningKey(other, first.kid, now);
    if (engine === 'postgres') advanceClock(2_000);
    else await new Promise((resolve) => void setImmediate(resolve));
    expect([await outcome(old), await outcome(fresh)]).toEqual(['token-key-unknown', 'valid']);
  });

  it('sign in the order of their creation, even if the clocks of two machines differ', async () => {
    const { local, other } = await startTwoProcesses();
    await signingKey(local, now);
    for (const early of [now, instantOf(startMs - hour), instantOf(startMs - 2 * hour)]) {
      const { kid, ...publicFields } = await rotateSigningKey(other, early);
      expect(publicFields).not.toHaveProperty('privateJwkJson');
      expect((await signingKey(local, now)).kid).toBe(kid);
    }
  });

  it('stop signing once they are retired, even for claims of a cached token', async () => {
    const { local, other, outcome } = await startTwoProcesses();
    const issue = createTokenIssuer(local, { now: () => now }, publicUrl);
    const grant = { tenantId: 't', scope: 'x' };
    expect(await outcome(await issue(grant))).toBe('valid');
    const { kid } = await signingKey(local, now);
    await rotateSigningKey(other, now);
    await retireSigningKey(other, kid, now);
    expect(await outcome(await issue(grant))).toBe('valid');
  });

  it('invalidate their tokens immediately in the process that retires them', async () => {
    const { local, outcome, claims, advanceClock } = await startTwoProcesses();
    const first = await ownKey(local);
    const token = signed(first, claims({ iss: publicUrl }));
    expect(await outcome(token)).toBe('valid');
    await rotateSigningKey(local, now);
    await retireSigningKey(local, first.kid, now);
    if (engine === 'postgres') advanceClock(2_000);
    expect(await outcome(token)).toBe('token-key-unknown');
  });
});
