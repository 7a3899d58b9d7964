import { onTestFinished, vi } from 'vitest';

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
