/**
 * `npm run fairterm -- COMMAND`: installs missing packages, updates the build, and runs an operator command. The output of the
 * preparation goes to stderr, so that stdout contains only JSON with `--json`.
 */
import { ensureRunnableCommand } from './prepare.mjs';
import { onEndOfNpm } from './processes.mjs';
import { runEntry } from './project.mjs';

await runEntry(async () => {
  onEndOfNpm('fairterm', () => process.kill(process.pid, 'SIGTERM'));
  await ensureRunnableCommand();
  await import('../../dist/server/cli.js');
});
