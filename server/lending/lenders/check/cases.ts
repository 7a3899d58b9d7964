import { isDeepStrictEqual } from 'node:util';
import { keysOf } from '../../../../shared/objects.ts';
import { plusDays, systemClock } from '../../../base/time.ts';
import type { SentEvent } from '../events.ts';
import { amountsAfter, type BookedLoan, type LoanAmounts } from '../loan-book.ts';
import {
  feeProgram,
  idBefore,
  militaryProgram,
  otherEvents,
  sampleDocument,
  sampleEvents,
  sampleKnownLoan,
  sampleLoan,
  sampleRequest,
  sentEvent,
} from './samples.ts';
import { type CreditRequest, type SignedLoan } from '../lender.ts';
import { decisionRequestBody } from '../remote-lender.ts';
import { testBuyers } from '../sandbox-lender.ts';
import type { ScheduleRule } from '../schedule.ts';
import {
  all,
  type Deviation,
  describe,
  expectRejection,
  expectSame,
  expectStatus,
  fails,
  isNotOffered,
  type Kit,
  passes,
  type Received,
  type Reply,
} from './kit.ts';

/** A case of the conformance kit. The four digits, such as `1001`, are the tax id of a test buyer: see `testBuyers`. */
export interface Case {
  id: string;
  /** Description of the requests, for the report. */
  sent: string;
  expected: string;
  run(kit: Kit): Promise<Received>;
}

const REJECTED = 'a status from 400 to 499 other than 408, 409 and 429, and no effect';
const RECORDED = '200 {"outcome":"recorded"}';
const ACCEPTED = '200 {"outcome":"accepted"}';
const LOAN_REJECTED = '200 {"outcome":"rejected"} with sources';

/** A secret that the lender does not have. */
const OTHER_SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

type Headers = Readonly<Record<string, string>>;
const withHeader =
  (name: string, change: (value: string) => string | undefined): NonNullable<Deviation['headers']> =>
  (headers: Headers) => ({ ...headers, [name]: change(headers[name] ?? '') });

const UNSIGNED: Deviation = { headers: withHeader('webhook-signature', () => undefined) };

/** Requests that are not authentic. Afterwards, the same request with a valid signature is decided, and not before. */
const unauthentic: readonly [id: string, sent: string, deviation: Deviation][] = [
  ['signature-missing', 'no webhook-signature', UNSIGNED],
  ['signature-secret', 'the signature by another secret', { secrets: [OTHER_SECRET] }],
  [
    'signature-body',
    'an amount that was changed after it was signed',
    { afterSigning: (text) => text.replaceAll('75000', '75001') },
  ],
  ['signature-id', 'a webhook-id that was changed after it was signed', { headers: withHeader('webhook-id', (id) => `${id}0`) }],
  [
    'signature-version',
    'a signature of an unknown version',
    { headers: withHeader('webhook-signature', (v1) => v1.replaceAll('v1,', 'v9,')) },
  ],
  ['signature-cut', 'the first half of the signature', { headers: withHeader('webhook-signature', (v1) => v1.slice(0, 24)) }],
  ['id-missing', 'no webhook-id', { headers: withHeader('webhook-id', () => undefined) }],
  ['timestamp-missing', 'no webhook-timestamp', { headers: withHeader('webhook-timestamp', () => undefined) }],
  ['timestamp-text', 'a webhook-timestamp that is not a number', { headers: withHeader('webhook-timestamp', () => 'now') }],
  ['timestamp-expired', 'a signature from six minutes ago', { offsetSeconds: -360 }],
  ['timestamp-future', 'a signature from in six minutes', { offsetSeconds: 360 }],
];

