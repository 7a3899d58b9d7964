import type { Program } from '../../../shared/programs/program.ts';
import { financeableCents, plansFor } from '../../../shared/plans.ts';
import type { CartEndReason, CartStatus } from '../../../shared/wire/cart.ts';
import { isExpired } from '../../lending/applications/expiry.ts';
import { isFinallyIneligible } from '../../lending/applications/lifecycle.ts';
import { statusCodes } from '../../../shared/wire/status-codes.ts';
import type { ApplicationProgress } from '../../lending/applications/store.ts';
import { rateSheetOf } from '../../lending/programs/programs.ts';
import { type Instant, dateIn } from '../../base/time.ts';
import { cartStatusAt, type PricedCart } from './carts.ts';
import type { Cart } from './store.ts';
import { cartTotals } from './totals.ts';

/** The status of a cart in the merchant API, with a reason if it is `ended` or `expired`. */
export type StatusWithReason = { status: CartStatus; reason?: CartEndReason };

/**
 * Returns the status of a cart. Every end that depends on the buyer has the same reason, so that a denial is not recognizable
 * (decisions/0051).
 */
export function cartStatusOf({ cart, program, progress }: PricedCart, now: Instant): StatusWithReason {
  if (cart.status === 'COMPLETED') return { status: 'completed' };
  // A checkout that was signed in time does not expire.
  if (progress?.status === 'ATTEMPTED_CHECKOUT') return { status: 'in-progress' };
  if (cart.status === 'EXPIRED') return { status: 'expired', reason: 'canceled-by-merchant' };
  // Once the buyer has applied, the version that they applied for remains.
  const isProgramOver = program === undefined && !progress?.programVersion;
  const missingPlan = progress ? undefined : program ? reasonWithoutPlan(cart, program, now) : 'unavailable';
  const reason = missingPlan ?? (progress && reasonOfEnd(progress, now));
  if (cartStatusAt(cart, now) === 'EXPIRED') return { status: 'expired', reason: reason ?? 'not-completed' };
  if (isProgramOver) return { status: 'expired', reason: reason ?? 'unavailable' };
  if (reason) return { status: 'ended', reason };
  return { status: progress ? 'in-progress' : 'open' };
}

/** Returns why an application has ended without a purchase; undefined if it has not. */
function reasonOfEnd(progress: ApplicationProgress, now: Instant): CartEndReason | undefined {
  const { status, statusCode } = progress;
  if (status === 'CANCELLED') {
    return statusCode === statusCodes.CANCELLED['by-merchant'] ? 'canceled-by-merchant' : 'canceled-by-buyer';
  }
  const hasEnded = status === 'DENIED' || status === 'EXPIRED' || isFinallyIneligible(progress);
  return hasEnded || isExpired(progress, now) ? 'not-completed' : undefined;
}

/** Returns why no plan is offered for the cart; undefined if there is one for its total with a shipping option. */
function reasonWithoutPlan({ options }: Cart, program: Program, now: Instant): CartEndReason | undefined {
  const sheet = rateSheetOf(program);
  const today = dateIn(now, program.timeZone);
  const choices = options.shippingOptions?.length ? options.shippingOptions : [undefined];
  const totals = choices.map((shipping) => cartTotals(options, shipping).totalCents);
  if (totals.some((cents) => plansFor(sheet, cents, today).length > 0)) return undefined;
  const { minCents, maxCents } = financeableCents(sheet, today);
  const isWithin = (cents: number) => cents >= minCents && cents <= maxCents;
  return minCents > maxCents || totals.some(isWithin) ? 'unavailable' : 'amount-out-of-range';
}
