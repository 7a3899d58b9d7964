import { findProgramById } from '../as-low-as/store.ts';
import type { Readable } from '../db/database.ts';
import { ServiceError } from '../errors.ts';
import { isId, NIL_ID } from '../ids.ts';
import { findMerchant, findTenant } from '../merchants/store.ts';
import type { Grant } from './issue.ts';

/** RFC 6749, 3.3. */
const SCOPE = /^[!#-[\]-~]+( [!#-[\]-~]+)*$/;

/**
 * Validates a grant written by an operator: the tenant exists, the merchant belongs to the tenant, and the program to that merchant or
 * to one of the tenant's. Buyer ids are chosen by the platform and are not checked.
 *
 * @throws ServiceError `invalid-request` - names the option.
 */
export async function checkedGrant({ query }: Readable, written: Grant): Promise<Grant> {
  const tenantId = idOf('tenant', written.tenantId);
  const merchantId = written.merchantId === undefined ? undefined : idOf('merchant', written.merchantId);
  const programId = written.programId === undefined ? undefined : idOf('program', written.programId);
  const buyerId = written.buyerId === undefined ? undefined : idOf('buyer', written.buyerId);
  if (!SCOPE.test(written.scope))
    throw invalid('scope', 'words such as r:application, separated by single spaces', written.scope);

  if (!(await findTenant(query, tenantId))) throw invalid('tenant', 'the id of a tenant', tenantId);
  const isOfTenant = async (id: string) => (await findMerchant(query, id))?.tenant_id === tenantId;
  if (merchantId !== undefined && !(await isOfTenant(merchantId))) {
    throw invalid('merchant', `the id of a merchant of the tenant ${tenantId}`, merchantId);
  }
  if (programId !== undefined) {
    const sellerId = (await findProgramById(query, programId))?.merchant_id;
    const isTheirs = sellerId !== undefined && (merchantId === undefined ? await isOfTenant(sellerId) : sellerId === merchantId);
    const whose = merchantId === undefined ? `tenant ${tenantId}` : `merchant ${merchantId}`;
    if (!isTheirs) throw invalid('program', `the id of a program of the ${whose}`, programId);
  }
  return { tenantId, merchantId, programId, buyerId, scope: written.scope };
}

function idOf(option: string, value: string): string {
  const id = value.toLowerCase();
  if (!isId(id) || id === NIL_ID) throw invalid(option, 'a UUID that is not nil', value);
  return id;
}

function invalid(option: string, expected: string, received: string): ServiceError {
  return new ServiceError(
    'invalid-request',
    `${option}: expected ${expected}, but received ${JSON.stringify(received.slice(0, 100))}`,
  );
}
