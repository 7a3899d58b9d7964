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
