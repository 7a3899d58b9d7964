/** Results and errors of calls whose attempts have different outcomes. */
import { describe, expect, it } from 'vitest';
import { UnknownOutcomeError } from '../../../shared/client/index.ts';
import { type TestResponse, fault, createStandIn, hangUp, keysOf, errorResponse } from './stand-in.ts';

const noContent: TestResponse = { status: 204 };
const inUse = errorResponse(409, 'idempotency-key-in-use', { 'retry-after': '1' });
const errorOf = (call: Promise<unknown>) => call.catch((thrown: unknown) => thrown);

describe('A call with an unknown outcome', () => {
  it('is retried for any number of attempts while an earlier attempt is in progress', async () => {
    const { fairterm, requests, waitsMs } = await createStandIn([hangUp, ...Array<TestResponse>(16).fill(inUse), noContent]);

    await fairterm.carts.expire('c');

    expect(waitsMs.reduce((sum, ms) => sum + ms)).toBeGreaterThan(30_000);
    expect(Math.max(...waitsMs)).toBe(2_000);
    expect(new Set(keysOf(requests))).toEqual(new Set(['key-1']));
  });

  it('fails with its idempotency key if an earlier attempt is still in progress at the total timeout', async () => {
    const { fairterm, requests, waitsMs } = await createStandIn([hangUp, inUse]);

    const error = await errorOf(fairterm.transactions.refund('t', { amount: 5 }));

    expect(error).toBeInstanceOf(UnknownOutcomeError);
    expect(error).toMatchObject({
      message: 'transactions.refund: unknown outcome, received status 409: No: idempotency-key-in-use',
      status: 409,
      idempotencyKey: 'key-1',
      attempts: requests.length,
      requestId: `r-${requests.length}`,
      cause: { name: 'FairtermError', code: 'idempotency-key-in-use', idempotencyKey: 'key-1' },
    });
    const waitedMs = waitsMs.reduce((sum, ms) => sum + ms);
    expect(waitedMs).toBeGreaterThan(40_000);
    expect(waitedMs).toBeLessThan(45_000);
  });

  it('does not count attempts while an earlier attempt is in progress', async () => {
    const { fairterm, requests } = await createStandIn([hangUp, ...Array<TestResponse>(5).fill(inUse), hangUp]);

    await expect(fairterm.carts.expire('c')).rejects.toThrow(UnknownOutcomeError);

    expect(requests).toHaveLength(9);
  });

  it('fails with its idempotency key after four attempts if the service has an internal error each time', async () => {
    const { fairterm, requests } = await createStandIn([fault]);

    const error = await errorOf(fairterm.transactions.refund('t', { amount: 5 }));

    expect(error).toBeInstanceOf(UnknownOutcomeError);
    const cause = { name: 'FairtermError', description: 'No: fault', code: 'fault' };
    expect(error).toMatchObject({ status: 500, attempts: 4, idempotencyKey: 'key-1', requestId: 'r-4', cause });
    expect(keysOf(requests)).toEqual(Array(4).fill('key-1'));
  });

  it.each([
    [401, 'unauthenticated'],
    [500, 'changed-meanwhile'],
  ])('remains unknown if the next attempt is rejected with %i %s', async (status, code) => {
    const { fairterm } = await createStandIn([hangUp, errorResponse(status, code)]);

    const error = await errorOf(fairterm.carts.expire('c'));

    expect(error).toMatchObject({ name: 'UnknownOutcomeError', status, idempotencyKey: 'key-1', cause: { code } });
  });

  it('throws a FairtermError if every attempt was rejected without an effect', async () => {
    const { fairterm, requests } = await createStandIn([errorResponse(500, 'changed-meanwhile')]);

    await expect(fairterm.carts.expire('c')).rejects.toMatchObject({ name: 'FairtermError', code: 'changed-meanwhile' });

    expect(requests).toHaveLength(4);
  });

  it('throws a FairtermError if a later attempt is rejected permanently', async () => {
    const { fairterm } = await createStandIn([hangUp, inUse, fault, errorResponse(500, 'wrong-state')]);

    await expect(fairterm.transactions.settle('t')).rejects.toMatchObject({ name: 'FairtermError', code: 'wrong-state' });
  });

  it('throws the error of the last response if it only reads', async () => {
    const { fairterm } = await createStandIn([hangUp, errorResponse(401, 'unauthenticated')]);

    await expect(fairterm.carts.retrieve('c')).rejects.toMatchObject({ name: 'FairtermError', code: 'unauthenticated' });
  });
});
