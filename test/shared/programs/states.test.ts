import { describe, expect, it } from 'vitest';
import { excludedStates, maxAprBpsIn, minAgeIn, noticesOf } from '../../../shared/programs/states.ts';
import { createProgram, createSheet } from '../../support/programs.ts';

const spouses = { en: 'A notice to spouses.', es: 'Un aviso a los cónyuges.' };

describe('minAgeIn', () => {
  it.each([
    ['AL', 19],
    ['NE', 19],
    ['MS', 18],
    ['AE', 18],
  ])('is the age of majority in %s: %i', (state, age) => {
    expect(minAgeIn(createProgram(), state)).toBe(age);
  });

  it('is the age that the program states', () => {
    const program = createProgram({ states: { overrides: { AL: { minAge: 18 }, IL: { minAge: 21 } } } });
    expect([minAgeIn(program, 'AL'), minAgeIn(program, 'IL')]).toEqual([18, 21]);
  });
});

describe('excludedStates', () => {
  it.each([
    ['no notice', {}, ['WI']],
    ['a notice only in the agreement', { notices: { WI: [{ at: 'agreement', text: spouses }] } }, ['WI']],
    ['a notice to applicants', { notices: { WI: [{ at: 'application', text: spouses }] } }, []],
    ['the exclusion of Wisconsin', { excluded: ['IA', 'WI'] }, ['IA', 'WI']],
  ])('of a program with $0 are $2', (_, states, excluded) => {
    expect(excludedStates(createProgram({ states }))).toEqual(excluded);
  });

  it('have no offers in Wisconsin without its notice', () => {
    expect(createSheet({ states: {} }, 'WI').offers).toEqual([]);
    expect(createSheet({}, 'WI').offers).toHaveLength(3);
  });
});

describe('noticesOf', () => {
  const program = createProgram({
    states: {
      notices: {
        CA: [
          { at: 'application', text: spouses },
          { at: 'agreement', text: { en: 'You can complain.' } },
        ],
      },
    },
  });

  it('returns the notices of a state at one place, in English if there is no other text', () => {
    expect(noticesOf(program, 'CA', 'application', 'es')).toEqual([spouses.es]);
    expect(noticesOf(program, 'CA', 'agreement', 'es')).toEqual(['You can complain.']);
    expect(noticesOf(program, 'CA', 'advertisement', 'en')).toEqual([]);
    expect(noticesOf(program, 'NY', 'application', 'en')).toEqual([]);
  });
});

describe('maxAprBpsIn', () => {
  const program = createProgram({
    caps: { maxAprBps: 2_999, stateAprCapBps: { AR: 1_700, CO: 2_100 } },
    states: { excluded: ['AR'] },
  });

  it.each([
    ['CO', 2_100],
    ['TX', 2_999],
    [undefined, 2_100],
    ['AA', 2_100],
    ['AE', 2_100],
    ['AP', 2_100],
  ])('for %s is %i: a military address does not state where the buyer resides', (state, maxAprBps) => {
    expect(maxAprBpsIn(program, state)).toBe(maxAprBps);
  });
});