const signatureCases: Case[] = [
  ...unauthentic.map(([id, sent, deviation]) => unreceivedCase(id, `a decision request with ${sent}`, deviation)),
  rejectionCase('retrieval-unsigned', 'a request for a decision that exists, without webhook-signature', async (kit) =>
    kit.retrieve(await decided(kit), UNSIGNED),
  ),
  {
    id: 'retrieval-other-path',
    sent: 'a request for a decision that exists, signed for another id: the path is not part of the signature',
    expected: `${REJECTED}, or 404 {"outcome":"unknown"}`,
    run: async (kit) => {
      const request = await decided(kit);
      const other = sampleRequest('1001');
      const reply = await kit.retrieve(request, { id: other.requestId });
      return expectStatus(reply, (status) => status === 404 || expectRejection(reply).passes);
    },
  },
  rejectionCase('agreement-unsigned', 'an agreement of an approved request without webhook-signature', async (kit) =>
    kit.sign(await kit.approved(), UNSIGNED),
  ),
  rejectionCase('event-unsigned', 'an event of a loan without webhook-signature', async (kit) => {
    const [event] = sampleEvents(await kit.booked());
    return kit.record(event!, UNSIGNED);
  }),
  decisionCase('timestamp-late', 'a signature from four minutes ago, because clocks differ', { offsetSeconds: -240 }),
  decisionCase('signature-list', 'signatures by an unknown secret and by a valid one, separated by a space', {
    headers: withHeader('webhook-signature', (v1) => `v1,${Buffer.alloc(32).toString('base64')} v9,AAAA ${v1}`),
  }),
  {
    id: 'secrets',
    sent: 'decision requests, each signed by only one of the configured secrets',
    expected: 'the decision of the test buyer',
    run: async (kit) => {
      const results: Received[] = [];
      for (const secret of kit.secrets) {
        const request = sampleRequest('1001');
        results.push(await kit.expectDecision(request, await kit.decide(request, { secrets: [secret] })));
      }
      return all(...results);
    },
  },
];

const LONG = 'x'.repeat(1_800);
const manyLines = Array.from({ length: 500 }, (_, index) => ({
  sku: `SKU-${index}`,
  name: LONG,
  quantity: 1,
  priceCents: 150,
}));
const largeOrder = { ...sampleRequest('1001').order, lines: manyLines };

/** Bodies that are signed but not the documented ones. */
const malformed: readonly [id: string, sent: string, text: string][] = [
  ['malformed-empty', 'an empty body', ''],
  ['malformed-text', 'a body that is not JSON', 'outcome=approved'],
  ['malformed-cut', 'JSON that ends too early', '{"requestId":"'],
  ['malformed-null', 'null', 'null'],
  ['malformed-list', 'an empty list', '[]'],
  ['malformed-fields', 'an object without fields', '{}'],
  ['malformed-nesting', 'lists that are nested 50,000 times', '['.repeat(50_000) + ']'.repeat(50_000)],
];

const requestCases: Case[] = [
  ...malformed.map(([id, sent, text]) => unreceivedCase(id, `${sent} to /decisions`, { text })),
  rejectionCase('malformed-types', 'a decision request whose amountCents is a text', (kit) => {
    const request = sampleRequest('1001');
    return kit.decide(request, { body: { ...decisionRequestBody(request), amountCents: '75000' } });
  }),
  rejectionCase('malformed-agreement', 'a decision request to /agreements', (kit) =>
    kit.decide(sampleRequest('1001'), { path: '/agreements' }),
  ),
  rejectionCase('malformed-event', 'an object without fields to /events', (kit) =>
    kit.send({ path: '/events', id: sampleRequest('1001').requestId, body: {} }),
  ),
  rejectionCase('method', 'PUT instead of POST to /decisions', (kit) => kit.decide(sampleRequest('1001'), { method: 'PUT' })),
  rejectionCase('path', 'a decision request to an unknown path', (kit) =>
    kit.decide(sampleRequest('1001'), { path: '/decision' }),
  ),
  decisionCase('content-type', 'the content type application/json; charset=utf-8', {
    headers: withHeader('content-type', () => 'application/json; charset=utf-8'),
  }),
  {
    id: 'unknown-fields',
    sent: 'a decision request with fields that are not documented yet',
    expected: 'the decision of the test buyer',
    run: async (kit) => {
      const request = sampleRequest('1001');
      const body = { ...decisionRequestBody(request), addedLater: { list: [1, null] } };
      return kit.expectDecision(request, await kit.decide(request, { body }));
    },
  },
  decisionCase('unicode', 'names with letters of several bytes', {}, (digits) => {
    const request = sampleRequest(digits);
    return { ...request, contact: { ...request.contact, firstName: 'Ångström', lastName: 'Łovelace 数学 🚀' } };
  }),
  decisionCase('spanish', 'the language es', {}, (digits) => sampleRequest(digits, { language: 'es' })),
  decisionCase('large-decision', 'an order of 1 MB', {}, (digits) => sampleRequest(digits, { order: largeOrder })),
  {
    id: 'too-large',
    sent: 'a decision request of 6 MB, and then one of a usual size',
    expected: 'a status from 400 to 499 or a closed connection, and then the decision of the test buyer',
    run: async (kit) => {
      const request = sampleRequest('1001');
      const body = { ...decisionRequestBody(request), padding: 'x'.repeat(6_000_000) };
      const reply = await kit.decide(request, { body });
      const isRefused = reply.status === null ? isClosed(reply) : expectRejection(reply).passes;
      const after = sampleRequest('1001');
      return all({ passes: isRefused, received: describe(reply) }, await kit.expectDecision(after, await kit.decide(after)));
    },
  },
];

