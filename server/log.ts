import pino, { type Logger } from 'pino';

/** Lines are written together once there are so many bytes of them, */
const TOGETHER_BYTES = 8_192;

/** or when so long has passed. */
const SOON_MS = 250;

/**
 * The service's log, on standard output.
 *
 * Written together, because a system call for each line costs as much as many a request does. What is waiting is written when
 * the process ends, also by a fault; only one that is killed outright loses its last quarter of a second.
 */
export function serviceLog(): Logger {
  return pino({}, pino.destination({ dest: 1, sync: false, minLength: TOGETHER_BYTES, periodicFlush: SOON_MS }));
}
