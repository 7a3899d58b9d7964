import { createSecretKey, type KeyObject } from 'node:crypto';
import type { Query } from '../../db/database.ts';
import { unseal } from '../../db/sealed.ts';

/** Returns the key of the form tokens, which all processes on this database share. */
export async function getFormKey(query: Query): Promise<KeyObject> {
  const row = await query.selectFrom('form_keys').selectAll().executeTakeFirstOrThrow();
  // A key object does not print its bytes.
  return createSecretKey(Buffer.from(unseal(query, 'form_keys', row) as string, 'base64url'));
}
