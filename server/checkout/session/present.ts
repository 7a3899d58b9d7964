import { aprFraction } from '../../../shared/as-low-as.ts';
import type { Plan } from '../../../shared/plans.ts';
import type { Offer } from '../../../shared/wire/application.ts';

export interface OfferedUnder {
  /** The platform API's `programID`. */
  programId: string;
  /** ISO 4217 code. */
  currency: string;
}

/** Returns a plan as the platform API presents it, without a card portion. Applications store it in this form (decisions/0030). */
export function presentOffer(plan: Plan, { programId, currency }: OfferedUnder): Offer {
  const { offerId, termLength, aprBps, financing, schedule, financeChargeCents } = plan;
  const money = (value: number) => ({ currency, value });
  return {
    id: offerId,
    programID: programId,
    termLength,
    termInterval: 'Month',
    apr: aprFraction(aprBps),
    monthly: money(schedule.levelPaymentCents),
    amountFinanced: money(financing.amountFinancedCents),
    totalOfPayments: money(schedule.totalOfPaymentsCents),
    financeCharge: money(financeChargeCents),
  };
}
