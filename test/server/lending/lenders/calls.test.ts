import { expect, it } from 'vitest';
import { createCart, reachAgreement, submit } from '../../../support/checkout.ts';
import { describeOnEveryEngine } from '../../../support/databases.ts';
import { inTurn, respondsUnsigned, respondsWith, startLender } from '../../../support/lenders.ts';
import { startService } from '../../../support/service.ts';
import { until } from '../../../support/time.ts';
import { listCalls } from '../../../../server/lending/lenders/store.ts';
import { storedApplication } from '../../../support/stored.ts';

const approved = { outcome: 'approved', tierId: 'B', limitCents: null };
const accepted = { outcome: 'accepted', loanNumber: 'LN-2026-0001' };

describeOnEveryEngine('Calls to a lender', (engine) => {
  it('are recorded with their outcome, and the loan number of the response is shown', async () => {
    const respond = inTurn(
      respondsUnsigned(503),
      respondsWith(approved),
      respondsWith(accepted),
      respondsWith({ outcome: 'recorded' }),
    );
    const lender = await startLender(respond);
    const service = await startService(engine, { lender: lender.endpoint });
    const merchant = await service.createMerchant();
    const cart = await createCart(merchant);

    const page = await submit(await reachAgreement(cart.url));

    expect(page).toMatchObject({ status: 303 });
    const { requestId } = await storedApplication(service.database, cart.id);
    const subjectId = requestId!;
    const calls = await until(async () => {
      const listed = await listCalls(service.database.query, { subjectId, limit: 10 });
      return listed.length === 2 && listed;
    });
    const call = { direction: 'sent', method: 'POST', path: '/decisions', subjectId };
    expect(calls).toMatchObject([
      { ...call, attempt: 2, statusCode: 200, failure: '' },
      { ...call, attempt: 1, statusCode: 503, failure: 'responded with 503' },
    ]);
    expect(await listCalls(service.database.query, { subjectId, onlyFailed: true, limit: 10 })).toMatchObject([{ attempt: 1 }]);

    const [, decision, agreement] = lender.requests.map(({ body }) => body);
    const { merchantId: id } = merchant;
    expect(decision).toMatchObject({ merchant: { id, name: expect.any(String), category: '' }, earlierApplications: [] });
    expect(decision.order).toMatchObject({ totalCents: 75_000, lines: [{ quantity: 1, priceCents: 75_000 }] });
    expect(decision.client.ipAddress).toMatch(/127\.0\.0\.1|::1/);
    expect(agreement).toMatchObject({ merchant: decision.merchant, order: decision.order });

    const transaction = await merchant.fairterm.transactions.retrieve(agreement.transactionId);
    expect(transaction.financing).toMatchObject({ loanNumber: 'LN-2026-0001' });
  });

  it('name the earlier applications of the same buyer at the tenant', async () => {
    const lender = await startLender(respondsWith(approved));
    const service = await startService(engine, { lender: lender.endpoint });
    const merchant = await service.createMerchant();
    const first = await createCart(merchant);
    await reachAgreement(first.url);
    await reachAgreement((await createCart(merchant)).url);

    const decisions = lender.requests.filter(({ path }) => path.endsWith('/decisions')).map(({ body }) => body);
    const { createdAt } = await storedApplication(service.database, first.id);
    expect(decisions.map(({ earlierApplications }) => earlierApplications)).toEqual([[], [createdAt]]);
  });
});
