import { setTimeout as delay } from 'node:timers/promises';

/** A background job that runs on an interval. */
export interface Job {
  /** Resolves after the current run has returned. */
  stop(): Promise<void>;
}

/**
 * Runs `run` immediately, and again `intervalMs` after each run has finished.
 *
 * @param run - Checks `isRunning` between its steps and returns early when the job is being stopped.
 * @param onError - Called with the error of a run that failed. The job continues.
 * @param runsAtEnd - Whether it also runs when the job is stopped, to save what is in memory. `isRunning` is then always false.
 */
export function startJob(
  intervalMs: number,
  run: (isRunning: () => boolean) => Promise<unknown>,
  onError: (thrown: unknown) => void,
  { runsAtEnd = false } = {},
): Job {
  const stopping = new AbortController();
  const { signal } = stopping;

  const running = (async () => {
    while (!signal.aborted) {
      await run(() => !signal.aborted).catch(onError);
      // Rejects when the job is stopped.
      await delay(intervalMs, undefined, { signal }).catch(() => undefined);
    }
  })();

  return {
    stop: async () => {
      stopping.abort();
      await running;
      if (runsAtEnd) await run(() => false).catch(onError);
    },
  };
}
