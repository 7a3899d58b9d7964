import { randomBytes } from 'node:crypto';
import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { chair } from '../../support/checkout.ts';
import { startService } from '../../support/service.ts';

const MEGABYTE = 1_048_576;

const service = await startService();
const merchant = await service.createMerchant();

describe('A request body', () => {
  const bodyOf = (bytes: number, fill = 'x') => {
    const empty = '{"options":{"customTotal":5000},"note":""}';
    return empty.replace('""', () => JSON.stringify(fill.repeat((bytes - empty.length) / Buffer.byteLength(fill))));
  };
  const nested = (levels: number) => `{"options":{"customTotal":5000},"note":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;

  it('of exactly 1 MB is accepted, and one more byte is rejected [LIM-7]', async () => {
    expect(await merchant.post('/carts', bodyOf(MEGABYTE))).toMatchObject({ status: 200 });
    expect(await merchant.post('/carts', bodyOf(MEGABYTE + 1))).toMatchObject({
      status: 413,
      body: { code: 'body-too-large' },
    });
  });

  it('is measured in bytes, not in characters [LIM-7]', async () => {
    expect(await merchant.post('/carts', bodyOf(MEGABYTE + 2, 'ü'))).toMatchObject({ status: 413 });
  });

  it.each([
    ['/carts', 'POST'],
    ['/aslowas', 'POST'],
    ['/transactions/x', 'PUT'],
    ['/transactions/actions/x', 'POST'],
    ['/transactions/x/shipment', 'POST'],
    ['/sandbox/checkouts', 'POST'],
  ])('of 3 MB is rejected by %s, and the next request succeeds [LIM-7]', async (path, method) => {
    const response = await merchant.call(method, path, { body: bodyOf(3 * MEGABYTE) });
    expect(response).toMatchObject({ status: 413, body: { code: 'body-too-large' } });
    expect(await merchant.post('/aslowas', { customTotal: 5_000 })).toMatchObject({ status: 200 });
  });

  it('of 32 levels is accepted, and one of 33 is rejected [LIM-8]', async () => {
    expect(await merchant.post('/carts', nested(32))).toMatchObject({ status: 200 });
    expect(await merchant.post('/carts', nested(33))).toMatchObject({
      status: 400,
      body: { code: 'invalid-request' },
    });
  });

  it('of 20,000 values is accepted, and one more is rejected [LIM-9]', async () => {
    const zeros = (count: number) => `{"options":{"customTotal":5000},"note":[${Array(count).fill(0).join()}]}`;
    // The limit also counts the three brackets.
    expect(await merchant.post('/carts', zeros(20_000 - 3))).toMatchObject({ status: 200 });
    expect(await merchant.post('/carts', zeros(20_000 - 2))).toMatchObject({
      status: 400,
      body: { code: 'invalid-request' },
    });
  });

  it('may contain any amount of punctuation in its strings [LIM-9]', async () => {
    expect(await merchant.post('/carts', bodyOf(MEGABYTE, '[{,'))).toMatchObject({ status: 200 });
    const note = '\\"[{,'.repeat(10_000);
    expect(await merchant.post('/carts', { options: { customTotal: 5_000 }, note })).toMatchObject({ status: 200 });
  });

  it.each(['gzip', 'deflate', 'br'] as const)(
    'compressed by %s is accepted up to 128 KiB, and beyond that up to 100 times its compressed size [LIM-10]',
    async (encoding) => {
      const brotli = (json: string) => brotliCompressSync(json, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } });
      const compress = { gzip: gzipSync, deflate: deflateSync, br: brotli }[encoding];
      const post = (json: string) =>
        merchant.call('POST', '/carts', { body: compress(json), headers: { 'content-encoding': encoding } });
      expect(await post(bodyOf(131_072))).toMatchObject({ status: 200 });
      const items = Array.from({ length: 500 }, (_, index) => ({ ...chair, sku: `${index}`, price: 100 }));
      expect(await post(JSON.stringify({ options: { items }, note: randomBytes(300_000).toString('hex') }))).toMatchObject({
        status: 200,
      });
      expect(await post(bodyOf(MEGABYTE))).toMatchObject({
        status: 413,
        body: { code: 'body-too-large' },
      });
    },
  );
});
