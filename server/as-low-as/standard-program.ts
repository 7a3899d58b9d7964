import { create } from 'superstruct';
import { Program } from '../../shared/programs/program.ts';

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
      regulator: { name: 'Example Bank Regulator', address: '1 Agency Square, Washington, DC 20001' },
      creditBureau: {
        name: 'Example Credit Reports',
        address: 'P.O. Box 1000, Springfield, IL 62701',
        phone: '1-800-555-0101',
        website: 'https://credit-reports.example',
      },
    },
    servicing: {
      payUrl: 'https://pay.fairterm.example',
      address: 'P.O. Box 200, Wilmington, DE 19899',
      phone: '1-800-555-0102',
    },
    amount: { minCents: 5_000, maxCents: 3_000_000 },
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
  },
  Program,
);
