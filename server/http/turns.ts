import type { Middleware } from './context.ts';

/** Time for which requests are started in one turn of the event loop, long enough for the writes of 128 clients to share a commit. */
const TURN_MS = 20;

/**
 * Starts requests in the order of their arrival, in each turn of the event loop for a limited time. Node would start all that have arrived
 * before it returns to timers, results of the database and other connections.
 */
export function startInTurns(): Middleware {
  const waiting: (() => void)[] = [];
  let turnStartedAtMs: number | undefined;

  const startNext = (): void => {
    if (turnStartedAtMs === undefined) {
      turnStartedAtMs = performance.now();
      // Runs before the starts of the next turn, because callbacks run in the order in which they were scheduled.
      setImmediate(() => (turnStartedAtMs = undefined));
    }
    if (performance.now() - turnStartedAtMs < TURN_MS) waiting.shift()!();
    else setImmediate(startNext);
  };

  return async (ctx, next) => {
    await new Promise<void>((start) => {
      waiting.push(start);
      // One callback for each request, because Node runs everything that a request does without waiting before the next callback.
      setImmediate(startNext);
    });
    // Otherwise the client has disconnected, and the request has no effect.
    if (!ctx.req.destroyed) await next();
  };
}