const decisionCases: Case[] = [
  ...testBuyers.map(({ taxIdLast4: digits, meaning }): Case => ({
    id: `buyer-${digits}`,
    sent: `the test buyer ${digits}`,
    expected: digits === '5001' ? `503: ${meaning}` : `the decision: ${meaning}`,
    run: async (kit) => {
      // The late decision takes seconds, so the cases about it share one request.
      if (digits === '5002') {
        const request = await lateRequest(kit);
        return kit.expectDecision(request, await kit.decide(request));
      }
      const request = sampleRequest(digits);
      return kit.expectDecision(request, await kit.decide(request));
    },
  })),
  decisionCase('buyer-other', 'digits of no test buyer', {}, () => sampleRequest('9999')),
  decisionCase('whole-order', 'the test buyer 1101, with partialApproval false', {}, () =>
    sampleRequest('1101', { partialApproval: false }),
  ),
  decisionCase(
    'smallest-purchase',
    'the test buyer 1101 with an order of $60, of which 60 % is less than program.minCents',
    {},
    () => sampleRequest('1101', { amountCents: 6_000 }),
  ),
  decisionCase('tier-without-plan', 'the test buyer 1003, without tier C in tiers', {}, () =>
    sampleRequest('1003', { hasPlan: (tierId) => tierId !== 'C' }),
  ),
  {
    id: 'decision-repeated',
    sent: 'the same decision request twice',
    expected: 'the same response twice',
    run: async (kit) => {
      const request = sampleRequest('1101');
      const first = await kit.decide(request);
      return all(await kit.expectDecision(request, first), expectSame([first, await kit.decide(request)]));
    },
  },
  {
    id: 'decision-concurrent',
    sent: 'the same decision request five times at once',
    expected: 'the same response each time',
    run: async (kit) => {
      const request = sampleRequest('1101');
      const replies = await fiveTimes(() => kit.decide(request));
      return all(await kit.expectDecision(request, replies[0]!), expectSame(replies));
    },
  },
  {
    id: 'retrieval',
    sent: 'GET /decisions/ID of a decision',
    expected: 'the same response as to POST /decisions',
    run: async (kit) => {
      const request = sampleRequest('2001');
      return expectSame([await kit.decide(request), await kit.retrieve(request)]);
    },
  },
  {
    id: 'retrieval-unknown',
    sent: 'GET /decisions/ID of a request that was not sent',
    expected: '404 {"outcome":"unknown"}',
    run: async (kit) => expectUnknown(kit, sampleRequest('1001')),
  },
  {
    id: 'pending-retrieval',
    sent: 'GET /decisions/ID of the test buyer 5002 at once',
    expected: '202 {"outcome":"undecided"}',
    run: async (kit) => {
      const request = await lateRequest(kit);
      return kit.expectDecision(request, await kit.retrieve(request));
    },
  },
  {
    id: 'pending-decided',
    sent: 'GET /decisions/ID of the test buyer 5002 for up to 60 seconds, and then POST /decisions again',
    expected: '200 {"outcome":"approved"} in tier A, to both',
    run: async (kit) => {
      const request = await lateRequest(kit);
      const reply = await repeat(
        kit,
        () => kit.retrieve(request),
        ({ status }) => status === 200,
      );
      const parsed = kit.decisionIn(reply, request);
      if ('fault' in parsed) return fails(reply, parsed.fault);
      const isApproved =
        typeof parsed.content === 'object' && parsed.content.outcome === 'approved' && parsed.content.tierId === 'A';
      return all({ passes: isApproved, received: describe(reply) }, expectSame([reply, await kit.decide(request)]));
    },
  },
];

