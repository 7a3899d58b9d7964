import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { outwardAddress } from '../../support/network.mjs';

/**
 * Whether the tests, when all of them ran, were given every answer that the OpenAPI document describes.
 *
 * @param {string} folder where the processes of the test run noted what they were given
 */
export async function checkAnswers(folder) {
  console.log(`\n── described answers ${'─'.repeat(53)}`);
  const { openApiDocument } = await import('../../../dist/server/openapi/document.js');
  const { errorDescriptions } = await import('../../../dist/server/openapi/errors.js');
  const document = openApiDocument({ mode: 'sandbox', publicUrl: 'http://localhost', version: '0' });
  // A machine without a network has nowhere to send plain HTTP from.
  const outOfReach = outwardAddress === undefined ? [errorDescriptions['https-required']] : [];
  const missing = neverGiven(document, givenAnswers(folder), outOfReach);
  console.log(missing.length === 0 ? 'ok' : `FAILED: no test was answered ${missing.join(', ')}`);
  return missing.length === 0;
}

/**
 * The answers that a document describes and that no test was given.
 *
 * @param {any} document an OpenAPI document
 * @param {ReadonlySet<string>} given operation id and status, `createCart 200`
 * @param {readonly string[]} outOfReach what refusals mean that cannot be provoked here
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
    .filter((answer) => !given.has(answer));
}

/** Whether an answer is a refusal for reasons none of which can be provoked. */
function isOutOfReach(response, outOfReach) {
  return response.description.split('\n\n').every((reason) => outOfReach.some((meaning) => reason.endsWith(`: ${meaning}`)));
}

/**
 * What the processes of a test run were given.
 *
 * @param {string} folder where each wrote a file of lines such as `sandbox createCart 200`
 */
export function givenAnswers(folder) {
  const lines = readdirSync(folder).flatMap((name) => readFileSync(join(folder, name), 'utf8').trim().split('\n'));
  return new Set(lines.map((line) => line.slice(line.indexOf(' ') + 1)));
}
