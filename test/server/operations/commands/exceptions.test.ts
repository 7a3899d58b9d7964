import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { decisionDeadline } from '../../../../server/lending/applications/expiry.ts';
import { referenceOf } from '../../../../server/lending/applications/reference.ts';
import { findApplication, saveApplication } from '../../../../server/lending/applications/store.ts';
import type { Database } from '../../../../server/db/database.ts';
import { addException, closeExceptions, type NewException } from '../../../../server/lending/exceptions/store.ts';
import { newId } from '../../../../server/base/ids.ts';
import { createMigratedDatabaseUrl, openTestDatabase } from '../../../support/databases.ts';
import { createBuyer } from '../../../support/purchases.ts';
import { fairterm, fairtermJson, now } from './fairterm.ts';

describe('fairterm exception', () => {
  let databaseUrl: string;
  let database: Database;
  let merchantId: string;
  beforeAll(async () => {
    databaseUrl = await createMigratedDatabaseUrl();
    database = openTestDatabase(databaseUrl);
  });
  let applicationId: string;
  let signedId: string;
  /** The exception about a missing decision, and the one about a signed agreement. */
  let decision: string;
  let agreement: string;
  beforeEach(async () => {
    const buyer = await createBuyer(database, now);
    merchantId = buyer.merchantId;
    const raise = async (kind: NewException['kind'], status: 'STARTED' | 'ATTEMPTED_CHECKOUT', statusCode: string) => {
      const application = await buyer.createApplication();
      const id = newId();
      await database.write(async (tx) => {
        const pending = { status, statusCode, requestId: id, requestAttempts: 14, requestLeasedUntil: now };
        await saveApplication(tx, (await findApplication(tx, application))!, { ...pending, ...decisionDeadline({}, now) });
        await addException(tx, { id, applicationId: application, merchantId, kind, raisedAt: now });
      });
      return [application, id] as const;
    };
    [applicationId, decision] = await raise('decision', 'STARTED', '100100');
    [signedId, agreement] = await raise('agreement', 'ATTEMPTED_CHECKOUT', '600000');
  });
  const run = (...args: string[]) => fairterm(['exception', ...args], { databaseUrl });
  const json = (...args: string[]) => fairtermJson(['exception', ...args], { databaseUrl });
  const list = async (...args: string[]): Promise<unknown[]> =>
    (await json('list', '--merchant', merchantId, ...args)).exceptions;
  const resolve = (id: string, ...args: string[]) =>
    run('resolve', id, '--actor', 'Robin', '--reason', 'Confirmed by phone', ...args);

  it('list shows those that a person has to resolve, with the day of the denial, and all of them with --all', async () => {
    const exceptions = await list();
    expect(exceptions).toMatchObject([
      { id: decision, kind: 'decision', status: 'STARTED', deniedAt: '2026-12-21T09:30:00.000000Z', resolution: null },
      { id: agreement, kind: 'agreement', status: 'ATTEMPTED_CHECKOUT', deniedAt: null },
    ]);
    await database.write((tx) => closeExceptions(tx, applicationId, now));
    expect(await list()).toMatchObject([{ id: agreement }]);
    expect(await list('--all')).toMatchObject([{ id: decision, closedAt: now }, { id: agreement }]);
    expect(await list('--all', '--limit', '1')).toHaveLength(1);
    const { stdout } = await run('list', '--merchant', merchantId);
    expect(stdout[0]).toMatch(/^id +kind +raised +denied +reference +application +resolution +actor +reason +fault$/);
    expect(stdout[1]).toContain(referenceOf(signedId));
  });

  it('show has the attempts and the ways to resolve it', async () => {
    expect(await json('show', decision)).toMatchObject({
      id: decision,
      applicationId,
      attempts: 14,
      canResolveAs: ['retry', 'deny'],
    });
    expect(await json('show', agreement)).toMatchObject({ canResolveAs: ['retry', 'accepted', 'rejected'] });
    expect((await run('show', agreement)).stdout).toContain('canResolveAs: retry, accepted, rejected');
  });

  it('resolve records who has resolved it, how and why, and makes the request due at once', async () => {
    const { code, stdout } = await resolve(decision, '--as', 'deny', '--denial-reason', 'debt');
    expect({ code, stdout }).toEqual({ code: 0, stdout: [expect.stringContaining('deny')] });
    const resolved = { resolution: 'deny', denialReason: 'debt', actor: 'Robin', reason: 'Confirmed by phone', resolvedAt: now };
    expect((await list())[0]).toMatchObject({ ...resolved, closedAt: null });
    expect(await json('show', decision)).toMatchObject({ ...resolved, canResolveAs: ['deny'] });
    const { requestDueAt, requestAttempts } = (await findApplication(database.query, applicationId))!;
    expect(requestDueAt! <= now).toBe(true);
    expect(requestAttempts).toBe(14);
  });

  it('resolve can be repeated until it has taken effect, which keeps who has resolved it, but not in another way', async () => {
    const denial = ['--as', 'deny', '--denial-reason', 'debt'];
    await resolve(decision, ...denial);
    await database.write(async (tx) => saveApplication(tx, (await findApplication(tx, applicationId))!, { requestDueAt: null }));
    const [before] = await list();

    expect((await run('resolve', decision, '--actor', 'Kim', '--reason', 'Again', ...denial)).code).toBe(0);

    expect(await list()).toEqual([before, expect.objectContaining({ id: agreement })]);
    expect((await findApplication(database.query, applicationId))!.requestDueAt! <= now).toBe(true);
    for (const other of [
      ['--as', 'retry'],
      ['--as', 'deny', '--denial-reason', 'income'],
    ]) {
      const { code, stderr } = await resolve(decision, ...other);
      expect({ code, stderr }).toEqual({ code: 1, stderr: [expect.stringContaining('has been resolved')] });
    }
  });

  it('resolve --as retry closes it, and starts with the shortest wait', async () => {
    expect((await resolve(agreement, '--as', 'retry')).code).toBe(0);
    expect(await list()).toMatchObject([{ id: decision }]);
    expect(await findApplication(database.query, signedId)).toMatchObject({ requestAttempts: 0 });
  });

  it('resolve --as keep closes the exception of a schedule, and changes nothing else', async () => {
    const { createApplication } = await createBuyer(database, now, merchantId);
    const id = newId();
    const loanId = await createApplication();
    const fault = 'settled 1: schedule.payments: expected a sum of at least the principal, but received less';
    await database.write((tx) =>
      addException(tx, { id, applicationId: loanId, merchantId, kind: 'schedule', fault, raisedAt: now }),
    );
    const before = await findApplication(database.query, loanId);
    expect(await json('show', id)).toMatchObject({ kind: 'schedule', fault, deniedAt: null, canResolveAs: ['keep'] });
    expect((await resolve(id, '--as', 'retry')).code).toBe(1);
    expect((await resolve(decision, '--as', 'keep')).code).toBe(1);

    expect((await resolve(id, '--as', 'keep')).code).toBe(0);
    expect(await json('show', id)).toMatchObject({ resolution: 'keep', actor: 'Robin', closedAt: now, canResolveAs: [] });
    expect(await findApplication(database.query, loanId)).toEqual(before);
    expect(await list()).toMatchObject([{ id: decision }, { id: agreement }]);
  });

  it('an invalid approval has no day of its denial, and the exception of a denial that was sent can only be closed', async () => {
    const { createApplication } = await createBuyer(database, now, merchantId);
    const raise = async (changes: object) => {
      const invalidId = await createApplication();
      const id = newId();
      await database.write(async (tx) => {
        await saveApplication(tx, (await findApplication(tx, invalidId))!, changes);
        const fault = `request ${id}: score: expected a score, or scoreUsed: false, but received nothing`;
        await addException(tx, { id, applicationId: invalidId, merchantId, kind: 'decision', fault, raisedAt: now });
      });
      return id;
    };
    const pending = { status: 'STARTED', statusCode: '100100', requestLeasedUntil: now, ...decisionDeadline({}, now) } as const;
    const canResolveAs = ['retry', 'deny'];
    const approved = await raise({ ...pending, invalidOutcome: 'approved' });
    expect(await json('show', approved)).toMatchObject({ deniedAt: null, canResolveAs });
    const denied = await raise({ ...pending, invalidOutcome: 'denied' });
    expect(await json('show', denied)).toMatchObject({ deniedAt: '2026-12-21T09:30:00.000000Z', canResolveAs });
    const sent = await raise({ status: 'DENIED', statusCode: '300000' });
    expect(await json('show', sent)).toMatchObject({ canResolveAs: ['keep'] });
    expect((await resolve(sent, '--as', 'keep')).code).toBe(0);
    expect(await json('show', sent)).toMatchObject({ resolution: 'keep', closedAt: now });
  });

  it.each<[string, number, string, () => string[]]>([
    ['another way than its application has', 1, '--as', () => [agreement, '--as', 'deny', '--denial-reason', 'debt']],
    ['an unknown way', 1, '--as', () => [decision, '--as', 'forget']],
    ['a denial without a reason for the notice', 2, '--denial-reason', () => [decision, '--as', 'deny']],
    ['a reason that the service adds', 1, '--denial-reason', () => [decision, '--as', 'deny', '--denial-reason', 'limit']],
    [
      'a reason that the notice does not state',
      2,
      '--denial-reason',
      () => [decision, '--as', 'retry', '--denial-reason', 'debt'],
    ],
    ['an unknown id', 1, 'ID', () => [newId(), '--as', 'retry']],
  ])('resolve rejects %s', async (_what, exit, named, args) => {
    const [id, ...rest] = args();
    const { code, stderr } = await resolve(id!, ...rest);
    expect(code).toBe(exit);
    expect(stderr[0]).toContain(named);
    expect(await list()).toMatchObject([{ resolution: null }, { resolution: null }]);
  });

  it('resolve rejects what has been resolved', async () => {
    expect((await resolve(decision, '--as', 'retry')).code).toBe(0);
    const { code, stderr } = await resolve(decision, '--as', 'retry');
    expect({ code, stderr }).toEqual({ code: 1, stderr: [expect.stringContaining('has been resolved')] });
  });
});
