import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ensureBuilt, isBuilt } from './build.mjs';
import { areDependenciesInstalled, ensureDependencies, requireNode } from './dependencies.mjs';
import { projectRoot, SetupError } from './project.mjs';

/** Installs packages and builds the service if necessary. Does nothing if the service can run, for example after `npm ci --omit=dev`. */
export async function ensureRunnable() {
  if (isRunnable()) return;
  await ensureDependencies();
  await ensureBuilt();
}

/**
 * Builds the service if necessary, to run a command. Installs packages only if there is no `node_modules`, because a running service may
 * use it.
 */
export async function ensureRunnableCommand() {
  if (isRunnable()) return;
  if (existsSync(join(projectRoot, 'node_modules')) && !areDependenciesInstalled()) {
    throw new SetupError(
      areDependenciesInstalled({ withoutDev: true })
        ? 'dist/ is not up to date with the sources, and the packages that build it are not installed. Run "npm ci" and ' +
            '"npm run build", then "npm prune --omit=dev".'
        : 'The packages in node_modules differ from package-lock.json. Stop the service, then run "npm ci".',
    );
  }
  await ensureRunnable();
}

function isRunnable() {
  requireNode(process.versions.node);
  return areDependenciesInstalled({ withoutDev: true }) && isBuilt();
}
