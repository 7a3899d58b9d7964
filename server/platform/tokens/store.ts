import type { Json } from '../../db/json.ts';
import type { JWK } from 'jose';
import type { Selectable } from 'kysely';
import type { Query, Tx } from '../../db/database.ts';
import { prepared } from '../../db/prepared.ts';
import type { SigningKeyTable } from '../../db/schema.ts';
import { isAuthentic, macOf, openRows, seal, unseal } from '../../db/sealed.ts';
import type { Instant } from '../../base/time.ts';

/** A signing key with its opened private key. */
export type SigningKey = PublicKey & {
  privateJwkJson: Json<JWK>;
};

/** A signing key without its private key. */
export type PublicKey = Omit<Selectable<SigningKeyTable>, 'sealed' | 'mac'>;

/** Returns all keys, including retired ones, the newest first. */
export async function allSigningKeys(query: Query): Promise<PublicKey[]> {
  const rows = await query
    .selectFrom('signing_keys')
    .select(['kid', 'algorithm', 'publicJwkJson', 'createdAt', 'retiredAt', 'mac'])
    .orderBy('createdAt', 'desc')
    .orderBy('kid', 'desc')
    .execute();
  return rows.filter((row) => isAuthentic(query, 'signing_keys', row));
}

/** Returns the key that signs: the newest active one. */
export async function newestActiveKey(query: Query): Promise<SigningKey | undefined> {
  const [newest] = await openRows(query, await activeKeysOf(query), (row) => {
    const { sealed: _, mac: _mac, ...key } = row;
    return { ...key, privateJwkJson: unseal(query, 'signing_keys', row) };
  });
  return newest;
}

/** Returns the public keys that are not retired, the newest first. */
export async function activePublicKeys(query: Query): Promise<Json<JWK>[]> {
  return (await activeKeysOf(query)).map(({ publicJwkJson }) => publicJwkJson);
}

async function activeKeysOf(query: Query): Promise<Selectable<SigningKeyTable>[]> {
  return (await activeKeys(query)).filter((row) => isAuthentic(query, 'signing_keys', row));
}

const activeKeys = prepared((query) =>
  query.selectFrom('signing_keys').selectAll().where('retiredAt', 'is', null).orderBy('createdAt', 'desc').orderBy('kid', 'desc'),
);

export async function addSigningKey(tx: Tx, { privateJwkJson, ...key }: SigningKey): Promise<void> {
  const sealed = seal(tx, 'signing_keys', key, privateJwkJson);
  await tx
    .insertInto('signing_keys')
    .values({ ...key, sealed, mac: macOf(tx, 'signing_keys', key) })
    .execute();
}

/** Retires a key, and returns it. Deletes its private key, but not its row. */
export async function saveRetiredKey(tx: Tx, key: PublicKey, retiredAt: Instant): Promise<PublicKey> {
  const retired = { ...key, retiredAt };
  const mac = macOf(tx, 'signing_keys', retired);
  await tx.updateTable('signing_keys').set({ sealed: '', retiredAt, mac }).where('kid', '=', key.kid).execute();
  return retired;
}
