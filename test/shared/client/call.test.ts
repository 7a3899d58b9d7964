import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { FairtermError, UnknownOutcomeError } from '../../../shared/client/index.ts';
import { until } from '../../support/time.ts';
import { type TestResponse, fault, createStandIn, hangUp, keysOf, quote, errorResponse, noResponse } from './stand-in.ts';

const success: TestResponse = { status: 200, body: quote };
const noContent: TestResponse = { status: 204 };

describe('A call to a service that fails temporarily', () => {
  it.each<[string, TestResponse]>([
    ['closes the connection', hangUp],
    ['has an internal error', fault],
    ['is still processing the same call', errorResponse(409, 'idempotency-key-in-use')],
  ])('is retried with the same key and the same body if the service %s', async (_case, failure) => {
    const { fairterm, requests, waitsMs } = await createStandIn([failure, failure, success]);

    const { asLowAs } = await fairterm.asLowAs({ customTotal: 50_000 });

    expect(asLowAs.amount).toBe('$23.07');
    expect(keysOf(requests)).toEqual(['key-1', 'key-1', 'key-1']);
    expect(requests.map(({ body }) => body)).toEqual(Array(3).fill('{"customTotal":50000}'));
    expect(waitsMs).toEqual([250, 500]);
  });

  it('is retried if the service does not respond in time', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const { fairterm, requests } = await createStandIn([noResponse, success], { attemptTimeoutMs: 250 });

    const call = fairterm.asLowAs({ customTotal: 50_000 });
    await until(() => requests.length === 1);
    vi.advanceTimersByTime(250);

    expect(await call).toMatchObject({ financingProgramId: 'p' });
    expect(keysOf(requests)).toEqual(['key-1', 'key-1']);
  });

  it('is retried if the response is incomplete', async () => {
    const incomplete: TestResponse = (response) => {
      response.writeHead(200, { 'content-length': '1000' });
      response.write('{"asLowAs":', () => response.destroy());
    };
    const { fairterm, requests } = await createStandIn([incomplete, success]);

    await fairterm.asLowAs({ customTotal: 50_000 });

    expect(requests).toHaveLength(2);
  });

  it('is retried after the delay in the Retry-After header', async () => {
    const { fairterm, waitsMs } = await createStandIn([
      { status: 429, headers: { 'retry-after': '3' } },
      { status: 503, headers: { 'retry-after': 'Sat, 21 Nov 2026 00:00:08 GMT' } },
      errorResponse(409, 'idempotency-key-in-use', { 'retry-after': '1' }),
      noContent,
    ]);

    await fairterm.carts.expire('c');

    expect(waitsMs).toEqual([3_000, 5_000, 1_000]);
  });

  it('is retried without an idempotency key if it only reads', async () => {
    const { fairterm, requests } = await createStandIn([hangUp, { status: 200, body: { messages: [] } }]);

    expect(await fairterm.sandbox.messages()).toEqual({ messages: [] });

    expect(keysOf(requests)).toEqual([undefined, undefined]);
  });
});

