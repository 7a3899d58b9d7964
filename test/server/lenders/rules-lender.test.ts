import { describe, expect, it } from 'vitest';
import { rulesLender } from '../../../server/lenders/rules-lender.ts';
import { creditScore, type Responder, startLender, respondsWith, respondsUnsigned } from '../../support/lenders.ts';
import { creditRequest, createClient, signedLoan } from './credit-request.ts';

const clock = { now: () => '2026-11-21T09:30:00.000000Z' };
const { requestId, contact } = creditRequest;

async function startRulesLender(respond: Responder) {
  const bureau = await startLender(respond);
  return { bureau, lender: rulesLender(createClient(bureau), clock, { maxPaymentToIncomePercent: 10 }) };
}

describe('A service for credit scores', () => {
  it('receives the buyer’s identity, but not their income or the amount', async () => {
    const { bureau, lender } = await startRulesLender(respondsWith({ found: 'score', score: 700 }));

    expect(await lender.decide(creditRequest)).toEqual({ outcome: 'approved', tierId: 'B', limitCents: null });

    expect(bureau.rejected).toEqual([]);
    expect(bureau.requests).toMatchObject([{ method: 'POST', path: '/fairterm/scores', id: requestId }]);
    expect(bureau.requests[0]!.body).toEqual({
      requestId,
      contact,
      applicant: { dateOfBirth: '1990-12-10', taxIdLast4: '8734' },
    });
  });

  it.each([
    [
      { found: 'score', score: 300 },
      { outcome: 'denied', reasons: ['credit-history'] },
    ],
    [
      { found: 'score', score: 850 },
      { outcome: 'approved', tierId: 'A', limitCents: null },
    ],
    [
      { found: 'score', score: { ...creditScore, value: 850 } },
      { outcome: 'approved', tierId: 'A', limitCents: null, score: { ...creditScore, value: 850 } },
    ],
    [
      { found: 'score', score: creditScore },
      { outcome: 'denied', reasons: ['credit-history'], score: creditScore },
    ],
    [{ found: 'no-score' }, { outcome: 'denied', reasons: ['insufficient-file'] }],
    [{ found: 'no-file' }, { outcome: 'denied', reasons: ['no-file'] }],
    [{ found: 'frozen' }, { outcome: 'needs-action', action: 'unfreeze-credit-file' }],
  ])('that responds with %j leads to %j', async (respond, decision) => {
    const { lender } = await startRulesLender(respondsWith(respond));

    expect(await lender.decide(creditRequest)).toEqual(decision);
  });

  it.each<[title: string, respond: Responder]>([
    ['a score of 299', respondsWith({ found: 'score', score: 299 })],
    ['a score of 851', respondsWith({ found: 'score', score: 851 })],
    ['a fractional score', respondsWith({ found: 'score', score: 700.5 })],
    ['a score outside of its range', respondsWith({ found: 'score', score: { ...creditScore, min: 600 } })],
    ['a score above every credit band', respondsWith({ found: 'score', score: { ...creditScore, value: 900, max: 999 } })],
    ['a score without its bureau', respondsWith({ found: 'score', score: { ...creditScore, bureau: undefined } })],
    ['a score without key factors', respondsWith({ found: 'score', score: { ...creditScore, factors: [] } })],
    ['a score as text', respondsWith({ found: 'score', score: '700' })],
    ['a score of null', respondsWith({ found: 'score', score: null })],
    ['the finding of a score without a score', respondsWith({ found: 'score' })],
    ['a score of a frozen file', respondsWith({ found: 'frozen', score: 800 })],
    ['an unknown finding', respondsWith({ found: 'twins' })],
    ['a decision', respondsWith({ outcome: 'denied', reasons: ['debt'] })],
    ['an unsigned score', respondsUnsigned(200, {}, '{"found":"score","score":800}')],
    ['202', respondsWith({ found: 'score', score: 800 }, 202)],
    ['404', respondsWith({ found: 'no-file' }, 404)],
    ['500', respondsUnsigned(500)],
    ['503', respondsUnsigned(503)],
  ])('that responds with %s leads to no decision', async (_title, respond) => {
    const { lender } = await startRulesLender(respond);

    await expect(lender.decide(creditRequest)).rejects.toMatchObject({ name: 'ServiceError', code: 'lender-unavailable' });
  });
});

describe('A lender that decides by rules', () => {
  it('cannot retrieve earlier decisions, and accepts every signed loan without a request', async () => {
    const { bureau, lender } = await startRulesLender(respondsWith({ found: 'score', score: 700 }));

    await lender.decide(creditRequest);

    expect(await lender.decisionOf(creditRequest)).toBe('unknown');
    expect(await lender.accept(signedLoan)).toEqual({ outcome: 'accepted' });
    expect(bureau.requests).toHaveLength(1);
  });
});
