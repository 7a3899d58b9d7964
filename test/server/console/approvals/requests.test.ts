/** Refunds that need a second person: who may approve them, and what happens when several people act at the same time. */
import { expect, it } from 'vitest';
import { toJson } from '../../../../server/db/json.ts';
import { ServiceError } from '../../../../server/base/errors.ts';
import { newId } from '../../../../server/base/ids.ts';
import { changeMerchant, changeRefundApproval } from '../../../../server/merchants/merchants.ts';
import { approveRefund, refundAsUser, rejectRefund, requestRefund } from '../../../../server/console/approvals/requests.ts';
import { findPendingRequest, listPendingRequests, listRefundRequests } from '../../../../server/console/approvals/store.ts';
import { listSecurityEvents } from '../../../../server/merchants/security-events.ts';
import { type Instant, plusDays } from '../../../../server/base/time.ts';
import { auditTransactions } from '../../../../server/purchases/transactions/audit.ts';
import { getTransaction, listEntries } from '../../../../server/purchases/transactions/store.ts';
import type { Role } from '../../../../server/console/users/roles.ts';
import { emailHash as hashOfEmail } from '../../../../server/db/sealed.ts';
import { addUser, saveUser, type User } from '../../../../server/console/users/store.ts';
import { createDatabase, describeOnEveryEngine } from '../../../support/databases.ts';
import { createBuyer, transactions } from '../../../support/purchases.ts';

const NOW: Instant = '2026-11-24T10:00:00.000000Z';

