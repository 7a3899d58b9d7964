import { aprFraction } from '../../../shared/as-low-as.ts';
import type { Plan } from '../../../shared/plan.ts';
import type { Offer, PaymentAgreement as WireAgreement } from '../../../shared/wire/application.ts';
import type { PaymentAgreement } from '../signing/agreement.ts';

/** What a buyer is offered, or has signed, is stored with the application as the platform API answers it (decisions/0030). */
export interface OfferedUnder {
  /** The platform API's `programID`. */
  programId: string;
  /** ISO 4217 code. */
  currency: string;
}

/** A plan as the platform API answers it. What a card pays is no part of it. */
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

/** What was signed, as the platform API answers it: neither the name under it, nor what the law has told to the buyer alone. */
export function presentAgreement(signed: PaymentAgreement, offer: Offer): WireAgreement {
  const { id, disclosure: box, disclosureHash, documentHash, signedAt } = signed;
  const money = (value: number) => ({ currency: box.currency, value });
  return {
    id,
    offer,
    consentedAt: signedAt,
    disclosureHash,
    ...(documentHash !== undefined && { documentHash }),
    disclosure: {
      creditor: box.creditor.name,
      date: box.date,
      apr: box.apr,
      financeCharge: money(box.financeChargeCents),
      amountFinanced: money(box.amountFinancedCents),
      totalOfPayments: money(box.totalOfPaymentsCents),
      dueToday: money(box.dueTodayCents),
      payments: box.payments.map(({ dueOn, paymentCents }) => ({ dueDate: dueOn, amount: money(paymentCents) })),
      prepaymentPenalty: box.prepayment.penalty,
    },
  };
}
