/** Passkeys of a software authenticator, whose responses are sent as no browser would. */
import { isoCBOR } from '@simplewebauthn/server/helpers';
import { createHash, createSecretKey, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { expect, it } from 'vitest';
import { newId, newToken } from '../../../../server/base/ids.ts';
import { createMerchant } from '../../../../server/merchants/merchants.ts';
import { type Instant, plusMs } from '../../../../server/base/time.ts';
import {
  createPasskey,
  creationOptions,
  type PasskeySite,
  removePasskey,
  requestOptions,
  signInWithPasskey,
} from '../../../../server/console/users/passkeys.ts';
import { passkeysOf, type User } from '../../../../server/console/users/store.ts';
import { inviteUser } from '../../../../server/console/users/users.ts';
import { testConfig } from '../../../support/data-keys.ts';
import { createDatabase, describeOnEveryEngine } from '../../../support/databases.ts';

const NOW: Instant = '2026-11-21T09:30:00.000000Z';
const limits = { idleMinutes: 30, sessionHours: 12 };
const site: PasskeySite = { origin: 'https://pay.example', key: createSecretKey(randomBytes(32)), name: 'Fairterm' };
const rpIdHash = createHash('sha256').update('pay.example').digest();
const browserToken = newToken(32);

const clientData = (type: string, challenge: string) => Buffer.from(JSON.stringify({ type, challenge, origin: site.origin }));

/** Creates a key pair, and returns the credential that the browser would post with it. */
function createCredential(challenge: string) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const cose = new Map<number, number | Buffer>([
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, Buffer.from(x, 'base64url')],
    [-3, Buffer.from(y, 'base64url')],
  ]);
  const id = randomBytes(16);
  // The user is present and verified, and the data contain a key; the counter, the model and the length of the id.
  const head = Buffer.concat([rpIdHash, Buffer.from([0x45]), Buffer.alloc(20), Buffer.from([0, id.length]), id]);
  const authData = Buffer.concat([head, isoCBOR.encode(cose)]);
  const attestation = isoCBOR.encode(
    new Map<string, string | Map<string, string> | Buffer>([
      ['fmt', 'none'],
      ['attStmt', new Map()],
      ['authData', authData],
    ]),
  );
  const credential = JSON.stringify({
    id: id.toString('base64url'),
    rawId: id.toString('base64url'),
    type: 'public-key',
    response: {
      clientDataJSON: clientData('webauthn.create', challenge).toString('base64url'),
      attestationObject: Buffer.from(attestation).toString('base64url'),
    },
    clientExtensionResults: {},
  });
  return { id: id.toString('base64url'), privateKey, credential };
}

/** Returns the credential that the browser would post to sign in. */
function signChallenge({ id, privateKey }: { id: string; privateKey: KeyObject }, challenge: string): string {
  const authenticatorData = Buffer.concat([rpIdHash, Buffer.from([0x05]), Buffer.alloc(4)]);
  const data = clientData('webauthn.get', challenge);
  const signed = Buffer.concat([authenticatorData, createHash('sha256').update(data).digest()]);
  const response = { clientDataJSON: data, authenticatorData, signature: sign('sha256', signed, privateKey) };
  const encoded = Object.entries(response).map(([name, bytes]) => [name, bytes.toString('base64url')]);
  return JSON.stringify({
    id,
    rawId: id,
    type: 'public-key',
    response: Object.fromEntries(encoded),
    clientExtensionResults: {},
  });
}

describeOnEveryEngine('Passkeys', async (engine) => {
  const database = await createDatabase(engine);
  const shop = { name: 'Acme', storeUrl: 'https://shop.example', origins: [] };
  const { tenantId, merchantId } = await createMerchant(database, 'sandbox', shop, NOW);
  const createUser = async (): Promise<User> => {
    const invited = { tenantId, merchantId, email: `${newId()}@acme.example`, name: '', role: 'viewer' } as const;
    const mail = { publicUrl: site.origin, operator: testConfig.operator!, handling: 'recorded' } as const;
    return (await inviteUser(database, invited, undefined, mail, NOW)).user;
  };
  const challengeFor = async (user: User) => (await creationOptions(database, site, user, browserToken, NOW)).challenge;
  const add = (user: User, credential: string, now = NOW) =>
    createPasskey(database, site, user, { credential, name: 'Laptop', browserToken }, now);
  const idsOf = async (user: User) => (await passkeysOf(database.query, user.id)).map(({ id }) => id);

  it('are added one for each challenge, also at the same time, after the first one was removed, and with its text written otherwise', async () => {
    const rejection = { code: 'invalid-request', reason: 'passkey-expired' };
    for (let round = 0; round < 5; round += 1) {
      const user = await createUser();
      const challenge = await challengeFor(user);
      const created = [createCredential(challenge), createCredential(challenge), createCredential(`${challenge}==`)];
      const results = await Promise.allSettled(created.map(({ credential }) => add(user, credential)));
      expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected', 'rejected']);
      const [first, ...others] = await idsOf(user);
      expect(others).toEqual([]);
      await removePasskey(database, user, first!, NOW);
      for (const text of [challenge, `${challenge}=`, ` ${challenge}`]) {
        await expect(add(user, createCredential(text).credential, plusMs(NOW, 300_000))).rejects.toMatchObject(rejection);
      }
      const next = createCredential(await challengeFor(user));
      await add(user, next.credential);
      expect(await idsOf(user)).toEqual([next.id]);
    }
  });

  it('sign in one of two users with a challenge, and only once', async () => {
    const passkeys: ReturnType<typeof createCredential>[] = [];
    for (const user of [await createUser(), await createUser()]) {
      const passkey = createCredential(await challengeFor(user));
      await add(user, passkey.credential);
      passkeys.push(passkey);
    }
    const now = plusMs(NOW, 1_000);
    for (let round = 0; round < 5; round += 1) {
      const at = plusMs(now, round * 1_000);
      const { challenge } = await requestOptions(site, browserToken, at);
      const use = (passkey: (typeof passkeys)[number]) => {
        const browser = { before: browserToken, after: newToken(32) };
        return signInWithPasskey(database, site, signChallenge(passkey, challenge), browser, limits, at);
      };
      const users = await Promise.all(passkeys.map(use));
      expect(users.filter((user) => user !== undefined)).toHaveLength(1);
      expect(await Promise.all(passkeys.map(use))).toEqual([undefined, undefined]);
    }
  });
});
