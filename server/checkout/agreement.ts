import { createHash } from 'node:crypto';
import type { Installment } from '../../shared/amortization.ts';
import { monthlyApr } from '../../shared/apr/monthly.ts';
import { isAccurate } from '../../shared/apr/tolerance.ts';
import { aprFraction } from '../../shared/as-low-as.ts';
import { addMonths, type CivilDate } from '../../shared/dates.ts';
import type { Plan } from '../../shared/plans.ts';
import type { Program } from '../../shared/programs.ts';

/** What the buyer must see before signing, and a copy of which is stored with the signature. Amounts are cents. */
export interface Disclosure {
  creditor: string;
  programId: string;
  programVersion: number;
  offerId: string;
  /** The day the loan is made. */
  date: CivilDate;
  /** A fraction: `0.0999`. */
  apr: number;
  financeChargeCents: number;
  amountFinancedCents: number;
  totalOfPaymentsCents: number;
  payments: (Installment & { dueOn: CivilDate })[];
}

/**
 * The disclosure of a plan signed on `date`, the first payment a month later.
 *
 * @throws RangeError - its numbers contradict each other; nothing may be signed then.
 * @see Regulation Z, 12 CFR 1026.18 and 1026.22(a)(2).
 */
export function disclosureOf(program: Program, plan: Plan, date: CivilDate): Disclosure {
  const { schedule, amountCents } = plan;
  const disclosure: Disclosure = {
    creditor: program.lender.name,
    programId: program.id,
    programVersion: program.version,
    offerId: plan.offerId,
    date,
    apr: aprFraction(plan.aprBps),
    financeChargeCents: schedule.financeChargeCents,
    amountFinancedCents: amountCents,
    totalOfPaymentsCents: schedule.totalOfPaymentsCents,
    payments: schedule.installments.map((installment) => ({ ...installment, dueOn: addMonths(date, installment.number) })),
  };
  requireCoherent(disclosure);
  return disclosure;
}

/** What was signed, as it is stored with the application. */
export interface PaymentAgreement {
  id: string;
  disclosure: Disclosure;
  disclosureHash: string;
  signedName: string;
  /** `2026-11-21T09:30:00.000000Z` */
  signedAt: string;
}

/** SHA-256 of a disclosure, hexadecimal: proves that what is signed is what was shown. */
export function disclosureHash(disclosure: Disclosure): string {
  return createHash('sha256').update(JSON.stringify(disclosure)).digest('hex');
}

function requireCoherent({ apr, financeChargeCents, amountFinancedCents, totalOfPaymentsCents, payments }: Disclosure): void {
  const amounts = payments.map(({ paymentCents }) => paymentCents);
  const exactApr = monthlyApr(amountFinancedCents, amounts);
  const holds =
    amountFinancedCents + financeChargeCents === totalOfPaymentsCents &&
    amounts.reduce((sum, amount) => sum + amount, 0) === totalOfPaymentsCents &&
    payments.at(-1)?.balanceCents === 0 &&
    isAccurate(apr, exactApr, { irregular: false });
  if (!holds) throw new RangeError(`A disclosure contradicts itself: ${amountFinancedCents} cents at ${apr} is ${exactApr}`);
}
