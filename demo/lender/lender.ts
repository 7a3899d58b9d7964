import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Webhook } from 'standardwebhooks';
import { create, StructError } from 'superstruct';
import { type Decision, decide, DecisionRequest, ruleOf } from './decide.ts';
import { Agreement, bookedLoan, Event, scheduleOf, startsLater } from './loan.ts';
import { showPage } from './page.ts';

const MAX_BYTES = 4_000_000;
/** Loans per page, at most 200. */
const PAGE_SIZE = 100;
/** Time after which the late test buyers have their response. */
const LATE_MS = 20_000;

interface Application {
  request: DecisionRequest;
  decision: Decision;
  receivedMs: number;
  /** Set by the first agreement. */
  signedMs?: number;
}

/** In memory: applications by the id of their request, loans by that of their agreement, and events by their own. */
export class Book {
  applications = new Map<string, Application>();
  loans = new Map<string, { number: string; agreement: Agreement; merchant: string }>();
  events = new Map<string, Event>();
}

/** A status without a signed body, or a signed response. */
type Answer = number | { status: number; value: object };
const ok = (value: object): Answer => ({ status: 200, value });
const rejected = (reason: string) =>
  ok({ outcome: 'rejected', reasons: [reason], sources: { reports: [], outside: false, affiliate: false } });

/** Creates the reference lender. Listen on loopback only: the digits of a test buyer decide. A real lender stores before it responds. */
export function createLender(secrets: readonly string[], now = Date.now): Server {
  const webhooks = secrets.map((secret) => new Webhook(secret));
  const book = new Book();

  const answerTo = (method: string, path: string, id: string, body: string): Answer => {
    // The path is not part of the signature, but the id is.
    if (method === 'GET' && path === `/decisions/${id}`) return decisionOf(book.applications.get(id));
    if (method === 'GET' && path === id && path.startsWith('/loans'))
      return listLoans(new URL(path, 'http://lender').searchParams);
    if (method !== 'POST') return 405;
    if (path === '/decisions') return requestDecision(id, create(JSON.parse(body), DecisionRequest));
    if (path === '/agreements') return sign(id, create(JSON.parse(body), Agreement));
    if (path !== '/events') return 404;
    return record(id, create(JSON.parse(body), Event));
  };

  /** Records an event once, however often it is sent, and responds with the schedule after it. */
  const record = (id: string, event: Event): Answer => {
    book.events.set(id, event);
    const loan = [...book.loans.values()].find(({ agreement }) => agreement.applicationId === event.applicationId);
    const changesPayments = event.type === 'canceled' || event.type === 'refunded';
    if (!loan || !changesPayments || startsLater(loan.agreement, eventsOf(event.applicationId)))
      return ok({ outcome: 'recorded' });
    const payments = scheduleOf(loan.agreement, [event]).map(({ dueOn, paymentCents }) => ({ dueOn, amountCents: paymentCents }));
    return ok({ outcome: 'recorded', schedule: { payments } });
  };

  const eventsOf = (id: string): Event[] => [...book.events.values()].filter(({ applicationId }) => applicationId === id);

  /** Returns a page of loans after an id, sorted by the ids of their transactions. */
  const listLoans = (query: URLSearchParams): Answer => {
    const after = query.get('after') ?? '';
    const loans = [...book.loans.values()]
      .map(({ agreement }) => agreement)
      .filter(({ transactionId }) => transactionId !== null && transactionId > after)
      .toSorted((one, other) => (one.transactionId! < other.transactionId! ? -1 : 1))
      .slice(0, PAGE_SIZE)
      .map((loan) => bookedLoan(loan, eventsOf(loan.applicationId)));
    return ok({ loans });
  };

  const requestDecision = (id: string, request: DecisionRequest): Answer => {
    if (ruleOf(request).fails === 'decision') return 503;
    const known = book.applications.get(id);
    const receivedMs = now();
    const today = new Date(receivedMs).toISOString().slice(0, 10);
    const application = known ?? { request, decision: decide(request, today), receivedMs };
    book.applications.set(id, application);
    return decisionOf(application);
  };

  const decisionOf = (application?: Application): Answer => {
    if (!application) return { status: 404, value: { outcome: 'unknown' } };
    const isLate = ruleOf(application.request).late === 'decision' && now() < application.receivedMs + LATE_MS;
    return isLate ? { status: 202, value: { outcome: 'undecided' } } : ok(application.decision);
  };

  const sign = (id: string, agreement: Agreement): Answer => {
    const booked = book.loans.get(id);
    if (booked) return ok({ outcome: 'accepted', loanNumber: booked.number });
    const application = book.applications.get(agreement.requestId);
    if (!application || !isApproved(application, agreement)) return rejected('other');
    const { late, fails } = ruleOf(application.request);
    if (fails === 'acceptance') return rejected('unverified-income');
    application.signedMs ??= now();
    if (late === 'acceptance' && now() < application.signedMs + LATE_MS) return 503;
    const number = `RL-${String(book.loans.size + 1).padStart(6, '0')}`;
    book.loans.set(id, { number, agreement, merchant: application.request.merchant.name });
    return ok({ outcome: 'accepted', loanNumber: number });
  };

  /** Returns true for an agreement of what was approved, unless another one was booked. */
  const isApproved = ({ decision, request }: Application, { requestId, disclosure }: Agreement): boolean => {
    const { outcome, tierId, limitCents } = decision;
    const isWithin = disclosure.tierId === tierId && disclosure.purchaseCents <= (limitCents ?? request.amountCents);
    return (
      outcome === 'approved' && isWithin && ![...book.loans.values()].some(({ agreement }) => agreement.requestId === requestId)
    );
  };

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<unknown> => {
    const { method = '', url: path = '', headers } = request;
    if (showPage(request, response, book)) return undefined;
    const body = await readBody(request);
    if (body === undefined) return response.writeHead(413).end();
    const id = headers['webhook-id'];
    if (typeof id !== 'string' || !webhooks.some((webhook) => isSigned(webhook, body, headers)))
      return response.writeHead(401).end();
    const answer = answerTo(method, path, id, body);
    if (typeof answer === 'number') return response.writeHead(answer).end();
    const json = JSON.stringify(answer.value);
    const at = new Date();
    const signature = webhooks.map((webhook) => webhook.sign(id, at, json)).join(' ');
    const signed = { 'webhook-id': id, 'webhook-timestamp': Math.floor(at.getTime() / 1_000), 'webhook-signature': signature };
    return response.writeHead(answer.status, { 'content-type': 'application/json', ...signed }).end(json);
  };

  return createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      // A RangeError is the description of a value that is nested too deeply.
      const isMalformed = [StructError, SyntaxError, RangeError].some((type) => error instanceof type);
      if (!isMalformed) console.error(error);
      response.writeHead(isMalformed ? 400 : 500).end();
    });
  });
}

function isSigned(webhook: Webhook, body: string, headers: IncomingMessage['headers']): boolean {
  try {
    const texts = Object.entries(headers).map(([name, value]) => [name, String(value)]);
    webhook.verify(body, Object.fromEntries(texts), { jsonParse: false });
    return true;
  } catch {
    return false;
  }
}

/** Returns the body; undefined if it is too large. */
async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) if ((bytes += chunk.length) <= MAX_BYTES) chunks.push(chunk);
  return bytes <= MAX_BYTES ? Buffer.concat(chunks).toString() : undefined;
}
