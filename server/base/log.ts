import pino, { type Logger } from 'pino';
import { errorLogFields } from './errors.ts';

/** Writes log lines together, from 4 KiB or after 100 ms. Writing each of them takes a fifth of the processor time of a request (decisions/0035). */
const DESTINATION = { sync: false, minLength: 4_096, periodicFlush: 100 };

/** Creates the log of a service: JSON lines on standard output. docs/operations.md describes their levels and fields. */
export function createLog(): Logger {
  return pino(pino.destination(DESTINATION));
}

/**
 * Ends the process after an error that no code handled: its state is unknown, and another process continues from the database, where
 * all changes of money are. Node's default would also end it, but print the error's message, which can contain personal data.
 */
export function exitOnUnhandledErrors(log: Logger): void {
  // Also receives the reasons of promises that reject without a handler.
  process.on('uncaughtException', (thrown) => {
    log.fatal({ at: 'process', ...errorLogFields(thrown) });
    process.exit(1);
  });
}
