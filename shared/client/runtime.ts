/** The APIs that the client needs from its runtime. Node.js 20, Deno, Bun and workers provide all of them. */
export interface Runtime {
  fetch(url: string, init: RequestInit): Promise<Response>;
  /** Milliseconds since 1970. */
  now(): number;
  /** A random number from 0 to 1. */
  random(): number;
  /** A unique idempotency key. */
  newIdempotencyKey(): string;
  /** Resolves after `ms`. Rejects with the signal's reason as soon as it is aborted. */
  wait(ms: number, signal?: AbortSignal): Promise<void>;
}

export const defaultRuntime: Runtime = {
  // Looked up with each call, so that tools can replace the global later.
  fetch: (url, init) => fetch(url, init),
  now: () => Date.now(),
  random: () => Math.random(),
  newIdempotencyKey: () => crypto.randomUUID(),
  wait: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const abort = () => {
        clearTimeout(timer);
        reject(signal!.reason);
      };
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', abort);
        resolve();
      }, ms);
      signal?.addEventListener('abort', abort, { once: true });
    }),
};
