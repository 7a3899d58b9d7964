import { findApplication } from '../../lending/applications/store.ts';
import { lockCartById } from '../../purchases/carts/store.ts';
import type { Database, Tx } from '../../db/database.ts';
import { addSecurityEvents, newSecurityEvent } from '../../merchants/security-events.ts';
import type { Instant } from '../../base/time.ts';
import { addHold, deleteHold, findHold, type LegalHold } from './store.ts';

/**
 * Prevents the deletion of an application's data until it is released. Setting it again keeps the first reason.
 *
 * @throws Error - there is no such application.
 */
export async function setHold(database: Database, applicationId: string, reason: string, now: Instant): Promise<LegalHold> {
  return change(database, applicationId, 'legal-hold-set', { applicationId, reason }, now, async (tx, existing) => {
    if (existing) return existing;
    const row = { applicationId, reason, setAt: now };
    await addHold(tx, row);
    return row;
  });
}

/** @throws Error - there is no such application, or it has no hold. */
export async function releaseHold(database: Database, applicationId: string, reason: string, now: Instant): Promise<LegalHold> {
  return change(database, applicationId, 'legal-hold-released', { applicationId, reason }, now, async (tx, existing) => {
    if (!existing) throw new Error(`--application: expected an application with a legal hold, but received ${applicationId}`);
    await deleteHold(tx, applicationId);
    return existing;
  });
}

async function change(
  database: Database,
  applicationId: string,
  kind: 'legal-hold-set' | 'legal-hold-released',
  details: Record<string, string>,
  now: Instant,
  work: (tx: Tx, existing: LegalHold | undefined) => Promise<LegalHold>,
): Promise<LegalHold> {
  const application = await findApplication(database.query, applicationId);
  if (!application) throw new Error(`--application: expected the id of an application, but received ${applicationId}`);
  const { cartId, merchantId, tenantId } = application;
  const event = newSecurityEvent({ kind, actor: 'console', merchantId, tenantId, details }, now);
  return database.write(async (tx) => {
    await lockCartById(tx, cartId);
    const row = await work(tx, await findHold(tx, applicationId));
    await addSecurityEvents(tx, event);
    return row;
  });
}
