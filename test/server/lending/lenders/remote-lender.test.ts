import { is } from 'superstruct';
import { describe, expect, it } from 'vitest';
import { ADDED_CODES, DecisionSources, LENDER_CODES, ScoreResult } from '../../../../server/lending/applications/decision.ts';
import { type ScorePolicy, UnknownOutcomeError } from '../../../../server/lending/lenders/lender.ts';
import { codeBlock, readGuide } from '../../../support/docs.ts';
import {
  bureau,
  creditScore,
  type Responder,
  respondsUnsigned,
  respondsWith,
  signatureOf,
  startLender,
} from '../../../support/lenders.ts';
import { creditRequest, createRemoteLender, signedLoan } from './credit-request.ts';

const { program: _program, hasPlan: _hasPlan, ...rest } = creditRequest;
const sources = { reports: [bureau], outside: true, affiliate: false };
const id = creditRequest.requestId;

it('The guide lists every reason and contains a valid score and valid sources', () => {
  const guide = readGuide('server/docs/lenders.md');
  for (const code of [...LENDER_CODES, ...ADDED_CODES, 'military-rate-cap']) expect(guide).toContain(`| \`${code}\` |`);
  expect(is(JSON.parse(codeBlock('server/docs/lenders.md', 'score')), ScoreResult)).toBe(true);
  expect(is(JSON.parse(codeBlock('server/docs/lenders.md', 'sources')), DecisionSources)).toBe(true);
});

