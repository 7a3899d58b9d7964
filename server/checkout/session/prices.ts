import type { CivilDate } from '../../../shared/dates.ts';
import type { Plan } from '../../../shared/plan.ts';
import { plansFor } from '../../../shared/plans.ts';
import type { RateSheet } from '../../../shared/programs/rate-sheet.ts';

/** What plans are worked out from. */
export interface Prices {
  /** For the buyer's state once it is known. */
  sheet: RateSheet;
  /** The day of the prices: that of the approval, which holds its plans for as long as it lasts. */
  pricedOn: CivilDate;
}

/**
 * The plans that are sold for an amount, the lowest monthly payment first.
 *
 * @param tierId - The one the buyer was approved for; without one, plans of every tier.
 */
export function plansAt({ sheet, pricedOn }: Prices, amountCents: number, tierId?: string | null): Plan[] {
  return plansFor(sheet, amountCents, pricedOn).filter((plan) => !tierId || plan.tierId === tierId);
}
