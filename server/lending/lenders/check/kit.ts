import { request as requestHttp } from 'undici';
import { isObject } from '../../../../shared/objects.ts';
import type { LenderConfig } from '../../../base/config/lender.ts';
import { failureOf } from '../../../base/errors.ts';
import { epochMs, systemClock } from '../../../base/time.ts';
import type { SentEvent } from '../events.ts';
import { type CreditDecision, type CreditRequest, type ScorePolicy, type SignedLoan, UnknownOutcomeError } from '../lender.ts';
import { type BookedLoan, loansPath, NOT_OFFERED, parseLoans } from '../loan-book.ts';
import { decisionParser, decisionRequestBody } from '../remote-lender.ts';
import { parseAcceptance, parseReceipt } from '../responses.ts';
import { faultOfSchedule, type KnownLoan, type ScheduleRule } from '../schedule.ts';
import { sandboxLender } from '../sandbox-lender.ts';
import { createAgent, isRejection, openResponse, signedHeaders } from '../signed-client.ts';
import type { Parsed } from '../fault.ts';
import { sampleLoan, sampleRequest } from './samples.ts';

/** A request to a lender. Without the optional deviations, it is what the service sends. */
export interface LenderRequest {
  method?: string;
  path: string;
  id: string;
  body?: unknown;
  /** Replaces the JSON of `body`. */
  text?: string;
  /** Changes the text after it was signed. */
  afterSigning?: (text: string) => string;
  /** Changes the headers after they were signed; undefined removes one. */
  headers?: (headers: Readonly<Record<string, string>>) => Record<string, string | undefined>;
  /** Replaces the secrets of the endpoint. */
  secrets?: readonly string[];
  /** Seconds from now to the timestamp. */
  offsetSeconds?: number;
}

export interface Reply {
  /** Null without a response. */
  status: number | null;
  /** The body of a response that is signed for this request now. */
  opened: Parsed<unknown>;
}

/** The result of a case. `received` describes the responses for the report. */
export interface Received {
  passes: boolean;
  received: string;
  /** The fault without what is particular to the case, so that other cases with the same one can refer to it. */
  fault?: string | undefined;
}

/** Deviations of a request from what the service sends. */
export type Deviation = Partial<LenderRequest>;

/** Characters of a response's body in the report. */
const MAX_SHOWN = 200;

/** Describes a reply for the report. */
export function describe({ status, opened }: Reply): string {
  if ('fault' in opened) return status === null ? opened.fault : `${status} ${opened.fault}`;
  return `${status} ${JSON.stringify(opened.content).slice(0, MAX_SHOWN)}`;
}

const nowSeconds = () => Math.floor(epochMs(systemClock.now()) / 1_000);

/**
 * Functions of the cases: they send single requests, also invalid ones, with the signatures and checks of the service, and compare responses
 * by its structs.
 */
export class Kit {
  readonly #endpoint: LenderConfig;
  readonly #agent: ReturnType<typeof createAgent>;
  /** Waits between requests for a late response. */
  readonly wait: (ms: number) => Promise<unknown>;
  /** Whether the responses must satisfy the rules of programs whose decisions are based on credit scores. */
  readonly #policy: ScorePolicy;
  /** The request of the late test buyer, which several cases are about. */
  late: Promise<CreditRequest> | undefined;

  constructor(endpoint: LenderConfig, wait: (ms: number) => Promise<unknown>, policy: ScorePolicy) {
    this.#endpoint = endpoint;
    this.#agent = createAgent(endpoint);
    this.wait = wait;
    this.#policy = policy;
  }

  get secrets(): readonly string[] {
    return this.#endpoint.secrets;
  }

  close(): Promise<void> {
    return this.#agent.destroy();
  }

