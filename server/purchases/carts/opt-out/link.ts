import { timingSafeEqual } from 'node:crypto';
import type { Language } from '../../../../shared/languages/index.ts';
import type { Query } from '../../../db/database.ts';
import { lookupHash } from '../../../db/sealed.ts';
import type { LinkRecipient } from './store.ts';

/** Hexadecimal digits of the id of the merchant, and of the hash of the address. */
const ID_LENGTH = 32;
const HASH_LENGTH = 64;
/** 128 bits. */
const PROOF_LENGTH = 32;

/**
 * Returns the address at which the recipient of a merchant's link opts out. Its token has the recipient and a proof that this service issued
 * it, and is valid as long as the database exists: it must work for 30 days at least (15 USC 7704(a)(3)(A)(ii)).
 */
export async function optOutUrlOf(
  query: Query,
  publicUrl: string,
  { merchantId, recipientHash }: LinkRecipient,
  language: Language,
): Promise<string> {
  const recipient = merchantId.replaceAll('-', '') + recipientHash;
  const token = Buffer.from(recipient + (await proofOf(query, recipient)), 'hex').toString('base64url');
  return `${publicUrl}/u/${token}?lang=${language}`;
}

/**
 * Returns the recipient that a token was issued for.
 *
 * @param token - Unknown input.
 */
export async function recipientIn(query: Query, token: string): Promise<LinkRecipient | undefined> {
  const digits = Buffer.from(token, 'base64url').toString('hex');
  if (digits.length !== ID_LENGTH + HASH_LENGTH + PROOF_LENGTH) return undefined;
  const recipient = digits.slice(0, -PROOF_LENGTH);
  const proof = digits.slice(-PROOF_LENGTH);
  if (!timingSafeEqual(Buffer.from(await proofOf(query, recipient)), Buffer.from(proof))) return undefined;
  const merchantId = recipient.slice(0, ID_LENGTH).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  return { merchantId, recipientHash: recipient.slice(ID_LENGTH) };
}

async function proofOf(query: Query, recipient: string): Promise<string> {
  return (await lookupHash(query, 'opt-out-link', recipient)).slice(0, PROOF_LENGTH);
}
