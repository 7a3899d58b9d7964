import { describe, expect, it } from 'vitest';
import { parsedProgram, sheetOf } from '../../../server/as-low-as/parsed.ts';
import { rateSheet } from '../../../shared/programs/rate-sheet.ts';
import { givenProgram } from '../../support/programs.ts';

const stored = (change: Record<string, unknown> = {}) => JSON.stringify(givenProgram(change));

describe('What is kept of stored programs', () => {
  it('is what they say, and parsed once', () => {
    const program = parsedProgram(stored());
    expect(program).toEqual(givenProgram());
    expect(parsedProgram(stored())).toBe(program);
  });

  it('is never that of another text, though id and version are the same', () => {
    expect(parsedProgram(stored({ name: 'One' })).name).toBe('One');
    expect(parsedProgram(stored({ name: 'Other' })).name).toBe('Other');
  });

  it('is bounded: far more programs than there are room for come out as they went in', () => {
    const first = parsedProgram(stored());
    for (let version = 2; version < 300; version++) expect(parsedProgram(stored({ version })).version).toBe(version);
    expect(parsedProgram(stored())).not.toBe(first);
    expect(parsedProgram(stored())).toEqual(first);
  });

  it.each([undefined, 'NY', 'CT'])('is the rate sheet of a state, worked out once: %s', (state) => {
    const program = parsedProgram(stored({ caps: { stateAprCapBps: { NY: 1_600 } }, states: { excluded: ['CT'] } }));
    const sheet = sheetOf(program, state);
    expect(sheet).toEqual(rateSheet(program, state));
    expect(sheetOf(program, state)).toBe(sheet);
  });
});
