/** A correct lender, and lenders with one fault each: proxies in front of the correct one that change requests or responses. */
import { hash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { request as send } from 'undici';
import { canonicalJson } from '../../../../../shared/disclosure/canonical-json.ts';
import { createLender } from '../../../../../demo/lender/lender.ts';
import type { LenderConfig } from '../../../../../server/base/config/lender.ts';
import { type CaseResult, type CheckOptions, checkLender } from '../../../../../server/lending/lenders/check/check.ts';
import { onCleanup } from '../../../../support/cleanup.ts';
import { SECRET, signatureOf } from '../../../../support/lenders.ts';

/** A request or a response on its way through a proxy. */
interface Message {
  headers: Record<string, string>;
  body: Buffer;
}
interface Request extends Message {
  method: string;
  path: string;
}
interface Response extends Message {
  status: number;
}

/** Returns the response of a broken lender; undefined closes the connection. */
type Fault = (request: Request, correct: (request: Request) => Promise<Response>) => Promise<Response | undefined>;

export const OTHER_SECRET = `whsec_${Buffer.from('another secret of thirty-two b.').toString('base64')}`;

/** Starts the reference lender, whose clock is moved by the waits of the kit. */
async function startCorrect() {
  let nowMs = Date.now();
  const url = await listening(createLender([SECRET], () => nowMs));
  return { url, wait: async (ms: number) => void (nowMs += ms) };
}

async function listening(lender: { listen(port: number, host: string): Server }): Promise<string> {
  const server = lender.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onCleanup(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Starts a lender; with a fault if there is one. */
export async function startCheckedLender(fault?: Fault) {
  const { url, wait } = await startCorrect();
  if (!fault) return { url, wait };
  const correct = async ({ method, path, headers, body }: Request): Promise<Response> => {
    const { 'content-length': _length, connection: _connection, 'transfer-encoding': _encoding, ...rest } = headers;
    const response = await send(url + path, { method: method as 'POST', headers: rest, body: method === 'GET' ? null : body });
    return {
      status: response.statusCode,
      headers: namesAndValues(response.headers),
      body: Buffer.from(await response.body.arrayBuffer()),
    };
  };
  const server = createServer((incoming, outgoing) => {
    const respond = async () => {
      const { method = '', url: path = '', headers } = incoming;
      const response = await fault({ method, path, headers: namesAndValues(headers), body: await buffer(incoming) }, correct);
      if (!response) {
        outgoing.destroy();
        return;
      }
      const { 'content-length': _length, connection: _connection, 'transfer-encoding': _encoding, ...rest } = response.headers;
      outgoing.writeHead(response.status, rest).end(response.body);
    };
    void respond().catch(() => outgoing.destroy());
  });
  return { url: await listening(server), wait };
}

/** Checks a lender by some cases, or by all. */
export async function check(
  fault?: Fault,
  { only, scores, ...endpoint }: Partial<LenderConfig> & Pick<CheckOptions, 'only' | 'scores'> = {},
): Promise<CaseResult[]> {
  const { url, wait } = await startCheckedLender(fault);
  return checkLender({ url, secrets: [SECRET], ca: undefined, timeoutMs: 20_000, ...endpoint }, { wait, only, scores });
}

function namesAndValues(headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}

const idOf = ({ headers }: Message) => headers['webhook-id'] ?? '';
/** The fields of requests and responses that the faults change. */
interface Content {
  loans?: object[];
  limitCents?: number;
  schedule?: { payments: object[] };
  [field: string]: unknown;
}

const json = ({ body }: Message): Content => (body.length > 0 ? JSON.parse(body.toString()) : {});

/** Returns a request that the correct lender accepts as signed. */
const resigned = (request: Request, id = idOf(request)): Request => ({
  ...request,
  headers: { ...request.headers, ...signatureOf(id, request.body.toString()) },
});

/** Returns a signed response with another status or body. */
const responding = (id: string, value: unknown, status = 200): Response => {
  const text = JSON.stringify(value);
  return { status, headers: signatureOf(id, text), body: Buffer.from(text) };
};

/** Changes signed responses to requests of a path. */
export const changing =
  (
    path: RegExp,
    change: (value: Content, request: Request, status: number) => unknown,
    statusOf = (status: number) => status,
  ): Fault =>
  async (request, correct) => {
    const response = await correct(request);
    if (!path.test(request.path) || !response.headers['webhook-signature']) return response;
    const changed = change(json(response), request, response.status);
    return responding(idOf(request), changed, statusOf(response.status));
  };

/** Changes the headers of responses after they were signed. */
const changingHeaders =
  (change: (response: Response) => Record<string, string>): Fault =>
  async (request, correct) => {
    const response = await correct(request);
    return { ...response, headers: change(response) };
  };

const signatures = ['signature-missing', 'signature-secret', 'signature-body', 'signature-version', 'signature-cut'];
let counter = 0;
const seen = () => {
  const ids = new Set<string>();
  return (id: string) => ids.size === ids.add(id).size;
};

interface SentLoanEvent {
  type: string;
  at: string;
  applicationId: string;
}

/**
 * A lender that responds to one type of event with a schedule that a function makes from the payments of the agreement, of which the event leaves
 * those after its day.
 */
const stating = (type: string, scheduleOf: (payments: { dueOn: string; amountCents: number }[], at: string) => object): Fault => {
  const signed = new Map<string, { dueOn: string; paymentCents: number }[]>();
  return async (request, correct) => {
    const response = await correct(request);
    if (response.status !== 200) return response;
    const body = json(request) as unknown as SentLoanEvent & {
      disclosure: { payments: { dueOn: string; paymentCents: number }[] };
    };
    if (request.path === '/agreements') signed.set(body.applicationId, body.disclosure.payments);
    if (request.path !== '/events' || !json(response).outcome) return response;
    if (body.type !== type) return responding(idOf(request), { outcome: 'recorded' });
    const payments = signed.get(body.applicationId)!.filter(({ dueOn }) => dueOn > body.at.slice(0, 10));
    const stated = payments.map(({ dueOn, paymentCents: amountCents }) => ({ dueOn, amountCents }));
    return responding(idOf(request), { outcome: 'recorded', schedule: scheduleOf(stated, body.at) });
  };
};
type Payments = { dueOn: string; amountCents: number }[];
const times = (payments: Payments, factor: number): Payments =>
  payments.map(({ dueOn, amountCents }) => ({ dueOn, amountCents: Math.round(amountCents * factor) }));
const reason = 'term-changed';

/** Lenders that state a schedule with one fault. */
const faultySchedules: readonly [title: string, rule: string, fault: Fault, states: RegExp][] = [
  [
    'states payments in descending order',
    'ascending',
    stating('settled', (payments) => ({ payments: payments.toReversed() })),
    /schedule\.payments\.1\.dueOn: expected a day after/,
  ],
  [
    'states payments of the past',
    'day',
    stating('refunded', (payments, at) => ({
      payments: [{ dueOn: `${Number(at.slice(0, 4)) - 6}-01-01`, amountCents: 99_999 }, ...payments],
    })),
    /schedule\.payments\.0\.dueOn: expected the day of the event/,
  ],
  [
    'states less than the principal at the settlement',
    'principal',
    stating('settled', (payments) => ({ payments: times(payments, 0.5) })),
    /expected a sum of at least the principal/,
  ],
  [
    'states the signed payments after a cancellation',
    'total',
    stating('canceled', (payments) => ({ payments })),
    /expected a sum of at most the signed total of payments/,
  ],
  [
    'states less than the balance after a refund',
    'balance',
    stating('refunded', (payments) => ({ payments: times(payments, 0.5) })),
    /expected a sum of at least the balance, or a reason/,
  ],
  [
    'states the signed payments after a refund',
    'payment',
    stating('refunded', (payments) => ({ payments })),
    /schedule\.payments\.0: expected at most the known payment, or a reason/,
  ],
  [
    'states higher payments on other days of the month',
    'monthly',
    stating('refunded', (payments) => ({
      payments: payments.map(({ dueOn, amountCents }, index) => ({
        dueOn: `${dueOn.slice(0, 8)}${10 + (index % 2)}`,
        amountCents,
      })),
      reason,
    })),
    /expected due dates at monthly intervals/,
  ],
  [
    'states payments above the cap, with a reason',
    'apr',
    stating('refunded', (payments) => ({ payments: times(payments, 3), reason })),
    /expected an APR of at most the cap/,
  ],
  [
    'states payments above the military cap, with a reason',
    'mapr',
    stating('refunded', (payments) => ({ payments: times(payments, 1.15), reason })),
    /expected a military APR of at most its cap/,
  ],
  [
    'states payments of an order that was canceled',
    'void',
    stating('canceled', (payments) => ({ payments })),
    /expected none, because there is no loan/,
  ],
];

/** Broken lenders: the fault, the cases that fail, all others of `also` pass, and what the report states. */
export const brokenLenders: readonly { title: string; fault: Fault; fails: string[]; also?: string[]; states: RegExp }[] = [
  ...faultySchedules.map(([title, rule, fault, states]) => ({
    title,
    fault,
    fails: [`schedule-${rule}`],
    also: ['agreement', 'events', ...(rule === 'ascending' ? ['schedule-void'] : ['schedule-ascending'])],
    states,
  })),
  {
    title: 'states a reason that is not documented',
    fault: stating('refunded', (payments) => ({ payments, reason: 'other' })),
    fails: ['events', 'event-repeated'],
    also: ['schedule-payment'],
    states: /schedule\.reason: expected one of/,
  },
  {
    title: 'lists loans as they were signed',
    fault: changing(/^\/loans/, (value) => ({
      loans: value.loans!.map((loan) => ({ ...loan, financedCents: 75_000 })),
    })),
    fails: ['loans', 'loans-repeated-events', 'loans-void'],
    also: ['loans-end', 'loans-unsigned'],
    states: /expected \{"transactionId":.*"revision":3,"financedCents":70000/,
  },
  {
    title: 'lists loans by the path, which is not signed',
    fault: (request, correct) =>
      correct(
        request.path.startsWith('/loans') && request.headers['webhook-signature'] ? resigned(request, request.path) : request,
      ),
    fails: ['loans-other-id'],
    also: ['loans-unsigned', 'loans-end'],
    states: /GET \/loans with the signature of another request/,
  },
  {
    title: 'does not verify signatures',
    fault: (request, correct) => correct(resigned(request)),
    fails: [...signatures, 'timestamp-expired', 'retrieval-unsigned', 'agreement-unsigned', 'event-unsigned'],
    also: ['signature-list'],
    states: /sent +a decision request with no webhook-signature/,
  },
  {
    title: 'does not verify timestamps',
    fault: (request, correct) => {
      const { 'webhook-timestamp': timestamp = '', 'webhook-signature': signature } = request.headers;
      const at = new Date(Number(timestamp) * 1_000);
      const isSigned =
        Number.isFinite(at.getTime()) &&
        signatureOf(idOf(request), request.body.toString(), { at })['webhook-signature'] === signature;
      return correct(isSigned ? resigned(request) : request);
    },
    fails: ['timestamp-expired', 'timestamp-future'],
    also: ['signature-secret', 'timestamp-text'],
    states: /a signature from six minutes ago/,
  },
  {
    title: 'verifies only the first signature',
    fault: (request, correct) =>
      correct({
        ...request,
        headers: { ...request.headers, 'webhook-signature': (request.headers['webhook-signature'] ?? '').split(' ')[0]! },
      }),
    fails: ['signature-list'],
    also: ['decision'],
    states: /received +401/,
  },
  {
    title: 'returns a decision by the path, which is not signed',
    fault: (request, correct) => {
      const [, id] = /^\/decisions\/(.+)$/.exec(request.path) ?? [];
      return correct(request.method === 'GET' && id && request.headers['webhook-signature'] ? resigned(request, id) : request);
    },
    fails: ['retrieval-other-path'],
    also: ['retrieval-unsigned', 'retrieval'],
    states: /the path is not part of the signature/,
  },
  {
    title: 'does not sign responses',
    fault: changingHeaders(() => ({})),
    fails: ['decision', 'agreement', 'events'],
    states: /received +200 without webhook-id, webhook-timestamp and webhook-signature/,
  },
  {
    title: 'signs responses with another secret',
    fault: changingHeaders(({ headers, body }) =>
      signatureOf(headers['webhook-id'] ?? '', body.toString(), { secret: OTHER_SECRET }),
    ),
    fails: ['decision', 'agreement', 'events'],
    states: /received +200 with a webhook-signature that does not match the body/,
  },
  {
    title: 'signs responses with a new id',
    fault: changingHeaders(({ body }) => signatureOf(`msg_${++counter}`, body.toString())),
    fails: ['decision'],
    states: /with a webhook-id that is not that of the request/,
  },
  {
    title: 'sends amounts as text',
    fault: changing(/^\/decisions/, (value) =>
      'limitCents' in value ? { ...value, limitCents: String(value.limitCents) } : value,
    ),
    fails: ['buyer-1101'],
    also: ['buyer-2001'],
    states: /limitCents: expected an integer.*, but received a text/,
  },
  {
    title: 'ignores partialApproval',
    fault: (request, correct) => {
      const isDecision = request.path === '/decisions' && request.method === 'POST' && request.body.length > 0;
      if (!isDecision) return correct(request);
      return correct(resigned({ ...request, body: Buffer.from(JSON.stringify({ ...json(request), partialApproval: true })) }));
    },
    fails: ['whole-order'],
    also: ['buyer-1101'],
    states: /limitCents: expected null or the whole amount, because partialApproval is false/,
  },
  {
    title: 'approves tiers without a plan',
    fault: changing(/^\/decisions/, (value) => ('tierId' in value ? { ...value, tierId: 'C' } : value)),
    fails: ['tier-without-plan'],
    also: ['buyer-1003'],
    states: /reasons: expected reasons for a tier that is not in tiers/,
  },
  {
    title: 'decides again when a request is repeated',
    fault: (() => {
      const isRepeated = seen();
      return changing(/^\/decisions$/, (value, request) =>
        isRepeated(idOf(request)) ? { ...value, limitCents: value.limitCents! - 1 } : value,
      );
    })(),
    fails: ['decision-repeated', 'decision-concurrent'],
    also: ['buyer-1101'],
    states: /sent +the same decision request twice/,
  },
  {
    title: 'does not find its decisions',
    fault: changing(
      /^\/decisions\/.+/,
      () => ({ outcome: 'unknown' }),
      () => 404,
    ),
    fails: ['retrieval', 'pending-retrieval'],
    also: ['retrieval-unknown'],
    states: /received +404 {"outcome":"unknown"}/,
  },
  {
    title: 'responds without a signature if it does not find a decision',
    fault: async (request, correct) => {
      const response = await correct(request);
      return response.status === 404 ? { ...response, headers: {}, body: Buffer.alloc(0) } : response;
    },
    fails: ['retrieval-unknown'],
    also: ['retrieval', 'path'],
    states: /received +404 without webhook-id/,
  },
  {
    title: 'responds with 200 while it has not decided',
    fault: changing(
      /^\/decisions/,
      (value) => value,
      (status) => (status === 202 ? 200 : status),
    ),
    fails: ['buyer-5002', 'pending-retrieval'],
    also: ['buyer-1001'],
    states: /status: expected 202 with this outcome/,
  },
  {
    title: 'never decides what it deferred',
    fault: changing(
      /^\/decisions\/.+/,
      () => ({ outcome: 'undecided' }),
      () => 202,
    ),
    fails: ['pending-decided'],
    also: ['pending-retrieval'],
    states: /received +202 {"outcome":"undecided"}/,
  },
  {
    title: 'fails with 500 on malformed requests',
    fault: async (request, correct) => {
      const response = await correct(request);
      return response.status === 400 ? { ...response, status: 500 } : response;
    },
    fails: ['malformed-empty', 'malformed-text', 'malformed-fields', 'malformed-types', 'malformed-agreement', 'malformed-event'],
    also: ['signature-missing'],
    states: /received +500/,
  },
  {
    title: 'accepts bodies of at most 100 kB',
    fault: async (request, correct) =>
      request.body.length > 100_000 ? { status: 413, headers: {}, body: Buffer.alloc(0) } : correct(request),
    fails: ['large-decision', 'agreement-large'],
    also: ['too-large'],
    states: /sent +an order of 1 MB/,
  },
  {
    title: 'reads bodies as Latin-1',
    fault: (request, correct) => correct({ ...request, body: Buffer.from(request.body.toString('latin1')) }),
    fails: ['unicode'],
    also: ['decision'],
    states: /names with letters of several bytes/,
  },
  {
    title: 'requires the content type without a character set',
    fault: async (request, correct) =>
      request.method === 'POST' && request.headers['content-type'] !== 'application/json'
        ? { status: 415, headers: {}, body: Buffer.alloc(0) }
        : correct(request),
    fails: ['content-type'],
    also: ['decision'],
    states: /received +415/,
  },
  {
    title: 'serves any method',
    fault: (request, correct) => correct({ ...request, method: request.method === 'PUT' ? 'POST' : request.method }),
    fails: ['method'],
    also: ['path'],
    states: /PUT instead of POST/,
  },
  {
    title: 'closes the connection instead of responding with 503',
    fault: async (request, correct) => {
      const response = await correct(request);
      return response.status === 503 ? undefined : response;
    },
    fails: ['buyer-5001'],
    also: ['agreement-late'],
    states: /received +no response: UND_ERR_SOCKET/,
  },
  {
    title: 'books an agreement each time it is sent',
    fault: changing(/^\/agreements/, (value) => ('loanNumber' in value ? { ...value, loanNumber: `LN-${++counter}` } : value)),
    fails: ['agreement-repeated', 'agreement-concurrent'],
    also: ['agreement'],
    states: /the loan is booked once/,
  },
  {
    title: 'does not verify the hash of the document',
    fault: (request, correct) => {
      if (request.path !== '/agreements' || !request.headers['webhook-signature']) return correct(request);
      const { document, ...agreement } = json(request) as { document?: { html: string } };
      if (!document) return correct(request);
      const hashed = { ...agreement, document: { ...document, sha256: hash('sha256', document.html) } };
      return correct(resigned({ ...request, body: Buffer.from(JSON.stringify(hashed)) }));
    },
    fails: ['agreement-document'],
    also: ['agreement', 'agreement-large', 'agreement-second'],
    states: /whose document does not match its sha256/,
  },
  {
    title: 'does not verify the hash of the disclosure',
    fault: (request, correct) => {
      if (request.path !== '/agreements' || !request.headers['webhook-signature']) return correct(request);
      const { disclosure, ...agreement } = json(request) as { disclosure?: object };
      if (!disclosure) return correct(request);
      const hashed = { ...agreement, disclosure, disclosureHash: hash('sha256', canonicalJson(disclosure)) };
      return correct(resigned({ ...request, body: Buffer.from(JSON.stringify(hashed)) }));
    },
    fails: ['agreement-disclosure'],
    also: ['agreement', 'agreement-large', 'agreement-second'],
    states: /whose disclosure does not match its disclosureHash/,
  },
  {
    title: 'accepts every agreement',
    fault: changing(/^\/agreements/, () => ({ outcome: 'accepted' })),
    fails: [
      'agreement-second',
      'agreement-unknown',
      'agreement-denied',
      'agreement-limit',
      'agreement-order',
      'agreement-tier',
      'agreement-withdrawn',
    ],
    also: ['agreement', 'malformed-agreement'],
    states: /expected +200 {"outcome":"rejected"} with sources\n +received +200 {"outcome":"accepted"}/,
  },
  {
    title: 'responds with 409 to a repeated event',
    fault: (() => {
      const isRepeated = seen();
      const fault: Fault = async (request, correct) =>
        request.path === '/events' && isRepeated(idOf(request)) ? responding(idOf(request), {}, 409) : correct(request);
      return fault;
    })(),
    fails: ['event-repeated', 'event-concurrent', 'event-replayed'],
    also: ['events'],
    states: /the event is recorded once/,
  },
  {
    title: 'reduces a loan each time it receives the same event',
    fault: (() => {
      const isRepeated = seen();
      return changing(/^\/events/, (value, request) =>
        isRepeated(idOf(request)) && value.schedule
          ? { ...value, schedule: { payments: value.schedule.payments.slice(1) } }
          : value,
      );
    })(),
    fails: ['event-repeated'],
    also: ['events', 'event-replayed'],
    states: /the event is recorded once/,
  },
  {
    title: 'rejects unknown types of events',
    fault: async (request, correct) =>
      request.path === '/events' && json(request).type === 'added-later'
        ? { status: 400, headers: {}, body: Buffer.alloc(0) }
        : correct(request),
    fails: ['event-unknown'],
    also: ['events', 'event-types'],
    states: /that are not documented yet/,
  },
  {
    title: 'rejects unknown outcomes of deliveries',
    fault: async (request, correct) =>
      request.path === '/events' && json(request).outcome === 'added-later'
        ? { status: 400, headers: {}, body: Buffer.alloc(0) }
        : correct(request),
    fails: ['event-unknown-outcome'],
    also: ['events', 'event-types'],
    states: /an outcome that is not documented yet/,
  },
  {
    title: 'responds to events without a body',
    fault: async (request, correct) =>
      request.path === '/events' && (await correct(request)).status === 200
        ? { status: 204, headers: {}, body: Buffer.alloc(0) }
        : correct(request),
    fails: ['events', 'event-notice', 'event-application', 'event-other-loan'],
    also: ['agreement'],
    states: /received +204/,
  },
];
