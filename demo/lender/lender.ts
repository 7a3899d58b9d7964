import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import Koa from 'koa';
import bodyParser from 'koa-bodyparser';
import { Webhook, WebhookVerificationError } from 'standardwebhooks';
import { is } from 'superstruct';
import { buyerOf, type Decision, decide, DecisionRequest, type Fault, NO_SOURCES } from './decide.ts';
import { Agreement, bookedLoan, dayOf, Event, type Loan, scheduleOf } from './loan.ts';
import { showPage } from './page.ts';

/** Time after which the late test buyers have their response. */
const LATE_MS = 20_000;

/** An application without its buyer. `signedMs` is the time at which the signed agreement was received first. */
export interface Application {
  amountCents: number;
  merchantName: string;
  decision: Decision;
  fault: Fault | undefined;
  receivedMs: number;
  signedMs?: number;
}

/** Applications by the id of their request, and loans by that of their application. It has no data about buyers. */
export class Book {
  readonly applications: Map<string, Application>;
  readonly loans: Map<string, Loan>;
  readonly file: string | undefined;

  /** @param file - Keeps the book when the lender is started again; undefined for a book in memory. A real lender has a database. */
  constructor(file?: string) {
    this.file = file;
    const text = file !== undefined && existsSync(file) ? readFileSync(file, 'utf8') : '{"applications":[],"loans":[]}';
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by `save`
    const { applications, loans } = JSON.parse(text) as { applications: [string, Application][]; loans: [string, Loan][] };
    this.applications = new Map(applications);
    this.loans = new Map(loans);
  }

  save(): void {
    if (this.file === undefined) return;
    const written = `${this.file}.new`;
    writeFileSync(written, JSON.stringify({ applications: [...this.applications], loans: [...this.loans] }), { mode: 0o600 });
    renameSync(written, this.file);
  }
}

/** The status of a response, and its content. A response without content is not signed. */
type Answer = [status: number, content?: object];
/** Rejects a signed agreement, without a credit score. The reasons are for the notice that the buyer receives. */
const rejected = (reason: string): Answer => [
  200,
  { outcome: 'rejected', reasons: [reason], scoreUsed: false, sources: NO_SOURCES },
];

/**
 * Creates the reference lender. Listen on loopback only: the digits of a test buyer decide. A real lender stores before it responds.
 *
 * @param secrets - Secrets that sign requests and responses: during a rotation, also the earlier one.
 */
