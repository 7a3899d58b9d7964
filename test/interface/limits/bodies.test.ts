import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
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

  it('of 32 levels is accepted, and one of 33 is rejected [LIM-8]', async () => {
    expect(await merchant.post('/carts', nested(32))).toMatchObject({ status: 200 });
    expect(await merchant.post('/carts', nested(33))).toMatchObject({
      status: 400,
      body: { code: 'invalid-request' },
    });
  });

  it('may contain any amount of punctuation in its strings', async () => {
    expect(await merchant.post('/carts', bodyOf(MEGABYTE, '[{,'))).toMatchObject({ status: 200 });
    const note = '\\"[{,'.repeat(10_000);
    expect(await merchant.post('/carts', { options: { customTotal: 5_000 }, note })).toMatchObject({ status: 200 });
  });

  it.each(['gzip', 'deflate', 'br'] as const)(
    'compressed by %s is accepted up to 128 KiB, and one more byte is rejected [LIM-10]',
    async (encoding) => {
      const compress = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync }[encoding];
      const post = (json: string) =>
        merchant.call('POST', '/carts', { body: compress(json), headers: { 'content-encoding': encoding } });
      expect(await post(bodyOf(131_072))).toMatchObject({ status: 200 });
      expect(await post(bodyOf(131_073))).toMatchObject({ status: 413, body: { code: 'body-too-large' } });
    },
  );
});
