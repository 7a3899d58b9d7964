/** The limit of the role `support` and the sum of the merchant, when a person sends several refunds of an order at the same time. */
import { expect, it } from 'vitest';
import { changeRefundApproval } from '../../../server/merchants/merchants.ts';
import { systemClock } from '../../../server/base/time.ts';
import { getTransaction } from '../../../server/purchases/transactions/store.ts';
import { startApp } from '../../support/app.ts';
import { post, signIn, type Visitor } from '../../support/console.ts';
import { createDatabase, describeOnEveryEngine } from '../../support/databases.ts';
import { createBuyer, transactions } from '../../support/purchases.ts';

describeOnEveryEngine('Refunds of a person at the same time', async (engine) => {
  const database = await createDatabase(engine);
  const { publicUrl, merchantId } = await startApp(database, {});
  const { tenantId } = await database.query.selectFrom('merchants').select('tenantId').executeTakeFirstOrThrow();
  const scope = { tenantId, merchantId };
  const { createPurchase } = await createBuyer(database, systemClock.now(), merchantId);

  /** Sends two refunds of $450.00 of an order of $1,000.00: the second one for the revision after the first one. */
  async function refundTwice({ browser }: Visitor) {
    const now = systemClock.now();
    const id = await createPurchase({ totalCents: 100_000, createdAt: now });
    const key = { database, actor: 'key:test' } as const;
    await transactions.act(key, { merchantId, id }, { type: 'authorize' }, now);
    await transactions.act(key, { merchantId, id }, { type: 'settle' }, now);
    const path = `/console/${merchantId}/orders/${id}/refund`;
    const sends = [];
    for (const step of [0, 1]) {
      const { forms } = await browser.open(`${path}?amount=450`);
      const { action, fields } = forms.find((form) => form.method === 'POST' && form.action.endsWith('/refund'))!;
      const values: Record<string, string> = Object.fromEntries(fields.map(({ name, value }) => [name, value]));
      const revision = String(Number(values['revision']) + step);
      sends.push(() => browser.request(action, post({ ...values, reason: 'damaged', revision })));
    }
    const statuses = (await Promise.all(sends.map((send) => send()))).map(({ status }) => status);
    const { refundedCents } = await getTransaction(database.query, merchantId, id);
    return { statuses, refundedCents };
  }

  /** Asserts that one refund was made, and that the other one was rejected: because of the first, or because it was the earlier one. */
  async function expectOne(visitor: Visitor) {
    for (let round = 0; round < 6; round += 1) {
      const { statuses, refundedCents } = await refundTwice(visitor);
      expect([statuses[0], refundedCents]).toEqual([303, 45_000]);
      expect([409, 422]).toContain(statuses[1]);
    }
  }

  it('are not more together than the limit of support', async () => {
    await expectOne(await signIn({ publicUrl, database }, scope, 'support'));
  });

  it('are not more together than the sum that needs an approval', async () => {
    await database.write((tx) => changeRefundApproval(tx, merchantId, 50_000, systemClock.now()));
    await expectOne(await signIn({ publicUrl, database }, scope, 'finance'));
  });
});
