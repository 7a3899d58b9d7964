import { setTimeout as delay } from 'node:timers/promises';

export interface Periodic {
  /** Ends after what is under way. */
  stop(): Promise<void>;
}

/**
 * Does `work` at once and then every `everyMs`, until it is stopped.
 *
 * @param work - Is handed a question to ask between its parts: false ends it early, because it is told to stop.
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
      // Told to stop, the pause is cut short.
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
