import { readFileSync } from 'node:fs';
import { create } from 'superstruct';
import { describe, expect, it } from 'vitest';
import { findLiveProblems, liveRules } from '../../../shared/programs/live.ts';
import { Program } from '../../../shared/programs/program.ts';

const holiday = create(JSON.parse(readFileSync('demo/programs/holiday.json', 'utf8')), Program);
/** Returns the sample program with other details of the lender. */
const withLender = (change: object): Program => ({ ...holiday, lender: { ...holiday.lender, ...change } });

describe('Live mode', () => {
  it('finds nothing missing in the sample program', () => {
    expect(findLiveProblems(holiday)).toEqual([]);
  });

  const incomplete: [path: string, program: Program][] = [
    ['servicing', { ...holiday, servicing: undefined }],
    ['timeZone', { ...holiday, timeZone: 'UTC' }],
    ['lender.address', withLender({ address: undefined })],
    ['lender.phone', withLender({ phone: undefined })],
    ['lender.regulator', withLender({ regulator: undefined })],
    ['lender.creditBureau', withLender({ creditBureau: undefined })],
    ['lender.model', withLender({ model: undefined })],
    ['lender.privacyNotice', withLender({ privacyNotice: undefined })],
    ['documents.agreement', { ...holiday, documents: { ...holiday.documents, agreement: undefined } }],
    ['documents.coveredBorrower', { ...holiday, documents: { ...holiday.documents, coveredBorrower: undefined } }],
    ['military.phone', { ...holiday, military: {} }],
    ['states.excluded', { ...holiday, states: { ...holiday.states, excluded: [], notices: {} } }],
    ['lender.licenses', withLender({ model: 'licensed-lender', licenses: {} })],
  ];

  it.each(incomplete)('requires %s, and states what is expected, the citation and what was received', (path, program) => {
    expect(findLiveProblems(program)).toEqual([
      { path, message: expect.stringMatching(/^Expected .+ \(.*\d+.*\), but received (nothing|\{\}|\[\]|"UTC")$/) },
    ]);
  });

  it('has a test of each rule', () => {
    expect(incomplete.map(([path]) => path).toSorted()).toEqual(liveRules.map(({ path }) => path).toSorted());
  });

  it('does not require licenses of a bank', () => {
    expect(findLiveProblems(withLender({ model: 'bank-partner', licenses: {} }))).toEqual([]);
  });
});
