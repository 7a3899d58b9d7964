import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { presentAgreements } from '../../../server/agreements/agreement.ts';
import { toTransactionContact, NO_CONTACT } from '../../../server/applications/contact.ts';
import { findApplication, saveApplication } from '../../../server/applications/store.ts';
import { associatedDataOf } from '../../../server/db/sealed.ts';
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
      const sealed = testKeys().seal(JSON.stringify(values), associatedDataOf('transactions', row));
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

  it('have the approved plans in a column, and the agreement as the platform API presents it', async () => {
    const database = await createDatabase(engine);
    const { createPurchase } = await createBuyer(database, '2026-11-21T09:30:00.000000Z');
    const id = await createPurchase();
    const money = { currency: 'USD', value: 3_461 };
    const programID = '00000000-0000-4000-8000-000000000001';
    const offer = { id: 'standard-24', programID, termLength: 24, apr: 0.0999, monthly: money, amountFinanced: money };
    const consentedAt = '2026-11-21T09:30:00.000000Z';
    const shownAgreements = [{ id: 'agreement', offer, consentedAt, disclosureHash: 'd' }];
    const values = { billingContact: NO_CONTACT, paymentAgreements: [{ id: 'agreement' }], shownAgreements };
    await database.write(async (tx) => {
      const row = await tx.selectFrom('applications').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
      const sealed = testKeys().seal(JSON.stringify(values), associatedDataOf('applications', row));
      const offersJson = JSON.stringify([{ id: 'standard-24' }]);
      await sql`update applications set sealed = ${sealed}, offers_json = ${offersJson} where id = ${id}`.execute(tx);
    });

    const application = (await findApplication(database.query, id))!;
    expect(application.offers).toEqual([{ id: 'standard-24' }]);
    // What earlier releases did not store is derived.
    expect(presentAgreements(application)).toMatchObject([
      {
        id: 'agreement',
        disclosureHash: 'd',
        offer: { id: expect.stringMatching(/^[0-9a-f-]{36}$/), planID: 'standard-24', programID, capacity: money },
        paymentAmount: money,
        terms: { amount: money, interval: 'MONTHLY', length: 24, rate: 0.0999 },
        createdAt: consentedAt,
      },
    ]);
    await database.write((tx) => saveApplication(tx, application, { cardLabel: 'Visa 4242' }));
    expect(await findApplication(database.query, id)).toMatchObject({ ...values, offers: [{ id: 'standard-24' }] });
  });
});
