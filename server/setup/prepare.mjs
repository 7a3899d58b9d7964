import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ensureBuilt, isBuilt } from './build.mjs';
import { areDependenciesInstalled, ensureDependencies, requireNode } from './dependencies.mjs';
import { projectRoot, SetupError } from './project.mjs';

/** Installs and builds what the service requires. Does nothing if it can run, for example after `npm ci --omit=dev`. */
export async function ensureRunnable() {
  if (isRunnable()) return;
  await ensureDependencies();
  await ensureBuilt();
}

/**
 * Builds what a command requires. Installs packages only if no packages are installed, because a running service may use the same `node_modules`.
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
