import { expect, it } from 'vitest';
import { type Column, figureLines, tableLines, wrapText } from '../../../server/commands/table.ts';

it('A table aligns numbers to the right and has no trailing spaces', () => {
  const rows = [
    ['A', '$5.00', 'yes'],
    ['Long one', '$1,299.00', ''],
  ];
  const columns: Column<string[]>[] = [
    ['TIER', ([tier = '']) => tier],
    ['MONTHLY', ([, monthly = '']) => monthly, 'number'],
    ['SOLD', ([, , sold = '']) => sold],
  ];
  expect(tableLines(rows, columns)).toEqual(['TIER        MONTHLY  SOLD', 'A             $5.00  yes', 'Long one  $1,299.00']);
});

it('Figures are aligned to the right', () => {
  expect(
    figureLines([
      ['APR', '9.99%'],
      ['Finance charge', '$137.52'],
    ]),
  ).toEqual(['APR               9.99%', 'Finance charge  $137.52']);
});

it.each([
  ['one two three', 7, ['one two', 'three']],
  ['one two three', 80, ['one two three']],
  ['extraordinarily long', 5, ['extraordinarily', 'long']],
  ['', 5, ['']],
])('%j is wrapped at %i columns between words', (text, width, lines) => {
  expect(wrapText(text, width)).toEqual(lines);
});
