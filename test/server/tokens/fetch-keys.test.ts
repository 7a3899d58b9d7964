import type { RequestListener } from 'node:http';
import { expect, it } from 'vitest';
import { fetchKeys, KeysNotFetched } from '../../../server/tokens/remote-keys.ts';
import { listen } from '../../support/http.ts';
import { startIssuer, newKey, publishing } from '../../support/tokens.ts';

const json = { 'content-type': 'application/json' };

it('fetches keys with any content type', async () => {
  const key = await newKey('theirs');
  const issuer = await startIssuer([key]);
  expect((await fetchKeys(issuer.jwksUrl)).jwks().keys).toEqual([key.publicJwk]);
  const body = JSON.stringify({ keys: [key.publicJwk] });
  issuer.respond = (_request, response) => void response.writeHead(200, { 'content-type': 'text/plain' }).end(body);
  expect((await fetchKeys(issuer.jwksUrl)).jwks().keys).toHaveLength(1);
});

it('accepts an empty key set', async () => {
  const issuer = await startIssuer([]);
  expect((await fetchKeys(issuer.jwksUrl)).jwks()).toEqual({ keys: [] });
});

it.each<[string, RequestListener, string, timeoutMs?: number]>([
  ['status 500', (_q, response) => void response.writeHead(500).end(), 'the status 200, but received 500'],
  ['status 204', (_q, response) => void response.writeHead(204).end(), 'the status 200, but received 204'],
  ['status 404, with keys', (_q, response) => void response.writeHead(404, json).end('{"keys":[]}'), 'received 404'],
  ['a page', (_q, response) => void response.writeHead(200).end('<!doctype html><h1>Hidden</h1>'), 'a JSON Web Key Set'],
  ['nothing', (_q, response) => void response.writeHead(200, json).end(), 'a JSON Web Key Set'],
  ['half of it', (_q, response) => void response.writeHead(200, json).end('{"keys":[{"kid":"hidden"'), 'a JSON Web Key Set'],
  ['a list', (_q, response) => void response.writeHead(200, json).end('[{"kid":"hidden"}]'), 'a JSON Web Key Set'],
  [
    'a JSON object with invalid keys',
    (_q, response) => void response.writeHead(200, json).end('{"keys":["hidden"]}'),
    'a JSON Web Key Set',
  ],
  ['keys in an object', (_q, response) => void response.writeHead(200, json).end('{"keys":{"0":{}}}'), 'a JSON Web Key Set'],
  ['null', (_q, response) => void response.writeHead(200, json).end('null'), 'a JSON Web Key Set'],
  ['bytes', (_q, response) => void response.writeHead(200, json).end(Buffer.from([0xff, 0xfe, 0x00])), 'a JSON Web Key Set'],
  [
    'too much',
    (_q, response) => void response.writeHead(200, json).end(`{"keys":[],"pad":"${'x'.repeat(262_144)}"}`),
    'at most 262144 bytes',
  ],
  ['no end', (_q, response) => flood(response.writeHead(200, json)), 'at most 262144 bytes'],
  [
    'that it is not gzip',
    (_q, response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end('hidden'),
    'expected a response',
  ],
  ['a socket that is closed', (request) => void request.socket.destroy(), 'UND_ERR_SOCKET'],
  ['a socket that is closed in the middle', (_q, response) => closeInTheMiddle(response), 'expected a response'],
  ['silence', () => undefined, 'in 300 ms', 300],
  ['silence after a while', (_q, response) => void response.writeHead(200, json).write('{"keys":'), 'in 300 ms', 300],
  ['a byte at a time', (_q, response) => drip(response.writeHead(200, json)), 'in 300 ms', 300],
])('rejects when the issuer responds with %s', async (_name, response, failure, timeoutMs = 20_000) => {
  const issuer = await startIssuer();
  issuer.respond = response;
  const fetched = fetchKeys(issuer.jwksUrl, timeoutMs);
  await expect(fetched).rejects.toBeInstanceOf(KeysNotFetched);
  await expect(fetched).rejects.toThrow(failure);
  await expect(fetched).rejects.not.toThrow(/hidden/i);
});

it.each([301, 302, 303, 307, 308])('does not follow a redirect: %s', async (status) => {
  const elsewhere = await startIssuer([await newKey('theirs')]);
  const issuer = await startIssuer();
  issuer.respond = (_request, response) => void response.writeHead(status, { location: elsewhere.jwksUrl }).end();
  await expect(fetchKeys(issuer.jwksUrl)).rejects.toThrow(`received ${status}`);
  expect(elsewhere.requestCount).toBe(0);
});

it('rejects when the host is unreachable', async () => {
  const { url, stop } = await listen();
  await stop();
  await expect(fetchKeys(`${url}/keys`)).rejects.toThrow('ECONNREFUSED');
});

it('does not wait for a late response, and sends a new request the next time', async () => {
  const issuer = await startIssuer();
  issuer.respond = () => undefined;
  await expect(fetchKeys(issuer.jwksUrl, 100)).rejects.toThrow('in 100 ms');
  issuer.respond = publishing([await newKey('theirs')]);
  expect((await fetchKeys(issuer.jwksUrl)).jwks().keys).toHaveLength(1);
});

type Response = Parameters<RequestListener>[1];

function flood(response: Response): void {
  const chunk = Buffer.alloc(65_536, 0x20);
  const more = () => {
    while (!response.destroyed && response.write(chunk));
  };
  response.on('drain', more);
  more();
}

function drip(response: Response): void {
  const timer = setInterval(() => response.write(' '), 20);
  response.on('close', () => clearInterval(timer));
}

function closeInTheMiddle(response: Response): void {
  response.writeHead(200, { ...json, 'content-length': '1000' }).write('{"keys":[');
  setImmediate(() => response.destroy());
}
