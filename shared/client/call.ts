import type { Struct } from 'superstruct';
import { retryAfterMs } from '../retry-after.ts';
import { checked, contentOf } from './answers.ts';
import { NoAnswerError } from './errors.ts';
import { type Answer, type Exchange, exchange, Lost } from './exchange.ts';
import type { Outcome } from './outcomes.ts';
import type { Platform } from './platform.ts';
import type { ReadRefusal, Refused } from './refusals.ts';
import { isWorthRetrying, retryWaitMs } from './retries.ts';

/** How long, and how often, a call is tried. */
export interface Patience {
  /** Those that find an earlier one under way are not counted: they only wait for its answer. */
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
  refusal: ReadRefusal;
  signal: AbortSignal | undefined;
}

/**
 * Makes a call, again and again where that may help, and reads its answer.
 *
 * @param clean - Takes secrets out of a text that came from outside.
 * @throws FairtermError | FairtermPlatformError | NoAnswerError, or the reason of the call's signal.
 */
export async function makeCall<T>(
  call: Call<T>,
  patience: Patience,
  platform: Platform,
  clean: (text: string) => string,
): Promise<T> {
  const deadlineMs = platform.now() + patience.totalTimeoutMs;
  let countedAttempts = 0;
  let mayHaveHappened = false;
  for (let attempts = 1; ; attempts++) {
    const timeoutMs = Math.max(1, Math.min(patience.attemptTimeoutMs, deadlineMs - platform.now()));
    const answer = await exchange(call, platform, timeoutMs, call.signal);
    const read = answer instanceof Lost ? readLost(call, answer, attempts) : readAnswer(call, answer, attempts, clean);
    if ('value' in read) return read.value;

    const { error, outcome } = read;
    const isUnderWay = outcome === 'under-way';
    if (!isUnderWay) countedAttempts++;
    // What is read has no effect, so that its last answer is all there is to say.
    if (outcome !== 'without-effect' || !call.idempotencyKey) mayHaveHappened = outcome === 'unknown' || isUnderWay;
    const askedMs = answer instanceof Lost ? undefined : retryAfterMs(answer.retryAfter, platform.now());
    const waitMs = retryWaitMs(isUnderWay ? attempts : countedAttempts, platform.chance(), outcome, askedMs);
    const isInTime = countedAttempts < patience.attempts && platform.now() + waitMs < deadlineMs;
    if (!isInTime || !isWorthRetrying(outcome, error.status)) throw mayHaveHappened ? leftOpen(call, error, attempts) : error;
    await platform.wait(waitMs, call.signal);
  }
}

type Read<T> = { value: T } | { error: Refused['error'] | NoAnswerError; outcome: Outcome };

/** Wraps `error`, so that it is not mistaken for a rejection: the call may have had its effect. */
function leftOpen<T>({ name, idempotencyKey }: Call<T>, error: Refused['error'] | NoAnswerError, attempts: number): Error {
  if (error instanceof NoAnswerError) return error;
  const { status, message, requestId } = error;
  const details = { attempts, status, requestId, idempotencyKey, cause: error };
  return new NoAnswerError(`${name} was answered ${status}, which decides nothing: ${message}`, details);
}

function readLost<T>({ name, idempotencyKey }: Call<T>, { how, cause }: Lost, attempts: number): Read<T> {
  const error = new NoAnswerError(`${name} was not answered: ${how}`, { attempts, idempotencyKey, cause });
  return { error, outcome: 'unknown' };
}

function readAnswer<T>(
  { name, idempotencyKey, answer: struct, refusal }: Call<T>,
  { status, requestId, text }: Answer,
  attempts: number,
  clean: (text: string) => string,
): Read<T> {
  const unusable = (how: string): Read<T> => {
    const details = { attempts, status, requestId, idempotencyKey };
    return { error: new NoAnswerError(`${name} was answered ${status}, ${how}`, details), outcome: 'unknown' };
  };
  const content = contentOf(text);
  const refused = content.kind === 'value' ? refusal(content.value, { status, requestId, idempotencyKey }, clean) : undefined;
  if (refused) return refused;
  if (status < 200 || status > 299) return unusable('and not by Fairterm: its error body is missing');
  if (!struct) return { value: undefined as T };
  if (content.kind === 'unreadable') return unusable('but not with JSON');
  const checkedValue = checked(content.value, struct);
  return 'value' in checkedValue ? checkedValue : unusable(`but not with what it should: look at ${checkedValue.at}`);
}
