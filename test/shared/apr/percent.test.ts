import { expect, it } from 'vitest';
import { statedPercent } from '../../../shared/apr/percent.ts';

it.each([
  [0.096857080623, 2, '9.69'],
  [0, 2, '0.00'],
  [0.3, 2, '30.00'],
  [0.0999, 2, '9.99'],
  [0.09994999, 2, '9.99'],
  [0.09995, 2, '10.00'],
  [0.10005, 2, '10.01'],
  [0.29995, 2, '30.00'],
  [4.1240295803, 2, '412.40'],
  [0.0876, 0, '9'],
  [0.129243, 1, '12.9'],
  [0.1295, 1, '13.0'],
])('statedPercent(%d, %d) returns %s', (rate, digits, stated) => {
  expect(statedPercent(rate, digits)).toBe(stated);
});

it('statedPercent returns two decimals by default', () => {
  expect(statedPercent(0.0969)).toBe('9.69');
});

it('statedPercent rounds every half up', () => {
  for (let half = 5; half < 100_000; half += 10) {
    expect(statedPercent(half / 100_000)).toBe(((half + 5) / 1_000).toFixed(2));
  }
});