const agreementCases: Case[] = [
  agreementCase('agreement', 'the agreement of an approved request', (kit) => kit.approved()),
  agreementCase('agreement-partial', 'the agreement of the approved part of the test buyer 1101', (kit) => kit.approved('1101')),
  agreementCase('agreement-large', 'an agreement of 2 MB', async (kit) => ({
    ...(await kit.approved('1001', { order: largeOrder })),
    document: sampleDocument(`<!doctype html>${'<p>Terms.</p>'.repeat(80_000)}`),
  })),
  {
    id: 'agreement-document',
    sent: 'an agreement whose document does not match its sha256, and then as it was signed',
    expected: `${REJECTED}, and then ${ACCEPTED}`,
    run: async (kit) => {
      const loan = await kit.approved();
      const { document } = loan;
      const rejected = expectRejection(
        await kit.sign({ ...loan, document: { ...document, html: `${document.html}<p>Other</p>` } }),
      );
      return all(rejected, kit.expectAcceptance(await kit.sign(loan), 'accepted'));
    },
  },
  {
    id: 'agreement-disclosure',
    sent: 'an agreement whose disclosure does not match its disclosureHash, and then as it was signed',
    expected: `${REJECTED}, and then ${ACCEPTED}`,
    run: async (kit) => {
      const loan = await kit.approved();
      const disclosure = { ...loan.disclosure, late: { ...loan.disclosure.late, flatCents: 100 } };
      const rejected = expectRejection(await kit.sign({ ...loan, disclosure }));
      return all(rejected, kit.expectAcceptance(await kit.sign(loan), 'accepted'));
    },
  },
  {
    id: 'agreement-repeated',
    sent: 'the same agreement twice',
    expected: `${ACCEPTED} with the same loanNumber, if any: the loan is booked once`,
    run: async (kit) => {
      const loan = await kit.approved();
      const first = await kit.sign(loan);
      return all(kit.expectAcceptance(first, 'accepted'), expectSame([first, await kit.sign(loan)]));
    },
  },
  {
    id: 'agreement-concurrent',
    sent: 'the same agreement five times at once',
    expected: `${ACCEPTED} with the same loanNumber, if any: the loan is booked once`,
    run: async (kit) => {
      const loan = await kit.approved();
      const replies = await fiveTimes(() => kit.sign(loan));
      return all(kit.expectAcceptance(replies[0]!, 'accepted'), expectSame(replies));
    },
  },
  {
    id: 'agreement-second',
    sent: 'another agreement of a request whose loan is booked',
    expected: LOAN_REJECTED,
    run: async (kit) => {
      const loan = await kit.booked();
      return kit.expectAcceptance(await kit.sign({ ...loan, agreementId: sampleRequest('1001').requestId }), 'rejected');
    },
  },
  rejectedAgreementCase('agreement-unknown', 'the agreement of a request that was not sent', async () =>
    sampleLoan(sampleRequest('1001'), { tierId: 'A' }),
  ),
  rejectedAgreementCase('agreement-denied', 'the agreement of the denied test buyer 2002', async (kit) => {
    const request = sampleRequest('2002');
    await kit.decide(request);
    return sampleLoan(request, { tierId: 'A' });
  }),
  rejectedAgreementCase('agreement-limit', 'an agreement of the test buyer 1101 for the whole order', async (kit) => {
    const request = sampleRequest('1101');
    await kit.decide(request);
    return sampleLoan(request, { tierId: 'A' });
  }),
  rejectedAgreementCase('agreement-order', 'an agreement of the test buyer 1001 for more than the order', async (kit) => {
    const request = sampleRequest('1001');
    await kit.decide(request);
    return sampleLoan(request, { tierId: 'A', financedCents: request.amountCents + 1 });
  }),
  rejectedAgreementCase('agreement-tier', 'an agreement of the test buyer 1003 in tier A', async (kit) => {
    const request = sampleRequest('1003');
    await kit.decide(request);
    return sampleLoan(request, { tierId: 'A' });
  }),
  rejectedAgreementCase('agreement-withdrawn', 'the agreement of the test buyer 6002', (kit) => kit.approved('6002')),
  {
    id: 'agreement-late',
    sent: 'the agreement of the test buyer 6001 for up to 60 seconds',
    expected: `no response or 503 at first, then ${ACCEPTED}`,
    run: async (kit) => {
      const loan = await kit.approved('6001');
      const first = await kit.sign(loan);
      if (first.status === 200) return fails(first);
      const reply = await repeat(
        kit,
        () => kit.sign(loan),
        ({ status }) => status === 200,
      );
      return kit.expectAcceptance(reply, 'accepted');
    },
  },
];

