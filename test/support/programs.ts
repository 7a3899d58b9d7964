import { create } from 'superstruct';
import { Program } from '../../shared/programs/program.ts';
import { type RateSheet, rateSheet } from '../../shared/programs/rate-sheet.ts';
import { program as standard } from './given.ts';

/** A day without promotions, unless a test makes one. */
export const TODAY = '2026-11-21';

type Change = Record<string, unknown>;

/** The standard program with some things otherwise, completed as an import would. */
export function givenProgram(change: Change = {}): Program {
  return create({ ...standard, ...change }, Program);
}

/** What such a program is quoted from. */
export function givenSheet(change: Change = {}, state?: string): RateSheet {
  return rateSheet(givenProgram(change), state);
}

/** 24 months at 9.99 % for tier A, or what else it says. */
export function givenOffer(change: Change = {}): Change {
  return { id: 'offer', termLength: 24, tierAprBps: { A: 999 }, ...change };
}

/** A single offer of one rate, for amounts from $50 on unless `rest` says otherwise. */
export function givenSingle(termLength: number, rateBps: number, rest: Change = {}): RateSheet {
  return givenSheet({ offers: [givenOffer({ termLength, tierAprBps: { A: rateBps } })], ...rest });
}

/** A fee of nothing but what it says: part of the finance charge, and lent. */
export function givenFee(change: Change): Change {
  return { id: 'fee', kind: 'origination', financeCharge: true, financed: true, ...change };
}

/** Sold on every day there is, with everything a program may have that buyers get to see. */
export const elaborateProgram: Program = givenProgram({
  id: 'elaborate',
  name: 'Holiday financing',
  lender: {
    name: 'First Fair Bank',
    model: 'bank-partner',
    stateLicences: { IL: 'Illinois Consumer Installment Loan license 60DBO' },
  },
  creditType: 'creditSale',
  downPayment: { percentBps: 1_000 },
  schedule: { firstPaymentAfter: { months: 1, days: 14 }, oddDaysInterest: '365' },
  fees: [
    givenFee({ id: 'origination', amountBps: 200 }),
    givenFee({ id: 'application', kind: 'application', flatCents: 1_500, financeCharge: false, financed: false, mapr: false }),
  ],
  offers: [
    givenOffer({ id: 'a12', termLength: 12, tierAprBps: { A: 999, B: 1_499, C: 1_999 } }),
    givenOffer({ id: 'a24', termLength: 24, tierAprBps: { A: 1_199, B: 1_799, C: 2_399 } }),
    givenOffer({ id: 'a36', termLength: 36, tierAprBps: { A: 1_299, B: 1_999, C: 2_599 } }),
  ],
  states: {
    excluded: ['IA'],
    notices: {
      IL: {
        en: 'Loans are made or arranged pursuant to an Illinois license.',
        es: 'Los préstamos se otorgan o gestionan conforme a una licencia de Illinois.',
      },
    },
  },
  late: { flatCents: 500, percentBps: 100 },
});

/** With an offer that costs nothing, on every day there is. */
export const promotionalProgram: Program = givenProgram({
  id: 'promotional',
  name: 'Holiday promotion',
  downPayment: { percentBps: 1_000 },
  fees: [givenFee({ id: 'application', kind: 'application', flatCents: 500, financeCharge: false })],
  offers: [
    givenOffer({
      id: 'zero6',
      termLength: 6,
      tierAprBps: { A: 0, B: 0 },
      promo: { kind: 'zero-apr', from: '1970-01-01', to: '2999-12-31', merchantDiscountBps: 450 },
    }),
    givenOffer({ id: 'a12', termLength: 12, tierAprBps: { A: 999, B: 1_499, C: 1_999 } }),
    givenOffer({ id: 'a24', termLength: 24, tierAprBps: { A: 1_199, B: 1_799, C: 2_399 } }),
    givenOffer({ id: 'a36', termLength: 36, tierAprBps: { A: 1_299, B: 1_999, C: 2_599 } }),
  ],
});
