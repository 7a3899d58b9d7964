/**
 * `npm run fairterm -- COMMAND`: installs packages in a fresh clone, updates the build, and runs an operator command. The output of the
 * preparation goes to stderr, so that stdout contains only JSON with `--json`.
 */
import { ensureBuilt, isBuilt } from './build.mjs';
import { areDependenciesInstalled, hasPackages } from './dependencies.mjs';
import { onEndOfNpm, runEntry, SetupError } from './project.mjs';

await runEntry(async () => {
  // Ends with npm, which passes its signal only to its shell.
  onEndOfNpm('fairterm', () => process.kill(process.pid, 'SIGTERM'));
  // Installs nothing into existing packages, which a running service may use.
  if (hasPackages() && !isBuilt() && !areDependenciesInstalled()) {
    throw new SetupError(
      'dist/ is not up to date, and the packages that build it are not all installed. Stop the service, then run "npm ci".',
    );
  }
  await ensureBuilt();
  await import('../../dist/server/cli.js');
});
