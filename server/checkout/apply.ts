import { APPLICATION_DAYS, statusAfter, statusCodes } from '../applications/lifecycle.ts';
import { addApplication, type ApplicationRow, findApplicationOfCart, saveApplication } from '../applications/store.ts';
import type { Database } from '../db/database.ts';
import { ServiceError } from '../errors.ts';
import { newId } from '../ids.ts';
import { type Instant, plusDays } from '../time.ts';
import type { BuyerContact } from '../applications/contact.ts';
import type { Applicant, CreditDecision, Lender } from '../lenders/lender.ts';
import { plansOf, type Session, sessionAt } from './session.ts';

export interface BuyerDetails {
  billing: BuyerContact;
  shipping: BuyerContact;
  /** The chosen shipping option, when the cart has any. */
  shippingTypeId: string | undefined;
}

/**
 * Starts the cart's application, or changes the details of one that nobody has decided yet.
 *
 * @throws ServiceError `cart-closed` - the checkout is not, or no longer, at this step.
 */
export async function startApplication(database: Database, code: string, details: BuyerDetails, now: Instant): Promise<void> {
  const [applicationId, buyerId] = [newId(), newId()];
  await database.write(async (tx) => {
    const session = await sessionAt(tx, code, 'details', now);
    const { application, merchant, cart, options } = session;
    const chosen = {
      billing_contact_json: JSON.stringify(details.billing),
      shipping_contact_json: JSON.stringify(details.shipping),
      shipping_type_id: options.shippingOptions?.find(({ typeId }) => typeId === details.shippingTypeId)?.typeId ?? null,
      updated_at: now,
    };
    if (application && application.status !== 'STARTED') {
      throw new ServiceError('cart-closed', 'The application has been decided; its details can no longer be changed.');
    }
    if (application) {
      await saveApplication(tx, { ...application, ...chosen });
      return;
    }
    await addApplication(tx, {
      id: applicationId,
      tenant_id: merchant.tenant_id,
      merchant_id: merchant.id,
      buyer_id: buyerId,
      program_id: cart.program_id,
      cart_id: cart.id,
      status: 'STARTED',
      status_code: statusCodes.STARTED,
      program_version: null,
      approved_on: null,
      tier_id: null,
      offer_id: null,
      totals_json: '{}',
      offers_json: '[]',
      payment_agreements_json: '[]',
      notice_code: '',
      created_at: now,
      expires_at: plusDays(now, APPLICATION_DAYS),
      revision: 1,
      ...chosen,
    });
  });
}

/**
 * Asks the lender and stores the answer. What the buyer said about themselves goes to the lender and is not kept.
 *
 * The answer is about the version of the program, and the prices of the day, that the lender was asked about: the application
 * keeps both, whatever is imported meanwhile. When the same form arrives twice, the first answer stored stands for both. When
 * the details were changed while the lender decided, the answer is not about them: it is dropped, and the buyer applies again.
 *
 * @throws ServiceError `cart-closed` - the checkout is not, or no longer, at this step; `lender-unavailable`
 */
export async function applyForCredit(
  database: Database,
  lender: Lender,
  code: string,
  applicant: Applicant,
  now: Instant,
): Promise<void> {
  const session = await sessionAt(database.query, code, 'apply', now);
  const { program, totals, cart } = session;
  const asked = session.application!;
  const decision = await lender.decide({
    requestId: newId(),
    language: 'en',
    applicationId: asked.id,
    program,
    amountCents: totals.totalCents,
    contact: JSON.parse(asked.billing_contact_json) as BuyerContact,
    applicant,
  });

  await database.write(async (tx) => {
    const application = await findApplicationOfCart(tx, cart.id);
    if (application?.status !== 'STARTED' || application.revision !== asked.revision) return;
    await saveApplication(tx, decided(session, application, decision, now));
  });
}

/** The application after the lender's answer. Being approved for terms nobody sells at this amount makes nobody eligible. */
function decided(session: Session, application: ApplicationRow, decision: CreditDecision, now: Instant): ApplicationRow {
  const common = {
    ...application,
    totals_json: JSON.stringify(session.totals),
    program_version: session.program.version,
    updated_at: now,
  };
  if (decision.outcome === 'approved') {
    const approved = {
      ...common,
      ...statusAfter('approve', application.status),
      tier_id: decision.tierId,
      approved_on: session.pricedOn,
      expires_at: plusDays(now, APPLICATION_DAYS),
    };
    const plans = plansOf({ ...session, application: approved });
    if (plans.length > 0) return { ...approved, offers_json: JSON.stringify(plans.map(({ offerId }) => offerId)) };
    return { ...common, ...statusAfter('exclude', application.status) };
  }
  return { ...common, ...statusAfter('deny', application.status) };
}
