import { readFileSync } from 'node:fs';
import { create } from 'superstruct';
import { describe, expect, it } from 'vitest';
import { standardProgram } from '../../../server/programs/standard-program.ts';
import { findLiveProblems, liveRules } from '../../../server/programs/live.ts';
import { Program } from '../../../shared/programs/program.ts';

const holiday = create(JSON.parse(readFileSync('demo/programs/holiday.json', 'utf8')), Program);
/** Returns the sample program with other details of the lender. */
const withLender = (change: object): Program => ({ ...holiday, lender: { ...holiday.lender, ...change } });

describe('Live mode', () => {
  it('finds nothing missing in the sample program', () => {
    expect(findLiveProblems(holiday, { hasCards: true })).toEqual([]);
  });

  const incomplete: [path: string, program: Program][] = [
    ['servicing', { ...holiday, servicing: undefined }],
    ['timeZone', { ...holiday, timeZone: 'UTC' }],
    ['lender.address', withLender({ address: undefined })],
    ['lender.phone', withLender({ phone: undefined })],
    ['lender.regulator', withLender({ regulator: undefined })],
    ['lender.creditBureau', withLender({ creditBureau: undefined })],
    ['lender.model', withLender({ model: undefined })],
    ['inquiry', { ...holiday, inquiry: undefined }],
    ['creditScores', { ...holiday, creditScores: undefined }],
    ['undecided', { ...holiday, undecided: undefined }],
    ['lender.privacyNotice', withLender({ privacyNotice: undefined })],
    ['documents.agreement', { ...holiday, documents: { ...holiday.documents, agreement: undefined } }],
    ['documents.coveredBorrower', { ...holiday, documents: { ...holiday.documents, coveredBorrower: undefined } }],
    ['military.phone', { ...holiday, military: {} }],
    ['states.excluded', { ...holiday, states: { ...holiday.states, excluded: [], notices: {} } }],
    ['lender.licenses', withLender({ model: 'licensed-lender', licenses: {} })],
  ];

  it.each(incomplete)('requires %s, and states what is expected, the citation and what was received', (path, program) => {
    expect(findLiveProblems(program, { hasCards: true })).toEqual([
      { path, message: expect.stringMatching(/^Expected .+ \(.*\d+.*\), but received (nothing|\{\}|\[\]|"UTC")$/) },
    ]);
  });

  it('has a test of each rule', () => {
    expect(incomplete.map(([path]) => path).toSorted()).toEqual(liveRules.map(({ path }) => path).toSorted());
  });

  it('requires the number of the oral disclosures whatever the cap of the military APR', () => {
    const program = { ...holiday, military: {}, caps: { ...holiday.caps, maprCapBps: null } };
    expect(findLiveProblems(program, { hasCards: true }).map(({ path }) => path)).toEqual(['military.phone']);
  });

  it('requires an agreement in every language of the checkout', () => {
    const { es: _, ...inEnglish } = holiday.documents.agreement!;
    const program = { ...holiday, documents: { ...holiday.documents, agreement: inEnglish } };
    expect(findLiveProblems(program, { hasCards: true }).map(({ path }) => path)).toEqual(['documents.agreement']);
  });

  it('requires the reason of an undecided application in every language', () => {
    const problemsOf = (reason: NonNullable<Program['undecided']>['reason']) =>
      findLiveProblems({ ...holiday, undecided: { days: 30, reason } }, { hasCards: true }).map(({ path }) => path);
    expect(problemsOf({ text: { en: 'Not completed in time.' } })).toEqual(['undecided']);
    expect(problemsOf('incomplete-application')).toEqual([]);
  });

  it('accepts everything of the standard program but its time zone', () => {
    expect(findLiveProblems(standardProgram, { hasCards: true }).map(({ path }) => path)).toEqual(['timeZone']);
  });

  it('does not require licenses of a bank', () => {
    expect(findLiveProblems(withLender({ model: 'bank-partner', licenses: {} }), { hasCards: true })).toEqual([]);
  });
});
