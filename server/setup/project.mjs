import { fileURLToPath } from 'node:url';

/** The folder that holds package.json, without a trailing slash. */
export const projectRoot = fileURLToPath(new URL('../../', import.meta.url)).replace(/[/\\]$/, '');

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
