/**
 * The operator's command line by way of npm: `npm run fairterm -- COMMAND`. Where nothing is missing, `node dist/server/cli.js COMMAND`
 * does the same without npm. Everything printed before the command runs goes to stderr, so that `--json` leaves only JSON on stdout.
 */
import { ensureRunnableCommand } from './prepare.mjs';
import { onEndOfNpm } from './processes.mjs';
import { runEntry } from './project.mjs';

await runEntry(async () => {
  onEndOfNpm('fairterm', () => process.kill(process.pid, 'SIGTERM'));
  await ensureRunnableCommand();
  await import('../../dist/server/cli.js');
});
