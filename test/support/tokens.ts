import { createPrivateKey, type KeyObject, sign } from 'node:crypto';
import { exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';
import type { RequestListener } from 'node:http';
import type { Database } from '../../server/db/database.ts';
import { addKeyPair, type KeyPair, retireKey } from '../../server/merchants/keys.ts';
import { systemClock } from '../../server/time.ts';
import { signingKey } from '../../server/tokens/signing-keys.ts';
import { onCleanup } from './cleanup.ts';
import { listen } from './http.ts';
import type { TestService } from './service.ts';

/** A key with both halves, and what a token says to name it. */
export interface TestKey {
  kid: string;
  algorithm: string;
  privateKey: KeyObject;
  publicJwk: JWK;
}

/** A key pair that was good once. */
export async function givenRetiredPair({ database, clock }: TestService, merchantId: string): Promise<KeyPair> {
  const pair = await addKeyPair(database, 'sandbox', merchantId, clock.now());
  await retireKey(database, pair.apiKey, clock.now());
  return pair;
}

export const secondsNow = (): number => Math.floor(Date.now() / 1_000);

/** Three parts of base64url, whatever is in them: an object as JSON, a string as it is. */
export function compact(header: unknown, claims: unknown, signature: string | Buffer = ''): string {
  return [part(header), part(claims), Buffer.from(signature).toString('base64url')].join('.');
}

const part = (value: unknown): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

/** A token with a good signature of `key`'s, whatever its header and claims say; those of the key stand in for what is left out. */
export function signed(key: TestKey, claims: unknown, header: Record<string, unknown> = {}): string {
  const { kid, algorithm } = key;
  const head = { alg: algorithm, kid, typ: 'at+jwt', ...header };
  const input = compact(head, claims).slice(0, -1);
  return `${input}.${sign('sha256', Buffer.from(input), { key: key.privateKey, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`;
}

/** The key that the service of `database` signs with. */
export async function ownKey(database: Database): Promise<TestKey> {
  const { kid, algorithm, public_jwk_json, private_jwk_json } = await signingKey(database, systemClock.now());
  const privateKey = createPrivateKey({ key: JSON.parse(private_jwk_json), format: 'jwk' });
  return { kid, algorithm, privateKey, publicJwk: JSON.parse(public_jwk_json) as JWK };
}

export async function newKey(kid: string, algorithm = 'ES256', named: Partial<JWK> = {}): Promise<TestKey> {
  const { publicKey, privateKey } = await generateKeyPair(algorithm, { extractable: true });
  return {
    kid,
    algorithm,
    privateKey: createPrivateKey({ key: (await exportJWK(privateKey)) as never, format: 'jwk' }),
    publicJwk: { ...(await exportJWK(publicKey)), kid, alg: algorithm, use: 'sig', ...named },
  };
}

export interface TestIssuer {
  /** Where its keys are. */
  jwksUrl: string;
  /** How often it was asked for them. */
  asked: number;
  /** What it answers from here on. */
  answer: RequestListener;
}

/** Somebody else who issues tokens, with an address that its keys are at. */
export async function startIssuer(keys: readonly TestKey[] = []): Promise<TestIssuer> {
  const issuer: TestIssuer = { jwksUrl: '', asked: 0, answer: publishing(keys) };
  const { url, stop } = await listen((request, response) => {
    issuer.asked += 1;
    issuer.answer(request, response);
  });
  onCleanup(stop);
  issuer.jwksUrl = `${url}/keys`;
  return issuer;
}

/** Answers with the public halves of `keys`. */
export function publishing(keys: readonly TestKey[]): RequestListener {
  const body = JSON.stringify({ keys: keys.map(({ publicJwk }) => publicJwk) });
  return (_request, response) => void response.writeHead(200, { 'content-type': 'application/json' }).end(body);
}

/** A token as an issuer makes it with jose, by whatever algorithm. */
export function issued({ kid, algorithm, privateKey }: TestKey, claims: Record<string, unknown>): Promise<string> {
  return new SignJWT(claims).setProtectedHeader({ alg: algorithm, kid }).sign(privateKey);
}
