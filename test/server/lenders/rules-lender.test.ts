import { describe, expect, it } from 'vitest';
import { rulesLender } from '../../../server/lenders/rules-lender.ts';
import { type Answering, startLender, says, saysUnsigned } from '../../support/lenders.ts';
import { creditRequest, givenClient, signedLoan } from './asking.ts';

const clock = { now: () => '2026-11-21T09:30:00.000000Z' };
const { requestId, contact } = creditRequest;

async function givenRulesLender(answer: Answering) {
  const bureau = await startLender(answer);
  return { bureau, lender: rulesLender(givenClient(bureau), clock, { maxPaymentToIncomePercent: 10 }) };
}

describe('A service for credit scores', () => {
  it('receives the buyer’s identity, but neither income nor purchase', async () => {
    const { bureau, lender } = await givenRulesLender(says({ found: 'score', score: 700 }));

    expect(await lender.decide(creditRequest)).toEqual({ outcome: 'approved', tierId: 'B', limitCents: null });

    expect(bureau.refused).toEqual([]);
    expect(bureau.asked).toMatchObject([{ method: 'POST', path: '/fairterm/scores', id: requestId }]);
    expect(bureau.asked[0]!.body).toEqual({ requestId, contact, applicant: { dateOfBirth: '1990-12-10', taxIdLast4: '8734' } });
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
    [{ found: 'no-score' }, { outcome: 'denied', reasons: ['credit-history'] }],
    [{ found: 'no-file' }, { outcome: 'denied', reasons: ['identity'] }],
    [{ found: 'frozen' }, { outcome: 'needs-action', action: 'unfreeze-credit-file' }],
  ])('that responds with %j leads to %j', async (answer, decision) => {
    const { lender } = await givenRulesLender(says(answer));

    expect(await lender.decide(creditRequest)).toEqual(decision);
  });

  it.each<[what: string, answer: Answering]>([
    ['a score of 299', says({ found: 'score', score: 299 })],
    ['a score of 851', says({ found: 'score', score: 851 })],
    ['a score in fractions', says({ found: 'score', score: 700.5 })],
    ['a score as text', says({ found: 'score', score: '700' })],
    ['a score of nothing', says({ found: 'score', score: null })],
    ['no score where one was found', says({ found: 'score' })],
    ['a score of a frozen file', says({ found: 'frozen', score: 800 })],
    ['a finding we do not know', says({ found: 'twins' })],
    ['a decision', says({ outcome: 'denied', reasons: ['debt'] })],
    ['a score that is not signed', saysUnsigned(200, {}, '{"found":"score","score":800}')],
    ['202', says({ found: 'score', score: 800 }, 202)],
    ['404', says({ found: 'no-file' }, 404)],
    ['500', saysUnsigned(500)],
    ['503', saysUnsigned(503)],
  ])('that responds with %s causes no decision', async (_what, answer) => {
    const { lender } = await givenRulesLender(answer);

    await expect(lender.decide(creditRequest)).rejects.toMatchObject({ name: 'ServiceError', code: 'lender-unavailable' });
  });
});

describe('A lender that decides by rules', () => {
  it('stores nothing: it cannot retrieve earlier requests, and accepts every signed agreement', async () => {
    const { bureau, lender } = await givenRulesLender(says({ found: 'score', score: 700 }));

    await lender.decide(creditRequest);

    expect(await lender.decisionOf(creditRequest)).toBe('unknown');
    expect(await lender.accept(signedLoan)).toBe('accepted');
    expect(bureau.asked).toHaveLength(1);
  });
});
