import Router from '@koa/router';
import { is, literal, type } from 'superstruct';
import { messageOf, ServiceError } from '../../base/errors.ts';
import { type BodyLimits, jsonReader } from '../../http/body.ts';
import type { Context, State } from '../../http/context.ts';
import { withdrawConsent } from '../decision/actions.ts';
import { type Attempt, openResponse } from '../../lending/lenders/signed-client.ts';
import { type Clock, epochMs } from '../../base/time.ts';
import { receiveDecision } from '../waiting/receive.ts';
import type { CheckoutDeps } from '../session/deps.ts';

/** A consent that the lender may report as withdrawn. */
const WithdrawnConsent = type({ consent: literal('electronic-documents'), state: literal('withdrawn') });
const WITHDRAWN_CONSENT = 'Expected {"consent":"electronic-documents","state":"withdrawn"}, but received another body.';

/** As large as the response to a request. */
const CALL: BodyLimits = { maxBytes: 65_536, allowCompression: false };

/** The status of each outcome, and what the log of calls states about it. */
const RESPONSES = {
  recorded: [200, ''],
  different: [409, 'another decision about this request is recorded'],
  unknown: [404, 'no application has this request or id'],
} as const;

export interface LenderRouteDeps {
  deps: CheckoutDeps;
  /** The clock of purchases, which a merchant can move in the sandbox. */
  clock: Clock;
  /** The actual time, for signatures and for the log of calls. */
  realClock: Clock;
  /** The secrets of the lender that decides. */
  secrets: readonly string[];
  /** Receives each call with a valid signature. */
  onCall(call: Attempt): void;
}

/** The lender's API: decisions that it sends without being asked, and withdrawn consents. They are signed like the response to a request. */
export function lenderRoutes({ deps, clock, realClock, secrets, onCall }: LenderRouteDeps): Router<State> {
  const router = new Router<State>({ prefix: '/lender' });
  const readJson = jsonReader(CALL);

  /** Adds a path for calls about the request or the application that the `webhook-id` names. */
  const receive = (path: string, process: (id: string, content: unknown) => Promise<keyof typeof RESPONSES>) =>
    router.post(path, (ctx) => respond(ctx, process));

  receive('/decisions', (requestId, content) => receiveDecision(deps, requestId, content, clock.now()));
  receive('/consents', async (applicationId, content) => {
    if (!is(content, WithdrawnConsent)) throw new ServiceError('invalid-request', WITHDRAWN_CONSENT);
    return (await withdrawConsent(deps.database, applicationId, 'lender', clock.now())) ? 'recorded' : 'unknown';
  });
  return router;

  async function respond(
    ctx: Context,
    process: (id: string, content: unknown) => Promise<keyof typeof RESPONSES>,
  ): Promise<void> {
    const startedAt = realClock.now();
    const startMs = performance.now();
    const bytes = Buffer.from(await readJson(ctx));
    // The signature covers this header, in which the lender names the subject of the call.
    const { 'webhook-id': id = '' } = ctx.headers;
    const subjectId = String(id);
    const atSeconds = Math.floor(epochMs(startedAt) / 1_000);
    const opened = await openResponse(ctx.headers, bytes, { id: subjectId, atSeconds, secrets });
    if ('fault' in opened) {
      throw new ServiceError('unauthenticated', `Expected a signature of the lender, but received a request ${opened.fault}.`);
    }
    const record = (statusCode: number, failure: string) => {
      const durationMs = Math.round(performance.now() - startMs);
      onCall({ method: 'POST', path: ctx.path, id: subjectId, attempt: 1, startedAt, durationMs, statusCode, failure });
    };
    try {
      const outcome = await process(subjectId, opened.content);
      const [status, failure] = RESPONSES[outcome];
      ctx.status = status;
      ctx.body = { outcome };
      record(status, failure);
    } catch (thrown) {
      const isInvalid = thrown instanceof ServiceError && thrown.code === 'invalid-request';
      record(isInvalid ? 400 : 500, isInvalid ? messageOf(thrown) : 'the service failed');
      throw thrown;
    }
  }
}
