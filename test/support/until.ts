import { setTimeout as delay } from 'node:timers/promises';

const POLL_MS = 5;

/**
 * Waits until `condition` holds, and not a moment longer.
 *
 * @returns What `condition` gave, once that is neither false nor undefined nor null.
 * @throws Error - it did not hold within `timeoutMs`; the message quotes the condition.
 */
export async function until<T>(
  condition: () => T | Promise<T>,
  timeoutMs = 15_000,
): Promise<Exclude<T, false | undefined | null>> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const met = await condition();
    if (met !== false && met !== undefined && met !== null) return met as Exclude<T, false | undefined | null>;
    if (performance.now() > deadline) throw new Error(`Not within ${timeoutMs} ms: ${condition.toString()}`);
    await delay(POLL_MS);
  }
}
