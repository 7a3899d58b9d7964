import type { Fee, ProgramFields, ProgramOffer } from './program.ts';
import { computeFinancing, MIN_CARD_CENTS } from '../financing.ts';
import { isMinorIrregularity, type FirstPeriod, REGULAR } from '../apr.ts';
import { LANGUAGES, languages } from '../languages/index.ts';

/** A problem and its path. */
export interface Problem {
  path: (string | number)[];
  message: string;
}

/** Returns the inconsistencies of a program whose individual fields are valid. */
export function findInconsistencies(program: ProgramFields): Problem[] {
  return [
    ...invertedRanges(program),
    ...duplicateIds(program),
    ...tierProblems(program),
    ...feeProblems(program),
    ...downPaymentProblems(program),
    ...firstPeriodProblems(program),
    ...overlaps(program),
    ...noticeProblems(program),
    ...lateChargeProblems(program),
    ...merchantDiscountProblems(program),
    ...documentProblems(program),
    ...(program.amount.mayHaveGaps ? [] : gaps(program)),
  ];
}

/** Returns the ranges whose minimum is above their maximum. */
function invertedRanges({ amount, effective, tiers, offers, fees }: ProgramFields): Problem[] {
  const ranges: [path: (string | number)[], min: string | number, max: string | number | null][] = [
    [['amount', 'minCents'], amount.minCents, amount.maxCents],
    [['effective', 'from'], effective.from, effective.to],
    ...tiers.map(({ creditBand }, index) => rangeAt(['tiers', index, 'creditBand', 'min'], creditBand.min, creditBand.max)),
    ...fees.map(({ minCents, maxCents }, index) => rangeAt(['fees', index, 'minCents'], minCents, maxCents)),
    ...offers.flatMap((offer, index) => {
      const { minCents, maxCents } = boundsOf(offer, amount);
      const promo = offer.promo ? [rangeAt(['offers', index, 'promo', 'from'], offer.promo.from, offer.promo.to)] : [];
      return [rangeAt(['offers', index, 'minCents'], minCents, maxCents), ...promo];
    }),
  ];
  return ranges.flatMap(([path, min, max]) => {
    if (max === null || min <= max) return [];
    return [{ path, message: `Expected at most ${max}, the end of the range, but received ${min}` }];
  });
}

const rangeAt = <Path, Bound>(path: Path, min: Bound, max: Bound | null): [Path, Bound, Bound | null] => [path, min, max];

function duplicateIds({ tiers, offers, fees }: ProgramFields): Problem[] {
  return Object.entries({ tiers, offers, fees }).flatMap(([list, items]) =>
    items.flatMap(({ id }, index) => {
      const isRepeated = items.findIndex((item) => item.id === id) < index;
      return isRepeated ? [{ path: [list, index, 'id'], message: `Expected a unique id, but received "${id}" again` }] : [];
    }),
  );
}

function tierProblems({ tiers, offers }: ProgramFields): Problem[] {
  const ids = tiers.map(({ id }) => id);
  const overlappingBands = tiers.flatMap(({ id, creditBand }, index) => {
    const other = tiers
      .slice(0, index)
      .find((earlier) => creditBand.min <= earlier.creditBand.max && earlier.creditBand.min <= creditBand.max);
    if (!other) return [];
    const message = `Expected credit bands that do not overlap, but "${id}" and "${other.id}" do`;
    return [{ path: ['tiers', index, 'creditBand'], message }];
  });
  const rates = offers.flatMap(({ tierAprBps, promo }, index): Problem[] => {
    const path = ['offers', index, 'tierAprBps'];
    const entries = Object.entries(tierAprBps);
    if (entries.length === 0) return [{ path, message: 'Expected a rate for at least one tier, but received none' }];
    return entries.flatMap(([tierId, aprBps]) => {
      if (!ids.includes(tierId)) {
        return [{ path: [...path, tierId], message: `Expected the id of a tier (${ids.join(', ')}), but received "${tierId}"` }];
      }
      if (!promo || aprBps === 0) return [];
      return [{ path: [...path, tierId], message: `Expected 0 for a promotion at 0 %, but received ${aprBps}` }];
    });
  });
  return [...overlappingBands, ...rates];
}

/** Rejects down payments that are too small for a card, see `MIN_CARD_CENTS`. */
function downPaymentProblems(program: ProgramFields): Problem[] {
  // Larger purchases have larger down payments.
  const { downPaymentCents } = computeFinancing(program, program.amount.minCents);
  if (downPaymentCents === 0 || downPaymentCents >= MIN_CARD_CENTS) return [];
  return [
    {
      path: ['downPayment'],
      message: `Expected at least ${MIN_CARD_CENTS} cents, because it is paid by card, but it is ${downPaymentCents} for a purchase of ${program.amount.minCents}`,
    },
  ];
}

