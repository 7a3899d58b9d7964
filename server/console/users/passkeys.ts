import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import { literal, object, pattern, string, type } from 'superstruct';
import type { Database, Tx } from '../../db/database.ts';
import { lookupHash } from '../../db/sealed.ts';
import { invalidRequest } from '../../base/errors.ts';
import { hashOfCode, newToken } from '../../base/ids.ts';
import { countAttempt } from '../../http/attempts.ts';
import { addSecurityEvents, newSecurityEvent } from '../../merchants/security-events.ts';
import { epochMs, type Instant } from '../../base/time.ts';
import { eventFieldsOf, type SessionLimits } from './sessions.ts';
import { type BrowserTokens, completeSignIn, signInEvent } from './sign-in.ts';
import { addPasskey, deletePasskeys, findPasskey, lockPasskey, lockUser, passkeysOf, savePasskey, type User } from './store.ts';

/** The site that passkeys belong to, which WebAuthn names the relying party (RP), and the key of its challenges. */
export interface PasskeySite {
  /** `https://pay.example` */
  origin: string;
  key: KeyObject;
  /** Shown by authenticators. */
  name: string;
}

/** Time in which a user responds to a challenge. */
const CHALLENGE_MS = 300_000;

const MAX_PASSKEYS = 20;
export const MAX_PASSKEY_NAME = 60;