const eventCases: Case[] = [
  recordedCase('events', 'the events authorized, canceled, settled and refunded of a loan, in order', async (kit) =>
    recordEach(kit, sampleEvents(await kit.booked())),
  ),
  {
    id: 'event-repeated',
    sent: 'each event of a loan twice',
    expected: `${RECORDED}, with the same response both times: the event is recorded once`,
    run: async (kit) => {
      const results: Received[] = [];
      for (const event of sampleEvents(await kit.booked())) {
        const first = await kit.record(event);
        results.push(kit.expectReceipt(first), expectSame([first, await kit.record(event)]));
      }
      return all(...results);
    },
  },
  {
    id: 'event-concurrent',
    sent: 'the same event five times at once',
    expected: `${RECORDED} each time`,
    run: async (kit) => {
      const [event] = sampleEvents(await kit.booked());
      const replies = await fiveTimes(() => kit.record(event!));
      return all(kit.expectReceipt(replies[0]!), expectSame(replies));
    },
  },
  recordedCase(
    'event-replayed',
    'all events of a loan, and then the first one again, as by lender-events replay',
    async (kit) => {
      const events = sampleEvents(await kit.booked());
      return recordEach(kit, [...events, events[0]!]);
    },
  ),
  {
    id: 'event-reordered',
    sent: 'the second event of a loan before the first one, and then both in order',
    expected: `${RECORDED}; the first one may be rejected by a status from 400`,
    run: async (kit) => {
      const [first, second] = sampleEvents(await kit.booked());
      const early = await kit.record(second!);
      const isRefused = early.status !== null && early.status >= 400;
      const results = await recordEach(kit, [first!, second!]);
      return isRefused ? results : all(kit.expectReceipt(early), results);
    },
  },
  recordedCase(
    'event-types',
    'the events card-declined, card-capture-failed, card-captured, canceled in full, and expired',
    async (kit) => {
      const results: Received[] = [];
      for (const event of otherEvents(await kit.booked())) {
        const loan = await kit.booked();
        results.push(await recordEach(kit, [sentEvent(loan, 1, event)]));
      }
      return all(...results);
    },
  ),
  recordedCase(
    'event-application',
    'the events application-denied, application-canceled, application-expired and consent-withdrawn, also of applications without a request',
    async (kit) => {
      const { applicationId } = sampleRequest('1001');
      const unsent = { applicationId, requestId: null };
      return recordEach(kit, [
        sentEvent(await decided(kit), 1, { type: 'application-denied', reasons: ['income', 'limit'] }),
        sentEvent(unsent, 1, { type: 'application-canceled', by: 'buyer' }),
        sentEvent(await decided(kit), 1, { type: 'application-expired', what: 'approval' }),
        sentEvent(await decided(kit), 1, { type: 'consent-withdrawn' }),
      ]);
    },
  ),
  recordedCase('event-notice', 'a notice of 30 kB and the result of its delivery', async (kit) => {
    const request = await decided(kit);
    const { html, sha256 } = sampleDocument(`<!doctype html>${'<p>We cannot offer financing.</p>'.repeat(900)}`);
    const noticeId = sampleRequest('1001').requestId;
    return recordEach(kit, [
      sentEvent(request, 1, { type: 'notice', noticeId, kinds: ['denial'], language: 'en', sha256, html }),
      sentEvent(request, 2, { type: 'notice-delivery', noticeId, kinds: ['denial'], outcome: 'delivered', failure: '' }),
    ]);
  }),
  recordedCase('event-unknown', 'an event of a type, and with fields, that are not documented yet', async (kit) => {
    const [event] = sampleEvents(await kit.booked());
    const body = { ...event, type: 'added-later', addedLater: [1] };
    return kit.expectReceipt(await kit.record(event!, { body }));
  }),
  recordedCase('event-unknown-outcome', 'the result of a delivery with an outcome that is not documented yet', async (kit) => {
    const noticeId = sampleRequest('1001').requestId;
    const event = { type: 'notice-delivery', noticeId, kinds: ['denial'], outcome: 'delivered', failure: '' } as const;
    const sent = sentEvent(await decided(kit), 1, event);
    return kit.expectReceipt(await kit.record(sent, { body: { ...sent, outcome: 'added-later' } }));
  }),
  recordedCase('event-other-loan', 'an event of a loan that the lender does not have', (kit) =>
    recordEach(kit, sampleEvents(sampleLoan(sampleRequest('1001'), { tierId: 'A' })).slice(0, 1)),
  ),
];

