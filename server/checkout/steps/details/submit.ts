import type { Language } from '../../../../shared/languages/index.ts';
import type { ApplicationStatus } from '../../../../shared/wire/application.ts';
import { addressHashOf, type BuyerContact } from '../../../base/contact.ts';
import { linkExpiry, supersedeChanges } from '../../../lending/applications/expiry.ts';
import { applicationStatusAfter, isIncomplete, NO_LENDER_REQUEST } from '../../../lending/applications/lifecycle.ts';
import { statusCodes } from '../../../../shared/wire/status-codes.ts';
import {
  addApplication,
  type Application,
  countApplicationsOfCart,
  saveApplication,
} from '../../../lending/applications/store.ts';
import { purchaseOf } from '../../../purchases/carts/totals.ts';
import type { Query } from '../../../db/database.ts';
import { ServiceError } from '../../../base/errors.ts';
import { newId } from '../../../base/ids.ts';
import { rateSheetOf } from '../../../lending/programs/programs.ts';
import { type Instant, DATABASE_NOW } from '../../../base/time.ts';
import { NOT_REQUESTED } from '../../decision/decide.ts';
import { tooManyApplications } from '../../decision/limits.ts';
import { newStatusIds, saveStatus } from '../../decision/save-status.ts';
import type { CheckoutDeps } from '../../session/deps.ts';
import { lockShownSession, type ShownApplication } from '../../session/load.ts';
import { plansAt, type Session, sessionOf } from '../../session/session.ts';
import { lockCheckoutByCode } from '../../session/store.ts';
import { canApply, canStart, hasDetails } from '../../session/state.ts';
import { nextSessionHash } from '../../web/forms.ts';
import { invalid, type Step } from '../step.ts';
import { prefilledDetails, readDetails } from './form.ts';
import { detailsPage } from './template.ts';

/** The buyer, the shipping address and the shipping option. Submitted at the cart's link, the form starts an application. */
export const detailsStep: Step = {
  name: 'details',
  title: (t) => t.details.title,
  appliesTo: () => true,
  isOpen: canChangeDetails,
  isDone: ({ application }) => application !== undefined && hasDetails(application),
  form: ({ purchase, application }) =>
    prefilledDetails(
      purchase.options,
      application && hasDetails(application)
        ? {
            billing: application.billingContact,
            shipping: application.shippingContact,
            shippingTypeId: application.shippingTypeId,
          }
        : undefined,
    ),
  template: detailsPage,
  submit: async (deps, { purchase, application, cart, state }, body, now, { lang }) => {
    const read = readDetails(purchase.options, body);
    if (!read.ok) return invalid(read);
    const details = { ...read.details, language: lang };
    const sessionHash = nextSessionHash(body);
    if (application) await changeDetails(deps, application, details, sessionHash, now);
    else await startApplication(deps, cart.code, details, now, { sessionHash, isRestart: state !== 'new' });
    return 'next';
  },
  renewsSecret: true,
};

/** The details that a buyer enters before applying. */
export interface BuyerDetails {
  billing: BuyerContact;
  shipping: BuyerContact;
  /** The picked shipping option, if the cart has options. */
  shippingTypeId: string | undefined;
  language: Language;
}

/** Maximum number of applications of a cart, including replaced ones. */
const MAX_APPLICATIONS = 5;

/** @throws ServiceError `rate-limited` - the checkout of a cart was started too often to start it again. */
export async function requireRestartable(query: Query, cartId: string): Promise<void> {
  const count = await countApplicationsOfCart(query, cartId);
  if (count >= MAX_APPLICATIONS) throw tooManyApplications('cart', `at most ${MAX_APPLICATIONS} applications of one cart`);
}

/** Options of the start of an application. */
export interface Start {
  /** Hash of the secret that the checkout continues under; empty without a browser. */
  sessionHash?: string;
  /** True if the application replaces one that was started in another browser and is not signed. */
  isRestart?: boolean;
}

/**
 * Starts an application for a cart. Without a plan in the buyer's state it is INELIGIBLE, until they enter another state.
 *
 * A replaced application ends in the same database transaction; a decision about it that arrives later is ignored.
 *
 * @returns The application.
 * @throws ServiceError `cart-not-found`, `cart-closed` - there is an application already, a replaced one is signed, or the cart's
 *   link has expired; `rate-limited` - the cart has had too many applications.
 */