describe('A call to a service that does not recover', () => {
  it('fails with the cause after four attempts if connections are refused', async () => {
    const { fairterm, waitsMs, stop } = await createStandIn([success]);
    await stop();

    const error = await fairterm.carts.expire('c').catch((thrown: unknown) => thrown);

    expect(error).toBeInstanceOf(UnknownOutcomeError);
    expect(error).toMatchObject({
      message: 'carts.expire: connection failed',
      attempts: 4,
      idempotencyKey: 'key-1',
      status: undefined,
      cause: { cause: { code: 'ECONNREFUSED' } },
    });
    expect(waitsMs).toEqual([250, 500, 1_000]);
  });

  it('fails with the timeout in its message if the service never responds', async () => {
    const { fairterm } = await createStandIn([noResponse], { attempts: 1, attemptTimeoutMs: 20 });

    const call = fairterm.transactions.settle('t');

    await expect(call).rejects.toThrow('transactions.settle: no complete response within 20 ms');
  });

  it('fails immediately if Retry-After exceeds the remaining time', async () => {
    const { fairterm, requests, waitsMs } = await createStandIn([errorResponse(503, undefined, { 'retry-after': '46' })]);

    await expect(fairterm.carts.expire('c')).rejects.toMatchObject({
      name: 'UnknownOutcomeError',
      status: 503,
      requestId: 'r-1',
    });

    expect([requests.length, waitsMs]).toEqual([1, []]);
  });

  it('is not retried after the total timeout', async () => {
    const { fairterm, requests, waitsMs } = await createStandIn([hangUp], { attempts: 100, totalTimeoutMs: 2_000 });

    await expect(fairterm.carts.expire('c')).rejects.toThrow(UnknownOutcomeError);

    expect(waitsMs).toEqual([250, 500, 1_000]);
    expect(requests).toHaveLength(4);
  });

  it('limits the last attempt to the remaining time', async () => {
    const options = { attempts: 2, attemptTimeoutMs: 60_000, totalTimeoutMs: 300 };
    const { fairterm } = await createStandIn([hangUp, noResponse], options);

    await expect(fairterm.carts.expire('c')).rejects.toThrow('no complete response within 50 ms');
  });
});

describe('A call that the service rejects', () => {
  it.each([
    [400, 'invalid-request'],
    [500, 'wrong-state'],
    [409, 'unknown-code'],
  ])('fails without a retry on a response of %i %s', async (status, code) => {
    const { fairterm, requests } = await createStandIn([errorResponse(status, code)]);

    const error = await fairterm.transactions.settle('t').catch((thrown: unknown) => thrown);

    expect(error).toBeInstanceOf(FairtermError);
    const description = `No: ${code}`;
    const rest = { type: 'INTERNAL_ERROR', requestId: 'r-1', idempotencyKey: 'key-1', isCardDecline: false };
    expect(error).toMatchObject({ name: 'FairtermError', message: description, description, status, code, ...rest });
    expect(requests).toHaveLength(1);
  });

  it('fails without a code if the transaction is unknown', async () => {
    const body = { description: 'Transaction ID was invalid', error: true, type: 'INTERNAL_ERROR' };
    const { fairterm, requests } = await createStandIn([{ status: 500, body }]);

    const error = await fairterm.transactions.retrieve('t').catch((thrown: unknown) => thrown);

    expect(error).toBeInstanceOf(FairtermError);
    expect(error).toMatchObject({ description: body.description, code: undefined, idempotencyKey: undefined });
    expect(requests).toHaveLength(1);
  });

  it('fails with its description even if the error body has unknown fields and another type', async () => {
    const body = { description: 'No', error: true, type: 'LIMIT', code: 'x', hint: 'y' };
    const { fairterm } = await createStandIn([{ status: 400, body }]);

    await expect(fairterm.carts.expire('c')).rejects.toMatchObject({ description: 'No', type: 'LIMIT', code: 'x' });
  });

  it.each([
    ['its code', { code: 'card-declined', description: 'No' }],
    ['its description', { description: "There's an issue with authorizing the credit card portion of the order. Retry." }],
  ])('is recognized as a declined card by %s', async (_how, fields) => {
    const { fairterm } = await createStandIn([{ status: 500, body: { error: true, type: 'INTERNAL_ERROR', ...fields } }]);

    await expect(fairterm.transactions.authorize('t')).rejects.toMatchObject({ isCardDecline: true });
  });
});