describeOnEveryEngine('A refund that a second person approves', async (engine) => {
  const given = await createShop();

  async function createShop() {
    const database = await createDatabase(engine);
    const { merchantId, createPurchase } = await createBuyer(database, NOW);
    const { tenantId } = await database.query
      .selectFrom('merchants')
      .select('tenantId')
      .where('id', '=', merchantId)
      .executeTakeFirstOrThrow();
    const deps = { database, transactions };
    const createUser = async (role: Role, over: Partial<User> = {}): Promise<User> => {
      const { email = `${newId()}@acme.example` } = over;
      const emailHash = await hashOfEmail(database.query, email);
      const scope = { id: newId(), tenantId, merchantId, role, refundLimitCents: null };
      const user = { ...scope, name: 'Ada', createdAt: NOW, removedAt: null, ...over, email, emailHash };
      await database.write((tx) => addUser(tx, user));
      return user;
    };
    const refund = (amount: number) =>
      ({ type: 'refund', amount, lineItems: undefined, reference: 'RMA-1', reason: 'damaged' }) as const;
    const createOrder = async () => {
      const id = await createPurchase({ totalCents: 100_000, createdAt: NOW });
      const key = { database, actor: 'key:test' } as const;
      await transactions.act(key, { merchantId, id }, { type: 'authorize' }, NOW);
      await transactions.act(key, { merchantId, id }, { type: 'settle' }, NOW);
      return { merchantId, id };
    };
    /** Creates an order with a refund of $600.00 that `requester` has requested. */
    const createRequest = async (requester: User) => {
      const order = await createOrder();
      const { revision } = await getTransaction(database.query, merchantId, order.id);
      await requestRefund(deps, requester, { ...order, revision }, refund(60_000), NOW);
      const { id: requestId } = (await findPendingRequest(database.query, order.id, NOW))!;
      return { ...order, requestId };
    };
    const refundsOf = async (id: string) => (await listEntries(database.query, id)).filter(({ type }) => type === 'refunded');
    const requestOf = async (id: string) => (await listRefundRequests(database.query, id)).at(-1)!;
    const kindsOf = async (id: string) => {
      const events = await listSecurityEvents(database.query, { merchantId, limit: 1_000 });
      return events
        .filter(({ details }) => details['transactionId'] === id)
        .map(({ kind }) => kind)
        .toSorted();
    };
    return { database, deps, merchantId, createUser, createOrder, createRequest, refund, refundsOf, requestOf, kindsOf };
  }

  const codeOf = (thrown: unknown): string => (thrown instanceof ServiceError ? thrown.code : String(thrown));
  const codesOf = async (results: Promise<unknown>[]) =>
    (await Promise.allSettled(results)).map((result) => (result.status === 'fulfilled' ? 'done' : codeOf(result.reason)));

  it('is not made until then, and is made as it was requested, with both people on record', async () => {
    const { database, deps, createUser, createRequest, refundsOf, requestOf, kindsOf, merchantId } = given;
    const ada = await createUser('finance');
    const bob = await createUser('admin');
    const request = await createRequest(ada);
    expect(await refundsOf(request.id)).toEqual([]);
    expect(await listPendingRequests(database.query, merchantId, NOW, 10)).toMatchObject([
      { transactionId: request.id, amountCents: 60_000 },
    ]);

    await approveRefund(deps, bob, request, NOW);

    const [entry, ...others] = await refundsOf(request.id);
    expect(others).toEqual([]);
    expect(entry).toMatchObject({ amountCents: 60_000, actor: `user:${ada.id}`, reason: 'damaged', reference: 'RMA-1' });
    expect(await requestOf(request.id)).toMatchObject({
      status: 'approved',
      requestedBy: ada.id,
      decidedBy: bob.id,
      revision: entry!.sequence - 1,
    });
    expect(await kindsOf(request.id)).toEqual(['refund-approved', 'refund-requested']);
    expect(await listPendingRequests(database.query, merchantId, NOW, 10)).toEqual([]);
    expect(await codesOf([approveRefund(deps, bob, request, NOW), rejectRefund(deps, bob, request, NOW)])).toEqual([
      'wrong-state',
      'wrong-state',
    ]);
  });

  it('cannot be approved by the same person, by one who may not refund the amount, or for one who may not any more', async () => {
    const { database, deps, createUser, createRequest, refundsOf, requestOf } = given;
    const ada = await createUser('finance');
    const bob = await createUser('finance');
    const request = await createRequest(ada);
    const clerk = await createUser('support', { refundLimitCents: 50_000 });
    const viewer = await createUser('viewer');
    const approve = (user: User) => codesOf([approveRefund(deps, user, request, NOW)]);
    for (const user of [ada, clerk, viewer]) expect(await approve(user)).toEqual(['wrong-state']);
    // Also not for one whose limit was lowered since.
    for (const change of [
      { role: 'support' as const, refundLimitCents: 59_999 },
      { role: 'viewer' as const },
      { removedAt: NOW },
    ]) {
      await database.write((tx) => saveUser(tx, { ...ada, ...change }));
      expect(await approve(bob)).toEqual(['wrong-state']);
    }
    expect(await refundsOf(request.id)).toEqual([]);
    expect(await requestOf(request.id)).toMatchObject({ status: 'pending', decidedBy: null });
  });

  it('cannot be approved with another account of the person who requested it, however its e-mail address is written', async () => {
    const { deps, createUser, createRequest, refundsOf } = given;
    const ada = await createUser('finance', { email: 'Ada.L@gmail.com' });
    const request = await createRequest(ada);
    for (const email of ['Ada.L@gmail.com', ' ada.l@GMAIL.com', 'ada.l+approver@gmail.com', 'adal@googlemail.com']) {
      const account = await createUser('admin', { email, merchantId: null });
      expect(await codesOf([approveRefund(deps, account, request, NOW)])).toEqual(['wrong-state']);
      await given.database.write((tx) => saveUser(tx, { ...account, removedAt: NOW }));
    }
    expect(await refundsOf(request.id)).toEqual([]);
    await approveRefund(deps, await createUser('admin', { email: 'bob@gmail.com' }), request, NOW);
  });

  it('is required for the refunds of all accounts of a person together, also if they are made at the same time', async () => {
    const { deps, database, createUser, createOrder, refund, refundsOf, merchantId } = await createShop();
    await database.write((tx) => changeRefundApproval(tx, merchantId, 50_000, NOW));
    const accounts = [
      await createUser('finance', { email: 'ada@acme.example' }),
      await createUser('admin', { email: 'ADA@acme.example', merchantId: null }),
    ];
    const bob = await createUser('finance');
    for (let round = 0; round < 5; round += 1) {
      const order = await createOrder();
      const { revision } = await getTransaction(database.query, merchantId, order.id);
      const refundAs = (user: User, step: number) =>
        codesOf([refundAsUser(deps, user, { ...order, revision: revision + step }, refund(30_000), NOW)]);
      const [first, second] = (await Promise.all(accounts.map(refundAs))).flat();
      expect([first, (await refundsOf(order.id)).length]).toEqual(['done', 1]);
      expect(['wrong-state', 'changed-meanwhile']).toContain(second);
      expect(await refundAs(accounts[1]!, 1)).toEqual(['wrong-state']);
      expect(await refundAs(bob, 1)).toEqual(['done']);
    }
    const clerk = await createUser('support', { email: 'ada+1@acme.example', refundLimitCents: 40_000 });
    const order = await createOrder();
    const refundAs = (user: User, revision: number) => refundAsUser(deps, user, { ...order, revision }, refund(30_000), NOW);
    const { revision } = await refundAs(accounts[0]!, (await getTransaction(database.query, merchantId, order.id)).revision);
    expect(await codesOf([refundAs(clerk, revision)])).toEqual(['amount-too-large']);
  });

  it('cannot be approved by one who was removed or demoted since the request to approve it began', async () => {
    const { database, deps, createUser, createRequest, refundsOf } = given;
    const request = await createRequest(await createUser('finance'));
    const bob = await createUser('admin');
    for (const change of [{ role: 'viewer' as const }, { removedAt: NOW }]) {
      await database.write((tx) => saveUser(tx, { ...bob, ...change }));
      expect(await codesOf([approveRefund(deps, bob, request, NOW)])).toEqual(['wrong-state']);
    }
    expect(await refundsOf(request.id)).toEqual([]);
  });

  it('is required above the sum of the merchant, and not possible above the limit of the person, for all refunds of an order', async () => {
    const { deps, database, createUser, createOrder, refund, refundsOf, merchantId } = await createShop();
    await database.write((tx) => changeRefundApproval(tx, merchantId, 30_000, NOW));
    const ada = await createUser('support', { refundLimitCents: 50_000 });
    const bob = await createUser('admin');
    const order = await createOrder();
    const seen = async () => ({ ...order, revision: (await getTransaction(database.query, merchantId, order.id)).revision });
    const refundNow = async (user: User, cents: number) => codesOf([refundAsUser(deps, user, await seen(), refund(cents), NOW)]);
    const request = async (cents: number) => codesOf([requestRefund(deps, ada, await seen(), refund(cents), NOW)]);

    expect(await refundNow(ada, 30_000)).toEqual(['done']);
    expect(await refundNow(ada, 1)).toEqual(['wrong-state']);
    expect(await refundNow(ada, 20_001)).toEqual(['amount-too-large']);
    expect(await request(20_001)).toEqual(['amount-too-large']);
    // Each person has their own sum, as long as no other refund waits.
    expect(await refundNow(bob, 1)).toEqual(['done']);
    expect(await request(20_000)).toEqual(['done']);
    expect(await refundNow(bob, 1)).toEqual(['wrong-state']);
    const { id: requestId } = (await findPendingRequest(database.query, order.id, NOW))!;
    await approveRefund(deps, bob, { ...order, requestId }, NOW);
    expect((await refundsOf(order.id)).map(({ amountCents }) => amountCents)).toEqual([30_000, 1, 20_000]);
  });

  it('is not avoided by several refunds of a person at the same time, each for another revision of the order', async () => {
    const { deps, database, createUser, createOrder, refund, refundsOf, merchantId } = await createShop();
    const clerk = await createUser('support', { refundLimitCents: 50_000 });
    const refundTwice = async (user: User) => {
      const order = await createOrder();
      const { revision } = await getTransaction(database.query, merchantId, order.id);
      const twice = [revision, revision + 1].map((each) =>
        refundAsUser(deps, user, { ...order, revision: each }, refund(45_000), NOW),
      );
      const codes = await codesOf(twice);
      return [codes[0], (await refundsOf(order.id)).length];
    };
    for (let round = 0; round < 5; round += 1) expect(await refundTwice(clerk)).toEqual(['done', 1]);
    const ada = await createUser('finance');
    await database.write((tx) => changeRefundApproval(tx, merchantId, 50_000, NOW));
    for (let round = 0; round < 5; round += 1) expect(await refundTwice(ada)).toEqual(['done', 1]);
  });

  it('cannot be approved after seven days, for another merchant, or after any change of the order, and can be requested again', async () => {
    const { database, deps, createUser, createRequest, refund, refundsOf, merchantId } = given;
    const ada = await createUser('finance');
    const bob = await createUser('finance');
    const request = await createRequest(ada);
    const later = plusDays(NOW, 7);
    expect(await codesOf([approveRefund(deps, bob, request, later)])).toEqual(['wrong-state']);
    const foreign = { ...request, merchantId: (await createBuyer(database, NOW)).merchantId };
    expect(await codesOf([approveRefund(deps, bob, foreign, NOW), rejectRefund(deps, bob, foreign, NOW)])).toEqual([
      'wrong-state',
      'transaction-not-found',
    ]);
    await transactions.act({ database, actor: 'key:test' }, request, refund(1_000), NOW);
    expect(await codesOf([approveRefund(deps, bob, request, NOW)])).toEqual(['changed-meanwhile']);
    expect(await refundsOf(request.id)).toMatchObject([{ amountCents: 1_000 }]);

    // The request has ended with the change, and blocks neither a refund nor another request.
    expect(await findPendingRequest(database.query, request.id, NOW)).toBeUndefined();
    expect((await listPendingRequests(database.query, merchantId, NOW, 100)).map(({ id }) => id)).not.toContain(
      request.requestId,
    );
    const changed = await getTransaction(database.query, merchantId, request.id);
    await refundAsUser(deps, bob, { ...request, revision: changed.revision }, refund(1_000), NOW);
    const { revision } = await getTransaction(database.query, merchantId, request.id);
    const again = (at: Instant) => requestRefund(deps, ada, { ...request, revision }, refund(60_000), at);
    await again(NOW);
    expect(await codesOf([again(NOW), refundAsUser(deps, ada, { ...request, revision }, refund(1), NOW)])).toEqual([
      'wrong-state',
      'wrong-state',
    ]);
    await again(later);
    const statuses = (await listRefundRequests(database.query, request.id)).map(({ status }) => status);
    expect(statuses).toEqual(['expired', 'expired', 'pending']);
    const { id: requestId } = (await findPendingRequest(database.query, request.id, later))!;
    await rejectRefund(deps, ada, { ...request, requestId }, later);
    expect(await findPendingRequest(database.query, request.id, later)).toBeUndefined();
    expect(await codesOf([approveRefund(deps, bob, { ...request, requestId }, later)])).toEqual(['wrong-state']);
  });

  it('is like no request if its row was changed without a data key, and cannot be inserted without one', async () => {
    const { database, deps, createUser, createRequest, requestOf, refund, refundsOf, merchantId } = given;
    const [ada, bob, eve] = [await createUser('finance'), await createUser('finance'), await createUser('admin')];
    const change = (id: string, values: object) =>
      database.write((tx) => tx.updateTable('refund_requests').set(values).where('id', '=', id).execute());
    const approve = (request: Awaited<ReturnType<typeof createRequest>>) => codesOf([approveRefund(deps, bob, request, NOW)]);
    const action = toJson({ type: 'refund', amount: 90_000 });
    for (const values of [
      { actionJson: action, amountCents: 90_000 },
      { requestedBy: eve.id },
      { expiresAt: plusDays(NOW, 90) },
      { mac: '' },
    ]) {
      const request = await createRequest(ada);
      await change(request.requestId, values);
      expect(await approve(request)).toEqual(['wrong-state']);
      expect(await refundsOf(request.id)).toEqual([]);
      expect(await findPendingRequest(database.query, request.id, NOW)).toBeUndefined();
      const { revision } = await getTransaction(database.query, merchantId, request.id);
      await requestRefund(deps, ada, { merchantId, id: request.id, revision }, refund(60_000), NOW);
      expect(await findPendingRequest(database.query, request.id, NOW)).toMatchObject({ amountCents: 60_000 });
    }
    const rejected = await createRequest(ada);
    await rejectRefund(deps, eve, rejected, NOW);
    await change(rejected.requestId, { status: 'pending', decidedBy: null, decidedAt: null });
    expect(await approve(rejected)).toEqual(['wrong-state']);
    const expired = await createRequest(ada);
    expect(await requestOf(expired.id)).toMatchObject({ status: 'pending', requestedBy: ada.id });
  });

  it('is required for every refund if the sum was changed without a data key', async () => {
    const { database, deps, createUser, createOrder, refund, merchantId } = await createShop();
    const ada = await createUser('finance');
    const refundNow = async () => {
      const order = await createOrder();
      const { revision } = await getTransaction(database.query, merchantId, order.id);
      return codesOf([refundAsUser(deps, ada, { ...order, revision }, refund(1_000), NOW)]);
    };
    const setSum = (refundApprovalCents: number | null) =>
      database.write((tx) => tx.updateTable('merchants').set({ refundApprovalCents }).execute());
    expect(await refundNow()).toEqual(['done']);
    await database.write((tx) => changeRefundApproval(tx, merchantId, 500, NOW));
    expect(await refundNow()).toEqual(['wrong-state']);
    for (const cents of [null, 900_000]) {
      await setSum(cents);
      expect(await refundNow()).toEqual(['wrong-state']);
      // Other changes of the merchant do not make it valid.
      expect(await changeMerchant(database, 'sandbox', merchantId, { name: 'Other' }, NOW)).toMatchObject({
        refundApprovalCents: 0,
      });
      expect(await refundNow()).toEqual(['wrong-state']);
    }
    await database.write((tx) => changeRefundApproval(tx, merchantId, null, NOW));
    expect(await refundNow()).toEqual(['done']);
  });

  it('is made once when people approve and reject it, and keys refund, at the same time', async () => {
    const { database, deps, createUser, createOrder, createRequest, refund, refundsOf, requestOf, kindsOf } = given;
    const ada = await createUser('finance');
    const bob = await createUser('finance');
    const eve = await createUser('admin');
    for (let round = 0; round < 5; round += 1) {
      const both = await createRequest(ada);
      const approvals = await codesOf([approveRefund(deps, bob, both, NOW), approveRefund(deps, eve, both, NOW)]);
      expect(approvals.filter((code) => code === 'done')).toHaveLength(1);
      expect(['changed-meanwhile', 'wrong-state']).toContain(approvals.find((code) => code !== 'done'));
      expect(await refundsOf(both.id)).toHaveLength(1);
      expect((await requestOf(both.id)).decidedBy).toBe(approvals[0] === 'done' ? bob.id : eve.id);
      expect(await kindsOf(both.id)).toEqual(['refund-approved', 'refund-requested']);

      const either = await createRequest(ada);
      const [approved, rejected] = await codesOf([approveRefund(deps, bob, either, NOW), rejectRefund(deps, eve, either, NOW)]);
      expect([approved, rejected].filter((code) => code === 'done')).toHaveLength(1);
      expect(await refundsOf(either.id)).toHaveLength(approved === 'done' ? 1 : 0);
      expect((await requestOf(either.id)).status).toBe(approved === 'done' ? 'approved' : 'rejected');

      const withKey = await createRequest(ada);
      const byKey = transactions.act({ database, actor: 'key:test' }, withKey, refund(10_000), NOW);
      const [approval, keyed] = await codesOf([approveRefund(deps, bob, withKey, NOW), byKey]);
      expect(keyed).toBe('done');
      expect(['done', 'changed-meanwhile']).toContain(approval);
      const amounts = (await refundsOf(withKey.id)).map(({ amountCents }) => amountCents);
      expect(amounts).toEqual(approval === 'done' ? [60_000, 10_000] : [10_000]);
      expect((await requestOf(withKey.id)).status).toBe(approval === 'done' ? 'approved' : 'pending');

      const order = await createOrder();
      const { revision } = await getTransaction(database.query, order.merchantId, order.id);
      const request = (user: User) => requestRefund(deps, user, { ...order, revision }, refund(60_000), NOW);
      expect((await codesOf([request(ada), request(bob)])).toSorted()).toEqual(['done', 'wrong-state']);
      expect(await listRefundRequests(database.query, order.id)).toHaveLength(1);
    }
    for await (const differences of auditTransactions(database.query)) expect(differences).toEqual([]);
  });
});
