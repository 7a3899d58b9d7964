import { mask, type Struct, StructError } from 'superstruct';
import { retryAfterMs } from '../retry-after.ts';
import { UnknownOutcomeError } from './errors.ts';
import type { Connection, Redact, Runtime } from './options.ts';
import { type ErrorResponse, isRetryable, type Outcome, type ParseError, retryDelayMs } from './outcomes.ts';

/** An HTTP request, the same for each attempt. */
export interface HttpRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  body?: string | undefined;
}

export interface ApiRequest<T> extends HttpRequest {
  /** Name of the operation in messages, for example `carts.create`. */
  operation: string;
  idempotencyKey?: string | undefined;
  /** Struct of the response. Without it, the body of the response is ignored. */
  response?: Struct<T> | undefined;
  parseError: ParseError;
  signal?: AbortSignal | undefined;
}

/**
 * Sends a request, retries it where that is safe and may help, and returns the parsed response.
 *
 * @param redact - Removes secrets from text that the service sent.
 * @throws FairtermError | FairtermPlatformError | UnknownOutcomeError, or the reason of the request's signal.
 */
export async function sendWithRetries<T>(
  request: ApiRequest<T>,
  { limits, runtime }: Omit<Connection, 'baseUrl'>,
  redact: Redact,
): Promise<Received<T>> {
  const deadlineMs = runtime.now() + limits.totalTimeoutMs;
  let countedAttempts = 0;
  let mayHaveTakenEffect = false;
  for (let attempts = 1; ; attempts++) {
    // At least 1, because a wait can end after the deadline.
    const timeoutMs = Math.max(1, Math.min(limits.attemptTimeoutMs, deadlineMs - runtime.now()));
    const response = await sendOnce(request, runtime, timeoutMs, request.signal);
    const result =
      response instanceof NoResponse
        ? missingResponse(request, response, attempts)
        : parseResponse(request, response, attempts, redact);
    if ('value' in result) return result;

    const { error, outcome } = result;
    const isInProgress = outcome === 'in-progress';
    if (!isInProgress) countedAttempts++;
    // A read has no effect, so only its last outcome matters.
    if (outcome !== 'no-effect' || !request.idempotencyKey) mayHaveTakenEffect = outcome === 'unknown' || isInProgress;
    const requestedMs = response instanceof NoResponse ? undefined : retryAfterMs(response.retryAfter, runtime.now());
    const delayMs = retryDelayMs(isInProgress ? attempts : countedAttempts, runtime.random(), outcome, requestedMs);
    const isWithinLimits = countedAttempts < limits.attempts && runtime.now() + delayMs < deadlineMs;
    if (!isWithinLimits || !isRetryable(outcome, error.status)) {
      throw mayHaveTakenEffect ? asUnknownOutcome(request, error, attempts) : error;
    }
    await runtime.wait(delayMs, request.signal);
  }
}

/** A parsed response. */
export interface Received<T> {
  value: T;
  /** The `link` header. */
  link: string | undefined;
}

/** A complete response. */
interface HttpResponse {
  status: number;
  requestId: string | undefined;
  retryAfter: string | null;
  link: string | undefined;
  text: string;
}

/** The reason why there is no complete response. */
class NoResponse {
  readonly reason: string;
  readonly cause: unknown;

  constructor(reason: string, cause?: unknown) {
    this.reason = reason;
    this.cause = cause;
  }
}

/**
 * Makes one attempt, from the connection to the last byte of the response.
 *
 * Does not follow redirects, because the keys must be sent only to the configured service. A redirect is returned as a response,
 * in browsers with status 0.
 *
 * @throws the reason of `signal` if it is aborted.
 */
async function sendOnce(
  { url, method, headers, body }: HttpRequest,
  runtime: Runtime,
  timeoutMs: number,
  signal?: AbortSignal,
): Promise<HttpResponse | NoResponse> {
  signal?.throwIfAborted();
  // AbortSignal.any and AbortSignal.timeout leak memory if the signal lives as long as the process.
  const attempt = new AbortController();
  const abort = () => attempt.abort(signal!.reason);
  let isTimedOut = false;
  const timer = setTimeout(() => {
    isTimedOut = true;
    attempt.abort();
  }, timeoutMs);
  signal?.addEventListener('abort', abort, { once: true });
  try {
    const init = { method, headers, redirect: 'manual', signal: attempt.signal, ...(body !== undefined && { body }) } as const;
    const response = await runtime.fetch(url, init);
    const text = await response.text();
    const requestId = response.headers.get('x-request-id') ?? undefined;
    const link = response.headers.get('link') ?? undefined;
    return { status: response.status, requestId, retryAfter: response.headers.get('retry-after'), link, text };
  } catch (cause) {
    signal?.throwIfAborted();
    return isTimedOut
      ? new NoResponse(`no complete response within ${timeoutMs} ms`)
      : new NoResponse('connection failed', cause);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
}

type Result<T> = Received<T> | { error: ErrorResponse['error'] | UnknownOutcomeError; outcome: Outcome };

/** Wraps `error`, so that it is not mistaken for a rejection: the call may have had its effect. */
function asUnknownOutcome<T>(
  { operation, idempotencyKey }: ApiRequest<T>,
  error: ErrorResponse['error'] | UnknownOutcomeError,
  attempts: number,
): Error {
  if (error instanceof UnknownOutcomeError) return error;
  const { status, message, requestId } = error;
  const details = { attempts, status, requestId, idempotencyKey, cause: error };
  return new UnknownOutcomeError(`${operation}: unknown outcome, received status ${status}: ${message}`, details);
}

function missingResponse<T>(
  { operation, idempotencyKey }: ApiRequest<T>,
  { reason, cause }: NoResponse,
  attempts: number,
): Result<T> {
  const error = new UnknownOutcomeError(`${operation}: ${reason}`, { attempts, idempotencyKey, cause });
  return { error, outcome: 'unknown' };
}

function parseResponse<T>(
  { operation, idempotencyKey, response: struct, parseError }: ApiRequest<T>,
  { status, requestId, link, text }: HttpResponse,
  attempts: number,
  redact: Redact,
): Result<T> {
  const unusable = (expected: string): Result<T> => {
    const message = `${operation}: expected ${expected}, but received status ${status} without it`;
    const error = new UnknownOutcomeError(message, { attempts, status, requestId, idempotencyKey });
    return { error, outcome: 'unknown' };
  };
  const json = parseJson(text);
  const errorResponse = json && parseError(json.value, { status, requestId, idempotencyKey }, redact);
  if (errorResponse) return errorResponse;
  if (status < 200 || status > 299) return unusable("Fairterm's error body");
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- without a struct, T is void
  if (!struct) return { value: undefined as T, link };
  if (!json) return unusable('JSON');
  try {
    // Drops the fields that a newer service may add.
    return { value: mask(json.value, struct), link };
  } catch (error) {
    if (!(error instanceof StructError)) throw error;
    // The message contains only the path, because the value may be personal data.
    return unusable(`a valid value at "${error.path.join('.')}"`);
  }
}

/** Parses a response. An empty one has the value undefined. Returns undefined if the text is not JSON. */
function parseJson(text: string): { value: unknown } | undefined {
  if (text.trim() === '') return { value: undefined };
  try {
    return { value: JSON.parse(text) };
  } catch {
    // The parser's message quotes the text, which may contain secrets.
    return undefined;
  }
}
