import { describe, expect, it } from 'vitest';
import {
  latestOf,
  rateSheetOf,
  type VersionDates,
  versionOn,
  versionsAfter,
} from '../../../../server/lending/programs/programs.ts';
import { addVersion, getVersion, programsOf, versionsOf } from '../../../../server/lending/programs/store.ts';
import type { Database } from '../../../../server/db/database.ts';
import { createMerchant } from '../../../../server/merchants/merchants.ts';
import { rateSheet } from '../../../../shared/programs/rate-sheet.ts';
import { isNightly } from '../../../support/campaign.ts';
import { createDatabase } from '../../../support/databases.ts';
import { createProgram } from '../../../support/programs.ts';
import type { CivilDate } from '../../../../shared/dates.ts';

const now = '2026-11-21T09:30:00.000000Z';

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);

describe('getVersion', () => {
  async function createStoredProgram(database?: Database) {
    database ??= await createDatabase();
    const merchant = { name: 'Acme', storeUrl: 'https://shop.example/', origins: [] };
    const { merchantId } = await createMerchant(database, 'sandbox', merchant, now);
    const [program] = await programsOf(database.query, merchantId);
    const { id } = program!;
    const add = (version: number) => database.write((tx) => addVersion(tx, id, createProgram({ version }), now));
    return { add, version: (number: number) => getVersion(database.query, id, number) };
  }

  it('loads a version once', async () => {
    const { version } = await createStoredProgram();
    const program = await version(1);
    expect(program).toMatchObject({ id: 'standard', version: 1 });
    expect(await version(1)).toBe(program);
  });

  it('loads the same program of two merchants once', async () => {
    const database = await createDatabase();
    const first = await createStoredProgram(database);
    const second = await createStoredProgram(database);
    expect(await second.version(1)).toBe(await first.version(1));
    await first.add(2);
    expect(await first.version(2)).not.toBe(await first.version(1));
  });

  it('throws if the version does not exist, until it is added', async () => {
    const { version, add } = await createStoredProgram();
    await expect(version(2)).rejects.toThrow('There is no version 2');
    await add(2);
    expect(await version(2)).toMatchObject({ version: 2 });
  });

  it.runIf(isNightly)('caches a limited number of programs, and evicts the least recently used', async () => {
    const { version, add } = await createStoredProgram();
    await Promise.all(range(2, 1_002).map((number) => add(number)));
    const used = await version(1);
    const unused = await version(2);
    for (const number of range(3, 1_002)) {
      await version(number);
      if (number % 500 === 0) expect(await version(1)).toBe(used);
    }
    expect(await version(2)).not.toBe(unused);
    expect(await version(2)).toEqual(unused);
  });
});

describe('versionsOf', () => {
  it('reads the versions again when there is a higher one', async () => {
    const database = await createDatabase();
    const shop = { name: 'Acme', storeUrl: 'https://shop.example/', origins: [] };
    const { merchantId } = await createMerchant(database, 'sandbox', shop, now);
    const [program] = await programsOf(database.query, merchantId);
    const { id } = program!;
    const numbers = async (latest?: number) => (await versionsOf(database.query, id, latest)).map(({ version }) => version);
    expect(await numbers(1)).toEqual([1]);
    await database.write((tx) => addVersion(tx, id, createProgram({ version: 3 }), now));
    expect(await numbers(3)).toEqual([1, 3]);
    expect(await numbers()).toEqual([1, 3]);
  });
});

describe('rateSheetOf', () => {
  it.each([undefined, 'NY', 'CT'])('calculates the rate sheet of a state once (%s)', (state) => {
    const program = createProgram({ caps: { stateAprCapBps: { NY: 1_600 } }, states: { excluded: ['CT'] } });
    const sheet = rateSheetOf(program, state);
    expect(sheet).toEqual(rateSheet(program, state));
    expect(rateSheetOf(program, state)).toBe(sheet);
  });
});

type Dates = [from: CivilDate, to?: CivilDate | null, status?: VersionDates['status']];

const versionsIn = (dates: Dates[]): VersionDates[] =>
  dates.map(([effectiveFrom, effectiveTo = null, status = 'active'], index) => ({
    version: index + 1,
    status,
    effectiveFrom,
    effectiveTo,
  }));

describe('The version in effect on a day', () => {
  const always: Dates = ['2000-01-01'];
  const retired: Dates = ['2026-11-21', null, 'retired'];

  it.each<[title: string, versions: Dates[], day: CivilDate, expected: number | undefined]>([
    ['is the only one', [always], '2026-11-21', 1],
    ['is in effect on its first day', [['2026-11-21']], '2026-11-21', 1],
    ['is undefined before its first day', [['2026-11-21']], '2026-11-20', undefined],
    ['is in effect on its last day', [['2000-01-01', '2026-11-21']], '2026-11-21', 1],
    ['is undefined after its last day', [['2000-01-01', '2026-11-21']], '2026-11-22', undefined],
    ['is the highest of those in effect', [always, ['2026-01-01']], '2026-11-21', 2],
    ['is the lower one before the higher takes effect', [always, ['2026-12-01']], '2026-11-30', 1],
    ['is the lower one after the higher has ended', [always, ['2026-11-01', '2026-11-30']], '2026-12-01', 1],
    ['is undefined in a gap between two versions', [['2000-01-01', '2026-10-31'], ['2026-12-01']], '2026-11-21', undefined],
    ['is undefined once a retired version is in effect', [always, retired], '2026-11-21', undefined],
    ['is the lower one before a retired version is in effect', [always, retired], '2026-11-20', 1],
    ['is a version above a retired one', [always, ['2000-01-01', null, 'retired'], ['2026-11-01']], '2026-11-21', 3],
    ['is undefined when there are no versions', [], '2026-11-21', undefined],
  ])('%s', (_title, versions, day, expected) => {
    const rows = versionsIn(versions);
    expect(versionOn(rows, day)?.version).toBe(expected);
    expect(versionOn(rows.toReversed(), day)?.version).toBe(expected);
  });
});

describe('Of several versions', () => {
  const versions = versionsIn([['2000-01-01'], ['2027-02-01'], ['2026-12-01', '2026-12-31']]);

  it('the latest is the highest, even if it is not in effect', () => {
    expect(latestOf(versions)?.version).toBe(3);
    expect(latestOf([])).toBeUndefined();
  });

  it('the pending ones are those that take effect after a day, in ascending order', () => {
    expect(versionsAfter(versions.toReversed(), '2026-11-30').map(({ version }) => version)).toEqual([2, 3]);
    expect(versionsAfter(versions, '2026-12-01').map(({ version }) => version)).toEqual([2]);
    expect(versionsAfter(versions, '2027-02-01')).toEqual([]);
  });
});
