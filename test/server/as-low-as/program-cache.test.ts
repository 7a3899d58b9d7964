import { describe, expect, it } from 'vitest';
import { cachedVersion, sheetOf } from '../../../server/as-low-as/program-cache.ts';
import type { Program } from '../../../shared/programs/program.ts';
import { rateSheet } from '../../../shared/programs/rate-sheet.ts';
import { givenProgram } from '../../support/programs.ts';

describe('The cache of program versions', () => {
  const load = (version: number) => async () => givenProgram({ version });

  it('loads a version once', async () => {
    const program = await cachedVersion('once 1', load(1));
    expect(program).toEqual(givenProgram());
    expect(await cachedVersion('once 1', () => Promise.reject(new Error('loaded again')))).toBe(program);
  });

  it('keeps versions apart by their keys', async () => {
    for (const version of [1, 2]) expect((await cachedVersion(`apart ${version}`, load(version))).version).toBe(version);
  });

  it('does not cache a failure', async () => {
    await expect(cachedVersion('fails 1', () => Promise.reject(new Error('disk')))).rejects.toThrow('disk');
    expect((await cachedVersion('fails 1', load(1))).version).toBe(1);
  });

  it('is bounded', async () => {
    const first = await cachedVersion('bounded 1', load(1));
    for (let version = 2; version < 300; version++) await cachedVersion(`bounded ${version}`, load(version));
    const again = await cachedVersion('bounded 1', load(1));
    expect(again).not.toBe(first);
    expect(again).toEqual(first);
  });

  it.each([undefined, 'NY', 'CT'])('computes the rate sheet of a state once: %s', (state) => {
    const program: Program = givenProgram({ caps: { stateAprCapBps: { NY: 1_600 } }, states: { excluded: ['CT'] } });
    const sheet = sheetOf(program, state);
    expect(sheet).toEqual(rateSheet(program, state));
    expect(sheetOf(program, state)).toBe(sheet);
  });
});
