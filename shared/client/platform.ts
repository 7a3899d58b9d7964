/** What the client needs of where it runs. Node 20, Deno, Bun and workers have all of it; tests bring their own. */
export interface Platform {
  fetch(url: string, init: RequestInit): Promise<Response>;
  /** Milliseconds since 1970. */
  now(): number;
  /** From 0 to 1. */
  chance(): number;
  /** A word that no other call has: an idempotency key. */
  newKey(): string;
  /** Resolves after `ms`, or rejects with the signal's reason as soon as it is aborted. */
  wait(ms: number, signal?: AbortSignal): Promise<void>;
}

/** The one place of `shared/` that knows a network, a clock and chance; everything else gets them handed. */
export const ownPlatform: Platform = {
  // Looked up with each call: who replaces the global later, to watch it, is heard.
  fetch: (url, init) => fetch(url, init),
  now: () => Date.now(),
  chance: () => Math.random(),
  newKey: () => crypto.randomUUID(),
  wait: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason as Error);
      const giveUp = () => {
        clearTimeout(timer);
        reject(signal!.reason as Error);
      };
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', giveUp);
        resolve();
      }, ms);
      signal?.addEventListener('abort', giveUp, { once: true });
    }),
};
