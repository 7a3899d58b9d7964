import { readFileSync } from 'node:fs';
import { create } from 'superstruct';
import { describe, expect, it } from 'vitest';
import { standardProgram } from '../../../../server/lending/programs/standard-program.ts';
import { checkLive, findContentProblems, findSaleProblems, liveRules } from '../../../../server/lending/programs/live.ts';
import type { ImportContext } from '../../../../server/lending/programs/live-rule.ts';
import { Program } from '../../../../shared/programs/program.ts';
import { createFee, createProgram } from '../../../support/programs.ts';
import { licensedProgram, liveProgram } from '../../../support/live-program.ts';

const onImport: ImportContext = { hasCards: true, today: '2026-11-21' };
const problemsOf = (program: Program, context = onImport) => checkLive(program, context).flatMap(({ problems }) => problems);
const pathsOf = (program: Program, context = onImport) => problemsOf(program, context).map(({ path }) => path);

type Change = Record<string, unknown>;
const change = (fields: Change): Program => ({ ...liveProgram, ...fields });
const withLender = (fields: Change): Program => change({ lender: { ...liveProgram.lender, ...fields } });
const withStates = (fields: Change): Program => change({ states: { ...liveProgram.states, ...fields } });
const { agreement, coveredBorrower } = liveProgram.documents;
const withAgreement = (fields: Change): Program =>
  change({ documents: { coveredBorrower, agreement: { ...agreement!, ...fields } } });
const inEnglish = agreement!.en;
const withSection = (paragraph: string): Program =>
  withAgreement({ en: { ...inEnglish, sections: [...inEnglish.sections, { heading: 'More', paragraphs: [paragraph] }] } });
const withText = (text: string | RegExp, other: string): Program =>
  withAgreement({ en: JSON.parse(JSON.stringify(inEnglish).replaceAll(text, other)) });
const withCovered = (covered: unknown): Program => change({ documents: { agreement, coveredBorrower: covered } });
const coveredWith = (paragraph: string): Program => {
  const add = (text: typeof inEnglish) => ({
    ...text,
    sections: [...text.sections, { heading: 'More', paragraphs: [paragraph] }],
  });
  return withCovered({ ...coveredBorrower!, en: add(coveredBorrower!.en) });
};
const withReview = (fields: Change): Program => withStates({ reviews: [{ ...liveProgram.states.reviews[0]!, ...fields }] });
const withTier = (fields: Change): Program =>
  change({ tiers: [{ ...liveProgram.tiers[0]!, ...fields }, ...liveProgram.tiers.slice(1)] });
const reasoned = (program: Program): Program => ({
  ...program,
  counselReasons: { apr: 'A bank of Utah.', lateCharge: 'A bank of Utah.', coveredBorrower: 'It excludes arbitration.' },
});
const licensed = (fields: Change): Program => ({ ...licensedProgram, ...fields });
const addedToCovered = `documents.coveredBorrower.en.sections.${coveredBorrower!.en.sections.length}.paragraphs.0`;
const added = `documents.agreement.en.sections.${inEnglish.sections.length}.paragraphs.0`;

const { fees } = createProgram({ fees: [createFee({ amountBps: 100 })] });
const promise = 'documents.agreement.en.promise';
const phone = '1-302-241-0100';
const bureau = liveProgram.lender.creditBureau!;
const share = 'tiers.*.representativeShare';
const { late, caps } = liveProgram;
const highApr = change({ caps: { ...caps, maxAprBps: 3_601 } });
const highLateInNevada = change({
  late: { ...late, states: { NV: { ...late.states['NY']!, flatCents: 2_500, percentBps: 0 } } },
});
const box = 'P.O. Box 1, Dover, DE 19901';
const minAges = { NY: { minAge: 21 }, MS: { minAge: 21 }, AL: { minAge: 19 } };
const samplePromise = standardProgram.documents.agreement!.en.promise[0]!;
const sampleText = samplePromise
  .toUpperCase()
  .replaceAll(',', ';')
  .replace(/\{(\w+)\}/g, '$1');
const retyped = JSON.parse(JSON.stringify(agreement).replaceAll('. ', ';  ').replaceAll(' The ', ' the ')) as unknown;
const sections = inEnglish.sections.filter(({ topic }) => topic !== 'default');
const odd = { ...liveProgram.schedule, firstPaymentAfter: { months: 1, days: 10 }, oddDaysInterest: '365' } as const;

