import { toJson } from '../../../../server/db/json.ts';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '../../../../server/base/config/config.ts';
import { addDocument } from '../../../../server/agreements/store.ts';
import { addApplication, findApplication } from '../../../../server/lending/applications/store.ts';
import { getCartById, lockCartById } from '../../../../server/purchases/carts/store.ts';
import type { Database } from '../../../../server/db/database.ts';
import { newId } from '../../../../server/base/ids.ts';
import { eraseBuyer } from '../../../../server/operations/retention/buyer-data.ts';
import { setHold, releaseHold } from '../../../../server/operations/retention/legal-holds.ts';
import { pseudonymize } from '../../../../server/operations/retention/pseudonymize.ts';
import { addHold } from '../../../../server/operations/retention/store.ts';
import type { Retention } from '../../../../server/base/config/retention.ts';
import { sweepOnce } from '../../../../server/operations/retention/sweep.ts';
import { type Instant, lastUsDayEnd, plusDays, plusMs } from '../../../../server/base/time.ts';
import { importProgram } from '../../../../server/lending/programs/import.ts';
import { getTransaction } from '../../../../server/purchases/transactions/store.ts';
import { addDays, type CivilDate } from '../../../../shared/dates.ts';
import { chair, createCart, open, reachAgreement, submit } from '../../../support/checkout.ts';
import { describeOnEveryEngine } from '../../../support/databases.ts';
import { createFee, createOffer, createProgram } from '../../../support/programs.ts';
import { listApplications, requestToken, startService, type TestMerchant, type TestService } from '../../../support/service.ts';
import { storedDeliveries } from '../../../support/stored.ts';
import { until } from '../../../support/time.ts';
import { fairterm } from '../commands/fairterm.ts';
import { buyer, createPeople, type People, prefilled } from './people.ts';

/** Returns true if a connection of this PostgreSQL database waits for a lock. */
async function isWaitingForLock({ query }: Database): Promise<boolean> {
  const waiting = sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  return (await waiting.execute(query)).rows.length > 0;
}

