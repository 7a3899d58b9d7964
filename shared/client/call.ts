import type { Struct } from 'superstruct';
import { checked, contentOf } from './answers.ts';
import { FairtermError, NoAnswerError } from './errors.ts';
import { type Answer, type Exchange, exchange, Lost } from './exchange.ts';
import type { Platform } from './platform.ts';
import { type Attempted, isWorthRetrying, retryAfterMs, retryWaitMs } from './retries.ts';

/** How long, and how often, a call is tried. */
export interface Patience {
  attempts: number;
  attemptTimeoutMs: number;
  totalTimeoutMs: number;
}

export interface Call<T> extends Exchange {
  /** For messages: `carts.create`. */
  name: string;
  idempotencyKey: string | undefined;
  /** What answers; undefined when nothing is to be read from it. */
  answer: Struct<T> | undefined;
  signal: AbortSignal | undefined;
}

/**
 * Makes a call, again and again where that may help, and reads its answer.
 *
 * @param clean - Takes secrets out of a text that came from outside.
 * @throws FairtermError | NoAnswerError, or the reason of the call's signal.
 */
export async function makeCall<T>(
  call: Call<T>,
  patience: Patience,
  platform: Platform,
  clean: (text: string) => string,
): Promise<T> {
  const deadlineMs = platform.now() + patience.totalTimeoutMs;
  for (let attempts = 1; ; attempts++) {
    const timeoutMs = Math.max(1, Math.min(patience.attemptTimeoutMs, deadlineMs - platform.now()));
    const answer = await exchange(call, platform, timeoutMs, call.signal);
    const outcome = answer instanceof Lost ? outcomeOfLost(call, answer, attempts) : outcomeOf(call, answer, attempts, clean);
    if ('value' in outcome) return outcome.value;

    const { error } = outcome;
    const askedMs = answer instanceof Lost ? undefined : retryAfterMs(answer.retryAfter, platform.now());
    const waitMs = retryWaitMs(attempts, platform.chance(), askedMs);
    const isInTime = attempts < patience.attempts && platform.now() + waitMs < deadlineMs;
    if (!isInTime || !isWorthRetrying(attemptedBy(error))) throw error;
    await platform.wait(waitMs, call.signal);
  }
}

type Outcome<T> = { value: T } | { error: FairtermError | NoAnswerError };

function attemptedBy(error: FairtermError | NoAnswerError): Attempted {
  const refused = error instanceof FairtermError;
  return { status: error.status, refused, code: refused ? error.code : undefined };
}

function outcomeOfLost<T>({ name, idempotencyKey }: Call<T>, { how, cause }: Lost, attempts: number): Outcome<T> {
  return { error: new NoAnswerError(`${name} was not answered: ${how}`, { attempts, idempotencyKey, cause }) };
}

function outcomeOf<T>(
  { name, idempotencyKey, answer: struct }: Call<T>,
  { status, requestId, text }: Answer,
  attempts: number,
  clean: (text: string) => string,
): Outcome<T> {
  const unusable = (how: string) => {
    const details = { attempts, status, requestId, idempotencyKey };
    return { error: new NoAnswerError(`${name} was answered ${status}, ${how}`, details) };
  };
  const content = contentOf(text);
  if (content.kind === 'refusal') {
    const { description, type, code } = content;
    return { error: new FairtermError(clean(description), { status, type, code, requestId }) };
  }
  if (status < 200 || status > 299) return unusable('and not by Fairterm: its error body is missing');
  if (!struct) return { value: undefined as T };
  if (content.kind === 'unreadable') return unusable('but not with JSON');
  const read = checked(content.value, struct);
  return 'value' in read ? read : unusable(`but not with what it should: look at ${read.at}`);
}
