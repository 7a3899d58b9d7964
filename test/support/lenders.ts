import type { Program } from '../../shared/programs/program.ts';

type LenderFacts = Program['lender'];

export const bureau = {
  name: 'Example Credit Reports',
  address: 'P.O. Box 1000, Springfield, IL 62701',
  phone: '1-800-555-0101',
  website: 'https://credit-reports.example',
} satisfies LenderFacts['creditBureau'];

export const regulator = {
  name: 'Example Bank Regulator',
  address: '1 Agency Square, Washington, DC 20001',
} satisfies LenderFacts['regulator'];

/** A lender of whom all is known that the notice of a denial must name. */
export const knownLender: LenderFacts = {
  name: 'Example Bank',
  stateLicences: {},
  address: '1 Example Plaza, Wilmington, DE 19801',
  phone: '1-800-555-0100',
  regulator,
  creditBureau: bureau,
};

/** A lender of whom the program says as little as it may. */
export const unknownLender: LenderFacts = { name: 'Example Bank', stateLicences: {} };
