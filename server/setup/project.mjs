import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder that holds package.json, without a trailing slash. */
export const projectRoot = fileURLToPath(new URL('../../', import.meta.url)).replace(/[/\\]$/, '');

/** Where `npm start` keeps logs and the shop's key pair: beside the SQLite file, so that two databases do not share them. */
export const dataFolder = process.env.DATABASE_URL?.startsWith('sqlite:')
  ? resolve(projectRoot, dirname(process.env.DATABASE_URL.slice('sqlite:'.length)))
  : join(projectRoot, 'data');

/** Something a person has to put right; shown as its sentence alone, without a stack. */
export class SetupError extends Error {
  /** @param {string} message @param {ErrorOptions} [options] */
  constructor(message, options) {
    super(message, options);
    this.name = 'SetupError';
  }
}

/**
 * Says what the machinery is doing, on stderr: stdout belongs to the command that was asked for.
 *
 * @param {string} sentence
 */
export function say(sentence) {
  process.stderr.write(`${sentence}\n`);
}

/**
 * Runs an entry point. A `SetupError` ends the process with its sentence and exit code 1; anything else keeps its stack.
 *
 * @param {() => Promise<void>} main
 */
export async function runEntry(main) {
  try {
    await main();
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    say(`\n${error.message}`);
    process.exitCode = 1;
  }
}
