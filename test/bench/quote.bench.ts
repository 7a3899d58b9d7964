/**
 * Processor time of an "as low as" quote over 24 offers, for one tier and for three, without a fee and with one, for which every rate
 * is solved. The baseline is a fixed loop of arithmetic in the same run, because machines differ.
 *
 * `node --import ./test/support/typescript.mjs test/bench/quote.bench.ts [rounds]`
 */
import { median, reportFigure } from './figures.ts';
import { asLowAs } from '../../shared/as-low-as.ts';
import { disclosure as english } from '../../shared/languages/en/disclosure.ts';
import { createFee, createOffer, createSheet } from '../support/programs.ts';

const ROUNDS = Number(process.argv[2] ?? 15);
const QUOTES = 500;
const GOAL = 0.7;

const fee = createFee({ flatCents: 500 });
const programs = {
  'one tier': sheetOf(['A'], []),
  'one tier, a fee': sheetOf(['A'], [fee]),
  'three tiers': sheetOf(['A', 'B', 'C'], []),
  'three tiers, a fee': sheetOf(['A', 'B', 'C'], [fee]),
};

for (const [name, sheet] of Object.entries(programs)) {
  quotes(sheet);
  const rounds = Array.from({ length: ROUNDS }, () => ({
    loopUs: cpuMicroseconds(loop),
    quoteUs: cpuMicroseconds(() => quotes(sheet)) / QUOTES,
  }));
  const ratio = median(rounds.map(({ quoteUs, loopUs }) => quoteUs / loopUs));
  reportFigure({
    what: `24 offers, ${name}`,
    value: ratio,
    unit: 'of the loop',
    atMost: GOAL,
    details: `at least ${Math.min(...rounds.map(({ quoteUs }) => quoteUs)).toFixed(0)} us`,
  });
}

/** Returns a rate sheet with terms of 3 to 49 months, at 9.99 %, 19.99 % and 29.99 %. */
function sheetOf(tiers: string[], fees: ReturnType<typeof createFee>[]) {
  const offers = Array.from({ length: 24 }, (_, index) =>
    createOffer({
      id: `o${index}`,
      termLength: 3 + 2 * index,
      tierAprBps: Object.fromEntries(tiers.map((tier: string, step: number) => [tier, 999 + 1_000 * step])),
    }),
  );
  return createSheet({ offers, fees, caps: { maxAprBps: 9_999, maprCapBps: null } });
}

function quotes(sheet: ReturnType<typeof createSheet>) {
  for (let index = 0; index < QUOTES; index++) asLowAs(sheet, 50_000 + 131 * index, '2026-11-21', english);
}

/** Fifty thousand multiplications and divisions, each of which depends on the previous one. */
function loop() {
  let rate = 1;
  for (let index = 0; index < 50_000; index++) rate = (rate * 1.0000001 + 1e-9) / 1.00000005;
  return rate;
}

/** Returns the processor time of this process for `work`. */
function cpuMicroseconds(work: () => unknown) {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}
