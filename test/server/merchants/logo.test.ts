import { crc32 } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { changeMerchant } from '../../../server/merchants/merchants.ts';
import { PICTURES } from '../../support/pictures.ts';
import { fetchResponse, startService } from '../../support/service.ts';

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
    ['WAV', 'RIFF\u0004\0\0\0WAVE'],
  ])('is no file of another format: %s', async (_format, content) => {
    await expect(change(Buffer.from(content, 'latin1'))).rejects.toThrow('logo: expected a complete PNG, JPEG or WebP picture');
  });

  it.each(['png', 'jpg', 'webp'] as const)('is a whole picture, with nothing after its end: %s', async (format) => {
    const picture = PICTURES[format];
    const cuts = Array.from(picture, (_byte, length) => picture.subarray(0, length));
    const followed = ['\0', '\n', '<script>alert(1)</script>'].map((text) => Buffer.concat([picture, Buffer.from(text)]));
    for (const file of [...cuts, ...followed]) await expect(change(file)).rejects.toMatchObject({ code: 'invalid-request' });
  });

  it('is a PNG picture whose check sums are right', async () => {
    for (let at = 8; at < PICTURES.png.length; at += 1) {
      const changed = Buffer.from(PICTURES.png);
      changed[at]! ^= 1;
      await expect(change(changed)).rejects.toMatchObject({ code: 'invalid-request' });
    }
  });

  /** Returns a picture of another size, whose data is not changed. */
  const ofSize: Record<keyof typeof PICTURES, (width: number, height: number) => Buffer> = {
    png: (width, height) => {
      const bytes = Buffer.from(PICTURES.png);
      bytes.writeUInt32BE(width, 16);
      bytes.writeUInt32BE(height, 20);
      bytes.writeUInt32BE(crc32(bytes.subarray(12, 29)), 29);
      return bytes;
    },
    jpg: (width, height) => {
      const bytes = Buffer.from(PICTURES.jpg);
      const frame = bytes.indexOf(Buffer.from('ffc0', 'hex'));
      bytes.writeUInt16BE(height, frame + 5);
      bytes.writeUInt16BE(width, frame + 7);
      return bytes;
    },
    webp: (width, height) => {
      const bytes = Buffer.from(PICTURES.webp);
      bytes.writeUIntLE(width - 1, 24, 3);
      bytes.writeUIntLE(height - 1, 27, 3);
      return bytes;
    },
  };

  it.each(['png', 'jpg', 'webp'] as const)('has at most four million pixels, however small the file is: %s', async (format) => {
    await change(ofSize[format](2_000, 2_000));
    await expect(change(ofSize[format](2_000, 2_001))).rejects.toThrow('of at most 4000000 pixels, but received 2000 × 2001');
  });

  it('has at most 64 kB', async () => {
    // A chunk of WebP with metadata fills the file.
    const metadata = Buffer.alloc(65_536 - PICTURES.webp.length);
    metadata.write('XMP ');
    metadata.writeUInt32LE(metadata.length - 8, 4);
    const largest = Buffer.concat([PICTURES.webp, metadata]);
    largest.writeUInt32LE(largest.length - 8, 4);
    expect((await fetchResponse(await change(largest))).status).toBe(200);
    await expect(change(Buffer.concat([largest, Buffer.alloc(1)]))).rejects.toThrow('of at most 65536 bytes');
  });
});
