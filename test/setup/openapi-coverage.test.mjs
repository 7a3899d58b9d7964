import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { seenResponses, neverGiven } from '../server/openapi/coverage.mjs';

const errorResponse = (...reasons) => ({ description: reasons.map((reason) => `\`code\`: ${reason}`).join('\n\n') });
const done = { description: 'It is done.' };
const document = {
  paths: {
    '/carts': {
      post: {
        operationId: 'createCart',
        responses: { 200: done, 409: errorResponse('In use.'), 422: errorResponse('In use.', 'Used before.') },
      },
    },
    '/healthz': { get: { operationId: 'isAlive', responses: { 200: done } } },
  },
};

test('lists every response that no test received', () => {
  expect(neverGiven(document, new Set(['createCart 200']), [])).toEqual(['createCart 409', 'createCart 422', 'isAlive 200']);
  expect(neverGiven(document, new Set(['createCart 200', 'createCart 409', 'createCart 422', 'isAlive 200']), [])).toEqual([]);
});

test('does not require responses whose reasons cannot be caused by a test', () => {
  expect(neverGiven(document, new Set(['createCart 200', 'isAlive 200']), ['In use.'])).toEqual(['createCart 422']);
});

test('reads the records of every process', () => {
  const folder = mkdtempSync(join(tmpdir(), 'fairterm-test-'));
  writeFileSync(join(folder, '1.txt'), 'sandbox createCart 200\nlive createCart 200\n');
  writeFileSync(join(folder, '2.txt'), 'sandbox isAlive 200\n');
  expect([...seenResponses(folder)]).toEqual(['createCart 200', 'isAlive 200']);
  rmSync(folder, { recursive: true });
});
