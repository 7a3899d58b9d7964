import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { seenResponses, neverGiven } from '../server/http/openapi/coverage.mjs';

const errorResponse = (...reasons) => ({ description: reasons.map((reason) => `\`code\`: ${reason}`).join('\n\n') });
const success = { description: 'Success.' };
const document = {
  paths: {
    '/carts': {
      post: {
        operationId: 'createCart',
        responses: { 200: success, 409: errorResponse('In use.'), 422: errorResponse('In use.', 'Used before.') },
      },
    },
    '/healthz': { get: { operationId: 'checkHealth', responses: { 200: success } } },
  },
};

test('neverGiven returns every response that no test received', () => {
  expect(neverGiven(document, new Set(['createCart 200']), [])).toEqual(['createCart 409', 'createCart 422', 'checkHealth 200']);
  expect(neverGiven(document, new Set(['createCart 200', 'createCart 409', 'createCart 422', 'checkHealth 200']), [])).toEqual(
    [],
  );
});

test('neverGiven ignores responses whose reasons no test can cause', () => {
  expect(neverGiven(document, new Set(['createCart 200', 'checkHealth 200']), ['In use.'])).toEqual(['createCart 422']);
});

test('seenResponses reads the records of every process', () => {
  const folder = mkdtempSync(join(tmpdir(), 'fairterm-test-'));
  writeFileSync(join(folder, '1.txt'), 'sandbox createCart 200\nlive createCart 200\n');
  writeFileSync(join(folder, '2.txt'), 'sandbox checkHealth 200\n');
  expect([...seenResponses(folder)]).toEqual(['createCart 200', 'checkHealth 200']);
  rmSync(folder, { recursive: true });
});
