import { describe, expect, it } from 'vitest';
import { isAccurate, statedPercent } from '../../../shared/apr.ts';

describe('isAccurate', () => {
  it.each([
    { stated: 0.0969, exact: 0.096857, accurate: true },
    { stated: 0.1, exact: 0.1, accurate: true },
    { stated: 0.10125, exact: 0.1, accurate: true },
    { stated: 0.09875, exact: 0.1, accurate: true },
    { stated: 0.1012501, exact: 0.1, accurate: false },
    { stated: 0.0987499, exact: 0.1, accurate: false },
    { stated: Number.NaN, exact: 0.1, accurate: false },
  ])('returns $accurate for a stated rate of $stated and an exact rate of $exact', ({ stated, exact, accurate }) => {
    expect(isAccurate(stated, exact)).toBe(accurate);
  });

  it('accepts a difference of exactly 1/8 of a point, despite floating-point errors', () => {
    for (let bps = 0; bps <= 10_000; bps++) {
      expect(isAccurate((2 * bps + 25) / 20_000, bps / 10_000)).toBe(true);
    }
  });
});

it.each([
  [0.096857080623, '9.69'],
  [0, '0.00'],
  [0.3, '30.00'],
  [0.0999, '9.99'],
  [0.09994999, '9.99'],
  [0.09995, '10.00'],
  [0.10005, '10.01'],
  [0.29995, '30.00'],
  [4.1240295803, '412.40'],
])('statedPercent(%d) returns %s', (rate, stated) => {
  expect(statedPercent(rate)).toBe(stated);
});

it('statedPercent rounds half of a hundredth up for every rate', () => {
  for (let half = 5; half < 100_000; half += 10) {
    expect(statedPercent(half / 100_000)).toBe(((half + 5) / 1_000).toFixed(2));
  }
});
