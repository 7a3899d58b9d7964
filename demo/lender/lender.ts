import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Webhook } from 'standardwebhooks';
import { create, StructError } from 'superstruct';
import { decide, DecisionRequest, ruleOf } from './decide.ts';
import { type Application, Agreement, type Book, Event } from './book.ts';
import { loansPage, styles } from './page.ts';

/** Requests are at most 2 MB. */
const MAX_BYTES = 4_000_000;

/** Time after which the late test buyers have their response. */
const LATE_MS = 20_000;

/** A response to the service: a status without a body, which is not signed, or a signed one. */
type Answer = number | { status: number; value: object };
const ok = (value: object): Answer => ({ status: 200, value });

export interface LenderOptions {
  /** `whsec_` and a key; two while one is replaced. */
  secrets: readonly string[];
  now?: () => number;
}

/** Creates the reference lender. Its book is in memory, until it is closed: a real lender stores before it responds. */
export function createLender({ secrets, now = Date.now }: LenderOptions): Server {
  const webhooks = secrets.map((secret) => new Webhook(secret));
  const book: Book = { applications: new Map(), loans: new Map(), events: new Map() };

  const answerTo = (method: string, path: string, id: string, body: string): Answer => {
    // The path is not part of the signature, but the id is.
    if (method === 'GET' && path === `/decisions/${id}`) return decisionOf(book.applications.get(id));
    if (method !== 'POST') return path.startsWith('/decisions') ? 405 : 404;
    if (path === '/decisions') return requestDecision(id, create(JSON.parse(body), DecisionRequest));
    if (path === '/agreements') return sign(id, create(JSON.parse(body), Agreement));
    if (path === '/events') return record(id, create(JSON.parse(body), Event));
    return 404;
  };

  const requestDecision = (id: string, request: DecisionRequest): Answer => {
    const rule = ruleOf(request);
    if (rule.fails === 'decision') return 503;
    const known = book.applications.get(id);
    if (known) return decisionOf(known);
    const decidedAt = now() + (rule.late === 'decision' ? LATE_MS : 0);
    const decision = decide(request, new Date(now()).toISOString().slice(0, 10));
    const application: Application = { request, decision, rule, decidedAt, receivedAt: new Date(now()) };
    book.applications.set(id, application);
    return decisionOf(application);
  };

  const decisionOf = (application: Application | undefined): Answer => {
    if (!application) return { status: 404, value: { outcome: 'unknown' } };
    return now() < application.decidedAt ? { status: 202, value: { outcome: 'undecided' } } : ok(application.decision);
  };

  const sign = (id: string, agreement: Agreement): Answer => {
    const { requestId, disclosure } = agreement;
    const application = book.applications.get(requestId);
    const booked = book.loans.get(id);
    if (booked) return ok({ outcome: 'accepted', loanNumber: booked.number });
    if (!application || !isApproved(application, agreement)) return rejected('other');
    if (application.rule.fails === 'acceptance') return rejected('unverified-income');
    application.acceptedFrom ??= now() + (application.rule.late === 'acceptance' ? LATE_MS : 0);
    if (now() < application.acceptedFrom) return 503;
    const number = `RL-${String(book.loans.size + 1).padStart(6, '0')}`;
    book.loans.set(id, { number, agreement, merchant: application.request.merchant.name, currency: disclosure.currency });
    return ok({ outcome: 'accepted', loanNumber: number });
  };

  /** Returns true for an agreement of what was approved, if no other agreement has been booked for it. */
  const isApproved = ({ decision, request }: Application, { requestId, disclosure }: Agreement): boolean => {
    const { outcome, tierId, limitCents } = decision;
    const isSecond = [...book.loans.values()].some(({ agreement }) => agreement.requestId === requestId);
    const isWithin = disclosure.tierId === tierId && disclosure.purchaseCents <= (limitCents ?? request.amountCents);
    return outcome === 'approved' && isWithin && !isSecond;
  };

  const record = (id: string, event: Event): Answer => {
    // Once, however often it is sent. The state of a loan is that of its event with the highest sequence.
    book.events.set(id, event);
    return ok({ outcome: 'recorded' });
  };

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = '', url: path = '', headers } = request;
    if (!/^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/.test(headers.host ?? '')) return end(response, 403);
    if (method === 'GET' && path === '/') return showPage(response, loansPage(book));
    if (method === 'GET' && path === '/styles.css')
      return void response.writeHead(200, { 'content-type': 'text/css' }).end(styles);
    const body = await readBody(request);
    if (body === undefined) return end(response, 413);
    const id = headers['webhook-id'];
    if (typeof id !== 'string' || !webhooks.some((webhook) => isAuthentic(webhook, body, headers))) return end(response, 401);
    const answer = answerTo(method, path, id, body);
    if (typeof answer === 'number') return end(response, answer);
    const json = JSON.stringify(answer.value);
    const at = new Date();
    response.writeHead(answer.status, {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': Math.floor(at.getTime() / 1_000),
      'webhook-signature': webhooks.map((webhook) => webhook.sign(id, at, json)).join(' '),
    });
    response.end(json);
  };

  return createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      // A RangeError is the description of a value that is nested too deeply.
      const isMalformed = [StructError, SyntaxError, RangeError].some((type) => error instanceof type);
      if (!isMalformed) console.error(error);
      end(response, isMalformed ? 400 : 500);
    });
  });
}

/** Starts the reference lender for this machine only, because anyone could be approved by the digits of a test buyer. */
export async function startLender(port: number, options: LenderOptions): Promise<Server> {
  const server = createLender(options).listen(port, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

function isAuthentic(webhook: Webhook, body: string, headers: IncomingMessage['headers']): boolean {
  try {
    webhook.verify(body, Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])), {
      jsonParse: false,
    });
    return true;
  } catch {
    return false;
  }
}

/** Returns the body; undefined if it is too large. */
async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    if (bytes <= MAX_BYTES) chunks.push(chunk);
  }
  return bytes <= MAX_BYTES ? Buffer.concat(chunks).toString() : undefined;
}

function rejected(reason: string): Answer {
  return ok({ outcome: 'rejected', reasons: [reason], sources: { reports: [], outside: false, affiliate: false } });
}

function end(response: ServerResponse, status: number): void {
  response.writeHead(status).end();
}

function showPage(response: ServerResponse, html: string): void {
  const policy = "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
  response.writeHead(200, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy,
    'cache-control': 'no-store',
  });
  response.end(html);
}