  /** Sends one request, once. Never rejects. */
  async send({
    method = 'POST',
    path,
    id,
    body,
    text = body === undefined ? '' : JSON.stringify(body),
    afterSigning = (signed) => signed,
    headers: change = (headers) => headers,
    secrets = this.secrets,
    offsetSeconds = 0,
  }: LenderRequest): Promise<Reply> {
    const { url, timeoutMs } = this.#endpoint;
    const hasBody = method !== 'GET';
    const signal = AbortSignal.timeout(timeoutMs);
    try {
      const headers = change(await signedHeaders({ id, text, hasBody, atSeconds: nowSeconds() + offsetSeconds, secrets }));
      const response = await requestHttp(url + path, {
        method,
        headers,
        body: hasBody ? afterSigning(text) : null,
        dispatcher: this.#agent,
        signal,
      });
      const bytes = Buffer.from(await response.body.arrayBuffer());
      const opened = await openResponse(response.headers, bytes, { id, atSeconds: nowSeconds(), secrets: this.secrets });
      return { status: response.statusCode, opened };
    } catch (thrown) {
      const fault = signal.aborted ? `no response within ${timeoutMs} ms` : `no response: ${failureOf(thrown)}`;
      return { status: null, opened: { fault } };
    }
  }

  decide(request: CreditRequest, deviation: Deviation = {}): Promise<Reply> {
    return this.send({ path: '/decisions', id: request.requestId, body: decisionRequestBody(request), ...deviation });
  }

  /** Returns true if the lender responds to a request, whatever the response is. */
  async isResponding(): Promise<boolean> {
    return (await this.decide(sampleRequest('1001'))).status !== null;
  }

  retrieve({ requestId }: CreditRequest, deviation: Deviation = {}): Promise<Reply> {
    return this.send({ method: 'GET', path: `/decisions/${requestId}`, id: requestId, ...deviation });
  }

  sign(loan: SignedLoan, deviation: Deviation = {}): Promise<Reply> {
    return this.send({ path: '/agreements', id: loan.agreementId, body: loan, ...deviation });
  }

  record(event: SentEvent, deviation: Deviation = {}): Promise<Reply> {
    return this.send({ path: '/events', id: event.id, body: event, ...deviation });
  }

