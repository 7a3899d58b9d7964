import { expect, it } from 'vitest';
import { type Column, tableLines } from '../../../../server/operations/commands/command.ts';

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