export function createLender(secrets: readonly string[], now = Date.now, book = new Book()): Koa {
  const webhooks = secrets.map((secret) => new Webhook(secret));
  const app = new Koa();
  app.use(showPage(book));
  // The signature is over the text as it was received.
  app.use(bodyParser({ enableTypes: ['text'], extendTypes: { text: ['*/*'] }, textLimit: '4mb' }));
  app.use((ctx) => {
    const { rawBody } = ctx.request;
    const id = ctx.get('webhook-id');
    const headers = Object.fromEntries(Object.keys(ctx.headers).map((name) => [name, ctx.get(name)]));
    try {
      const body = verified(webhooks, typeof rawBody === 'string' ? rawBody : '', headers);
      const [status, content] = answerTo(`${ctx.method} ${ctx.url}`, id, body);
      ctx.status = status;
      if (!content) return;
      if (ctx.method === 'POST') book.save();
      // The service compares it with its own time; `now` only delays the late test buyers.
      const at = new Date();
      const text = JSON.stringify(content);
      const timestamp = String(Math.floor(at.getTime() / 1_000));
      const signature = webhooks.map((webhook) => webhook.sign(id, at, text)).join(' ');
      ctx.set({ 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature });
      ctx.type = 'json';
      ctx.body = text;
    } catch (error) {
      if (error instanceof WebhookVerificationError) ctx.throw(401);
      // The body is not JSON, or is nested too deeply.
      if (error instanceof SyntaxError || error instanceof RangeError) ctx.throw(400);
      throw error;
    }
  });

  /** Answers a signed request. The path is not part of the signature, but the id is, so the id of a GET is what its path names. */
  const answerTo = (request: string, id: string, body: unknown): Answer => {
    if (request === `GET /decisions/${id}`) return decisionOf(id);
    if (request === `GET ${id}` && id.startsWith('/loans')) return listLoans(id);
    if (request === 'POST /decisions') return is(body, DecisionRequest) ? requestDecision(id, body) : [400];
    if (request === 'POST /agreements') return is(body, Agreement) ? accept(body) : [400];
    if (request === 'POST /events') return is(body, Event) ? record(body) : [400];
    return [404];
  };

  const requestDecision = (id: string, request: DecisionRequest): Answer => {
    const { fault } = buyerOf(request);
    if (fault === 'unavailable') return [503];
    const receivedMs = now();
    if (!book.applications.has(id)) {
      const { amountCents, merchant } = request;
      const decision = decide(request, receivedMs);
      book.applications.set(id, { amountCents, merchantName: merchant.name, decision, fault, receivedMs });
    }
    return decisionOf(id);
  };

  const decisionOf = (id: string): Answer => {
    const application = book.applications.get(id);
    if (!application) return [404, { outcome: 'unknown' }];
    const isLate = application.fault === 'decides-late' && now() < application.receivedMs + LATE_MS;
    return isLate ? [202, { outcome: 'undecided' }] : [200, application.decision];
  };

  /** Books one loan of an application, if its request was approved in the tier and for the amount of the agreement. */
  const accept = (agreement: Agreement): Answer => {
    const { agreementId, requestId, applicationId, transactionId, merchant, order, disclosure } = agreement;
    const booked = book.loans.get(applicationId);
    if (booked?.agreement.agreementId === agreementId) return [200, { outcome: 'accepted', loanNumber: booked.number }];
    const application = book.applications.get(requestId);
    if (booked || application?.decision.outcome !== 'approved') return rejected('other');
    const { decision, fault, amountCents } = application;
    const maxCents = decision.limitCents ?? amountCents;
    if (disclosure.tierId !== decision.tierId || disclosure.purchaseCents > maxCents) return rejected('other');
    if (fault === 'withdraws') return rejected('unverified-income');
    application.signedMs ??= now();
    if (fault === 'accepts-late' && now() < application.signedMs + LATE_MS) return [503];
    const number = `RL-${String(book.loans.size + 1).padStart(6, '0')}`;
    // Without the other fields, such as the document with the name of the buyer.
    const terms = { agreementId, requestId, applicationId, transactionId, merchant, order, disclosure };
    book.loans.set(applicationId, { number, agreement: terms, events: [] });
    return [200, { outcome: 'accepted', loanNumber: number }];
  };

  /**
   * Records an event of a loan once, however often it is sent. The response to a cancellation or refund states the schedule, unless the dates of
   * the agreement have passed before the settlement.
   */
  const record = (event: Event): Answer => {
    const loan = book.loans.get(event.applicationId);
    // Events without a loan, such as notices, are not stored here.
    if (!loan) return [200, { outcome: 'recorded' }];
    const others = loan.events.filter(({ id }) => id !== event.id);
    loan.events = [...others, event].toSorted((one, other) => one.sequence - other.sequence);
    const schedule = ['canceled', 'refunded'].includes(event.type) ? scheduleOf(loan) : undefined;
    const isAhead = schedule?.every(({ dueOn }) => dueOn >= dayOf(event));
    const payments = isAhead && schedule?.map(({ dueOn, paymentCents }) => ({ dueOn, amountCents: paymentCents }));
    return [200, { outcome: 'recorded', ...(payments && { schedule: { payments } }) }];
  };

  /** Returns up to 200 loans in the order of their transaction ids, those after the parameter `after`. */
  const listLoans = (path: string): Answer => {
    // `URL` requires a host for a path; it is not used.
    const after = new URL(path, 'http://lender').searchParams.get('after') ?? '';
    const loans = [...book.loans.values()].map(bookedLoan).filter(({ transactionId }) => transactionId > after);
    return [200, { loans: loans.toSorted((one, other) => (one.transactionId < other.transactionId ? -1 : 1)).slice(0, 200) }];
  };

  return app;
}

/** Returns the content of a body that was signed with one of the secrets. */
function verified([webhook, ...others]: readonly Webhook[], body: string, headers: Record<string, string>): unknown {
  try {
    return webhook!.verify(body, headers);
  } catch (error) {
    if (!(error instanceof WebhookVerificationError) || others.length === 0) throw error;
    return verified(others, body, headers);
  }
}
