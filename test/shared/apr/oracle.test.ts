import { expect, it } from 'vitest';
import { monthlyApr } from '../../../shared/apr.ts';
import { addDays, dueDates } from '../../../shared/dates.ts';
import { budgetMs, campaignTimeoutMs, firstSeed } from '../../support/campaign.ts';
import { seededRandom, type SeededRandom } from '../../support/random.ts';
import { oracleApr } from './oracle.ts';

const LOANS = 4_000;

it('agrees with the oracle within 1e-9 percentage points on random loans', { timeout: campaignTimeoutMs }, () => {
  const random = seededRandom(firstSeed);
  const endsAtMs = Date.now() + budgetMs;
  do {
    for (let left = LOANS; left > 0; left--) {
      const loan = randomLoan(random);
      const { date, cents, first, paid } = loan;
      const dates = dueDates(date, first, paid.length);
      const payments = paid.map((paymentCents, index) => ({ dueOn: dates[index]!, paymentCents }));
      const exact = oracleApr({ date, cents, payments, dueDay: Number(addDays(date, first.days).slice(8)) });
      const points = 100 * Math.abs(monthlyApr(cents, paid, first) - exact);
      // Negated, so that NaN fails.
      if (!(points < 1e-9)) expect.fail(JSON.stringify({ ...loan, points }));
    }
  } while (Date.now() < endsAtMs);
});

/** Returns a loan with level, graduated or uneven payments, and costs from a cent to three times the amount. */
function randomLoan(random: SeededRandom) {
  const cents = random.magnitude(100, 100_000_000);
  const count = random.magnitude(1, 60);
  const shape = random.integer(0, 2);
  const weights = Array.from({ length: count }, (_, index) => [1, 1 + index / 10, 0.2 + random.fraction()][shape]!);
  const totalWeight = weights.reduce((sum, weight) => sum + weight, 0);
  const costs = 1 + (random.magnitude(1, 3_000_000) / 1_000_000) * Math.min(1, count / 12);
  const paid = weights.map((weight) => Math.ceil((cents * costs * weight) / totalWeight));
  paid[count - 1]! += Math.max(0, cents + 1 - paid.reduce((sum, payment) => sum + payment, 0));
  const first = { months: random.integer(1, 6), days: random.fraction() < 0.6 ? random.integer(0, 27) : 0 };
  const date = addDays('1996-01-01', random.integer(0, 30_000));
  // Month ends are the most error-prone dates.
  const isAtEnd = random.fraction() < 0.15;
  return { cents, paid, first, date: isAtEnd ? addDays(`${date.slice(0, 7)}-01` as typeof date, -1) : date };
}
