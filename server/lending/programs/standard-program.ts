import { create } from 'superstruct';
import { type CreditBureau, Program } from '../../../shared/programs/program.ts';
import { sampleDocuments } from './sample-agreement.ts';

/** The notice to applicants in Wisconsin: Wis. Stat. § 766.56(2)(b). */
const maritalPropertyNotice = {
  en: 'No provision of a marital property agreement, a unilateral statement under section 766.59 of the Wisconsin Statutes, or a court decree under section 766.70 adversely affects the interest of the creditor unless the creditor, prior to the time the credit is granted, is furnished a copy of the agreement, statement or decree or has actual knowledge of the adverse provision when the obligation to the creditor is incurred.',
  es: 'Ninguna disposición de un acuerdo de bienes gananciales, de una declaración unilateral conforme a la sección 766.59 de los Estatutos de Wisconsin ni de una sentencia judicial conforme a la sección 766.70 perjudica los intereses del acreedor, a menos que este, antes de otorgar el crédito, reciba una copia del acuerdo, la declaración o la sentencia, o tenga conocimiento efectivo de la disposición adversa cuando se contrae la obligación.',
};

/** A sample: the reason of a live program is that of the lender's counsel. */
const undecidedReason = {
  text: {
    en: 'The review of your application was not completed in time.',
    es: 'La revisión de su solicitud no se terminó a tiempo.',
  },
};

/** The consumer reporting agency of the sandbox. */
export const exampleBureau: CreditBureau = {
  name: 'Example Credit Reports',
  address: 'P.O. Box 1000, Springfield, IL 62701',
  phone: '1-800-555-0101',
  website: 'https://credit-reports.example',
};

/** The program of a new merchant: $50 to $30,000 over 6, 12 or 24 months, with three tiers. */
export const standardProgram: Program = create(
  {
    id: 'standard',
    name: 'Standard',
    version: 1,
    // The sandbox's clock can be moved back to this day.
    effective: { from: '1970-01-01' },
    lender: {
      name: 'Fairterm Lending',
      model: 'bank-partner',
      address: '1 Example Plaza, Wilmington, DE 19801',
      phone: '1-800-555-0100',
      decisionTime: { en: 'a few minutes', es: 'unos minutos' },
      regulator: { name: 'Example Bank Regulator', address: '1 Agency Square, Washington, DC 20001' },
      creditBureau: exampleBureau,
      complaints: {
        phone: '1-800-555-0103',
        email: 'complaints@fairterm.example',
        address: 'P.O. Box 201, Wilmington, DE 19899',
      },
      privacyNotice: {
        url: 'https://lending.fairterm.example/privacy',
        sha256: '2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881',
      },
    },
    inquiry: { application: 'soft', acceptance: 'none' },
    creditScores: 'used',
    undecided: { days: 30, reason: undecidedReason },
    servicing: {
      payUrl: 'https://pay.fairterm.example',
      address: 'P.O. Box 200, Wilmington, DE 19899',
      phone: '1-800-555-0102',
    },
    amount: { minCents: 5_000, maxCents: 3_000_000 },
    // "As low as" prices are those of the tier to advertise.
    tiers: [
      { id: 'A', label: 'Very good credit', creditBand: { min: 740, max: 850 }, advertise: true },
      { id: 'B', label: 'Good credit', creditBand: { min: 660, max: 739 } },
      { id: 'C', label: 'Fair credit', creditBand: { min: 580, max: 659 } },
    ],
    offers: [
      { id: 'standard-6', termLength: 6, tierAprBps: { A: 599, B: 1_499, C: 2_499 } },
      { id: 'standard-12', termLength: 12, tierAprBps: { A: 799, B: 1_699, C: 2_799 } },
      { id: 'standard-24', termLength: 24, tierAprBps: { A: 999, B: 1_999, C: 2_999 } },
    ],
    documents: sampleDocuments,
    military: { phone: '1-800-555-0102' },
    states: { notices: { WI: [{ at: 'application', text: maritalPropertyNotice }] } },
  },
  Program,
);

/** The program of a merchant that a person creates in a sandbox: settlements have fees, as those of a live program. */
export const sandboxProgram: Program = { ...standardProgram, merchantDiscount: { bps: 290, fixedCents: 30 } };
