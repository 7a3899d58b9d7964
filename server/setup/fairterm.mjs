/**
 * `npm run fairterm -- COMMAND`: installs and builds what is missing, and runs an operator command. Everything printed before the command
 * goes to stderr, so that `--json` leaves only JSON on stdout.
 */
import { ensureRunnableCommand } from './prepare.mjs';
import { onEndOfNpm } from './processes.mjs';
import { runEntry } from './project.mjs';

await runEntry(async () => {
  onEndOfNpm('fairterm', () => process.kill(process.pid, 'SIGTERM'));
  await ensureRunnableCommand();
  await import('../../dist/server/cli.js');
});
