import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { isAuthenticated } from './caller.ts';
import type { Middleware } from './context.ts';
import { WIDER_ALLOWANCE } from '../limits/attempts.ts';
import { clientNetworks } from './rate-limit.ts';

/** Time for which requests are started in one turn of the event loop. */
const TURN_MS = 10;

/** The same for requests with valid credentials, long enough for the writes of 128 clients to share a commit. */
const PREFERRED_TURN_MS = 20;

/**
 * Requests of a network that may be in progress when its next one starts, and the time after which a request does not count. On
 * PostgreSQL, the results of all requests in progress can arrive in one turn.
 */
const MAX_IN_PROGRESS = 2;
const MAX_PROGRESS_MS = 100;

/** A request that waits for its start. */
interface Waiting {
  /** The networks of the client, the narrowest first. */
  networks: readonly string[];
  start: () => void;
}

/**
 * Starts requests in rotation between client networks, in each turn of the event loop for at least one request and a limited time.
 * A client with many requests delays its own, and other clients wait for one of them at a time.
 *
 * Requests with credentials that were valid before start first, and the others take at least one start of each turn, if their network
 * has fewer than `MAX_IN_PROGRESS`. Whether other credentials are valid is only known after their start, so that invalid ones give no
 * advantage.
 *
 * Nothing is rejected here. Later middleware rejects requests that arrived while too many of their network were waiting (`isExcess`),
 * unless they are authenticated.
 *
 * @param maxWaitingPerAddress - Wider networks have the allowances of rate limits. 0: no limit.
 */
export function fairQueue(maxWaitingPerAddress: number, trustProxy: boolean): Middleware {
  const preferred = new Rotation();
  const others = new Rotation();
  /** Hashes of the latest valid credentials. */
  const validCredentials = new LRUCache<string, true>({ max: 10_000 });
  /** Requests in progress that are not preferred, by their widest network. */
  const inProgress = new Map<string, number>();
  /** Callbacks that had no request to start, because each waiting network has as many in progress as it may. */
  let blockedStarts = 0;
  let turnStartedAtMs: number | undefined;
  let hasStartedOther = false;

  const isFull = (networks: readonly string[]): boolean =>
    maxWaitingPerAddress > 0 &&
    networks.some((network, level) => others.waiting(network) >= maxWaitingPerAddress * WIDER_ALLOWANCE ** level);

  const startNext = (): void => {
    if (turnStartedAtMs === undefined) {
      turnStartedAtMs = performance.now();
      hasStartedOther = false;
      // Runs before the starts of the next turn, because callbacks run in the order in which they were scheduled.
      setImmediate(() => (turnStartedAtMs = undefined));
    }
    const elapsedMs = performance.now() - turnStartedAtMs;
    const next =
      (elapsedMs < PREFERRED_TURN_MS && preferred.take()) || ((elapsedMs < TURN_MS || !hasStartedOther) && takeOther());
    const isBlocked = preferred.isEmpty() && !hasStartedOther;
    if (next) next.start();
    else if (isBlocked) blockedStarts += 1;
    else setImmediate(startNext);
  };

  /** Counts a request in progress until the returned function is called, or for `MAX_PROGRESS_MS`. */
  const countInProgress = (network: string): (() => void) => {
    inProgress.set(network, (inProgress.get(network) ?? 0) + 1);
    let isCounted = true;
    const release = (): void => {
      if (!isCounted) return;
      isCounted = false;
      clearTimeout(timeout);
      const count = inProgress.get(network)! - 1;
      if (count === 0) inProgress.delete(network);
      else inProgress.set(network, count);
      for (; blockedStarts > 0; blockedStarts -= 1) setImmediate(startNext);
    };
    const timeout = setTimeout(release, MAX_PROGRESS_MS).unref();
    return release;
  };

  const takeOther = (): Waiting | undefined => {
    const next = others.take((network) => (inProgress.get(network) ?? 0) < MAX_IN_PROGRESS);
    hasStartedOther ||= next !== undefined;
    return next;
  };

  return async (ctx, next) => {
    const networks = clientNetworks(ctx.req, trustProxy);
    const { authorization } = ctx.req.headers;
    const credentials = authorization && hash('sha256', authorization, 'base64');
    const isPreferred = credentials !== undefined && validCredentials.has(credentials);
    const queue = isPreferred ? preferred : others;
    ctx.state.isExcess = !isPreferred && isFull(networks);
    await new Promise<void>((start) => {
      queue.add({ networks, start });
      // One callback for each request, because Node runs everything that a request does without waiting before the next callback.
      setImmediate(startNext);
    });
    // The client has disconnected, and the request has had no effect.
    if (ctx.req.destroyed) return;
    const release = isPreferred ? undefined : countInProgress(networks.at(-1)!);
    try {
      await next();
    } finally {
      release?.();
      if (credentials && isAuthenticated(ctx)) validCredentials.set(credentials, true);
      else if (credentials) validCredentials.delete(credentials);
    }
  };
}

/** Waiting requests, which are taken in rotation between the widest networks of their clients. */
class Rotation {
  readonly #byNetwork = new Map<string, Waiting[]>();
  readonly #counts = new Map<string, number>();

  add(request: Waiting): void {
    const network = request.networks.at(-1)!;
    const queue = this.#byNetwork.get(network);
    if (queue) queue.push(request);
    else this.#byNetwork.set(network, [request]);
    this.#count(request, 1);
  }

  isEmpty(): boolean {
    return this.#byNetwork.size === 0;
  }

  take(mayStart: (network: string) => boolean = () => true): Waiting | undefined {
    for (const [network, queue] of this.#byNetwork) {
      if (!mayStart(network)) continue;
      const request = queue.shift()!;
      // The network moves to the end.
      this.#byNetwork.delete(network);
      if (queue.length > 0) this.#byNetwork.set(network, queue);
      this.#count(request, -1);
      return request;
    }
    return undefined;
  }

  /** Returns the number of waiting requests of a network. */
  waiting(network: string): number {
    return this.#counts.get(network) ?? 0;
  }

  #count({ networks }: Waiting, difference: 1 | -1): void {
    for (const network of networks) {
      const count = this.waiting(network) + difference;
      if (count === 0) this.#counts.delete(network);
      else this.#counts.set(network, count);
    }
  }
}
