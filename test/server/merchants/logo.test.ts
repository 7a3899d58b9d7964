import { describe, expect, it } from 'vitest';
import { changeMerchant } from '../../../server/merchants/merchants.ts';
import { fetchResponse, startService } from '../../support/service.ts';

const PICTURES = {
  png: Buffer.from('89504e470d0a1a0a0000', 'hex'),
  jpg: Buffer.from('ffd8ffe00010', 'hex'),
  webp: Buffer.from('RIFF\0\0\0\0WEBPVP8 ', 'latin1'),
};
const TYPES = { png: 'image/png', jpg: 'image/jpeg', webp: 'image/webp' };

const service = await startService();
const merchant = await service.createMerchant();

describe('The logo of a merchant', () => {
  const change = async (logo: Buffer) => {
    const { database, clock } = service;
    const changed = await changeMerchant(database, 'sandbox', merchant.merchantId, { logo }, clock.now());
    return `${service.publicUrl}/brand/logo/${changed.logo}`;
  };

  it.each(['png', 'jpg', 'webp'] as const)('is served as it was saved, and cached indefinitely: %s', async (format) => {
    const response = await fetch(await change(PICTURES[format]));

    expect(response.status).toBe(200);
    expect(Buffer.from(await response.arrayBuffer())).toEqual(PICTURES[format]);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': TYPES[format],
      'x-content-type-options': 'nosniff',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
      'cross-origin-resource-policy': 'cross-origin',
    });
  });

  it('has another address when it changes, and none under the previous one', async () => {
    const before = await change(PICTURES.png);
    const after = await change(PICTURES.jpg);

    expect(after).not.toBe(before);
    expect((await fetchResponse(before)).status).toBe(404);
    expect((await fetchResponse(`${service.publicUrl}/brand/logo/unknown.png`)).status).toBe(404);
  });

  it.each([
    ['SVG', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'],
    ['GIF', 'GIF89a'],
    ['nothing', ''],
    ['WAV', 'RIFF\0\0\0\0WAVEfmt '],
  ])('is no file of another format: %s', async (_format, content) => {
    await expect(change(Buffer.from(content, 'latin1'))).rejects.toThrow('logo: expected a PNG, JPEG or WebP picture');
  });

  it('has at most 64 kB', async () => {
    const largest = Buffer.concat([PICTURES.png, Buffer.alloc(65_536 - PICTURES.png.length)]);
    expect((await fetchResponse(await change(largest))).status).toBe(200);
    await expect(change(Buffer.concat([largest, Buffer.alloc(1)]))).rejects.toThrow('of at most 65536 bytes');
  });
});
