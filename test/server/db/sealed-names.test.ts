import { expect, it } from 'vitest';
import { toTransactionContact, NO_CONTACT } from '../../../server/applications/contact.ts';
import { placeOf } from '../../../server/db/sealed.ts';
import { getTransaction } from '../../../server/transactions/store.ts';
import { testKeys } from '../../support/data-keys.ts';
import { createDatabase, describeOnEveryEngine } from '../../support/databases.ts';
import { createBuyer } from '../../support/purchases.ts';

describeOnEveryEngine('Values that an earlier release sealed', (engine) => {
  it('have the names of columns and JSON in texts, and are read like those of this release', async () => {
    const database = await createDatabase(engine);
    const { merchantId, createPurchase } = await createBuyer(database, '2026-11-21T09:30:00.000000Z');
    const id = await createPurchase();
    const contact = { ...toTransactionContact(NO_CONTACT), fullName: 'Ada Lovelace' };
    const discounts = [{ amount: 100, description: 'Welcome' }];
    const values = {
      billing_contact_json: JSON.stringify(contact),
      shipping_contact_json: JSON.stringify(contact),
      line_items_json: '[]',
      discounts_json: JSON.stringify(discounts),
      tracking_number: '1Z',
      card_label: 'Visa 4242',
    };
    await database.write(async (tx) => {
      const row = await tx.selectFrom('transactions').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
      const sealed = testKeys().seal(JSON.stringify(values), placeOf('transactions', row));
      await tx.updateTable('transactions').set({ sealed }).where('id', '=', id).execute();
    });

    expect(await getTransaction(database.query, merchantId, id)).toMatchObject({
      billingContact: contact,
      shippingContact: contact,
      lineItems: [],
      discounts,
      trackingNumber: '1Z',
      cardLabel: 'Visa 4242',
    });
  });
});
