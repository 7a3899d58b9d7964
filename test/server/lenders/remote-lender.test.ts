import { describe, expect, it } from 'vitest';
import { UnknownOutcome } from '../../../server/lenders/lender.ts';
import { startLender, respondsWith, signatureOf } from '../../support/lenders.ts';
import { creditRequest, givenRemote, signedLoan } from './asking.ts';

const { program: _program, ...rest } = creditRequest;
const id = creditRequest.requestId;

describe('A decision request to a remote lender', () => {
  it('receives one request with the required data, and only the name and credit bands of the program', async () => {
    const bank = await startLender(respondsWith({ outcome: 'approved', tierId: 'B', limitCents: 60_000 }));

    const decision = await givenRemote(bank).lender.decide(creditRequest);

    expect(decision).toEqual({ outcome: 'approved', tierId: 'B', limitCents: 60_000 });
    expect(bank.rejected).toEqual([]);
    expect(bank.requests).toMatchObject([{ method: 'POST', path: '/fairterm/decisions', id }]);
    expect(bank.requests[0]!.body).toEqual({
      ...rest,
      program: { id: 'standard', version: 1, currency: 'USD' },
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
    [{ outcome: 'approved', tierId: 'C', limitCents: 1 }],
    [{ outcome: 'denied', reasons: ['credit-history'] }],
    [{ outcome: 'denied', reasons: ['income', 'debt', 'identity', 'other'] }],
    [{ outcome: 'ineligible' }],
    [{ outcome: 'needs-action', action: 'unfreeze-credit-file' }],
    [{ outcome: 'needs-action', action: 'confirm-identity' }],
    [{ outcome: 'needs-action', action: 'correct-details' }],
  ])('returns the response %j, prompt or late', async (response) => {
    const bank = await startLender(respondsWith(response));
    const { lender, failedAttempts } = givenRemote(bank);

    expect(await lender.decide(creditRequest)).toEqual(response);
    expect(await lender.decisionOf(creditRequest)).toEqual(response);

    expect(bank.requests[1]).toMatchObject({ method: 'GET', path: `/fairterm/decisions/${id}`, id, body: undefined });
    expect([bank.rejected, failedAttempts]).toEqual([[], []]);
  });

  const approved = { outcome: 'approved', tierId: 'A', limitCents: null };
  it.each<[what: string, respond: unknown]>([
    ['nothing', ''],
    ['an empty object', '{}'],
    ['null', 'null'],
    ['a number', '7'],
    ['a list', [approved]],
    ['HTML', '<!doctype html><title>approved</title>'],
    ['half of an answer', '{"outcome":"approved","tierId":"A"'],
    ['two answers, one after the other', `${JSON.stringify(approved)}{"outcome":"ineligible"}`],
    ['an outcome we do not know', { outcome: 'maybe' }],
    ['an outcome in capitals', { ...approved, outcome: 'APPROVED' }],
    ['an outcome as a list', { ...approved, outcome: ['approved'] }],
    ['no tier', { outcome: 'approved', limitCents: null }],
    ['a tier the program does not have', { ...approved, tierId: 'Z' }],
    ['a tier named like what objects inherit', { ...approved, tierId: 'constructor' }],
    ['a tier that is a number', { ...approved, tierId: 1 }],
    ['no limit, not even null', { outcome: 'approved', tierId: 'A' }],
    ['a limit above the amount', { ...approved, limitCents: 75_001 }],
    ['a limit of nothing', { ...approved, limitCents: 0 }],
    ['a negative limit', { ...approved, limitCents: -1 }],
    ['a limit in fractions', { ...approved, limitCents: 100.5 }],
    ['a limit beyond all numbers', '{"outcome":"approved","tierId":"A","limitCents":1e999}'],
    ['a limit as text', { ...approved, limitCents: '60000' }],
    ['a condition we would not see', { ...approved, aprBps: 3_000 }],
    ['a denial without a reason', { outcome: 'denied', reasons: [] }],
    ['a denial without reasons', { outcome: 'denied' }],
    ['a denial with a reason we do not know', { outcome: 'denied', reasons: ['age'] }],
    ['a denial with the same reason twice', { outcome: 'denied', reasons: ['debt', 'debt'] }],
    ['a denial that is an approval, too', { ...approved, outcome: 'denied', reasons: ['debt'] }],
    ['an action we do not know', { outcome: 'needs-action', action: 'send-money' }],
    ['the same name twice, denied last', '{"outcome":"approved","outcome":"denied","reasons":["debt"]}'],
    ['the same name twice, spelled differently', '{"outcome":"ineligible","\\u006futcome":"ineligible"}'],
    ['the same name twice, inside', '{"outcome":"denied","reasons":["debt"],"x":[{"a":1,"a":1}]}'],
    ['a prototype', '{"outcome":"ineligible","__proto__":{}}'],
    ['nesting without end', '['.repeat(20_000) + ']'.repeat(20_000)],
    ['UTF-16', Buffer.from(JSON.stringify(approved), 'utf16le')],
    ['bytes that are no UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])],
    ['a byte order mark', Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(JSON.stringify(approved))])],
    ['an unexpected acceptance', { outcome: 'accepted' }],
  ])('has an unknown outcome when it responds with %s', async (_what, respond) => {
    const bank = await startLender(respondsWith(respond));
    const { lender } = givenRemote(bank);

    await expect(lender.decide(creditRequest)).rejects.toBeInstanceOf(UnknownOutcome);
    await expect(lender.decisionOf(creditRequest)).rejects.toBeInstanceOf(UnknownOutcome);
    expect([bank.requests.length, bank.rejected]).toEqual([2, []]);
  });

  it('cannot approve a tier that the program does not offer', async () => {
    const bank = await startLender(respondsWith({ outcome: 'approved', tierId: 'C', limitCents: null }));
    const offers = creditRequest.program.offers.map((offer) => ({ ...offer, tierAprBps: { A: 799 } }));

    const pending = givenRemote(bank).lender.decide({ ...creditRequest, program: { ...creditRequest.program, offers } });

    await expect(pending).rejects.toBeInstanceOf(UnknownOutcome);
  });

  it('can defer its decision, which only `decisionOf` then requests', async () => {
    const bank = await startLender(respondsWith({ outcome: 'undecided' }, 202));
    const { lender, failedAttempts } = givenRemote(bank);

    await expect(lender.decide(creditRequest)).rejects.toBeInstanceOf(UnknownOutcome);
    expect(await lender.decisionOf(creditRequest)).toBe('undecided');
    expect(bank.requests.map(({ method }) => method)).toEqual(['POST', 'GET']);
    expect(failedAttempts).toEqual([]);
  });

  it('treats a request as unknown only after an explicit 404 response', async () => {
    const decisionOf = async (respond: Parameters<typeof startLender>[0]) =>
      givenRemote(await startLender(respond)).lender.decisionOf(creditRequest);

    expect(await decisionOf(respondsWith({ outcome: 'unknown' }, 404))).toBe('unknown');
    await expect(decisionOf((response) => void response.writeHead(404).end())).rejects.toBeInstanceOf(UnknownOutcome);
    await expect(decisionOf(respondsWith('', 404))).rejects.toBeInstanceOf(UnknownOutcome);
    await expect(decisionOf(respondsWith({ outcome: 'unknown' }, 200))).rejects.toBeInstanceOf(UnknownOutcome);
    await expect(decisionOf(respondsWith({ outcome: 'ineligible' }, 404))).rejects.toBeInstanceOf(UnknownOutcome);
    await expect(decisionOf(respondsWith({ outcome: 'undecided' }, 404))).rejects.toBeInstanceOf(UnknownOutcome);
  });
});

describe('A remote lender, when notified of a signed loan,', () => {
  it.each(['accepted', 'refused'] as const)('receives the whole loan, and its "%s" response is returned', async (outcome) => {
    const bank = await startLender(respondsWith({ outcome }));

    expect(await givenRemote(bank).lender.accept(signedLoan)).toBe(outcome);

    expect(bank.requests).toMatchObject([{ method: 'POST', path: '/fairterm/agreements', id: signedLoan.agreementId }]);
    expect(bank.requests[0]!.body).toEqual(signedLoan);
  });

  it.each<[what: string, respond: Parameters<typeof startLender>[0]]>([
    ['a decision', respondsWith({ outcome: 'ineligible' })],
    ['more than it was asked', respondsWith({ outcome: 'refused', because: 'of a hunch' })],
    ['nothing', respondsWith('')],
    ['by 202', respondsWith({ outcome: 'accepted' }, 202)],
    ['400', (response) => void response.writeHead(400).end()],
    ['503', (response) => void response.writeHead(503).end()],
    [
      'for another agreement',
      (response) => {
        const body = '{"outcome":"accepted"}';
        response.writeHead(200, signatureOf('another', body)).end(body);
      },
    ],
  ])('has an unknown outcome when it responds with %s', async (_what, respond) => {
    const pending = givenRemote(await startLender(respond)).lender.accept(signedLoan);

    await expect(pending).rejects.toBeInstanceOf(UnknownOutcome);
  });

  it('is notified again after it was unreachable', async () => {
    const { lender } = givenRemote({
      endpoint: { ...(await startLender(respondsWith(''))).endpoint, url: 'https://127.0.0.1:1' },
    });

    await expect(lender.accept(signedLoan)).rejects.toBeInstanceOf(UnknownOutcome);
  });
});
