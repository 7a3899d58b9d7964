import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of package.json, without a trailing slash. */
export const projectRoot = fileURLToPath(new URL('../../', import.meta.url)).replace(/[/\\]$/, '');

/** Folder of the logs and the shop's key pair of `npm start`. It is the folder of the SQLite file, so that databases do not share them. */
export const dataFolder = process.env.DATABASE_URL?.startsWith('sqlite:')
  ? resolve(projectRoot, dirname(process.env.DATABASE_URL.slice('sqlite:'.length)))
  : join(projectRoot, 'data');

/** A problem that the user has to solve. Printed without a stack trace. */
export class SetupError extends Error {
  /** @param {string} message @param {ErrorOptions} [options] */
  constructor(message, options) {
    super(message, options);
    this.name = 'SetupError';
  }
}

/**
 * Prints progress to stderr, because stdout is for the output of the command.
 *
 * @param {string} message
 */
export function logProgress(message) {
  process.stderr.write(`${message}\n`);
}

/**
 * Runs an entry point. A `SetupError` is printed as a message, and the exit code is 1. Other errors are thrown.
 *
 * @param {() => Promise<void>} main
 */
export async function runEntry(main) {
  try {
    await main();
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    logProgress(`\n${error.message}`);
    process.exitCode = 1;
  }
}
