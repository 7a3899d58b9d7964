import { describe, expect, it } from 'vitest';
import { checkLoan } from '../../../shared/apr/loan.ts';
import { monthly, on } from './series.ts';

const advances = [on('2026-01-31', 10_000)];
const scheduledDays = (loan: Parameters<typeof checkLoan>[0]) => checkLoan(loan).flows.map(({ scheduledDay }) => scheduledDay);

describe('checkLoan', () => {
  it('sorts advances and payments by date and nets those of the same day', () => {
    const { flows, financeChargeCents } = checkLoan({
      advances: [on('2026-02-10', 500), on('2026-01-10', 1_000)],
      payments: [on('2026-03-10', 700), on('2026-01-10', 100), on('2026-02-10', 500), on('2026-03-10', 300)],
    });

    expect(flows.map(({ on: { year, month, day }, cents }) => [year, month, day, cents])).toEqual([
      [2026, 1, 10, 900],
      [2026, 3, 10, -1_000],
    ]);
    expect(financeChargeCents).toBe(100);
  });

  it.each([0, -1, 0.5, 1e-9, Number.NaN, Infinity, -Infinity, 2 ** 53, 1e300])('rejects a payment of %d cents', (cents) => {
    expect(() => checkLoan({ advances, payments: [on('2026-02-28', 20_000), on('2026-03-31', cents)] })).toThrow(
      new RangeError(`payments[1].cents: expected whole cents, 1 or more, but received ${cents}`),
    );
  });

  it.each([0, -1, 0.5, Number.NaN, 2 ** 53])('rejects an advance of %d cents', (cents) => {
    expect(() => checkLoan({ advances: [on('2026-01-31', cents)], payments: [on('2026-02-28', 20_000)] })).toThrow(
      new RangeError(`advances[0].cents: expected whole cents, 1 or more, but received ${cents}`),
    );
  });

  it.each([
    {
      because: 'there is no payment',
      loan: { advances, payments: [] },
      message: 'payments: expected at least one, but received none',
    },
    {
      because: 'there is no advance',
      loan: { advances: [], payments: advances },
      message: 'advances: expected at least one, but received none',
    },
    {
      because: 'the date of a payment does not exist',
      loan: { advances, payments: [on('2026-02-30', 10_000)] },
      message: 'payments[0].date: expected a date such as 2026-03-31, but received "2026-02-30"',
    },
    {
      because: 'the date of an advance is malformed',
      loan: { advances: [on('2026-1-31', 10_000)], payments: advances },
      message: 'advances[0].date: expected a date such as 2026-03-31, but received "2026-1-31"',
    },
    {
      because: 'a cent is missing',
      loan: { advances, payments: [on('2026-02-28', 9_999)] },
      message: 'payments: expected at least the 10000 cents that were advanced, but received 9999',
    },
    {
      because: 'the sum of the payments is not a safe integer',
      loan: { advances, payments: monthly('2026-02-28', 2, Number.MAX_SAFE_INTEGER) },
      message: 'payments: expected a sum within 2^53 cents, but received 18014398509481982',
    },
    {
      because: 'all payments are on the day of the advance',
      loan: { advances, payments: [on('2026-01-31', 10_001)] },
      message: 'payments: expected some after the advance, but received all of them on 2026-01-31',
    },
    {
      because: 'the due day is above 31',
      loan: { advances, payments: advances, dueDay: 32 },
      message: 'dueDay: expected a day of the month from 1 to 31, but received 32',
    },
    {
      because: 'the due day is 0',
      loan: { advances, payments: advances, dueDay: 0 },
      message: 'dueDay: expected a day of the month from 1 to 31, but received 0',
    },
    {
      because: 'the due day is not an integer',
      loan: { advances, payments: advances, dueDay: 1.5 },
      message: 'dueDay: expected a day of the month from 1 to 31, but received 1.5',
    },
    {
      because: 'the unit-period is longer than a year',
      loan: { advances, payments: advances, unitPeriod: { unit: 'month', count: 13 } as const },
      message: 'unitPeriod.count: expected 1 to 12 of a month, but received 13',
    },
  ])('rejects a loan if $because', ({ loan, message }) => {
    expect(() => checkLoan(loan)).toThrow(new RangeError(message));
  });

  it('accepts the largest amount that is a safe integer', () => {
    const payments = [on('2026-02-28', Number.MAX_SAFE_INTEGER)];
    expect(checkLoan({ advances: [on('2026-01-31', 1)], payments }).financeChargeCents).toBe(2 ** 53 - 2);
  });
});

describe('scheduledDay of a month end', () => {
  it.each([
    { case: 'a series that begins on the 31st', payments: monthly('2026-01-31', 4, 5_000).slice(1), days: [31, 31, 31, 31] },
    { case: 'payments on the 30th', payments: monthly('2025-12-30', 5, 5_000).slice(2), days: [31, 30, 30, 30] },
    { case: 'payments on the 29th', payments: monthly('2025-12-29', 5, 5_000).slice(2), days: [31, 29, 29, 29] },
    { case: 'payments on the 28th', payments: monthly('2026-02-28', 3, 5_000), days: [31, 28, 28, 28] },
    {
      case: 'payments on the 28th and one on a 31st',
      payments: [...monthly('2026-02-28', 2, 5_000), on('2026-05-31', 5_000)],
      days: [31, 28, 28, 31],
    },
    {
      case: 'payments on the 15th and on the last day',
      payments: [on('2026-02-15', 9_000), on('2026-02-28', 9_000)],
      days: [31, 15, 31],
    },
    { case: 'a single payment, like the advance on a month end', payments: [on('2026-02-28', 20_000)], days: [31, 31] },
    {
      case: 'only month ends, like the advance',
      payments: [on('2026-02-28', 9_000), on('2026-04-30', 9_000)],
      days: [31, 31, 31],
    },
  ])('is derived from the other dates: $case', ({ payments, days }) => {
    expect(scheduledDays({ advances, payments })).toEqual(days);
  });

  it('is the stated due day, for payments at the end of a month', () => {
    const payments = [on('2026-02-28', 9_000), on('2026-03-10', 9_000), on('2026-04-30', 9_000), on('2026-05-31', 1)];
    expect(scheduledDays({ advances: [on('2026-01-15', 10_000)], payments, dueDay: 30 })).toEqual([15, 30, 10, 30, 31]);
  });

  it('is the stated due day even if another payment falls on the same day of a longer month', () => {
    const payments = [on('2026-02-28', 9_000), on('2026-03-28', 9_000)];
    expect(scheduledDays({ advances, payments, dueDay: 31 })).toEqual([31, 31, 28]);
  });

  it.each([
    {
      case: 'an advance on the 30th does not affect payments on month ends',
      advances: [on('2026-01-15', 5_000), on('2026-01-30', 5_000)],
      payments: [on('2026-04-30', 9_000), on('2026-05-31', 9_000)],
      days: [15, 30, 31, 31],
    },
    {
      case: 'a payment on the 28th does not affect advances on month ends',
      advances: [on('2026-02-28', 5_000), on('2026-03-31', 5_000)],
      payments: [on('2026-04-28', 20_000)],
      days: [31, 31, 28],
    },
    {
      case: 'advances on the 28th are not month ends for a payment on the 31st',
      advances: [on('2026-01-28', 5_000), on('2026-02-28', 5_000)],
      payments: [on('2026-03-31', 20_000)],
      days: [28, 28, 31],
    },
  ])('is derived separately for advances and payments: $case', ({ days, ...loan }) => {
    expect(scheduledDays(loan)).toEqual(days);
  });
});
