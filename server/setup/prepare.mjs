import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ensureBuilt, isBuilt } from './build.mjs';
import { areDependenciesInstalled, ensureDependencies, refuseOldNode } from './dependencies.mjs';
import { projectRoot, SetupError } from './project.mjs';

/** Installs and builds what is missing to run the service. Changes nothing where it runs already, as after `npm ci --omit=dev`. */
export async function ensureRunnable() {
  if (isRunnable()) return;
  await ensureDependencies();
  await ensureBuilt();
}

/**
 * The same for a command that is run beside a service, which may be using the same `node_modules`: builds, but never installs over
 * an existing installation.
 */
export async function ensureRunnableCommand() {
  if (isRunnable()) return;
  if (existsSync(join(projectRoot, 'node_modules')) && !areDependenciesInstalled()) {
    throw new SetupError(
      areDependenciesInstalled({ withoutDev: true })
        ? 'dist/ is not up to date with the sources, and the packages that build it are not installed. Run "npm ci" and ' +
            '"npm run build", then "npm prune --omit=dev" to remove them again.'
        : 'node_modules is not what package-lock.json describes. Stop the service, then run "npm ci".',
    );
  }
  await ensureRunnable();
}

function isRunnable() {
  refuseOldNode(process.versions.node);
  return areDependenciesInstalled({ withoutDev: true }) && isBuilt();
}
