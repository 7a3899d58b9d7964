import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { outwardAddress } from '../../../support/network.mjs';

/** Responses of the proxy, which limits requests of operations that the service does not limit. */
const OF_THE_PROXY = [
  'getOpenApi 429',
  'getProgramSchema 429',
  'isAlive 429',
  'isReady 429',
  'getAuthorizationServer 429',
  'getSigningKeys 429',
  'getWidgetManifest 429',
];

/**
 * Returns true if a complete test run received every response that the OpenAPI document describes, and prints those that are missing.
 *
 * @param {string} folder the folder in which the processes of the test run recorded responses
 * @param {(line: string) => void} print
 */
export async function checkResponses(folder, print) {
  const { openApiDocument } = await import('../../../../dist/server/http/openapi/document.js');
  const { ERRORS } = await import('../../../../dist/server/base/errors.js');
  const document = openApiDocument({ mode: 'sandbox', publicUrl: 'http://localhost', version: '0' });
  // Plain HTTP is only rejected from another machine, which needs a network.
  const outOfReach = outwardAddress === undefined ? [ERRORS['https-required'][1]] : [];
  const missing = neverGiven(document, new Set([...seenResponses(folder), ...OF_THE_PROXY]), outOfReach);
  print(missing.length === 0 ? 'ok' : `FAILED: no test received ${missing.join(', ')}`);
  return missing.length === 0;
}

/**
 * Returns the documented responses that no test received.
 *
 * @param {any} document an OpenAPI document
 * @param {ReadonlySet<string>} given operation id and status, `createCart 200`
 * @param {readonly string[]} outOfReach descriptions of errors that cannot occur on this machine
 * @returns {string[]}
 */
export function neverGiven(document, given, outOfReach) {
  const operations = Object.values(document.paths).flatMap((item) => Object.values(item));
  return operations
    .flatMap(({ operationId, responses }) =>
      Object.entries(responses)
        .filter(([, response]) => !isOutOfReach(response, outOfReach))
        .map(([status]) => `${operationId} ${status}`),
    )
    .filter((response) => !given.has(response));
}

/** Returns true if the response is an error that cannot occur on this machine. */
function isOutOfReach(response, outOfReach) {
  return response.description
    .split('\n\n')
    .every((error) => outOfReach.some((description) => error.endsWith(`: ${description}`)));
}

/**
 * Returns the responses that the processes of a test run received.
 *
 * @param {string} folder the folder in which each process wrote lines such as `sandbox createCart 200`
 */
export function seenResponses(folder) {
  const lines = readdirSync(folder).flatMap((name) => readFileSync(join(folder, name), 'utf8').trim().split('\n'));
  return new Set(lines.map((line) => line.slice(line.indexOf(' ') + 1)));
}
