/** Waits for conditions, and controls timeouts. */
import { setTimeout as delay } from 'node:timers/promises';
import { onTestFinished, vi } from 'vitest';

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

export interface HeldTimeouts {
  /** The timeouts that were asked for, in milliseconds, oldest first. */
  requestedMs: number[];
  /** Ends every timeout that was asked for so far. */
  expire(): void;
}

/** Makes the signals of `AbortSignal.timeout` abort when the running test says so, and not when time has passed. */
export function holdTimeouts(): HeldTimeouts {
  const requestedMs: number[] = [];
  const controllers: AbortController[] = [];
  const spy = vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
    const controller = new AbortController();
    requestedMs.push(ms);
    controllers.push(controller);
    return controller.signal;
  });
  onTestFinished(() => spy.mockRestore());
  return {
    requestedMs,
    expire: () => {
      for (const controller of controllers.splice(0)) controller.abort(new DOMException('The time is over', 'TimeoutError'));
    },
  };
}