  /** Returns the decision of a reply as the service reads it, in live mode. */
  decisionIn({ status, opened }: Reply, request: CreditRequest): Parsed<CreditDecision | 'undecided' | 'unknown'> {
    if ('fault' in opened) return opened;
    const program = { ...request.program, ...this.#policy };
    return decisionParser({ ...request, program }, 'live')({ status: status ?? 0, body: opened.content });
  }

  /** A new request that was approved, and its loan. */
  async approved(digits = '1001', changes: Partial<CreditRequest> = {}): Promise<SignedLoan> {
    const request = sampleRequest(digits, changes);
    await this.decide(request);
    const { tierId, limitCents } = await approvalOf(request);
    return sampleLoan(request, { tierId, financedCents: limitCents ?? request.amountCents });
  }

  /** A loan that the lender has accepted. */
  async booked(changes: Partial<CreditRequest> = {}): Promise<SignedLoan> {
    const loan = await this.approved('1001', changes);
    await this.sign(loan);
    return loan;
  }

  /** Requires that the lender decides as documented for the test buyer of a request. */
  async expectDecision(request: CreditRequest, reply: Reply): Promise<Received> {
    const documented = await documentedDecision(request);
    if (documented === 'unavailable') return expectStatus(reply, (status) => status === 503 || status === 429);
    const parsed = this.decisionIn(reply, request);
    if ('fault' in parsed) return fails(reply, parsed.fault);
    // A lender may use a score where none is documented.
    const isScored = isObject(documented) && 'score' in documented;
    const expected = comparable(documented, request, isScored);
    const received = comparable(parsed.content, request, isScored);
    return received === expected
      ? passes(reply)
      : { ...fails(reply, `expected ${expected}`), fault: `${received}, not ${expected}` };
  }

  expectAcceptance(reply: Reply, outcome: 'accepted' | 'rejected'): Received {
    const parse = (content: unknown) => parseAcceptance(content, this.#policy, 'live');
    return expectContent(reply, parse, (acceptance) => (acceptance.outcome === outcome ? passes(reply) : fails(reply)));
  }

  /** Requests the loans after an id; undefined for the first page. */
  loans(after: string | undefined, deviation: Deviation = {}): Promise<Reply> {
    const path = loansPath(after);
    // The path is also the id: see `loansPath`.
    return this.send({ method: 'GET', path, id: path, ...deviation });
  }

  /**
   * Requires a page of loans for which `isExpected` returns true. A lender without this optional request passes.
   *
   * @param expected - Description of the page, for the report.
   */
  expectLoans(
    reply: Reply,
    after: string | undefined,
    expected: string,
    isExpected: (loans: readonly BookedLoan[]) => boolean,
  ): Received {
    if (isNotOffered(reply)) return passes(reply);
    const parse = (content: unknown) => parseLoans(content, after);
    return expectContent(reply, parse, (loans) => (isExpected(loans) ? passes(reply) : fails(reply, `expected ${expected}`)));
  }

  expectReceipt(reply: Reply): Received {
    return expectContent(reply, parseReceipt, ({ schedule }) =>
      schedule && 'fault' in schedule ? fails(reply, schedule.fault) : passes(reply),
    );
  }

  /** Requires that the schedule of a response, if any, satisfies a rule. Another case has the other rules. */
  expectSchedule(reply: Reply, loan: KnownLoan | 'void', rule: ScheduleRule): Received {
    return expectContent(reply, parseReceipt, ({ schedule }) => {
      const found = schedule && 'content' in schedule ? faultOfSchedule(schedule.content, loan) : undefined;
      return found?.rule === rule ? fails(reply, found.fault) : passes(reply);
    });
  }
}

export function passes(reply: Reply): Received {
  return { passes: true, received: describe(reply) };
}

export function fails(reply: Reply, because = ''): Received {
  const received = describe(reply);
  const fault = because || ('fault' in reply.opened ? reply.opened.fault : undefined);
  return { passes: false, received: because === '' || received.endsWith(because) ? received : `${received}: ${because}`, fault };
}

export function expectStatus(reply: Reply, isExpected: (status: number) => boolean): Received {
  return { passes: reply.status !== null && isExpected(reply.status), received: describe(reply) };
}

/** Returns true if the lender does not have an optional request. */
export function isNotOffered({ status }: Reply): boolean {
  return NOT_OFFERED.includes(status);
}

/** Requires a status by which the service learns that a request had no effect. */
export function expectRejection(reply: Reply): Received {
  return expectStatus(reply, isRejection);
}

/** Requires that all replies have the same content as the first. */
export function expectSame(replies: readonly Reply[]): Received {
  const [first, ...others] = replies;
  const other = others.find((each) => describe(each) !== describe(first!));
  return other ? fails(other, `expected ${describe(first!)}`) : passes(first!);
}

/** Requires the status 200 and a content that can be parsed, and then what `check` requires. */
function expectContent<T>(reply: Reply, parse: (content: unknown) => Parsed<T>, check: (content: T) => Received): Received {
  if ('fault' in reply.opened) return fails(reply);
  const parsed = reply.status === 200 ? parse(reply.opened.content) : { fault: 'status: expected 200' };
  return 'fault' in parsed ? fails(reply, parsed.fault) : check(parsed.content);
}

/** Returns the first result that fails, or the last one. */
export function all(...results: Received[]): Received {
  return results.find((result) => !result.passes) ?? results.at(-1)!;
}

/** Returns the decision that is documented for the test buyer of a request. */
async function documentedDecision(request: CreditRequest): Promise<CreditDecision | 'undecided' | 'unavailable'> {
  try {
    return await sandboxLender().decide(request);
  } catch (thrown) {
    return thrown instanceof UnknownOutcomeError ? 'undecided' : 'unavailable';
  }
}

async function approvalOf(request: CreditRequest) {
  const decision = await documentedDecision(request);
  if (typeof decision !== 'object' || decision.outcome !== 'approved') throw new Error('Expected a test buyer who is approved.');
  return decision;
}

/** Returns what a decision has to have in common with the documented one. Lenders may have other scores, bureaus and sources. */
function comparable(
  decision: CreditDecision | 'undecided' | 'unknown',
  { amountCents }: CreditRequest,
  isScored: boolean,
): string {
  if (!isObject(decision)) return decision;
  if (decision.outcome === 'needs-action') return JSON.stringify({ outcome: decision.outcome, action: decision.action });
  if (decision.outcome === 'ineligible') return JSON.stringify(decision);
  const { outcome, reasons = [], score } = decision;
  const scoreKind = score === undefined ? 'none' : score.value === null ? 'unavailable' : 'known';
  const compared = { reasons, ...(isScored && { score: scoreKind }) };
  if (outcome === 'denied') return JSON.stringify({ outcome, ...compared });
  const { tierId, limitCents, coveredBorrower = false } = decision;
  return JSON.stringify({ outcome, tierId, limitCents: limitCents ?? amountCents, coveredBorrower, ...compared });
}
