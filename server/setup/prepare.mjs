import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureBuilt, isBuilt } from './build.mjs';
import { areDependenciesInstalled, ensureDependencies, requireNode, SKIP_PREPARE } from './dependencies.mjs';
import { logProgress, projectRoot, runEntry, SetupError } from './project.mjs';

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

/**
 * The `prepare` script of package.json, which npm runs after `npm ci` and `npm install`, also for an installation from the Git
 * repository. Builds unless the packages that the build needs were omitted.
 */
async function main() {
  if (process.env[SKIP_PREPARE] || isBuilt()) return;
  if (existsSync(join(projectRoot, 'node_modules', 'typescript'))) await ensureBuilt();
  else logProgress('dist/ is not built, because the development packages are not installed.');
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await runEntry(main);