describe('A remote lender, on a decision,', () => {
  it('receives one request with the buyer’s data, and only the id and credit bands of the program', async () => {
    const bank = await startLender(respondsWith({ outcome: 'approved', tierId: 'B', limitCents: 60_000, reasons: ['debt'] }));

    const decision = await createRemoteLender(bank).lender.decide(creditRequest);

    expect(decision).toEqual({ outcome: 'approved', tierId: 'B', limitCents: 60_000, reasons: ['debt'] });
    expect(bank.rejected).toEqual([]);
    expect(bank.requests).toMatchObject([{ method: 'POST', path: '/fairterm/decisions', id }]);
    expect(bank.requests[0]!.body).toEqual({
      ...rest,
      program: { id: 'standard', version: 1, currency: 'USD', minCents: 5_000 },
      tiers: [
        { id: 'A', creditBand: { min: 740, max: 850 } },
        { id: 'B', creditBand: { min: 660, max: 739 } },
        { id: 'C', creditBand: { min: 580, max: 659 } },
      ],
    });
    expect(bank.requests[0]!.headers).toMatchObject({ 'content-type': 'application/json', 'idempotency-key': id });
  });

  it.each([
    [{ outcome: 'approved', tierId: 'A', limitCents: null }],
    [{ outcome: 'approved', tierId: 'C', limitCents: 75_000 }],
    [{ outcome: 'approved', tierId: 'C', limitCents: 1, reasons: ['other'] }],
    [{ outcome: 'denied', reasons: ['delinquency', 'limit'], sources }],
    [{ outcome: 'denied', reasons: ['income', 'debt', 'identity', 'other'] }],
    [{ outcome: 'approved', tierId: 'A', limitCents: null, score: creditScore }],
    [{ outcome: 'approved', tierId: 'A', limitCents: null, score: { value: null, bureau } }],
    [{ outcome: 'approved', tierId: 'C', limitCents: 50_000, reasons: ['income'] }],
    [{ outcome: 'denied', reasons: ['no-file', 'insufficient-file', 'recent-inquiries', 'bankruptcy'], score: creditScore }],
    [{ outcome: 'denied', reasons: ['income', { text: { en: 'Your account is past due.', es: 'Su cuenta está vencida.' } }] }],
    [{ outcome: 'ineligible', reason: 'law' }],
    [{ outcome: 'ineligible', reason: 'not-offered' }],
    [{ outcome: 'needs-action', action: 'unfreeze-credit-file' }],
    [{ outcome: 'needs-action', action: 'confirm-identity' }],
    [{ outcome: 'needs-action', action: 'correct-details' }],
  ])('can respond with %j to the request and to a later retrieval', async (response) => {
    const bank = await startLender(respondsWith(response));
    const { lender, failedAttempts } = createRemoteLender(bank);

    expect(await lender.decide(creditRequest)).toEqual(response);
    expect(await lender.decisionOf(creditRequest)).toEqual(response);

    expect(bank.requests[1]).toMatchObject({ method: 'GET', path: `/fairterm/decisions/${id}`, id, body: undefined });
    expect([bank.rejected, failedAttempts]).toEqual([[], []]);
  });

  it('in live mode is complete only with the covered borrower, the sources of reasons, and a score where scores are used', async () => {
    const approval = { outcome: 'approved', tierId: 'A', limitCents: null, coveredBorrower: false, score: creditScore };
    const { ranksAbovePercent: _ranks, ...notCompared } = creditScore;
    const unavailable = { value: null, bureau };
    const scored = { reports: [creditScore.bureau], outside: false, affiliate: false };
    const denial = { outcome: 'denied', reasons: ['debt'], sources: scored, score: creditScore };
    const counteroffer = { ...approval, limitCents: 50_000, reasons: ['income'], sources: scored };
    const cases: [response: object, isComplete: boolean][] = [
      [approval, true],
      [{ ...approval, coveredBorrower: undefined }, false],
      [{ ...approval, score: undefined }, false],
      [{ ...approval, score: notCompared }, false],
      [{ ...approval, score: unavailable }, true],
      [counteroffer, true],
      [{ ...counteroffer, sources: undefined }, false],
      [{ ...counteroffer, score: undefined }, false],
      [denial, true],
      [{ ...denial, score: notCompared }, true],
      [{ ...denial, score: unavailable }, true],
      [{ ...denial, score: undefined }, false],
      [{ ...denial, score: undefined, scoreUsed: false }, true],
      [{ ...denial, scoreUsed: false }, false],
      [{ ...denial, score: unavailable, scoreUsed: false }, false],
      [{ ...approval, score: undefined, scoreUsed: false }, false],
      [{ ...denial, sources: undefined }, false],
    ];
    for (const [response, isComplete] of cases) {
      const { lender } = createRemoteLender(await startLender(respondsWith(response)), 'live');
      const decision = lender.decide(creditRequest);
      if (isComplete) expect(await decision).toEqual(response);
      else await expect(decision).rejects.toBeInstanceOf(UnknownOutcomeError);
    }
    const { lender } = createRemoteLender(await startLender(respondsWith({ ...denial, score: undefined })), 'live');
    const unused = { ...creditRequest, program: { ...creditRequest.program, creditScores: 'not-used' as const } };
    expect(await lender.decide(unused)).toMatchObject({ outcome: 'denied' });
  });

  it('receives only the tiers that have a plan for the order', async () => {
    const bank = await startLender(respondsWith({ outcome: 'approved', tierId: 'B', limitCents: null }));
    await createRemoteLender(bank).lender.decide({ ...creditRequest, hasPlan: (tierId) => tierId === 'B' });
    expect(bank.requests[0]!.body.tiers).toEqual([{ id: 'B', creditBand: { min: 660, max: 739 } }]);
  });

  it('that rejects a loan in live mode states its sources, and a score or that none was used where scores are used', async () => {
    const rejected = { outcome: 'rejected', reasons: ['debt'] };
    const acceptOf = async (response: object) =>
      createRemoteLender(await startLender(respondsWith(response)), 'live').lender.accept(signedLoan, policy);
    let policy: ScorePolicy = {};
    await expect(acceptOf(rejected)).rejects.toBeInstanceOf(UnknownOutcomeError);
    expect(await acceptOf({ ...rejected, sources })).toEqual({ ...rejected, sources });
    policy = { creditScores: 'used' };
    await expect(acceptOf({ ...rejected, sources })).rejects.toBeInstanceOf(UnknownOutcomeError);
    const scored = { sources: { ...sources, reports: [creditScore.bureau] }, score: creditScore };
    for (const facts of [scored, { sources, scoreUsed: false }]) {
      expect(await acceptOf({ ...rejected, ...facts })).toEqual({ ...rejected, ...facts });
    }
    await expect(acceptOf({ ...rejected, ...scored, scoreUsed: false })).rejects.toBeInstanceOf(UnknownOutcomeError);
  });

  const approved = { outcome: 'approved', tierId: 'A', limitCents: null };
  it.each<[title: string, response: unknown]>([
    ['an empty body', ''],
    ['an empty object', '{}'],
    ['null', 'null'],
    ['a number', '7'],
    ['HTML', '<!doctype html><title>approved</title>'],
    ['an unknown outcome', { outcome: 'maybe' }],
    ['an outcome in an array', { ...approved, outcome: ['approved'] }],
    ['no tier', { outcome: 'approved', limitCents: null }],
    ['a tier with the name of an inherited property', { ...approved, tierId: 'constructor' }],
    ['a tier that is a number', { ...approved, tierId: 1 }],
    ['a limit of 0', { ...approved, limitCents: 0 }],
    ['a negative limit', { ...approved, limitCents: -1 }],
    ['a fractional limit', { ...approved, limitCents: 100.5 }],
    ['an infinite limit', '{"outcome":"approved","tierId":"A","limitCents":1e999}'],
    ['a denial with an empty list of reasons', { outcome: 'denied', reasons: [] }],
    ['a denial without reasons', { outcome: 'denied' }],
    ['a denial with an unknown reason', { outcome: 'denied', reasons: ['age'] }],
    ['a denial with five reasons', { outcome: 'denied', reasons: ['income', 'debt', 'identity', 'no-file', 'other'] }],
    ['a denial with an empty reason', { outcome: 'denied', reasons: [{ text: { en: '', es: '' } }] }],
    ...[
      'You did not meet our internal standards.',
      'Your application did not reach a qualifying score.',
      'No cumple nuestras políticas internas.',
      'No alcanzó la puntuación mínima.',
    ].map((en): [string, object] => [`a denial that says nothing: ${en}`, { outcome: 'denied', reasons: [{ text: { en } }] }]),
    ['an approval with six key factors', { ...approved, score: { ...creditScore, factors: Array(6).fill('Too many accounts') } }],
    ['a denial with the fields of an approval', { ...approved, outcome: 'denied', reasons: ['debt'] }],
    ['an unknown action', { outcome: 'needs-action', action: 'send-money' }],
    ['a duplicate key in a nested object', '{"outcome":"denied","reasons":["debt"],"x":[{"a":1,"a":1}]}'],
    ['the outcome of an agreement', { outcome: 'accepted' }],
  ])('has an unknown outcome, and a failed attempt is reported, if it responds with %s', async (_title, response) => {
    const bank = await startLender(respondsWith(response));
    const { lender, failedAttempts } = createRemoteLender(bank);

    await expect(lender.decide(creditRequest)).rejects.toBeInstanceOf(UnknownOutcomeError);
    await expect(lender.decisionOf(creditRequest)).rejects.toBeInstanceOf(UnknownOutcomeError);
    expect([bank.requests.length, bank.rejected]).toEqual([2, []]);
    expect(failedAttempts).toEqual([
      { path: '/decisions', id, attempt: 1, failure: expect.stringMatching(/^responded with 200 /) },
      { path: `/decisions/${id}`, id, attempt: 1, failure: expect.stringMatching(/^responded with 200 /) },
    ]);
  });

  const outcomes = 'approved, denied, ineligible, needs-action, undecided, unknown';
  const denied = (fields: object) => ({ outcome: 'denied', reasons: ['debt'], ...fields });
  const unnamed = { value: null, bureau: { ...bureau, phone: 1 } };
  const named = 'the name of score.bureau';
  it.each<[response: unknown, fault: string]>([
    [[approved], 'body: expected an object, but received a list'],
    [{ ...approved, outcome: 'APPROVED' }, `outcome: expected one of ${outcomes}, but received a text`],
    [{ ...approved, tierId: 'Ada' }, 'tierId: expected one of A, B, C, but received a text'],
    [{ outcome: 'approved', tierId: 'A' }, 'limitCents: expected an integer, but received nothing'],
    [{ ...approved, limitCents: '60000' }, 'limitCents: expected an integer, but received a text'],
    [{ ...approved, limitCents: 75_001 }, 'limitCents: expected an integer less than or equal to 75000, but received an integer'],
    [{ ...approved, limitCents: 50_000 }, 'reasons: expected reasons for the limit, but received nothing'],
    [{ ...approved, aprBps: 3_000 }, 'aprBps: expected no such field'],
    [{ ...approved, 'Ada Lovelace': 1 }, '(a field): expected no such field'],
    [denied({ reasons: ['debt', 'debt'] }), 'reasons: expected distinct reasons, not only limit or tier, but received a list'],
    [denied({ reasons: ['debt', { text: { es: 'Ada' } }] }), 'reasons.1.text.en: expected a string, but received nothing'],
    [denied({ score: { ...creditScore, date: 'Ada' } }), 'score.date: expected a date such as 2026-03-31, but received a text'],
    [denied({ score: { ...creditScore, max: 500 } }), 'score: expected score within its range, but received an object'],
    [denied({ scoreUsed: true }), 'scoreUsed: expected the literal false, but received a boolean'],
    [denied({ score: creditScore, scoreUsed: false }), 'scoreUsed: expected no such field next to score, but received a boolean'],
    [denied({ score: unnamed }), 'score.bureau.phone: expected a string, but received an integer'],
    [denied({ score: creditScore, sources }), `sources.reports: expected one with ${named}, but received a list`],
    [{ outcome: 'undecided' }, 'status: expected 202 with this outcome'],
  ])('that responds with %j fails with the field, without its value', async (response, fault) => {
    const { lender, failures } = createRemoteLender(await startLender(respondsWith(response)));
    await expect(lender.decide(creditRequest)).rejects.toBeInstanceOf(UnknownOutcomeError);
    expect(failures()).toEqual([`responded with 200 with an invalid response: ${fault}`]);
    expect(failures().join()).not.toContain('Ada');
  });

  it.each<[title: string, respond: Responder, invalid: object | undefined]>([
    [
      'an approval',
      respondsWith({ ...approved, tierId: 'Z' }),
      { fault: expect.stringMatching(/^tierId: /), outcome: 'approved' },
    ],
    ['a denial', respondsWith({ outcome: 'denied' }), { fault: expect.stringMatching(/^reasons: /), outcome: 'denied' }],
    [
      'an ineligibility',
      respondsWith({ outcome: 'ineligible' }),
      { fault: expect.stringMatching(/^reason: /), outcome: 'denied' },
    ],
    ['another status', respondsWith({ outcome: 'undecided' }), { fault: expect.stringMatching(/^status: /), outcome: 'other' }],
    ['no JSON', respondsWith('denied'), { fault: 'body: expected JSON', outcome: 'other' }],
    ['no signature', respondsUnsigned(200, {}, '{"outcome":"denied"}'), undefined],
    ['another secret', respondsWith({ outcome: 'denied' }, 200, `whsec_${Buffer.alloc(32, 1).toString('base64')}`), undefined],
    ['a failure', respondsWith({ outcome: 'denied' }, 500), undefined],
  ])('that responds with %s that is invalid has decided only if the response is signed', async (_title, respond, invalid) => {
    const { lender } = createRemoteLender(await startLender(respond));
    await expect(lender.decisionOf(creditRequest)).rejects.toMatchObject({ name: 'UnknownOutcomeError', invalid });
  });

  it('cannot approve a tier without offers', async () => {
    const bank = await startLender(respondsWith({ outcome: 'approved', tierId: 'C', limitCents: null }));
    const offers = creditRequest.program.offers.map((offer) => ({ ...offer, tierAprBps: { A: 799 } }));

    const pending = createRemoteLender(bank).lender.decide({ ...creditRequest, program: { ...creditRequest.program, offers } });

    await expect(pending).rejects.toBeInstanceOf(UnknownOutcomeError);
  });

  it('can defer its decision, which `decisionOf` then retrieves', async () => {
    const bank = await startLender(respondsWith({ outcome: 'undecided' }, 202));
    const { lender, failedAttempts } = createRemoteLender(bank);

    await expect(lender.decide(creditRequest)).rejects.toBeInstanceOf(UnknownOutcomeError);
    expect(await lender.decisionOf(creditRequest)).toBe('undecided');
    expect(bank.requests.map(({ method }) => method)).toEqual(['POST', 'GET']);
    expect(failedAttempts).toEqual([]);
  });

  it('is treated as not having received a request only if it responds with 404 and the outcome unknown', async () => {
    const retrieveDecision = async (respond: Parameters<typeof startLender>[0]) =>
      createRemoteLender(await startLender(respond)).lender.decisionOf(creditRequest);

    expect(await retrieveDecision(respondsWith({ outcome: 'unknown' }, 404))).toBe('unknown');
    await expect(retrieveDecision((response) => void response.writeHead(404).end())).rejects.toBeInstanceOf(UnknownOutcomeError);
    await expect(retrieveDecision(respondsWith('', 404))).rejects.toBeInstanceOf(UnknownOutcomeError);
    await expect(retrieveDecision(respondsWith({ outcome: 'unknown' }, 200))).rejects.toBeInstanceOf(UnknownOutcomeError);
    await expect(retrieveDecision(respondsWith({ outcome: 'ineligible' }, 404))).rejects.toBeInstanceOf(UnknownOutcomeError);
    await expect(retrieveDecision(respondsWith({ outcome: 'undecided' }, 404))).rejects.toBeInstanceOf(UnknownOutcomeError);
  });
});

