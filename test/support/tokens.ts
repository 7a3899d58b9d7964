import { createPrivateKey, type KeyObject, sign } from 'node:crypto';
import { exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';
import type { RequestListener } from 'node:http';
import type { Database } from '../../server/db/database.ts';
import { fromJson } from '../../server/db/json.ts';
import { addKeyPair, type KeyPair, retireKey } from '../../server/merchants/keys.ts';
import { systemClock } from '../../server/base/time.ts';
import { signingKey } from '../../server/platform/tokens/signing-keys.ts';
import { onCleanup } from './cleanup.ts';
import { listen } from './http.ts';
import type { TestService } from './service.ts';

/** A signing key with its id and algorithm. */
export interface TestKey {
  kid: string;
  algorithm: string;
  privateKey: KeyObject;
  publicJwk: JWK;
}

/** Creates a key pair and retires it. */
export async function createRetiredKeyPair({ database, clock }: TestService, merchantId: string): Promise<KeyPair> {
  const pair = await addKeyPair(database, 'sandbox', merchantId, clock.now());
  await retireKey(database, pair.apiKey, clock.now());
  return pair;
}

/** Returns the claims of a valid token. `overrides` replace them; undefined omits one. */
export function claimsFor(
  { iss, aud = iss, tenantId }: { iss: string; aud?: string; tenantId: string },
  overrides: Record<string, unknown> = {},
) {
  const iat = secondsNow();
  return { iss, aud, iat, exp: iat + 600, TenantID: tenantId, scope: 'r:application', ...overrides };
}

export const secondsNow = (): number => Math.floor(Date.now() / 1_000);

/** Returns a compact JWS with any content. Objects are encoded as JSON, strings unchanged. */
export function compact(header: unknown, claims: unknown, signature: string | Buffer = ''): string {
  return [part(header), part(claims), Buffer.from(signature).toString('base64url')].join('.');
}

const part = (value: unknown): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

/** Returns a token with a valid signature by `key` and any header and claims. The header defaults to that of the key. */
export function signed(key: TestKey, claims: unknown, header: Record<string, unknown> = {}): string {
  const { kid, algorithm } = key;
  const head = { alg: algorithm, kid, typ: 'at+jwt', ...header };
  const input = compact(head, claims).slice(0, -1);
  return `${input}.${sign('sha256', Buffer.from(input), { key: key.privateKey, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`;
}

/** Returns the signing key of the service that uses `database`. */
export async function ownKey(database: Database): Promise<TestKey> {
  const { kid, algorithm, publicJwkJson, privateJwkJson } = await signingKey(database, systemClock.now());
  const privateKey = createPrivateKey({ key: fromJson(privateJwkJson), format: 'jwk' });
  return { kid, algorithm, privateKey, publicJwk: fromJson(publicJwkJson) };
}

/** Creates a signing key. `overrides` replace members of its public JWK. */
export async function newKey(kid: string, algorithm = 'ES256', overrides: Partial<JWK> = {}): Promise<TestKey> {
  const { publicKey, privateKey } = await generateKeyPair(algorithm, { extractable: true });
  return {
    kid,
    algorithm,
    privateKey: createPrivateKey({ key: (await exportJWK(privateKey)) as never, format: 'jwk' }),
    publicJwk: { ...(await exportJWK(publicKey)), kid, alg: algorithm, use: 'sig', ...overrides },
  };
}

export interface TestIssuer {
  /** URL of its keys. */
  jwksUrl: string;
  /** Number of requests for the keys. */
  requestCount: number;
  /** Handles the next requests. */
  respond: RequestListener;
  /** Closes the server and its connections. */
  stop(): Promise<void>;
}

/** Starts an external token issuer that publishes `keys`. */
export async function startIssuer(keys: readonly TestKey[] = []): Promise<TestIssuer> {
  const { url, stop } = await listen((request, response) => {
    issuer.requestCount += 1;
    issuer.respond(request, response);
  });
  onCleanup(stop);
  const issuer: TestIssuer = { jwksUrl: `${url}/keys`, requestCount: 0, respond: publishing(keys), stop };
  return issuer;
}

/** Returns a handler that responds with the public keys of `keys`. */
export function publishing(keys: readonly TestKey[]): RequestListener {
  const body = JSON.stringify({ keys: keys.map(({ publicJwk }) => publicJwk) });
  return (_request, response) => void response.writeHead(200, { 'content-type': 'application/json' }).end(body);
}

/** Returns a token that jose signed with the algorithm of the key. */
export function issued({ kid, algorithm, privateKey }: TestKey, claims: Record<string, unknown>): Promise<string> {
  return new SignJWT(claims).setProtectedHeader({ alg: algorithm, kid }).sign(privateKey);
}