describe('A call to another server than the service', () => {
  const invalidQuote = { ...quote, asLowAs: { ...quote.asLowAs, monthly: 'ada@example.com' } };
  it.each<[string, TestResponse, string]>([
    [
      'an HTML page',
      { status: 200, text: '<h1>ada@example.com</h1>' },
      'asLowAs: expected JSON, but received status 200 without it',
    ],
    ['an empty body', { status: 200 }, 'asLowAs: expected a valid value at "", but received status 200'],
    ['an invalid field', { status: 200, body: invalidQuote }, 'a valid value at "asLowAs.monthly"'],
    ['an array', { status: 200, body: ['ada@example.com'] }, 'a valid value at ""'],
    ['a 404 page', { status: 404, text: 'ada@example.com' }, "asLowAs: expected Fairterm's error body, but received status 404"],
    ['a redirect', { status: 302, headers: { location: 'https://elsewhere.example/' } }, 'received status 302'],
  ])('fails without a retry on a response with %s, and does not quote it in the error', async (_case, response, message) => {
    const { fairterm, requests } = await createStandIn([response]);

    const error = await fairterm.asLowAs({ customTotal: 1 }).catch((thrown: unknown) => thrown as UnknownOutcomeError);

    expect(error).toBeInstanceOf(UnknownOutcomeError);
    expect(error).toMatchObject({ message: expect.stringContaining(message), attempts: 1, requestId: 'r-1' });
    expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain('ada@');
    expect(requests).toHaveLength(1);
  });
});

describe('An aborted call', () => {
  it('sends no request if it is aborted before it starts', async () => {
    const { fairterm, requests } = await createStandIn([success]);

    const call = fairterm.asLowAs({ customTotal: 1 }, { signal: AbortSignal.abort(new Error('Closed')) });

    await expect(call).rejects.toThrow('Closed');
    expect(requests).toEqual([]);
  });

  it('fails with the reason and is not retried if it is aborted during a request', async () => {
    const controller = new AbortController();
    const { fairterm, requests } = await createStandIn([() => controller.abort(new Error('The buyer left'))], {
      // Longer than a test can take, so that only the signal can end the call.
      attemptTimeoutMs: 600_000,
      totalTimeoutMs: 600_000,
    });

    const call = fairterm.asLowAs({ customTotal: 1 }, { signal: controller.signal });

    await expect(call).rejects.toThrow('The buyer left');
    expect(requests).toHaveLength(1);
  });

  it('fails with the reason if it is aborted while it waits for its next attempt', async () => {
    const controller = new AbortController();
    const wait = (_ms: number, signal?: AbortSignal): Promise<void> => {
      controller.abort(new Error('The shop closes'));
      expect(signal?.aborted).toBe(true);
      return Promise.reject(signal!.reason as Error);
    };
    const { fairterm, requests } = await createStandIn([hangUp], { runtime: { wait } });

    await expect(fairterm.carts.expire('c', { signal: controller.signal })).rejects.toThrow('The shop closes');
    expect(requests).toHaveLength(1);
  });
});

describe('The idempotency key', () => {
  it('is a new random UUID for each call by default', async () => {
    const { fairterm, requests } = await createStandIn([noContent], {
      runtime: { newIdempotencyKey: () => crypto.randomUUID() },
    });

    await fairterm.carts.expire('c');
    await fairterm.carts.expire('c');

    const keys = keysOf(requests);
    expect(new Set(keys).size).toBe(2);
    for (const key of keys) expect(key).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  });

  it('is the one that the caller provides', async () => {
    const { fairterm, requests } = await createStandIn([hangUp, noContent]);

    await fairterm.carts.expire('c', { idempotencyKey: 'expire-c' });

    expect(keysOf(requests)).toEqual(['expire-c', 'expire-c']);
  });

  it.each(['', 'two words', 'x'.repeat(256), 'line\nbreak', 'schlüssel'])(
    'is rejected before it is sent if it is %j',
    async (idempotencyKey) => {
      const { fairterm, requests } = await createStandIn([noContent]);

      await expect(fairterm.carts.expire('c', { idempotencyKey })).rejects.toThrow(TypeError);
      expect(requests).toEqual([]);
    },
  );
});
