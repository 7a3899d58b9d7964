/**
 * The operator's command line: `npm run fairterm -- COMMAND`. Brings dependencies and build up to date, then hands over.
 * Everything said on the way goes to stderr, so that `--json` leaves only JSON on stdout.
 */
import { ensureBuilt } from './build.mjs';
import { ensureDependencies } from './dependencies.mjs';
import { runEntry } from './project.mjs';

await runEntry(async () => {
  await ensureDependencies();
  await ensureBuilt();
  await import('../../dist/server/cli.js');
});
