/** Helpers that wait for conditions and control timeouts. */
import { setTimeout as delay } from 'node:timers/promises';
import { onTestFinished, vi } from 'vitest';

const POLL_MS = 5;

/**
 * Waits until `condition` returns a value other than false, undefined and null, and returns that value.
 *
 * @throws Error - the condition was not met within `timeoutMs`; the message contains its source.
 */
export async function until<T>(
  condition: () => T | Promise<T>,
  timeoutMs = 150_000,
): Promise<Exclude<T, false | undefined | null>> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const met = await condition();
    if (met !== false && met !== undefined && met !== null) return met as Exclude<T, false | undefined | null>;
    if (performance.now() > deadline) throw new Error(`Condition was not met within ${timeoutMs} ms: ${condition.toString()}`);
    await delay(POLL_MS);
  }
}

export interface CapturedTimeouts {
  /** The requested timeouts, in milliseconds, oldest first. */
  requestedMs: number[];
  /** Expires every timeout that was requested so far. */
  expire(): void;
}

/** Makes the signals of `AbortSignal.timeout` abort when the running test calls `expire()`, regardless of the time. */
export function captureTimeouts(): CapturedTimeouts {
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
      for (const controller of controllers.splice(0))
        controller.abort(new DOMException('The operation timed out', 'TimeoutError'));
    },
  };
}
