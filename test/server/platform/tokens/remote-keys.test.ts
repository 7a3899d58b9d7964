import { jwtVerify } from 'jose';
import type { RequestListener } from 'node:http';
import { expect, it } from 'vitest';
import { systemClock } from '../../../../server/base/time.ts';
import { remoteKeys } from '../../../../server/platform/tokens/remote-keys.ts';
import { listen } from '../../../support/http.ts';
import { captureTimeouts, until } from '../../../support/time.ts';
import { startIssuer, newKey, signed } from '../../../support/tokens.ts';

const json = { 'content-type': 'application/json' };
const key = await newKey('theirs');
const token = signed(key, { iss: 'https://id.example' });

/** Verifies a token with the keys at `url`, and returns the reported failure. */
async function failureAt(url: string): Promise<string> {
  const failures: string[] = [];
  const verified = jwtVerify(
    token,
    remoteKeys(url, systemClock, (message) => failures.push(message)),
  );
  await expect(verified).rejects.toMatchObject({ code: 'issuer-unavailable' });
  expect(failures).toHaveLength(1);
  expect(failures[0]).not.toMatch(/hidden|127\.0\.0\.1/i);
  return failures[0]!;
}

it('remoteKeys accepts keys with any content type', async () => {
  const issuer = await startIssuer();
  const body = JSON.stringify({ keys: [key.publicJwk] });
  issuer.respond = (_request, response) => void response.writeHead(200, { 'content-type': 'text/plain' }).end(body);
  const { payload } = await jwtVerify(
    token,
    remoteKeys(issuer.jwksUrl, systemClock, () => undefined),
  );
  expect(payload.iss).toBe('https://id.example');
});

it('remoteKeys accepts an empty key set, in which every key is unknown', async () => {
  const issuer = await startIssuer([]);
  const keys = remoteKeys(issuer.jwksUrl, systemClock, () => undefined);
  await expect(jwtVerify(token, keys)).rejects.toMatchObject({ code: 'ERR_JWKS_NO_MATCHING_KEY' });
});

it.each<[string, RequestListener, string]>([
  ['the status 500', (_q, response) => void response.writeHead(500).end(), 'the status 200, but received 500'],
  ['the status 404 and keys', (_q, response) => void response.writeHead(404, json).end('{"keys":[]}'), 'received 404'],
  ['an HTML page', (_q, response) => void response.writeHead(200).end('<!doctype html><h1>Hidden</h1>'), 'a JSON Web Key Set'],
  ['truncated JSON', (_q, response) => void response.writeHead(200, json).end('{"keys":[{"kid":"hidden"'), 'a JSON Web Key Set'],
  [
    'a JSON object with invalid keys',
    (_q, response) => void response.writeHead(200, json).end('{"keys":["hidden"]}'),
    'a JSON Web Key Set',
  ],
  [
    'more than 256 KiB',
    (_q, response) => void response.writeHead(200, json).end(`{"keys":[],"pad":"${'x'.repeat(262_144)}"}`),
    'at most 262144 bytes',
  ],
  ['an endless body', (_q, response) => sendEndlessly(response.writeHead(200, json)), 'at most 262144 bytes'],
  [
    'invalid gzip',
    (_q, response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end('hidden'),
    'expected a response',
  ],
  ['a closed connection', (request) => void request.socket.destroy(), 'UND_ERR_SOCKET'],
  ['a connection that is closed during the body', (_q, response) => closeDuringBody(response), 'expected a response'],
])(
  'remoteKeys is unavailable, and the failure does not quote the response, if the issuer sends %s',
  async (_title, respond, failure) => {
    const issuer = await startIssuer();
    issuer.respond = respond;
    expect(await failureAt(issuer.jwksUrl)).toContain(failure);
  },
);

it.each<[string, RequestListener]>([
  ['no response', () => undefined],
  ['an incomplete body', (_q, response) => void response.writeHead(200, json).write('{"keys":')],
  ['single bytes', (_q, response) => sendSlowly(response.writeHead(200, json))],
])('remoteKeys is unavailable after two seconds if the issuer sends %s', async (_title, respond) => {
  const timeouts = captureTimeouts();
  const issuer = await startIssuer();
  issuer.respond = respond;
  const failure = failureAt(issuer.jwksUrl);
  await until(() => issuer.requestCount === 1);
  expect(timeouts.requestedMs).toEqual([2_000]);
  timeouts.expire();
  expect(await failure).toBe('expected a response, but received TimeoutError');
});

it.each([302, 307])('remoteKeys does not follow a redirect: %s', async (status) => {
  const redirectTarget = await startIssuer([key]);
  const issuer = await startIssuer();
  issuer.respond = (_request, response) => void response.writeHead(status, { location: redirectTarget.jwksUrl }).end();
  expect(await failureAt(issuer.jwksUrl)).toContain(`received ${status}`);
  expect(redirectTarget.requestCount).toBe(0);
});

it('remoteKeys is unavailable if the host is unreachable', async () => {
  const { url, stop } = await listen();
  await stop();
  expect(await failureAt(`${url}/keys`)).toContain('ECONNREFUSED');
});

type Response = Parameters<RequestListener>[1];

function sendEndlessly(response: Response): void {
  const chunk = Buffer.alloc(65_536, 0x20);
  const writeUntilFull = () => {
    while (!response.destroyed && response.write(chunk));
  };
  response.on('drain', writeUntilFull);
  writeUntilFull();
}

function sendSlowly(response: Response): void {
  const timer = setInterval(() => response.write(' '), 20);
  response.on('close', () => clearInterval(timer));
}

function closeDuringBody(response: Response): void {
  response.writeHead(200, { ...json, 'content-length': '1000' }).write('{"keys":[');
  setImmediate(() => response.destroy());
}
