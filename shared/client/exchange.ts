import type { Platform } from './platform.ts';

/** A request, the same for each attempt. */
export interface Exchange {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: string | undefined;
}

/** A whole answer. */
export interface Answer {
  status: number;
  requestId: string | undefined;
  retryAfter: string | null;
  text: string;
}

/** No whole answer came, in our words and in those of what failed. */
export class Lost {
  readonly how: string;
  readonly cause: unknown;

  constructor(how: string, cause?: unknown) {
    this.how = how;
    this.cause = cause;
  }
}

/**
 * One attempt, from the connection to the last byte of the answer.
 *
 * Redirects are not followed: the keys are meant for one address. They come back as an answer, in browsers with status 0.
 *
 * @throws the reason of `signal`, when that is aborted.
 */
export async function exchange(
  { url, method, headers, body }: Exchange,
  platform: Platform,
  timeoutMs: number,
  signal?: AbortSignal,
): Promise<Answer | Lost> {
  signal?.throwIfAborted();
  // Not AbortSignal.any and timeout: on a signal that lives as long as the process, those leave something behind each time.
  const attempt = new AbortController();
  const giveUp = () => attempt.abort(signal!.reason);
  let isTooLate = false;
  const timer = setTimeout(() => {
    isTooLate = true;
    attempt.abort();
  }, timeoutMs);
  signal?.addEventListener('abort', giveUp, { once: true });
  try {
    const init = { method, headers, redirect: 'manual', signal: attempt.signal, ...(body !== undefined && { body }) } as const;
    const response = await platform.fetch(url, init);
    const text = await response.text();
    const requestId = response.headers.get('x-request-id') ?? undefined;
    return { status: response.status, requestId, retryAfter: response.headers.get('retry-after'), text };
  } catch (cause) {
    signal?.throwIfAborted();
    return isTooLate ? new Lost(`no whole answer within ${timeoutMs} ms`) : new Lost('the connection failed', cause);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', giveUp);
  }
}
