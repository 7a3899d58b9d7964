/** Decisions that the lender sends to the service, over real sockets. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { beforeAll, expect, it } from 'vitest';
import { newId } from '../../../../server/base/ids.ts';
import { systemClock } from '../../../../server/base/time.ts';
import { listExceptions } from '../../../../server/lending/exceptions/store.ts';
import { listCalls } from '../../../../server/lending/lenders/store.ts';
import { createCart, open, type Page, reachDecision, sessionUrl } from '../../../support/checkout.ts';
import { describeOnEveryEngine } from '../../../support/databases.ts';
import { codeBlock } from '../../../support/docs.ts';
import { respondsWith, SECRET, signatureOf, startLender } from '../../../support/lenders.ts';
import { noLimits, startService, type TestMerchant, type TestService } from '../../../support/service.ts';
import { storedApplication } from '../../../support/stored.ts';
import { until } from '../../../support/time.ts';

const approved = { outcome: 'approved', tierId: 'B', limitCents: null };
const RECORDED = { status: 200, body: { outcome: 'recorded' } };
const DIFFERENT = { status: 409, body: { outcome: 'different' } };
const OTHER_SECRET = `whsec_${Buffer.alloc(32, 9).toString('base64')}`;

describeOnEveryEngine('A decision that the lender sends', (engine) => {
  let service: TestService;
  let merchant: TestMerchant;
  beforeAll(async () => {
    const lender = await startLender(respondsWith({ outcome: 'undecided' }, 202));
    service = await startService(engine, { lender: lender.endpoint });
    merchant = await service.createMerchant();
  });

  /** An application that waits for its decision. */
  const waiting = async () => {
    const cart = await createCart(merchant);
    const page: Page = await reachDecision(cart.url);
    const { requestId } = await storedApplication(service.database, cart.id);
    return { cart, page, requestId: requestId! };
  };
  const push = async (requestId: string, decision: unknown, { secret = SECRET, headers = {}, at = new Date() } = {}) => {
    const body = typeof decision === 'string' ? decision : JSON.stringify(decision);
    const response = await fetch(`${service.publicUrl}/lender/decisions`, {
      method: 'POST',
      headers: { ...signatureOf(requestId, body, { secret, at }), ...headers },
      body,
    });
    const text = await response.text();
    return { status: response.status, body: JSON.parse(text) };
  };
  const statusOf = async (cartId: string) => (await storedApplication(service.database, cartId)).status;

  it('is applied at once, and once, however often it is sent', async () => {
    const { cart, page, requestId } = await waiting();
    expect(await statusOf(cart.id)).toBe('STARTED');

    const replies = await Promise.all(Array.from({ length: 3 }, () => push(requestId, approved)));

    expect(replies).toEqual(Array.from({ length: 3 }, () => ({ status: 200, body: { outcome: 'recorded' } })));
    const application = await storedApplication(service.database, cart.id);
    expect(application).toMatchObject({ status: 'APPROVED', tierId: 'B' });
    expect((await open(sessionUrl(page))).step).toBe('plans');
    expect(await push(requestId, approved)).toMatchObject({ status: 200 });
    expect(await push(requestId, { outcome: 'denied', reasons: ['income'] })).toEqual(DIFFERENT);
    expect(await storedApplication(service.database, cart.id)).toMatchObject({ status: 'APPROVED', offers: application.offers });
  });

  it('is 409 if it differs from the recorded one, whose members may be in any order, and changes nothing', async () => {
    const first = { outcome: 'denied', reasons: ['income', 'debt'], sources: { reports: [], outside: false, affiliate: false } };
    const { cart, requestId } = await waiting();
    expect(await push(requestId, first)).toEqual(RECORDED);
    const denied = await storedApplication(service.database, cart.id);

    expect(await push(requestId, Object.fromEntries(Object.entries(first).toReversed()))).toEqual(RECORDED);
    for (const other of [
      { ...first, reasons: ['debt', 'income'] },
      { ...first, sources: { reports: [], outside: true, affiliate: false } },
      { outcome: 'denied', reasons: first.reasons },
      { outcome: 'ineligible', reason: 'law' },
      { outcome: 'needs-action', action: 'confirm-identity' },
      approved,
    ])
      expect(await push(requestId, other)).toEqual(DIFFERENT);

    expect(await storedApplication(service.database, cart.id)).toEqual(denied);
    const calls = await until(async () => {
      const received = await listCalls(service.database.query, { subjectId: requestId, onlyFailed: true, limit: 10 });
      return received.length === 6 && received;
    });
    expect(calls[0]).toMatchObject({ statusCode: 409, failure: 'another decision about this request is recorded' });
  });

  it('is 409 if it approves another amount or tier than the recorded one', async () => {
    const { requestId } = await waiting();
    const first = { ...approved, limitCents: 30_000, reasons: ['income'] };
    expect(await push(requestId, first)).toEqual(RECORDED);
    expect(await push(requestId, { ...first, limitCents: 30_001 })).toEqual(DIFFERENT);
    expect(await push(requestId, { ...first, tierId: 'A' })).toEqual(DIFFERENT);
    expect(await push(requestId, { ...first, coveredBorrower: false })).toEqual(DIFFERENT);
    expect(await push(requestId, first)).toEqual(RECORDED);
  });

  it('is 409 if another one arrived after the application was denied without it', async () => {
    const { cart, requestId } = await waiting();
    const expiresAt = systemClock.now();
    await service.database.write((tx) =>
      tx.updateTable('applications').set({ expiresAt }).where('cartId', '=', cart.id).execute(),
    );

    expect(await push(requestId, approved)).toEqual(RECORDED);
    expect(await push(requestId, { ...approved, tierId: 'A' })).toEqual(DIFFERENT);
    expect(await push(requestId, approved)).toEqual(RECORDED);
    expect(await storedApplication(service.database, cart.id)).toMatchObject({
      status: 'DENIED',
      decision: { late: { decision: approved } },
    });
  });

  it('is sent by the sample of the guide', async () => {
    const { cart, requestId } = await waiting();
    const args = ['--input-type=module', '--eval', codeBlock('server/docs/lenders.md', 'push')];
    const env = { PATH: process.env['PATH'], SERVICE_URL: service.publicUrl, LENDER_SECRET: SECRET, REQUEST_ID: requestId };
    const { stdout } = await promisify(execFile)(process.execPath, args, { env });
    expect(stdout).toBe("200 { outcome: 'recorded' }\n");
    expect(await statusOf(cart.id)).toBe('DENIED');
  });

  it('is unknown, without more, if no application has the request', async () => {
    expect(await push(newId(), approved)).toEqual({ status: 404, body: { outcome: 'unknown' } });
  });

  it.each<[title: string, decision: unknown, description: string]>([
    ['another limit than an amount', { ...approved, limitCents: '100' }, 'limitCents: expected an integer, but received a text'],
    ['an unknown field', { ...approved, note: 'Ada' }, 'note: expected no such field'],
    ['an unknown tier', { ...approved, tierId: 'Z' }, 'tierId: expected one of A, B, C, but received a text'],
    ['no decision', { outcome: 'undecided' }, 'outcome: expected that of a decision'],
  ])('is rejected with the field if it has %s', async (_title, decision, description) => {
    const { cart, requestId } = await waiting();
    expect(await push(requestId, decision)).toMatchObject({ status: 400, body: { description } });
    expect(await statusOf(cart.id)).toBe('STARTED');
    // A decision that is invalid is an exception, like an invalid response.
    const { id } = await storedApplication(service.database, cart.id);
    const exceptions = await listExceptions(service.database.query, { isOpen: true, limit: 100 });
    const faults = exceptions.filter(({ applicationId }) => applicationId === id).map(({ fault }) => fault);
    expect(faults).toEqual(description.endsWith('that of a decision') ? [] : [`request ${requestId}: ${description}`]);
    const calls = await until(async () => {
      const received = await listCalls(service.database.query, { subjectId: requestId, onlyFailed: true, limit: 10 });
      return received.length === 1 && received;
    });
    expect(calls).toMatchObject([
      { direction: 'received', method: 'POST', path: '/lender/decisions', statusCode: 400, failure: description },
    ]);
  });

  it.each<[title: string, options: Parameters<typeof push>[2]]>([
    ['another secret', { secret: OTHER_SECRET }],
    ['an old timestamp', { at: new Date(Date.now() - 3_600_000) }],
    ['no signature', { headers: { 'webhook-signature': '' } }],
    ['the signature of another request', { headers: { 'webhook-id': newId() } }],
  ])('is rejected with %s, whether the request exists or not', async (_title, options) => {
    const { cart, requestId } = await waiting();
    const known = await push(requestId, approved, options);
    const unknown = await push(newId(), approved, options);
    expect(known).toMatchObject({ status: 401, body: { code: 'unauthenticated' } });
    expect(unknown).toEqual(known);
    expect(await statusOf(cart.id)).toBe('STARTED');
    expect(await listCalls(service.database.query, { subjectId: requestId, onlyFailed: true, limit: 10 })).toEqual([]);
  });

  it('is rejected if it is larger than 64 kB or not JSON', async () => {
    const { cart, requestId } = await waiting();
    expect(await push(requestId, { ...approved, padding: 'x'.repeat(66_000) })).toMatchObject({ status: 413 });
    expect(await push(requestId, '{')).toMatchObject({ status: 400 });
    expect(await statusOf(cart.id)).toBe('STARTED');
  });

  it('has no path in a service without a lender, and failed ones of an address are limited', async () => {
    const statusesOf = async (url: string) => {
      const statuses: number[] = [];
      for (let count = 0; count < 3; count++)
        statuses.push((await fetch(`${url}/lender/decisions`, { method: 'POST', body: '{}' })).status);
      return statuses;
    };
    const without = await startService(engine);
    expect(await statusesOf(without.publicUrl)).toEqual([404, 404, 404]);
    const { endpoint } = await startLender(respondsWith(approved));
    const limited = await startService(engine, { lender: endpoint, limits: { ...noLimits, failedLoginsPerAddress: 2 } });
    expect(await statusesOf(limited.publicUrl)).toEqual([401, 401, 429]);
  });
});