export async function creationOptions(database: Database, site: PasskeySite, user: User, browserToken: string, now: Instant) {
  const passkeys = await passkeysOf(database.query, user.id);
  return generateRegistrationOptions({
    rpName: site.name,
    rpID: new URL(site.origin).hostname,
    userName: user.email,
    userDisplayName: user.name || user.email,
    userID: new Uint8Array(Buffer.from(user.id)),
    challenge: newChallenge(site, browserToken, now),
    attestationType: 'none',
    excludeCredentials: passkeys.map(({ id }) => ({ id })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
}

/** Returns the options with which a browser signs in with any of its passkeys. */
export function requestOptions(site: PasskeySite, browserToken: string, now: Instant) {
  return generateAuthenticationOptions({
    rpID: new URL(site.origin).hostname,
    challenge: newChallenge(site, browserToken, now),
    userVerification: 'required',
  });
}

const CredentialId = pattern(string(), /^[\w-]{1,1400}$/);

const common = { id: CredentialId, rawId: string(), type: literal('public-key'), clientExtensionResults: object() };
const Created = type({ ...common, response: type({ clientDataJSON: string(), attestationObject: string() }) });
const Signed = type({
  ...common,
  response: type({ clientDataJSON: string(), authenticatorData: string(), signature: string() }),
});

/**
 * Adds a passkey that a browser has created.
 *
 * @throws ServiceError `invalid-request` - the response is not to a recent challenge of this browser, or the user has too many passkeys.
 */
export async function createPasskey(
  database: Database,
  site: PasskeySite,
  user: User,
  { credential, name, browserToken }: { credential: string; name: string; browserToken: string },
  now: Instant,
): Promise<void> {
  const [, response] = Created.validate(jsonIn(credential));
  const found =
    response && (await verified(() => verifyRegistrationResponse({ response, ...expected(site, browserToken, now) })));
  const challenge = response && challengeIn(site, browserToken, response.response.clientDataJSON, now);
  const tooLate = () => invalidRequest('credential', 'a new passkey of this browser', 'another value', 'passkey-expired');
  if (!found?.registrationInfo || !challenge) throw tooLate();
  const { id, publicKey, counter } = found.registrationInfo.credential;
  const key = Buffer.from(publicKey).toString('base64url');
  const event = newSecurityEvent({ kind: 'passkey-added', ...eventFieldsOf(user, user.id) }, now);
  const passkey = { id, userId: user.id, counter, challengedAt: now, createdAt: now, name, publicKey: key };
  await database.write(async (tx) => {
    if (!(await lockUser(tx, user.id))) throw invalidRequest('user', 'a user', 'a removed one');
    if (!(await useChallenge(tx, challenge, now))) throw tooLate();
    const isFull = (await passkeysOf(tx, user.id)).length >= MAX_PASSKEYS;
    if (isFull || !(await addPasskey(tx, passkey))) {
      throw invalidRequest('credential', `a new passkey, and at most ${MAX_PASSKEYS}`, 'another one', 'too-many-passkeys');
    }
    await addSecurityEvents(tx, event);
  });
}

/** Signs in with a passkey. Returns the user, or undefined if the response is not valid, or was used before. */
export async function signInWithPasskey(
  database: Database,
  site: PasskeySite,
  credential: string,
  browser: BrowserTokens,
  limits: SessionLimits,
  now: Instant,
): Promise<User | undefined> {
  const [, response] = Signed.validate(jsonIn(credential));
  const passkey = response && (await findPasskey(database.query, response.id));
  if (!passkey || browser.before === undefined) return undefined;
  const challenge = challengeIn(site, browser.before, response.response.clientDataJSON, now);
  const { id, counter } = passkey;
  const publicKey = new Uint8Array(Buffer.from(passkey.publicKey, 'base64url'));
  const values = { response, ...expected(site, browser.before, now), credential: { id, publicKey, counter } };
  const found = await verified(() => verifyAuthenticationResponse(values));
  if (!challenge || !found?.verified) return undefined;
  const { newCounter } = found.authenticationInfo;
  const event = signInEvent(now);
  return database.write(async (tx) => {
    const user = await lockUser(tx, passkey.userId);
    const current = await lockPasskey(tx, id);
    if (!user || !current || current.challengedAt >= challenge.issuedAt || !(await useChallenge(tx, challenge, now)))
      return undefined;
    await savePasskey(tx, { ...current, counter: newCounter, challengedAt: challenge.issuedAt });
    await completeSignIn(tx, user, 'passkey', browser, limits, event, now);
    return user;
  });
}

/** Renames a passkey of a user. Returns false if the user has no passkey with this id. */
export function renamePasskey(database: Database, user: User, id: string, name: string): Promise<boolean> {
  return database.write(async (tx) => {
    const passkey = await lockPasskey(tx, id);
    if (passkey?.userId !== user.id) return false;
    await savePasskey(tx, { ...passkey, name });
    return true;
  });
}

/** Removes a passkey of a user. Returns false if the user has no passkey with this id. */
export function removePasskey(database: Database, user: User, id: string, now: Instant): Promise<boolean> {
  const event = newSecurityEvent({ kind: 'passkey-removed', ...eventFieldsOf(user, user.id) }, now);
  return database.write(async (tx) => {
    if ((await deletePasskeys(tx, user.id, id)) === 0n) return false;
    await addSecurityEvents(tx, event);
    return true;
  });
}

/** Returns the values that the response to a challenge is compared with. */
function expected(site: PasskeySite, browserToken: string, now: Instant) {
  return {
    expectedOrigin: site.origin,
    expectedRPID: new URL(site.origin).hostname,
    expectedChallenge: (challenge: string) => readChallenge(site, browserToken, challenge, now) !== undefined,
    requireUserVerification: true,
  };
}

/** The content of a challenge. */
interface Challenge {
  issuedAt: Instant;
  nonce: string;
}

/**
 * Returns a challenge: the time of its issue, a nonce, and an authentication code over both and the browser. It is stored when it is used: it
 * is for one passkey, which accepts only challenges that are newer than the last one it signed.
 */
function newChallenge(site: PasskeySite, browserToken: string, now: Instant): string {
  const nonce = newToken(16);
  return [now, nonce, macOf(site, browserToken, now, nonce).toString('base64url')].join('|');
}

/** Uses a challenge. Returns false if it was used before, whatever the encoding of its text. */
async function useChallenge(tx: Tx, { issuedAt, nonce }: Challenge, now: Instant): Promise<boolean> {
  const hash = await lookupHash(tx, 'passkey-challenge', JSON.stringify([issuedAt, nonce]));
  // Remembered for longer than it is valid.
  return (await countAttempt(tx, [{ hash, limit: 1, periodMs: CHALLENGE_MS + 1 }], now)).length === 0;
}

/** Returns the content of a challenge in base64url; undefined if it is forged, of another browser, or too old. */
function readChallenge(site: PasskeySite, browserToken: string, challenge: string, now: Instant): Challenge | undefined {
  const [issuedAt = '', nonce = '', mac = ''] = Buffer.from(challenge, 'base64url').toString().split('|');
  const sent = Buffer.from(mac, 'base64url');
  const own = macOf(site, browserToken, issuedAt, nonce);
  if (sent.length !== own.length || !timingSafeEqual(sent, own) || !isTime(issuedAt)) return undefined;
  return epochMs(now) - epochMs(issuedAt) <= CHALLENGE_MS ? { issuedAt, nonce } : undefined;
}

/** Authenticated texts are as `newChallenge` wrote them. */
function isTime(text: string): text is Instant {
  return !Number.isNaN(Date.parse(text));
}

function macOf({ key }: PasskeySite, browserToken: string, issuedAt: string, nonce: string): Buffer {
  return createHmac('sha256', key)
    .update(['passkey', hashOfCode(browserToken), issuedAt, nonce].join('|'))
    .digest();
}

/** Returns the challenge in the data that an authenticator signed. */
function challengeIn(site: PasskeySite, browserToken: string, clientData: string, now: Instant): Challenge | undefined {
  const [, data] = type({ challenge: string() }).validate(jsonIn(Buffer.from(clientData, 'base64url').toString()));
  return data && readChallenge(site, browserToken, data.challenge, now);
}

/** Returns the result of a verification; undefined if it throws, as it does for each mismatch. */
async function verified<T>(verify: () => Promise<T>): Promise<T | undefined> {
  try {
    return await verify();
  } catch {
    return undefined;
  }
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
