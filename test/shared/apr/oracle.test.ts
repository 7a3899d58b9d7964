import { expect, it } from 'vitest';
import { actuarialApr } from '../../../shared/apr/actuarial.ts';
import { campaignTimeoutMs, firstSeed, isNightly } from '../../support/campaign.ts';
import { seededRandom } from '../../support/random.ts';
import { compare } from './compare.ts';

const LOANS = isNightly ? 200_000 : 4_000;

it('agrees with the oracle within 1e-9 percentage points on random loans', { timeout: campaignTimeoutMs }, () => {
  expect(compare(seededRandom(firstSeed), LOANS, actuarialApr).worst.points).toBeLessThan(1e-9);
});
