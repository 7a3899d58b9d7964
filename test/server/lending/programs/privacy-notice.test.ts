import { gzipSync } from 'node:zlib';
import { hash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { fetchNotice } from '../../../../server/lending/programs/privacy-notice.ts';
import { freePort } from '../../../support/network.mjs';
import { startPrivacyNotice } from '../../../support/privacy-notice.ts';

describe('The document at the address of a privacy notice', () => {
  // The certificate of the tests is self-signed.
  beforeEach(() => void vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0'));
  afterEach(() => void vi.unstubAllEnvs());

  it('is hashed as a browser shows it, after decompression', async () => {
    const { url, sha256 } = await startPrivacyNotice();
    expect(await fetchNotice(url)).toEqual({ sha256 });
    const compressed = await startPrivacyNotice((_, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('A notice.')),
    );
    expect(await fetchNotice(compressed.url)).toEqual({ sha256: hash('sha256', 'A notice.') });
  });

  it('is not that of a redirect or of an error page', async () => {
    const other = await startPrivacyNotice();
    const moved = await startPrivacyNotice((_, response) => response.writeHead(301, { location: other.url }).end());
    expect(await fetchNotice(moved.url)).toEqual({ failure: 'the status 301' });
    expect(other.requests).toBe(0);
    const missing = await startPrivacyNotice((_, response) => response.writeHead(404).end('Not found'));
    expect(await fetchNotice(missing.url)).toEqual({ failure: 'the status 404' });
  });

  it('is limited to 20 MB', async () => {
    const endless = await startPrivacyNotice((_, response) => {
      const send = (): void => void (response.destroyed || response.write(Buffer.alloc(1_000_000), send));
      send();
    });
    expect(await fetchNotice(endless.url)).toEqual({ failure: 'more than 20000000 bytes' });
  });

  it('is missing if the server cannot be reached, or its certificate is not trusted', async () => {
    expect(await fetchNotice(`https://127.0.0.1:${await freePort()}/`)).toEqual({ failure: 'ECONNREFUSED' });
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '1');
    const notice = await startPrivacyNotice();
    expect(await fetchNotice(notice.url)).toEqual({ failure: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
    expect(notice.requests).toBe(0);
  });
});
