import { undecidedUntil } from '../applications/expiry.ts';
import { statusAfter } from '../applications/lifecycle.ts';
import { addApplication, type ApplicationRow, saveApplication } from '../applications/store.ts';
import { addressHashOf, type BuyerContact, buyerOf } from '../applications/contact.ts';
import type { Language } from '../../shared/disclosure/texts.ts';
import { cartTotals } from '../carts/totals.ts';
import { ServiceError } from '../errors.ts';
import { newId } from '../ids.ts';
import { type Applicant, UnknownOutcome } from '../lenders/lender.ts';
import { dateOf, type Instant, plusMs } from '../time.ts';
import { ASKING_MS, awaitOutcome, letOthersAsk } from './asking.ts';
import { decideApplication, NOT_ASKED } from './decide.ts';
import { orderOf } from './order.ts';
import type { CheckoutMeans } from './means.ts';
import { applicationOf, getSession, isSoldTo, type Session, sessionAt } from './session.ts';

export interface BuyerDetails {
  billing: BuyerContact;
  shipping: BuyerContact;
  /** The chosen shipping option, when the cart has any. */
  shippingTypeId: string | undefined;
  language: Language;
}

/**
 * Starts the cart's application, or changes the details of one that nobody has decided yet. Where nothing is sold to residents
 * of the buyer's state it is INELIGIBLE, until they name another.
 *
 * @throws ServiceError `cart-closed` - the checkout is not, or no longer, at this step.
 */
export async function startApplication(
  { database }: Pick<CheckoutMeans, 'database'>,
  code: string,
  details: BuyerDetails,
  now: Instant,
): Promise<void> {
  const [applicationId, ownBuyerId] = [newId(), newId()];
  const addressHash = await addressHashOf(details.billing);
  await database.write(async (tx) => {
    const session = await sessionAt(tx, code, 'details', now);
    const { application, merchant, cart, options, program } = session;
    const shipping = options.shippingOptions?.find(({ typeId }) => typeId === details.shippingTypeId);
    const shippingTypeId = shipping?.typeId ?? null;
    const isSold = isSoldTo(session, details.billing.state, shippingTypeId);
    const before = application?.status ?? 'STARTED';
    const chosen = {
      ...(isSold ? statusAfter('restart', before) : statusAfter('ruleOut', before, 'no-plan-in-state')),
      billing_contact_json: JSON.stringify(details.billing),
      shipping_contact_json: JSON.stringify(details.shipping),
      normalized_address_hash: addressHash,
      shipping_type_id: shippingTypeId,
      order_json: JSON.stringify(orderOf(options, cartTotals(options, shipping), program.currency)),
      language: details.language,
      updated_at: now,
    };
    if (application) {
      await saveApplication(tx, { ...application, ...NOT_ASKED, ...chosen });
      return;
    }
    await addApplication(tx, {
      id: applicationId,
      tenant_id: merchant.tenant_id,
      merchant_id: merchant.id,
      buyer_id: options.buyerId ?? ownBuyerId,
      program_id: cart.program_id,
      cart_id: cart.id,
      tier_id: null,
      offer_id: null,
      financed_cents: null,
      card_reference: '',
      card_label: '',
      denial_reasons_json: '[]',
      totals_json: '{}',
      metadata_json: JSON.stringify(options.metadata ?? {}),
      payment_method_id: null,
      offers_json: '[]',
      payment_agreements_json: '[]',
      shown_agreements_json: '[]',
      notice_code: '',
      created_at: now,
      expires_at: undecidedUntil(cart),
      revision: 1,
      ...NOT_ASKED,
      ...chosen,
    });
  });
}

/**
 * Asks the lender and stores the answer. What the buyer said about themselves goes to the lender and is not kept.
 *
 * That the lender is asked is written first: whatever becomes of the answer, it is known that there may be one. The answer is
 * about the version of the program, and the prices of the day, that the lender was asked about: the application keeps both,
 * whatever is imported meanwhile. While a lender is asked nobody else is, however often the form arrives.
 *
 * @param language - The one the buyer applies in; left out, the one they began in.
 * @returns Whether it was this application that the lender was asked about, and not one that was under way.
 * @throws ServiceError `cart-closed` - the checkout is not, or no longer, at this step; `lender-unavailable`
 */
export async function applyForCredit(
  means: CheckoutMeans,
  code: string,
  applicant: Applicant,
  now: Instant,
  language?: Language,
): Promise<boolean> {
  const { database, lender } = means;
  if ((await getSession(database.query, code, now)).reached === 'waiting') {
    await awaitOutcome(database, code, now);
    return false;
  }
  const requestId = newId();
  const { session, asked } = await database.write(async (tx) => {
    const at = await sessionAt(tx, code, 'apply', now);
    return {
      session: at,
      asked: await saveApplication(tx, { ...askedUnder(at, requestId, now), ...(language && { language }) }),
    };
  });
  try {
    const decision = await lender.decide({
      requestId,
      applicationId: asked.id,
      program: session.program,
      amountCents: session.totals.totalCents,
      contact: buyerOf(asked),
      applicant,
      language: asked.language,
    });
    await decideApplication(means, code, requestId, decision, now);
  } catch (thrown) {
    if (thrown instanceof ServiceError && thrown.refusal === 'lender-unavailable') {
      await decideApplication(means, code, requestId, 'unknown', now);
      throw thrown;
    }
    await letOthersAsk(database, code, asked.asked_until, thrown, now);
    // Whether the lender has decided is found out later.
    if (!(thrown instanceof UnknownOutcome)) throw thrown;
  }
  return true;
}

function askedUnder(session: Session, requestId: string, now: Instant): ApplicationRow {
  const application = applicationOf(session);
  return {
    ...application,
    ...statusAfter('ask', application.status, 'lender-asked'),
    request_id: requestId,
    asked_until: plusMs(now, ASKING_MS),
    program_version: session.program.version,
    approved_on: dateOf(now),
    updated_at: now,
  };
}