/** Reasons why fees are part of the finance charge. All loans are single loans, and all their fees are charged when they are made. */
const FINANCE_CHARGE_REASONS: Record<Fee['kind'], string> = {
  origination: 'a fee for making the loan is a finance charge (12 CFR 1026.4(b)(3))',
  service: 'a service charge of the loan is a finance charge (12 CFR 1026.4(b)(2))',
  participation: 'a participation fee is excluded only from credit plans, not from single loans (12 CFR 1026.4(c)(4))',
  application:
    'an application fee is excluded only if it is charged to all applicants, approved or not, and fees are charged only to approved buyers who sign (12 CFR 1026.4(c)(1))',
};

/**
 * Rejects fees that would make the disclosed cost of a loan too low, and fees that are not part of the loan, because the service collects
 * nothing for the lender on the day of the loan (server/decisions/0040).
 */
function feeProblems({ fees, offers }: ProgramFields): Problem[] {
  const free = offers.find(({ promo }) => promo);
  return fees.flatMap(({ kind, financeCharge, financed, mapr }, index) => {
    const problem = (field: string, reason: string): Problem => ({
      path: ['fees', index, field],
      message: `Expected true, because ${reason}, but received false`,
    });
    return [
      ...(financeCharge ? [] : [problem('financeCharge', FINANCE_CHARGE_REASONS[kind])]),
      ...(financed ? [] : [problem('financed', 'no fee is collected on the day of the loan')]),
      ...(mapr ? [] : [problem('mapr', 'the military APR includes every finance charge (32 CFR 232.4(c)(1)(iii)(A))')]),
      ...(free
        ? [
            {
              path: ['fees', index],
              message: `Expected no fee, because it would add to the cost of the 0 % promotion "${free.id}", but received one`,
            },
          ]
        : []),
    ];
  });
}

/**
 * Rejects one or two payments after an odd first period. For these loans, Appendix J prescribes the whole term ((b)(5)(vi), (vii)) or the
 * average of both periods as unit-period; all other loans are measured in months. The first period of a single payment is odd under every
 * policy unless it is one month.
 */
function firstPeriodProblems({ offers, schedule }: ProgramFields): Problem[] {
  return offers.flatMap(({ termLength }, index) => {
    const { months, days } = countedFirstPeriod(schedule, termLength);
    if (termLength > 2 || (months === 1 && days === 0)) return [];
    const message = `Expected 3 payments or more after an odd first period (schedule.firstPaymentAfter), but received ${termLength}`;
    return [{ path: ['offers', index, 'termLength'], message }];
  });
}

/** Rejects two offers for the same term, tier, amount and date, because the applicable one would be ambiguous. */
function overlaps({ offers, amount }: ProgramFields): Problem[] {
  return offers.flatMap((offer, index) => {
    const bounds = boundsOf(offer, amount);
    const other = offers.slice(0, index).find((earlier) => {
      const earlierBounds = boundsOf(earlier, amount);
      return (
        earlier.termLength === offer.termLength &&
        Object.keys(earlier.tierAprBps).some((tierId) => Object.hasOwn(offer.tierAprBps, tierId)) &&
        bounds.minCents <= earlierBounds.maxCents &&
        earlierBounds.minCents <= bounds.maxCents &&
        isSameKind(earlier, offer)
      );
    });
    if (!other) return [];
    const message = `Expected one offer for each term, tier and amount, but "${offer.id}" and "${other.id}" overlap`;
    return [{ path: ['offers', index], message }];
  });
}

/**
 * A promotion may overlap with a regular offer, which it replaces while active. Two regular offers or two simultaneous
 * promotions may not overlap.
 */
function isSameKind({ promo: one }: ProgramOffer, { promo: other }: ProgramOffer): boolean {
  return one && other ? one.from <= other.to && other.from <= one.to : one === other;
}

/** Returns the first range of amounts within the program's range that no regular offer covers. */
function gaps({ offers, amount }: ProgramFields): Problem[] {
  const ranges = offers
    .filter(({ promo }) => !promo)
    .map((offer) => boundsOf(offer, amount))
    .sort((a, b) => a.minCents - b.minCents);
  let coveredTo = amount.minCents - 1;
  // The entry after the last amount finds a gap at the end.
  for (const { minCents, maxCents } of [...ranges, { minCents: amount.maxCents + 1, maxCents: amount.maxCents }]) {
    if (minCents > coveredTo + 1) {
      const message = `Expected an offer for every amount, or \`amount.mayHaveGaps\`, but ${coveredTo + 1} to ${minCents - 1} cents have none`;
      return [{ path: ['offers'], message }];
    }
    coveredTo = Math.max(coveredTo, maxCents);
  }
  return [];
}

