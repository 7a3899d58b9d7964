import type { CivilDate } from '../../shared/dates.ts';

/** End of life of each release line: https://github.com/nodejs/release#release-schedule. */
const END_OF_LIFE: Readonly<Record<string, CivilDate>> = {
  20: '2026-04-30',
  21: '2024-06-01',
  22: '2027-04-30',
  23: '2025-06-01',
  24: '2028-04-30',
  25: '2026-06-01',
  26: '2029-04-30',
};

/**
 * Returns a hint if a release of Node.js has reached its end of life, or undefined.
 *
 * @param version - For example `20.19.0`.
 */
export function endOfLifeHint(version: string, today: CivilDate): string | undefined {
  const ended = END_OF_LIFE[version.split('.')[0]!];
  if (ended === undefined || today <= ended) return undefined;
  return `Node ${version} works, but has had no security fixes since ${ended}. Install a supported release: https://nodejs.org/en/download`;
}
