import pino, { type Logger } from 'pino';

/** A log whose lines can be looked at. */
export function givenLog(): { log: Logger; logged: string[] } {
  const logged: string[] = [];
  const write = (lines: string) => void logged.push(...lines.trimEnd().split('\n'));
  return { log: pino({}, { write }), logged };
}
