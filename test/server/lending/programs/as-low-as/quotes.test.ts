import { describe, expect, it } from 'vitest';
import { rateSheetOf } from '../../../../../server/lending/programs/programs.ts';
import { quoteOf } from '../../../../../server/lending/programs/as-low-as/quotes.ts';
import { asLowAs } from '../../../../../shared/as-low-as.ts';
import { disclosureTexts } from '../../../../../shared/languages/index.ts';
import { createOffer, createProgram } from '../../../../support/programs.ts';

const { en, es } = disclosureTexts;

const NOW = '2026-11-21T17:00:00.000000Z';

describe('A cached quote', () => {
  it('is calculated from the program, the amount, the day and the language, on the first and on later calls', () => {
    const promo = { kind: 'zero-apr', from: '2026-12-01', to: '2026-12-31' };
    const promoted = createProgram({ offers: [createOffer(), createOffer({ id: 'winter', tierAprBps: { A: 0 }, promo })] });
    const cases = [createProgram(), createProgram({ version: 2, lender: { name: 'Another' } }), promoted].flatMap((program) =>
      [50_000, 74_000].flatMap((cents) =>
        (['2026-11-30', '2026-12-01'] as const).flatMap((day) => [en, es].map((texts) => [program, cents, day, texts] as const)),
      ),
    );
    for (const call of ['first', 'second']) {
      for (const [program, cents, day, texts] of cases) {
        const expected = asLowAs(rateSheetOf(program), cents, day, texts);
        expect(quoteOf(program, cents, `${day}T17:00:00.000000Z`, texts), `${cents} on ${day}, ${call} call`).toEqual({
          asLowAs: expected,
          json: JSON.stringify({
            asLowAs: expected,
            financingProgramId: program.id,
            basis: { programVersion: program.version, calculationVersion: 1, disclosureVersion: texts.version, date: day },
          }),
        });
      }
    }
  });

  it('is calculated once and is immutable', () => {
    const program = createProgram();
    const quote = quoteOf(program, 50_000, NOW, en);
    expect(quoteOf(program, 50_000, NOW, en)).toBe(quote);
    expect(Object.isFrozen(quote.asLowAs)).toBe(true);
  });

  it('is evicted from a full cache if it was not used for the longest time', () => {
    const program = createProgram();
    const unused = quoteOf(program, 40_000, NOW, en);
    const used = quoteOf(program, 50_000, NOW, en);
    for (let cents = 100_000; cents < 105_000; cents++) {
      quoteOf(program, cents, NOW, en);
      if (cents % 1_000 === 0) expect(quoteOf(program, 50_000, NOW, en)).toBe(used);
    }
    const again = quoteOf(program, 40_000, NOW, en);
    expect(again).not.toBe(unused);
    expect(again).toEqual(unused);
  });
});