/** The rules of a schedule, with what a lender that states one has to respond. */
const scheduleExpectations: Record<ScheduleRule, string> = {
  ascending: 'due dates in ascending order',
  day: 'no due date before the day of the event, which is `at` in the time zone of the program',
  principal: 'until the settlement, a sum of at least the principal',
  total: 'until the settlement, a sum of at most the signed total of payments of what is still financed',
  balance: 'after the settlement, a sum of at least the balance, or a reason',
  payment: 'after the settlement, no payment above the known ones and no further payment, or a reason',
  monthly: 'due dates at monthly intervals, unless no payment is higher, earlier or additional',
  apr: 'an APR of at most `disclosure.caps.aprBps`',
  mapr: 'a military APR of at most `disclosure.caps.maprBps`',
  void: 'no payments of a loan that was not made',
};

/** Requests by whose loans a rule can be broken; others are by the program without fees. */
const schedulePrograms: Partial<Record<ScheduleRule, Partial<CreditRequest>>> = {
  mapr: { program: militaryProgram },
  total: { program: feeProgram },
  balance: { program: feeProgram },
  apr: { program: feeProgram },
};

/** Days from the settlement to a refund: three payments are due in between. */
const REFUND_DAYS = 100;

/** Cases of the schedules with which a lender may respond to events, one for each rule. */
const scheduleCases: Case[] = keysOf(scheduleExpectations).map((rule) => ({
  id: `schedule-${rule}`,
  sent:
    rule === 'void'
      ? 'the event canceled in full'
      : `the events authorized, canceled, settled, and refunded ${REFUND_DAYS} days later, of a loan`,
  expected: `no schedule, or ${scheduleExpectations[rule]}`,
  run: async (kit) => {
    const loan = await kit.booked(schedulePrograms[rule]);
    if (rule === 'void') {
      const canceled = otherEvents(loan).find(({ type }) => type === 'canceled')!;
      return kit.expectSchedule(await kit.record(sentEvent(loan, 1, canceled)), 'void', rule);
    }
    const results: Received[] = [];
    for (const event of sampleEvents(loan, plusDays(systemClock.now(), REFUND_DAYS))) {
      results.push(kit.expectSchedule(await kit.record(event), sampleKnownLoan(loan, event), rule));
    }
    return all(...results);
  },
}));

