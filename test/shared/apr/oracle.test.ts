import { expect, it } from 'vitest';
import { actuarialApr } from '../../../shared/apr/actuarial.ts';
import { seededRandom } from '../../support/random.ts';
import { compare } from './compare.ts';

it(
  'actuarialApr agrees with an independent implementation within 1e-9 percentage points on 20,000 loans',
  { timeout: 60_000 },
  () => {
    expect(compare(seededRandom(1968), 20_000, actuarialApr).worst.points).toBeLessThan(1e-9);
  },
);
