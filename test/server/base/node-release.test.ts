import { expect, it } from 'vitest';
import { endOfLifeHint } from '../../../server/base/node-release.ts';
import { fairterm } from '../operations/commands/fairterm.ts';
import type { CivilDate } from '../../../shared/dates.ts';

it.each<[string, CivilDate, unknown]>([
  ['20.20.2', '2026-04-30', undefined],
  ['20.20.2', '2026-05-01', expect.stringContaining('Node 20.20.2 works, but has had no security fixes since 2026-04-30')],
  ['24.1.0', '2026-11-22', undefined],
  ['99.0.0', '2026-11-22', undefined],
])('endOfLifeHint for Node %s on %s is %s', (version, today, hint) => {
  expect(endOfLifeHint(version, today)).toEqual(hint);
});

it.each<[CivilDate, boolean]>([
  ['2019-01-01', false],
  ['2099-01-01', true],
])('`fairterm serve` on %s mentions the end of life of the running release: %s', async (today, isMentioned) => {
  // Does not start, because the variable is invalid.
  const { code, stderr } = await fairterm(['serve'], {
    databaseUrl: 'sqlite:none.db',
    env: { PENDING_DAYS: 'soon' },
    clock: { now: () => `${today}T00:00:00.000000Z` },
  });
  expect(code).toBe(1);
  expect(stderr.filter((line) => line.startsWith(`warning: Node ${process.versions.node} works`))).toHaveLength(
    isMentioned ? 1 : 0,
  );
});
