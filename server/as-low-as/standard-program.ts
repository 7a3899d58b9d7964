import type { Program } from '../../shared/programs.ts';

/**
 * The program every merchant starts with: $50 to $30,000 over 6, 12 or 24 months, at three classes of rates.
 *
 * @param id - Each merchant's copy has an id of its own.
 */
export function standardProgram(id: string): Program {
  const offer = (termLength: number, A: number, B: number, C: number): Program['offers'][number] => ({
    id: `standard-${termLength}`,
    termLength,
    tierAprBps: { A, B, C },
    minCents: null,
    maxCents: null,
  });

  return {
    id,
    name: 'standard',
    version: 1,
    lender: { name: 'Fairterm Lending' },
    amount: { minCents: 5_000, maxCents: 3_000_000 },
    tiers: [
      { id: 'A', label: 'Very good credit', creditBand: { min: 740, max: 850 }, advertise: true },
      { id: 'B', label: 'Good credit', creditBand: { min: 660, max: 739 }, advertise: false },
      { id: 'C', label: 'Fair credit', creditBand: { min: 580, max: 659 }, advertise: false },
    ],
    offers: [offer(6, 599, 1_499, 2_499), offer(12, 799, 1_699, 2_799), offer(24, 999, 1_999, 2_999)],
  };
}
