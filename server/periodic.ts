import { setTimeout as delay } from 'node:timers/promises';

export interface Periodic {
  /** Ends after what is under way. */
  stop(): Promise<void>;
}

/**
 * Runs `work` immediately and then every `everyMs`, until it is stopped.
 *
 * @param work - Calls `mayGoOn` between its steps and returns early if it is false, because the job is stopping.
 */
export function everyWhile(
  everyMs: number,
  work: (mayGoOn: () => boolean) => Promise<unknown>,
  onError: (thrown: unknown) => void,
): Periodic {
  const stopping = new AbortController();
  const { signal } = stopping;

  const running = (async () => {
    while (!signal.aborted) {
      await work(() => !signal.aborted).catch(onError);
      // Stopping ends the pause early.
      await delay(everyMs, undefined, { signal }).catch(() => undefined);
    }
  })();

  return {
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
}
