import { fileURLToPath } from 'node:url';

/** The folder of package.json, without a trailing slash. */
export const projectRoot = fileURLToPath(new URL('../../', import.meta.url)).replace(/[/\\]$/, '');

const MIN_NODE = [20, 19];

/** A problem that the user has to solve. Printed without a stack trace. */
export class SetupError extends Error {}

/** Runs an entry point. A `SetupError` is printed as a message, and the exit code is 1. Other errors are thrown. */
export async function runEntry(main) {
  try {
    requireNode(process.versions.node);
    await main();
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    console.error(`\n${error.message}`);
    process.exitCode = 1;
  }
}

/** @throws SetupError if a release of Node.js, such as `20.19.0`, is too old */
export function requireNode(version) {
  const [major, minor] = version.split('.').map(Number);
  if (major > MIN_NODE[0] || (major === MIN_NODE[0] && minor >= MIN_NODE[1])) return;
  throw new SetupError(`Fairterm needs Node ${MIN_NODE.join('.')} or newer; this is Node ${version}.`);
}

/**
 * Calls `stop` when npm, which runs this process as a script, is terminated. npm forwards its signal only to its shell, which does not
 * forward it. This process detects the end of the shell by its new parent.
 */
export function onEndOfNpm(script, stop) {
  if (process.env.npm_lifecycle_event !== script) return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    stop();
  }, 250).unref();
}

/**
 * Returns the URL of a Git remote for the field `repository` of a package, without credentials: `git+https://code.example/shop/fairterm.git`;
 * undefined for a folder. npm accepts a statement of provenance only for a package that names the repository of the CI job.
 */
export function repositoryUrl(remote) {
  // A URL by HTTPS or SSH, or `user@host:path`.
  const [, host, path] = /^(?:https:\/\/|ssh:\/\/|(?=[^/]*:))(?:[^@/]*@)?([^:/]+)(?::\d+)?[:/]+([^:/].*)$/.exec(remote) ?? [];
  return host && `git+https://${host}/${path}`;
}