export async function startApplication(
  { database, mail }: Pick<CheckoutDeps, 'database' | 'mail'>,
  code: string,
  details: BuyerDetails,
  now: Instant,
  { sessionHash = '', isRestart = false }: Start = {},
): Promise<Application> {
  const applicationId = newId();
  const ownBuyerId = newId();
  const ids = newStatusIds();
  const columnsFor = await detailColumns(details);
  return database.write(async (tx) => {
    const rows = await lockCheckoutByCode(tx, code);
    if (!rows) throw new ServiceError('cart-not-found', 'This checkout link is unknown.');
    const { merchant, cart, application: current } = rows;
    const session = await sessionOf(tx, rows, 'everyone', now);
    const { options } = session.purchase;
    if (!canStart(session, isRestart)) {
      throw new ServiceError('cart-closed', `This checkout cannot be started: it is "${session.state}".`);
    }
    if (current) {
      await requireRestartable(tx, cart.id);
      await saveStatus(tx, session, current, { changes: supersedeChanges(current, now) }, mail, ids);
    }
    return addApplication(tx, {
      id: applicationId,
      tenantId: merchant.tenantId,
      merchantId: merchant.id,
      buyerId: options.buyerId ?? ownBuyerId,
      programId: cart.programId,
      cartId: cart.id,
      tierId: null,
      offerId: null,
      financedCents: null,
      cardReference: '',
      cardLabel: '',
      consents: [],
      codes: {},
      decision: null,
      submittedAt: null,
      metadata: options.metadata ?? {},
      paymentMethodId: null,
      offers: [],
      paymentAgreements: [],
      sessionHash,
      cardReturnHash: '',
      returnedAt: null,
      consentWithdrawnAt: null,
      supersededAt: null,
      createdAt: DATABASE_NOW,
      expiresAt: linkExpiry(cart),
      revision: 1,
      ...NOT_REQUESTED,
      ...NO_LENDER_REQUEST,
      ...columnsFor(session, { status: 'STARTED', statusCode: statusCodes.STARTED.plain }),
    });
  });
}

/** Returns true until the request to the lender: before the application, and until it is submitted. */
function canChangeDetails(session: Session): boolean {
  return session.application ? canApply(session) || session.state === 'excluded' : session.state === 'new';
}

/**
 * Changes the details of an undecided application.
 *
 * @param sessionHash - Hash of the secret that the checkout continues under.
 * @throws ServiceError `cart-closed` - the details cannot be changed any more, or the checkout continues in another browser.
 */
export async function changeDetails(
  { database }: Pick<CheckoutDeps, 'database'>,
  shown: ShownApplication,
  details: BuyerDetails,
  sessionHash: string,
  now: Instant,
): Promise<void> {
  const columnsFor = await detailColumns(details);
  await database.write(async (tx) => {
    const session = await lockShownSession(tx, shown, now, canChangeDetails);
    const { application } = session;
    await saveApplication(tx, application, {
      ...NOT_REQUESTED,
      ...columnsFor(session, application),
      // A link to continue may have been sent to another address.
      codes: {},
      sessionHash,
    });
  });
}

/**
 * Returns the function that computes the columns of the details, for an application with a given status. Hashing the address is
 * asynchronous, so that it precedes the database transaction.
 */
async function detailColumns(details: BuyerDetails) {
  const addressHash = await addressHashOf(details.billing);
  return (
    { program, purchase: { options }, pricing }: Session,
    application: { status: ApplicationStatus; statusCode: string },
  ) => {
    const { status } = application;
    const purchase = purchaseOf(options, details.shippingTypeId);
    const inState = { ...pricing, sheet: rateSheetOf(program, details.billing.state) };
    const isSold = plansAt(inState, purchase.totals.totalCents).length > 0;
    return {
      // An incomplete application stays one in every state, because the lender has received it.
      ...(isIncomplete(application)
        ? applicationStatusAfter('restart', status, 'incomplete')
        : isSold
          ? applicationStatusAfter('restart', status)
          : applicationStatusAfter('rejectState', status, 'no-plan-in-state')),
      billingContact: details.billing,
      shippingContact: details.shipping,
      normalizedAddressHash: addressHash,
      shippingTypeId: purchase.shipping?.typeId ?? null,
      currency: program.currency,
      detailsDeletedAt: null,
      language: details.language,
      updatedAt: DATABASE_NOW,
    };
  };
}