describe('Live mode', () => {
  it('sells a program with the facts of a lender', () => {
    expect(pathsOf(liveProgram)).toEqual([]);
    expect(pathsOf(licensedProgram)).toEqual([]);
  });

  /** A program for which the rule fails, at its path or at another one. */
  it.each<[rule: string, what: string, program: Program, path?: string]>([
    ['lender', 'a reserved top-level domain', withLender({ website: 'https://bank.example' }), 'lender.website'],
    ['lender', 'a reserved e-mail domain', withLender({ complaints: { email: 'a@example.com' } }), 'lender.complaints.email'],
    ['lender', 'a reserved domain in a text', withSection('See www.bank.test/terms.'), added],
    ['lender', 'localhost', withLender({ website: 'https://localhost/' }), 'lender.website'],
    ['lender.phone', 'a fictional number', withLender({ phone: '(302) 555-0142' })],
    ['lender.phone', 'a fictional number in a text', withSection('Call +1 302.555.0199 for help.'), added],
    ['lender.phone', 'a fictional number before other digits', withSection('Call 302-555-0142. 24 hours a day.'), added],
    ['lender.name', 'the name of the sample', withLender({ name: 'Fairterm Lending' })],
    ['lender.name', 'an example of a name', withLender({ name: 'Example Bank' })],
    ['lender.name', 'a paragraph of the sample agreement in other punctuation', withSection(sampleText), added],
    ['lender.website', 'an http address', withLender({ website: 'http://firstfairbank.com' })],
    ['currency', 'another currency', change({ currency: 'CAD' })],
    ['timeZone', 'UTC', change({ timeZone: 'UTC' })],
    ['lender.complaints', 'an empty path for complaints', withLender({ complaints: {} })],
    ...['address', 'phone', 'complaints', 'regulator', 'creditBureau', 'model', 'privacyNotice'].map(
      (field): [string, string, Program] => [`lender.${field}`, 'a lender without it', withLender({ [field]: undefined })],
    ),
    ['lender.creditBureau.phone', 'a bureau without a toll-free number', withLender({ creditBureau: { ...bureau, phone } })],
    ['lender.licenses', 'no license in a state', licensed({ lender: { ...licensedProgram.lender, licenses: {} } })],
    ['caps.stateAprCapBps', 'no ceiling in a state', licensed({ caps: { ...licensedProgram.caps, stateAprCapBps: {} } })],
    ['late.states', 'no late charge in a state', licensed({ late: { ...licensedProgram.late, states: {} } })],
    ['states.reviews', 'a state without a sign-off', withStates({ reviews: [] })],
    ['states.overrides', 'a minimum age above majority', withStates({ overrides: minAges }), 'states.overrides.NY.minAge'],
    ['states.excluded', 'Wisconsin', withStates({ excluded: ['IA', 'WV'] })],
    ...['inquiry', 'creditScores', 'undecided', 'servicing'].map((field): [string, string, Program] => [
      field,
      'a program without it',
      change({ [field]: undefined }),
    ]),
    ['undecided', 'an end in one language', change({ undecided: { days: 30, reason: { text: { en: 'Late.' } } } })],
    ['documents.agreement', 'an agreement in one language', withAgreement({ es: undefined })],
    ['documents.agreement', 'no agreement', change({ documents: { coveredBorrower } })],
    ['documents.coveredBorrower', 'no agreement of covered borrowers', change({ documents: { agreement } })],
    ['documents.coveredBorrower', 'the ordinary agreement', reasoned(withCovered({ ...agreement!, version: 'military' }))],
    [
      'documents.coveredBorrower',
      'the ordinary agreement in other case, white space and punctuation',
      reasoned(withCovered(retyped)),
    ],
    ['documents.agreement.en.sections', 'no section about defaults', withAgreement({ en: { ...inEnglish, sections } })],
    [promise, 'no number of payments', withText('{paymentCount}', 'some'), 'documents.agreement.en'],
    [promise, 'no sentence about fees', { ...withText('{fees}', 'Fees.'), fees }, 'documents.agreement.en'],
    [
      promise,
      'no sentence about the odd days that bear interest, and no first payment',
      { ...withText(/\{(oddDaysInterest|firstPayment)\}/g, '$1'), schedule: odd },
      'documents.agreement.en,documents.agreement.en',
    ],
    ['timeZone', 'a time zone of another country', change({ timeZone: 'Europe/London' })],
    ['timeZone', 'a time zone without daylight saving time', change({ timeZone: 'Etc/GMT' })],
    ['caps.maxAprBps', 'a maximum APR above 36 %', highApr],
    ['late', 'a late charge above $15', change({ late: { ...late, flatCents: 1_501 } })],
    ['late', 'a late charge above 5 %', change({ late: { ...late, percentBps: 501 } })],
    ['late', 'the sum of two late charges', change({ late: { ...late, combine: 'sum' } })],
    ['late', 'a high late charge in a state', highLateInNevada, 'late.states.NV'],
    ['states.reviews.*.on', 'a sign-off older than 24 months', withReview({ on: '2024-11-20' }), 'states.reviews.0.on'],
    ['states.reviews.*.on', 'a sign-off in the future', withReview({ on: '2026-11-22' }), 'states.reviews.0.on'],
    ['states.reviews.*.firm', 'counsel without firm and bar number', withReview({ firm: undefined }), 'states.reviews.0.firm'],
    [share, 'an advertised tier without its share', withTier({ representativeShare: undefined }), 'tiers.0.representativeShare'],
    [share, 'a share of buyers that is too small', withTier({ representativeShare: 0.09 }), 'tiers.0.representativeShare'],
    ...[
      'A dispute is decided by arbitration.',
      'Una disputa la decide un árbitro.',
      'I waive my rights.',
      'Renuncio a mis derechos.',
      'I may not join a class action.',
      'I may not take part in a class or other representative proceeding.',
      'No puedo participar en una demanda colectiva.',
    ].map((text): [string, string, Program, string] => [
      'documents.coveredBorrower.en.sections',
      `a term for covered borrowers: ${text}`,
      coveredWith(text),
      addedToCovered,
    ]),
    [
      'schedule.interestFrom',
      'no sentence about the start of interest',
      withText('{startOfInterest}', 'Interest starts at once.'),
      'documents.agreement.en',
    ],
    ...[
      'On {date}, {lender} pays the proceeds of this loan to {merchant}.',
      'I am the borrower. The proceeds are paid to J. Roe on\n{date}.',
      'El {date}, {lender} paga el préstamo al comercio.',
      'El desembolso se hace el {date}.',
    ].map((text): [string, string, Program, string] => [
      'documents.agreement.en.sections.*.paragraphs',
      `a payment on the day of the signature: ${text}`,
      withSection(text),
      added,
    ]),
    ['purchaseMoney', 'no Holder notice without a reason', change({ purchaseMoney: false })],
    ['military.phone', 'no number of the oral disclosures', change({ military: {} })],
    ['military.phone', 'a number that is not toll-free', change({ military: { phone } })],
    ...[
      'Call toll-free: 302-241-0100.',
      'Call toll-free: 302-241-0100 (8 a.m. to 5 p.m.)',
      'Call toll‑free: 3022410100.',
      'Llame sin costo al 302-241-0100.',
      'Número sin costo: 302-241-0100',
      'Llámenos: 302-241-0100 (sin costo).',
      'Sin costo alguno: (302) 241-0100',
      'Llámenos al 302-241-0100, sin cargo.',
      'Llamada gratis al 302-241-0100',
      'Línea gratuita: 302-241-0100',
    ].map((text): [string, string, Program, string] => ['documents', `a wrong "toll-free": ${text}`, withSection(text), added]),
  ])('requires %s: rejects %s', (rule, _what, program, path = rule) => {
    const failed = checkLive(program, onImport).filter(({ problems }) => problems.length > 0);
    expect(failed.flatMap(({ problems }) => problems.map((problem) => problem.path)).join()).toBe(path);
    expect(failed.map((each) => each.path)).toEqual([rule]);
    for (const { problems, citation } of failed) {
      for (const { message } of problems) expect(message).toMatch(/^Expected .+, but received .+$/s);
      expect(citation).toMatch(/\d|law/);
    }
  });

  it.each([
    ['a reason why no Holder notice applies', change({ purchaseMoney: false, purchaseMoneyReason: 'Not for goods.' })],
    ['other words with the letters of reserved domains', withSection('For example, a test. See https://pay.example-bank.com.')],
    ['a toll-free number that is called so', withSection('Call toll-free: (888) 241-0100.')],
    ...[
      'Call us toll-free at 800-241-0100 (8 a.m. to 5 p.m.)',
      'Toll-free 888-241-0100. For loan 1234567890, have your agreement ready.',
      'Llame sin costo al 800-241-0100, de 8 a 17 horas.',
      'Pida una copia sin costo: llame al 302-241-0100.',
      'Puede pagar antes sin cargo. Llame al 302-241-0100 de 8 a 17 horas.',
    ].map((text): [string, Program] => [`numbers that are what the text calls them: ${text}`, withSection(text)]),
    ['late charges, a rate and terms for covered borrowers with the reasons of counsel', reasoned(highApr)],
    ['a high late charge with a reason of counsel', reasoned(highLateInNevada)],
    ['a word about waivers with a reason of counsel', reasoned(coveredWith('No term waives a right.'))],
    [
      'other words with the letters of prohibited ones',
      coveredWith('You may not act arbitrarily. A first-class lawyer may act.'),
    ],
    ['post office boxes of the lender and the bureau', withLender({ address: box, creditBureau: { ...bureau, address: box } })],
    ['a sign-off of 24 months ago', withReview({ on: '2024-11-21' })],
    ['a sign-off of today with a bar number', withReview({ on: '2026-11-21', firm: undefined, barNumber: 'CA 123456' })],
    ['a tier that is not advertised without its share', withTier({ advertise: false, representativeShare: undefined })],
    ['a time zone of Indiana', change({ timeZone: 'America/Indiana/Indianapolis' })],
    ['a day of the signature in a sentence that is not about paying', withSection('Dated {date}. See page 2. I promise to pay.')],
    [
      'no sentence about the start of interest if interest starts with the signature',
      {
        ...withText('{startOfInterest}', 'Interest starts today.'),
        schedule: { ...liveProgram.schedule, interestFrom: 'signature' as const },
      },
    ],
    ['no licenses of a bank', withLender({ model: 'bank-partner', licenses: {} })],
    ['a cap of the military APR', change({ caps: { ...liveProgram.caps, maprCapBps: null } })],
  ])('accepts %s', (_what, program) => {
    expect(pathsOf(program)).toEqual([]);
  });

  it('names every state that lacks something', () => {
    const reviews = [{ ...liveProgram.states.reviews[0]!, states: ['CA'] }];
    const [problem] = problemsOf(withStates({ reviews }));
    expect(problem!.message).toMatch(/received none for AL, AK, AZ, AR, CO, .*, WY, AA, AE, AP$/);
  });

  it('requires a card gateway for a down payment', () => {
    const program = change({ downPayment: { percentBps: 1_000, minCents: 0 } });
    expect(pathsOf(program, { ...onImport, hasCards: false })).toEqual(['downPayment']);
    expect(pathsOf(program)).toEqual([]);
  });

  it('compares the privacy notice with its document, if it was fetched', () => {
    const { url, sha256 } = liveProgram.lender.privacyNotice!;
    const found = (notice: ImportContext['notice']) => problemsOf(liveProgram, { ...onImport, notice });
    expect(found({ sha256 })).toEqual([]);
    const message = expect.stringContaining(`but received "${sha256}" for a document with ${'0'.repeat(64)}`);
    expect(found({ sha256: '0'.repeat(64) })).toEqual([{ path: 'lender.privacyNotice.sha256', message }]);
    expect(found({ failure: 'ENOTFOUND' })).toMatchObject([{ path: 'lender.privacyNotice.url' }]);
    expect(url).toMatch(/^https:/);
  });

  it('compares the content only on import: it sells a program that could not be imported again', () => {
    const aged = { ...onImport, today: '2029-01-01' as const };
    expect(pathsOf(liveProgram, aged)).toEqual(['states.reviews.0.on']);
    expect(findContentProblems(liveProgram, aged)).toEqual(problemsOf(liveProgram, aged));
    expect(findSaleProblems(liveProgram, aged)).toEqual([]);
  });

  it('accepts a retired version at any time, because it withdraws the program', () => {
    expect(pathsOf(change({ status: 'retired' }), { ...onImport, today: '2029-01-01' })).toEqual([]);
  });

  it('lists all problems at once, and each once', () => {
    const problems = problemsOf({
      ...highApr,
      timeZone: 'UTC',
      late: highLateInNevada.late,
      states: withReview({ on: '2020-01-01', firm: undefined }).states,
      tiers: withTier({ representativeShare: undefined }).tiers,
    });
    expect(problems.map(({ path }) => path)).toEqual([
      'timeZone',
      'caps.maxAprBps',
      'late.states.NV',
      'states.reviews.0.on',
      'states.reviews.0.firm',
      'tiers.0.representativeShare',
    ]);
  });

  it('sells neither the standard program nor the sample program, which have invented lenders', () => {
    const holiday = create(JSON.parse(readFileSync('demo/programs/holiday.json', 'utf8')), Program);
    for (const program of [standardProgram, holiday]) {
      expect(pathsOf(program)).toEqual(expect.arrayContaining(['lender.name', 'lender.phone', 'states.reviews']));
    }
  });

  it('has a field of the program for each requirement', () => {
    expect(liveRules.length).toBeGreaterThan(30);
    for (const { expected, citation } of liveRules) expect([expected, citation]).not.toContain('');
  });
});
