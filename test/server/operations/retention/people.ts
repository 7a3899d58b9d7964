/** Buyers with different applications, and where their data is stored. */
import type { ExpressionBuilder } from 'kysely';
import type { Schema } from '../../../../server/db/schema.ts';
import { plusDays, systemClock } from '../../../../server/base/time.ts';
import { chair, createCart, open, reachAgreement, submit } from '../../../support/checkout.ts';
import { everythingStored } from '../../../support/databases.ts';
import type { TestMerchant, TestService } from '../../../support/service.ts';

/** A buyer whose data occurs nowhere else. */
export const buyer = (name: string) => ({
  firstName: `First${name}`,
  lastName: `Last${name}`,
  email: `mail-${name}@example.com`.toLowerCase(),
  phone: '(555) 010-0177',
  address: `12 ${name} Road`,
});

/** The options of a cart with the contacts of a buyer. */
export const prefilled = (name: string) => {
  const contact = { ...buyer(name), phone: '5550100177', city: 'Springfield', state: 'IL', zip: '62701' };
  return { items: [chair], shippingContact: contact, billingContact: contact, metadata: { note: name } };
};

export type People = ReturnType<typeof createPeople>;

/** Returns functions that create buyers and find their data. */
export function createPeople({ database }: TestService, merchant: TestMerchant) {
  const applicationOf = (cartId: string) =>
    database.query.selectFrom('applications').selectAll().where('cartId', '=', cartId).executeTakeFirstOrThrow();
  return {
    applicationOf,
    /** Starts an application that is denied. */
    deny: async (name: string) => {
      const cart = await createCart(merchant, prefilled(name));
      const page = await submit(await open(cart.url), buyer(name));
      await submit(page, { ...buyer(name), taxIdLast4: '2001' });
      return { cart, application: await applicationOf(cart.id) };
    },
    /** Completes a purchase. `over` replaces values of the forms before the signature. */
    sign: async (name: string, over: Record<string, string> = {}) => {
      const cart = await createCart(merchant, prefilled(name));
      await submit(await reachAgreement(cart.url, { ...buyer(name), ...over }), {
        ...buyer(name),
        signedName: `First${name} Last${name}`,
      });
      const { transactionId } = await database.query
        .selectFrom('carts')
        .select('transactionId')
        .where('id', '=', cart.id)
        .executeTakeFirstOrThrow();
      return { cart, application: await applicationOf(cart.id), transactionId: transactionId! };
    },
    /** Moves an application, its purchase and its notices back by more than the periods for which lenders must retain them. */
    age: async (applicationId: string, { withNotices = true } = {}) => {
      const past = plusDays(systemClock.now(), -800);
      await database.write(async (tx) => {
        await tx.updateTable('applications').set({ updatedAt: past }).where('id', '=', applicationId).execute();
        await tx.updateTable('transactions').set({ statusSince: past }).where('applicationId', '=', applicationId).execute();
        if (!withNotices) return;
        // A notice cannot be changed, but a sandbox may delete it.
        const isNotice = (row: ExpressionBuilder<Schema, 'outbox'>) =>
          row.and([row('applicationId', '=', applicationId), row('notice', 'is not', null)]);
        const notices = await tx.selectFrom('outbox').selectAll().where(isNotice).execute();
        await tx.deleteFrom('outbox').where(isNotice).execute();
        const aged = notices.map((notice) => ({ ...notice, createdAt: past }));
        if (aged.length > 0) await tx.insertInto('outbox').values(aged).execute();
      });
    },
    /** Returns the names of the tables with each text, except responses to idempotency keys, which are deleted after three days. */
    tablesWith: async <Text extends string>(...texts: Text[]): Promise<Record<Text, string[]>> => {
      const stored = JSON.parse(await everythingStored(database)) as Record<string, unknown>;
      const tables = Object.keys(stored).filter((table) => !table.startsWith('idempotency_'));
      const contents = tables.map((table): [string, string] => [table, JSON.stringify(stored[table])]);
      const tablesOf = (text: string) =>
        contents.filter(([, content]) => new RegExp(text, 'i').test(content)).map(([table]) => table);
      return Object.fromEntries(texts.map((text) => [text, tablesOf(text)])) as Record<Text, string[]>;
    },
  };
}
