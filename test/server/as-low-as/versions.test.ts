import { describe, expect, it } from 'vitest';
import { latestOf, type VersionDates, versionOn, versionsAfter } from '../../../server/as-low-as/versions.ts';

type Dates = [from: string, to: string | null, status?: VersionDates['status']];

const versionsOf = (dates: Dates[]): VersionDates[] =>
  dates.map(([effective_from, effective_to, status = 'active'], index) => ({
    version: index + 1,
    status,
    effective_from,
    effective_to,
  }));

describe('The version in effect on a day', () => {
  it.each<[what: string, versions: Dates[], on: string, expected: number | undefined]>([
    ['is the only one', [['2000-01-01', null]], '2026-11-21', 1],
    ['is sold from its first day on', [['2026-11-21', null]], '2026-11-21', 1],
    ['is not sold on the day before', [['2026-11-21', null]], '2026-11-20', undefined],
    ['is sold through its last day', [['2000-01-01', '2026-11-21']], '2026-11-21', 1],
    ['is not sold on the day after', [['2000-01-01', '2026-11-21']], '2026-11-22', undefined],
    [
      'is the highest of those in effect',
      [
        ['2000-01-01', null],
        ['2026-01-01', null],
      ],
      '2026-11-21',
      2,
    ],
    [
      'is the lower one until the higher takes effect',
      [
        ['2000-01-01', null],
        ['2026-12-01', null],
      ],
      '2026-11-30',
      1,
    ],
    [
      'is the lower one again when the higher has ended',
      [
        ['2000-01-01', null],
        ['2026-11-01', '2026-11-30'],
      ],
      '2026-12-01',
      1,
    ],
    [
      'is undefined in a gap between two versions',
      [
        ['2000-01-01', '2026-10-31'],
        ['2026-12-01', null],
      ],
      '2026-11-21',
      undefined,
    ],
    [
      'is undefined once a retired version is in effect',
      [
        ['2000-01-01', null],
        ['2026-11-21', null, 'retired'],
      ],
      '2026-11-21',
      undefined,
    ],
    [
      'is there until a retired one takes effect',
      [
        ['2000-01-01', null],
        ['2026-11-21', null, 'retired'],
      ],
      '2026-11-20',
      1,
    ],
    [
      'is there again above a retired one',
      [
        ['2000-01-01', null],
        ['2000-01-01', null, 'retired'],
        ['2026-11-01', null],
      ],
      '2026-11-21',
      3,
    ],
    ['is undefined when there are no versions', [], '2026-11-21', undefined],
  ])('%s', (_what, versions, on, expected) => {
    const given = versionsOf(versions);
    expect(versionOn(given, on)?.version).toBe(expected);
    expect(versionOn(given.toReversed(), on)?.version).toBe(expected);
  });
});

describe('Of all versions', () => {
  const versions = versionsOf([
    ['2000-01-01', null],
    ['2027-02-01', null],
    ['2026-12-01', '2026-12-31'],
  ]);

  it('the latest is the highest, in effect or not', () => {
    expect(latestOf(versions)?.version).toBe(3);
    expect(latestOf([])).toBeUndefined();
  });

  it('the pending ones are those that take effect later, in ascending order', () => {
    expect(versionsAfter(versions.toReversed(), '2026-11-30').map(({ version }) => version)).toEqual([2, 3]);
    expect(versionsAfter(versions, '2026-12-01').map(({ version }) => version)).toEqual([2]);
    expect(versionsAfter(versions, '2027-02-01')).toEqual([]);
  });
});
