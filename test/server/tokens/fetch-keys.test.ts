import type { RequestListener } from 'node:http';
import { expect, it } from 'vitest';
import { fetchKeys, KeysNotFetched } from '../../../server/tokens/remote-keys.ts';
import { listen } from '../../support/http.ts';
import { startIssuer, newKey } from '../../support/tokens.ts';

const json = { 'content-type': 'application/json' };

it('fetchKeys returns keys with any content type', async () => {
  const key = await newKey('theirs');
  const issuer = await startIssuer([key]);
  expect((await fetchKeys(issuer.jwksUrl)).jwks().keys).toEqual([key.publicJwk]);
  const body = JSON.stringify({ keys: [key.publicJwk] });
  issuer.respond = (_request, response) => void response.writeHead(200, { 'content-type': 'text/plain' }).end(body);
  expect((await fetchKeys(issuer.jwksUrl)).jwks().keys).toHaveLength(1);
});

it('fetchKeys accepts an empty key set', async () => {
  const issuer = await startIssuer([]);
  expect((await fetchKeys(issuer.jwksUrl)).jwks()).toEqual({ keys: [] });
});

it.each<[string, RequestListener, string, timeoutMs?: number]>([
  ['the status 500', (_q, response) => void response.writeHead(500).end(), 'the status 200, but received 500'],
  ['the status 204', (_q, response) => void response.writeHead(204).end(), 'the status 200, but received 204'],
  ['the status 404 and keys', (_q, response) => void response.writeHead(404, json).end('{"keys":[]}'), 'received 404'],
  ['an HTML page', (_q, response) => void response.writeHead(200).end('<!doctype html><h1>Hidden</h1>'), 'a JSON Web Key Set'],
  ['an empty body', (_q, response) => void response.writeHead(200, json).end(), 'a JSON Web Key Set'],
  ['truncated JSON', (_q, response) => void response.writeHead(200, json).end('{"keys":[{"kid":"hidden"'), 'a JSON Web Key Set'],
  ['an array', (_q, response) => void response.writeHead(200, json).end('[{"kid":"hidden"}]'), 'a JSON Web Key Set'],
  [
    'a JSON object with invalid keys',
    (_q, response) => void response.writeHead(200, json).end('{"keys":["hidden"]}'),
    'a JSON Web Key Set',
  ],
  ['keys in an object', (_q, response) => void response.writeHead(200, json).end('{"keys":{"0":{}}}'), 'a JSON Web Key Set'],
  ['null', (_q, response) => void response.writeHead(200, json).end('null'), 'a JSON Web Key Set'],
  [
    'binary data',
    (_q, response) => void response.writeHead(200, json).end(Buffer.from([0xff, 0xfe, 0x00])),
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
  ['no response', () => undefined, 'in 300 ms', 300],
  ['an incomplete body', (_q, response) => void response.writeHead(200, json).write('{"keys":'), 'in 300 ms', 300],
  ['single bytes', (_q, response) => sendSlowly(response.writeHead(200, json)), 'in 300 ms', 300],
])(
  'fetchKeys rejects without the response in the error if the issuer responds with %s',
  async (_title, response, failure, timeoutMs = 20_000) => {
    const issuer = await startIssuer();
    issuer.respond = response;
    const fetched = fetchKeys(issuer.jwksUrl, timeoutMs);
    await expect(fetched).rejects.toBeInstanceOf(KeysNotFetched);
    await expect(fetched).rejects.toThrow(failure);
    await expect(fetched).rejects.not.toThrow(/hidden/i);
  },
);

it.each([301, 302, 303, 307, 308])('fetchKeys does not follow a redirect: %s', async (status) => {
  const redirectTarget = await startIssuer([await newKey('theirs')]);
  const issuer = await startIssuer();
  issuer.respond = (_request, response) => void response.writeHead(status, { location: redirectTarget.jwksUrl }).end();
  await expect(fetchKeys(issuer.jwksUrl)).rejects.toThrow(`received ${status}`);
  expect(redirectTarget.requestCount).toBe(0);
});

it('fetchKeys rejects if the host is unreachable', async () => {
  const { url, stop } = await listen();
  await stop();
  await expect(fetchKeys(`${url}/keys`)).rejects.toThrow('ECONNREFUSED');
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
