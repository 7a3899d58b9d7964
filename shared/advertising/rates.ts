import type { Finding } from './finding.ts';
import type { ReadExample } from './follows.ts';
import { MASK, type MaskedText } from './masked-text.ts';
import type { Claimed, Mention } from './mentions.ts';

const APR = String.raw`(?:aprs?\b|a\.p\.r\.|annual percentage rates?\b|tasas? de porcentaje anual\b|tasas? porcentual(?:es)? anual(?:es)?\b)`;
const KIND = String.raw`(?:fixed|variable|promotional|introductory|simple|rate|de|fij[oa])`;

const BEHIND = new RegExp(String.raw`^ ?\(?(?:${KIND} ){0,2}${APR}`);
const BEFORE = new RegExp(
  // A name that is behind another percentage is that one's.
  String.raw`(?<!P\d+ ?\(?(?:${KIND} ){0,2})${APR}(?: \(?apr\)?)?(?: ${KIND})?(?: of| is| will be| may be| can be| varies| at|:| from| between| as low as| as high as| up to| starting at| starting from| ranging from| ranges from| range from| range of| de| del| es| desde| entre| hasta| va de| van de){0,2} ?$`,
);
/** Rates of other laws, which count differently. */
const OTHER_RATE = /^ ?\(?(?:tae|cat|tin|t\.a\.e\.?|apy|ear)\b/;
const OTHER_RATE_BEFORE = /\b(?:tae|cat|tin|apy)(?: de| del| of|:)? ?$/;
const BETWEEN = /^(?: ?\(?aprs?\)?)?(?: ?[-/] ?|,? (?:to|through|and|or|al?|y|o|u|hasta|up to|and up to|y hasta) (?:el )?|, )$/;
const FROM_NUMBER = /^(?: ?- ?| to | al? | hasta )$/;
const BOUND =
  /\b(?:from|up to|as low as|as high as|starting at|starting from|start at|maximum|max|minimum|min|at least|no more than|desde|hasta|a partir de|maxim[ao]|minim[ao])\.?(?: (?:an|apr|rate|rates|of|is|de|del|es|tasa)){0,3} ?$/;

/** What a text says of its percentages. */
export interface Rates {
  /** Each annual percentage rate that stands alone; not those of a range, nor the least and the most. */
  aprs: Mention[];
  /** The lowest rate that is named, those of ranges too; Infinity where there is none. */
  lowest: number;
  /** The least and the most of every range. */
  ranges: [lowest: number, highest: number][];
  findings: Finding[];
}

interface Percentage {
  index: number;
  isNumber: boolean;
  /** Whether the words behind it or before it name it. */
  isNamedBehind: boolean;
  isNamedBefore: boolean;
}

/**
 * Tells the annual percentage rates of a text from its other percentages. Those of down payments, fees and discounts have been
 * claimed by their phrases.
 *
 * @see Regulation Z, 12 CFR 1026.24(c): a rate is stated as an "annual percentage rate", using that term or "APR". The
 *   European TAE and the Mexican CAT are effective rates: other figures for the same loan, so they do not stand for it.
 */
export function findRates(masked: MaskedText, claimed: Claimed): Rates {
  const rates: Rates = { aprs: [], lowest: Infinity, ranges: [], findings: [] };
  for (const series of seriesOf(masked, claimed)) {
    // A name behind the last of a series is that of all before it, and a name before the first that of all behind.
    const named = series.map(
      (_, at) => series.slice(0, at + 1).some((one) => one.isNamedBefore) || series.slice(at).some((one) => one.isNamedBehind),
    );
    const isRange = named.filter(Boolean).length > 1;
    const values: number[] = [];
    series.forEach(({ index, isNumber }, at) => {
      const figure = masked.figures[index]!;
      const [start, end] = [masked.startOf(index), masked.endOf(index)];
      const { value } = figure;
      if (!named[at] && !isNumber) rates.findings.push(unnamed(masked, start, end));
      if (!named[at] || value === undefined) return;
      if (isNegative(masked, start)) {
        const message = `-${value}% APR is below 0, which no rate is.`;
        rates.findings.push({ rule: 'implausible-figure', message, excerpt: masked.excerpt(start - 1, end) });
        return;
      }
      values.push(value);
      if (value > 100) {
        const message = `${value}% APR is above 100%: a slip, or a price that hardly any law allows.`;
        rates.findings.push({ rule: 'apr-over-100', message, excerpt: masked.excerpt(start, end) });
      }
      rates.lowest = Math.min(rates.lowest, value);
      const isBound = BOUND.test(masked.text.slice(Math.max(0, start - 48), start));
      if (!isRange && !isBound)
        rates.aprs.push({ role: 'apr', start, end: end + nameBehind(masked, end).length, percent: figure });
    });
    if (isRange && values.length > 1) rates.ranges.push([Math.min(...values), Math.max(...values)]);
  }
  return rates;
}

/** Examples with an APR that nobody is offered, going by the ranges that are printed. */
export function aprsOutsideRanges(examples: readonly ReadExample[], { ranges }: Rates): Finding[] {
  if (ranges.length === 0) return [];
  const printed = ranges.map(([lowest, highest]) => `${lowest}% to ${highest}%`).join(', ');
  return examples.flatMap(({ aprPercent: apr, text }): Finding[] => {
    if (apr === undefined || ranges.some(([lowest, highest]) => lowest <= apr && apr <= highest)) return [];
    const message = `An example has ${apr}% APR, which is outside the rates beside it: ${printed}.`;
    return [{ rule: 'apr-outside-range', message, excerpt: text }];
  });
}

/** A sign stands apart from the word before and at the figure; a dash between words or percentages does not. */
function isNegative({ text }: MaskedText, start: number): boolean {
  return /(?<![^\s(:,;"'])(?<!P\d+ )-$/.test(text.slice(Math.max(0, start - 12), start));
}

/** More percentages than anyone joins. */
const MOST_JOINED = 20;

/** Percentages that are joined: `0% to 35.99%`, `0%, 10% or 15%`, `10-30%`. Most stand alone. */
function seriesOf(masked: MaskedText, claimed: Claimed): Percentage[][] {
  const all: Percentage[][] = [];
  let last: { index: number; isPercentage: boolean } | undefined;
  for (const { 0: mask, 1: digits } of masked.text.matchAll(MASK)) {
    const index = Number(digits);
    const isPercentage = mask.startsWith('P') && !claimed.has(index);
    if (isPercentage) {
      const between = last
        ? masked.text.slice(masked.endOf(last.index), Math.min(masked.startOf(index), masked.endOf(last.index) + 24))
        : '';
      const one = percentageAt(masked, index);
      if (last?.isPercentage && BETWEEN.test(between) && all.at(-1)!.length < MOST_JOINED) all.at(-1)!.push(one);
      else if (last && FROM_NUMBER.test(between) && isBareNumber(masked, last.index) && !claimed.has(last.index)) {
        claimed.add(last.index);
        all.push([{ ...percentageAt(masked, last.index), isNumber: true }, one]);
      } else all.push([one]);
    }
    last = { index, isPercentage };
  }
  return all;
}

function isBareNumber(masked: MaskedText, index: number): boolean {
  return masked.figures[index]!.kind === 'number';
}

function percentageAt(masked: MaskedText, index: number): Percentage {
  const [start, end] = [masked.startOf(index), masked.endOf(index)];
  return {
    index,
    isNumber: false,
    isNamedBehind: nameBehind(masked, end) !== '',
    isNamedBefore: BEFORE.test(masked.text.slice(Math.max(0, start - 80), start - (isNegative(masked, start) ? 1 : 0))),
  };
}

function nameBehind({ text }: MaskedText, end: number): string {
  return BEHIND.exec(text.slice(end, end + 60))?.[0] ?? '';
}

function unnamed(masked: MaskedText, start: number, end: number): Finding {
  const words = masked.excerpt(start, end);
  const other = (OTHER_RATE.exec(masked.text.slice(end, end + 16)) ??
    OTHER_RATE_BEFORE.exec(masked.text.slice(Math.max(0, start - 16), start)))?.[0];
  const name = other?.match(/[a-z]+/)?.[0].toUpperCase();
  const message = name
    ? `${words} is called ${name}, which is another rate than the APR and does not replace it.`
    : `${words} is not called an APR. Every percentage but a down payment, a fee or a discount must be.`;
  return { rule: 'percent-without-apr', message, excerpt: masked.around(start, end) };
}
