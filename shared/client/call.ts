import type { Struct } from 'superstruct';
import { checked, type Content, contentOf } from './answers.ts';
import { FairtermError, NoAnswerError } from './errors.ts';
import { type Answer, type Exchange, exchange, Lost } from './exchange.ts';
import type { Platform } from './platform.ts';
import { isWorthRetrying, retryAfterMs, retryWaitMs } from './retries.ts';

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
    const content = answer instanceof Lost ? undefined : contentOf(answer.text);
    const failed = failureOf(call, answer, content, attempts, clean);
    if (!failed) return valueOf(call, answer as Answer, content!, attempts);

    const waitMs = waitAfter(answer, content, attempts, platform);
    const isOver = waitMs === undefined || attempts >= patience.attempts || platform.now() + waitMs >= deadlineMs;
    if (isOver) throw failed;
    await platform.wait(waitMs, call.signal);
  }
}

/** How long to wait before the next attempt; undefined when there is no use in one. */
function waitAfter(
  answer: Answer | Lost,
  content: Content | undefined,
  attempts: number,
  { now, chance }: Platform,
): number | undefined {
  const isAnswer = !(answer instanceof Lost);
  const refused = content?.kind === 'refusal';
  const attempted = { status: isAnswer ? answer.status : undefined, refused, code: refused ? content.code : undefined };
  if (!isWorthRetrying(attempted)) return undefined;
  return retryWaitMs(attempts, chance(), isAnswer ? retryAfterMs(answer.retryAfter, now()) : undefined);
}

function failureOf<T>(
  call: Call<T>,
  answer: Answer | Lost,
  content: Content | undefined,
  attempts: number,
  clean: (text: string) => string,
): FairtermError | NoAnswerError | undefined {
  const { name, idempotencyKey } = call;
  if (answer instanceof Lost) {
    const { how, cause } = answer;
    return new NoAnswerError(`${name} was not answered: ${how}`, { attempts, idempotencyKey, cause });
  }
  const { status, requestId } = answer;
  if (content?.kind === 'refusal') {
    const { description, type, code } = content;
    return new FairtermError(clean(description), { status, type, code, requestId });
  }
  if (status >= 200 && status <= 299) return undefined;
  const message = `${name} was answered ${status}, and not by Fairterm: its error body is missing`;
  return new NoAnswerError(message, { attempts, status, requestId, idempotencyKey });
}

function valueOf<T>(call: Call<T>, { status, requestId }: Answer, content: Content, attempts: number): T {
  const { name, idempotencyKey, answer } = call;
  if (!answer) return undefined as T;
  const details = { attempts, status, requestId, idempotencyKey };
  if (content.kind !== 'value') throw new NoAnswerError(`${name} was answered ${status}, but not with JSON`, details);
  const read = checked(content.value, answer);
  if ('value' in read) return read.value;
  throw new NoAnswerError(`${name} was answered ${status}, but not with what it should: look at ${read.at}`, details);
}
