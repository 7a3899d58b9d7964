import { findApplication } from '../lending/applications/store.ts';
import { lockCartById } from '../purchases/carts/store.ts';
import type { Database } from '../db/database.ts';
import { invalidRequest } from '../base/errors.ts';
import { isId } from '../base/ids.ts';
import { addSecurityEvents, newSecurityEvent } from '../merchants/security-events.ts';
import type { Instant } from '../base/time.ts';
import { addDocumentRevocation, hasDocument } from './store.ts';

/**
 * Revokes the link to the signed agreement of an application, permanently. The document itself is kept. Revoking a link again changes
 * nothing.
 *
 * @returns When the link was revoked.
 * @throws ServiceError `invalid-request` - there is no such application, or it has no signed agreement.
 */
export async function revokeDocumentLink(database: Database, applicationId: string, now: Instant): Promise<Instant> {
  const application = isId(applicationId) ? await findApplication(database.query, applicationId) : undefined;
  if (!application || !(await hasDocument(database.query, applicationId))) {
    throw invalidRequest('application', 'the id of an application with a signed agreement', `"${applicationId}"`);
  }
  const { merchantId, cartId } = application;
  const event = { kind: 'document-link-revoked', actor: 'console', merchantId, details: { applicationId } } as const;
  const eventRow = newSecurityEvent(event, now);
  return database.write(async (tx) => {
    await lockCartById(tx, cartId);
    const { revokedAt, isNew } = await addDocumentRevocation(tx, applicationId, now);
    if (isNew) await addSecurityEvents(tx, eventRow);
    return revokedAt;
  });
}
