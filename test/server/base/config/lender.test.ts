import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../../../server/base/config/config.ts';
import { lenderIn } from '../../../../server/base/config/lender.ts';
import { certificate } from '../../../support/http.ts';
import { onCleanup } from '../../../support/cleanup.ts';

const secretOf = (bytes: number) => `whsec_${Buffer.alloc(bytes, 7).toString('base64')}`;
const LENDER_SECRET = secretOf(32);
const LENDER_URL = 'https://lender.example/fairterm';

function createCaFile(content: string | Buffer): string {
  const folder = mkdtempSync(join(tmpdir(), 'fairterm-test-'));
  onCleanup(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'ca.pem');
  writeFileSync(file, content);
  return file;
}

describe('The lender configuration', () => {
  it('is undefined if its variables are unset or empty', () => {
    for (const value of [undefined, '']) {
      const env = Object.fromEntries(['URL', 'SECRET', 'CA', 'TIMEOUT_MS'].map((suffix) => [`LENDER_${suffix}`, value]));
      expect(lenderIn(env, 'live')).toBeUndefined();
    }
    expect(readConfig({}).lender).toBeUndefined();
  });

  it('is a remote lender with a URL and a secret', () => {
    const lender = { url: LENDER_URL, secrets: [LENDER_SECRET], ca: undefined, timeoutMs: 10_000 };
    for (const MODE of ['sandbox', 'live']) {
      expect(readConfig({ MODE, LENDER_URL: `${LENDER_URL}//`, LENDER_SECRET }).lender).toEqual(lender);
    }
  });

  it('is a remote lender with a certificate authority, two secrets and a timeout', () => {
    const older = secretOf(24);
    const newer = secretOf(64);
    const LENDER_CA = createCaFile(`A comment\n${certificate.ca.toString()}\n${certificate.ca.toString()}`);
    const env = { LENDER_URL, LENDER_SECRET: `${newer}, ${older}`, LENDER_CA, LENDER_TIMEOUT_MS: '60000' };
    const lender = lenderIn(env, 'live')!;

    expect(lender).toMatchObject({ secrets: [newer, older], timeoutMs: 60_000 });
    expect(lender.ca!.match(/BEGIN CERTIFICATE/g)).toHaveLength(2);
  });

  it.each(['sandbox', 'live'])('rejects SCORE_URL in %s mode with the name of its replacement', (MODE) => {
    expect(() => readConfig({ MODE, SCORE_URL: 'https://scores.example', SCORE_SECRET: LENDER_SECRET })).toThrow(
      'SCORE_URL: expected no value, because deciding by credit scores was removed; set LENDER_URL to a lender',
    );
  });

  it.each(['http://localhost:9000', 'http://127.0.0.1:9000/lend', 'http://[::1]:9000'])(
    'allows the URL %s in the sandbox only',
    (url) => {
      expect(lenderIn({ LENDER_URL: url, LENDER_SECRET }, 'sandbox')).toMatchObject({ url });
      expect(() => lenderIn({ LENDER_URL: url, LENDER_SECRET }, 'live')).toThrow('LENDER_URL: expected an https address without');
    },
  );

  const expectedUrl = 'LENDER_URL: expected an https address (or http to this machine) without user, query and fragment';
  const expectedSecret = 'LENDER_SECRET: expected whsec_ and 24 to 64 bytes in base64, or two of them separated by a comma';
  it.each<[env: Record<string, string>, expected: string]>([
    [{ LENDER_URL: 'http://lender.example', LENDER_SECRET }, expectedUrl],
    [{ LENDER_URL: 'http://127.evil.example', LENDER_SECRET }, expectedUrl],
    [{ LENDER_URL: 'http://localhost.evil.example', LENDER_SECRET }, expectedUrl],
    [{ LENDER_URL: 'ftp://lender.example', LENDER_SECRET }, expectedUrl],
    [{ LENDER_URL: 'lender.example', LENDER_SECRET }, expectedUrl],
    [{ LENDER_URL: 'https://user:hidden@lender.example', LENDER_SECRET }, expectedUrl],
    [{ LENDER_URL: `${LENDER_URL}?key=hidden`, LENDER_SECRET }, expectedUrl],
    [{ LENDER_URL: `${LENDER_URL}#`, LENDER_SECRET }, expectedUrl],
    [{ LENDER_SECRET }, `${expectedUrl}, because LENDER_SECRET is set`],
    [{ LENDER_URL }, expectedSecret],
    [{ LENDER_URL, LENDER_SECRET: 'hidden' }, expectedSecret],
    [{ LENDER_URL, LENDER_SECRET: LENDER_SECRET.slice(6) }, expectedSecret],
    [{ LENDER_URL, LENDER_SECRET: secretOf(23) }, expectedSecret],
    [{ LENDER_URL, LENDER_SECRET: secretOf(65) }, expectedSecret],
    [{ LENDER_URL, LENDER_SECRET: `${LENDER_SECRET}!` }, expectedSecret],
    [{ LENDER_URL, LENDER_SECRET: `${LENDER_SECRET},` }, expectedSecret],
    [{ LENDER_URL, LENDER_SECRET: [24, 32, 64].map(secretOf).join() }, expectedSecret],
    [
      { LENDER_URL, LENDER_SECRET, LENDER_TIMEOUT_MS: '99' },
      'LENDER_TIMEOUT_MS: expected milliseconds from 100 to 60000, but received "99"',
    ],
    [{ LENDER_URL, LENDER_SECRET, LENDER_TIMEOUT_MS: '60001' }, 'from 100 to 60000, but received "60001"'],
    [{ LENDER_URL, LENDER_SECRET, LENDER_TIMEOUT_MS: '1e4' }, 'from 100 to 60000, but received "1e4"'],
    [{ LENDER_URL, LENDER_SECRET, LENDER_CA: '/nowhere/ca.pem' }, 'LENDER_CA: ENOENT'],
    [{ LENDER_URL, LENDER_SECRET, LENDER_CA: certificate.keyFile }, 'LENDER_CA: expected certificates as PEM'],
  ])('rejects %j with an error that contains no secret', (env, expected) => {
    let message = '';
    try {
      lenderIn(env, 'sandbox');
    } catch (thrown) {
      message = (thrown as Error).message;
    }
    expect(message).toContain(expected);
    for (const hidden of ['hidden', LENDER_SECRET.slice(6)]) expect(message).not.toContain(hidden);
  });

  it('rejects an invalid certificate authority', () => {
    const LENDER_CA = createCaFile('-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n');

    expect(() => lenderIn({ LENDER_URL, LENDER_SECRET, LENDER_CA }, 'live')).toThrow(
      'LENDER_CA: expected certificates as PEM in',
    );
  });
});