const LISTED = 'the loan with the amounts after its events, or 404 or 501 from a lender that does not list loans';

/** Cases of the list of loans, which is optional. */
const loanCases: Case[] = [
  {
    id: 'loans',
    sent: 'GET /loans for a loan after each of the events authorized, canceled, settled and refunded',
    expected: LISTED,
    run: async (kit) => {
      const loan = await kit.booked();
      const results = [await expectListed(kit, loan, [])];
      for (const [index, event] of sampleEvents(loan).entries()) {
        await kit.record(event);
        results.push(await expectListed(kit, loan, sampleEvents(loan).slice(0, index + 1)));
      }
      return all(...results);
    },
  },
  {
    id: 'loans-repeated-events',
    sent: 'GET /loans for a loan after each of its events was sent twice, and then the first one again',
    expected: LISTED,
    run: async (kit) => {
      const loan = await kit.booked();
      const events = sampleEvents(loan);
      for (const event of [...events.flatMap((each) => [each, each]), events[0]!]) await kit.record(event);
      return expectListed(kit, loan, events);
    },
  },
  {
    id: 'loans-void',
    sent: 'GET /loans for a loan that was canceled in full',
    expected: LISTED,
    run: async (kit) => {
      const loan = await kit.booked();
      const canceled = sentEvent(
        loan,
        1,
        otherEvents(loan).find(({ type }) => type === 'canceled')!,
      );
      await kit.record(canceled);
      return expectListed(kit, loan, [canceled]);
    },
  },
  {
    id: 'loans-end',
    sent: 'GET /loans after the last possible id',
    expected: '200 {"loans":[]}, or 404 or 501 from a lender that does not list loans',
    run: async (kit) => {
      const last = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
      return kit.expectLoans(await kit.loans(last), last, 'no loans', (loans) => loans.length === 0);
    },
  },
  rejectedListCase('loans-unsigned', 'GET /loans without webhook-signature', UNSIGNED),
  rejectedListCase(
    'loans-other-id',
    'GET /loans with the signature of another request: the path is not part of the signature, but the id is',
    { id: sampleRequest('1001').requestId },
  ),
];

/** All cases, in the order in which they run. The response to the first one shows that the lender can be reached. */
export const cases: readonly Case[] = [
  decisionCase('decision', 'a decision request of an approved test buyer', {}),
  ...signatureCases,
  ...requestCases,
  ...decisionCases,
  ...agreementCases,
  ...eventCases,
  ...scheduleCases,
  ...loanCases,
];

/** A case whose request is decided as documented for its test buyer. */
function decisionCase(
  id: string,
  sent: string,
  deviation: Deviation,
  requestOf: (digits: string) => CreditRequest = (digits) => sampleRequest(digits),
): Case {
  return {
    id,
    sent,
    expected: 'the decision of the test buyer',
    run: async (kit) => {
      const request = requestOf('1001');
      return kit.expectDecision(request, await kit.decide(request, deviation));
    },
  };
}

/** A case whose request is rejected by its status. */
function rejectionCase(id: string, sent: string, send: (kit: Kit) => Promise<Reply>): Case {
  return { id, sent, expected: REJECTED, run: async (kit) => expectRejection(await send(kit)) };
}

/** A case whose decision request is rejected, and is unknown to the lender afterwards. */
function unreceivedCase(id: string, sent: string, deviation: Deviation): Case {
  const run = async (kit: Kit) => {
    const request = sampleRequest('1001');
    const rejected = expectRejection(await kit.decide(request, deviation));
    return all(await expectUnknown(kit, request), rejected);
  };
  return { id, sent, expected: REJECTED, run };
}

