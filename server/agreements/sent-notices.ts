import type { Language } from '../../shared/languages/index.ts';
import type { Query } from '../db/database.ts';
import { kindsIn, htmlHash } from '../messages/notices.ts';
import type { NoticeKind } from '../lending/lenders/events.ts';
import { parseEmail } from '../messages/outbox.ts';
import { findDelivery, type OutboxEntry } from '../messages/store.ts';
import { findDocumentOfApplication } from './store.ts';

/** A notice as it was sent to a buyer. */
export interface Notice {
  kinds: readonly NoticeKind[];
  language: Language;
  /** SHA-256 of `html` when it was sent, hexadecimal. */
  sha256: string;
  /** Null if the signed agreement was deleted. */
  html: string | null;
  /** True if the e-mail has a link to a page with the notice, `/n/TOKEN`. Not for an agreement, which has a link of its own. */
  isLinked: boolean;
  /** The e-mail. */
  email: OutboxEntry & { applicationId: string };
}

/**
 * Returns the notice of an e-mail by its id; undefined if the id is unknown, or the e-mail has no notice.
 *
 * @throws Error - the stored notice is not the one that was sent.
 */
export async function findNotice(query: Query, id: string): Promise<Notice | undefined> {
  const email = await findDelivery(query, id);
  return email && openNotice(query, email);
}

/** Returns the notice of an e-mail; undefined for other deliveries. */
export async function openNotice(query: Query, email: OutboxEntry): Promise<Notice | undefined> {
  const { notice: joinedKinds, applicationId } = email;
  if (joinedKinds === null || applicationId === null) return undefined;
  const kinds = kindsIn(joinedKinds);
  const { html: content, notice } = parseEmail(email.body);
  if (!notice) throw new Error(`The e-mail ${email.id} has no notice`);
  const { language, sha256 } = notice;
  const isAgreement = kinds.includes('agreement');
  const document = isAgreement ? await findDocumentOfApplication(query, applicationId) : undefined;
  const html = isAgreement ? (document?.html ?? null) : (notice.html ?? content);
  if (html !== null && htmlHash(html) !== sha256) throw new Error(`The stored notice ${email.id} is not the one that was sent`);
  return { kinds, language, sha256, html, isLinked: notice.html !== undefined, email: { ...email, applicationId } };
}
