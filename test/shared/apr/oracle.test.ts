import { expect, it } from 'vitest';
import { actuarialApr } from '../../../shared/apr/actuarial.ts';
import { budgetMs, campaignTimeoutMs, firstSeed } from '../../support/campaign.ts';
import { seededRandom } from '../../support/random.ts';
import { compare } from './compare.ts';

const LOANS = 4_000;

it('agrees with the oracle within 1e-9 percentage points on random loans', { timeout: campaignTimeoutMs }, () => {
  const random = seededRandom(firstSeed);
  const endsAtMs = Date.now() + budgetMs;
  do {
    expect(compare(random, LOANS, actuarialApr).worst.points).toBeLessThan(1e-9);
  } while (Date.now() < endsAtMs);
});
