import { createSecretKey, type KeyObject } from 'node:crypto';
import type { Query } from '../../db/database.ts';

/** What the forms of this database's checkouts are sealed with. All processes that share the database share it. */
export async function getFormKey(query: Query): Promise<KeyObject> {
  const { key } = await query.selectFrom('form_keys').select('key').executeTakeFirstOrThrow();
  // A key object shows its bytes to nobody who prints it.
  return createSecretKey(Buffer.from(key, 'base64url'));
}