describe('A remote lender, on a signed loan,', () => {
  it.each([
    ['accepted', { outcome: 'accepted' }],
    ['rejected', { outcome: 'rejected' }],
    ['rejected with reasons', { outcome: 'rejected', reasons: ['unverified-income', 'debt'] }],
  ])('receives the loan, and can respond with %s', async (_title, response) => {
    const bank = await startLender(respondsWith(response));

    expect(await createRemoteLender(bank).lender.accept(signedLoan, {})).toEqual(response);

    expect(bank.requests).toMatchObject([{ method: 'POST', path: '/fairterm/agreements', id: signedLoan.agreementId }]);
    expect(bank.requests[0]!.body).toEqual(signedLoan);
  });

  const accepted = '{"outcome":"accepted"}';
  it.each<[title: string, respond: Parameters<typeof startLender>[0]]>([
    ['an unknown field', respondsWith({ outcome: 'rejected', note: '' })],
    ['an unknown reason', respondsWith({ outcome: 'rejected', reasons: ['mood'] })],
    ['reasons of an accepted loan', respondsWith({ outcome: 'accepted', reasons: ['debt'] })],
    ['202', respondsWith({ outcome: 'accepted' }, 202)],
    ['a signature for another agreement', respondsUnsigned(200, signatureOf('another', accepted), accepted)],
  ])('has an unknown outcome, and a failed attempt is reported, if it responds with %s', async (_title, respond) => {
    const { lender, failures } = createRemoteLender(await startLender(respond));

    await expect(lender.accept(signedLoan, {})).rejects.toBeInstanceOf(UnknownOutcomeError);
    expect(failures()[0]).toMatch(/^responded with \d+/);
  });
});