describeOnEveryEngine('Retention', (engine) => {
  let service: TestService;
  let merchant: TestMerchant;
  let deny: People['deny'];
  let sign: People['sign'];
  let applicationOf: People['applicationOf'];
  let people: People;
  beforeAll(async () => {
    service = await startService(engine);
    merchant = await service.createMerchant();
    people = createPeople(service, merchant);
    ({ deny, sign, applicationOf } = people);
  });
  const tablesWith = async (text: string) => (await people.tablesWith(text))[text]!;
  const now = (): Instant => service.clock.now();
  /** The database rejects the deletion of recent security events by its own clock, so that a later time cannot be tested with them. */
  const sweep = (at: Instant, over: Partial<Retention> = {}) => {
    const errors: unknown[] = [];
    return sweepOnce({
      database: service.database,
      realClock: { now: () => at },
      retention: { ...readConfig({}).retention, securityEventDays: 3_650, ...over },
      onError: (thrown) => errors.push(thrown),
    }).finally(() => expect(errors).toEqual([]));
  };
  const listed = async (id: string) => {
    const { body } = await listApplications(service.publicUrl, await requestToken(service.publicUrl, merchant), 'limit=200');
    return body.applications.find((one: { id: string }) => one.id === id);
  };
  const loanEndOf = async (transactionId: string) =>
    (await getTransaction(service.database.query, merchant.merchantId, transactionId)).loanEndsOn as CivilDate;
  const run = (...args: string[]) => fairterm(args, { databaseUrl: service.databaseUrl, clock: { now } });

  describe('of a purchase', () => {
    it('deletes the data of the buyer some time after its final status; amounts, journal and the APIs stay', async () => {
      const { cart, application, transactionId } = await sign('Quimby', { offerId: 'standard-6' });
      await merchant.post(`/transactions/actions/${transactionId}`, { type: 'authorize', merchantOrderId: 'M-7' });
      await merchant.post(`/transactions/actions/${transactionId}`, { type: 'settle' });
      const before = (await merchant.get(`/transactions/${transactionId}`)).body;
      expect(before.billingContact.fullName).toBe('FirstQuimby LastQuimby');
      for (const [purchaseDays, applicationDays] of [
        [700, 600],
        [600, 700],
      ] as const) {
        await sweep(plusDays(now(), 690), { purchaseDays, applicationDays });
        expect(await tablesWith('12 Quimby Road')).not.toEqual([]);
      }
      await sweep(plusDays(now(), 710), { purchaseDays: 700, applicationDays: 600 });
      // The agreement is retained for two years.
      expect(await tablesWith('Quimby')).toEqual(['agreement_documents']);
      const { status, body } = await merchant.get(`/transactions/${transactionId}`);
      expect(status).toBe(200);
      expect(body).toMatchObject({ status: 'SETTLED', total: before.total, merchantOrderId: 'M-7', lineItems: before.lineItems });
      expect(body.billingContact.fullName).toBe('');
      expect((await merchant.get(`/carts/${cart.id}`)).status).toBe(200);
      expect(await listed(application.id)).toMatchObject({ status: 'CHECKOUT_COMPLETED', paymentAgreements: [{}] });
      expect((await run('audit')).code).toBe(0);
    });

    const allTables = ['agreement_documents', 'applications', 'carts', 'outbox', 'transactions'];
    const tablesOf = async (name: string) => (await tablesWith(name)).toSorted();
    /** The shortest periods of a sandbox. */
    const shortest = { cartContactDays: 1, applicationDays: 1, purchaseDays: 1, messageDays: 1 };

    it('keeps everything of a loan until its last payment was due 90 days ago, however short its period is', async () => {
      const { application, transactionId } = await sign('Nadia', { offerId: 'standard-12' });
      for (const type of ['authorize', 'settle']) await merchant.post(`/transactions/actions/${transactionId}`, { type });
      const { payments } = (await findApplication(service.database.query, application.id))!.paymentAgreements[0]!.disclosure;
      const end = lastUsDayEnd(addDays(payments.at(-1)!.dueOn, 90));

      /** The messages that are retained with the loan: notices, and events for the lender. */
      const retained = async () => {
        const rows = service.database.query.selectFrom('outbox').select(['channel', 'notice']).orderBy('id');
        return (await rows.where('applicationId', '=', application.id).execute()).filter(
          ({ channel, notice }) => channel === 'lender' || notice !== null,
        );
      };
      const before = await retained();
      expect(before).toEqual(expect.arrayContaining([{ channel: 'lender', notice: null }]));

      await sweep(plusMs(end, -1), shortest);
      expect(await tablesOf('Nadia')).toEqual(allTables);
      expect(await retained()).toEqual(before);
      await sweep(end, shortest);
      // The database rejects the deletion of the agreement for two years.
      expect(await tablesOf('Nadia')).toEqual(['agreement_documents']);
    });

    it('keeps everything of a loan whose order was refunded while fees are owed, which `buyer erase` names', async () => {
      const fees = [createFee({ id: 'origination', flatCents: 2_000 })];
      const offers = [createOffer({ id: 'long', termLength: 36 })];
      await importProgram(
        service.database,
        createProgram({ id: 'long', fees, offers }),
        [merchant.merchantId],
        { asDefault: true },
        now(),
      );
      const { application, transactionId } = await sign('Ottilie');
      for (const type of ['authorize', 'settle', 'refund'])
        await merchant.post(`/transactions/actions/${transactionId}`, { type });
      await importProgram(service.database, createProgram({ version: 2 }), [merchant.merchantId], { asDefault: true }, now());
      const { body } = await merchant.get(`/transactions/${transactionId}`);
      expect(body).toMatchObject({ status: 'REFUNDED', financing: { current: { amount: 0 } } });
      const lastDueOn = body.financing.current.payments.at(-1).dueDate;
      expect(body.financing.current.payments).toHaveLength(36);
      await people.age(application.id);

      await sweep(plusDays(now(), 725), shortest);
      expect(await tablesOf('Ottilie')).toEqual(allTables);
      const { code, stderr } = await run('buyer', 'erase', '--application', application.id);
      expect([code, stderr.join()]).toEqual([
        1,
        expect.stringContaining(`which ends on ${lastDueOn}, must be retained for 90 days`),
      ]);
    });

    it('keeps what remains of a loan of which nothing is owed for 90 days after that, and of a purchase without a loan for its period', async () => {
      const refunded = await sign('Rhoda');
      for (const type of ['authorize', 'settle', 'refund'])
        await merchant.post(`/transactions/actions/${refunded.transactionId}`, { type });
      const canceled = await sign('Calla');
      await merchant.post(`/transactions/actions/${canceled.transactionId}`, { type: 'cancel' });
      await sweep(plusDays(now(), 2), shortest);
      expect(await tablesOf('Calla')).toEqual(['agreement_documents']);
      await people.age(refunded.application.id);
      const { stderr } = await run('buyer', 'erase', '--application', refunded.application.id);
      expect(stderr.join()).toContain(`which ends on ${await loanEndOf(refunded.transactionId)}, must be retained for 90 days`);

      const end = lastUsDayEnd(addDays(await loanEndOf(refunded.transactionId), 90));
      await sweep(plusMs(end, -1), shortest);
      expect(await tablesOf('Rhoda')).toEqual(allTables);
      await sweep(end, shortest);
      expect(await tablesOf('Rhoda')).toEqual(['agreement_documents']);
    });

    it('keeps the contacts of its cart after another application of the cart was deleted or erased, unless they are those of that person', async () => {
      /** Completes the purchase of a cart, with which another person was denied before. */
      const buyAfter = async (denied: string, name: string, contact: string) => {
        const cart = await createCart(merchant, prefilled(contact));
        const page = await submit(await open(cart.url), buyer(denied));
        await submit(page, { ...buyer(denied), taxIdLast4: '2001' });
        const { id } = await applicationOf(cart.id);
        const agreement = await reachAgreement(`${cart.url}/restart`, buyer(name));
        await submit(agreement, { ...buyer(name), signedName: `First${name} Last${name}` });
        const { transactionId } = await getCartById(service.database.query, cart.id);
        for (const type of ['authorize', 'settle']) await merchant.post(`/transactions/actions/${transactionId}`, { type });
        return id;
      };
      await buyAfter('Rufus', 'Gilda', 'Gilda');
      await sweep(plusDays(now(), 60), shortest);
      expect(await tablesOf('Rufus')).toEqual([]);
      expect(await tablesOf('Gilda')).toEqual(allTables);

      const ids = [await buyAfter('Dexter', 'Hanna', 'Hanna'), await buyAfter('Ramona', 'Odette', 'Ramona')];
      for (const id of ids) {
        await people.age(id);
        expect((await run('buyer', 'erase', '--application', id)).code).toBe(0);
      }
      for (const denied of ['Dexter', 'Ramona']) expect(await tablesOf(`Last${denied}`)).toEqual([]);
      expect(await tablesOf('Hanna')).toEqual(allTables);
      expect(await tablesOf('Odette')).toEqual(allTables.filter((table) => table !== 'carts'));
    });
  });

  it('deletes signed agreements after two years if the data of the buyer was deleted, and the database rejects it before', async () => {
    const { database } = service;
    const documents = async () => (await database.query.selectFrom('agreement_documents').select('id').execute()).length;
    const { application } = await deny('Document');
    const document = {
      id: 'document',
      applicationId: application.id,
      merchantId: merchant.merchantId,
      language: 'en' as const,
      html: 'OldAgreement',
      sha256: '0'.repeat(64),
      createdAt: plusDays(now(), -731),
    };
    await database.write((tx) => addDocument(tx, document, 'x'.repeat(22)));
    const before = await documents();
    expect(await sweep(now())).toMatchObject({ documents: 0 });
    await people.age(application.id);
    expect((await run('buyer', 'erase', '--application', application.id)).code).toBe(0);
    expect(await documents()).toBe(before - 1);
    const { application: recent } = await sign('Recent');
    const remove = database.write((tx) => tx.deleteFrom('agreement_documents').where('applicationId', '=', recent.id).execute());
    await expect(remove).rejects.toThrow('A signed document cannot be changed');
  });

  it('continues in batches, and after an error with the next row', async () => {
    const carts = [];
    for (let count = 0; count < 105; count += 1) carts.push(await createCart(merchant, prefilled('Batch')));
    const errors: unknown[] = [];
    const failing = carts[50]!.id;
    const { query, write, ...database } = service.database;
    let failures = 0;
    const swept = await sweepOnce({
      database: {
        ...database,
        query,
        write: (work) =>
          write(async (tx) => {
            const result = await work(tx);
            const cart = await tx.selectFrom('carts').select('contactsDeletedAt').where('id', '=', failing).executeTakeFirst();
            if (cart?.contactsDeletedAt && failures++ === 0) throw new Error('The database failed');
            return result;
          }),
      },
      realClock: { now: () => plusDays(now(), 100) },
      retention: { ...readConfig({}).retention, securityEventDays: 3_650 },
      onError: (thrown) => errors.push(thrown),
    });
    expect(errors).toMatchObject([{ message: 'The database failed' }]);
    expect(swept.carts).toBeGreaterThanOrEqual(104);
    await sweep(plusDays(now(), 100));
    expect(await tablesWith('12 Batch Road')).toEqual([]);
  });

  it('deletes security events after two years, and the database rejects the deletion of those of the last year', async () => {
    const { database } = service;
    const event = (id: string, at: Instant) => ({
      id,
      occurredAt: at,
      kind: 'key-created' as const,
      actor: 'console' as const,
      merchantId: null,
      tenantId: null,
      network: null,
      count: 1,
      detailsJson: toJson({}),
    });
    await database.write((tx) =>
      tx
        .insertInto('security_events')
        .values([event('old', plusDays(now(), -731)), event('recent', plusDays(now(), -729))])
        .execute(),
    );
    expect(await sweep(now(), { securityEventDays: 730 })).toMatchObject({ securityEvents: 1 });
    const ids = (await database.query.selectFrom('security_events').select('id').execute()).map(({ id }) => id);
    expect(ids).toContain('recent');
    expect(ids).not.toContain('old');
    await database.write((tx) => tx.insertInto('security_events').values(event('new', now())).execute());
    const remove = database.write((tx) => tx.deleteFrom('security_events').where('id', '=', 'new').execute());
    await expect(remove).rejects.toThrow('Security events cannot be changed');
  });

  describe('fairterm buyer', () => {
    const messagesTo = async (name: string) =>
      (await storedDeliveries(service.database)).filter(({ url }) => url.includes(`mail-${name}`)).length;
    it('exports everything about a person, and nothing about others', async () => {
      const { application, transactionId } = await sign('Exported');
      await deny('Other');
      const progress: string[] = [];
      const args = ['buyer', 'export', '--email', 'MAIL-exported@example.com'];
      const { code, stdout } = await fairterm(args, { databaseUrl: service.databaseUrl, clock: { now }, progress });
      expect(code).toBe(0);
      expect(progress).toContainEqual(expect.stringMatching(/^2 of 2, [\d,.]+\/s, \d+:\d\d, Exporting applications and carts$/));
      const data = JSON.parse(stdout[0]!);
      expect(data.applications).toMatchObject([
        {
          id: application.id,
          billingContact: { lastName: 'LastExported' },
          transaction: {
            id: transactionId,
            loanEndsOn: await loanEndOf(transactionId),
            journal: [{ type: 'created', actor: 'buyer' }],
          },
          agreement: { html: expect.stringContaining('LastExported') },
        },
      ]);
      expect(data.carts).toHaveLength(1);
      expect(data.messages.length).toBeGreaterThan(0);
      expect(stdout[0]).not.toMatch(/Other/);
      expect(stdout[0]).not.toContain(application.sessionHash);
    });

    it('erases a person by e-mail address after the period for which a lender must retain the application, without personal data in its record', async () => {
      const { application } = await deny('Erased');
      const { stderr } = await run('buyer', 'erase', '--email', 'mail-erased@example.com');
      expect(stderr.join()).toMatch(/which a lender received, must be retained until .+ \(12 CFR 1002\.12\(b\)\)/);
      expect(await messagesTo('erased')).toBe(1);
      await people.age(application.id);
      const { code, stdout } = await run('buyer', 'erase', '--email', 'mail-erased@example.com', '--json');
      expect(code).toBe(0);
      expect(JSON.parse(stdout[0]!)).toMatchObject({
        applications: [{ applicationId: application.id, documentUntil: null }],
        carts: 1,
      });
      expect(await tablesWith('LastErased')).toEqual([]);
      expect(await tablesWith('mail-erased')).toEqual([]);
      expect(await tablesWith('12 Erased Road')).toEqual([]);
      const { stdout: events } = await run('security-events', '--kind', 'data-erased', '--json');
      expect(JSON.parse(events[0]!).events[0]).toMatchObject({ actor: 'console', details: { applications: [application.id] } });
      expect((await run('buyer', 'erase', '--email', 'mail-erased@example.com')).stderr.join()).toMatch(/nothing is stored/);
    });

    it('erases by application, and retains a signed agreement for two years', async () => {
      const { application, transactionId } = await sign('Canceled');
      expect((await run('buyer', 'erase', '--application', application.id)).stderr.join()).toContain('is PENDING');
      await merchant.post(`/transactions/actions/${transactionId}`, { type: 'cancel' });
      await people.age(application.id);
      await service.database.write((tx) =>
        tx.updateTable('transactions').set({ statusSince: now() }).where('id', '=', transactionId).execute(),
      );
      expect((await run('buyer', 'erase', '--application', application.id)).stderr.join()).toContain('(12 CFR 1026.25(a))');
      await people.age(application.id);
      const { code, stdout } = await run('buyer', 'erase', '--application', application.id);
      expect([code, stdout[0]]).toEqual([0, expect.stringContaining('its signed agreement is retained until')]);
      expect(await tablesWith('LastCanceled')).toEqual(['agreement_documents']);
    });

    it('does not erase a purchase until its last letter has been retained', async () => {
      const { application, transactionId } = await sign('Lettered');
      await merchant.post(`/transactions/actions/${transactionId}`, { type: 'cancel' });
      await people.age(application.id, { withNotices: false });
      const { code, stderr } = await run('buyer', 'erase', '--application', application.id);
      expect([code, stderr.join()]).toEqual([
        1,
        expect.stringContaining(`the last notice about transaction ${transactionId} must be retained until`),
      ]);
      await people.age(application.id);
      expect((await run('buyer', 'erase', '--application', application.id)).code).toBe(0);
    });

    it('does not erase an open application', async () => {
      const cart = await createCart(merchant);
      await submit(await open(cart.url), buyer('Open'));
      const { code, stderr } = await run('buyer', 'erase', '--application', (await applicationOf(cart.id)).id);
      expect([code, stderr.join()]).toEqual([1, expect.stringContaining('is open until')]);
      expect(await tablesWith('LastOpen')).not.toEqual([]);
    });

    /** Starts a denied application of a buyer whose order is shipped to another person, who is named in the cart. */
    const denyShippedTo = async (name: string, recipient: string) => {
      const { shippingContact } = prefilled(recipient);
      const cart = await createCart(merchant, { items: [chair], shippingContact, disableEditShipping: true });
      const page = await submit(await open(cart.url), buyer(name));
      await submit(page, { ...buyer(name), taxIdLast4: '2001' });
      return { cart, application: await applicationOf(cart.id) };
    };
    /** Returns the ids of messages to the phone number that all buyers have. */
    const texts = async () =>
      (await storedDeliveries(service.database)).filter(({ url }) => url === 'tel:+15550100177').map(({ id }) => id);

    it('exports and erases no messages of the person to whom an order is shipped, or with the same phone number', async () => {
      await deny('receiver');
      const { cart: other } = await deny('neighbor');
      await merchant.post(`/carts/${other.id}/text`, { phone: '5550100177' });
      const { cart, application } = await denyShippedTo('giver', 'receiver');
      await merchant.post(`/carts/${cart.id}/text`, { phone: '5550100177' });
      const [linkOfOther, linkOfOwn] = await texts();

      const exported = JSON.parse((await run('buyer', 'export', '--application', application.id)).stdout[0]!);
      expect(exported.messages.map(({ to }: { to: string }) => to)).toEqual([
        'mailto:mail-giver%40example.com',
        'tel:+15550100177',
      ]);
      expect(exported.messages[1]).toMatchObject({ id: linkOfOwn });
      await people.age(application.id);
      const { code, stdout } = await run('buyer', 'erase', '--email', 'mail-giver@example.com', '--json');

      expect([code, JSON.parse(stdout[0]!)]).toMatchObject([0, { messages: 2 }]);
      expect(await messagesTo('giver')).toBe(0);
      expect(await messagesTo('receiver')).toBe(1);
      expect(await texts()).toEqual([linkOfOther]);
    });

    it('erases the messages of one application, and those of another of the same person stay under its legal hold', async () => {
      const { application: held } = await deny('twice');
      const { application } = await deny('twice');
      await setHold(service.database, held.id, 'Case 3', now());

      expect((await run('buyer', 'erase', '--email', 'mail-twice@example.com')).stderr.join()).toContain(held.id);
      expect(await messagesTo('twice')).toBe(2);
      await people.age(application.id);
      const { code, stdout } = await run('buyer', 'erase', '--application', application.id, '--json');

      expect([code, JSON.parse(stdout[0]!)]).toMatchObject([0, { messages: 1 }]);
      expect(await messagesTo('twice')).toBe(1);
    });

    it('erases links to carts that were sent to a person, except while the cart is under a legal hold of another one', async () => {
      const { cart, application } = await deny('payer');
      for (const { id } of [cart, await createCart(merchant)]) {
        await merchant.post(`/carts/${id}/email`, { email: 'mail-reader@example.com', name: 'Reader' });
      }
      await setHold(service.database, application.id, 'Case 4', now());

      const { stdout } = await run('buyer', 'erase', '--email', 'MAIL-reader@example.com', '--json');
      expect(JSON.parse(stdout[0]!)).toMatchObject({ applications: [], messages: 1 });
      expect(await messagesTo('reader')).toBe(1);
      await releaseHold(service.database, application.id, 'Case 4 is closed', now());
      await run('buyer', 'erase', '--email', 'mail-reader@example.com');
      expect(await messagesTo('reader')).toBe(0);
      expect(await messagesTo('payer')).toBe(1);
    });

    it('does not erase contacts of a cart that has another application under a legal hold, and neither does the sweep', async () => {
      const { cart, application: held } = await deny('first');
      await setHold(service.database, held.id, 'Case 5', now());
      const { query } = service.database;
      const secondId = newId();
      await service.database.write((tx) =>
        tx.updateTable('applications').set({ supersededAt: now() }).where('id', '=', held.id).execute(),
      );
      await service.database.write(async (tx) => {
        const first = (await findApplication(tx, held.id))!;
        const billingContact = { ...first.billingContact, email: 'mail-second@example.com' };
        await addApplication(tx, { ...first, id: secondId, supersededAt: null, billingContact });
      });
      const contacts = async () => (await getCartById(query, cart.id)).contactsDeletedAt;

      const { code, stderr } = await run('buyer', 'erase', '--email', 'mail-second@example.com');
      expect([code, stderr.join()]).toEqual([1, expect.stringContaining(`application ${held.id} is under a legal hold`)]);
      expect(await tablesWith('mail-second')).not.toEqual([]);
      await pseudonymize(service.database, { id: secondId, cartId: cart.id }, now());

      expect(await tablesWith('mail-second')).toEqual([]);
      expect(await contacts()).toBeNull();
      await releaseHold(service.database, held.id, 'Case 5 is closed', now());
      await pseudonymize(service.database, { id: held.id, cartId: cart.id }, now());
      expect(await contacts()).not.toBeNull();
    });

    it('erases messages whose encrypted contents are damaged, and exports the others', async () => {
      const { cart, application } = await deny('damaged');
      await merchant.post(`/carts/${cart.id}/email`, { email: 'mail-damaged@example.com', name: 'Reader' });
      const { database } = service;
      const rows = () =>
        database.query.selectFrom('outbox').select(['id', 'applicationId']).where('cartId', '=', cart.id).execute();
      const damage = { sealed: 'v2.unknown.damaged' };
      await database.write((tx) =>
        tx.updateTable('outbox').set(damage).where('applicationId', '=', application.id).where('channel', '=', 'email').execute(),
      );

      const exported = JSON.parse((await run('buyer', 'export', '--email', 'mail-damaged@example.com')).stdout[0]!);
      const link = (await rows()).find(({ applicationId }) => applicationId === null)!;
      expect(exported.messages).toMatchObject([{ id: link.id }]);
      await people.age(application.id);
      expect((await run('buyer', 'erase', '--email', 'mail-damaged@example.com')).code).toBe(0);

      expect(await rows()).toEqual([]);
    });

    it('erases nothing if a legal hold is set while it is about to start', async () => {
      const { database } = service;
      const { cart, application } = await deny('raced');
      let erasing: Promise<unknown> = Promise.resolve();
      await database.write(async (tx) => {
        await lockCartById(tx, cart.id);
        await addHold(tx, { applicationId: application.id, reason: 'Case 6', setAt: now() });
        erasing = eraseBuyer(database, { email: 'mail-raced@example.com' }, now());
        erasing.catch(() => undefined);
        // SQLite has one writer: the erasure waits in any case.
        if (engine === 'postgres') await until(() => isWaitingForLock(database));
      });

      await expect(erasing).rejects.toThrow(`application ${application.id} is under a legal hold`);
      expect(await tablesWith('12 raced Road')).not.toEqual([]);
      expect((await getCartById(database.query, cart.id)).contactsDeletedAt).toBeNull();
      expect(await messagesTo('raced')).toBe(1);
    });

    it('requires exactly one selector, and lists legal holds', async () => {
      expect((await run('buyer', 'export')).code).toBe(2);
      expect((await run('buyer', 'erase', '--email', 'a@example.com', '--application', 'x')).code).toBe(2);
      expect((await run('legal-hold', 'list')).stdout).toContainEqual(expect.stringContaining('Case 3'));
    });
  });
});
