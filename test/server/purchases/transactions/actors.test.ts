import { expect, it } from 'vitest';
import { listEntries } from '../../../../server/purchases/transactions/store.ts';
import { completeCheckoutAndAct } from '../../../support/checkout.ts';
import { startService } from '../../../support/service.ts';

it('The journal of a transaction contains the buyer as the actor of the signature and the key as the actor of each request', async () => {
  const service = await startService();
  const merchant = await service.createMerchant();
  const actions = [{ type: 'authorize' }, { type: 'cancel', amount: 100 }, { type: 'settle' }, { type: 'refund', amount: 100 }];
  const { id } = await completeCheckoutAndAct(merchant, actions);
  await merchant.fairterm.transactions.setOrderId(id, { merchantOrderId: 'M-1' });
  await merchant.fairterm.transactions.ship(id, { carrierName: 'Post' });

  const actor = `key:${merchant.apiKey.slice(-8)}`;
  const journal = await listEntries(service.database.query, id);
  expect(journal.map((entry) => [entry.type, entry.actor, entry.reason])).toEqual([
    ['created', 'buyer', null],
    ...['authorized', 'canceled', 'settled', 'refunded', 'order-id-set', 'shipped'].map((type) => [type, actor, null]),
  ]);
});