/** A case whose request of loans is rejected, or not offered. */
function rejectedListCase(id: string, sent: string, deviation: Deviation): Case {
  const run = async (kit: Kit) => {
    const reply = await kit.loans(undefined, deviation);
    return isNotOffered(reply) ? passes(reply) : expectRejection(reply);
  };
  return { id, sent, expected: REJECTED, run };
}

/** A case of an agreement that the lender accepts. */
function agreementCase(id: string, sent: string, loanOf: (kit: Kit) => Promise<SignedLoan>): Case {
  return {
    id,
    sent,
    expected: ACCEPTED,
    run: async (kit) => kit.expectAcceptance(await kit.sign(await loanOf(kit)), 'accepted'),
  };
}

/** A case of an agreement that the lender rejects. */
function rejectedAgreementCase(id: string, sent: string, loanOf: (kit: Kit) => Promise<SignedLoan>): Case {
  return {
    id,
    sent,
    expected: LOAN_REJECTED,
    run: async (kit) => kit.expectAcceptance(await kit.sign(await loanOf(kit)), 'rejected'),
  };
}

/** A case whose events are recorded. */
function recordedCase(id: string, sent: string, run: Case['run']): Case {
  return { id, sent, expected: RECORDED, run };
}

/** Requires that the lender has not received a request. */
async function expectUnknown(kit: Kit, request: CreditRequest): Promise<Received> {
  const reply = await kit.retrieve(request);
  const parsed = kit.decisionIn(reply, request);
  if ('fault' in parsed) return fails(reply, parsed.fault);
  return { passes: parsed.content === 'unknown', received: describe(reply) };
}

async function decided(kit: Kit): Promise<CreditRequest> {
  const request = sampleRequest('1001');
  await kit.decide(request);
  return request;
}

/** Returns the request of the late test buyer, which is sent once for all cases. */
function lateRequest(kit: Kit): Promise<CreditRequest> {
  kit.late ??= (async () => {
    const request = sampleRequest('5002');
    await kit.decide(request);
    return request;
  })();
  return kit.late;
}

/** Requires that the list of loans has a loan with its amounts after events. */
async function expectListed(kit: Kit, loan: SignedLoan, events: readonly SentEvent[]): Promise<Received> {
  const { transactionId, applicationId, disclosure } = loan;
  const after = idBefore(transactionId);
  const financedCents = disclosure.purchaseCents - disclosure.downPaymentCents;
  const signed: LoanAmounts = { revision: null, financedCents, disburseCents: 0, merchantFeeCents: 0 };
  const amounts = events.reduce((before, event) => ('transactionId' in event ? amountsAfter(before, event) : before), signed);
  const expected = { transactionId, applicationId, ...amounts };
  const isListed = ([first]: readonly BookedLoan[]) => isDeepStrictEqual(first, expected);
  return kit.expectLoans(await kit.loans(after), after, JSON.stringify(expected), isListed);
}

async function recordEach(kit: Kit, events: readonly Parameters<Kit['record']>[0][]): Promise<Received> {
  const results: Received[] = [];
  for (const event of events) results.push(kit.expectReceipt(await kit.record(event)));
  return all(...results);
}

function fiveTimes(send: () => Promise<Reply>): Promise<Reply[]> {
  return Promise.all(Array.from({ length: 5 }, send));
}

const MAX_LATE_SECONDS = 60;

/** Repeats a request every second, up to a minute. */
async function repeat(kit: Kit, send: () => Promise<Reply>, isDone: (reply: Reply) => boolean): Promise<Reply> {
  for (let seconds = 0; ; seconds++) {
    const reply = await send();
    if (isDone(reply) || seconds === MAX_LATE_SECONDS) return reply;
    await kit.wait(1_000);
  }
}

/** Returns true if the lender closed the connection while it received the request. */
function isClosed({ opened }: Reply): boolean {
  return 'fault' in opened && /EPIPE|ECONNRESET|UND_ERR_SOCKET/.test(opened.fault);
}
