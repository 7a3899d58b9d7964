import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The answers that a document describes and that no test was given.
 *
 * @param {any} document an OpenAPI document
 * @param {ReadonlySet<string>} given operation id and status, `createCart 200`
 * @param {{ operations: readonly string[], refusals: readonly string[] }} excepted by operation id, and by the code of a refusal
 * @returns {string[]}
 */
export function neverGiven(document, given, excepted) {
  const operations = Object.values(document.paths).flatMap((item) => Object.values(item));
  return operations
    .filter(({ operationId }) => !excepted.operations.includes(operationId))
    .flatMap(({ operationId, responses }) =>
      Object.entries(responses)
        .filter(([, response]) => !isExcepted(response, excepted.refusals))
        .map(([status]) => `${operationId} ${status}`),
    )
    .filter((answer) => !given.has(answer));
}

/** Whether an answer is a refusal for reasons that are all excepted. */
function isExcepted(response, refusals) {
  const codes = response.content?.['application/json'].schema.properties?.code?.enum;
  return codes !== undefined && codes.every((code) => refusals.includes(code));
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
