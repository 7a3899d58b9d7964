/** A program that a live service sells. */
import { readFileSync } from 'node:fs';
import { create } from 'superstruct';
import type { CivilDate } from '../../shared/dates.ts';
import { Program } from '../../shared/programs/program.ts';
import { POSTAL_STATES } from '../../shared/wire/us-states.ts';

const REAL: [sample: RegExp, real: string][] = [
  [/Example Bank\b/g, 'First Fair Bank'],
  [/Example Loan Servicing/g, 'Fair Loan Servicing'],
  [/Example Credit Reports/g, 'National Credit Reports'],
  [/1 Example Plaza/g, '1 Market Plaza'],
  [/credit-reports\.example/g, 'www.nationalcreditreports.com'],
  [/payments\.example/g, 'payments.firstfairbank.com'],
  [/bank\.example/g, 'firstfairbank.com'],
  [/1-800-555-01(\d\d)/g, '1-800-241-01$1'],
  [/P\.O\. Box 1000, Springfield, IL 62701/g, 'P.O. Box 4000, Springfield, IL 62708'],
  [/1 Agency Square, Washington, DC 20001/g, '400 7th Street SW, Washington, DC 20219'],
  [/First Fair Bank Regulator/g, 'Office of the Comptroller of the Currency'],
  [/2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881/g, 'ab'.repeat(32)],
  [/The review of your application was not completed in time\./g, 'We had not finished the review of your application.'],
  [/La revisión de su solicitud no se terminó a tiempo\./g, 'No habíamos terminado la revisión de su solicitud.'],
];

const holiday = readFileSync('demo/programs/holiday.json', 'utf8');
const parsed = JSON.parse(REAL.reduce((json, [sample, real]) => json.replace(sample, real), holiday)) as Program;

/** Returns the document with other paragraphs than those of the sample. */
function reworded<T>(value: T): T {
  return JSON.parse(JSON.stringify(value), (_name, text: unknown) =>
    typeof text === 'string' && text.length >= 80 ? `${text} (Revised.)` : text,
  ) as T;
}

const states = Object.keys(POSTAL_STATES);

/** The sample program with the facts of a lender instead of examples. */
export const liveProgram: Program = create(
  {
    ...parsed,
    documents: reworded(parsed.documents),
    downPayment: undefined,
    states: {
      ...parsed.states,
      excluded: ['IA', 'WV', 'WI'],
      reviews: [{ counsel: 'Jane Roe', firm: 'Doe & Roe LLP', on: '2026-10-01', states }],
    },
  },
  Program,
);

/** Returns the program with counsel's sign-off on another day. */
export function liveProgramReviewedOn(on: CivilDate): Program {
  const reviews = liveProgram.states.reviews.map((review) => ({ ...review, on }));
  return { ...liveProgram, states: { ...liveProgram.states, reviews } };
}

/** The program of a lender with a license in each state. */
export const licensedProgram: Program = create(
  {
    ...liveProgram,
    lender: {
      ...liveProgram.lender,
      model: 'licensed-lender',
      licenses: Object.fromEntries(states.map((state) => [state, { type: 'Consumer lender license', number: '7' }])),
    },
    caps: { ...liveProgram.caps, stateAprCapBps: Object.fromEntries(states.map((state) => [state, 2_999])) },
    late: { states: Object.fromEntries(states.map((state) => [state, { flatCents: 500 }])) },
  },
  Program,
);
