import { describe, expect, it } from 'vitest';
import { actuarialApr } from '../../../shared/apr/actuarial.ts';
import { commonPeriod } from '../../../shared/apr/common-period.ts';
import { measure } from '../../../shared/apr/measure.ts';
import { statedPercent } from '../../../shared/apr/tolerance.ts';
import { checkLoan, type Flow } from '../../../shared/apr/loan.ts';
import examples from './appendix-j.json' with { type: 'json' };
import { everyDays, monthly } from './series.ts';
import type { CivilDate } from '../../../shared/dates.ts';

const cases = examples.cases.map((example) => ({
  ...example,
  loan: {
    advances: example.advances as Flow[],
    payments: example.payments.flatMap(({ first, count, cents, ...interval }) =>
      'everyMonths' in interval
        ? monthly(first as CivilDate, count, cents, interval.everyMonths)
        : everyDays(interval.everyDays, first as CivilDate, count, cents),
    ),
  },
}));

describe.each(cases)('Appendix J $paragraph, $description', ({ loan, unitPeriod, firstPayment, printed, exact }) => {
  it(`has an APR of ${printed} % as printed in the appendix`, () => {
    expect(statedPercent(actuarialApr(loan))).toBe(printed);
  });

  it(`has an APR of ${exact} % as calculated with 50 digits`, () => {
    expect(Math.abs(100 * actuarialApr(loan) - Number(exact))).toBeLessThan(1e-9);
  });

  it('has the unit-period and the odd days stated in the appendix', () => {
    const { flows } = checkLoan(loan);
    if (unitPeriod) expect(commonPeriod(flows)).toEqual(unitPeriod);
    expect(measure(flows).flows.find(({ cents }) => cents < 0)).toMatchObject(firstPayment);
  });
});
