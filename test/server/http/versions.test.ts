import { expect, it } from 'vitest';
import { type ErrorCode, ERRORS, httpStatusOf } from '../../../server/base/errors.ts';
import { completeCheckout, completeCheckoutAndAct, createCart, reachStep, submit } from '../../support/checkout.ts';
import { describeOnEveryEngine } from '../../support/databases.ts';
import { startService } from '../../support/service.ts';

const authorize = { type: 'authorize' };
const settle = { type: 'settle' };
const UNKNOWN = '00000000-0000-4000-8000-000000000000';

/** Requests that are rejected: the actions before, and the statuses in both versions. */
const rejections: [code: ErrorCode, before: { type: string }[], action: object, status: number, status2: number][] = [
  ['wrong-state', [], settle, 500, 409],
  ['amount-too-large', [authorize, settle], { type: 'refund', amount: 75_001 }, 500, 422],
  ['invalid-request', [], { type: 'cancel', amount: -1 }, 400, 400],
];

it('changes only statuses of the interface for rejections', () => {
  const codes = Object.keys(ERRORS) as ErrorCode[];
  const changed = Object.fromEntries(
    codes
      .filter((code) => httpStatusOf(code) !== httpStatusOf(code, 2))
      .map((code) => [code, [httpStatusOf(code), httpStatusOf(code, 2)]]),
  );
  expect(changed).toEqual({
    'cart-closed': [400, 409],
    'transaction-not-found': [500, 404],
    'wrong-state': [500, 409],
    'amount-mismatch': [500, 422],
    'amount-too-large': [500, 422],
    'quantity-too-large': [500, 422],
    'line-items-in-use': [500, 409],
    'card-declined': [500, 402],
    'card-unavailable': [500, 503],
    'changed-meanwhile': [500, 409],
  });
});

describeOnEveryEngine('fairterm-version', async (engine) => {
  const service = await startService(engine);
  const merchant = await service.createMerchant();
  const act = (id: string, action: object, headers: Record<string, string> = {}) =>
    merchant.call('POST', `/transactions/actions/${id}`, { body: JSON.stringify(action), headers });
  const version = (number: string) => ({ 'fairterm-version': number });
  const lineOf = (headers: Headers) =>
    service.logged.map((line) => JSON.parse(line)).filter(({ requestId }) => requestId === headers.get('x-request-id'));

  it.each(rejections)('selects the status of %s', async (code, before, action, status, status2) => {
    const { id } = await completeCheckoutAndAct(merchant, before);
    const responses = [];
    for (const headers of [{}, version('1'), version('2')]) responses.push(await act(id, action, headers));
    expect(responses.map((response) => [response.status, response.body.code])).toEqual([
      [status, code],
      [status, code],
      [status2, code],
    ]);
    expect(responses[2]!.text).toBe(responses[0]!.text);
  });

  it('selects 402 for a declined card', async () => {
    const id = await completeCheckout(merchant);
    const cart = await merchant.fairterm.carts.create({ options: { customTotal: 75_000 } });
    const { transactionId } = await merchant.fairterm.sandbox.checkout({ cartId: cart.id, outcome: 'remainder-declined' });
    expect((await act(transactionId, authorize)).status).toBe(500);
    expect((await act(transactionId, authorize, version('2'))).status).toBe(402);
    await expect(merchant.fairterm.transactions.authorize(transactionId)).rejects.toMatchObject({
      status: 402,
      isCardDecline: true,
    });
    expect((await act(id, authorize, version('2'))).status).toBe(200);
  });

  it('selects 503 for a card gateway that cannot be reached', async () => {
    const { url } = await createCart(merchant);
    const agreement = await submit(await reachStep(url, 'card', { taxIdLast4: '1101' }), { card: 'tok_unreachable' });
    const completed = await submit(agreement);
    const id = new URL(completed.headers.get('location')!).searchParams.get('transactionId')!;
    expect((await act(id, authorize)).status).toBe(500);
    expect(await act(id, authorize, version('2'))).toMatchObject({ status: 503, body: { code: 'card-unavailable' } });
  });

  it.each([
    ['1', '2'],
    ['2', '1'],
  ])('decides the status of each replay: version %s, then %s', async (first, second) => {
    for (const [id, action] of [
      [UNKNOWN, authorize],
      [await completeCheckout(merchant), settle],
    ] as const) {
      const key = { 'idempotency-key': `${first}-${id}` };
      const original = await act(id, action, { ...version(first), ...key });
      const replay = await act(id, action, { ...version(second), ...key });
      const plain = await act(id, action, version(second));
      expect(replay.headers.get('idempotency-replayed')).toBe('true');
      expect([replay.status, replay.text]).toEqual([plain.status, plain.text]);
      expect(replay.status).not.toBe(original.status);
    }
  });

  it.each(['1', '2'])('logs a rejection with its code and never as an error, in version %s', async (number) => {
    const id = await completeCheckout(merchant);
    const key = { 'idempotency-key': `log-${number}` };
    const responses = [];
    for (const headers of [{}, key, key]) responses.push(await act(id, settle, { ...version(number), ...headers }));
    for (const { headers } of responses) expect(lineOf(headers)).toMatchObject([{ level: 30, code: 'wrong-state' }]);
  });
});