/**
 * Percentages and amounts. Next to an example they would be terms of credit that the example does not support: 12 CFR
 * 1026.24(d).
 */
const FIGURES =
  /(?<![\d.,])[.,]*\d[\d.,]*(?:\s?%|\s(?:percent|dollars?|cents?|por ciento|d[oó]lares|centavos)\b)|(?:[$€£¥]|\bUSD)\s?\d[\d.,]*/iu;

/**
 * Returns the rates, amounts and claims that the advertised state notices of a program must not contain. They are the only free text
 * in an advertisement, and are shown with every example.
 */
function noticeProblems({ states }: ProgramFields): Problem[] {
  const advertised = Object.entries(states.notices).flatMap(([state, notices]) =>
    notices.flatMap(({ at, text }, index) => (at === 'advertisement' ? [{ state, index, text }] : [])),
  );
  return advertised.flatMap(({ state, index, text: texts }) =>
    LANGUAGES.flatMap((language) => {
      const text = texts[language] ?? '';
      const path = ['states', 'notices', state, index, 'text', language];
      const figure = FIGURES.exec(text)?.[0];
      const claim = languages[language].claims.exec(text)?.[0];
      return [
        ...(figure === undefined
          ? []
          : [{ path, message: `Expected a notice without rates and amounts, but received "${figure}"` }]),
        ...(claim === undefined
          ? []
          : [{ path, message: `Expected a notice without claims about credit, but received "${claim}"` }]),
      ];
    }),
  );
}

/** Rejects the lesser or the greater of two late charges if one of them is not given: the lesser would always be 0. */
function lateChargeProblems({ late }: ProgramFields): Problem[] {
  const charges: [path: string[], charge: Omit<ProgramFields['late'], 'states'>][] = [
    [['late'], late],
    ...Object.entries(late.states).map(([state, charge]): [string[], typeof charge] => [['late', 'states', state], charge]),
  ];
  return charges.flatMap(([path, { combine, flatCents, percentBps }]) => {
    if (combine === 'sum' || (flatCents > 0 && percentBps > 0)) return [];
    const message = `Expected "sum", or a flat amount and a percentage above 0, but received "${combine}" of ${flatCents} cents and ${percentBps} basis points`;
    return [{ path: [...path, 'combine'], message }];
  });
}

/** Rejects a buy-down, the merchant's additional fee for a promotion, that would leave nothing of the loan to the merchant. */
function merchantDiscountProblems({ merchantDiscount, offers }: ProgramFields): Problem[] {
  return offers.flatMap((offer, index) => {
    const { bps } = offer.merchantDiscount ?? merchantDiscount;
    const { merchantDiscountBps: buyDownBps } = offer.promo ?? { merchantDiscountBps: 0 };
    if (bps + buyDownBps < 10_000) return [];
    const message = `Expected less than 10000 together with the ${bps} basis points of the merchant discount, but received ${buyDownBps}`;
    return [{ path: ['offers', index, 'promo', 'merchantDiscountBps'], message }];
  });
}

/** Rejects an agreement for only some buyers. */
function documentProblems({ documents }: ProgramFields): Problem[] {
  const kinds = ['agreement', 'coveredBorrower'] as const;
  if (Object.keys(documents).length === 0) return [];
  return kinds
    .filter((kind) => !documents[kind])
    .map((kind) => ({ path: ['documents', kind], message: 'Expected both agreements or neither, but this one is missing' }));
}

/** Returns the amount range of an offer, limited to the range of its program. */
export function boundsOf(
  { minCents, maxCents }: { minCents: number | null; maxCents: number | null },
  amount: { minCents: number; maxCents: number },
): { minCents: number; maxCents: number } {
  return {
    minCents: Math.max(minCents ?? 0, amount.minCents),
    maxCents: Math.min(maxCents ?? Infinity, amount.maxCents),
  };
}

/**
 * Returns the first period as counted in the APR: one month if it is a minor irregularity that the program disregards, and its
 * actual length otherwise.
 */
export function countedFirstPeriod(
  { firstPaymentAfter, firstPeriodPolicy }: ProgramFields['schedule'],
  termLength: number,
): FirstPeriod {
  const isDisregarded = firstPeriodPolicy === 'minorIrregularity' && isMinorIrregularity(firstPaymentAfter, termLength);
  return isDisregarded ? REGULAR : firstPaymentAfter;
}
